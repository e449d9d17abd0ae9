"""The two legs of one wording: what the index returns, completed to both scores for every candidate."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from ingestion.documents import NEVER_IN_FORCE, RevisionStatus
from ingestion.index.keyword import absolute
from ingestion.index.schema import STAGED, Filter, Hit, Index, SparseVector
from ingestion.protocols import Vectors
from service.retrieval.calibration import Mode
from service.retrieval.fusion import Legs
from service.retrieval.protocols import Source

POOL = 100  # hits per leg; twice what is kept, since the index knows the status only roughly
# Staged points are searched too: between SQL's switch and the index's update they are all there is.
_OUTDATED = (STAGED, *(status.value for status in RevisionStatus if status is not RevisionStatus.DRAFT))
_ANSWERING = (STAGED, *(status.value for status in RevisionStatus if status not in NEVER_IN_FORCE))


@dataclass(frozen=True, slots=True)
class Vectorised:
    """A wording as both legs see it; `dense` is None when only keywords are searched.

    `best` is the keyword score that counts as 1.
    """

    keyword: SparseVector
    best: float
    dense: Vectors | None


@dataclass(frozen=True, slots=True)
class Found:
    """A hit with both legs' scores."""

    id: str
    revision_id: str
    legs: Legs


def answering_filter(filters: Filter, scopes: tuple[str, ...] | None, day: date) -> Filter:
    """What may be answered from: readable, in force on the day. The status is left to the dates."""
    return replace(filters, labels=scopes, in_force_on=day, statuses=_ANSWERING)


def outdated_filter(filters: Filter, scopes: tuple[str, ...] | None) -> Filter:
    """Readable and published once, whatever the day."""
    return replace(filters, labels=scopes, in_force_on=None, statuses=_OUTDATED)


class Searcher:
    def __init__(self, index: Index) -> None:
        self._index = index

    def find(
        self, asked: Vectorised, where: Filter, live: Mapping[str, Source], mode: Mode = Mode.HYBRID
    ) -> list[Found]:
        """Hits of both legs whose revision is published and readable, each once, in no order.

        Raises IndexUnavailable when the index does not answer.
        """
        keyword = self._keyword(asked, where, live) if mode is not Mode.VECTOR else {}
        vector = self._vector(asked, where, live) if mode is not Mode.KEYWORD else {}
        hits = {**vector, **keyword}
        cosines = self._cosines(asked, hits, vector)
        # A hit outside the keyword pool scores somewhere between nothing and the pool's last.
        beyond = (
            min((hit.score for hit in keyword.values()), default=0.0) / 2 if len(keyword) >= POOL else 0.0
        )
        return [
            Found(
                hit.id,
                hit.revision_id,
                Legs(
                    absolute(keyword[key].score if key in keyword else beyond, asked.best),
                    cosines.get(key, 0.0),
                ),
            )
            for key, hit in hits.items()
        ]

    def _keyword(self, asked: Vectorised, where: Filter, live: Mapping[str, Source]) -> dict[str, Hit]:
        if not asked.keyword.indices:
            return {}
        return _allowed(self._index.search_keyword(asked.keyword, where, POOL), where, live)

    def _vector(self, asked: Vectorised, where: Filter, live: Mapping[str, Source]) -> dict[str, Hit]:
        if asked.dense is None:
            return {}
        return _allowed(self._index.search_dense(asked.dense, where, POOL), where, live)

    def _cosines(
        self, asked: Vectorised, hits: Mapping[str, Hit], vector: Mapping[str, Hit]
    ) -> dict[str, float]:
        found = {key: hit.score for key, hit in vector.items()}
        missing = [key for key in hits if key not in found]
        if asked.dense is not None and missing:
            stored = self._index.vectors(missing)
            found.update((key, float(row @ asked.dense)) for key, row in stored.items())
        return found


def _allowed(hits: Sequence[Hit], where: Filter, live: Mapping[str, Source]) -> dict[str, Hit]:
    """SQL decides what is published, readable and in force; the index only narrows the search down."""
    return {hit.id: hit for hit in hits if may_show(live.get(hit.revision_id), where)}


def may_show(source: Source | None, where: Filter) -> bool:
    if source is None or source.revision.status is RevisionStatus.DRAFT:
        return False
    if where.labels is not None and set(where.labels).isdisjoint(source.document.labels):
        return False
    return where.in_force_on is None or source.revision.in_force(where.in_force_on)
