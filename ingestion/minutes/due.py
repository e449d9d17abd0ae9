"""By when: how a day ahead is said (六月三十号之前, 下周五, 两周内), and which day that is."""

import re
from calendar import monthrange
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from ingestion.dates import DATE, parse_date
from ingestion.literals import parse_number

_SMALL = r"(?:\d{1,2}|[一二三四五六七八九十]{1,3})"
_YEAR = r"(?:(?:明年|今年|后年|本年|当年)的?)"
_WEEKDAY = "[一二三四五六日天末]"
_OF_DAY = "(?:一?早|上午|中午|下午|晚上|早上|今晚|下班)?"
_NEAR = rf"(?:大后天|明天|后天|今天(?!就到|的|先|会|这)|明早|明晚|今晚){_OF_DAY}"
_WEEK = rf"(?:下下|下|本|这)个?(?:周|星期|礼拜){_WEEKDAY}?{_OF_DAY}|(?:周|星期|礼拜){_WEEKDAY}{_OF_DAY}"
_MONTH = rf"(?:这个月|本月|当月|下个?月)(?:底|末|初|中旬|{_SMALL}[号日])"
_POINT = (
    rf"(?:{DATE})(?:[底末初])?|{_YEAR}?{_SMALL}月份?(?:{_SMALL}[号日]|底|末|初|[上中下]旬|\d{{1,2}}(?!\d))"
    rf"|{_YEAR}?{_SMALL}月(?=之?前|以前|内)|(?<![\d./])\d{{1,2}}/\d{{1,2}}(?![\d./])|{_MONTH}"
    rf"|{_YEAR}?(?:第?[一二三四]季度|季度)[末底]?|{_YEAR}?年底|{_YEAR}?年末|明年底|月底|月末|{_WEEK}|{_NEAR}"
    rf"|(?<![\d月第]){_SMALL}[号日]|下次(?:会议?|例会|开会)|(?:春节|国庆|五一|元旦|节|上线|发布|年会|会)(?=之?前)"
)
_COUNT = r"(?:\d{1,3}|[一二两三四五六七八九十]{1,3})"
_SPAN = rf"{_COUNT}(?:个?(?:工作日|小时|天|日|周|星期|礼拜)|个月)(?:之内|以内|内)"
_END = r"(?:\s?(?:之前|以前|前(?![面期台往后天年者]|提(?![出交供请升]))|之内|以内|内(?!部|容)|截止))"

DEADLINE = rf"(?:{_POINT}){_END}|{_SPAN}|(?:本|今)(?:周|年|月)内"
"""By when, in running text, as a pattern without groups."""

SOON = rf"(?:{_NEAR}|{_WEEK}|{_MONTH}|会后|[上下]午|晚上)"
"""A day near ahead, which in running text may be a promise without 之前."""

_DEADLINE = re.compile(DEADLINE)
_ANY = re.compile(rf"{DEADLINE}|{_POINT}|会后")
_MONTH_DAY = re.compile(rf"({_YEAR})?({_SMALL})(?:月份?|/)(?:({_SMALL})[号日]?|([底末])|$|(?=之?前|以前|内))")
_PLAIN_MONTH = re.compile(rf"年\s*{_SMALL}\s*月\s*(?!\s*{_SMALL}\s*[日号]|初|[上中下]旬)")
_OF_MONTH = re.compile(
    rf"(?<![\d一二三四五六七八九十])(这个|本|当|下个?)?月(?:([底末])|({_SMALL})[号日]|(?=内))"
)
_OF_WEEK = re.compile(rf"(下下|下|本|这|今)?个?(?:周|星期|礼拜)({_WEEKDAY})?")
_WITHIN = re.compile(rf"({_COUNT})(?:个?(天|日|周|星期|礼拜)|个(月))(?:之内|以内|内)")
_QUARTER = re.compile(rf"({_YEAR})?(?:第?([一二三四]))?季度")
_YEAR_END = re.compile(rf"({_YEAR})?(?:年[底末内]|明年底|今年内)")
_DAY_ALONE = re.compile(rf"(?<![月\d十])({_SMALL})[号日]")
_AHEAD = {"大后天": 3, "后天": 2, "明天": 1, "明早": 1, "明晚": 1, "今天": 0, "今晚": 0}
_VAGUE = re.compile("初|旬|半")


@dataclass(frozen=True, slots=True)
class Due:
    """Where in a text a deadline stands, and its words."""

    start: int
    end: int
    text: str


