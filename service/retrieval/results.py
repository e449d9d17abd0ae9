"""What a retrieval returns: evidence to answer from, every candidate with its fate, and why there is none."""

from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum

from ingestion.documents import Chunk, Document, Revision
from service.citations import RefusalReason


class Cut(StrEnum):
    """What took a candidate out."""

    FILTER = "filter"  # a metadata condition; `Candidate.filter` names it
    NOT_IN_FORCE = "not_in_force"
    POOL = "pool"  # beyond the candidates whose text is read
    DUPLICATE = "duplicate"  # the same text stands higher
    THRESHOLD = "threshold"
    TOP_K = "top_k"
    OTHER_PROVISION = "other_provision"  # in force, but the question names a text that is not


@dataclass(frozen=True, slots=True)
class Evidence:
    """A passage that may be answered from. Scores are absolute, 0..1; `rank` counts from 1."""

    chunk: Chunk
    document: Document
    revision: Revision
    score: float
    keyword_score: float
    vector_score: float
    rank: int


@dataclass(frozen=True, slots=True)
class Candidate:
    """A passage that was looked at. `cut` is None for evidence; `matched` are the question's words in it."""

    chunk_id: str
    revision_id: str
    document_id: str
    document_name: str
    keyword_score: float
    vector_score: float
    order: float
    score: float
    matched: tuple[str, ...] = ()
    cut: Cut | None = None
    filter: str = ""


@dataclass(frozen=True, slots=True)
class Timings:
    """Milliseconds per stage of one retrieval."""

    embed_ms: float = 0.0
    search_ms: float = 0.0
    rank_ms: float = 0.0
    rerank_ms: float = 0.0

    @property
    def total_ms(self) -> float:
        return self.embed_ms + self.search_ms + self.rank_ms + self.rerank_ms


@dataclass(frozen=True, slots=True)
class Retrieval:
    """`reason` is None exactly when there is evidence.

    `outdated` is the passage that answers but is not in force on the day, for the reasons only_superseded,
    repealed, archived and not_yet_in_force; its revision carries the dates. `nearest` is the best of what
    fell below the threshold. `rerank_failed` tells that a configured reranker did not answer. `day` is
    the one whose rules were asked for.
    """

    evidence: tuple[Evidence, ...]
    candidates: tuple[Candidate, ...]
    reason: RefusalReason | None
    tokens: tuple[str, ...] = ()
    outdated: Evidence | None = None
    nearest: tuple[Evidence, ...] = ()
    rerank_failed: bool = False
    day: date | None = None
    timings: Timings = field(default_factory=Timings)
