"""A case 办件: what an applicant has said so far, turn by turn. Data; every step makes a new one.

It is small, says where each value comes from, and goes to JSON and back, so that a turn can be replayed.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from typing import Literal, Self

from pydantic import TypeAdapter

from rules.conditions import Value


class Source(StrEnum):
    """Where a value comes from."""

    SAID = "said"
    PROFILE = "profile"  # the directory's entry of the person who asks
    DERIVED = "derived"  # worked out: a price times a count


class Unfit(StrEnum):
    """Why what was said is no value: it is asked back, never guessed."""

    APPROXIMATE = "approximate"
    RANGE = "range"
    CURRENCY = "currency"
    NOT_IN_DOMAIN = "not_in_domain"
    OUT_OF_RANGE = "out_of_range"
    IMPRECISE_DATE = "imprecise_date"
    SEVERAL = "several"  # two values for one field
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True)
class Slot:
    """`text` is what the user wrote, a piece of his message; empty for values he did not write."""

    value: Value
    text: str
    source: Source


@dataclass(frozen=True, slots=True)
class Refused:
    """A piece of a message that is no value of its field."""

    field: str
    reason: Unfit
    text: str


class Stage(StrEnum):
    COLLECTING = "collecting"
    ANSWERED = "answered"  # a card, or that no rule covers it; it can be corrected still


@dataclass(frozen=True, slots=True)
class Case:
    """`digest` names the version of the workbook it began with, `day` the day whose rules decide.

    `asked` is the field of the last question; `tries` counts the answers to a field's question that were no
    value.
    """

    id: str
    process_id: str
    digest: str
    day: date
    slots: Mapping[str, Slot] = field(default_factory=dict)  # by name of the field
    stage: Stage = Stage.COLLECTING
    asked: str = ""
    tries: Mapping[str, int] = field(default_factory=dict)

    def with_slots(self, more: Mapping[str, Slot]) -> Self:
        return replace(self, slots={**self.slots, **more})

    @property
    def values(self) -> dict[str, Value]:
        return {name: slot.value for name, slot in self.slots.items()}


@dataclass(frozen=True, slots=True)
class Desk:
    """What lies open in a conversation: the case at hand, those put aside (the last one is taken up first),
    and the processes that were offered for choosing."""

    case: Case | None = None
    aside: tuple[Case, ...] = ()
    offered: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _StoredSlot:
    kind: Literal["number", "day", "word"]
    value: str
    text: str
    source: Source


@dataclass(frozen=True, slots=True)
class _StoredCase:
    id: str
    process_id: str
    digest: str
    day: date
    slots: dict[str, _StoredSlot]
    stage: Stage
    asked: str
    tries: dict[str, int]


@dataclass(frozen=True, slots=True)
class _StoredDesk:
    case: _StoredCase | None
    aside: list[_StoredCase]
    offered: list[str]


_DESK = TypeAdapter(_StoredDesk)


def desk_to_json(desk: Desk) -> str:
    stored = _StoredDesk(
        _stored(desk.case) if desk.case else None,
        [_stored(case) for case in desk.aside],
        list(desk.offered),
    )
    return _DESK.dump_json(stored).decode()


def desk_from_json(text: str) -> Desk:
    """Raises ValueError for what `desk_to_json` did not write."""
    stored = _DESK.validate_json(text)
    return Desk(
        _case(stored.case) if stored.case else None,
        tuple(_case(case) for case in stored.aside),
        tuple(stored.offered),
    )


def _stored(case: Case) -> _StoredCase:
    slots = {name: _stored_slot(slot) for name, slot in case.slots.items()}
    return _StoredCase(
        case.id, case.process_id, case.digest, case.day, slots, case.stage, case.asked, dict(case.tries)
    )


def _stored_slot(slot: Slot) -> _StoredSlot:
    value = slot.value
    if isinstance(value, str):
        return _StoredSlot("word", value, slot.text, slot.source)
    if isinstance(value, date):
        return _StoredSlot("day", value.isoformat(), slot.text, slot.source)
    return _StoredSlot("number", str(value), slot.text, slot.source)


def _case(stored: _StoredCase) -> Case:
    slots = {name: Slot(_value(slot), slot.text, slot.source) for name, slot in stored.slots.items()}
    return Case(
        stored.id,
        stored.process_id,
        stored.digest,
        stored.day,
        slots,
        stored.stage,
        stored.asked,
        stored.tries,
    )


def _value(slot: _StoredSlot) -> Value:
    match slot.kind:
        case "number":
            return _number(slot.value)
        case "day":
            return date.fromisoformat(slot.value)
        case "word":
            return slot.value


def _number(text: str) -> Decimal:
    try:
        return Decimal(text)
    except InvalidOperation as error:
        raise ValueError(f"{text[:20]!r} is no number") from error
