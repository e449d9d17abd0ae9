"""Whatever escapes the job of a task, the task ends: nobody polls for ever."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from starlette.testclient import TestClient

from ingestion.errors import IndexUnavailable
from service import bootstrap
from service.access import LOCAL
from service.app import create_app
from service.cli.importing import broke_off
from service.config import Settings
from service.errors import Unavailable
from service.home import LOCAL_TOKEN, Home
from service.lanes import BROKE_OFF, Lanes, Stopped, ending


@pytest.fixture(scope="module")
def parts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[bootstrap.Parts]:
    folder = tmp_path_factory.mktemp("ending") / "home"
    with Home(folder) as home:
        built = bootstrap.build(Settings(home=folder, ingest_workers=1, _env_file=None), home)
        yield built
        built.close()


@pytest.fixture
def client(parts: bootstrap.Parts) -> TestClient:
    """Without the application's life cycle, whose end would stop the lanes of the next test."""
    application = create_app(parts, with_console=False)
    headers = {LOCAL_TOKEN: parts.home.token}
    return TestClient(application, base_url="http://127.0.0.1", headers=headers, client=("127.0.0.1", 1))


def raising(error: Exception) -> Callable[..., None]:
    def job(*_arguments: object, **_more: object) -> None:
        raise error

    return job


def ended(client: TestClient, task_id: str) -> Any:
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        task = client.get(f"/api/v1/tasks/{task_id}").json()
        if task["state"] != "running":
            return task
        time.sleep(0.02)
    raise AssertionError("the task never ended")


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (IndexUnavailable("索引打不开"), "索引打不开"),
        (Unavailable("磁盘已满"), "磁盘已满"),
        (ZeroDivisionError("secret detail"), BROKE_OFF),
    ],
)
def test_an_import_that_breaks_off_ends_its_task_with_the_reason(
    parts: bootstrap.Parts,
    client: TestClient,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    error: Exception,
    message: str,
) -> None:
    monkeypatch.setattr(parts.intake, "run", raising(error))
    started = client.post("/api/v1/local/imports", json={"paths": [str(tmp_path)]}).json()
    task = ended(client, started["task_id"])
    assert (task["state"], task["message"], broke_off(task)) == ("failed", message, True)


def test_an_upload_that_breaks_off_ends_its_task(
    parts: bootstrap.Parts, client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parts.intake, "run", raising(Unavailable("磁盘已满")))
    sent = client.post("/api/v1/documents", files={"file": ("雨伞.md", "# 雨伞\n\n雨伞在前台借用。")})
    task = ended(client, sent.json()["task_id"])
    assert (task["state"], task["message"]) == ("failed", "磁盘已满")


def test_a_rebuild_that_breaks_off_ends_its_task(
    parts: bootstrap.Parts, client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parts.library, "rebuild", raising(MemoryError()))
    task = ended(client, client.post("/api/v1/index/rebuild").json()["task_id"])
    assert (task["state"], task["message"]) == ("failed", BROKE_OFF)


def test_a_rebuilt_index_that_could_not_be_optimised_says_both(
    parts: bootstrap.Parts, client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parts.index, "optimise", raising(IndexUnavailable("磁盘已满")))
    task = ended(client, client.post("/api/v1/index/rebuild").json()["task_id"])
    assert (task["state"], task["message"]) == ("done_with_failures", "索引已重建，优化没有完成：磁盘已满")


def test_a_stop_leaves_the_task_for_the_next_start(parts: bootstrap.Parts) -> None:
    task = parts.tasks.create(LOCAL, "ingest", 1)
    lanes, after = Lanes(1, "test"), Event()
    lanes.submit("甲", ending(parts.tasks, task.id, raising(Stopped("intake"))))
    lanes.submit("甲", after.set)
    assert after.wait(30)
    lanes.stop()
    lanes.join()
    assert parts.tasks.get(LOCAL, task.id).state == "running"


def test_a_task_that_ended_stays_as_it_ended(parts: bootstrap.Parts) -> None:
    task = parts.tasks.create(LOCAL, "ingest", 1)
    parts.tasks.finish(task.id, "done", "好")
    ending(parts.tasks, task.id, raising(Unavailable("迟到的错误")))()
    found = parts.tasks.get(LOCAL, task.id)
    assert (found.state, found.message) == ("done", "好")
