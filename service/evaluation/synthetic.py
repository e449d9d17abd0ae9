"""Synthetic chunks for benchmarks: words of a real dictionary in Zipf's proportions, vectors in clusters.

Says nothing about quality; only sizes, term frequencies and vector geometry resemble an office's documents.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from uuid import NAMESPACE_URL, uuid5

import jieba
import numpy as np

from ingestion.documents import (
    Anchor,
    Block,
    BlockKind,
    Chunk,
    Document,
    FileState,
    Parsed,
    ParseReport,
    Revision,
)
from ingestion.protocols import Vectors

WORDS = 60_000
TOKENS_PER_CHUNK = 300  # about 600 characters
CHUNKS_PER_DOCUMENT = 100
CLUSTERS = 500
SPREAD = 0.08  # per dimension, against unit centres: neighbours at cosine .5 to .8


@dataclass(frozen=True, slots=True)
class SyntheticDocument:
    document: Document
    revision: Revision
    parsed: Parsed
    chunks: tuple[Chunk, ...]
    tokens: tuple[tuple[str, ...], ...]
    vectors: Vectors


class SyntheticCorpus:
    """The same documents for the same seed; `document(i)` is independent of the others."""

    def __init__(self, dimensions: int, seed: int = 7) -> None:
        self._seed = seed
        self.dimensions = dimensions
        jieba.initialize()
        ranked = sorted(
            (word for word, count in jieba.dt.FREQ.items() if count and 2 <= len(word) <= 3),
            key=lambda word: (-jieba.dt.FREQ[word], word),
        )
        self.words: Sequence[str] = ranked[:WORDS]
        weights = 1.0 / (np.arange(len(self.words)) + 20.0)
        self._cumulative = np.cumsum(weights / weights.sum())
        generator = np.random.default_rng(seed)
        self._centres = _unit(generator.standard_normal((CLUSTERS, dimensions)))

    def documents(self, chunks: int, first: int = 0) -> Iterator[SyntheticDocument]:
        """Enough documents for `chunks` chunks, numbered from `first`."""
        for number in range(first, first + chunks // CHUNKS_PER_DOCUMENT):
            yield self.document(number)

    def document(self, number: int) -> SyntheticDocument:
        generator = np.random.default_rng((self._seed, number))
        document_id = str(uuid5(NAMESPACE_URL, f"synthetic {number}"))
        revision_id = str(uuid5(NAMESPACE_URL, f"synthetic revision {number}"))
        tokens = tuple(self._tokens(generator) for _ in range(CHUNKS_PER_DOCUMENT))
        blocks, chunks, position = [], [], 0
        for ordinal, words in enumerate(tokens):
            text = "".join(words) + "。"
            anchor = Anchor(position, position + len(text), paragraph=ordinal + 1)
            blocks.append(Block(BlockKind.PARAGRAPH, text, anchor))
            chunk_id = str(uuid5(NAMESPACE_URL, f"synthetic {number} {ordinal}"))
            path = (f"第{ordinal // 10 + 1}章",)
            chunks.append(
                Chunk(chunk_id, revision_id, ordinal, path, text, position, position + len(text), (anchor,))
            )
            position += len(text) + 1
        total = sum(block.source_chars for block in blocks)
        return SyntheticDocument(
            Document(document_id, f"synthetic:{number}", f"合成文档{number}"),
            Revision(revision_id, document_id, f"{number:064d}"),
            Parsed(FileState.PARSED, tuple(blocks), ParseReport(total, total)),
            tuple(chunks),
            tokens,
            self._vectors(generator),
        )

    def questions(self, count: int, documents: int) -> list[str]:
        """Four less common words of one chunk each, as people ask: some word order, no sentence."""
        generator = np.random.default_rng((self._seed, 1_000_003))
        asked = []
        for _ in range(count):
            tokens = self.document(int(generator.integers(documents))).tokens[int(generator.integers(100))]
            rare = sorted(set(tokens), key=self.words.index, reverse=True)[:40]
            asked.append("".join(generator.choice(rare, 4, replace=False)) + "怎么规定？")
        return asked

    def _tokens(self, generator: np.random.Generator) -> tuple[str, ...]:
        drawn = np.searchsorted(self._cumulative, generator.random(TOKENS_PER_CHUNK))
        return tuple(self.words[min(int(i), len(self.words) - 1)] for i in drawn)

    def _vectors(self, generator: np.random.Generator) -> Vectors:
        centre = self._centres[generator.integers(CLUSTERS, size=CHUNKS_PER_DOCUMENT)]
        noise = generator.standard_normal((CHUNKS_PER_DOCUMENT, self.dimensions)) * SPREAD
        return _unit(centre + noise)


def _unit(rows: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> Vectors:
    unit: Vectors = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    return unit
