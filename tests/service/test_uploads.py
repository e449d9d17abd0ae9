"""Uploads: what was acknowledged ends in the library, whatever becomes of the process."""

import io
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from service import bootstrap
from service.access import LOCAL
from service.config import Settings
from service.errors import TooLarge, Unavailable
from service.home import Home
from service.inbox import Inbox
from service.incoming import Incoming
from service.lanes import Lanes, Stopped
from service.store.tasks import FileRecord
from service.uploads import MOST_ATTEMPTS, Uploads

RULE = "# {0}\n\n第一条 {0}由行政部负责解释，每年修订一次。\n"


@pytest.fixture(scope="module")
def parts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[bootstrap.Parts]:
    folder = tmp_path_factory.mktemp("uploads") / "home"
    settings = Settings(home=folder, ingest_workers=1, _env_file=None)
    with Home(folder) as home:
        built = bootstrap.build(settings, home)
        yield built
        built.close()


@pytest.fixture
def life(parts: bootstrap.Parts, tmp_path: Path) -> Iterator["Life"]:
    lives: list[Life] = [Life(parts, tmp_path / "inbox")]
    yield lives[0]
    lives[0].end()


class Life:
    """Uploads from one start of the process to its end, on an inbox that outlives it."""

    def __init__(self, parts: bootstrap.Parts, folder: Path, *, begins_nothing: bool = False) -> None:
        self._parts = parts
        self.inbox = Inbox(folder)
        self._lanes = Lanes(2, "test")
        if begins_nothing:
            self._lanes.stop()
        self.uploads = Uploads(self.inbox, self._lanes, parts.intake, parts.tasks, parts.files, 1)

    def accept(self, name: str, text: str, **more: str) -> str:
        incoming = replace(incoming_of(name), **more)  # type: ignore[arg-type]
        return self.uploads.accept(LOCAL, incoming, io.BytesIO(text.encode())).task_id

    def state(self, task_id: str) -> str:
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            found = self._parts.tasks.get(LOCAL, task_id).state
            if found != "running":
                return found
            time.sleep(0.02)
        raise AssertionError("the task did not finish")

    def record(self, task_id: str) -> FileRecord:
        ((record,), _total) = self._parts.files.page(LOCAL, task_id=task_id)
        return record

    def end(self) -> None:
        self._lanes.stop()
        self._lanes.join()


def incoming_of(name: str) -> Incoming:
    return Incoming(f"upload:local/{name}", name, owner="行政部")


def killed_after(parts: bootstrap.Parts, folder: Path, names: Sequence[str]) -> list[str]:
    """The tasks of files that were acknowledged right before the process ended."""
    life = Life(parts, folder, begins_nothing=True)
    tasks = [life.accept(name, RULE.format(name), password="9f3a-secret") for name in names]
    parts.tasks.interrupt_running()
    return tasks


def test_what_was_acknowledged_before_a_crash_is_taken_in_after_it(
    parts: bootstrap.Parts, life: Life, tmp_path: Path
) -> None:
    names = ["消防.md", "门禁.md", "班车.md"]
    tasks = killed_after(parts, tmp_path / "inbox", names)
    assert [life.state(task) for task in tasks] == ["interrupted"] * 3
    kept = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert b"9f3a-secret" not in kept
    assert life.uploads.resume() == 3
    assert [life.state(task) for task in tasks] == ["done"] * 3
    assert [life.record(task).file_name for task in tasks] == names
    life.end()
    assert life.inbox.waiting() == []


def test_a_file_that_ends_the_process_each_time_is_given_up(
    parts: bootstrap.Parts, life: Life, tmp_path: Path
) -> None:
    (task,) = killed_after(parts, tmp_path / "inbox", ["炸弹.md"])
    for _ in range(MOST_ATTEMPTS):
        life.inbox.begin(task)
    life.uploads.resume()
    assert life.state(task) == "failed"
    assert (life.record(task).state, "放弃" in life.record(task).message) == ("failed", True)
    life.end()
    assert life.inbox.waiting() == []


def test_an_orderly_end_is_no_failed_attempt(
    parts: bootstrap.Parts, life: Life, monkeypatch: pytest.MonkeyPatch
) -> None:
    def give_up(*_arguments: object, **_more: object) -> None:
        raise Stopped("intake")

    monkeypatch.setattr(parts.intake, "run", give_up)
    task = life.accept("停电.md", "停电")
    life.end()
    assert (life.state(task) if parts.tasks.interrupt_running() else "") == "interrupted"
    assert ([item.task_id for item in life.inbox.waiting()], life.inbox.begin(task)) == ([task], 1)


