"""An embedding server on loopback with OpenAI's interface, which misbehaves on command."""

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import numpy as np

from ingestion.protocols import Vectors

DIMENSIONS = 6


def expected_row(text: str) -> Vectors:
    digest = hashlib.sha256(text.encode()).digest()[:DIMENSIONS]
    row = np.frombuffer(digest, dtype=np.uint8).astype(np.float32) + 1
    return row / np.linalg.norm(row)


class EmbeddingServer(ThreadingHTTPServer):
    """Answers `/v1/embeddings`; the next requests can be told to go wrong, one entry each."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.inputs: list[list[str]] = []
        self.keys: list[str] = []
        self.troubles: list[str] = []

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"


class _Handler(BaseHTTPRequestHandler):
    server: EmbeddingServer

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.inputs.append(body["input"])
        self.server.keys.append(self.headers.get("Authorization", ""))
        trouble = self.server.troubles.pop(0) if self.server.troubles else ""
        if trouble == "hang up":
            self.connection.close()
        elif trouble.isdigit():
            self._answer(int(trouble), {"error": {"message": f"trouble {trouble}"}})
        elif trouble == "not json":
            self._send(200, b"<html>proxy login</html>", "text/html")
        else:
            self._answer(200, {"object": "list", "model": "m", "data": self._data(body["input"], trouble)})

    def _data(self, texts: list[str], trouble: str) -> list[dict[str, object]]:
        data: list[dict[str, object]] = [
            {"object": "embedding", "index": number, "embedding": (3 * expected_row(text)).tolist()}
            for number, text in enumerate(texts)
        ]
        if trouble == "missing":
            return data[:-1]
        if trouble == "ragged":
            data[0]["embedding"] = [1.0]
        if trouble == "zero":
            data[0]["embedding"] = [0.0] * DIMENSIONS
        return list(reversed(data))

    def _answer(self, status: int, body: dict[str, object]) -> None:
        self._send(status, json.dumps(body).encode(), "application/json")

    def _send(self, status: int, body: bytes, media_type: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", media_type)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("retry-after-ms", "1")  # the client honours it, which keeps the test quick
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Keep the test output quiet."""


@contextmanager
def embedding_server() -> Iterator[EmbeddingServer]:
    server = EmbeddingServer()
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
