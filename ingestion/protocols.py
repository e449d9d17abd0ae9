"""What ingestion needs from outside, as Protocols: an embedder, and a model that answers one step."""

from collections.abc import Mapping, Sequence
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel

Vectors = NDArray[np.float32]
Output = TypeVar("Output", bound=BaseModel)


class Embedder(Protocol):
    """Turns text into unit vectors (rows of float32, L2 norm 1, cosine = dot product)."""

    @property
    def name(self) -> str:
        """Identifies the vector space, e.g. `builtin` or `sentence-transformers:bge-small-zh-v1.5`."""
        ...

    @property
    def dimensions(self) -> int: ...

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Shape (len(texts), dimensions). Raises EmbeddingError."""
        ...

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """As `embed_passages`, for questions: some models prefix the two differently."""
        ...


class Chat(Protocol):
    """One model step: the prompt file's name, its variables, and the type the answer must have."""

    def run(self, step: str, variables: Mapping[str, object], output_type: type[Output]) -> Output: ...
