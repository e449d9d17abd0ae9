"""Rerankers 重排: a local CrossEncoder, or any HTTP endpoint with `/rerank`. Both are optional.

    cross-encoder:<name or path>   sentence-transformers (extra `transformers`)
    http(s)://host/…/rerank        {"query", "documents"} -> {"results": [{"index", "relevance_score"}]}

Whatever goes wrong becomes RerankFailure: the fused order stands and the answer says so.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as TooSlow
from functools import cached_property
from typing import Protocol, cast

import httpx
from pydantic import BaseModel, ValidationError

from service import logs
from service.errors import ZhixingError
from service.retrieval.protocols import Reranker, RerankFailure

log = logs.get(__name__)

_LOCAL = "cross-encoder:"
_FIRST_LOAD_S = 60.0  # a model is read from disk on the first call


class UnknownReranker(ZhixingError):
    code = "unknown_reranker"


class ClosableReranker(Reranker, Protocol):
    def close(self) -> None:
        """Give back connections and threads; what is being scored is given up."""
        ...


class WatchedReranker:
    """Passes failures on, after they were logged and `on_failure` was told: retrieval goes on without."""

    def __init__(self, reranker: ClosableReranker, on_failure: Callable[[], None]) -> None:
        self._reranker = reranker
        self._on_failure = on_failure

    def score(self, question: str, texts: Sequence[str]) -> list[float]:
        try:
            return self._reranker.score(question, texts)
        except RerankFailure as failure:
            log.warning("rerank.failed", reason=str(failure))
            self._on_failure()
            raise

    def close(self) -> None:
        self._reranker.close()


def build_reranker(
    spec: str | None, timeout_s: float, on_failure: Callable[[], None]
) -> ClosableReranker | None:
    """The reranker a setting names, watched; None without one. Raises UnknownReranker."""
    return WatchedReranker(_named(spec, timeout_s), on_failure) if spec else None


def _named(spec: str, timeout_s: float) -> ClosableReranker:
    if spec.startswith(_LOCAL) and len(spec) > len(_LOCAL):
        return CrossEncoderReranker(spec.removeprefix(_LOCAL), timeout_s)
    if spec.startswith(("http://", "https://")):
        return HttpReranker(spec, timeout_s)
    raise UnknownReranker(
        f"无法识别的 ZHIXING_RERANKER：{spec!r}。可用：cross-encoder:<名称或路径> 或 http(s)://…/rerank。"
    )


class _Result(BaseModel):
    index: int
    relevance_score: float


class _Response(BaseModel):
    results: list[_Result]


class HttpReranker:
    """One request per question; thread-safe."""

    def __init__(self, url: str, timeout_s: float) -> None:
        self._url = url
        self._client = httpx.Client(timeout=timeout_s)

    def score(self, question: str, texts: Sequence[str]) -> list[float]:
        try:
            response = self._client.post(self._url, json={"query": question, "documents": list(texts)})
            response.raise_for_status()
            results = _Response.model_validate_json(response.content).results
        except (httpx.HTTPError, ValidationError) as error:
            raise RerankFailure(f"重排服务没有给出可用的结果：{error}") from error
        scores = {result.index: result.relevance_score for result in results}
        if set(scores) != set(range(len(texts))):
            raise RerankFailure(f"重排服务返回了 {len(scores)} 个得分，应为 {len(texts)} 个")
        return [scores[i] for i in range(len(texts))]

    def close(self) -> None:
        self._client.close()


class CrossEncoderReranker:
    """A sentence-transformers CrossEncoder on a thread of its own, so that a slow one can be given up."""

    def __init__(self, name_or_path: str, timeout_s: float) -> None:
        self._name = name_or_path
        self._timeout_s = timeout_s
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="rerank")
        self._loaded = False

    def score(self, question: str, texts: Sequence[str]) -> list[float]:
        work = self._thread.submit(self._predict, question, list(texts))
        try:
            return work.result(self._timeout_s if self._loaded else _FIRST_LOAD_S)
        except TooSlow as error:
            work.cancel()
            raise RerankFailure(f"重排超过了 {self._timeout_s} 秒") from error
        except (ImportError, OSError, RuntimeError, ValueError) as error:
            raise RerankFailure(f"重排模型 {self._name} 不可用：{error}") from error

    def close(self) -> None:
        self._thread.shutdown(wait=False, cancel_futures=True)

    def _predict(self, question: str, texts: list[str]) -> list[float]:
        scores = self._model.predict([(question, text) for text in texts], show_progress_bar=False)
        self._loaded = True
        return [float(score) for score in scores]

    @cached_property
    def _model(self) -> "_CrossEncoder":
        from sentence_transformers import CrossEncoder  # an extra, seconds to import

        return cast("_CrossEncoder", CrossEncoder(self._name))


class _CrossEncoder(Protocol):
    def predict(self, pairs: list[tuple[str, str]], *, show_progress_bar: bool) -> Sequence[float]: ...
