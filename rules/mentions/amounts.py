"""Amounts of money in office Chinese, with the exact place where each stands. A refusal beats a guess.

Read in this order: a sum (figure, currency, 角 and 分), a second one it reaches to, the words around it, and
whether it is money at all: years, counts, percentages, numbers of documents are not.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal

from rules.mentions.contexts import Reading, is_money
from rules.mentions.currencies import HOME
from rules.mentions.figures import Op
from rules.mentions.folding import fold
from rules.mentions.hedges import hedge_behind, hedge_in_front, note_behind
from rules.mentions.prices import each_behind, priced_by
from rules.mentions.sums import Sum, shared, sum_at

__all__ = ["Amount", "Op", "read_amount", "read_amounts"]


@dataclass(frozen=True, slots=True)
class Amount:
    """`value` in the currency's unit, or `low` and `high` of a range. `text` is the original's [start:end].

    `per` is the measure word of a unit price (台 in 每台八千), "" of one that names none (单价8千), None of a
    sum that is no unit price. Everything but op "=" says less than a value.
    """

    op: Op
    text: str
    start: int
    end: int
    value: Decimal | None = None
    low: Decimal | None = None
    high: Decimal | None = None
    currency: str = HOME
    per: str | None = None


_TO = re.compile(r" *(?:到|至|-{1,2}|~|—{1,2}|–|─|〜|∼)")
_AND = re.compile(r" *(?:和|与|跟|及) *")
_BETWEEN = re.compile(r"(?:元|块)? *(?:之间|间(?![接断]))")
_AND_BELOW = re.compile(r"[ ,、]*(?:且|但|并且?|又|而|同时)?[ ,、]*")
_AROUND = re.compile(
    r"(?:预算|刚好|正好|恰好|整整|实付|金额|价格|总价|总额|费用|总共|一共|共计?|合计|总计"
    r"|就是|就|是|要|花了?|按|我|在|为|嗯|从|介于|[:, ])*"
)
_AFTER = re.compile(r"(?:就?行|就?够了?|之间|[吧呢啊呀哦嗯哈的了钱整算。!,;~ ])*")
_LOWER, _UPPER = (Op.AT_LEAST, Op.MORE), (Op.AT_MOST, Op.LESS)


def read_amounts(text: str, *, bare: bool = False) -> list[Amount]:
    """All amounts of a sentence in their order. `bare`: also plain digits without any unit (花了3200)."""
    return list(_with_bounds(text, _amounts(text, fold(text), bare=bare, whole=False)))


def read_amount(text: str) -> Amount | None:
    """The amount that `text` is as a whole, as the answer to a question for one; otherwise None."""
    folded = fold(text)
    found = list(_with_bounds(text, _amounts(text, folded, bare=True, whole=True)))
    if len(found) != 1:
        return None
    only = found[0]
    hedge = hedge_in_front(folded, only.start, 0)
    before, after = folded[: hedge.at if hedge else only.start], folded[only.end :]
    return only if _AROUND.fullmatch(before) and _AFTER.fullmatch(after) else None


def _amounts(text: str, folded: str, *, bare: bool, whole: bool) -> Iterator[Amount]:
    at, floor = 0, 0
    while at < len(folded):
        first = sum_at(folded, at)
        if first is None:
            at += 1
            continue
        span = _reaching(folded, first)
        amount = _amount(text, folded, span, floor)
        reading = Reading(folded, span.start, span.end, amount.start, amount.end, bare=bare, whole=whole)
        if span.low is not None and is_money(reading, span, hedged=amount.op is not Op.EXACT):
            yield amount
            span = replace(span, end=amount.end)
        at = floor = max(span.end, at + 1)


def _reaching(text: str, first: Sum) -> Sum:
    """三到五万, 2.5k-3k, 3万和5万之间: a range with the unit and currency of its end; 从3万到2万 is none."""
    behind = note_behind(text, first.end)
    if match := _TO.match(text, behind):
        second = sum_at(text, match.end())
        return first if second is None else shared(text, first, second, note_behind(text, second.end))
    if (match := _AND.match(text, behind)) and (second := sum_at(text, match.end())):
        between = _BETWEEN.match(text, second.end)
        return shared(text, first, second, between.end()) if between else first
    return first


def _amount(text: str, folded: str, span: Sum, floor: int) -> Amount:
    """The sum with what the words around it say; they make no single value of a range."""
    front = hedge_in_front(folded, span.start, floor)
    behind = hedge_behind(folded, span.end) or hedge_behind(folded, each_behind(folded, span.end))
    if span.op is Op.RANGE:
        front, behind = None, behind if behind and behind.op is Op.ABOUT else None
    op = span.op
    for hedge in (behind, front):
        op = _hedged(op, hedge.op) if hedge and op is not Op.RANGE else op
    start = front.at if front and front.touching else span.start
    end = behind.at if behind else span.end
    per = priced_by(folded, start, span.end)
    per = priced_by(folded, start, end) if per is None else per  # 5000左右一台, 5000一台左右
    piece = text[start:end]
    if op is Op.RANGE:
        return Amount(op, piece, start, end, None, span.low, span.high, span.currency, per)
    return Amount(op, piece, start, end, span.low, None, None, span.currency, per)


def _hedged(op: Op, word: Op) -> Op:
    """大概8万以内 is at most that, 五十多万左右 more than 50万; 至少8万以下 contradicts itself."""
    if op in (Op.EXACT, Op.ABOUT):
        return word
    if word is Op.ABOUT:
        return op
    return word if {op, word} <= set(_LOWER) or {op, word} <= set(_UPPER) else Op.ABOUT


def _with_bounds(text: str, amounts: Iterator[Amount]) -> Iterator[Amount]:
    """5万以上且不满20万: two bounds side by side are one range."""
    before: Amount | None = None
    for amount in amounts:
        if before and _bounds(text, before, amount):
            piece = text[before.start : amount.end]
            low, high = before.value, amount.value
            before = Amount(Op.RANGE, piece, before.start, amount.end, None, low, high, before.currency)
            continue
        if before:
            yield before
        before = amount
    if before:
        yield before


def _bounds(text: str, lower: Amount, upper: Amount) -> bool:
    if lower.op not in _LOWER or upper.op not in _UPPER or lower.value is None or upper.value is None:
        return False
    beside = _AND_BELOW.fullmatch(fold(text[lower.end : upper.start])) is not None
    return beside and lower.value < upper.value and lower.currency == upper.currency
