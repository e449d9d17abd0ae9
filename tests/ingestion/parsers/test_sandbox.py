"""Work that hangs, dies, eats memory or raises oddly, in a real child process."""

import os
import signal
import time
from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing import Process
from pathlib import Path

import pytest

from ingestion.documents import FailureReason, FileState
from ingestion.errors import ParseFailure
from ingestion.parsers.sandbox import Limits, Sandbox


class StubbornError(Exception):
    """Cannot be made again from its arguments, as many a library's errors."""

    def __init__(self, code: int, text: str) -> None:
        super().__init__(f"{code}: {text}")


def work(request: str) -> str:
    """What runs in the child: the request names the misbehaviour."""
    match request.partition(" "):
        case "pid", _, _:
            return str(os.getpid())
        case "threads", _, _:
            return os.environ["OMP_NUM_THREADS"]
        case "nap", _, seconds:
            time.sleep(float(seconds))
        case "hang", _, _:
            time.sleep(60)
        case "die", _, _:
            os.kill(os.getpid(), signal.SIGKILL)
        case "eat", _, _:
            return str(len(bytearray(4 << 30)))
        case "fail", _, message:
            raise ParseFailure(FailureReason.ENCRYPTED, message, FileState.NEEDS_PASSWORD)
        case "stubborn", _, _:
            raise StubbornError(7, "boom")
        case "spin", _, path:
            Path(path).write_text(str(os.getpid()))
            while True:
                pass
    return request.upper()


@dataclass(frozen=True)
class BrokenOnArrival:
    def __setstate__(self, _state: object) -> None:
        raise ImportError("a part is missing")

    def __getstate__(self) -> object:
        return (1,)

    def __call__(self, request: str) -> str:
        return request


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox[str, str]]:
    opened = Sandbox(work, Limits(seconds=5, memory_mb=1024))
    yield opened
    opened.close()


def test_one_worker_serves_many_requests(sandbox: Sandbox[str, str]) -> None:
    assert sandbox.run("abc") == "ABC"
    assert sandbox.run("pid") == sandbox.run("pid") == str(sandbox.pid) != str(os.getpid())
    assert sandbox.run("threads") == "1"


def test_a_failure_of_the_work_comes_through_whole_and_costs_no_worker(sandbox: Sandbox[str, str]) -> None:
    worker = sandbox.run("pid")
    with pytest.raises(ParseFailure, match="需要密码") as raised:
        sandbox.run("fail 需要密码")
    assert raised.value.reason is FailureReason.ENCRYPTED
    assert raised.value.state is FileState.NEEDS_PASSWORD
    assert sandbox.run("pid") == worker


def test_an_error_that_cannot_travel_is_told_in_words(sandbox: Sandbox[str, str]) -> None:
    with pytest.raises(RuntimeError, match="StubbornError: 7: boom"):
        sandbox.run("stubborn")
    assert sandbox.run("abc") == "ABC"


@pytest.mark.parametrize(
    ("request_text", "reason"), [("die", FailureReason.CORRUPT), ("eat", FailureReason.TOO_LARGE)]
)
def test_a_lost_worker_is_replaced(
    sandbox: Sandbox[str, str], request_text: str, reason: FailureReason
) -> None:
    worker = sandbox.run("pid")
    with pytest.raises(ParseFailure) as raised:
        sandbox.run(request_text)
    assert raised.value.reason is reason
    assert sandbox.run("pid") != worker


def test_a_request_may_have_a_time_limit_of_its_own() -> None:
    box = Sandbox(work, Limits(seconds=0.5))
    try:
        assert box.run("nap 1", seconds=30) == "NAP 1"
        with pytest.raises(ParseFailure, match="超过 0.5 秒"):
            box.run("nap 30")
        with pytest.raises(ParseFailure, match="超过 0.2 秒"):
            box.run("nap 30", seconds=0.2)
    finally:
        box.close()


def test_work_that_hangs_is_ended_in_time() -> None:
    sandbox = Sandbox(work, Limits(seconds=0.3))
    sandbox.run("abc")
    started = time.monotonic()
    with pytest.raises(ParseFailure) as raised:
        sandbox.run("hang")
    assert raised.value.reason is FailureReason.TIMEOUT
    assert time.monotonic() - started < 5
    assert sandbox.pid is None
    sandbox.close()


def test_a_worker_that_cannot_start_is_a_failure_with_a_reason(capfd: pytest.CaptureFixture[str]) -> None:
    sandbox = Sandbox(BrokenOnArrival())
    with pytest.raises(ParseFailure, match="没有按时启动"):
        sandbox.run("abc")
    assert "a part is missing" in capfd.readouterr().err
    sandbox.close()


def test_a_runaway_worker_ends_by_itself_when_its_parent_was_killed(tmp_path: Path) -> None:
    note = tmp_path / "pid"
    parent = Process(target=_orphan, args=(str(note),))
    parent.start()
    deadline = time.monotonic() + 30
    while not (note.exists() and note.read_text()) and time.monotonic() < deadline:
        time.sleep(0.05)
    worker = int(note.read_text())
    assert parent.pid is not None
    os.kill(parent.pid, signal.SIGKILL)
    parent.join()
    try:
        assert _cpu_limit(worker) < 60
    finally:
        os.kill(worker, signal.SIGKILL)


def _orphan(path: str) -> None:
    Sandbox(work, Limits(seconds=5)).run(f"spin {path}")


def _cpu_limit(pid: int) -> int:
    lines = Path(f"/proc/{pid}/limits").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("Max cpu time")).split()[3])
