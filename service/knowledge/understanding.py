"""What day a question asks about: 「2021年的规定是什么」 wants the rules of then, not today's.

A year stands for its last day, a month for its last day, so that a rule made within the period counts, but
for today while it lasts; 年初 and 月初 stand for the first day, 以前 for the day before.
A time at which something happened (「2021年入职的员工」) is none of these, nor is one asked for by a question
about how an old rule stands now.
"""

import calendar
import re
import unicodedata
from dataclasses import dataclass
from datetime import date, timedelta

from ingestion.literals import parse_number

_ZEROS = str.maketrans("○零Oo", "〇〇〇〇")
_DIGITS = str.maketrans("〇一二三四五六七八九", "0123456789")
_SPELT_YEAR = re.compile(r"(?<![〇一二三四五六七八九\d])(?:一九|二〇)[〇一二三四五六七八九]{2}(?=\s*年)")

_HAPPENED = r"(?!之?[前后]?就?(?:入职|参加工作|进公司|来公司|加入|转正|签订|签的|毕业|购买|买的|申请过))"
_RULES = r"规定(?!动作|时间|期限)|的(?:规则|制度|办法|政策|要求|做法|条款|标准|版本)(?!建设|化|性)"
_THEN = (
    rf"(?:度?的?(?:时候|那时|当时|那会儿|那年|当年|期间|时期|年?间){_HAPPENED}"
    rf"|(?P<before>以前|之前)的?规定|时的?规定|时(?!间){_HAPPENED}|版|(?:是|又是)?(?:怎么|如何)规定|度?的?(?P<rules>{_RULES}))"
)
_NUMERAL = r"[一二三四五六七八九十]{1,3}"
_MONTH = rf"1[0-2]|0?[1-9]|{_NUMERAL}"
_DAY = rf"3[01]|[12]\d|0?[1-9]|{_NUMERAL}"
_DATE = (
    rf"(?<!\d)(?P<year>(?:19|20)\d{{2}})(?:\s*(?:年|(?=版))(?:\s*(?P<month>{_MONTH})\s*月(?:份)?"
    rf"(?:\s*(?P<day>{_DAY})\s*[日号])?)?"
    r"|[-/.](?P<iso_month>1[0-2]|0?[1-9])(?:[-/.](?P<iso_day>3[01]|[12]\d|0?[1-9]))?(?![\d.]))"
)
_DATED = re.compile(rf"{_DATE}(?:[年月]?(?P<edge>[底末初]))?\s*{_THEN}")
_AS_OF = re.compile(rf"(?:截至|截止到?|按照?|以)\s*{_DATE}\s*(?:的?(?:规定|版本|标准|制度)|为准|有效|时)")
_RELATIVE = {"去年": 1, "上年": 1, "上一年": 1, "前年": 2}
_RELATIVE_THEN = re.compile(rf"(?P<word>去年|上一?年|(?<!大)前年)(?:年?(?P<edge>[底末初]))?\s*{_THEN}")
_NOW = re.compile(r"现在|目前|如今|今天|(?:还|仍|是否)(?:然|旧)?(?:有效|适用|算数|执行)|作废|废止")


@dataclass(frozen=True, slots=True)
class AskedDay:
    """The day, and the words that named it (as NFKC folds them, years in digits)."""

    day: date
    words: str


@dataclass(frozen=True, slots=True)
class _Period:
    first: date
    last: date


def asked_day(question: str, today: date) -> AskedDay | None:
    """The day a question names as the time whose rules it wants; None when it wants today's."""
    text = _years_in_digits(unicodedata.normalize("NFKC", question))
    for pattern in (_AS_OF, _DATED):
        found = pattern.search(text)
        if found is not None and not _compares(text, found):
            period = _named_period(found)
            return AskedDay(_day_of(period, found, today), found.group()) if period else None
    relative = _RELATIVE_THEN.search(text)
    if relative is not None and not _compares(text, relative):
        year = _period(today.year - _RELATIVE[relative["word"]], 0, 0)
        return AskedDay(_day_of(year, relative, today), relative.group()) if year else None
    return None


def _years_in_digits(text: str) -> str:
    """二〇二一年 as 2021年; the zeros may be written as circles, letters or 零."""
    spelt = text.translate(_ZEROS)
    for found in _SPELT_YEAR.finditer(spelt):
        text = text[: found.start()] + found.group().translate(_DIGITS) + text[found.end() :]
    return text


def _compares(text: str, found: re.Match[str]) -> bool:
    """「2021年的规定现在还有效吗」 and 「2021年和2024年的规定有什么不同」 ask about more days than one."""
    if not found.groupdict().get("rules"):
        return False
    others = text[: found.start()] + "\n" + text[found.end() :]
    return bool(_NOW.search(others) or re.search(_DATE, others))


def _day_of(period: _Period, found: re.Match[str], today: date) -> date:
    named = found.groupdict()
    if named.get("before"):
        return period.first - timedelta(days=1)
    if named.get("edge") == "初":
        return period.first
    return today if period.first <= today <= period.last else period.last


def _named_period(found: re.Match[str]) -> _Period | None:
    month, day = (found[name] or found[f"iso_{name}"] for name in ("month", "day"))
    return _period(int(found["year"]), _number(month), _number(day))


def _number(written: str | None) -> int:
    """0 for what is not written; 十二 as 12."""
    value = parse_number(written) if written else None
    return int(value) if value is not None else 0


def _period(year: int, month: int, day: int) -> _Period | None:
    """The days that are named, 0 for a part that is not; None when there is no such day."""
    if not month:
        return _Period(date(year, 1, 1), date(year, 12, 31))
    if month > 12:
        return None
    last = calendar.monthrange(year, month)[1]
    if not day:
        return _Period(date(year, month, 1), date(year, month, last))
    if day > last:
        return None
    named = date(year, month, day)
    return _Period(named, named)
