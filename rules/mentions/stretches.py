"""Expressions for a stretch of days: 上周, 上个月底, 3月上旬, 年底, 前几天. Feasts are not worked out."""

import re
from datetime import MAXYEAR, MINYEAR, date

from rules.mentions.moments import (
    NOT_WITHIN,
    NUMBER,
    SHIFT,
    SHIFTS,
    UNKNOWN,
    WEEK,
    YEAR,
    Form,
    Span,
    moved,
    year_said,
)
from rules.mentions.months import day_of, last_day, number_of, shifted

_PART = r"(?P<part>上旬|中旬|下旬|月?初|中(?!的|旬)|月?中(?=$|[,。 ])|月?底|月?末)"
# 初 is the first five days, 底 and 末 those from the 25th (as JioNLP has them); a 旬 is a third.
_PARTS = {
    "上旬": (1, 10),
    "中旬": (11, 20),
    "下旬": (21, 31),
    "初": (1, 5),
    "中": (11, 20),
    "底": (25, 31),
    "末": (25, 31),
}
_MONTHS = {"初": (1, 2), "中": (6, 7), "底": (11, 12), "末": (11, 12), "上半": (1, 6), "下半": (7, 12)}
_DAYS, _WEEKS = 10, 30  # 前几天 and 过几天, 最近
_LUNAR = r"(?:初[一二三四五六七八九十]|廿[一二三四五六七八九]?)"
_FEASTS = (
    r"(?:(?:春节|除夕|元宵|清明|端午|七夕|中秋|重阳|腊八|国庆|元旦|劳动节|儿童节|双十一"
    r"|五一(?=节|假|期|回|长|劳|小)|十一(?=假|期|长|回|黄))"
    r"|(?:农历|阴历|旧历)(?:[^,。;]{0,10}[日号]|[^,。;]{0,8})"
    r"|(?:正|腊|冬|闰[一二三四五六七八九十\d]+)月(?:初?[一二三四五六七八九十廿\d]+)?"
    rf"|{NUMBER}月{_LUNAR})"
)


def _week(match: re.Match[str], base: date) -> Span | None:
    monday = moved(base, 7 * SHIFTS[match["shift"]] - base.weekday())
    return None if monday is None else Span(monday, moved(monday, 6))


def _month(match: re.Match[str], base: date) -> Span | None:
    month = shifted(base, SHIFTS[match["shift"]])
    return _part_of(month, match["part"])


def _month_of_year(match: re.Match[str], base: date) -> Span | None:
    year = year_said(match, base)
    number = number_of(match["month"])
    first = None if year is None or number is None else day_of(year, number, 1)
    return None if first is None else _part_of(first, match["part"])


def _this_month(match: re.Match[str], base: date) -> Span | None:
    return _part_of(base.replace(day=1), match["part"])


def _part_of(first: date, part: str | None) -> Span:
    last = last_day(first.year, first.month)
    low, high = _PARTS[part.removeprefix("月")] if part else (1, 31)
    return Span(first.replace(day=low), first.replace(day=min(high, last.day)))


def _year_part(match: re.Match[str], base: date) -> Span | None:
    year = year_said(match, base)
    if year is None or not MINYEAR <= year <= MAXYEAR:
        return None
    part = match["half"] or match["time"]
    low, high = _MONTHS[part] if part else (1, 12)
    return Span(date(year, low, 1), last_day(year, high))


def _quarter(match: re.Match[str], base: date) -> Span | None:
    year = year_said(match, base)
    if year is None or not MINYEAR <= year <= MAXYEAR:
        return None
    first = 3 * "一二三四1234".index(match["number"]) % 12 + 1
    return Span(date(year, first, 1), last_day(year, first + 2))


def _named_quarter(match: re.Match[str], base: date) -> Span | None:
    first = shifted(base, 3 * SHIFTS[match["shift"]] - (base.month - 1) % 3)
    end = shifted(first, 2)
    return Span(first, last_day(end.year, end.month))


def _vague(match: re.Match[str], base: date) -> Span | None:
    if match["ahead"]:
        return Span(moved(base, 1), moved(base, _DAYS))
    return Span(moved(base, -_DAYS if match["few"] else -_WEEKS), base)


def _unknown(match: re.Match[str], base: date) -> Span | None:
    return UNKNOWN


STRETCHES: list[Form] = [
    (re.compile(rf"{SHIFT}{WEEK}(?![转围期边])"), _week),
    (re.compile(rf"{SHIFT}月份?的?{_PART}?"), _month),
    (
        re.compile(
            rf"(?<![\d第年{NOT_WITHIN}])(?:{YEAR})?(?P<month>{NUMBER}) *月(?:份|的)?{_PART}?(?![\d饼球])"
        ),
        _month_of_year,
    ),
    (re.compile(r"月(?P<part>初|中|底|末)(?!的一)"), _this_month),
    (
        re.compile(
            rf"(?<![\d{NOT_WITHIN}]){YEAR}(?:(?P<half>上半|下半)年|年?(?P<time>[初中底末]))?(?![级代度以])"
        ),
        _year_part,
    ),
    (
        re.compile(r"(?P<year>(?!))?(?P<named>(?!))?(?:(?P<half>上半|下半)年|年(?P<time>[初中底末]))"),
        _year_part,
    ),
    (re.compile(rf"(?:{YEAR})?第?(?P<number>[一二三四1-4])季度"), _quarter),
    (re.compile(rf"{SHIFT}季度"), _named_quarter),
    (
        re.compile(
            r"(?P<few>前[几些两]天|前两日|这[几两]天|近[几两]天|近日|日前)|(?P<ahead>过[几两]天|改天|过些天)"
            r"|最近|近期|前阵子|前段时间|前一阵"
        ),
        _vague,
    ),
    (re.compile(rf"(?:(?<![\d{NOT_WITHIN}]){YEAR})?{_FEASTS}"), _unknown),
]
