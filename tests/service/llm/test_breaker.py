import pytest

from service.llm.breaker import Circuit, CircuitBreaker
from service.llm.errors import LlmCutOff, LlmInvalidOutput, LlmOpenCircuit, LlmRejected, LlmUnavailable


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def breaker(clock: Clock) -> CircuitBreaker:
    return CircuitBreaker(failures=3, reset_s=30, clock=clock)


def state_of(breaker: CircuitBreaker) -> Circuit:
    return breaker.state


def fail(breaker: CircuitBreaker, error: BaseException, times: int = 1) -> None:
    for _ in range(times):
        with pytest.raises(type(error)), breaker.attempt():
            raise error


def test_opens_after_failures_in_a_row_and_says_for_how_long(breaker: CircuitBreaker, clock: Clock) -> None:
    fail(breaker, LlmUnavailable("down"), times=3)
    clock.now += 10
    with pytest.raises(LlmOpenCircuit) as caught, breaker.attempt():
        pytest.fail("the call went through an open circuit")
    assert (state_of(breaker), caught.value.retry_after) == (Circuit.OPEN, 20)


def test_a_success_between_failures_starts_the_count_again(breaker: CircuitBreaker) -> None:
    fail(breaker, LlmUnavailable("down"), times=2)
    with breaker.attempt():
        pass
    fail(breaker, LlmUnavailable("down"), times=2)
    assert state_of(breaker) is Circuit.CLOSED


def test_after_the_pause_one_probe_goes_through_and_closes_it(breaker: CircuitBreaker, clock: Clock) -> None:
    fail(breaker, LlmUnavailable("down"), times=3)
    clock.now += 30
    assert state_of(breaker) is Circuit.HALF_OPEN
    with breaker.attempt(), pytest.raises(LlmOpenCircuit), breaker.attempt():
        pytest.fail("a second call went through while the probe was running")
    assert state_of(breaker) is Circuit.CLOSED


def test_a_failed_probe_opens_it_for_the_whole_pause_again(breaker: CircuitBreaker, clock: Clock) -> None:
    fail(breaker, LlmUnavailable("down"), times=3)
    clock.now += 31
    fail(breaker, LlmUnavailable("still down"))
    clock.now += 29
    assert state_of(breaker) is Circuit.OPEN


def test_a_cancelled_probe_lets_the_next_call_probe(breaker: CircuitBreaker, clock: Clock) -> None:
    fail(breaker, LlmUnavailable("down"), times=3)
    clock.now += 31
    fail(breaker, KeyboardInterrupt())
    assert state_of(breaker) is Circuit.HALF_OPEN
    with breaker.attempt():
        pass
    assert state_of(breaker) is Circuit.CLOSED


@pytest.mark.parametrize("error", [LlmInvalidOutput("not JSON"), LlmRejected("too long", http_status=400)])
def test_an_endpoint_that_answers_badly_is_alive(breaker: CircuitBreaker, error: Exception) -> None:
    fail(breaker, error, times=5)
    assert state_of(breaker) is Circuit.CLOSED


def test_a_wrong_key_opens_it_since_every_call_would_fail(breaker: CircuitBreaker) -> None:
    fail(breaker, LlmRejected("wrong key", http_status=401), times=3)
    assert state_of(breaker) is Circuit.OPEN


def test_a_dropped_stream_counts_and_one_that_ends_at_a_limit_does_not(breaker: CircuitBreaker) -> None:
    fail(breaker, LlmCutOff("too long", reason="length"), times=5)
    assert state_of(breaker) is Circuit.CLOSED
    fail(breaker, LlmCutOff("gone", reason="connection"), times=3)
    assert state_of(breaker) is Circuit.OPEN
