"""The OpenAI-compatible embedder against a real HTTP server on loopback that misbehaves on command."""

from collections.abc import Iterator

import numpy as np
import pytest

from ingestion.errors import EmbeddingError
from ingestion.index.embedding_endpoint import BATCH, OpenAIEmbedder
from tests.doubles.embedding import DIMENSIONS, EmbeddingServer, embedding_server, expected_row


@pytest.fixture
def server() -> Iterator[EmbeddingServer]:
    with embedding_server() as server:
        yield server


@pytest.fixture
def embedder(server: EmbeddingServer) -> OpenAIEmbedder:
    return OpenAIEmbedder("m", base_url=server.base_url, api_key="secret", timeout=5)


def test_texts_are_sent_in_batches_and_rows_come_back_in_order(
    server: EmbeddingServer, embedder: OpenAIEmbedder
) -> None:
    texts = [f"第{number}条" for number in range(2 * BATCH + 5)]
    rows = embedder.embed_passages(texts)
    np.testing.assert_allclose(rows, np.stack([expected_row(text) for text in texts]), atol=1e-6)
    assert [len(batch) for batch in server.inputs if len(batch) > 1] == [BATCH, BATCH, 5]
    assert set(server.keys) == {"Bearer secret"}


def test_dimensions_are_asked_for_once(server: EmbeddingServer, embedder: OpenAIEmbedder) -> None:
    assert (embedder.dimensions, embedder.dimensions) == (DIMENSIONS, DIMENSIONS)
    assert len(server.inputs) == 1


def test_an_empty_text_is_never_sent_empty(server: EmbeddingServer, embedder: OpenAIEmbedder) -> None:
    assert embedder.embed_queries(["", " "]).shape == (2, DIMENSIONS)
    assert all(text.strip() for batch in server.inputs for text in batch)
    assert embedder.embed_queries([]).shape == (0, DIMENSIONS)


@pytest.mark.parametrize("trouble", ["500", "503", "429", "hang up"])
def test_a_passing_failure_is_retried(
    server: EmbeddingServer, embedder: OpenAIEmbedder, trouble: str
) -> None:
    server.troubles = [trouble]
    np.testing.assert_allclose(embedder.embed_queries(["出差"])[0], expected_row("出差"), atol=1e-6)


@pytest.mark.parametrize(
    ("troubles", "message"),
    [
        (["500"] * 9, "500"),
        (["hang up"] * 9, "ZHIXING_LLM_BASE_URL"),
        (["401"], "ZHIXING_LLM_API_KEY"),
        (["403"], "ZHIXING_LLM_API_KEY"),
        (["404"], "ZHIXING_EMBEDDING"),
        (["400"], "400"),
        (["not json"], "ZHIXING_LLM_BASE_URL"),
        (["missing"], "1 个向量"),
        (["ragged"], "维数不一"),
        (["zero"], "无效的向量"),
    ],
)
def test_a_lasting_failure_says_what_to_check(
    server: EmbeddingServer, embedder: OpenAIEmbedder, troubles: list[str], message: str
) -> None:
    assert embedder.dimensions == DIMENSIONS
    server.troubles = list(troubles)
    with pytest.raises(EmbeddingError, match=message):
        embedder.embed_passages(["出差", "采购"])


def test_an_endpoint_that_is_not_there_is_reported(server: EmbeddingServer) -> None:
    embedder = OpenAIEmbedder("m", base_url="http://127.0.0.1:9/v1", timeout=1, retries=0)
    with pytest.raises(EmbeddingError, match="连不上"):
        embedder.embed_queries(["出差"])


def test_a_stray_environment_variable_does_not_redirect_text(
    server: EmbeddingServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "stray")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    OpenAIEmbedder("m", base_url=server.base_url).embed_queries(["出差"])
    assert set(server.keys) == {"Bearer none"}
