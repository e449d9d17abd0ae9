import asyncio
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.llm.errors import LlmError, LlmInvalidOutput, LlmRateLimited, LlmTimeout, LlmUnavailable
from service.llm.retry import Backoff, parse_retry_after, retrying


class Attempts:
    """Fails with each error in turn, then succeeds; remembers the waits between."""

    def __init__(self, *errors: LlmError) -> None:
        self.errors = list(errors)
        self.calls = 0
        self.waits: list[float] = []

    async def __call__(self) -> str:
        self.calls += 1
        if self.errors:
            raise self.errors.pop(0)
        return "done"

    async def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)

    def run(self, retries: int = 2, limit_s: float = 8.0, time_left: float = 60.0) -> str:
        async def body() -> str:
            backoff = Backoff(retries, 0.5, limit_s, sleep=self.sleep, spread=lambda: 1.0)
            return await retrying(self, backoff, asyncio.get_running_loop().time() + time_left)

        return asyncio.run(body())


def test_waits_double_between_tries() -> None:
    attempts = Attempts(*[LlmUnavailable("down")] * 3)
    assert attempts.run(retries=3) == "done"
    assert attempts.waits == [0.5, 1.0, 2.0]


def test_gives_up_after_the_last_retry_with_the_last_error() -> None:
    last = LlmUnavailable("third")
    attempts = Attempts(LlmUnavailable("first"), LlmUnavailable("second"), last)
    with pytest.raises(LlmUnavailable) as caught:
        attempts.run(retries=2)
    assert caught.value is last
    assert attempts.calls == 3


@pytest.mark.parametrize("error", [LlmTimeout("slow"), LlmInvalidOutput("no JSON")])
def test_final_errors_are_not_retried(error: LlmError) -> None:
    attempts = Attempts(error)
    with pytest.raises(type(error)):
        attempts.run()
    assert attempts.calls == 1


def test_retry_after_is_waited_exactly() -> None:
    attempts = Attempts(LlmRateLimited("429", retry_after=3.0))
    assert attempts.run() == "done"
    assert attempts.waits == [3.0]


def test_retry_after_beyond_the_limit_is_told_and_not_waited() -> None:
    attempts = Attempts(LlmRateLimited("429", retry_after=3600.0))
    with pytest.raises(LlmRateLimited) as caught:
        attempts.run()
    assert (attempts.calls, caught.value.retry_after) == (1, 3600.0)


def test_no_try_is_begun_that_would_start_after_the_deadline() -> None:
    attempts = Attempts(LlmRateLimited("429", retry_after=5.0))
    with pytest.raises(LlmRateLimited):
        attempts.run(time_left=4.0)
    assert attempts.waits == []


@given(st.integers(0, 10_000), st.floats(0, 1), st.floats(0.001, 10), st.floats(0.001, 60))
def test_every_wait_is_positive_and_bounded(tried: int, spread: float, base: float, limit: float) -> None:
    wait = Backoff(3, base, limit, spread=lambda: spread).wait(tried, None)
    assert wait is not None
    assert 0 < wait <= limit


def test_clients_that_failed_together_part() -> None:
    numbers = random.Random(7)
    waits = {Backoff(3, 1, 8, spread=numbers.random).wait(1, None) for _ in range(20)}
    assert len(waits) == 20


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("3", 3.0),
        ("0.5", 0.5),
        ("-1", 0.0),
        ("Thu, 01 Jan 1970 00:01:00 GMT", 50.0),
        ("Thu, 01 Jan 1970 00:00:01 GMT", 0.0),
        ("soon", None),
        ("inf", None),
        ("nan", None),
        ("", None),
        (None, None),
    ],
)
def test_retry_after_header_forms(value: str | None, seconds: float | None) -> None:
    assert parse_retry_after(value, now=10.0) == seconds
