"""`zhixing eval amounts`: amounts as people say them, read, refused or misread, beside always refusing."""

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from pydantic import JsonValue

from rules.mentions.amounts import Amount, Op, read_amount
from rules.mentions.currencies import HOME
from service.evaluation.rows import Row

_SHOWN = 50


class AmountRow(Row):
    """`op` as `rules.mentions.amounts.Op` writes it; `value`, or `low` and `high` of a range."""

    id: str = ""
    text: str
    op: Op
    value: Decimal | None = None
    low: Decimal | None = None
    high: Decimal | None = None
    currency: str = HOME


@dataclass(frozen=True, slots=True)
class _Said:
    op: Op
    value: Decimal | None
    low: Decimal | None
    high: Decimal | None
    currency: str

    def __str__(self) -> str:
        number = f"{self.low}~{self.high}" if self.op is Op.RANGE else f"{self.value}"
        return f"{self.op} {number} {self.currency}"


def evaluate_amounts(rows: Sequence[AmountRow]) -> dict[str, JsonValue]:
    """Shares of the rows, by op too. `silent`: how many were taken as an exact value that they do not say."""
    report = _figures(rows, read_amount)
    report["always_refusing"] = {
        key: value
        for key, value in _figures(rows, lambda _: None).items()
        if key in ("right", "refused", "wrong")
    }
    return report


def _figures(rows: Sequence[AmountRow], read: Callable[[str], Amount | None]) -> dict[str, JsonValue]:
    counts: Counter[str] = Counter()
    by_op: dict[str, Counter[str]] = defaultdict(Counter)
    failures: list[JsonValue] = []
    for row in rows:
        expected, got = _said(row), _said(read(row.text))
        verdict = "refused" if got is None else "right" if got == expected else "wrong"
        counts[verdict] += 1
        counts["silent"] += verdict == "wrong" and got is not None and got.op is Op.EXACT
        by_op[row.op.value][verdict] += 1
        if verdict != "right":
            failures.append({"id": row.id, "text": row.text, "expected": str(expected), "got": str(got)})
    shares = {name: _share(counts[name], len(rows)) for name in ("right", "refused", "wrong")}
    ops: dict[str, JsonValue] = {op: dict(tally) for op, tally in sorted(by_op.items())}
    return {
        **shares,
        "silent": counts["silent"],
        "items": len(rows),
        "by_op": ops,
        "failures": failures[:_SHOWN],
    }


def _said(amount: Amount | AmountRow | None) -> _Said | None:
    if amount is None:
        return None
    return _Said(amount.op, amount.value, amount.low, amount.high, amount.currency)


def _share(count: int, of: int) -> float | None:
    return round(count / of, 4) if of else None
