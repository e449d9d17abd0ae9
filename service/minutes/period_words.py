"""Expressions of time in a question: 2025年11月, 去年底, 上个季度, 最近两周. What they stand for comes later.

A month or day without a year is the last one that has begun. 年底 is November and December, 年初 January and
February, as `rules.mentions.stretches` has them; the parts of a month are its thirds.
"""

import re
from calendar import isleap
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import MAXYEAR, MINYEAR, date
from typing import TypeAlias

from rules.mentions.moments import NUMBER, SHIFT, SHIFTS, WEEK, YEAR, moved, year_said
from rules.mentions.months import day_of, last_day, number_of, shifted
from service.minutes.period_days import Days

RECENT_MONTHS = 3  # 最近 alone
_BACK_YEARS = 10  # a year of two digits that lies further back is a number of years: 干了25年


@dataclass(frozen=True, slots=True)
class Mention:
    """`floating`: the year is not said. `whole_year`: a year and nothing more exact. `one_day`: a day of the
    calendar. `vague`: 最近, whose length is a guess."""

    start: int
    end: int
    days: Days
    floating: bool = False
    whole_year: bool = False
    one_day: bool = False
    vague: bool = False


_Said: TypeAlias = tuple[Days, bool]  # and whether the year is left open
_Form: TypeAlias = tuple[re.Pattern[str], Callable[[re.Match[str], date], Days | None]]

_YEAR = rf"(?<![\d第满近约立了\-a-z零一二三四五六七八九十百以之]){YEAR}"
_MONTH = rf"(?<![\d第个./\-零一二三四五六七八九十百])(?P<month>{NUMBER}) *月(?!亮|票|薪|结|租|嫂|饼|刊|报)"
_DAY = rf"(?P<day>{NUMBER}) *[日号](?![线楼桌机文])"
_THIRDS = {"上旬": (1, 10), "初": (1, 10), "中旬": (11, 20), "中": (11, 20)}
_THIRDS |= dict.fromkeys(("下旬", "底", "末"), (21, 31))
_THIRD = r"(?P<third>上旬|中旬|下旬|初(?!步|期|始|次|审|排)|底(?!线|层)|末|中(?=的|那|开|,|$))"
_PARTS = {"初": (1, 2), "中": (6, 7), "底": (11, 12), "末": (11, 12), "上半": (1, 6), "下半": (7, 12)}
_EDGE = r"(?P<part>初(?!步|期|始|次|审|排)|中(?=的|那|开|,|会|$)|底|末)"
_HALF = r"(?P<half>[上下]半)年"
_QUARTERS = "一二三四1234"
_RELATIVE_DAYS = {"大前": -3, "前": -2, "昨": -1, "今": 0, "明": 1, "后": 2}
_COUNT = rf"(?P<count>{NUMBER}|两|半|几)"
_NOT_NOUN = r"(?![一这那]?[次场回个轮]|的?一[次场回]|期)"


def mentions(text: str, today: date) -> list[Mention]:
    """Of `plain` text, in order, none within another."""
    return list(_mentions(text, today))


def _mentions(text: str, today: date) -> Iterator[Mention]:
    at = 0
    while at < len(text):
        found = _mention_at(text, at, today)
        if found:
            yield found
        at = found.end if found else at + 1


def _mention_at(text: str, at: int, today: date) -> Mention | None:
    """The longest one that begins there."""
    matches = ((form, form[0].match(text, at)) for form in _FORMS)
    longest = max(((form, match) for form, match in matches if match), key=_length, default=None)
    if longest is None:
        return None
    (pattern, read), match = longest
    days = read(match, today)
    if days is None:
        return None
    return Mention(
        match.start(),
        match.start() + len(match.group().rstrip("的 ")),
        days,
        floating=pattern in _FLOATING and not (match["year"] or match["named"]),
        whole_year=read is _whole_year,
        one_day=days.first == days.last,
        vague=read is _recent and match["count"] is None,
    )


def _length(found: tuple[_Form, re.Match[str]]) -> int:
    return found[1].end()


def in_year(mention: Mention, year: int) -> Mention | None:
    """A floating mention in a year that was said before; None for a day that year does not have."""
    first, last = mention.days.first, mention.days.last
    if not first or not last or (first == last and first.month == 2 and first.day == 29 and not isleap(year)):
        return None
    at_end = first != last and last == last_day(last.year, last.month)  # 二月, and not 2月28日
    moved_last = last_day(year, last.month) if at_end else last.replace(year=year)
    return replace(mention, days=Days(first.replace(year=year), moved_last), floating=False)


def _year(match: re.Match[str], today: date) -> int | None:
    year = year_said(match, today)
    if year is None or not MINYEAR <= year <= MAXYEAR:
        return None
    short = match["year"] and len(match["year"]) == 2
    return None if short and not -_BACK_YEARS <= year - today.year <= _BACK_YEARS else year


def _begun(match: re.Match[str], today: date, stretch: Callable[[int], Days | None]) -> Days | None:
    """Of the year that is said, or else of the last year in which it has begun."""
    if match["year"] or match["named"]:
        year = _year(match, today)
        return None if year is None else stretch(year)
    past = (stretch(today.year - back) for back in range(5) if today.year - back >= MINYEAR)  # 2月29日
    return next((days for days in past if days and days.first and days.first <= today), None)


def _whole_year(match: re.Match[str], today: date) -> Days | None:
    year = _year(match, today)
    return None if year is None else Days(date(year, 1, 1), date(year, 12, 31))


def _months(year: int, first: int, last: int) -> Days:
    return Days(date(year, first, 1), last_day(year, last))


def _part_of_year(match: re.Match[str], today: date) -> Days | None:
    return _begun(match, today, lambda year: _months(year, *_PARTS[match["half"] or match["part"]]))


