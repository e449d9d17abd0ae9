"""Document frequencies of terms: `term_stats`, and the per-revision counts they are the sum of.

Terms are the 32-bit token ids of the keyword leg. A revision keeps its own counts, so that taking it away
needs neither its text nor the tokeniser it was published with.
"""

import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

import numpy as np
from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from ingestion.index.schema import SparseVector
from service.store.models import TermStatRow
from service.store.upserts import upsert

T = TypeVar("T")

_BATCH = 800  # terms a statement; the smallest limit of any SQLite is 999 parameters


def count_terms(vectors: Iterable[SparseVector]) -> Counter[int]:
    """In how many chunks each term occurs."""
    counts: Counter[int] = Counter()
    for vector in vectors:
        counts.update(vector.indices)
    return counts


def pack(counts: Mapping[int, int]) -> bytes:
    """Sorted pairs (uint32 term, uint32 chunks), compressed."""
    pairs = np.array(sorted(counts.items()), dtype=np.uint32).reshape(-1, 2)
    return zlib.compress(pairs.tobytes(), 6)


def unpack(blob: bytes | None) -> Counter[int]:
    if not blob:
        return Counter()
    pairs = np.frombuffer(zlib.decompress(blob), dtype=np.uint32).reshape(-1, 2)
    return Counter({int(term): int(chunks) for term, chunks in pairs})


def add(session: Session, counts: Mapping[int, int], sign: int = 1) -> None:
    """Add (`sign` 1) or take away (-1) a revision's counts, inside the caller's transaction."""
    rows = [{"term": term, "chunks": sign * chunks} for term, chunks in sorted(counts.items())]
    upsert(session, TermStatRow, rows, adding="chunks")
    if sign < 0:
        for batch in _batches(sorted(counts)):
            session.execute(delete(TermStatRow).where(TermStatRow.term.in_(batch), TermStatRow.chunks <= 0))


def frequencies(session: Session, terms: Sequence[int]) -> dict[int, int]:
    """Chunks holding each term; unknown terms are absent."""
    found: dict[int, int] = {}
    for batch in _batches(list(dict.fromkeys(terms))):
        rows = session.execute(
            select(TermStatRow.term, TermStatRow.chunks).where(TermStatRow.term.in_(batch))
        )
        found.update((term, chunks) for term, chunks in rows)
    return found


def _batches(items: Sequence[T]) -> Iterator[Sequence[T]]:
    for start in range(0, len(items), _BATCH):
        yield items[start : start + _BATCH]
