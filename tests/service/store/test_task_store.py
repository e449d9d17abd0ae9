"""Tasks and files as people follow them."""

from dataclasses import replace
from threading import Thread

import pytest

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
    assert files.states() == {"failed": 1}
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
    assert files.states() == {"parsed": 1}


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
