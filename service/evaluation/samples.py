"""Examples for calibration: collections from data folders, evidence of answerable and of absent questions.

A question becomes absent by indexing the collection without its relevant documents, as the unanswerable
splits do.
"""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ingestion.analyzer import Analyzer, simplify
from ingestion.protocols import Embedder, Vectors
from service.evaluation.bench import Candidates, Collection, candidates, prepare
from service.evaluation.fitting import Examples
from service.evaluation.rows import read_corpus, read_queries
from service.retrieval.confidence import NAMES, Matrix, evidence_matrix
from service.retrieval.fusion import OrderWeights
from service.retrieval.ranking import POOL as READ
from service.retrieval.search import POOL as HITS

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
    """Vectors of exactly these texts: the file is named by what they say."""
    said = hashlib.sha256("\0".join(texts).encode()).hexdigest()[:16]
    path = cache / f"{name}-{said}.npy" if cache else None
    if path is not None and path.is_file():
        stored: Vectors = np.load(path)
        return stored
    rows = np.concatenate(
        [embed(texts[i : i + _EMBEDDED_AT_ONCE]) for i in range(0, len(texts), _EMBEDDED_AT_ONCE)]
    )
    if path is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        np.save(path, rows)
    return rows


def all_candidates(collection: Collection, weights: OrderWeights) -> list[Candidates]:
    return [candidates(collection, i, weights, READ, HITS) for i in range(len(collection.queries))]


@dataclass(frozen=True, slots=True)
class Asked:
    """One question, asked of a collection that holds its answer and of one as large that does not."""

    present: Candidates
    absent: Candidates


def ask(collection: Collection, weights: OrderWeights, rng: np.random.Generator) -> list[Asked]:
    """Every question with a relevant document, twice, of collections that each lack another seventh.

    Both have the same size and idf, so that nothing but the answer tells them apart.
    """
    part = rng.permutation(len(collection.corpus)) % _PARTS
    relevant = [
        [collection.position[d] for d in query.relevant if d in collection.position]
        for query in collection.queries
    ]
    present: dict[int, Candidates] = {}
    absent: dict[int, Candidates] = {}
    for lacking in range(_PARTS):
        rest = collection.subset(
            collection.name, np.flatnonzero(part != lacking).tolist(), range(len(relevant))
        )
        for number, documents in enumerate(relevant):
            if not documents:
                continue
            home = part[documents[0]]
            if home == lacking:
                one = candidates(rest, number, weights, READ, HITS)
                absent[number] = one.without(one.relevant)
            elif home == (lacking + 1) % _PARTS:
                present[number] = candidates(rest, number, weights, READ, HITS)
    return [Asked(present[number], absent[number]) for number in sorted(absent)]


def questions(asked: Sequence[Asked], weights: OrderWeights) -> list[Question]:
    """Evidence of the questions that have at least one word."""
    rows = []
    for one in asked:
        if not one.present.probe.words:
            continue
        documents, ranked = one.present.ranked(weights)
        evidence = evidence_matrix(one.present.probe, ranked)
        gold = [i for i, document in enumerate(documents[:8]) if int(document) in one.present.relevant][:2]
        absent = evidence_matrix(one.absent.probe, one.absent.ranked(weights)[1])[:1]
        rows.append(Question(evidence[:1], evidence[gold], absent))
    return rows


def examples(rows: Sequence[Question]) -> Examples:
    blank = np.zeros((0, len(NAMES)))
    return Examples(
        np.concatenate([blank, *(row.best for row in rows)]),
        np.concatenate([blank, *(row.gold for row in rows)]),
        np.concatenate([blank, *(row.absent for row in rows)]),
    )
