"""What ingestion needs from outside, as Protocols: an embedder, a model that answers one step, OCR."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel

from ingestion.documents import Box

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

    def run(self, step: str, variables: Mapping[str, object], output_type: type[Output]) -> Output:
        """Raises ModelFailure when there is no answer of that type."""
        ...


@dataclass(frozen=True, slots=True)
class OcrLine:
    """A line read from an image; `box` in pixels from its top left, `confidence` 0..1."""

    text: str
    box: Box
    confidence: float


class Ocr(Protocol):
    """Reads the text of a page image."""

    @property
    def seconds_per_file(self) -> float:
        """How long the pages of one file may take; what is left then is reported as unread."""
        ...

    def read_page(self, image: bytes) -> list[OcrLine]:
        """The lines of a PNG image in reading order; empty when there is no text. Raises OcrFailure."""
        ...
