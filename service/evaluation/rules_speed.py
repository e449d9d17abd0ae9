"""`zhixing bench rules`: how fast a decision table is evaluated and checked, beside a row-by-row evaluator.

The table is synthetic and sound: every case has exactly one row, so that the check has to look everywhere.
"""

import random
from collections.abc import Callable, Sequence
from datetime import date
from decimal import Decimal
from time import perf_counter

from rules.check import check
from rules.conditions import Anything, Condition, Interval, OneOf, Truth, Value, Within, meets
from rules.engine import CompiledTable
from rules.table import (
    NO,
    YES,
    DecisionTable,
    Facts,
    Field,
    FieldType,
    HitPolicy,
    Input,
    Output,
    Process,
    ResultKind,
    Rule,
)
from service.evaluation.scale import Figures

DAY = date(2025, 6, 1)
SEED = 20250601
BAND = Decimal(2500)
CATEGORIES = 10
ROWS_PER_BAND = 21  # what `_rest` makes of ten categories
NAIVE_CASES = 100  # a row-by-row evaluator is asked only so many
ROUNDS = 5


def bench_rules(rows: int, cases: int, *, seconds: float = 1.0) -> dict[str, dict[str, Figures]]:
    """Hit sets and explanations a second over `cases` random cases, and the check's milliseconds.

    Each figure is the best of the runs that fit in `seconds`, of at least `ROUNDS`.
    """
    process = sound_process(rows)
    table = process.main
    asked = random_cases(process.fields, cases)
    compiled = CompiledTable(table, DAY)
    naive = asked[:NAIVE_CASES]
    per_second = {
        "hit_sets": len(asked) / _best(lambda: compiled.hits(asked), seconds),
        "explained": len(asked) / _best(lambda: [compiled.evaluate(each) for each in asked], seconds),
        "row_by_row": len(naive) / _best(lambda: [row_by_row(table, each) for each in naive], seconds),
    }
    milliseconds = {
        "compile": 1000 * _best(lambda: CompiledTable(table, DAY), seconds),
        "check": 1000 * _best(lambda: check(process), seconds),
    }
    return {
        "rules": {
            "table": {
                "rows": float(len(table.rules)),
                "columns": float(len(table.inputs)),
                "cases": float(cases),
            },
            "per_second": per_second,
            "times_row_by_row": {
                name: per_second[name] / per_second["row_by_row"] for name in ("hit_sets", "explained")
            },
            "milliseconds": milliseconds,
        }
    }


def row_by_row(table: DecisionTable, facts: Facts) -> list[Rule]:
    """The evaluator everyone writes first: every row, every condition."""
    values = [facts.get(column.field) for column in table.inputs]
    return [
        rule
        for rule in table.rules
        if all(meets(each, value) is Truth.TRUE for each, value in zip(rule.conditions, values, strict=True))
    ]


def sound_process(rows: int) -> Process:
    """About `rows` rows over four columns: bands of money by category, urgency in some, days in the last."""
    bands = max(2, round(rows / ROWS_PER_BAND))
    fields = (
        Field("金额", "amount", FieldType.AMOUNT, bounds=Interval(Decimal(0), None)),
        Field("类别", "kind", FieldType.CHOICE, options=tuple(f"类别{at}" for at in range(CATEGORIES))),
        Field("紧急", "urgent", FieldType.YES_NO),
        Field("天数", "days", FieldType.INTEGER, bounds=Interval(Decimal(0), Decimal(365))),
    )
    inputs = tuple(Input(each.name, each.name, each.type, each.options, each.bounds) for each in fields)
    conditions = [
        (band, OneOf(frozenset({word})), urgent, days)
        for band in _bands(bands)
        for at, word in enumerate(fields[1].options)
        for urgent, days in _rest(at)
    ]
    rules = tuple(
        Rule(f"R{at}", each, (f"路径{at}",), row=at + 5) for at, each in enumerate(conditions, start=1)
    )
    table = DecisionTable(
        "合成", "决策表", HitPolicy.UNIQUE, inputs, (Output("路径", ResultKind.PATH),), rules
    )
    return Process("BENCH", "合成", (), "", "1", None, None, "元", "", fields, (table,))


def random_cases(fields: Sequence[Field], count: int) -> list[Facts]:
    """Values all over the table; one in ten is a boundary."""
    draw = random.Random(SEED)
    found: list[Facts] = []
    for _ in range(count):
        cents = Decimal(draw.randrange(0, 12_000_000)) / 100
        amount = cents // BAND * BAND if draw.random() < 0.1 else cents
        values: tuple[Value, ...] = (
            amount,
            draw.choice(fields[1].options),
            draw.choice((YES, NO)),
            Decimal(draw.randrange(366)),
        )
        found.append({field.name: value for field, value in zip(fields, values, strict=True)})
    return found


def _bands(count: int) -> list[Condition]:
    """Half-open bands of money; the last has no end."""
    ends = [BAND * at for at in range(1, count)]
    lows: list[Decimal | None] = [None, *ends]
    highs: list[Decimal | None] = [*ends, None]
    return [Within((Interval(low, high, True, False),)) for low, high in zip(lows, highs, strict=True)]


def _rest(category: int) -> list[tuple[Condition, Condition]]:
    """Urgency and days of one category: one row, two or four that share the cases out."""
    urgent: list[Condition] = [OneOf(frozenset({YES})), OneOf(frozenset({NO}))]
    early, late = Within((Interval(None, Decimal(30)),)), Within((Interval(Decimal(31), None),))
    if category % 4 == 0:
        return [(Anything(), Anything())]
    if category % 4 == 1:
        return [(each, Anything()) for each in urgent]
    if category % 4 == 2:
        return [(Anything(), early), (Anything(), late)]
    return [(each, days) for each in urgent for days in (early, late)]


def _best(work: Callable[[], object], seconds: float) -> float:
    """Seconds of the quickest run: noise on a shared machine only ever adds."""
    times: list[float] = []
    while len(times) < ROUNDS or sum(times) < seconds:
        started = perf_counter()
        work()
        times.append(perf_counter() - started)
    return min(times)
