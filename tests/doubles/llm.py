"""A real HTTP server on loopback that speaks OpenAI's protocol and misbehaves on command.

    double.script(say("好"), status(429), cut_stream(after=2))   # one behaviour a request, in this order
    double.answer_with(lambda request: say_json(...))            # or decide from the request
    double.rejects = {"json_schema"}                             # what this server does not know, always
    double.requests[0].user                                      # everything that was sent

A request beyond the script gets 418, so that a test notices a call it did not expect.
"""

import base64
import hashlib
import json
import math
import socket
import struct
import sys
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

from tests.doubles.behaviours import Behaviour, refuse_json_schema, refuse_parameter, status

EMBEDDING_DIMENSIONS = 16
Decide = Callable[["RecordedRequest"], Behaviour]


@dataclass(frozen=True)
class RecordedRequest:
    """One request as it arrived. `dropped` is set when the client hung up before the answer's end."""

    path: str
    headers: Mapping[str, str]
    body: Mapping[str, Any]
    at: float = field(default_factory=time.monotonic)
    dropped: threading.Event = field(default_factory=threading.Event)

    @property
    def step(self) -> str:
        """The prompt file this call was made for."""
        return self.headers.get("x-zhixing-step", "")

    @property
    def model(self) -> str:
        return str(self.body.get("model", ""))

    @property
    def streaming(self) -> bool:
        return bool(self.body.get("stream"))

    @property
    def json_mode(self) -> str:
        return str(self.body.get("response_format", {}).get("type", "text"))

    @property
    def system(self) -> str:
        return self._said_by("system")

    @property
    def user(self) -> str:
        return self._said_by("user")

    def _said_by(self, role: str) -> str:
        return "\n".join(each["content"] for each in self.body.get("messages", []) if each["role"] == role)


class LlmDouble:
    """The server and its script. `base_url` is what a client is configured with."""

    def __init__(self, models: tuple[str, ...] = ("strong-double", "small-double")) -> None:
        self.models = models
        self.requests: list[RecordedRequest] = []
        self.rejects: set[str] = set()
        self.stopping = threading.Event()
        self._script: list[Behaviour] = []
        self._decide: Decide | None = None
        self._lock = threading.Lock()
        self._server = _Server(self)
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02})

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    @property
    def unused(self) -> int:
        """Scripted behaviours that no request has taken."""
        return len(self._script)

    @property
    def chats(self) -> list[RecordedRequest]:
        return [each for each in self.requests if each.path.endswith("/chat/completions")]

    def script(self, *behaviours: Behaviour) -> None:
        """Append behaviours; they go before `answer_with`."""
        with self._lock:
            self._script.extend(behaviours)

    def answer_with(self, decide: Decide) -> None:
        """Answer every request beyond the script by what `decide` makes of it."""
        self._decide = decide

    def next_behaviour(self, request: RecordedRequest) -> Behaviour:
        with self._lock:
            self.requests.append(request)
            if "json_schema" in self.rejects and request.json_mode == "json_schema":
                return refuse_json_schema()
            if "json_object" in self.rejects and request.json_mode == "json_object":
                return refuse_parameter("response_format")
            if refused := sorted(self.rejects & request.body.keys()):
                return refuse_parameter(refused[0])
            if self._script:
                return self._script.pop(0)
        return self._decide(request) if self._decide else status(418, message="the double's script ran out")

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stopping.set()
        self._server.shutdown()
        self._server.hang_up()
        self._server.server_close()
        self._thread.join()


