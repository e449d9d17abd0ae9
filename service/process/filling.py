"""What a case holds beyond its applicant's words: the profile, what is worked out, what counts, changes."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal

from rules.conditions import Truth, Value
from rules.flow import required
from rules.table import Field, FieldType, Process, Required
from rules.wording import typed
from service.process.card import Change, ShownValue
from service.process.case import Case, Slot, Source
from service.process.grammar import is_price


@dataclass(frozen=True, slots=True)
class Profile:
    """What the directory says of the person who asks. `department` may be a path: 总部/财务部."""

    department: str = ""


def carried_over(process: Process, case: Case) -> Case:
    """A case whose own version was withdrawn, under the one that took its place: what is no value there is
    asked for again."""
    if case.digest == process.digest:
        return case
    kept = {
        name: slot
        for name, slot in case.slots.items()
        if (field := process.field(name)) is not None and _fits(slot.value, field)
    }
    return replace(case, digest=process.digest, slots=kept)


def _fits(value: Value, field: Field) -> bool:
    if field.type in (FieldType.AMOUNT, FieldType.INTEGER):
        return isinstance(value, Decimal) and (field.bounds is None or value in field.bounds)
    if field.type is FieldType.DATE:
        return isinstance(value, date) and (field.bounds is None or value in field.bounds)
    chosen = field.type in (FieldType.CHOICE, FieldType.DEPARTMENT) and bool(field.options)
    return isinstance(value, str) and (not chosen or value in field.options)


def filled(process: Process, slots: Mapping[str, Slot], profile: Profile) -> dict[str, Slot]:
    """With what the profile says, and what can be worked out now: what was before counts no longer."""
    told = {name: slot for name, slot in slots.items() if slot.source is not Source.DERIVED}
    known = {**from_profile(process, profile), **told}
    return known | _worked_out(process, known)


def from_profile(process: Process, profile: Profile) -> dict[str, Slot]:
    """The department of the person who asks, where the process has one field for it: of two, as where things
    move from one to another, nobody knows which is meant."""
    fields = [field for field in process.fields if field.type is FieldType.DEPARTMENT]
    said = profile.department.rpartition("/")[2]
    if len(fields) != 1 or not said:
        return {}
    (field,) = fields
    known = field.synonyms.get(said, said)
    offered = not field.options or known in field.options
    return {field.name: Slot(known, "", Source.PROFILE)} if offered else {}


def other_total(process: Process, slots: Mapping[str, Slot]) -> ShownValue | None:
    """What a price times a count comes to, where the sum that was said is another one; else None."""
    found = _reckoned(process, slots)
    if found is None or found.total.name not in slots or slots[found.total.name].value == found.value:
        return None
    shown = with_unit(found.value, found.total)
    return ShownValue(found.total.name, found.total.code, shown, Source.DERIVED.value)


@dataclass(frozen=True, slots=True)
class _Reckoned:
    """The sum that a process asks for, and what a price times a count makes of it."""

    total: Field
    value: Decimal


def _worked_out(process: Process, slots: Mapping[str, Slot]) -> dict[str, Slot]:
    """A price times a count is the sum that the process asks for, unless that was said itself."""
    found = _reckoned(process, slots)
    if found is None or found.total.name in slots:
        return {}
    inside = found.total.bounds is None or found.value in found.total.bounds
    return {found.total.name: Slot(found.value, "", Source.DERIVED)} if inside else {}


def _reckoned(process: Process, slots: Mapping[str, Slot]) -> _Reckoned | None:
    amounts = [field for field in process.fields if field.type is FieldType.AMOUNT]
    prices = [field.name for field in amounts if is_price(field)]
    sums = [f for f in amounts if f.name not in prices and f.required is Required.ALWAYS]
    counts = [f.name for f in process.fields if f.type is FieldType.INTEGER and f.required is Required.NEVER]
    if len(prices) != 1 or len(sums) != 1 or len(counts) != 1:
        return None
    price, count = slots.get(prices[0]), slots.get(counts[0])
    if price is None or count is None:
        return None
    if not isinstance(price.value, Decimal) or not isinstance(count.value, Decimal):
        return None
    return _Reckoned(sums[0], price.value * count.value)


def facts_of(process: Process, case: Case) -> dict[str, Value]:
    """What counts: a value of a field that is not asked for in this combination is left out."""
    values = case.values
    return {
        name: value
        for name, value in values.items()
        if (field := process.field(name)) is not None
        and (field.required is not Required.WHEN or required(field, values) is not Truth.FALSE)
    }


def changes_between(process: Process, before: Case, after: Case) -> tuple[Change, ...]:
    """Values that stood and are others now; one that is not there any more is asked for."""
    old, new = before.values, after.values
    return tuple(
        Change(field.name, with_unit(old[field.name], field), with_unit(new[field.name], field))
        for field in process.fields
        if field.name in old and field.name in new and old[field.name] != new[field.name]
    )


def shown_values(process: Process, case: Case) -> tuple[ShownValue, ...]:
    """In the order of the fields."""
    return tuple(
        ShownValue(field.name, field.code, with_unit(slot.value, field), slot.source.value)
        for field in process.fields
        if (slot := case.slots.get(field.name)) is not None
    )


def with_unit(value: Value, field: Field) -> str:
    """As every card shows it: 80000元."""
    return f"{typed(value)}{field.unit}" if isinstance(value, Decimal) else typed(value)
