"""The migrations make exactly what the models say, on every database."""

from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import text

from service.errors import Unavailable
from service.store.database import Database
from service.store.models import Base, DocumentRow, RevisionRow


def differences(database: Database) -> list[object]:
    with database.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        return list(compare_metadata(context, Base.metadata))


def test_models_and_migrations_agree(database: Database) -> None:
    assert differences(database) == []


def test_the_schema_can_be_taken_back_and_made_again(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path / 'new.db'}")
    database.migrate()
    command.downgrade(database.alembic_config(), "base")
    assert differences(database) != []
    database.migrate()
    assert differences(database) == []
    database.close()


def test_to_take_the_meetings_back_deletes_no_revision_of_a_document(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path / 'new.db'}")
    database.migrate()
    facts = dict.fromkeys(("source_uri", "title", "title_key", "knowledge_base", "media_type"), "x")
    with database.session() as session:
        session.add(DocumentRow(id="d", **facts, labels=["public"]))
        session.flush()
        facts = dict.fromkeys(("content_sha256", "file_name", "stated_status", "status", "phase"), "x")
        session.add(RevisionRow(id="r", document_id="d", **facts, size=1, keyword_stats=b""))
    command.downgrade(database.alembic_config(), "0007")
    database.migrate()
    with database.engine.connect() as connection:
        assert connection.scalar(text("SELECT id FROM revisions")) == "r"
        assert connection.scalar(text("PRAGMA foreign_keys")) == 1
    database.close()


def test_a_database_of_a_newer_version_is_refused_with_the_way_out(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path / 'new.db'}")
    database.migrate()
    with database.engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(Unavailable, match="升级程序") as raised:
        database.migrate()
    assert raised.value.code == "database_newer"
    database.close()


def test_the_folder_of_the_database_may_have_odd_characters(tmp_path: Path) -> None:
    folder = tmp_path / "数据 100% #1"
    folder.mkdir()
    database = Database(f"sqlite:///{folder / 'new.db'}")
    database.migrate()
    assert (folder / "new.db").is_file()
    database.close()
