"""Embeddings from an OpenAI-compatible endpoint (`POST <base>/embeddings`)."""

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from openai import (
    APIConnectionError,
    APIStatusError,
    AuthenticationError,
    NotFoundError,
    OpenAI,
    OpenAIError,
    PermissionDeniedError,
)
from openai.types import CreateEmbeddingResponse

from ingestion.errors import EmbeddingError
from ingestion.index.embedding_rows import PROBE, prepared, unit_rows
from ingestion.protocols import Vectors

PUBLIC_ENDPOINT = "https://api.openai.com/v1"
NO_KEY = "none"  # endpoints without authentication ignore it, the client insists on one
BATCH = 64  # texts per request: endpoints commonly allow 64 or more
TIMEOUT = 30.0  # seconds per request
RETRIES = 2  # after connection errors, 408, 409, 429 and 5xx, with the client's growing pauses


class OpenAIEmbedder:
    """A model behind an OpenAI-compatible endpoint. Threads may share one.

    `dimensions` are learnt by embedding one word. Raises EmbeddingError when the endpoint cannot be used.
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str | None = None,
        api_key: str | None = None,
        timeout: float = TIMEOUT,
        retries: int = RETRIES,
    ) -> None:
        self._model = model
        self._base_url = base_url
        self._api_key = api_key
        self._timeout = timeout
        self._retries = retries

    @property
    def name(self) -> str:
        return f"openai:{self._model}"

    @cached_property
    def dimensions(self) -> int:
        return int(self._request([PROBE]).shape[1])

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        if not texts:
            return np.empty((0, self.dimensions), dtype=np.float32)
        batches = [texts[start : start + BATCH] for start in range(0, len(texts), BATCH)]
        rows = [self._request([prepared(text) for text in batch]) for batch in batches]
        widths = {part.shape[1] for part in rows}
        if len(widths) > 1:
            raise EmbeddingError(f"向量服务对模型 {self._model} 返回了不同的维数：{sorted(widths)}。")
        return unit_rows(np.concatenate(rows), len(texts), self.dimensions)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        return self.embed_passages(texts)

    def _request(self, texts: list[str]) -> Vectors:
        try:
            answer = self._client.embeddings.create(model=self._model, input=texts, encoding_format="float")
        except (AuthenticationError, PermissionDeniedError) as error:
            raise EmbeddingError("向量服务拒绝了密钥，请检查 ZHIXING_LLM_API_KEY。") from error
        except NotFoundError as error:
            raise EmbeddingError(
                f"向量服务没有模型 {self._model} 或地址不对，"
                "请检查 ZHIXING_EMBEDDING 与 ZHIXING_LLM_BASE_URL。"
            ) from error
        except APIConnectionError as error:
            raise EmbeddingError(f"连不上向量服务：{error}。请检查 ZHIXING_LLM_BASE_URL 与网络。") from error
        except APIStatusError as error:
            raise EmbeddingError(f"向量服务返回错误 {error.status_code}：{error.message}") from error
        except (OpenAIError, ValueError) as error:  # ValueError: the body is no JSON
            raise EmbeddingError(f"向量服务的回答无法读取：{error}") from error
        return self._rows(answer, len(texts))

    def _rows(self, answer: CreateEmbeddingResponse, count: int) -> Vectors:
        """The answer's vectors in the order of the request, whatever order they were sent in."""
        if not isinstance(answer, CreateEmbeddingResponse) or not answer.data:
            raise EmbeddingError("向量服务的回答不符合 OpenAI 接口格式，请检查 ZHIXING_LLM_BASE_URL。")
        by_index = {item.index: item.embedding for item in answer.data}
        widths = {len(embedding) for embedding in by_index.values()}
        if set(by_index) != set(range(count)) or len(widths) != 1:
            raise EmbeddingError(f"向量服务对 {count} 段文本返回了 {len(by_index)} 个向量或维数不一。")
        return np.asarray([by_index[index] for index in range(count)], dtype=np.float32)

    @cached_property
    def _client(self) -> OpenAI:
        """Built from the arguments alone: a stray OPENAI_* variable must not redirect office text."""
        return OpenAI(
            base_url=self._base_url or PUBLIC_ENDPOINT,
            api_key=self._api_key or NO_KEY,
            timeout=self._timeout,
            max_retries=self._retries,
        )
