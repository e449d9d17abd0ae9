"""Examples for calibration: collections from data folders, evidence of answerable and of absent questions.

A question becomes absent by indexing the collection without its relevant documents, as the unanswerable
splits do. Random parts of a collection and all collections in one stand in for small and mixed libraries.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ingestion.analyzer import Analyzer, simplify
from ingestion.protocols import Embedder, Vectors
from service.evaluation.bench import Candidates, Collection, candidates, collect, prepare
from service.evaluation.fitting import Examples
from service.evaluation.rows import read_corpus, read_queries
from service.retrieval.confidence import NAMES, Matrix, evidence_matrix
from service.retrieval.fusion import OrderWeights

READ = 24  # candidates whose text is read, as in the service
POOL = 100  # hits per leg, as in the service
_EMBEDDED_AT_ONCE = 64
_PARTS = 7


@dataclass(frozen=True)
class Question:
    """Evidence rows of one question: `best` candidate, `gold` ones, and the best once they are taken away."""

    best: Matrix
    gold: Matrix
    absent: Matrix


def load_collection(folder: Path, embedder: Embedder, analyzer: Analyzer, cache: Path | None) -> Collection:
    corpus = read_corpus(sorted(folder.glob("corpus*.jsonl")))
    queries = read_queries(folder / "queries.jsonl")
    texts = [simplify("\n".join((" > ".join(row.heading_path), row.text))) for row in corpus]
    stem = f"{embedder.name.replace('/', '-').replace(':', '-')}-{folder.name}"
    vectors = _cached(cache, f"{stem}-corpus", texts, embedder.embed_passages)
    asked = [simplify(row.text) for row in queries]
    query_vectors = _cached(cache, f"{stem}-queries", asked, embedder.embed_queries)
    return prepare(folder.name, corpus, queries, vectors, query_vectors, analyzer)


def _cached(
    cache: Path | None, name: str, texts: Sequence[str], embed: Callable[[Sequence[str]], Vectors]
) -> Vectors:
    path = cache / f"{name}.npy" if cache else None
    if path is not None and path.is_file():
        stored: Vectors = np.load(path)
        if len(stored) == len(texts):
            return stored
    rows = np.concatenate(
        [embed(texts[i : i + _EMBEDDED_AT_ONCE]) for i in range(0, len(texts), _EMBEDDED_AT_ONCE)]
    )
    if path is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        np.save(path, rows)
    return rows


def all_candidates(collection: Collection, weights: OrderWeights) -> list[Candidates]:
    return [candidates(collection, i, weights, READ, POOL) for i in range(len(collection.queries))]


def absent_candidates(
    collection: Collection, weights: OrderWeights, rng: np.random.Generator
) -> dict[int, Candidates]:
    """Each question, by number, asked of the collection without a seventh of it, its documents included."""
    part = rng.permutation(len(collection.corpus)) % _PARTS
    relevant = [
        [collection.position[d] for d in q.relevant if d in collection.position] for q in collection.queries
    ]
    found: dict[int, Candidates] = {}
    for number in range(_PARTS):
        kept = np.flatnonzero(part != number).tolist()
        asked = [i for i, documents in enumerate(relevant) if documents and part[documents[0]] == number]
        rest = collection.subset(collection.name, kept, asked)
        for place, question in enumerate(asked):
            one = candidates(rest, place, weights, READ, POOL)
            found[question] = one.without(one.relevant)
    return found


@dataclass(frozen=True)
class Asked:
    """One collection's questions, each asked twice: with its answer indexed and without."""

    present: Sequence[Candidates]
    absent: Mapping[int, Candidates]


def ask(collection: Collection, weights: OrderWeights, rng: np.random.Generator) -> Asked:
    return Asked(all_candidates(collection, weights), absent_candidates(collection, weights, rng))


def questions(asked: Asked, weights: OrderWeights) -> list[Question]:
    """Questions with at least one word and one relevant document."""
    rows = []
    for number, one in enumerate(asked.present):
        if not one.probe.words or number not in asked.absent:
            continue
        gone = asked.absent[number]
        documents, ranked = one.ranked(weights)
        evidence = evidence_matrix(one.probe, ranked)
        gold = [i for i, document in enumerate(documents[:8]) if int(document) in one.relevant][:2]
        absent = evidence_matrix(gone.probe, gone.ranked(weights)[1])[:1]
        rows.append(Question(evidence[:1], evidence[gold], absent))
    return rows


def examples(rows: Sequence[Question]) -> Examples:
    blank = np.zeros((0, len(NAMES)))
    return Examples(
        np.concatenate([blank, *(row.best for row in rows)]),
        np.concatenate([blank, *(row.gold for row in rows)]),
        np.concatenate([blank, *(row.absent for row in rows)]),
    )


def parts_of(collection: Collection, size: int, count: int, rng: np.random.Generator) -> list[Collection]:
    """`count` random parts of `size` documents with the questions whose relevant documents are in them."""
    parts = []
    for number in range(count):
        documents = sorted(
            rng.choice(len(collection.corpus), min(size, len(collection.corpus)), replace=False)
        )
        inside = {collection.corpus[i].doc_id for i in documents}
        asked = [i for i, query in enumerate(collection.queries) if set(query.relevant) & inside]
        parts.append(collection.subset(f"{collection.name}/{size}/{number}", documents, asked))
    return parts


def merged(collections: Mapping[str, Collection], each: int, rng: np.random.Generator) -> Collection:
    """All documents in one collection, with `each` random questions of every one of them."""
    members = list(collections.values())
    chosen = [sorted(rng.choice(len(c.queries), min(each, len(c.queries)), replace=False)) for c in members]
    return collect(
        "merged",
        [row for c in members for row in c.corpus],
        [c.queries[i] for c, numbers in zip(members, chosen, strict=True) for i in numbers],
        np.concatenate([c.vectors for c in members]),
        np.concatenate([c.query_vectors[n] for c, n in zip(members, chosen, strict=True)]),
        [row for c in members for row in c.sparse],
        [row for c in members for row in c.passages],
        [c.analysed[i] for c, numbers in zip(members, chosen, strict=True) for i in numbers],
        members[0].encoder,
    )
