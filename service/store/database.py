"""The engine and its sessions: SQLite in WAL mode by default, PostgreSQL by URL. Foreign errors stop here."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock

from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from sqlalchemy import Engine, create_engine, event, func, select
from sqlalchemy.exc import DatabaseError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.orm import Session, sessionmaker

from service.errors import Unavailable

MIGRATIONS = Path(__file__).resolve().parent / "migrations"
BUSY_TIMEOUT_MS = 15_000
POSTGRES_DRIVER = "postgresql+psycopg"
WRITER_LOCK = 0x7A78_0001  # any number that no other user of the same database takes


class Database:
    """Opens the record. `session()` is one transaction: commit at the end, roll back on any error."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.engine = _engine(url)
        self._sessions = sessionmaker(self.engine, expire_on_commit=False)
        self._one_writer = Lock()

    @contextmanager
    def session(self) -> Iterator[Session]:
        """Raises Unavailable when the database cannot be reached or is damaged."""
        with _translated(), self._sessions() as session, session.begin():
            yield session

    @contextmanager
    def consistent(self) -> Iterator[Session]:
        """A session for reading only, in which every statement sees the same moment."""
        with self.session() as session:
            if self._is_postgres:
                session.connection(execution_options={"isolation_level": "REPEATABLE READ"})
            else:
                session.connection().exec_driver_sql("BEGIN")  # the driver begins only before a write
            yield session

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Holds back every other writer of the library: threads here and, on PostgreSQL, other replicas.

        SQLite needs no more than the thread lock, since one process holds the home folder. The lock of
        PostgreSQL goes with its connection, so a writer that dies lets go of it. Does not nest.
        """
        with self._one_writer:
            if not self._is_postgres:
                yield
                return
            with _translated(), self.engine.connect() as connection:
                connection = connection.execution_options(isolation_level="AUTOCOMMIT")
                connection.execute(select(func.pg_advisory_lock(WRITER_LOCK)))
                try:
                    yield
                finally:
                    connection.execute(select(func.pg_advisory_unlock(WRITER_LOCK)))

    def migrate(self) -> None:
        """Bring the schema to the newest revision."""
        try:
            with self.writing():
                command.upgrade(self.alembic_config(), "head")
        except DatabaseError as error:
            message = f"数据库无法打开或升级：{_cause(error)}"
            raise Unavailable(message, code="database_unavailable") from error
        except CommandError as error:
            message = "数据库由更新版本的知行建立，请先升级程序再启动"
            raise Unavailable(message, code="database_newer") from error

    def alembic_config(self) -> Config:
        config = Config()
        config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
        config.set_main_option("path_separator", "os")
        config.attributes["engine"] = self.engine
        return config

    def close(self) -> None:
        self.engine.dispose()

    @property
    def _is_postgres(self) -> bool:
        return self.engine.dialect.name == "postgresql"


@contextmanager
def _translated() -> Iterator[None]:
    try:
        yield
    except (OperationalError, InterfaceError) as error:
        raise Unavailable(f"数据库暂时不可用：{_cause(error)}", code="database_unavailable") from error
    except PoolTimeout as error:
        raise Unavailable("数据库连接都在使用中，请稍后重试", code="database_busy") from error
    except DatabaseError as error:
        if "malformed" in str(error) or "not a database" in str(error):
            raise Unavailable(
                "数据库文件已损坏，请用 zhixing restore 恢复备份", code="database_corrupt"
            ) from error
        raise


def _cause(error: DatabaseError | InterfaceError) -> str:
    lines = str(error.orig or error).splitlines()
    return lines[0] if lines else type(error).__name__


def _engine(url: str) -> Engine:
    if not url.startswith("sqlite"):
        scheme, _, rest = url.partition("://")
        driver = POSTGRES_DRIVER if scheme in ("postgres", "postgresql") else scheme
        return create_engine(f"{driver}://{rest}", pool_pre_ping=True, pool_size=10, max_overflow=20)
    engine = create_engine(url, connect_args={"check_same_thread": False})

    @event.listens_for(engine, "connect")
    def _pragmas(connection: object, _record: object) -> None:
        cursor = connection.cursor()  # type: ignore[attr-defined]
        for pragma in (
            f"busy_timeout={BUSY_TIMEOUT_MS}",
            "journal_mode=WAL",
            "synchronous=FULL",
            "foreign_keys=ON",
        ):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    return engine
