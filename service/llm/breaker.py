"""A circuit breaker: after enough failures in a row, calls fail at once until one probe has succeeded.

    closed ──failures in a row──▶ open ──after reset_s──▶ half-open ──probe succeeds──▶ closed
                                   ▲                          └────probe fails────▶ open

Half-open lets one call through at a time; the others still fail at once.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum

from service.llm.errors import LlmCutOff, LlmError, LlmOpenCircuit, LlmRejected, LlmUnavailable


class Circuit(StrEnum):
    CLOSED = "closed"
    OPEN = "open"
    HALF_OPEN = "half_open"


class CircuitBreaker:
    """Guards one model. Safe to share between threads; `clock` gives seconds and never goes back."""

    def __init__(self, failures: int, reset_s: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._limit = failures
        self._reset_s = reset_s
        self._clock = clock
        self._lock = threading.Lock()
        self._failures = 0
        self._opened_at: float | None = None
        self._probing = False

    @property
    def state(self) -> Circuit:
        if self._opened_at is None:
            return Circuit.CLOSED
        return Circuit.OPEN if self._remaining() > 0 else Circuit.HALF_OPEN

    @contextmanager
    def attempt(self) -> Iterator[None]:
        """Run one call inside, of a stream all of it: its outcome is recorded once, when it is over.

        Raises LlmOpenCircuit instead of letting the call through.

        Only the endpoint's own failures count. An answer of the wrong form shows that it is alive, and a call
        cancelled by its user shows nothing.
        """
        probing = self._enter()
        try:
            yield
        except LlmError as error:
            if _of_the_endpoint(error):
                self._failed()
            else:
                self._succeeded()
            raise
        except BaseException:
            if probing:
                self._probing = False
            raise
        self._succeeded()

    def _enter(self) -> bool:
        with self._lock:
            state = self.state
            if state is Circuit.OPEN or (state is Circuit.HALF_OPEN and self._probing):
                raise LlmOpenCircuit("大模型服务连续失败，暂停调用", retry_after=max(self._remaining(), 0.0))
            self._probing = state is Circuit.HALF_OPEN
            return self._probing

    def _succeeded(self) -> None:
        with self._lock:
            self._failures = 0
            self._opened_at = None
            self._probing = False

    def _failed(self) -> None:
        with self._lock:
            self._failures += 1
            self._probing = False
            if self._opened_at is not None or self._failures >= self._limit:
                self._opened_at = self._clock()

    def _remaining(self) -> float:
        opened = self._clock() if self._opened_at is None else self._opened_at
        return opened + self._reset_s - self._clock()


def _of_the_endpoint(error: LlmError) -> bool:
    """Whether the endpoint itself failed: it is down, it dropped a stream, or it would refuse every call."""
    if isinstance(error, LlmRejected):
        return error.misconfigured
    if isinstance(error, LlmCutOff):
        return error.reason == "connection"
    return isinstance(error, LlmUnavailable)
