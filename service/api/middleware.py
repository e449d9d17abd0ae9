"""What surrounds every request: an id, a log line, a count, headers for safety, and a check of the host name.

Pure ASGI, so that streams pass through unbuffered.
"""

import re
from time import perf_counter
from uuid import uuid4

import structlog
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from service import logs
from service.api import errors
from service.telemetry import Telemetry

log = logs.get(__name__)

_REQUEST_ID = re.compile(r"[A-Za-z0-9_.-]{1,64}")
_QUIET = frozenset({"/healthz", "/readyz", "/metrics"})


class RequestContext:
    """Gives each request an id (or keeps the caller's), logs and counts it."""

    def __init__(self, app: ASGIApp, telemetry: Telemetry) -> None:
        self._app = app
        self._telemetry = telemetry

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        offered = Headers(scope=scope).get("x-request-id", "")
        request_id = offered if _REQUEST_ID.fullmatch(offered) else uuid4().hex
        structlog.contextvars.bind_contextvars(request_id=request_id)
        scope.setdefault("state", {})["request_id"] = request_id  # for who answers after a crash
        started = perf_counter()
        status = 500

        async def send_marked(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(scope=message)
                headers["X-Request-Id"] = request_id
                headers.setdefault("X-Content-Type-Options", "nosniff")
                headers.setdefault("Referrer-Policy", "no-referrer")
            await send(message)

        try:
            await self._app(scope, receive, send_marked)
        finally:
            route = getattr(scope.get("route"), "path", "other")
            self._telemetry.requests.labels(route, str(status)).inc()
            if scope["path"] not in _QUIET:
                milliseconds = round((perf_counter() - started) * 1000, 1)
                log.info(
                    "request", method=scope["method"], path=scope["path"], status=status, ms=milliseconds
                )
            structlog.contextvars.unbind_contextvars("request_id")


class LocalOnly:
    """With authentication off, only pages of this very host are served.

    Another site that points its own name at 127.0.0.1 (DNS rebinding) is told so, and a page of another
    site can neither post a form to us nor open a websocket (the browser names the page's origin).
    """

    NAMES = frozenset({"127.0.0.1", "localhost", "[::1]"})
    SAFE = frozenset({"GET", "HEAD", "OPTIONS"})

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan" or self._local(scope):
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
        else:
            message = "本服务未启用认证，只接受本机页面的访问；对外提供服务请启用认证"
            refusal = errors.response(Request(scope), 421, "misdirected_request", message)
            await refusal(scope, receive, send)

    def _local(self, scope: Scope) -> bool:
        headers = Headers(scope=scope)
        host = headers.get("host", "").lower()
        name = host if host.endswith("]") else host.rsplit(":", 1)[0]
        origin = headers.get("origin")
        same = origin is None or origin.partition("://")[2].lower() == host
        safe = scope["type"] == "http" and scope["method"] in self.SAFE
        return name in self.NAMES and (same or safe)