def _quarter(match: re.Match[str], today: date) -> Days | None:
    first = 3 * (_QUARTERS.index(match["quarter"]) % 4) + 1
    return _begun(match, today, lambda year: _months(year, first, first + 2))


def _month(match: re.Match[str], today: date) -> Days | None:
    number = number_of(match["month"])
    if number is None or not 1 <= number <= 12:
        return None
    return _begun(match, today, lambda year: _third(date(year, number, 1), match["third"]))


def _third(first: date, third: str | None) -> Days:
    last = last_day(first.year, first.month)
    low, high = _THIRDS[third] if third else (1, 31)
    return Days(first.replace(day=low), last.replace(day=min(high, last.day)))


def _day(match: re.Match[str], today: date) -> Days | None:
    month = number_of(match["month"])
    return _begun(match, today, lambda year: _single(day_of(year, month or 0, match["day"])))


def _single(day: date | None) -> Days | None:
    return None if day is None else Days(day, day)


def _written(match: re.Match[str], today: date) -> Days | None:
    year, month = int(match["y"]), int(match["m"])
    if match["d"]:
        return _single(day_of(year, month, match["d"]))
    return Days(date(year, month, 1), last_day(year, month)) if year and 1 <= month <= 12 else None


def _shifted_month(match: re.Match[str], today: date) -> Days | None:
    first = shifted(today, SHIFTS[match["shift"]])
    if match["day"]:
        return _single(day_of(first.year, first.month, match["day"]))
    return _third(first, match["third"])


def _shifted_quarter(match: re.Match[str], today: date) -> Days | None:
    first = shifted(today, 3 * SHIFTS[match["shift"]] - (today.month - 1) % 3)
    last = shifted(first, 2)
    return Days(first, last_day(last.year, last.month))


def _shifted_week(match: re.Match[str], today: date) -> Days | None:
    monday = moved(today, 7 * SHIFTS[match["shift"]] - today.weekday())
    if match["weekday"]:
        number = 6 if match["weekday"] in "日天" else "一二三四五六".index(match["weekday"])
        return _single(moved(monday, number))
    return Days(monday, moved(monday, 6))


def _relative_day(match: re.Match[str], today: date) -> Days | None:
    return _single(moved(today, _RELATIVE_DAYS[match["relative"]]))


def _recent(match: re.Match[str], today: date) -> Days | None:
    """Back from today; 几 is three."""
    if match["count"] is None:
        return Days(_months_back(today, RECENT_MONTHS), today)
    unit = match["unit"]
    if match["count"] == "半":
        return Days(_months_back(today, 6), today) if unit == "年" else Days(moved(today, -15), today)
    count = {"两": 2, "几": 3}.get(match["count"]) or number_of(match["count"]) or 0
    if unit in ("年", "月"):
        return Days(_months_back(today, count * (12 if unit == "年" else 1)), today) if count else None
    return Days(moved(today, -count * (1 if unit in "天日" else 7)), today) if count else None


def _months_back(today: date, months: int) -> date:
    """The same day of the month, or its last one."""
    first = shifted(today, -months)
    return first.replace(day=min(today.day, last_day(first.year, first.month).day))


_FORMS: tuple[_Form, ...] = (
    (re.compile(rf"{_YEAR}(?:{_HALF}|年?{_EDGE})"), _part_of_year),
    (re.compile(rf"(?P<year>(?!))?(?P<named>(?!))?(?:{_HALF}|(?<!\d)年{_EDGE})"), _part_of_year),
    (re.compile(rf"(?:{_YEAR})?(?<![上下这本])第?(?P<quarter>[{_QUARTERS}])季度?(?![节])"), _quarter),
    (re.compile(rf"(?:{_YEAR})?(?<![a-z\d])q(?P<quarter>[1-4])(?![a-z\d])"), _quarter),
    (re.compile(rf"(?:{_YEAR},?)?{_MONTH}份?(?:的? *{_THIRD})?"), _month),
    (re.compile(rf"(?:{_YEAR},?)?{_MONTH}份?的? *{_DAY}"), _day),
    (re.compile(rf"{_YEAR}(?:度(?!过))?"), _whole_year),
    (
        re.compile(
            r"(?<![\w.\-/])(?P<y>(?:19|20)\d\d)(?P<sep>[-/.])(?P<m>1[0-2]|0?[1-9])"
            r"(?:(?P=sep)(?P<d>3[01]|[12]\d|0?[1-9]))?(?![\d.\-/])"
        ),
        _written,
    ),
    (re.compile(rf"{SHIFT}月份?(?:的? *(?:{_THIRD}|{_DAY}))?"), _shifted_month),
    (re.compile(rf"{SHIFT}季度?(?!节)"), _shifted_quarter),
    (re.compile(rf"{SHIFT}{WEEK}(?P<weekday>[一二三四五六日天](?!次))?(?![转围期边年])"), _shifted_week),
    (re.compile(r"(?<![目以之])(?P<relative>大前|前|昨|今|明|后)(?:天(?!气)|日(?!头))"), _relative_day),
    (
        re.compile(
            rf"(?:最近的?这?|过去的?这?|近|这|前(?=[两几]年))(?<!附近) *{_COUNT}(?:个|多)?"
            r"(?P<unit>年|(?<=个)月|周|星期|礼拜|天|日)(?:以来|来|内|间|里)?(?!次)"
        ),
        _recent,
    ),
    (re.compile(rf"(?:最近|近期|近来|前段时间|这段时间)(?P<count>(?!))?{_NOT_NOUN}"), _recent),
)
_FLOATING = frozenset(pattern for pattern, _ in _FORMS[:6])
