"""Near words 近义: how much of a topic a text says in other words, by the vectors of single words.

打车钱 and 交通补贴 share no character; their vectors are near. A word of a like meaning counts as much as the
likeness exceeds that of any two words.
"""

from collections.abc import Mapping, Sequence
from threading import Lock

import numpy as np

from ingestion.protocols import Embedder, Vectors

KEPT = 20_000  # words whose vectors are kept, 20 MB
ANY_TWO = 0.4  # cosine of words that have nothing to do with each other, at most


class NearWords:
    """Thread-safe; `words` of one call are embedded together, each once."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._lock = Lock()
        self._vectors: dict[str, Vectors] = {}

    def nearness(self, wanted: Sequence[str], texts: Sequence[Sequence[str]]) -> list[dict[str, float]]:
        """For each text, given as its words, how near it comes to every wanted word, 0..1.

        Raises EmbeddingError.
        """
        words = dict.fromkeys((*wanted, *(word for text in texts for word in text)))
        vectors = self._of(list(words))
        asked = np.array([vectors[word] for word in wanted], dtype=np.float32)
        return [self._nearest(wanted, asked, text, vectors) for text in texts]

    @staticmethod
    def _nearest(
        wanted: Sequence[str], asked: Vectors, text: Sequence[str], vectors: Mapping[str, Vectors]
    ) -> dict[str, float]:
        if not wanted or not text:
            return dict.fromkeys(wanted, 0.0)
        said = np.array([vectors[word] for word in text], dtype=np.float32)
        best = (asked @ said.T).max(axis=1)
        above = np.clip((best - ANY_TWO) / (1 - ANY_TWO), 0.0, 1.0)
        return {word: float(value) for word, value in zip(wanted, above, strict=True)}

    def _of(self, words: Sequence[str]) -> dict[str, Vectors]:
        with self._lock:
            known = {word: self._vectors[word] for word in words if word in self._vectors}
        missing = [word for word in words if word not in known]
        if not missing:
            return known
        rows = self._embedder.embed_passages(missing).astype(np.float16)
        fresh = dict(zip(missing, rows, strict=True))
        with self._lock:
            self._vectors |= fresh
            while len(self._vectors) > KEPT:
                self._vectors.pop(next(iter(self._vectors)))
        return {**known, **fresh}
