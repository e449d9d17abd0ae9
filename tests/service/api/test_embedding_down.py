"""While the embedding is down a question ends in the error that says so, on every way of asking."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from ingestion.errors import EmbeddingError
from ingestion.protocols import Vectors
from service.access import Role
from tests.service.api.keyed import People, keyed_parts

QUESTION = "年假有几天？"
TOLD = "向量服务没有回应"


class Down:
    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        raise EmbeddingError(TOLD)


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    folder: Path = tmp_path_factory.mktemp("down") / "home"
    with keyed_parts(folder) as parts:
        parts.retriever._embedder = Down()  # type: ignore[assignment]
        with People(parts).client(Role.READER) as opened:
            yield opened


def test_a_stream_ends_in_the_error_and_keeps_it(client: TestClient) -> None:
    with client.stream("POST", "/api/v1/chat", json={"message": QUESTION}) as response:
        message_id = response.headers["X-Message-Id"]
        lines = list(response.iter_lines())
    again = client.get(f"/api/v1/messages/{message_id}/events").text
    for told in (lines, again.splitlines()):
        data = [line.removeprefix("data: ") for line in told if line.startswith("data: ")]
        error = json.loads(data[-1])
        assert (error["code"], error["message"]) == ("embedding_failed", TOLD)


def test_an_answer_in_one_piece_is_unavailable(client: TestClient) -> None:
    whole = client.post("/api/v1/chat", json={"message": QUESTION, "stream": False})
    openai = {"model": "zhixing", "messages": [{"role": "user", "content": QUESTION}]}
    other = client.post("/v1/chat/completions", json=openai)
    for response in (whole, other):
        assert response.status_code == 503
        assert response.json()["error"]["code"] == "embedding_failed"
