"""Expressions for one day: 2025年3月5日, 3月5日, 5号, 上个月5号, 上周五, 昨天."""

import re
from datetime import date

from rules.mentions.moments import (
    NOT_WITHIN,
    NUMBER,
    SHIFT,
    SHIFTS,
    WEEK,
    YEAR,
    Form,
    Span,
    certain,
    moved,
    nearest,
    year_said,
)
from rules.mentions.months import day_of, number_of, shifted

_DAYS = {"大前": -3, "前": -2, "昨": -1, "今": 0, "明": 1, "后": 2, "大后": 3}
_NUMBERED = "楼线门桌院窗会柜馆厅文库店机子码"  # 3号楼
_DAY = rf"(?P<day>{NUMBER}) *(?:日|号(?![{_NUMBERED}]))"
_MONTH = rf"(?P<month>{NUMBER}) *月份?的? *"
_TWO_DIGITS = r"(?P<month>1[0-2]|0[1-9])-(?P<day>3[01]|[12]\d|0[1-9])"
_SLASHED = r"(?P<month>1[0-2]|0?[1-9])/(?P<day>3[01]|[12]\d|0?[1-9])"


def _full(match: re.Match[str], base: date) -> Span | None:
    year, month = year_said(match, base), number_of(match["month"])
    return None if year is None or month is None else certain(day_of(year, month, match["day"]))


def _written(match: re.Match[str], base: date) -> Span | None:
    value = day_of(int(match["year"]), int(match["month"]), int(match["day"]))
    return None if value is None else certain(value)


def _of_year(match: re.Match[str], base: date) -> Span | None:
    """3月5日 without a year: of the base year, exact when no other year's lies nearer."""
    month = number_of(match["month"])
    if month is None:
        return None
    value = day_of(base.year, month, match["day"])
    others = [day_of(base.year + shift, month, match["day"]) for shift in (-1, 1)]
    return nearest(value, others, base)


def _of_month(match: re.Match[str], base: date) -> Span | None:
    """5号: of the base month, exact when no other month's lies nearer."""
    value = day_of(base.year, base.month, match["day"])
    beside = [shifted(base, shift) for shift in (-1, 1)]
    return nearest(value, [day_of(month.year, month.month, match["day"]) for month in beside], base)


def _slashed(match: re.Match[str], base: date) -> Span | None:
    """3/5 and 03-05 may be other things: named, but to be confirmed."""
    value = day_of(base.year, int(match["month"]), int(match["day"]))
    return None if value is None else Span(value, value)


def _of_named_month(match: re.Match[str], base: date) -> Span | None:
    month = shifted(base, SHIFTS[match["shift"]])
    return certain(day_of(month.year, month.month, match["day"]))


def _relative(match: re.Match[str], base: date) -> Span | None:
    return certain(moved(base, _DAYS[match["day"]]))


def _just_now(match: re.Match[str], base: date) -> Span | None:
    return certain(base)


def _weekday(match: re.Match[str], base: date) -> Span | None:
    weeks = SHIFTS[match["shift"]] if match["shift"] else 0
    monday = moved(base, 7 * weeks - base.weekday())
    if match["day"] == "末":
        return Span(moved(monday, 5), moved(monday, 6))
    number = 6 if match["day"] in "日天" else "一二三四五六".index(match["day"])
    value = moved(monday, number)
    if match["shift"]:
        return certain(value)
    return nearest(value, [moved(monday, number + week) for week in (-7, 7)], base)


ONE_DAY: list[Form] = [
    (
        re.compile(rf"(?<![\d{NOT_WITHIN}]){YEAR} *{_MONTH}(?P<day>{NUMBER}) *(?:日|号(?![{_NUMBERED}]))?"),
        _full,
    ),
    (
        re.compile(
            r"(?<![\d.\-/])(?P<year>\d{4}) ?([-/.]) ?(?P<month>\d{1,2}) ?\2 ?(?P<day>\d{1,2})(?!\d|[-/.]\d)"
        ),
        _written,
    ),
    (re.compile(r"(?<!\d)(?P<year>(?:19|20)\d\d)(?P<month>0[1-9]|1[0-2])(?P<day>[0-3]\d)(?!\d)"), _written),
    (re.compile(rf"(?<![\d.年{NOT_WITHIN}]){_MONTH}{_DAY}"), _of_year),
    (re.compile(rf"{SHIFT}月的? *{_DAY}"), _of_named_month),
    (re.compile(rf"(?<![第\d月年\-~.:/到至{NOT_WITHIN}]){_DAY}(?<!日)"), _of_month),
    (
        re.compile(rf"(?<![第\d月年\-~.:/到至{NOT_WITHIN}]){_DAY}(?<!号)(?![内前后以之游均常本元报程子期])"),
        _of_month,
    ),
    (re.compile(rf"(?<![\d./\-:A-Za-z]){_SLASHED}(?![\d/.%\w])"), _slashed),
    (re.compile(rf"(?<![\d./\-:A-Za-z]){_TWO_DIGITS}(?![\d/.%\-\w])"), _slashed),
    (re.compile(r"(?<![目以之])(?P<day>大前|大后|前|后|昨|今|明)(?:天(?![气子])|日(?![头后]))"), _relative),
    (re.compile(r"(?P<day>昨|今|明)(?:儿|晚|早|晨|夜)"), _relative),
    (re.compile(r"刚刚|刚才|本日"), _just_now),
    (
        re.compile(
            rf"(?<![每\d一二两三四五六七八九十几半隔])(?:{SHIFT})?{WEEK}的?{WEEK}?"
            r"(?P<day>[一二三四五六日天末])(?!年|期)"
        ),
        _weekday,
    ),
]
