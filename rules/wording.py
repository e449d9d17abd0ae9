"""Conditions, numbers and days as people write them in a table: 4.5万(含)~5万(不含)、除 车辆 外."""

from collections.abc import Sequence
from datetime import date

from rules.conditions import Anything, Condition, Interval, OneOf, Value
from rules.numbers import bare, written


def typed(value: Value) -> str:
    """As someone would type it into a form: 47000, 2025-03-01, 服务器."""
    if isinstance(value, str):
        return value
    return value.isoformat() if isinstance(value, date) else bare(value)


def said(condition: Condition, order: Sequence[str] = (), *, counted: bool = False) -> str:
    """A condition in the table's own words.

    `order` is the order of the options; `counted` says that the numbers are whole, so that 1~4 is certain.
    """
    if isinstance(condition, Anything):
        return "任意"
    if isinstance(condition, OneOf):
        known = [word for word in order if word in condition.values]
        listed = "、".join([*known, *sorted(condition.values - set(known))])
    else:
        listed = " 或 ".join(_interval(each, counted) for each in condition.intervals)
    return f"除 {listed} 外" if condition.negated else listed


def _interval(interval: Interval, counted: bool) -> str:
    low, high = interval.low, interval.high
    if low is not None and low == high:
        return written(low)
    if low is not None and high is not None:
        if (counted or isinstance(low, date)) and interval.low_closed and interval.high_closed:
            return f"{written(low)}~{written(high)}"
        return f"{written(low)}({_end(interval.low_closed)})~{written(high)}({_end(interval.high_closed)})"
    if low is not None:
        return f"{written(low)}以上" if interval.low_closed else f"超过{written(low)}"
    if high is not None:
        return f"不超过{written(high)}" if interval.high_closed else f"不满{written(high)}"
    return "任意"


def _end(closed: bool) -> str:
    return "含" if closed else "不含"