def find_due(text: str, *, strict: bool = False) -> Due | None:
    """The first deadline of `text`; without one, and not `strict`, the first day."""
    found = _DEADLINE.search(text) or (None if strict else _ANY.search(text))
    return Due(found.start(), found.end(), found[0]) if found else None


def resolve(due: str, day: date | None) -> date | None:
    """The last day that `due` allows, said on `day`; None for vague words (月初, 下次会议前) and no such day.

    A day without a year is the next one from `day` on; 工作日 are not counted, since holidays are not known.
    """
    if whole := parse_date(due):
        return None if _VAGUE.search(due) else _last_in(whole, due) if _PLAIN_MONTH.search(due) else whole
    if day is None or _VAGUE.search(due):
        return None
    return next((found for read in _READERS if (found := _tried(read, due, day))), None)


def _tried(read: Callable[[str, date], date | None], due: str, day: date) -> date | None:
    try:
        return read(due, day)
    except (ValueError, OverflowError):  # 2月30日: said, but no day
        return None


def _within(due: str, day: date) -> date | None:
    if not (found := _WITHIN.search(due)):
        return None
    count = _number(found[1])
    if found[3]:
        month = _months_on(day, count)
        return month.replace(day=min(day.day, _last_of(month).day))
    return day + timedelta(days=count * (1 if found[2] in "天日" else 7))


def _month_day(due: str, day: date) -> date | None:
    if not (found := _MONTH_DAY.search(due)):
        return None
    years = list(_years(found[1], day))
    for year in years:
        month = date(year, _number(found[2]), 1)
        that = month.replace(day=_number(found[3])) if found[3] else _last_in(month, due)
        if that >= day or year == years[-1]:
            return that
    return None


def _of_month(due: str, day: date) -> date | None:
    if not (found := _OF_MONTH.search(due)):
        return None
    month = _months_on(day, 1) if (found[1] or "").startswith("下") else day.replace(day=1)
    return month.replace(day=_number(found[3])) if found[3] else _last_of(month)


def _of_week(due: str, day: date) -> date | None:
    if not (found := _OF_WEEK.search(due)) or "工作日" in due:
        return None
    monday = day - timedelta(days=day.weekday())
    weekday = "一二三四五六日".find((found[2] or "日").replace("天", "日").replace("末", "日"))
    if found[1]:
        return monday + timedelta(days=7 * found[1].count("下") + weekday)
    return day + timedelta(days=(weekday - day.weekday()) % 7)


def _near(due: str, day: date) -> date | None:
    return next((day + timedelta(days=ahead) for word, ahead in _AHEAD.items() if due.startswith(word)), None)


def _quarter(due: str, day: date) -> date | None:
    if not (found := _QUARTER.search(due)):
        return None
    number = _number(found[2]) if found[2] else (day.month + 2) // 3
    ends = [_last_of(date(year, number * 3, 1)) for year in _years(found[1], day)]
    return next((end for end in ends if end >= day), ends[-1])


def _year_end(due: str, day: date) -> date | None:
    found = _YEAR_END.search(due)
    return date(day.year + ("明年" in due) + 2 * ("后年" in due), 12, 31) if found else None


def _day_alone(due: str, day: date) -> date | None:
    if not (found := _DAY_ALONE.search(due)):
        return None
    this = day.replace(day=_number(found[1]))
    return this if this >= day else _months_on(day, 1).replace(day=_number(found[1]))


_READERS = (_within, _near, _quarter, _year_end, _month_day, _of_month, _of_week, _day_alone)


def _years(said: str | None, day: date) -> Iterator[int]:
    """The years a day may lie in: one that is named, or this one and the next."""
    if said:
        yield day.year + {"明": 1, "后": 2}.get(said[0], 0)
    else:
        yield from (day.year, day.year + 1)


def _months_on(day: date, count: int) -> date:
    """The first day of the month `count` months on."""
    months = day.year * 12 + day.month - 1 + count
    return date(months // 12, months % 12 + 1, 1)


def _last_of(day: date) -> date:
    return day.replace(day=monthrange(day.year, day.month)[1])


def _last_in(month: date, due: str) -> date:
    """九月之前 ends with August, 九月底前 and 九月内 with September. `month`: its first day."""
    before = "前" in due and not re.search("[底末]", due)
    return month - timedelta(days=1) if before else _last_of(month)


def _number(text: str) -> int:
    return int(parse_number(text) or 0)
