"""One case put to a process outside of a conversation: values as text in, the route and why out.

For the API, the command line and the try-out panel, on published versions and on drafts alike.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date

from pydantic import JsonValue

from rules.cells.reading import read_value
from rules.conditions import Truth, Value, Within
from rules.engine import CompiledTable, Outcome, RowTruths, Status
from rules.explaining import RowReading
from rules.faults import CellFault, bad_cell
from rules.flow import Route, UnknownName, needed, required, route
from rules.policies import NotANumber
from rules.spelling import plain, suggestion
from rules.table import DecisionTable, Facts, Field, Process
from rules.wording import said, typed
from service.errors import BadRequest, Conflict
from service.process.card import ShownValue, card_json, card_of
from service.process.case import Source
from service.process.filling import with_unit
from service.process.reply import Action
from service.process.wording import conflicting, gap_reason, outcomes_of, uncovered

_ACTIONS = {
    Status.MATCHED: Action.CARD,
    Status.UNCOVERED: Action.NO_MATCH,
    Status.CONFLICT: Action.CONFLICT,
    Status.MISSING: Action.ASK,
}


@dataclass(frozen=True, slots=True)
class Evaluation:
    """`missing` are required fields that were not said; `matrices` one a table, or none when not wanted."""

    process: Process
    day: date
    facts: Facts
    route: Route
    missing: tuple[Field, ...]
    matrices: tuple[tuple[RowTruths, ...], ...] = ()

    @property
    def status(self) -> Status:
        """As in a conversation, and in the test cases: what must be said is asked first."""
        return Status.MISSING if self.missing else self.route.status

    @property
    def action(self) -> str:
        """As a conversation calls it."""
        return _ACTIONS[self.status].value


def read_facts(process: Process, texts: Mapping[str, str]) -> dict[str, Value]:
    """Values by field name, read as the cells of a test case are; names or codes of fields in.

    A blank text says nothing. Raises BadRequest that names every field and value that cannot be used.
    """
    found: dict[str, Value] = {}
    problems: list[dict[str, str]] = []
    for name, text in texts.items():
        field = process.field(plain(name))
        if field is None:
            names = [each.name for each in process.fields]
            problems.append(_problem(name, text, f"没有叫「{name}」的字段。", suggestion(plain(name), names)))
        elif field.name in found:
            problems.append(_problem(name, text, f"「{field.name}」写了两次。", "请只写一次。"))
        elif text.strip():
            try:
                found[field.name] = _value(field, text)
            except CellFault as fault:
                problems.append(_problem(name, text, fault.message, field.invalid or fault.mend))
    if problems:
        told = "；".join(f"{each['field']}：{each['message']}{each['mend']}" for each in problems)
        raise BadRequest(f"有的值不能用：{told}", code="invalid_facts", details={"problems": problems})
    return found


def _value(field: Field, text: str) -> Value:
    """Raises CellFault, also for what lies outside of the field's range."""
    value = read_value(field.synonyms.get(plain(text), text), field)
    if field.bounds is not None and not isinstance(value, str) and value not in field.bounds:
        raise bad_cell(text, "超出取值范围", f"「{field.name}」可以是 {said(Within((field.bounds,)))}。")
    return value


def _problem(field: str, value: str, message: str, mend: str) -> dict[str, str]:
    return {"field": field, "value": value, "message": message, "mend": mend}


def evaluated(process: Process, facts: Facts, day: date, *, matrix: bool = False) -> Evaluation:
    """Raises Conflict when the tables, those of a draft, cannot be evaluated."""
    try:
        found = route(process, facts, day)
    except (UnknownName, NotANumber) as error:
        raise Conflict(str(error), code="faulty_workbook") from error
    matrices = tuple(_matrices(process, facts, day)) if matrix else ()
    return Evaluation(process, day, facts, found, needed(process, facts), matrices)


def _matrices(process: Process, facts: Facts, day: date) -> Iterator[tuple[RowTruths, ...]]:
    absent = [
        field.name
        for field in process.fields
        if field.name not in facts and required(field, facts) is Truth.FALSE
    ]
    for table in process.tables:
        yield CompiledTable(table, day).matrix(facts, absent)


def message_of(found: Evaluation) -> str:
    """What a person is told, in plain text; empty for a matched route, whose card says it all."""
    if found.status is Status.UNCOVERED:
        return gap_reason(found.route) + uncovered(found.process, found.route)
    if found.status is Status.CONFLICT:
        return conflicting(found.process, found.route)
    if found.status is Status.MISSING:
        names = [field.name for field in found.missing] or list(found.route.undecided)
        return f"还需要知道：{'、'.join(names)}"
    return ""


def evaluation_json(found: Evaluation) -> dict[str, JsonValue]:
    """As the API answers and the command line prints."""
    process = found.process
    gap = found.route.gap if found.status is Status.UNCOVERED else None
    return {
        "process": {"id": process.id, "name": process.name},
        "version": process.version,
        "digest": process.digest,
        "as_of": found.day.isoformat(),
        "status": found.status.value,
        "action": found.action,
        "message": message_of(found),
        "facts": [
            {"field": field.name, "code": field.code, "value": typed(found.facts[field.name])}
            for field in process.fields
            if field.name in found.facts
        ],
        "missing": [
            {"field": field.name, "code": field.code, "question": field.question} for field in found.missing
        ],
        "undecided": list(found.route.undecided),
        "gap": {"id": gap.id, "reason": gap.reason} if gap else None,
        "card": _card(found),
        "tables": [
            _table(table, outcome, found.matrices[at] if found.matrices else None)
            for at, (table, outcome) in enumerate(zip(process.tables, outcomes_of(found.route), strict=True))
        ],
    }


def _card(found: Evaluation) -> JsonValue:
    if found.status is not Status.MATCHED:
        return None
    values = [
        ShownValue(field.name, field.code, with_unit(found.facts[field.name], field), Source.SAID.value)
        for field in found.process.fields
        if field.name in found.facts
    ]
    return card_json(card_of(found.process, found.route, values), case_id="")


def _table(table: DecisionTable, outcome: Outcome, matrix: Iterable[RowTruths] | None) -> JsonValue:
    told: dict[str, JsonValue] = {
        "table": table.name,
        "sheet": table.sheet,
        "policy": table.policy.value,
        "status": outcome.status.value,
        "hits": [rule.id for rule in outcome.hits],
        "deciding": [rule.id for rule in outcome.deciding],
        "undecided": list(outcome.undecided),
        "matched": [_row(each) for each in outcome.matched],
        "nearest": [_row(each) for each in outcome.nearest],
    }
    if matrix is not None:
        told["columns"] = [column.name for column in table.inputs]
        told["matrix"] = [
            {"rule": each.rule.id, "row": each.rule.row, "truths": [truth.value for truth in each.truths]}
            for each in matrix
        ]
    return told


def _row(reading: RowReading) -> JsonValue:
    return {
        "rule": reading.rule.id,
        "row": reading.rule.row,
        "conditions": [
            {"column": each.column, "cell": each.cell, "truth": each.truth.value}
            for each in reading.conditions
        ],
    }
