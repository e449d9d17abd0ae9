"""Reads decision tables whose cells are FEEL (DMN) into our own, to run the engine on a peer suite.

A test adapter, not part of the product: no expression is ever evaluated. What it does not read it names.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from pathlib import Path

from rules.conditions import Anything, Condition, Interval, OneOf, Ordered, Value, Within
from rules.engine import CompiledTable, Status
from rules.policies import AGGREGATES
from rules.table import NO, SINGLE_HIT, YES, DecisionTable, FieldType, HitPolicy, Input, Output, Result, Rule

POLICIES = {
    ("UNIQUE", None): HitPolicy.UNIQUE,
    ("ANY", None): HitPolicy.ANY,
    ("FIRST", None): HitPolicy.FIRST,
    ("PRIORITY", None): HitPolicy.PRIORITY,
    ("OUTPUT ORDER", None): HitPolicy.OUTPUT_ORDER,
    ("RULE ORDER", None): HitPolicy.RULE_ORDER,
    ("COLLECT", None): HitPolicy.COLLECT,
    ("COLLECT", "SUM"): HitPolicy.COLLECT_SUM,
    ("COLLECT", "MIN"): HitPolicy.COLLECT_MIN,
    ("COLLECT", "MAX"): HitPolicy.COLLECT_MAX,
    ("COLLECT", "COUNT"): HitPolicy.COLLECT_COUNT,
}
TYPES = {
    "number": FieldType.AMOUNT,
    "string": FieldType.TEXT,
    "boolean": FieldType.YES_NO,
    "date": FieldType.DATE,
}
FOREVER = date(2000, 1, 1)

_LITERAL = re.compile(
    r'"(?P<text>[^"]*)"|(?:date\("|@")(?P<day>\d{4}-\d\d-\d\d)"\)?|(?P<number>-?(?:\d+(?:\.\d+)?|\.\d+))'
    r"|(?P<flag>true|false)"
)
_RANGE = re.compile(r"(?P<open>[\[(\]])(?P<low>.+?)\.\.(?P<high>.+?)(?P<close>[\])\[])")
_COMPARED = re.compile(r"(?P<operator><=|>=|<|>|=)\s*(?P<end>.+)")


class Unsupported(Exception):
    """A cell of a kind the engine does not aim at: an expression, an endpoint that is a variable."""


@dataclass(frozen=True, slots=True)
class Case:
    id: str
    given: Mapping[str, Value]
    expected: object  # as our results are read: see `plain`


def load(path: Path) -> Mapping[str, object]:
    found = json.loads(path.read_text(encoding="utf-8"), parse_float=Decimal, parse_int=Decimal)
    assert isinstance(found, dict)
    return found


def table_of(raw: Mapping[str, object]) -> DecisionTable:
    """Rows are named by their number from 1. Raises Unsupported."""
    inputs = tuple(_input(each) for each in _mappings(raw["inputs"]))
    outputs = tuple(
        Output(str(each["name"] or "result"), priority=tuple(str(v) for v in _list(each["values"] or [])))
        for each in _mappings(raw["outputs"])
    )
    rules = tuple(
        Rule(
            str(number),
            tuple(
                condition(str(text), column) for text, column in zip(_list(each["in"]), inputs, strict=True)
            ),
            tuple(result(str(text)) for text in _list(each["out"])),
            row=number,
        )
        for number, each in enumerate(_mappings(raw["rules"]), start=1)
    )
    aggregation = raw["aggregation"]
    policy = POLICIES[str(raw["hit_policy"]), None if aggregation is None else str(aggregation)]
    return DecisionTable(str(raw["id"]), "决策表", policy, inputs, outputs, rules)


def cases_of(raw: Mapping[str, object]) -> Iterator[Case]:
    for each in _mappings(raw["cases"]):
        given = each["given"]
        assert isinstance(given, dict)
        yield Case(str(each["id"]), dict(_flattened(given)), plain(each["expect"]))


def outcome(raw: Mapping[str, object], table: DecisionTable, case: Case) -> object:
    """What the engine answers in the form of the data: one value, one per output by name, or a list of them.

    Without a row the outputs' default values, null where they have none.
    """
    found = CompiledTable(table, FOREVER).evaluate(
        case.given, absent=[column.field for column in table.inputs]
    )
    if found.status is Status.CONFLICT:
        return found.status
    rows = [_row(table, results) for results in found.results] or [_default(raw, table)]
    single = table.policy in SINGLE_HIT or table.policy in AGGREGATES or not found.results
    return rows[0] if single else rows


def plain(value: object) -> object:
    """JSON values and our results in one form: 是 and 否 for true and false, lists for tuples."""
    if isinstance(value, bool):
        return YES if value else NO
    if isinstance(value, dict) and "$date" not in value:
        return {name: plain(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    return point_value(value) if isinstance(value, dict) else value


def point_value(raw: object) -> Value:
    if isinstance(raw, bool):
        return YES if raw else NO
    if isinstance(raw, dict):
        if set(raw) != {"$date"}:
            raise Unsupported(f"temporal value: {raw}")
        return date.fromisoformat(str(raw["$date"]))
    assert isinstance(raw, Decimal | str)
    return raw


def condition(text: str, column: Input) -> Condition:
    """One unary test. Raises Unsupported."""
    said = text.strip()
    if said == "-":
        return Anything()
    negated = said.startswith("not(") and said.endswith(")")
    parts = _alternatives(said[4:-1] if negated else said)
    if column.type in (FieldType.AMOUNT, FieldType.DATE):
        return Within(tuple(_interval(part) for part in parts), negated)
    return OneOf(frozenset(str(_literal(part)) for part in parts), negated)


def result(text: str) -> Result:
    value = _literal(text.strip())
    return value.isoformat() if isinstance(value, date) else value


def interval_of(text: str) -> Interval:
    return _interval(text)


def _row(table: DecisionTable, results: Sequence[Result]) -> object:
    if len(results) == 1:
        return plain(results[0])
    return {output.name: plain(each) for output, each in zip(table.outputs, results, strict=True)}


def _default(raw: Mapping[str, object], table: DecisionTable) -> object:
    texts = [each["default"] for each in _mappings(raw["outputs"])]
    if all(text is None for text in texts):
        return None
    return _row(table, [result("" if text is None else str(text)) for text in texts])


def _input(raw: Mapping[str, object]) -> Input:
    allowed = raw["allowed"]
    words = tuple(str(each) for each in allowed) if isinstance(allowed, list) else ()
    bounds = _interval(str(allowed["feel"])) if isinstance(allowed, dict) else None
    kind = TYPES.get(str(raw["type"]))
    if kind is None:
        raise Unsupported(f"input type: {raw['type']}")
    return Input(str(raw["expr"]), str(raw["expr"]), kind, words, bounds)


def _alternatives(text: str) -> list[str]:
    """Cut at the commas outside quotes; nothing that is read has one in brackets."""
    parts, quoted, start = [], False, 0
    for place, char in enumerate(text):
        quoted ^= char == '"'
        if char == "," and not quoted:
            parts.append(text[start:place])
            start = place + 1
    return [part.strip() for part in (*parts, text[start:])]


def _interval(text: str) -> Interval:
    ranged = _RANGE.fullmatch(text.strip())
    if ranged:
        low, high = _end(ranged["low"]), _end(ranged["high"])
        return Interval(low, high, ranged["open"] == "[", ranged["close"] == "]")
    compared = _COMPARED.fullmatch(text.strip())
    if compared is None or compared["operator"] == "=":
        point = _end(compared["end"] if compared else text)
        return Interval(point, point)
    end, operator = _end(compared["end"]), compared["operator"]
    if operator[0] == "<":
        return Interval(None, end, high_closed=operator == "<=")
    return Interval(end, None, low_closed=operator == ">=")


def _end(text: str) -> Ordered:
    value = _literal(text.strip())
    if isinstance(value, str):
        raise Unsupported(f"not an ordered value: {text}")
    return value


def _literal(text: str) -> Value:
    found = _LITERAL.fullmatch(text)
    if found is None:
        raise Unsupported(f"expression: {text}")
    if found["text"] is not None:
        return found["text"]
    if found["day"] is not None:
        return date.fromisoformat(found["day"])
    if found["number"] is not None:
        return Decimal(found["number"])
    return YES if found["flag"] == "true" else NO


def _flattened(given: Mapping[str, object], prefix: str = "") -> Iterator[tuple[str, Value]]:
    """structA.price, as the inputs name it."""
    for name, value in given.items():
        if isinstance(value, dict) and not any(key.startswith("$") for key in value):
            yield from _flattened(value, f"{prefix}{name}.")
        else:
            yield prefix + name, point_value(value)


def _list(raw: object) -> list[object]:
    assert isinstance(raw, list)
    return raw


def _mappings(raw: object) -> list[Mapping[str, object]]:
    return [each for each in _list(raw) if isinstance(each, dict)]