def test_uploads_of_one_name_become_revisions_in_the_order_they_came(
    parts: bootstrap.Parts, life: Life
) -> None:
    texts = [RULE.format("停车规定") + f"\n第二条 编号为{n}。\n" * (1 + 40 * (n % 2)) for n in range(4)]
    tasks = [life.accept("停车.md", text) for text in texts]
    assert [life.state(task) for task in tasks] == ["done"] * 4
    document = parts.documents.get(LOCAL, str(life.record(tasks[-1]).document_id))
    states = {item.revision.status.value: item.revision.id for item in document.revisions}
    assert len(document.revisions) == 4
    assert "编号为3" in parts.documents.content(LOCAL, document.document.id, states["active"]).text


def test_a_crash_in_the_service_is_recorded_and_costs_the_next_attempt_nothing(
    parts: bootstrap.Parts, life: Life, monkeypatch: pytest.MonkeyPatch
) -> None:
    def crash(*_arguments: object) -> None:
        raise LookupError("a fault of ours")

    with monkeypatch.context() as patched:
        patched.setattr(parts.library, "publish", crash)
        failed = life.accept("绿化.md", RULE.format("绿化"))
        assert life.state(failed) == "done_with_failures"
    assert (life.record(failed).state, "内部出错" in life.record(failed).message) == ("failed", True)
    assert life.state(life.accept("绿化.md", RULE.format("绿化"))) == "done"


def test_a_deleted_document_comes_back_with_its_file(parts: bootstrap.Parts, life: Life) -> None:
    """Also when the file's record outlived it, as after a deletion in the middle of an upload."""
    text = RULE.format("食堂")
    task = life.accept("食堂.md", text)
    assert life.state(task) == "done"
    record = life.record(task)
    parts.library.delete_document(LOCAL, str(record.document_id))
    parts.files.record(record)
    again = life.accept("食堂.md", text)
    assert life.state(again) == "done"
    assert parts.documents.get(LOCAL, str(life.record(again).document_id)).document.title == "食堂"


def test_what_is_too_large_or_cannot_be_kept_is_refused_and_leaves_nothing(tmp_path: Path) -> None:
    inbox = Inbox(tmp_path / "inbox")
    with pytest.raises(TooLarge, match="1 MB"):
        inbox.put("t", LOCAL, incoming_of("甲.md"), io.BytesIO(b"x" * (1024 * 1024 + 1)), 1)
    assert list((tmp_path / "inbox").iterdir()) == []
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(Unavailable, match="无法保存"):
        Inbox(tmp_path / "file").put("t", LOCAL, incoming_of("甲.md"), io.BytesIO(b"x"), 1)


def test_what_cannot_be_taken_up_is_put_aside_and_holds_up_nothing(
    parts: bootstrap.Parts, life: Life, tmp_path: Path
) -> None:
    broken, emptied, whole = killed_after(parts, tmp_path / "inbox", ["坏.md", "空.md", "好.md"])
    (tmp_path / "inbox" / broken / "entry.json").write_text('{"version": 9}')
    (tmp_path / "inbox" / emptied / "file").unlink()
    (tmp_path / "inbox" / ".DS_Store").write_bytes(b"x")
    assert life.uploads.resume() == 1
    assert [life.state(task) for task in (broken, emptied, whole)] == ["failed", "failed", "done"]
    assert "重新上传" in parts.tasks.get(LOCAL, broken).message
    life.end()
    left = {path.name for path in (tmp_path / "inbox").iterdir()}
    assert left == {".DS_Store", f"{broken}.unreadable", f"{emptied}.unreadable"}
    assert life.uploads.resume() == 0


def test_a_half_written_upload_is_cleared_away(tmp_path: Path) -> None:
    inbox = Inbox(tmp_path / "inbox")
    inbox.put("whole", LOCAL, incoming_of("甲.md"), io.BytesIO("甲".encode()), 1)
    (tmp_path / "inbox" / "half.part").mkdir()
    (tmp_path / "inbox" / "half.part" / "file").write_bytes(b"x")
    moved = (tmp_path / "inbox").rename(tmp_path / "moved")
    (waiting,) = Inbox(moved).waiting()
    assert (waiting.task_id, waiting.principal, waiting.incoming.read().decode()) == ("whole", LOCAL, "甲")
    assert [path.name for path in moved.iterdir()] == ["whole"]
