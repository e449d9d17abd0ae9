"""`zhixing eval process`: labelled dialogues through the process path, by the offline grammar.

Every turn is judged by its action, slots, route and materials. A wrong card is a card where none was right,
or another one than was right: there must be none.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from itertools import count
from pathlib import Path
from time import perf_counter

import numpy as np
from pydantic import JsonValue
from pydantic_core import to_jsonable_python

from ingestion.analyzer import Analyzer
from rules.conditions import Value
from rules.loader import load
from rules.table import Process
from service.errors import BadRequest
from service.evaluation.rows import Row
from service.process.acts import Acts
from service.process.card import number
from service.process.case import Desk
from service.process.filling import Profile
from service.process.guide import Guide
from service.process.reply import Action, Reply

_WHOLE = ("action", "slots", "route", "materials")  # what a turn must have right


class ExpectedTurn(Row):
    """What is right after a turn. Absent keys are not judged."""

    intent: str = ""
    process: str | None = None
    slots: dict[str, JsonValue] = {}
    invalid: list[dict[str, str]] = []
    missing: list[str] | None = None
    first_ask: str | None = None
    action: str
    rule: str | None = None
    path: str | None = None
    steps: list[str] | None = None
    materials: list[str] | None = None
    days: float | None = None
    declared_gap: str | None = None
    contact: str | None = None
    candidates: list[str] | None = None
    status_query: dict[str, str] | None = None
    must_not: list[str] = []


class UserTurn(Row):
    user: str
    expect: ExpectedTurn


class Dialogue(Row):
    id: str
    category: str = ""
    profile: dict[str, str] | None = None
    turns: list[UserTurn]


@dataclass
class _Score:
    turns: int = 0
    right: Counter[str] = field(default_factory=Counter)
    judged: Counter[str] = field(default_factory=Counter)
    wrong_cards: int = 0
    over_asked: int = 0
    failures: list[JsonValue] = field(default_factory=list)
    milliseconds: list[float] = field(default_factory=list)


def load_processes(folder: Path) -> list[Process]:
    """Every workbook of the folder. Raises BadRequest for one that cannot serve."""
    processes = []
    for path in sorted(folder.glob("*.xlsx")):
        loaded = load(path)
        if loaded.process is None:
            told = "；".join(finding.message for finding in loaded.findings[:3])
            raise BadRequest(f"{path.name} 不能用：{told}")
        processes.append(loaded.process)
    if not processes:
        raise BadRequest(f"{folder} 里没有流程表（*.xlsx）")
    return processes


def evaluate_process(
    processes: Sequence[Process], dialogues: Sequence[Dialogue], acts: Acts, analyzer: Analyzer, day: date
) -> dict[str, JsonValue]:
    """DESIGN section 8's figures, and beside them a stub that always asks for the first field."""
    ids = count(1)
    guide = Guide(processes, acts, analyzer, day, lambda: f"case-{next(ids)}")
    score = _Score()
    for dialogue in dialogues:
        _play(guide, dialogue, score)
    asks = sum(turn.expect.action == Action.ASK for d in dialogues for turn in d.turns)
    low, high = np.percentile(score.milliseconds or [0.0], [50, 95])
    return {
        "turns": score.turns,
        **{name: _share(score, name) for name in (*_WHOLE, "intent", "whole")},
        "wrong_cards": score.wrong_cards,
        "over_asked": round(score.over_asked / score.turns, 4) if score.turns else 0.0,
        "stub_always_asks": {"action": round(asks / score.turns, 4) if score.turns else 0.0},
        "latency_ms": {"p50": round(float(low), 2), "p95": round(float(high), 2)},
        "failures": score.failures,
    }


def _share(score: _Score, name: str) -> float:
    return round(score.right[name] / score.judged[name], 4) if score.judged[name] else 0.0


