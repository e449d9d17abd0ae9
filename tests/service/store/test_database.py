"""Sessions, their errors, and two writers at once."""

import sqlite3
from pathlib import Path
from threading import Event, Thread

import pytest
from sqlalchemy import select, text
from sqlalchemy.exc import IntegrityError

from service.access import LOCAL
from service.errors import Unavailable
from service.store import database as module
from service.store.catalogue import change_state, read_state
from service.store.database import Database
from service.store.models import StateRow
from tests.service.store.library_parts import LibraryParts, Paper


def test_an_error_rolls_the_whole_session_back(database: Database) -> None:
    with pytest.raises(ZeroDivisionError), database.session() as session:
        change_state(session, "counter", 5)
        raise ZeroDivisionError
    with database.session() as session:
        assert read_state(session, "counter") == 0


def test_threads_that_count_lose_nothing(database: Database) -> None:
    failures: list[Exception] = []

    def count() -> None:
        try:
            for _ in range(20):
                with database.session() as session:
                    change_state(session, "counter", 1)
        except Exception as error:  # noqa: BLE001 - handed to the test
            failures.append(error)

    threads = [Thread(target=count) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
    with database.session() as session:
        assert read_state(session, "counter") == 80


def test_a_consistent_session_sees_one_moment(database: Database) -> None:
    with database.consistent() as session:
        before = read_state(session, "counter")
        with database.session() as other:
            change_state(other, "counter", 1)
        assert read_state(session, "counter") == before
    with database.session() as session:
        assert read_state(session, "counter") == before + 1


def test_one_writer_waits_for_the_other(database: Database) -> None:
    """Two `Database` objects stand for two replicas where the database is PostgreSQL."""
    sqlite = database.engine.dialect.name == "sqlite"
    other = database if sqlite else Database(database.url)
    entered, steps = Event(), []

    def second() -> None:
        entered.set()
        with other.writing():
            steps.append("second")

    with database.writing():
        thread = Thread(target=second)
        thread.start()
        entered.wait(10)
        thread.join(0.2)
        steps.append("first")
    thread.join(10)
    assert steps == ["first", "second"]
    if not sqlite:
        other.close()


def test_the_writers_lock_is_free_again_after_an_error(database: Database) -> None:
    with pytest.raises(ZeroDivisionError), database.writing():
        raise ZeroDivisionError
    with database.writing():
        pass


def test_a_broken_rule_of_the_schema_is_not_called_an_outage(database: Database) -> None:
    with pytest.raises(IntegrityError), database.session() as session:
        session.add_all([StateRow(key="twice", value=1), StateRow(key="twice", value=2)])


def test_text_that_no_database_takes_is_stored_with_its_length_kept(parts: LibraryParts) -> None:
    paper = Paper(text="住宿\x00标准 三百")
    parts.publish(paper)
    (chunk,) = parts.documents.chunks(LOCAL, list(paper.chunk_ids)).values()
    assert chunk.text == "住宿\ufffd标准 三百"
    assert len(chunk.text) == chunk.char_end - chunk.char_start


def test_a_busy_database_is_waited_for(parts: LibraryParts) -> None:
    if parts.url:
        pytest.skip("SQLite's lock")
    blocker = sqlite3.connect(parts.folder / "zhixing.db", isolation_level=None, check_same_thread=False)
    blocker.execute("BEGIN IMMEDIATE")
    writer = Thread(target=parts.publish, args=(Paper(),))
    writer.start()
    writer.join(0.3)
    assert writer.is_alive()
    blocker.execute("COMMIT")
    blocker.close()
    writer.join(20)
    assert parts.answering() == {Paper().id}


def test_a_database_that_stays_busy_is_unavailable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "BUSY_TIMEOUT_MS", 50)
    database = Database(f"sqlite:///{tmp_path / 'zhixing.db'}")
    database.migrate()
    blocker = sqlite3.connect(tmp_path / "zhixing.db", isolation_level=None)
    blocker.execute("BEGIN IMMEDIATE")
    with pytest.raises(Unavailable) as raised, database.session() as session:
        change_state(session, "counter", 1)
    assert raised.value.code == "database_unavailable"
    blocker.close()
    database.close()


def test_a_damaged_file_is_told_apart_from_an_outage(tmp_path: Path) -> None:
    (tmp_path / "zhixing.db").write_bytes(b"not a database at all" * 500)
    database = Database(f"sqlite:///{tmp_path / 'zhixing.db'}")
    with pytest.raises(Unavailable) as raised, database.session() as session:
        session.scalar(select(StateRow.value))
    assert raised.value.code == "database_corrupt"
    with pytest.raises(Unavailable):
        database.migrate()
    database.close()


def test_a_server_that_is_not_there_is_unavailable() -> None:
    pytest.importorskip("psycopg")
    database = Database("postgresql://nobody@127.0.0.1:9/none?connect_timeout=2")
    assert database.engine.dialect.driver == "psycopg"
    with pytest.raises(Unavailable), database.session() as session:
        session.execute(text("SELECT 1"))
    with pytest.raises(Unavailable):
        database.migrate()
    database.close()