class _Server(ThreadingHTTPServer):
    daemon_threads = False  # joined on close: no handler outlives its test
    request_queue_size = 64

    def __init__(self, double: LlmDouble) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.double = double
        self._open: set[socket.socket] = set()

    def get_request(self) -> tuple[socket.socket, Any]:
        connection, address = super().get_request()
        self._open.add(connection)
        return connection, address

    def shutdown_request(self, request: Any) -> None:
        self._open.discard(request)
        super().shutdown_request(request)

    def hang_up(self) -> None:
        """End idle keep-alive connections, whose handlers would wait for the next request for ever."""
        for connection in list(self._open):
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                self._open.discard(connection)  # already gone

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hangs up is part of the tests; anything else is shown."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: _Server

    def log_message(self, format: str, *args: object) -> None:
        """Quiet: the tests read `requests`."""

    def do_GET(self) -> None:
        if self.path != "/v1/models":
            self._json(404, {"error": {"message": f"no such path {self.path}"}})
            return
        self.server.double.requests.append(RecordedRequest(self.path, self._headers(), {}))
        data = [{"id": name, "object": "model", "created": 0, "owned_by": "double"} for name in self._models]
        self._json(200, {"object": "list", "data": data})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        request = RecordedRequest(self.path, self._headers(), body)
        if self.path == "/v1/embeddings":
            self.server.double.requests.append(request)
            self._json(200, _embeddings(request))
        elif self.path == "/v1/chat/completions":
            self._chat(request, self.server.double.next_behaviour(request))
        else:
            self._json(404, {"error": {"message": f"no such path {self.path}"}})

    def _chat(self, request: RecordedRequest, behaviour: Behaviour) -> None:
        self._pause(behaviour.before_s)
        try:
            if behaviour.status != 200:
                self._refuse(behaviour)
            elif behaviour.page is not None:
                self._send(200, behaviour.page.encode(), "text/html; charset=utf-8")
            elif request.streaming:
                self._stream(request, behaviour)
            else:
                self._whole(request, behaviour)
        except ConnectionError:
            request.dropped.set()
            self.close_connection = True

    def _whole(self, request: RecordedRequest, behaviour: Behaviour) -> None:
        message = {"role": "assistant", "content": behaviour.text, "refusal": behaviour.refusal}
        choice = {"index": 0, "message": message, "finish_reason": behaviour.finish_reason}
        answer = {"id": "double", "object": "chat.completion", "created": 0, "model": request.model}
        answer |= {"choices": [choice]} | ({"usage": _usage(request, behaviour)} if behaviour.usage else {})
        self._json(200, answer, halfway=behaviour.cut_after is not None)

    def _stream(self, request: RecordedRequest, behaviour: Behaviour) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        self._event(request, [_delta({"role": "assistant", "content": ""})])
        size, text = behaviour.chunk_size, behaviour.text
        for number, start in enumerate(range(0, len(text), size)):
            if number == behaviour.cut_after:
                self._abort()
                return
            self._pause(behaviour.between_s)
            self._event(request, [_delta({"content": text[start : start + size]})])
        if behaviour.finish_reason:
            self._event(request, [_delta({}, behaviour.finish_reason)])
        if behaviour.usage and request.body.get("stream_options", {}).get("include_usage"):
            self._event(request, [], _usage(request, behaviour))
        self._chunk(b"data: [DONE]\n\n")
        self._chunk(b"")

    def _event(
        self, request: RecordedRequest, choices: list[dict[str, Any]], usage: Mapping[str, int] | None = None
    ) -> None:
        answer = {"id": "double", "object": "chat.completion.chunk", "created": 0, "model": request.model}
        body = answer | {"choices": choices, "usage": usage}
        self._chunk(f"data: {json.dumps(body, ensure_ascii=False)}\n\n".encode())

    def _chunk(self, data: bytes) -> None:
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
        self.wfile.flush()

    def _refuse(self, behaviour: Behaviour) -> None:
        error = {"message": behaviour.message, "type": "double", "param": behaviour.parameter, "code": None}
        extra = {"Retry-After": behaviour.retry_after} if behaviour.retry_after else {}
        self._json(behaviour.status, {"error": error}, headers=extra)

    def _json(
        self,
        code: int,
        value: object,
        headers: Mapping[str, str] | None = None,
        halfway: bool = False,
    ) -> None:
        body = json.dumps(value, ensure_ascii=False).encode()
        self._send(code, body, "application/json", headers or {}, halfway)

    def _send(
        self,
        code: int,
        body: bytes,
        media_type: str,
        headers: Mapping[str, str] | None = None,
        halfway: bool = False,
    ) -> None:
        self.send_response(code)
        for name, value in {"Content-Type": media_type, **(headers or {})}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body[: len(body) // 2] if halfway else body)
        if halfway:
            self._abort()

    def _abort(self) -> None:
        """Reset the connection, as a crashed server would."""
        self.wfile.flush()
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()
        self.close_connection = True

    def _pause(self, seconds: float) -> None:
        if seconds:
            self.server.double.stopping.wait(seconds)

    def _headers(self) -> dict[str, str]:
        return {name.lower(): value for name, value in self.headers.items()}

    @property
    def _models(self) -> tuple[str, ...]:
        return self.server.double.models


def _delta(delta: Mapping[str, str], finish_reason: str | None = None) -> dict[str, Any]:
    return {"index": 0, "delta": delta, "finish_reason": finish_reason}


def _usage(request: RecordedRequest, behaviour: Behaviour) -> dict[str, int]:
    """Plausible and easy to foretell: one token a character."""
    prompt, completion = len(request.system) + len(request.user), len(behaviour.text)
    return {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}


def _embeddings(request: RecordedRequest) -> dict[str, Any]:
    """A unit vector of bytes hashed from the text: equal texts, equal vectors; nothing more is meant."""
    texts = request.body["input"] if isinstance(request.body["input"], list) else [request.body["input"]]
    encoded = request.body.get("encoding_format") == "base64"
    data = []
    for index, text in enumerate(texts):
        vector = embedding_of(text, int(request.body.get("dimensions", EMBEDDING_DIMENSIONS)))
        packed = base64.b64encode(struct.pack(f"<{len(vector)}f", *vector)).decode()
        data.append({"object": "embedding", "index": index, "embedding": packed if encoded else vector})
    usage = {"prompt_tokens": sum(map(len, texts)), "total_tokens": sum(map(len, texts))}
    return {"object": "list", "data": data, "model": request.model, "usage": usage}


def embedding_of(text: str, dimensions: int = EMBEDDING_DIMENSIONS) -> list[float]:
    """The vector the double gives to `text`."""
    digest = hashlib.shake_256(text.encode()).digest(dimensions)
    values = [byte - 127.5 for byte in digest]
    norm = math.sqrt(sum(value * value for value in values))
    return [value / norm for value in values]
