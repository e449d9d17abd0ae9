"""The server adapter: whose collection it accepts, and what it makes of a server that misbehaves."""

import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from qdrant_client import models

from ingestion.errors import IndexMismatch, IndexUnavailable
from ingestion.index import layout
from ingestion.index import server as server_module
from ingestion.index.server import COLLECTION, ServerIndex, connect
from tests.ingestion.index.points import DIMENSIONS, EMBEDDING, point, point_id


@pytest.mark.parametrize(("embedding", "dimensions"), [("other", DIMENSIONS), (EMBEDDING, DIMENSIONS + 1)])
def test_a_collection_of_another_embedding_is_refused_until_reset(embedding: str, dimensions: int) -> None:
    client = connect(":memory:")
    ServerIndex(client, EMBEDDING, DIMENSIONS).upsert([point("a")])
    with pytest.raises(IndexMismatch, match="zhixing rebuild"):
        ServerIndex(client, embedding, dimensions)
    assert ServerIndex(client, EMBEDDING, DIMENSIONS).ids() == {point_id("a")}
    assert ServerIndex(client, embedding, dimensions, reset=True).ids() == set()
    client.close()


def test_a_collection_of_another_program_is_refused(tmp_path: Path) -> None:
    client = connect(str(tmp_path))
    client.create_collection(
        COLLECTION, models.VectorParams(size=DIMENSIONS, distance=models.Distance.COSINE)
    )
    with pytest.raises(IndexMismatch, match="没有知行的元数据"):
        ServerIndex(client, EMBEDDING, DIMENSIONS)
    client.close()


def test_field_indexes_that_are_missing_are_created_at_every_start(monkeypatch: pytest.MonkeyPatch) -> None:
    client = connect(":memory:")
    ServerIndex(client, EMBEDDING, DIMENSIONS)  # as if the one who created it had been cut off
    asked: list[str] = []

    def create(_collection: str, field: str, _kind: models.PayloadSchemaType, *, wait: bool) -> None:
        asked.append(field)

    monkeypatch.setattr(type(client), "init_options", {"url": "http://127.0.0.1"})
    monkeypatch.setattr(client, "create_payload_index", create)
    ServerIndex(client, EMBEDDING, DIMENSIONS)
    assert set(asked) == {*layout.KEYWORD_FIELDS, *layout.INTEGER_FIELDS}
    client.close()


class FailingServer(ThreadingHTTPServer):
    """Answers each request with the next status; 200 says that the collection exists."""

    daemon_threads = True

    def __init__(self, statuses: list[int]) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.statuses = statuses
        self.keys: list[str | None] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class _Handler(BaseHTTPRequestHandler):
    server: FailingServer

    def do_GET(self) -> None:
        self.server.keys.append(self.headers.get("api-key"))
        status = self.server.statuses.pop(0)
        body = json.dumps({"result": {"exists": True}, "status": "ok", "time": 0.0}).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Keep the test output quiet."""


@pytest.fixture
def failing() -> Iterator[FailingServer]:
    server = FailingServer([])
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture(autouse=True)
def quick_retry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_module, "RETRY_AFTER", 0.01)


@pytest.mark.parametrize(
    ("statuses", "message"),
    [
        ([503, 503], "ZHIXING_QDRANT_URL"),  # repeated once, then given up
        ([500, 200, 401], "ZHIXING_QDRANT_API_KEY"),  # the first request passed on its repeat
        ([403], "ZHIXING_QDRANT_API_KEY"),
        ([200, 404], "404"),
    ],
)
def test_a_failing_server_is_asked_twice_and_then_reported(
    failing: FailingServer, statuses: list[int], message: str
) -> None:
    failing.statuses = list(statuses)
    client = connect(failing.url)
    with pytest.raises(IndexUnavailable, match=message):
        ServerIndex(client, EMBEDDING, DIMENSIONS)
    assert failing.statuses == []
    client.close()


@pytest.mark.filterwarnings("ignore:Api key is used with an insecure connection")
def test_the_key_is_sent(failing: FailingServer) -> None:
    failing.statuses = [403]
    client = connect(failing.url, "secret")
    with pytest.raises(IndexUnavailable):
        ServerIndex(client, EMBEDDING, DIMENSIONS)
    assert failing.keys == ["secret"]
    client.close()


def test_a_server_that_is_not_there_is_reported() -> None:
    client = connect("http://127.0.0.1:9", timeout=1)
    with pytest.raises(IndexUnavailable, match="ZHIXING_QDRANT_URL"):
        ServerIndex(client, EMBEDDING, DIMENSIONS)
    client.close()
