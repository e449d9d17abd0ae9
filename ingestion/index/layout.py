"""How a chunk's facts lie in a Qdrant point and how a `Filter` becomes conditions on them.

Both adapters share this: `edge` and `server` only translate `Condition`s into their own classes.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date

from ingestion.index.schema import Filter, Payload, Point

SCHEMA_VERSION = 1  # raise it whenever names or meanings below change: old indexes must then be rebuilt

DENSE = "dense"
KEYWORD = "keyword"

KEYWORD_FIELDS = (
    "revision_id",
    "document_id",
    "knowledge_base",
    "kind",
    "status",
    "labels",
    "business_line",
    "issuer",
    "owner",
    "meeting",
    "speakers",
)
INTEGER_FIELDS = ("effective_from", "effective_to", "source_updated", "meeting_date")
HIT_FIELDS = ("revision_id", "document_id")

# Open ends are stored as numbers, so that "in force on a day" is two range conditions and no "is empty".
OPEN_START = 0
OPEN_END = 9_999_999  # later than date.max.toordinal()
UNKNOWN = -1  # a day nobody knows: written out, so that setting the facts again forgets the former one

StoredValue = str | int | list[str]


@dataclass(frozen=True, slots=True)
class AnyOf:
    """The field holds one of `values` (for a list field: at least one of its items does)."""

    field: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Within:
    """The field holds a number between the bounds, both inclusive; `None` leaves that side open."""

    field: str
    at_least: int | None = None
    at_most: int | None = None


Condition = AnyOf | Within


def stored_payload(payload: Payload) -> dict[str, StoredValue]:
    """A revision's facts as Qdrant holds them, every field of them."""
    return {
        "revision_id": payload.revision_id,
        "document_id": payload.document_id,
        "knowledge_base": payload.knowledge_base,
        "kind": payload.kind,
        "status": payload.status,
        "labels": list(payload.labels),
        "business_line": payload.business_line,
        "issuer": payload.issuer,
        "owner": payload.owner,
        "meeting": payload.meeting,
        "effective_from": _ordinal(payload.effective_from, OPEN_START),
        "effective_to": _ordinal(payload.effective_to, OPEN_END),
        "source_updated": _ordinal(payload.source_updated, UNKNOWN),
        "meeting_date": _ordinal(payload.meeting_date, UNKNOWN),
    }


def stored_point(point: Point) -> dict[str, StoredValue]:
    """All that Qdrant holds of a point beside its vectors."""
    return {**stored_payload(point.payload), "speakers": list(point.speakers)}


def conditions(where: Filter) -> tuple[Condition, ...] | None:
    """All conditions of a filter, or `None` when nothing can pass (an empty tuple was given)."""
    found = tuple(_conditions(where))
    if any(isinstance(condition, AnyOf) and not condition.values for condition in found):
        return None
    return found


def holds(stored: Mapping[str, StoredValue], condition: Condition) -> bool:
    """What Qdrant answers for a point with this payload; a field that is not there fails."""
    value = stored.get(condition.field)
    if isinstance(condition, AnyOf):
        values = value if isinstance(value, list) else [value]
        return not set(condition.values).isdisjoint(values)
    return (
        isinstance(value, int)
        and (condition.at_least is None or value >= condition.at_least)
        and (condition.at_most is None or value <= condition.at_most)
    )


def _conditions(where: Filter) -> Iterator[Condition]:
    for field, values in _choices(where):
        if values is not None:
            yield AnyOf(field, values)
    if where.in_force_on is not None:
        day = where.in_force_on.toordinal()
        yield Within("effective_from", at_most=day)
        yield Within("effective_to", at_least=day + 1)
    if where.effective_since is not None:
        yield Within("effective_from", at_least=where.effective_since.toordinal())
    yield from _between("meeting_date", where.meeting_from, where.meeting_to)
    yield from _between("source_updated", where.source_updated_from, where.source_updated_to)


def _choices(where: Filter) -> tuple[tuple[str, tuple[str, ...] | None], ...]:
    return (
        ("labels", where.labels),
        ("status", where.statuses),
        ("knowledge_base", where.knowledge_bases),
        ("kind", where.kinds),
        ("document_id", where.document_ids),
        ("revision_id", where.revision_ids),
        ("business_line", where.business_lines),
        ("issuer", where.issuers),
        ("owner", where.owners),
        ("speakers", where.speakers),
        ("meeting", where.meetings),
    )


def _between(field: str, first: date | None, last: date | None) -> Iterator[Within]:
    if first is not None or last is not None:
        yield Within(
            field,
            at_least=_ordinal(first, UNKNOWN + 1),
            at_most=None if last is None else last.toordinal(),
        )


def _ordinal(day: date | None, otherwise: int) -> int:
    return otherwise if day is None else day.toordinal()
