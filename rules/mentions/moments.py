"""A day or a stretch of days that words name at one place, and how such expressions are written down."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from typing import TypeAlias

from rules.mentions.months import year_of


@dataclass(frozen=True, slots=True)
class Span:
    """From `low` to `high`, both within; None: open or unknown. `exact`: said as one certain day."""

    low: date | None
    high: date | None
    exact: bool = False


@dataclass(frozen=True, slots=True)
class Moment:
    start: int
    end: int
    span: Span


UNKNOWN = Span(None, None)
Form: TypeAlias = tuple[re.Pattern[str], Callable[[re.Match[str], date], Span | None]]
"""How days are written, and what it says on a given day; None: it only looks as if."""

NUMBER = r"(?:\d{1,2}|[一二三四五六七八九十]{1,3})"
SHIFTS = {"上上": -2, "上": -1, "这": 0, "本": 0, "当": 0, "下": 1, "下下": 2}
SHIFT = r"(?P<shift>上上|下下|上|下|这|本|当)(?:一?个|一)?"
WEEK = r"(?:周|星期|礼拜)"
NOT_WITHIN = "零一二三四五六七八九十百千"  # digits that would make a number begin earlier
_YEARS = {"大前年": -3, "前年": -2, "去年": -1, "上一年": -1, "上年": -1, "今年": 0, "本年": 0, "当年": 0}
_YEARS |= {"明年": 1, "下一年": 1, "次年": 1, "后年": 2}
_DIGITS = "零一二三四五六七八九"
YEAR = (
    rf"(?:(?P<year>\d{{4}}|\d{{2}}|[{_DIGITS}]{{4}}|[{_DIGITS}]{{2}}) *年的? *"
    rf"|(?P<named>{'|'.join(sorted(_YEARS, key=len, reverse=True))})的?)"
)


def year_said(match: re.Match[str], base: date) -> int | None:
    """By a form with YEAR in it; the base day's where none is said."""
    if match["named"]:
        return base.year + _YEARS[match["named"]]
    return year_of(match["year"], base) if match["year"] else base.year


def certain(value: date | None) -> Span:
    """One day; one that the calendar does not have is unknown, not another one."""
    return Span(value, value, exact=value is not None)


def nearest(value: date | None, others: list[date | None], base: date) -> Span:
    """A day of which the year, month or week is not said: exact when no other one's lies nearer."""
    if value is None:
        return UNKNOWN
    nearer = any(other and abs(other - base) < abs(value - base) for other in others)
    return Span(value, value, exact=not nearer)


def moved(base: date | None, days: int) -> date | None:
    """None beyond the calendar's ends."""
    try:
        return None if base is None else base + timedelta(days=days)
    except OverflowError:
        return None
