"""Why a passage is not among the evidence: every candidate with the filter or the cut that took it out."""

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from datetime import date

from ingestion.index.layout import conditions, holds, stored_payload
from ingestion.index.schema import Filter, payload_of
from service.retrieval.protocols import Source
from service.retrieval.ranking import Ranked
from service.retrieval.results import Candidate, Cut
from service.retrieval.search import Found

_NO_FILTER = Filter()
# Who may read, what is published and what is in force on the day is not a condition of the reader's.
_CONDITIONS = tuple(
    field.name for field in fields(Filter) if field.name not in ("labels", "statuses", "in_force_on")
)


def removed_by(source: Source, filters: Filter, day: date, speakers: Sequence[str] | None = None) -> str:
    """The first condition of `filters` the passage fails, by its field's name; empty when it fails none.

    Each is asked of the payload as the index holds it, so that both always say the same. Who speaks is asked
    only where it is known: a passage whose text has not been read passes.
    """
    if speakers is None:
        filters = replace(filters, speakers=None)
    stored = {**stored_payload(payload_of(source.document, source.revision)), "speakers": [*(speakers or ())]}
    for name in _CONDITIONS:
        value = getattr(filters, name)
        asked = conditions(replace(_NO_FILTER, **{name: value}))
        if asked is None or not all(holds(stored, condition) for condition in asked):
            return name
    return "" if source.revision.in_force(day) else "in_force_on"


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
