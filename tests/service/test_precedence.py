"""What writes waits for what answers, and never for long."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread
from time import perf_counter

import pytest

from service import precedence
from service.precedence import Precedence


@contextmanager
def giving_way(to: Precedence) -> Iterator[Event]:
    """A thread that gives way; the event says that it went on."""
    passed = Event()

    def wait() -> None:
        to.give_way()
        passed.set()

    thread = Thread(target=wait)
    thread.start()
    yield passed
    thread.join(10)
    assert not thread.is_alive()


def test_nobody_waits_while_nothing_is_answered() -> None:
    with giving_way(Precedence()) as passed:
        assert passed.wait(5)


def test_a_writer_goes_on_when_the_last_answer_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(precedence, "LONGEST_S", 60.0)
    shared = Precedence()
    first, second = shared.answering(), shared.answering()
    first.__enter__()
    second.__enter__()
    with giving_way(shared) as passed:
        first.__exit__(None, None, None)
        assert not passed.wait(0.05)
        second.__exit__(None, None, None)
        assert passed.wait(5)


def test_a_ceaseless_stream_of_questions_does_not_stop_a_writer() -> None:
    shared = Precedence()
    started = perf_counter()
    with shared.answering(), giving_way(shared) as passed:
        assert passed.wait(5)
        assert perf_counter() - started >= precedence.LONGEST_S


def test_an_answer_that_fails_keeps_nobody_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(precedence, "LONGEST_S", 60.0)
    shared = Precedence()
    with pytest.raises(LookupError), shared.answering():
        raise LookupError
    with giving_way(shared) as passed:
        assert passed.wait(5)
