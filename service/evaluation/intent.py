"""`zhixing eval intent`: which path a message is for, beside always naming the most frequent one.

An unclear row is right when both of its paths are offered and no others. A clear one that is answered with a
choice counts as wrong in `accuracy`; how many of those held the right path stands in `clear_offered`.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Literal, Self

from pydantic import JsonValue, model_validator

from service.evaluation.rows import Row
from service.intent.cues import Intent
from service.intent.reader import IntentReader, Reading

UNCLEAR: Literal["unclear"] = "unclear"
_SHOWN = 50


class IntentRow(Row):
    """`intent` is a path, or `unclear` with the two that should be offered in `either`."""

    text: str
    intent: Intent | Literal["unclear"]
    either: tuple[Intent, ...] = ()
    open_case: bool = False

    @model_validator(mode="after")
    def _two_to_choose_from(self) -> Self:
        if (self.intent == UNCLEAR) != (len(set(self.either)) == 2):
            raise ValueError("intent 为 unclear 的要在 either 里写两个不同的选择，其余的不写 either")
        return self


@dataclass(frozen=True, slots=True)
class _Judged:
    row: IntentRow
    reading: Reading

    @property
    def got(self) -> str:
        return UNCLEAR if self.reading.either else self.reading.intent.value

    @property
    def right(self) -> bool:
        if self.row.intent == UNCLEAR:
            return set(self.reading.either) == set(self.row.either)
        return self.got == self.row.intent

    @property
    def offered(self) -> bool:
        """A clear row whose path is one of two that are offered."""
        return self.row.intent in self.reading.either


def evaluate_intent(rows: Sequence[IntentRow], reader: IntentReader) -> dict[str, JsonValue]:
    """Shares of the rows; `process_as_knowledge` and its reverse are shares of the rows of the former."""
    seconds: list[float] = []

    def timed(row: IntentRow) -> Reading:
        began = perf_counter()
        reading = reader.read(row.text, open_case=row.open_case)
        seconds.append(perf_counter() - began)
        return reading

    report = _figures(rows, timed)
    frequent = Counter(row.intent for row in rows if row.intent != UNCLEAR).most_common(1)
    stub = Reading(Intent(frequent[0][0]) if frequent else Intent.OTHER)
    beside = _figures(rows, lambda _: stub)
    compared: dict[str, JsonValue] = {
        key: beside[key]
        for key in ("accuracy", "unclear_offered", "process_as_knowledge", "knowledge_as_process")
    }
    return {
        **report,
        "latency_ms": _latency(seconds),
        "always_the_most_frequent": {"says": stub.intent, **compared},
    }


def _figures(rows: Sequence[IntentRow], read: Callable[[IntentRow], Reading]) -> dict[str, JsonValue]:
    judged = [_Judged(row, read(row)) for row in rows]
    by_intent: dict[str, list[_Judged]] = defaultdict(list)
    for one in judged:
        by_intent[one.row.intent].append(one)
    clear = [one for one in judged if one.row.intent != UNCLEAR]
    confusion: dict[str, JsonValue] = {
        intent: dict(Counter(one.got for one in some)) for intent, some in sorted(by_intent.items())
    }
    shares: dict[str, JsonValue] = {intent: _right(some) for intent, some in sorted(by_intent.items())}
    failures: list[JsonValue] = [_failure(one) for one in judged if not one.right]
    return {
        "accuracy": _right(judged),
        "unclear_offered": _right(by_intent[UNCLEAR]),
        "clear_offered": _share(sum(one.offered for one in clear), len(clear)),
        "process_as_knowledge": _taken(by_intent[Intent.PROCESS], Intent.KNOWLEDGE),
        "knowledge_as_process": _taken(by_intent[Intent.KNOWLEDGE], Intent.PROCESS),
        "items": len(judged),
        "by_intent": shares,
        "confusion": confusion,
        "failures": failures[:_SHOWN],
    }


def _latency(seconds: Sequence[float]) -> dict[str, JsonValue]:
    """p50, p95 and the longest, in milliseconds."""
    ordered = sorted(seconds)
    at = {"p50": 0.5, "p95": 0.95, "max": 1.0}
    return {
        name: round(ordered[min(int(share * len(ordered)), len(ordered) - 1)] * 1000, 3) if ordered else None
        for name, share in at.items()
    }


def _failure(one: _Judged) -> JsonValue:
    expected = "/".join(one.row.either) or one.row.intent
    got = "/".join(one.reading.either) or one.reading.intent
    cues: list[JsonValue] = list(one.reading.cues)
    return {"text": one.row.text, "expected": expected, "got": got, "cues": cues}


def _taken(rows: Sequence[_Judged], as_intent: Intent) -> float | None:
    return _share(sum(one.got == as_intent for one in rows), len(rows))


def _right(rows: Sequence[_Judged]) -> float | None:
    return _share(sum(one.right for one in rows), len(rows))


def _share(count: int, of: int) -> float | None:
    return round(count / of, 4) if of else None
