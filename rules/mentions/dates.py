"""Days in office Chinese, counted from a given day. What is not said exactly stays inexact.

A year or month that is not said is the base day's, if no other year's or month's day lies nearer; weeks begin
on Monday. Lunar days and feasts are recognised and not worked out.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta

from rules.mentions.expressions import moment_at
from rules.mentions.folding import fold
from rules.mentions.moments import Moment, Span
from rules.mentions.months import day_of, last_day, number_of

__all__ = ["Day", "read_day", "read_days"]


@dataclass(frozen=True, slots=True)
class Day:
    """`precise`: it is this one day. Otherwise from `low` to `high`, None where open or unknown."""

    value: date | None
    precise: bool
    low: date | None
    high: date | None
    text: str
    start: int
    end: int


_BEFORE = re.compile(r" *(?:及|或)?(?:之前|以前|前(?![台往面期来天去]))")
_AFTER = re.compile(r" *(?:及|或)?(?:之后|以后|以来|至今|开始|起(?![草来码])|后(?![勤来面台续天]))")
_ABOUT = re.compile(r" *(?:左右|前后|上下|许)")
_ABOUT_FRONT = re.compile(r"(?:大约|大概|约|好像|可能|应该是?|差不多)(?:是|在)?$")
_UNTIL_FRONT = re.compile(r"(?:截止到?|截至|不晚于|早于)$")
_TO = re.compile(r" *起?(?:到|至|-|~|—{1,2}|–) *")
_MONTH_ONLY = re.compile(r"(?P<month>\d{1,2}|[一二三四五六七八九十]{1,3})月份?(?![\d一二三四五六七八九十])")
_DAY_ONLY = re.compile(r"(?P<day>\d{1,2}|[一二三四五六七八九十]{1,3})[日号]")
_WEEKDAY = re.compile(r"[( ]*(?:周|星期|礼拜)[一二三四五六日天][) ]*")
_AROUND = re.compile(r"(?:是|在|自|就是|大概|大约|应该是?|我|于|从|[:,。 ])*")
_BEHIND = re.compile(
    r"(?:[(]?(?:周|星期|礼拜)[一二三四五六日天][)]?|回来|出发|回|去|到|的|吧|呢|啊|了|止|那天|当天"
    r"|早上|上午|中午|下午|晚上|[,。! ])*"
)


def read_days(text: str, base: date) -> list[Day]:
    """All days and stretches of days that a sentence names, in their order."""
    return list(_days(text, fold(text), base))


def read_day(text: str, base: date) -> Day | None:
    """The day that `text` is as a whole, as the answer to a question for one; None if it is anything else."""
    folded = fold(text)
    found = read_days(text, base)
    if len(found) != 1:
        return None
    only = found[0]
    alone = _AROUND.fullmatch(folded[: only.start]) and _BEHIND.fullmatch(folded[only.end :])
    return only if alone else None


def _days(text: str, folded: str, base: date) -> Iterator[Day]:
    at = 0
    while at < len(folded):
        moment = moment_at(folded, at, base)
        if moment is None:
            at += 1
            continue
        moment = _modified(folded, _reaching(folded, moment, base))
        span = moment.span
        value = span.low if span.exact and span.low == span.high else None
        piece = text[moment.start : moment.end]
        yield Day(value, value is not None, span.low, span.high, piece, moment.start, moment.end)
        weekday = _WEEKDAY.match(folded, moment.end)
        at = weekday.end() if weekday and value else max(moment.end, at + 1)


def _reaching(text: str, first: Moment, base: date) -> Moment:
    """3月5日到8日, 上周三至本周五: the days from the one to the other."""
    to = _TO.match(text, first.end)
    if to is None or first.span.low is None:
        return first
    second = _second(text, to.end(), first.span) or moment_at(text, to.end(), base)
    if second is None or second.span.high is None or second.span.high <= first.span.low:
        return first
    return Moment(first.start, second.end, Span(first.span.low, second.span.high))


def _second(text: str, start: int, span: Span) -> Moment | None:
    """The 8日 of 3月5日到8日 is in the same month, the 11月 of 2017年8月至11月 in the same year."""
    first = span.low
    if first is None:
        return None
    if not span.exact and (month := _MONTH_ONLY.match(text, start)):
        begin = day_of(first.year, number_of(month["month"]) or 0, 1)
        if begin is None:
            return None
        return Moment(start, month.end(), Span(begin, last_day(begin.year, begin.month)))
    match = _DAY_ONLY.match(text, start)
    day = day_of(first.year, first.month, match["day"]) if match else None
    return Moment(start, match.end(), Span(day, day, exact=True)) if match and day else None


def _modified(text: str, moment: Moment) -> Moment:
    """3月5日前, 上周五左右, 截止到3月5日 are no single day."""
    span = moment.span
    before, after = _BEFORE.match(text, moment.end), _AFTER.match(text, moment.end)
    if before or _UNTIL_FRONT.search(text[: moment.start]):
        return replace(moment, end=before.end() if before else moment.end, span=Span(None, span.high))
    if after:
        return replace(moment, end=after.end(), span=Span(span.low, None))
    about = _ABOUT.match(text, moment.end)
    if about or _ABOUT_FRONT.search(text[: moment.start]):
        week = timedelta(days=3)
        low, high = span.low and span.low - week, span.high and span.high + week
        return replace(moment, end=about.end() if about else moment.end, span=Span(low, high))
    return moment
