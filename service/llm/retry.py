"""Bounded retry with exponential backoff and full jitter; a server's Retry-After goes first."""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import TypeVar

from service.llm.errors import LlmError, LlmUnavailable

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Backoff:
    """`retries` further tries. The n-th waits up to `base_s * 2**n`, never more than `limit_s` (seconds).

    The wait is uniform between half of that and all of it: enough spread to part clients that failed
    together, never a retry at once. `sleep` and `spread` (0..1) are there for tests.
    """

    retries: int
    base_s: float
    limit_s: float
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    spread: Callable[[], float] = random.random

    def wait(self, tried: int, retry_after: float | None) -> float | None:
        """Seconds before the next try; None when the server asks for more than `limit_s`."""
        if retry_after is not None:
            return retry_after if retry_after <= self.limit_s else None
        whole = min(self.base_s * 2.0 ** min(tried, 32), self.limit_s)
        return whole * (0.5 + 0.5 * self.spread())


async def retrying(
    attempt: Callable[[], Awaitable[Result]],
    backoff: Backoff,
    deadline: float,
    on_retry: Callable[[], None] = lambda: None,
) -> Result:
    """The first result of `attempt`, or its LlmError when that is final, the last, or too near `deadline`.

    `deadline` is a time of the running loop's clock.
    """
    for tried in range(backoff.retries):
        try:
            return await attempt()
        except LlmError as error:
            if not error.retryable:
                raise
            asked = error.retry_after if isinstance(error, LlmUnavailable) else None
            wait = backoff.wait(tried, asked)
            if wait is None or asyncio.get_running_loop().time() + wait >= deadline:
                raise
        on_retry()
        await backoff.sleep(wait)
    return await attempt()


def parse_retry_after(value: str | None, now: float | None = None) -> float | None:
    """Seconds from a Retry-After header, a number or an HTTP date; None when absent or unreadable."""
    if not value:
        return None
    try:
        seconds = float(value)
    except ValueError:
        try:
            seconds = parsedate_to_datetime(value).timestamp() - (time.time() if now is None else now)
        except ValueError:
            return None
    return max(0.0, seconds) if seconds < float("inf") else None
