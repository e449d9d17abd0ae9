"""Why a passage is not among the evidence: every candidate with the filter or the cut that took it out."""

from collections.abc import Mapping
from datetime import date

from ingestion.index.schema import Filter
from service.retrieval.protocols import Source
from service.retrieval.ranking import Ranked
from service.retrieval.results import Candidate, Cut
from service.retrieval.search import Found


def removed_by(source: Source, filters: Filter, day: date) -> str:
    """The first condition of `filters` the passage fails, by its field's name; empty when it fails none."""
    document, revision = source.document, source.revision
    updated = document.source_updated_at.date() if document.source_updated_at else None
    checks: tuple[tuple[str, bool], ...] = (
        ("knowledge_bases", _in(document.knowledge_base, filters.knowledge_bases)),
        ("document_ids", _in(document.id, filters.document_ids)),
        ("revision_ids", _in(revision.id, filters.revision_ids)),
        ("business_lines", _in(document.business_line, filters.business_lines)),
        ("issuers", _in(document.issuer, filters.issuers)),
        ("owners", _in(document.owner, filters.owners)),
        ("source_updated_from", _not_before(updated, filters.source_updated_from)),
        (
            "source_updated_to",
            _not_before(filters.source_updated_to, updated) or not filters.source_updated_to,
        ),
        ("effective_since", _not_before(revision.effective_from, filters.effective_since)),
        ("in_force_on", revision.in_force(day)),
    )
    return next((name for name, passes in checks if not passes), "")


def _in(value: str, allowed: tuple[str, ...] | None) -> bool:
    return allowed is None or value in allowed


def _not_before(value: date | None, bound: date | None) -> bool:
    return bound is None or (value is not None and value >= bound)


def read_candidate(candidate: Ranked, cut: Cut | None, filter_name: str = "") -> Candidate:
    return Candidate(
        chunk_id=candidate.chunk.id,
        revision_id=candidate.source.revision.id,
        document_id=candidate.source.document.id,
        document_name=candidate.source.document.title,
        keyword_score=candidate.legs.keyword,
        vector_score=candidate.legs.vector,
        order=candidate.order,
        score=candidate.confidence,
        matched=candidate.signals.matched,
        cut=cut,
        filter=filter_name,
    )


def unread_candidate(hit: Found, live: Mapping[str, Source]) -> Candidate:
    """A hit whose text was never read: beyond the pool."""
    source = live[hit.revision_id]
    return Candidate(
        chunk_id=hit.id,
        revision_id=hit.revision_id,
        document_id=source.document.id,
        document_name=source.document.title,
        keyword_score=hit.legs.keyword,
        vector_score=hit.legs.vector,
        order=0.0,
        score=0.0,
        cut=Cut.POOL,
    )
