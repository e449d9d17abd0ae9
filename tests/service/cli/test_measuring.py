"""`zhixing eval` and `zhixing bench` embed with the configured server, and with no other."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from service.cli.main import app
from tests.conftest import REPOSITORY
from tests.doubles.embedding import EmbeddingServer, embedding_server

LIBRARY = REPOSITORY / "tests" / "cases" / "retrieval" / "library.jsonl"


def run(server: EmbeddingServer, home: Path, *arguments: str) -> None:
    """The public endpoint would be asked without these two, and must not be."""
    environment = {
        "ZHIXING_HOME": str(home),
        "ZHIXING_EMBEDDING": "openai:m",
        "ZHIXING_EMBEDDING_BASE_URL": server.base_url,
        "ZHIXING_EMBEDDING_API_KEY": "sk-ours",
    }
    done = CliRunner().invoke(app, list(arguments), env=environment, catch_exceptions=False)
    assert done.exit_code == 0, done.output


@pytest.mark.parametrize("given", [[], ["--embedding", "openai:other"]])
def test_an_evaluation_sends_texts_to_the_configured_server(tmp_path: Path, given: list[str]) -> None:
    queries = tmp_path / "queries.jsonl"
    queries.write_text('{"query_id": "1", "text": "出差住宿", "relevant": ["travel-1"]}\n', encoding="utf-8")
    corpus = ["--corpus", str(LIBRARY), "--queries", str(queries)]
    with embedding_server() as server:
        run(server, tmp_path / "home", "eval", "retrieval", *corpus, *given)
        assert any("住宿费" in text for batch in server.inputs for text in batch)
        assert set(server.keys) == {"Bearer sk-ours"}


def test_a_reading_bench_sends_texts_to_the_configured_server(tmp_path: Path) -> None:
    note = tmp_path / "雨伞.md"
    note.write_text("# 雨伞借用\n\n雨伞在前台借用，三天内归还。\n", encoding="utf-8")
    with embedding_server() as server:
        run(server, tmp_path / "home", "bench", "reading", str(note))
        assert set(server.keys) == {"Bearer sk-ours"}
