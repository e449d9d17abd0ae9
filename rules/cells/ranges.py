"""Makes intervals of ends, and refuses those that are uncertain or empty, with what could be meant."""

import re
from datetime import timedelta
from decimal import Decimal

from rules import numbers
from rules.cells.ends import End
from rules.cells.intervals import less
from rules.cells.tokens import Amount, Measure, Side
from rules.conditions import Interval
from rules.faults import CellFault, bad_range, offer

_ONE_DAY = timedelta(days=1)


def one_sided(end: End, text: str) -> tuple[Interval, ...]:
    """What a single end means: a number alone is equality, ≠ two intervals. Raises CellFault for 5万(含)."""
    value = end.amount.value
    if end.side is None and end.closed is not None:
        word = said(end.closed)
        corrections = (f"{end.amount.text}{word}以上", f"{end.amount.text}{word}以下")
        raise bad_range(text, "没有说是以上还是以下", offer(corrections), *corrections)
    if end.side in (None, Side.EQUAL):
        return (Interval(value, value),)
    if end.side is Side.OTHER:
        return (Interval(None, value, True, False), Interval(value, None, False, True))
    if end.side is Side.ABOVE:
        return (Interval(value, None, bool(end.closed), True),)
    return (Interval(None, value, True, bool(end.closed)),)


def two_sided(low: End, high: End, measure: Measure, text: str) -> Interval:
    """Whole numbers and days count their ends when nothing is said; money has to say it. Raises CellFault."""
    if low.side not in (None, Side.ABOVE) or high.side not in (None, Side.BELOW):
        raise bad_range(text, "范围两端的词不对", "请写成「2万(含)~5万(不含)」或「2万以上且不满5万」。")
    _refuse_two_scales(low, high, text)
    if None in (low.closed, high.closed) and not (measure.whole or measure.days):
        raise _unsaid(low, high, text)
    interval = Interval(
        low.amount.value, high.amount.value, low.closed is not False, high.closed is not False
    )
    if not holds(interval, measure):
        raise _empty(low.amount, high.amount, interval, text)
    return interval


def between(
    low: Amount | None, high: Amount | None, closed: tuple[bool, bool], measure: Measure, text: str
) -> Interval:
    """[low,high) and its like; None is no end. Raises CellFault."""
    if low is not None and high is not None:
        return two_sided(End(low, None, closed[0]), End(high, None, closed[1]), measure, text)
    return Interval(
        None if low is None else low.value,
        None if high is None else high.value,
        low is None or closed[0],
        high is None or closed[1],
    )


def holds(interval: Interval, measure: Measure) -> bool:
    """Whether some value of the column lies in it."""
    low, high = interval.low, interval.high
    if low is None or high is None:
        return True
    if isinstance(low, Decimal) and isinstance(high, Decimal):
        if measure.whole:
            return low + (not interval.low_closed) <= high - (not interval.high_closed)
    elif not isinstance(low, Decimal) and not isinstance(high, Decimal):
        return (high - low) / _ONE_DAY >= (not interval.low_closed) + (not interval.high_closed)
    return less(low, high) or (low == high and interval.low_closed and interval.high_closed)


def _unsaid(low: End, high: End, text: str) -> CellFault:
    """Both usual readings of a range of money: tiers that take their lower end, or their upper one."""
    if low.amount.value == high.amount.value:
        return bad_range(text, "两端是同一个数", offer((low.amount.text,)), low.amount.text)
    if less(high.amount.value, low.amount.value):
        low, high = high, low
    readings = [(True, False), (False, True), (True, True), (False, False)]
    fitting = [each for each in readings if low.closed in (None, each[0]) and high.closed in (None, each[1])]
    corrections = tuple(
        f"{low.amount.text}{said(first)}~{high.amount.text}{said(last)}" for first, last in fitting[:2]
    )
    why = "没有写明两端的数含不含在内" if low.closed is high.closed else "有一端没有写明含不含在内"
    return bad_range(text, why, offer(corrections), *corrections)


def _refuse_two_scales(low: End, high: End, text: str) -> None:
    """2~5万: is it 2 or 2万?"""
    small, large = low.amount, high.amount
    if small.scaled or not large.scaled or small.value == 0 or numbers.counter_of(small.text):
        return
    mark = re.sub(r"[0-9.,+\-]", "", large.text)
    scaled = numbers.read_number(small.text + mark)
    if scaled is None or not isinstance(large.value, Decimal) or scaled >= large.value:
        return
    ends = (said(low.closed), said(high.closed))
    corrections = (
        f"{small.text}{mark}{ends[0]}~{large.text}{ends[1]}",
        f"{small.text}{ends[0]}~{large.value:f}{ends[1]}",
    )
    raise bad_range(
        text, f"分不清「{small.text}」是不是「{small.text}{mark}」", offer(corrections), *corrections
    )


def _empty(low: Amount, high: Amount, interval: Interval, text: str) -> CellFault:
    if less(high.value, low.value):
        swapped = f"{high.text}{said(interval.high_closed)}~{low.text}{said(interval.low_closed)}"
        return bad_range(text, "前面的比后面的大，里面没有任何值", offer((swapped,)), swapped)
    both = f"{low.text}(含)~{high.text}(含)"
    return bad_range(text, "里面没有任何值", offer((both,)), both)


def said(closed: bool | None) -> str:
    """As it stands after a number; empty when it is not said."""
    if closed is None:
        return ""
    return "(含)" if closed else "(不含)"
