"""A retriever over rows of a data file: a real index in a temporary folder, the record in memory."""

import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from time import perf_counter
from typing import Protocol
from uuid import NAMESPACE_URL, uuid5

from ingestion.analyzer import simplify
from ingestion.documents import Chunk, Document, Revision, RevisionStatus
from ingestion.index.edge import EdgeIndex
from ingestion.index.keyword import KeywordEncoder, TermStatistics
from ingestion.index.schema import Point, payload_of
from ingestion.protocols import Embedder
from service.errors import BadRequest
from service.evaluation.rows import CorpusRow
from service.retrieval.calibration import Calibration
from service.retrieval.retriever import Retriever

_BATCH = 64
_WORTH_A_GRAPH = 5_000  # below, an exhaustive search takes about 2 ms and is exact
_STATUS = {
    "": RevisionStatus.ACTIVE,
    "current": RevisionStatus.ACTIVE,
    "future": RevisionStatus.ACTIVE,
    **{status.value: status for status in RevisionStatus},
}


class Bench(Protocol):
    """What the evaluations measure: a retriever, and which rows of the data its chunks stand for."""

    @property
    def retriever(self) -> Retriever: ...

    @property
    def index_seconds(self) -> float: ...

    @property
    def documents(self) -> int: ...

    def rows_of(self, chunk_id: str, start: int | None = None) -> tuple[str, ...]:
        """The rows in a chunk, or of them the one at character `start` of its text; none if it holds none."""
        ...


@dataclass(frozen=True, slots=True)
class Held:
    """A revision and its document; `service.retrieval.protocols.Source`."""

    document: Document
    revision: Revision


@dataclass
class RowsCorpus:
    """`retrieval.protocols.Corpus` over rows: one chunk a row, rows of one version make a revision."""

    sources: dict[str, Held] = field(default_factory=dict)
    by_id: dict[str, Chunk] = field(default_factory=dict)
    row_of: dict[str, str] = field(default_factory=dict)  # chunk id -> doc_id
    frequencies: Counter[int] = field(default_factory=Counter)

    def live(self) -> Mapping[str, Held]:
        return self.sources

    def statistics(self, terms: Sequence[int]) -> TermStatistics:
        return TermStatistics(len(self.by_id), {term: self.frequencies[term] for term in terms})

    def chunks(self, ids: Sequence[str]) -> Mapping[str, Chunk]:
        return {key: self.by_id[key] for key in ids if key in self.by_id}

    def add(self, row: CorpusRow) -> Chunk:
        """Raises BadRequest for a second row with one `doc_id`, which would take the place of the first."""
        key = str(uuid5(NAMESPACE_URL, row.doc_id))
        if key in self.by_id:
            raise BadRequest(f"语料里有两行的 doc_id 都是「{row.doc_id}」")
        held = _held(row)
        source = self.sources.setdefault(held.revision.id, held)
        path = tuple(part for part in (row.title, row.heading, row.article) if part)
        chunk = Chunk(key, source.revision.id, len(self.by_id), path, row.text, 0, len(row.text))
        self.by_id[key] = chunk
        self.row_of[key] = row.doc_id
        return chunk


def _held(row: CorpusRow) -> Held:
    """Rows with a validity are versions of the document their law or title names; others stand alone."""
    versioned = bool(row.status or row.effective_date or row.expires)
    family = (row.law or row.title) if versioned else ""
    document = family or row.doc_id
    version = row.version or (row.effective_date.isoformat() if row.effective_date else row.status)
    revision = f"{document}@{version}" if family else row.doc_id
    status = _STATUS.get(row.status, RevisionStatus.ACTIVE)
    starts, ends = row.effective_date, row.expires
    if row.status == "future" and starts is None:
        starts = date.max
    if status is RevisionStatus.SUPERSEDED and ends is None:
        ends = starts or date.min  # replaced on an unknown day: in force on none
    return Held(
        Document(document, row.doc_id, row.title),
        Revision(revision, document, "", status, starts, ends, row.supersedes, label=version),
    )


@dataclass(frozen=True)
class Workbench:
    """A `Bench` on which every row is a chunk."""

    retriever: Retriever
    corpus: RowsCorpus
    index_seconds: float

    @property
    def documents(self) -> int:
        return len(self.corpus.by_id)

    def rows_of(self, chunk_id: str, start: int | None = None) -> tuple[str, ...]:
        return (self.corpus.row_of[chunk_id],)


@contextmanager
def workbench(
    rows: Sequence[CorpusRow], embedder: Embedder, encoder: KeywordEncoder, calibration: Calibration
) -> Iterator[Workbench]:
    """Index `rows` in a temporary folder; it is gone afterwards. Raises EmbeddingError, IndexFailure."""
    with tempfile.TemporaryDirectory(prefix="zhixing-eval-") as folder:
        started = perf_counter()
        index = EdgeIndex(Path(folder) / "index", embedder.name, embedder.dimensions)
        try:
            corpus = RowsCorpus()
            for start in range(0, len(rows), _BATCH):
                chunks = [corpus.add(row) for row in rows[start : start + _BATCH]]
                index.upsert(_points(chunks, corpus, embedder, encoder))
            if len(rows) >= _WORTH_A_GRAPH:
                index.optimise()
            retriever = Retriever(index, corpus, encoder, embedder, calibration)
            yield Workbench(retriever, corpus, perf_counter() - started)
        finally:
            index.close()


def _points(
    chunks: Sequence[Chunk], corpus: RowsCorpus, embedder: Embedder, encoder: KeywordEncoder
) -> list[Point]:
    vectors = embedder.embed_passages([simplify(chunk.searched_text) for chunk in chunks])
    points = []
    for chunk, vector in zip(chunks, vectors, strict=True):
        keyword = encoder.document(chunk.searched_text)
        corpus.frequencies.update(keyword.indices)
        held = corpus.sources[chunk.revision_id]
        points.append(Point(chunk.id, vector, keyword, payload_of(held.document, held.revision)))
    return points
