"""Tasks and files as people follow them."""

from dataclasses import replace
from threading import Thread
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import event

from service.access import Principal, Role
from service.errors import NotFound
from service.store.database import Database
from service.store.tasks import DONE_WITH_FAILURES, INTERRUPTED, FileRecord, FileStore, TaskStore

ANNA, BEN, ADMIN = Principal("anna"), Principal("ben"), Principal("root", role=Role.ADMIN)
FILE = FileRecord(
    "default", "file:///甲.docx", "甲.docx", "0" * 64, 10, "parsed", document_id="d", revision_id="r"
)


@pytest.fixture
def tasks(database: Database) -> TaskStore:
    return TaskStore(database)


@pytest.fixture
def files(database: Database) -> FileStore:
    return FileStore(database)


def test_counts_of_parallel_workers_add_up(tasks: TaskStore) -> None:
    task = tasks.create(ANNA, "ingest", 40)
    workers = [
        Thread(target=lambda: [tasks.advance(task.id, done=1, failed=n % 2) for n in range(10)])
        for _ in range(4)
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    found = tasks.get(ANNA, task.id)
    assert (found.done, found.failed, found.total) == (40, 20, 40)


def test_a_task_ends_with_its_result(tasks: TaskStore) -> None:
    task = tasks.create(ANNA, "rebuild")
    tasks.progress(task.id, 3, 9)
    assert (tasks.get(ANNA, task.id).done, tasks.get(ANNA, task.id).total) == (3, 9)
    tasks.finish(task.id, DONE_WITH_FAILURES, "两份失败", {"failed": 2})
    found = tasks.get(ANNA, task.id)
    assert (found.state, found.message, found.result) == (DONE_WITH_FAILURES, "两份失败", {"failed": 2})
    assert tasks.interrupt_running() == 0


def test_another_s_task_looks_absent_but_not_to_an_administrator(tasks: TaskStore) -> None:
    task = tasks.create(ANNA, "ingest")
    assert tasks.get(ADMIN, task.id).id == task.id
    with pytest.raises(NotFound) as of_hidden:
        tasks.get(BEN, task.id)
    with pytest.raises(NotFound) as of_absent:
        tasks.get(BEN, "absent")
    assert of_hidden.value.message == of_absent.value.message


def test_tasks_that_a_crash_left_running_are_marked(tasks: TaskStore) -> None:
    task = tasks.create(ANNA, "ingest")
    assert tasks.interrupt_running() == 1
    assert tasks.get(ANNA, task.id).state == INTERRUPTED


def test_a_file_is_known_by_its_source_and_ends_in_one_state(files: FileStore) -> None:
    files.record(FILE)
    files.record(replace(FILE, state="failed", reason="corrupt", document_id=None))
    found = files.find("default", FILE.source_uri)
    assert found is not None
    assert (found.state, found.reason, found.document_id) == ("failed", "corrupt", None)
    assert files.page(ADMIN, states=["failed"])[1] == files.page(ADMIN)[1] == 1
    assert files.find("other", FILE.source_uri) is None


def test_the_same_file_recorded_by_several_workers_is_one_file(files: FileStore) -> None:
    failures: list[Exception] = []

    def record() -> None:
        try:
            files.record(FILE)
        except Exception as error:  # noqa: BLE001 - handed to the test
            failures.append(error)

    workers = [Thread(target=record) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert not failures
    assert files.page(ADMIN)[1] == 1


def test_a_path_longer_than_an_index_entry_is_recorded(files: FileStore) -> None:
    long = replace(FILE, source_uri="file:///" + "%E5%88%B6" * 1_000)
    files.record(long)
    assert files.find("default", long.source_uri) is not None


def test_pages_show_only_what_may_be_read(files: FileStore) -> None:
    for number in range(5):
        state = "failed" if number % 2 else "parsed"
        files.record(replace(FILE, source_uri=f"file:///{number}", file_name=str(number), state=state))
    files.record(replace(FILE, source_uri="file:///密", labels=("group:x",), task_id="t"))
    page, total = files.page(ANNA, number=1, page_size=2)
    assert ([item.file_name for item in page], total) == (["4", "3"], 5)
    assert [item.file_name for item in files.page(ANNA, number=3, page_size=2)[0]] == ["0"]
    assert files.page(ANNA, states=["failed"])[1] == 2
    assert files.page(ANNA, task_id="t") == ([], 0)
    assert files.page(ADMIN, task_id="t")[1] == 1


LABELS = st.sampled_from(
    ["public", "group:x", "user:anna", "user:ben", "department:总部", "department:总部/财务"]
)
PEOPLE = st.sampled_from(
    [ANNA, ADMIN, Principal("ben", department="总部/财务", groups=("x",)), Principal("c")]
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=30, deadline=None)
@given(st.lists(st.sets(LABELS), max_size=8), PEOPLE, st.integers(1, 4))
def test_pages_hold_exactly_what_may_be_read(
    files: FileStore, labels: list[set[str]], person: Principal, page_size: int
) -> None:
    base = str(uuid4())
    for number, one in enumerate(labels):
        record = replace(
            FILE, knowledge_base=base, source_uri=str(number), labels=tuple(sorted(one)), task_id=base
        )
        files.record(replace(record, file_name=str(number), document_id=None))
    readable = [str(n) for n, one in enumerate(labels) if person.may_read(tuple(one))]
    shown, totals = [], set()
    for page in range(1, len(labels) // page_size + 2):
        items, total = files.page(person, task_id=base, number=page, page_size=page_size)
        shown += [item.file_name for item in items]
        totals.add(total)
    assert sorted(shown) == readable
    assert totals == {len(readable)}


def test_a_page_is_cut_by_the_database(files: FileStore, database: Database) -> None:
    for number in range(12):
        files.record(
            replace(FILE, source_uri=str(number), labels=("public",) if number % 2 else ("group:x",))
        )
    for person, total in ((ANNA, 6), (ADMIN, 12)):
        statements: list[str] = []

        def note(_c: object, _u: object, statement: str, *_r: object, into: list[str] = statements) -> None:
            into.append(statement)

        event.listen(database.engine, "before_cursor_execute", note)
        items, found = files.page(person, page_size=5)
        event.remove(database.engine, "before_cursor_execute", note)
        assert (len(items), found) == (5, total)
        reading = [
            statement for statement in statements if "files.id" in statement and "count" not in statement
        ]
        assert all("LIMIT" in statement or "files.id IN" in statement for statement in reading) and reading
