"""`zhixing eval values`: money, numbers and days as three open libraries read them, by source and kind.

Their conventions differ: an inexact value with other bounds than theirs counts as `differs`. `wrong` is what
must not be: an exact value that theirs is not. Kinds without a reader here are counted and listed.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence

from pydantic import JsonValue

from service.evaluation.rows import Row
from service.evaluation.values_of_days import datetime, duration_or_day, written_day
from service.evaluation.values_of_money import (
    currency,
    extracted,
    money,
    number,
    written_money,
    written_number,
)
from service.evaluation.verdicts import Judge, Verdict

_SHOWN = 100

_JUDGES: dict[tuple[str, str], Judge] = {
    ("jionlp", "money"): money,
    ("jionlp", "money_extract"): extracted,
    ("jionlp", "time"): duration_or_day,
    ("recognizers-text", "currency"): currency,
    ("recognizers-text", "number"): number,
    ("recognizers-text", "datetime"): datetime,
    ("wetext-itn", "itn_money"): written_money,
    ("wetext-itn", "itn_number"): written_number,
    ("wetext-itn", "itn_date"): written_day,
}


class ValueRow(Row):
    """`gold` in the form of its source; `base` the moment it was said."""

    id: str
    source: str
    kind: str
    text: str
    base: JsonValue = None
    gold: JsonValue = None


def evaluate_values(rows: Sequence[ValueRow]) -> dict[str, JsonValue]:
    """Per source and kind how many are right, refused, differ or are wrong, and how many are not aimed at."""
    tallies: dict[str, dict[str, Counter[str]]] = defaultdict(lambda: defaultdict(Counter))
    unsupported: dict[str, Counter[str]] = defaultdict(Counter)
    failures: list[JsonValue] = []
    for row in rows:
        judge = _JUDGES.get((row.source, row.kind))
        if judge is None:
            unsupported[row.source][row.kind] += 1
            continue
        judged = judge(row.text, row.base, row.gold)
        tallies[row.source][row.kind][judged.verdict] += 1
        if judged.verdict in (Verdict.WRONG, Verdict.REFUSED, Verdict.DIFFERS):
            failures.append(
                {"id": row.id, "text": row.text, "verdict": judged.verdict.value, "got": judged.got}
            )
    wrong = sum(tally[Verdict.WRONG] for kinds in tallies.values() for tally in kinds.values())
    return {
        "by_source": {
            source: {kind: _counts(tally) for kind, tally in kinds.items()}
            for source, kinds in tallies.items()
        },
        "unsupported": {source: dict(kinds) for source, kinds in unsupported.items()},
        "wrong": wrong,
        "items": len(rows),
        "failures": failures[:_SHOWN],
    }


def _counts(tally: Counter[str]) -> JsonValue:
    return {verdict.value: tally[verdict] for verdict in Verdict}
