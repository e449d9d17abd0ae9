"""Lanes: jobs of one key in order and one at a time, others beside them, none after a stop."""

from collections.abc import Iterator
from threading import Event, Lock

import pytest
from structlog.testing import capture_logs

from service.lanes import Lanes, Stopped

SECONDS = 10


@pytest.fixture
def lanes() -> Iterator[Lanes]:
    opened = Lanes(3, "test")
    yield opened
    opened.stop()
    opened.join()


def test_jobs_of_one_key_run_in_the_order_they_came_and_one_at_a_time(lanes: Lanes) -> None:
    seen: list[int] = []
    busy, done = Lock(), Event()

    def job(number: int) -> None:
        assert busy.acquire(blocking=False), "two jobs of one key at once"
        seen.append(number)
        busy.release()
        if number == 99:
            done.set()

    for number in range(100):
        lanes.submit("甲", lambda number=number: job(number))  # type: ignore[misc]
    assert done.wait(SECONDS)
    assert seen == list(range(100))


def test_another_key_does_not_wait(lanes: Lanes) -> None:
    held, other, after = Event(), Event(), Event()
    lanes.submit("甲", lambda: held.wait(SECONDS))
    lanes.submit("甲", after.set)
    lanes.submit("乙", other.set)
    assert other.wait(SECONDS)
    assert not after.is_set()
    held.set()
    assert after.wait(SECONDS)


def test_a_job_that_fails_is_logged_and_the_next_runs(lanes: Lanes) -> None:
    after = Event()

    def fail() -> None:
        raise ZeroDivisionError

    def give_up() -> None:
        raise Stopped("test")

    with capture_logs() as lines:
        for job in (fail, give_up, after.set):
            lanes.submit("甲", job)
        assert after.wait(SECONDS)
    assert [line["event"] for line in lines] == ["job.crashed", "job.stopped"]


def test_after_a_stop_nothing_begins_and_what_runs_is_waited_for() -> None:
    lanes = Lanes(1, "test")
    running, let_go, ended, late = Event(), Event(), Event(), Event()

    def job() -> None:
        running.set()
        let_go.wait(SECONDS)
        ended.set()

    lanes.submit("甲", job)
    lanes.submit("甲", late.set)
    lanes.submit("乙", late.set)
    assert running.wait(SECONDS)
    lanes.stop()
    lanes.submit("丙", late.set)
    let_go.set()
    lanes.join()
    assert ended.is_set() and not late.is_set()
