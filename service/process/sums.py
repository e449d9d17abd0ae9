"""The sums that a message speaks of, each as a piece that means the same when it is read alone.

What is no exact sum must not look like one once it is cut out: the piece of 大概我们要5万 takes the 大概 in,
that of 5000+3000 the whole calculation, that of 8000或者1万 both. No words of any process.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rules.mentions.amounts import Amount, Op, read_amount, read_amounts
from rules.mentions.measures import unit_at
from service.process.places import MINUS, Span, clauses, free

_SIGN = r"[+＋加减]|[加减][上去]|再加|扣[除掉]|除去|刨去|减掉"
_JOINED = re.compile(rf"\s*(?:或者?|还是|要么|{_SIGN})?\s*")  # a sign may belong to the sum before it: 8万+
_ANY_SIGN = re.compile(_SIGN)
_FIRST = re.compile(
    rf"[\d.,，〇零一二两三四五六七八九十百千万亿]+(?:元|块钱?)?\s*(?:{_SIGN}|或者?|还是|要么)\s*$"
)
_BY = re.compile(
    r"(?:增加|追加|上涨|提高|上调|调高|减少|核减|削减|降低|下调|调低|节省|便宜|[再多少涨降省][花加]?|[加减])"
    r"(?:了|预算|金额|费用|经费|的|\s)*$"
)
_REST = re.compile(
    r"\s*(?:的?[\d.〇一二两三四五六七八九十几半]+倍|翻[一两二三四几]?[倍番]"
    r"|[，,]?\s*打?[\d.一二三四五六七八九]+折|打折|加减|上浮|下浮)"
)
# 设备3000安装2000: what its neighbour makes a sum. Longer ones are numbers of people and papers.
_NAMED = re.compile(r"(?<=[\u4e00-\u9fff])(?<!号)(?<!线)(?<!话)(?<!室)\d{3,7}(?=[\u4e00-\u9fff])")
_REACH = 24  # characters before a sum among which the first part of a calculation may stand
_ONE = ("一", "1", "１")


@dataclass(frozen=True, slots=True)
class SaidSum:
    """From `start` to `end` the piece; `amount` is what stands at its core."""

    start: int
    end: int
    amount: Amount


def changed_by(message: str, start: int) -> int | None:
    """Where 增加 begins that stands in front of the sum at `start`: by so much, not to so much."""
    found = _BY.search(message, max(0, start - _REACH), start)
    return found.start() if found else None


def sums_said(message: str, counts: Sequence[Span]) -> list[SaidSum]:
    """In their order; amounts that are `counts` are none."""
    found: list[SaidSum] = []
    for said in _reckoned(message, counts):
        before = found[-1].end if found else 0
        found.append(replace(said, start=_from(message, before, said)))
    return found


def _reckoned(message: str, counts: Sequence[Span]) -> Iterator[SaidSum]:
    """8000或者1万 is one piece, which is no value, and so are 5000+3000, 8万打八折 and 3台8万."""
    found = [a for a in read_amounts(message, bare=True) if free((a.start, a.end), counts)]
    found = sorted([*found, *_beside(message, found, counts)], key=lambda amount: amount.start)
    at = 0
    while at < len(found):
        amount = found[at]
        start, end = amount.start, amount.end
        if message[:start].endswith(MINUS):  # 预算-500元: a dash or a minus, so it is asked about
            start -= 1
        if reckoned := _FIRST.search(message, max(0, start - _REACH), start):
            start = reckoned.start()
        while at + 1 < len(found) and _belongs(message, end, found[at + 1].start):
            at += 1
            end = found[at].end
        if rest := _REST.match(message, end):
            end = rest.end()
        touching = [p for p in counts if p[1] == start and message[end : end + 1] == "的"]
        if touching and amount.per is None and message[touching[0][0]] not in _ONE:
            start = touching[0][0]
        yield SaidSum(start, end, amount)
        at += 1


def _beside(message: str, found: Sequence[Amount], counts: Sequence[Span]) -> Iterator[Amount]:
    """Numbers that count as sums because plain numbers beside them do: 设备3000安装2000 is two sums."""
    taken = [*counts, *((amount.start, amount.end) for amount in found)]
    if not any(message[amount.start : amount.end].isdigit() for amount in found):
        return
    for number in _NAMED.finditer(message):
        alone = read_amount(number[0])
        if alone and free(number.span(), taken) and not unit_at(message, number.end()):
            yield replace(alone, start=number.start(), end=number.end())


def _belongs(message: str, end: int, start: int) -> bool:
    """Whether what stands between two sums makes one matter of them: a choice, or a sign."""
    between = _JOINED.fullmatch(message, end, start)
    if between is None:
        return False
    return bool(between[0].strip()) or _ANY_SIGN.fullmatch(message, end - 1, end) is not None


def _from(message: str, before: int, said: SaidSum) -> int:
    """Where the piece begins: at the word further off that makes an estimate or a bound of the sum. It stands
    in the clause, or in the one in front (大概吧，8万), behind the sum that ends at `before`."""
    start, end = said.start, said.end
    if said.amount.op is Op.EXACT:
        return start
    alone = read_amount(message[start:end])
    if alone is None or alone.op is not Op.EXACT:
        return start
    clause = max(before, next((first for first, last in clauses(message) if first <= start < last), 0))
    told = read_amounts(message[clause:end], bare=True)
    return clause if told and told[-1].op is not Op.EXACT else before
