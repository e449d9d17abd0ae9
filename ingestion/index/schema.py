"""What a point of the hybrid index holds, how it is filtered, and what every adapter must do.

Dense vectors are named `dense` (cosine), BM25's document side is the sparse vector `keyword` without an IDF
modifier: IDF is multiplied into the query vector by the caller, from SQL. The index stores no text; SQL is
the record, and what a hit means is decided there.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Protocol

from ingestion.documents import Document, Kind, Revision, RevisionStatus
from ingestion.protocols import Vectors

STAGED = "staged"  # payload status of points whose revision is not published yet


@dataclass(frozen=True, slots=True)
class SparseVector:
    """`indices` are token ids (32-bit hashes), unique; `values` the weights beside them."""

    indices: tuple[int, ...]
    values: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Payload:
    """The filterable facts of a revision, the same for all its points. Dates are stored as ordinal days
    (`date.toordinal`).
    """

    revision_id: str
    document_id: str
    knowledge_base: str = "default"
    kind: str = Kind.DOCUMENT.value
    status: str = RevisionStatus.ACTIVE.value  # or STAGED
    labels: tuple[str, ...] = ("public",)
    effective_from: date | None = None
    effective_to: date | None = None
    business_line: str = ""
    issuer: str = ""
    owner: str = ""
    source_updated: date | None = None
    meeting_date: date | None = None
    meeting: str = ""  # its title


def payload_of(document: Document, revision: Revision, status: str | None = None) -> Payload:
    """The facts of a revision that the index filters by."""
    updated = document.source_updated_at
    return Payload(
        revision_id=revision.id,
        document_id=document.id,
        knowledge_base=document.knowledge_base,
        kind=document.kind.value,
        status=status or revision.status.value,
        labels=document.labels,
        effective_from=revision.effective_from,
        effective_to=revision.effective_to,
        business_line=document.business_line,
        issuer=document.issuer,
        owner=document.owner,
        source_updated=updated.date() if updated else None,
        meeting_date=document.meeting_date,
        meeting=document.title if document.kind is Kind.MINUTES else "",
    )


@dataclass(frozen=True, slots=True)
class Point:
    """`id` is the chunk's id (a UUID string). `speakers` are facts of the chunk alone: who speaks in it."""

    id: str
    dense: Vectors  # shape (dimensions,)
    keyword: SparseVector
    payload: Payload
    speakers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Filter:
    """All given conditions must hold. `None` means no condition, an empty tuple means nothing passes.

    `labels`: at least one must be on the point (the reader's scopes). `in_force_on`: effective_from <= day
    < effective_to, open ends pass. Dates compare inclusively.
    """

    labels: tuple[str, ...] | None = None
    statuses: tuple[str, ...] | None = None
    in_force_on: date | None = None
    knowledge_bases: tuple[str, ...] | None = None
    kinds: tuple[str, ...] | None = None
    document_ids: tuple[str, ...] | None = None
    revision_ids: tuple[str, ...] | None = None
    business_lines: tuple[str, ...] | None = None
    issuers: tuple[str, ...] | None = None
    owners: tuple[str, ...] | None = None
    speakers: tuple[str, ...] | None = None
    meetings: tuple[str, ...] | None = None
    meeting_from: date | None = None
    meeting_to: date | None = None
    source_updated_from: date | None = None
    source_updated_to: date | None = None
    effective_since: date | None = None  # 只看某日以后施行的


@dataclass(frozen=True, slots=True)
class Hit:
    """`score` is the cosine (dense) or the raw dot product (keyword)."""

    id: str
    score: float
    revision_id: str
    document_id: str


@dataclass(frozen=True, slots=True)
class IndexStats:
    points: int
    indexed: int  # points under an HNSW graph
    extra: dict[str, str] = field(default_factory=dict)


class Index(Protocol):
    """Adapters: `edge` (in process), `server` (Qdrant by URL). All calls are synchronous and thread-safe."""

    def upsert(self, points: Sequence[Point]) -> None:
        """Insert or replace; durable when it returns. Raises IndexUnavailable, IndexMismatch."""
        ...

    def set_payload(self, revision_id: str, payload: Payload) -> None:
        """Replace the facts of a revision on every point of it (labels, dates, owner changed). What is the
        point's own stays."""
        ...

    def delete_revision(self, revision_id: str) -> None: ...

    def delete_points(self, ids: Sequence[str]) -> None: ...

    def search_dense(self, vector: Vectors, where: Filter, limit: int) -> list[Hit]: ...

    def search_keyword(self, vector: SparseVector, where: Filter, limit: int) -> list[Hit]: ...

    def vectors(self, ids: Sequence[str]) -> dict[str, Vectors]:
        """Dense vectors of the given points; unknown ids are absent."""
        ...

    def ids(self) -> set[str]:
        """Every point id, for the check of the index against SQL."""
        ...

    def stats(self) -> IndexStats: ...

    def optimise(self) -> None:
        """Build what makes searches fast (HNSW); searches and writes go on meanwhile."""
        ...

    def clear(self) -> None: ...

    def close(self) -> None: ...
