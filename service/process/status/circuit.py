"""After enough failures in a row the approval system is left alone for a while: nobody waits for nothing."""

import threading
import time
from collections.abc import Callable

from service.process.status.errors import StatusUnavailable


class Circuit:
    """`failures` in a row open it for `reset_s` seconds; then one call at a time probes. Thread-safe.

    `clock` gives seconds and never goes back.
    """

    def __init__(self, failures: int, reset_s: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._limit = failures
        self._reset_s = reset_s
        self._clock = clock
        self._lock = threading.Lock()
        self._failures = 0
        self._closed_again_at = 0.0

    def enter(self) -> None:
        """Raises StatusUnavailable while it is open."""
        with self._lock:
            if self._failures < self._limit:
                return
            wait = self._closed_again_at - self._clock()
            if wait > 0:
                raise StatusUnavailable("审批系统连续没有应答，暂停查询，请稍后再试", wait)
            self._closed_again_at = self._clock() + self._reset_s  # this call probes, the others still fail

    def succeeded(self) -> None:
        with self._lock:
            self._failures = 0

    def failed(self) -> None:
        with self._lock:
            self._failures += 1
            self._closed_again_at = self._clock() + self._reset_s
