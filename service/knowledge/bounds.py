"""Bounds 上下限 in a row or an item (20,000元以上、不满50,000元), held against the amounts of a question."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from ingestion.literals import LiteralKind, find_literals, parse_number

_VALUE = re.compile(r"[\d.]+")
_UNITS = {"元": "money", "块": "money", "万元": "money", "日": "day", "天": "day", "工作日": "day"}
_NUMBER = r"(?P<n>\d[\d,]*(?:\.\d+)?\s?[百千万亿]*|[零一二三四五六七八九十百千万亿两]+)"
_UNIT = r"\s?个?(?P<unit>工作日|小时|分钟|个月|万元|元|日|天|年|月|周|岁|人|次|份|台|件|分|%)?"
_SIGN = r"(?P<sign>不(?:超过|高于|多于|少于|低于|满|足)|未满|超过|低于|高于|少于|大于|小于|满)"
_BEFORE = re.compile(rf"{_SIGN}{_NUMBER}{_UNIT}")
_AFTER = re.compile(rf"(?<![不未]满)(?<!超过){_NUMBER}{_UNIT}(?P<sign>以上|以下|以内|及以上|及以下)")


class _Side(StrEnum):
    AT_LEAST = "at_least"
    ABOVE = "above"
    AT_MOST = "at_most"
    BELOW = "below"


_SIDES = {
    **dict.fromkeys(("不少于", "不低于", "满", "以上", "及以上"), _Side.AT_LEAST),
    **dict.fromkeys(("超过", "高于", "大于"), _Side.ABOVE),
    **dict.fromkeys(("不超过", "不高于", "不多于", "以下", "以内", "及以下"), _Side.AT_MOST),
    **dict.fromkeys(("不满", "不足", "未满", "低于", "少于", "小于"), _Side.BELOW),
}


@dataclass(frozen=True, slots=True)
class Amount:
    """`unit` is empty for a bare number."""

    value: Decimal
    unit: str


@dataclass(frozen=True, slots=True)
class Bound:
    """「以上」 and 「以内」 include their number, 「不满」 and 「超过」 do not (Civil Code, article 1259)."""

    side: _Side
    amount: Amount

    def holds(self, value: Decimal) -> bool:
        limit = self.amount.value
        match self.side:
            case _Side.AT_LEAST:
                return value >= limit
            case _Side.ABOVE:
                return value > limit
            case _Side.AT_MOST:
                return value <= limit
            case _Side.BELOW:
                return value < limit


def amounts(question: str) -> tuple[Amount, ...]:
    """The amounts a folded question names; dates, articles and codes are none."""
    found = []
    for literal in find_literals(question):
        if literal.kind not in (LiteralKind.QUANTITY, LiteralKind.NUMBER):
            continue
        number = _VALUE.match(literal.normal)
        if number:
            found.append(Amount(Decimal(number.group()), _measure(literal.normal[number.end() :])))
    return tuple(found)


def bounds(text: str, unit: str = "") -> tuple[Bound, ...]:
    """The bounds a folded text states; `unit` is that of its column."""
    return tuple(_read(text, unit))


def _read(text: str, unit: str) -> Iterator[Bound]:
    for pattern in (_BEFORE, _AFTER):
        for match in pattern.finditer(text):
            value = parse_number(match["n"])
            if value is not None:
                if match["unit"] == "万元":
                    value *= 10_000
                yield Bound(_SIDES[match["sign"]], Amount(value, _measure(match["unit"] or unit)))


def fits(asked: tuple[Amount, ...], stated: tuple[Bound, ...]) -> bool | None:
    """Whether an asked amount lies within the bounds; None when none can be compared with them."""
    verdicts = [
        all(bound.holds(amount.value) for bound in comparable)
        for amount in asked
        if (comparable := [bound for bound in stated if _comparable(amount, bound.amount)])
    ]
    return any(verdicts) if verdicts else None


def _comparable(asked: Amount, limit: Amount) -> bool:
    """A bare number is meant in the column's money (「一百万的采购」); else the units must agree."""
    return asked.unit == limit.unit or (not asked.unit and limit.unit == "money")


def _measure(unit: str) -> str:
    return _UNITS.get(unit, unit)
