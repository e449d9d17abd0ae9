"""Rerankers that answer, fail and are closed; a real HTTP service on loopback that misbehaves on command."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from service.retrieval.protocols import RerankFailure
from service.retrieval.reranking import ClosableReranker, UnknownReranker, build_reranker

BY_LENGTH = object()


class _Service(ThreadingHTTPServer):
    answer: object = BY_LENGTH


class _Handler(BaseHTTPRequestHandler):
    server: _Service

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        results = [{"index": n, "relevance_score": len(text)} for n, text in enumerate(asked["documents"])]
        answer = {"results": results} if self.server.answer is BY_LENGTH else self.server.answer
        body = json.dumps(answer).encode()
        self.send_response(200 if answer is not None else 500)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Quiet."""


@pytest.fixture
def service() -> Iterator[_Service]:
    server = _Service(("127.0.0.1", 0), _Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def failures() -> list[str]:
    return []


@pytest.fixture
def reranker(service: _Service, failures: list[str]) -> Iterator[ClosableReranker]:
    url = f"http://127.0.0.1:{service.server_port}/rerank"
    built = build_reranker(url, 5.0, lambda: failures.append("failed"))
    assert built is not None
    yield built
    built.close()


def test_a_service_scores_each_text(reranker: ClosableReranker, failures: list[str]) -> None:
    assert reranker.score("问题", ["一", "一二三", "一二"]) == [1.0, 3.0, 2.0]
    assert failures == []


@pytest.mark.parametrize(
    "answer", [None, {}, {"results": []}, {"results": [{"index": 7, "relevance_score": 1.0}]}]
)
def test_what_a_broken_service_answers_is_logged_counted_and_raised(
    service: _Service, reranker: ClosableReranker, failures: list[str], answer: object
) -> None:
    service.answer = answer
    with capture_logs() as lines, pytest.raises(RerankFailure, match="重排服务"):
        reranker.score("问题", ["一"])
    assert failures == ["failed"]
    (line,) = (line for line in lines if line["event"] == "rerank.failed")
    assert "重排服务" in line["reason"] and line["log_level"] == "warning"


def test_a_closed_reranker_holds_no_connection(reranker: ClosableReranker) -> None:
    reranker.score("问题", ["一"])
    reranker.close()
    with pytest.raises(RuntimeError, match="closed"):
        reranker.score("问题", ["一"])


def test_a_folder_without_a_model_is_a_failure_of_reranking(failures: list[str], tmp_path: Path) -> None:
    built = build_reranker(f"cross-encoder:{tmp_path}", 60.0, lambda: failures.append("failed"))
    assert built is not None
    with pytest.raises(RerankFailure, match=tmp_path.name):
        built.score("问题", ["一"])
    built.close()
    assert failures == ["failed"]


def test_an_unknown_setting_is_refused_and_none_is_none(failures: list[str]) -> None:
    assert build_reranker(None, 1.0, failures.clear) is None
    with pytest.raises(UnknownReranker, match="ZHIXING_RERANKER"):
        build_reranker("bm25", 1.0, failures.clear)
