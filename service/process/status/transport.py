"""One JSON request to the approval system: bounded in time, size and tries, and never led to another host."""

import json
import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import cast

import httpx
from pydantic import JsonValue

from service import logs
from service.process.status.circuit import Circuit
from service.process.status.errors import StatusUnavailable, StatusUnreadable
from service.storable import storable_json

log = logs.get(__name__)

BASE_WAIT_S = 0.2  # before the first further try; doubled each time
BUSY_S = 30.0  # told to the user when a busy system does not say how long
_BUSY = 429


@dataclass(frozen=True, slots=True)
class Call:
    """A request with everything filled in. It may hold secrets: it is never logged or shown."""

    method: str
    url: str
    headers: Mapping[str, str]
    query: Mapping[str, str]
    body: JsonValue


@dataclass(frozen=True, slots=True)
class Answer:
    """`refused`: the status is 4xx; `body` is None then when it is no JSON."""

    http_status: int
    body: JsonValue

    @property
    def refused(self) -> bool:
        return self.http_status >= 400


class _Passing(Exception):
    """A failure that may be over in a moment; `retry_after` seconds when the system says so."""

    def __init__(self, reason: str, retry_after: float | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.retry_after = retry_after


class Transport:
    """A connection pool with its limits. Safe to share between threads."""

    def __init__(
        self,
        name: str,
        *,
        timeout_s: float,
        retries: int,
        max_bytes: int,
        circuit: Circuit,
        direct: bool = False,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """`direct`: past the proxies of the environment."""
        self._name = name
        self._timeout_s = timeout_s
        self._retries = retries
        self._max_bytes = max_bytes
        self._circuit = circuit
        self._sleep = sleep
        self._client = httpx.Client(timeout=timeout_s, follow_redirects=False, trust_env=not direct)

    def fetch(self, call: Call, deadline: float) -> Answer:
        """`deadline` is a time of `time.monotonic`.

        Raises StatusUnavailable when it is down, slow or busy, StatusUnreadable when what it says is no JSON.
        """
        for tried in range(self._retries + 1):
            self._circuit.enter()
            try:
                answer = self._once(call, deadline)
            except _Passing as failure:
                self._circuit.failed()
                wait = self._wait(tried, failure.retry_after)
                log.warning("status.failed", system=self._name, reason=failure.reason, tried=tried + 1)
                if tried == self._retries or time.monotonic() + wait >= deadline:
                    raise self._given_up(failure) from failure
                self._sleep(wait)
            else:
                self._circuit.succeeded()
                return answer
        raise AssertionError("the last try returns or raises")

    def close(self) -> None:
        self._client.close()

    def _once(self, call: Call, deadline: float) -> Answer:
        left = deadline - time.monotonic()
        if left <= 0:
            raise _Passing("时限已到")
        try:
            with self._client.stream(
                call.method,
                call.url,
                params=dict(call.query) or None,
                headers=dict(call.headers),
                timeout=min(self._timeout_s, left),
                json=call.body,
            ) as response:
                self._check(response)
                body = self._read(response, min(deadline, time.monotonic() + self._timeout_s))
                return self._answer(response.status_code, body)
        except httpx.InvalidURL as error:
            raise StatusUnreadable(f"{self._name}的地址不对，请联系管理员核对映射文件") from error
        except httpx.TimeoutException as error:
            raise _Passing("没有在时限内应答") from error
        except httpx.TransportError as error:
            raise _Passing("连不上" if isinstance(error, httpx.ConnectError) else "连接中断") from error
        except httpx.DecodingError as error:
            raise StatusUnreadable(f"{self._name}的应答解不开压缩") from error

    def _check(self, response: httpx.Response) -> None:
        status = response.status_code
        if status == _BUSY or status >= 500:
            raise _Passing(f"HTTP {status}", _seconds(response.headers.get("retry-after")))
        if response.is_redirect or 300 <= status < 400:
            raise StatusUnreadable(f"{self._name}要求跳转，没有跟去；请管理员在映射文件里写最终的地址")

    def _answer(self, status: int, body: bytes) -> Answer:
        try:
            return Answer(status, cast(JsonValue, storable_json(json.loads(body))))
        except (ValueError, RecursionError) as error:
            if status >= 400:
                return Answer(status, None)
            raise StatusUnreadable(
                f"{self._name}的应答不是 JSON，请联系管理员核对映射文件里的地址"
            ) from error

    def _read(self, response: httpx.Response, deadline: float) -> bytes:
        """Counted after decompression; a body that comes drop by drop ends at the deadline."""
        read = bytearray()
        for piece in response.iter_bytes():
            read += piece
            if len(read) > self._max_bytes:
                raise StatusUnreadable(f"{self._name}的应答超过 {self._max_bytes:,} 字节，没有读完")
            if time.monotonic() > deadline:
                raise _Passing("应答没有在时限内到齐")
        return bytes(read)

    def _wait(self, tried: int, asked: float | None) -> float:
        """Between half and all of the doubled wait, to part clients that failed together; or as asked."""
        spread = 0.5 + 0.5 * random.random()
        return asked if asked is not None else float(BASE_WAIT_S * 2**tried * spread)

    def _given_up(self, failure: _Passing) -> StatusUnavailable:
        wait = BUSY_S if failure.retry_after is None else failure.retry_after
        return StatusUnavailable(f"{self._name}暂时查不到（{failure.reason}），请稍后再试", wait)


def _seconds(value: str | None) -> float | None:
    """Of a Retry-After header, a number or an HTTP date."""
    if not value:
        return None
    if value.strip().isdecimal():
        return float(value[:6])
    try:
        moment = parsedate_to_datetime(value)
    except ValueError:
        return None
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return max(0.0, (moment - datetime.now(UTC)).total_seconds())
