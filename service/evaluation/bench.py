"""A collection in memory with exact legs: what calibration measures with, thousands of questions at a time.

Tokens, vectors, signals and fusion are the service's; only the search is exhaustive instead of an index.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ingestion.analyzer import Analyzer, Query
from ingestion.index.keyword import KeywordEncoder, TermStatistics, token_id
from ingestion.protocols import Vectors
from service.evaluation.rows import CorpusRow, QueryRow
from service.retrieval.confidence import Scored
from service.retrieval.fusion import Legs, OrderWeights, fuse
from service.retrieval.probe import Probe, probe
from service.retrieval.signals import Passage, Signals, read_signals

Scores = NDArray[np.float32]


@dataclass(frozen=True)
class Collection:
    """Corpus and questions with their vectors; `sparse[i]` is (token ids, weights) of document i."""

    name: str
    corpus: Sequence[CorpusRow]
    queries: Sequence[QueryRow]
    vectors: Vectors
    query_vectors: Vectors
    sparse: Sequence[tuple[tuple[int, ...], tuple[float, ...]]]
    passages: Sequence[Passage]
    analysed: Sequence[Query]
    encoder: KeywordEncoder
    position: dict[str, int] = field(default_factory=dict)

    def subset(self, name: str, documents: Sequence[int], queries: Sequence[int]) -> "Collection":
        """Some documents and questions of this one, as a collection of its own (with its own idf)."""
        return collect(
            name,
            [self.corpus[i] for i in documents],
            [self.queries[i] for i in queries],
            self.vectors[list(documents)],
            self.query_vectors[list(queries)],
            [self.sparse[i] for i in documents],
            [self.passages[i] for i in documents],
            [self.analysed[i] for i in queries],
            self.encoder,
        )

    @cached_property
    def _postings(self) -> dict[int, tuple[NDArray[np.int64], Scores]]:
        lists: dict[int, tuple[list[int], list[float]]] = defaultdict(lambda: ([], []))
        for document, (ids, weights) in enumerate(self.sparse):
            for token, weight in zip(ids, weights, strict=True):
                lists[token][0].append(document)
                lists[token][1].append(weight)
        return {
            token: (np.array(where), np.array(weights, dtype=np.float32))
            for token, (where, weights) in lists.items()
        }

    def statistics(self, query: Query) -> TermStatistics:
        found = {
            key: len(self._postings[key][0])
            for key in map(token_id, (term.token for term in query.terms))
            if key in self._postings
        }
        return TermStatistics(len(self.corpus), found)

    def keyword_scores(self, query: Query) -> Scores:
        """Absolute keyword score of every document."""
        statistics = self.statistics(query)
        vector = self.encoder.query(query.terms, statistics)
        scores = np.zeros(len(self.corpus), dtype=np.float32)
        for token, weight in zip(vector.indices, vector.values, strict=True):
            if token in self._postings:
                where, weights = self._postings[token]
                scores[where] += weight * weights
        best = self.encoder.best(query.terms, statistics)
        shares: Scores = np.minimum(scores / np.float32(best or 1.0), np.float32(1.0))
        return shares

    def vector_scores(self, number: int) -> Scores:
        return np.asarray(self.vectors @ self.query_vectors[number], dtype=np.float32)


def collect(
    name: str,
    corpus: Sequence[CorpusRow],
    queries: Sequence[QueryRow],
    vectors: Vectors,
    query_vectors: Vectors,
    sparse: Sequence[tuple[tuple[int, ...], tuple[float, ...]]],
    passages: Sequence[Passage],
    analysed: Sequence[Query],
    encoder: KeywordEncoder,
) -> Collection:
    position = {row.doc_id: number for number, row in enumerate(corpus)}
    return Collection(
        name, corpus, queries, vectors, query_vectors, sparse, passages, analysed, encoder, position
    )


def prepare(
    name: str,
    corpus: Sequence[CorpusRow],
    queries: Sequence[QueryRow],
    vectors: Vectors,
    query_vectors: Vectors,
    analyzer: Analyzer,
) -> Collection:
    encoder = KeywordEncoder(analyzer)
    documents = [encoder.document("\n".join((" > ".join(row.heading_path), row.text))) for row in corpus]
    return collect(
        name,
        corpus,
        queries,
        vectors,
        query_vectors,
        [(vector.indices, vector.values) for vector in documents],
        [Passage.of(row.heading_path, row.text) for row in corpus],
        [analyzer.query(row.text) for row in queries],
        encoder,
    )


@dataclass(frozen=True)
class Candidates:
    """One question's candidates, in the order of their document numbers, before fusion."""

    probe: Probe
    documents: NDArray[np.int64]
    legs: tuple[Legs, ...]
    signals: tuple[Signals, ...]
    relevant: frozenset[int]

    def without(self, documents: frozenset[int]) -> "Candidates":
        """As if these documents were not in the collection (their share in idf is ignored)."""
        keep = [i for i, document in enumerate(self.documents) if int(document) not in documents]
        return Candidates(
            self.probe,
            self.documents[keep],
            tuple(self.legs[i] for i in keep),
            tuple(self.signals[i] for i in keep),
            self.relevant - documents,
        )

    def ranked(self, weights: OrderWeights) -> tuple[NDArray[np.int64], list[Scored]]:
        """Document numbers and scored candidates, best first."""
        order = fuse(weights, self.legs, self.signals)
        by_rank = sorted(range(len(order)), key=lambda i: -order[i])
        scored = [Scored(self.legs[i], self.signals[i], order[i]) for i in by_rank]
        return self.documents[by_rank], scored


def candidates(
    collection: Collection, number: int, weights: OrderWeights, limit: int, pool: int
) -> Candidates:
    """The `limit` best of the fused legs, from the `pool` best of each leg, as the service finds them."""
    query = collection.analysed[number]
    vector = collection.vector_scores(number)
    keyword = collection.keyword_scores(query)
    by_keyword = _best(keyword, pool)
    by_keyword = by_keyword[keyword[by_keyword] > 0]
    beyond = float(keyword[by_keyword].min()) / 2 if len(by_keyword) >= pool else 0.0
    known = np.full(len(keyword), beyond, dtype=np.float32)
    known[by_keyword] = keyword[by_keyword]
    found = np.union1d(by_keyword, _best(vector, pool))
    legs = [Legs(float(known[i]), float(vector[i])) for i in found]
    chosen = found[_best(np.array(fuse(weights, legs)), limit)]
    asked = probe(query, collection.statistics(query))
    relevant = collection.queries[number].relevant
    return Candidates(
        asked,
        chosen,
        tuple(Legs(float(known[i]), float(vector[i])) for i in chosen),
        tuple(read_signals(asked, collection.passages[i]) for i in chosen),
        frozenset(collection.position[d] for d in relevant if d in collection.position),
    )


def _best(scores: NDArray[np.floating], count: int) -> NDArray[np.int64]:
    return np.asarray(np.argsort(-scores, kind="stable")[:count], dtype=np.int64)
