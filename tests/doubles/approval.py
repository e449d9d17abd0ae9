"""A real HTTP server on loopback that stands for an approval system and misbehaves on command.

    double.serve("/instances/", {...})        # JSON for every path that begins so
    double.script(Reply(status=500), ...)     # one a request, before what is served
    double.requests[0].body                   # everything that was asked
"""

import json
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self
from urllib.parse import parse_qs, urlsplit


@dataclass(frozen=True)
class Reply:
    """`body` is sent as it is; `before_s` seconds pass first, `between_s` between its halves."""

    body: bytes = b"{}"
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    before_s: float = 0.0
    between_s: float = 0.0
    cut: bool = False


def say(value: object, **options: Any) -> Reply:
    return Reply(json.dumps(value, ensure_ascii=False).encode(), **options)


@dataclass(frozen=True)
class Asked:
    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    body: Any


class ApprovalDouble:
    """The server. What no path serves is 404 with an empty object."""

    def __init__(self) -> None:
        self.requests: list[Asked] = []
        self.stopping = threading.Event()
        self._served: list[tuple[str, Reply]] = []
        self._script: list[Reply] = []
        self._lock = threading.Lock()
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.double = self
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02})

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    @property
    def paths(self) -> list[str]:
        return [asked.path for asked in self.requests]

    def serve(self, path: str, value: object, **options: Any) -> None:
        """The longest path that a request begins with answers; serving it again replaces it."""
        self._served = [each for each in self._served if each[0] != path]
        self._served.append((path, say(value, **options)))
        self._served.sort(key=lambda each: len(each[0]), reverse=True)

    def script(self, *replies: Reply) -> None:
        self._script.extend(replies)

    def reply_to(self, asked: Asked) -> Reply:
        with self._lock:
            self.requests.append(asked)
            if self._script:
                return self._script.pop(0)
        found = (reply for path, reply in self._served if asked.path.startswith(path))
        return next(found, Reply(status=404))

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stopping.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


class _Server(ThreadingHTTPServer):
    daemon_threads = False  # joined on close: no handler outlives its test
    double: ApprovalDouble


class _Handler(BaseHTTPRequestHandler):
    """HTTP/1.0: each answer ends its connection, so nothing is left open."""

    server: _Server

    def log_message(self, format: str, *args: object) -> None:
        """Quiet: the tests read `requests`."""

    def do_GET(self) -> None:
        self._answer(None)

    def do_POST(self) -> None:
        self._answer(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))

    def _answer(self, body: object) -> None:
        parts = urlsplit(self.path)
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        headers = {name.lower(): value for name, value in self.headers.items()}
        reply = self.server.double.reply_to(Asked(self.command, parts.path, query, headers, body))
        self._pause(reply.before_s)
        half = len(reply.body) // 2
        try:
            self.send_response(reply.status)
            for name, value in {"Content-Type": "application/json", **reply.headers}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(reply.body)))
            self.end_headers()
            self.wfile.write(reply.body[:half])
            self.wfile.flush()
            self._pause(reply.between_s)
            if not reply.cut:
                self.wfile.write(reply.body[half:])
        except ConnectionError:
            self.close_connection = True  # the client has hung up, as the tests make it do

    def _pause(self, seconds: float) -> None:
        if seconds:
            self.server.double.stopping.wait(seconds)
