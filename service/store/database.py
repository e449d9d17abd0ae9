"""The engine and its sessions: SQLite in WAL mode by default, PostgreSQL by URL. Foreign errors stop here."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Engine, create_engine, event
from sqlalchemy.exc import DatabaseError, InterfaceError, OperationalError
from sqlalchemy.orm import Session, sessionmaker

from service.errors import Unavailable

MIGRATIONS = Path(__file__).resolve().parent / "migrations"
BUSY_TIMEOUT_MS = 15_000


class Database:
    """Opens the record. `session()` is one transaction: commit at the end, roll back on any error."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.engine = _engine(url)
        self._sessions = sessionmaker(self.engine, expire_on_commit=False)

    @contextmanager
    def session(self) -> Iterator[Session]:
        """Raises Unavailable when the database cannot be reached or is damaged."""
        try:
            with self._sessions() as session, session.begin():
                yield session
        except (OperationalError, InterfaceError) as error:
            raise Unavailable(f"数据库暂时不可用：{_cause(error)}", code="database_unavailable") from error
        except DatabaseError as error:
            if "malformed" in str(error) or "not a database" in str(error):
                raise Unavailable(
                    "数据库文件已损坏，请用 zhixing restore 恢复备份", code="database_corrupt"
                ) from error
            raise

    def migrate(self) -> None:
        """Bring the schema to the newest revision."""
        try:
            command.upgrade(self.alembic_config(), "head")
        except (OperationalError, InterfaceError, DatabaseError) as error:
            message = f"数据库无法打开或升级：{_cause(error)}"
            raise Unavailable(message, code="database_unavailable") from error

    def alembic_config(self) -> Config:
        config = Config()
        config.set_main_option("script_location", str(MIGRATIONS))
        config.attributes["engine"] = self.engine
        return config

    def close(self) -> None:
        self.engine.dispose()


def _cause(error: DatabaseError | InterfaceError) -> str:
    return str(error.orig or error).splitlines()[0]


def _engine(url: str) -> Engine:
    if not url.startswith("sqlite"):
        return create_engine(url, pool_pre_ping=True, pool_size=10, max_overflow=20)
    engine = create_engine(url, connect_args={"check_same_thread": False})

    @event.listens_for(engine, "connect")
    def _pragmas(connection: object, _record: object) -> None:
        cursor = connection.cursor()  # type: ignore[attr-defined]
        for pragma in (
            "journal_mode=WAL",
            "synchronous=FULL",
            "foreign_keys=ON",
            f"busy_timeout={BUSY_TIMEOUT_MS}",
        ):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    return engine