def _play(guide: Guide, dialogue: Dialogue, score: _Score) -> None:
    desk = Desk()
    profile = Profile((dialogue.profile or {}).get("department", ""))
    for place, turn in enumerate(dialogue.turns, 1):
        started = perf_counter()
        desk, reply = guide.turn(desk, turn.user, profile)
        score.milliseconds.append((perf_counter() - started) * 1000)
        score.turns += 1
        verdicts = dict(_judged(turn.expect, reply))
        for name, wrong in verdicts.items():
            score.judged[name] += 1
            score.right[name] += not wrong
        whole = not any(verdicts[name] for name in _WHOLE if name in verdicts)
        score.judged["whole"] += 1
        score.right["whole"] += whole
        right_card = turn.expect.action == Action.CARD and not verdicts.get("route")
        score.wrong_cards += reply.action is Action.CARD and not right_card
        score.over_asked += reply.action is Action.ASK and turn.expect.action == Action.CARD
        faults = {name: wrong for name, wrong in verdicts.items() if wrong}
        if faults:
            told: dict[str, JsonValue] = {**faults}
            score.failures.append({"id": dialogue.id, "turn": place, "user": turn.user, **told})


def _judged(expected: ExpectedTurn, reply: Reply) -> Iterator[tuple[str, JsonValue]]:
    """(what is judged, the fault with both sides, or None where it is right)."""
    yield "action", _differs(expected.action, reply.action.value)
    yield "intent", _differs(expected.intent, reply.does.value) if expected.intent else None
    if expected.process is not None:
        yield "slots", _differs(_plain(expected.slots), _slots(reply))
    if expected.action == Action.ASK and expected.first_ask is not None:
        asked = reply.asked.code if reply.asked else ""
        yield "first_ask", _differs(expected.first_ask, asked)
    if expected.invalid:
        found = sorted((_code(reply, one.field), one.reason.value) for one in reply.refused)
        wanted = sorted((one["field"], one["reason"]) for one in expected.invalid)
        yield "invalid", _differs(wanted, found)
    if expected.action == Action.CARD:
        yield "route", _differs(_expected_route(expected), _route(reply))
        materials = [need.material.id for need in reply.card.needs] if reply.card else []
        yield "materials", _differs(expected.materials or [], materials)
    if expected.declared_gap is not None:
        gap = reply.route.gap.id if reply.route and reply.route.gap else ""
        yield "gap", _differs(expected.declared_gap, gap)
    if expected.candidates is not None:
        yield "candidates", _differs(sorted(expected.candidates), sorted(reply.candidates))
    said = [word for word in expected.must_not if word in reply.text]
    if expected.must_not:
        yield "must_not", _differs([], said)


def _differs(expected: object, got: object) -> JsonValue:
    """Both sides as JSON, where they differ."""
    if expected == got:
        return None
    return {"expected": to_jsonable_python(expected), "got": to_jsonable_python(got)}


def _expected_route(expected: ExpectedTurn) -> JsonValue:
    return [expected.rule, expected.path, list(expected.steps or []), _day_count(expected.days)]


def _route(reply: Reply) -> JsonValue:
    if reply.card is None:
        return None
    rule = reply.card.basis.rules[0].id if reply.card.basis.rules else None
    days = number(reply.card.days)
    return [rule, reply.card.path, [node.name for node in reply.card.nodes], _day_count(days)]


def _day_count(days: float | None) -> float | None:
    return None if days is None else float(days)


def _slots(reply: Reply) -> dict[str, JsonValue]:
    if reply.case is None or reply.process is None:
        return {}
    found: dict[str, JsonValue] = {}
    for name, slot in reply.case.slots.items():
        found[_code(reply, name)] = _json(slot.value)
    return found


def _json(value: Value) -> JsonValue:
    if isinstance(value, Decimal):
        return float(value)
    return value.isoformat() if isinstance(value, date) else value


def _plain(slots: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    numbers = (int, float)
    return {
        name: float(value) if isinstance(value, numbers) and not isinstance(value, bool) else value
        for name, value in slots.items()
    }


def _code(reply: Reply, name: str) -> str:
    of = reply.process.field(name) if reply.process else None
    return of.code if of else name
