"""What day a question asks about: 「2021年的时候怎么规定」 wants the rules of then, not today's.

A year stands for its last day, a month for its last day, so that a rule made within the period counts, but
for today while it lasts; 年初 and 月初 stand for the first day, 以前 for the day before.
"""

import calendar
import re
import unicodedata
from dataclasses import dataclass
from datetime import date, timedelta

_THEN = (
    r"(?:的?(?:时候|那时|当时|那会儿|那年|当年|期间|时期|年?间)|(?P<before>以前|之前)的?规定|时的?规定|时(?!间)|版"
    r"|(?:是|又是)?(?:怎么|如何)规定)"
)
_DATED = re.compile(
    rf"(?P<year>(?:19|20)\d{{2}})\s*年(?:\s*(?P<month>1[0-2]|0?[1-9])\s*月(?:份)?"
    rf"(?:\s*(?P<day>3[01]|[12]\d|0?[1-9])\s*[日号])?)?(?:[年月]?(?P<edge>[底末初]))?\s*{_THEN}"
)
_AS_OF = re.compile(
    r"(?:截至|截止到?|按照?|以)\s*(?P<year>(?:19|20)\d{2})\s*年\s*(?P<month>1[0-2]|0?[1-9])\s*月"
    r"\s*(?P<day>3[01]|[12]\d|0?[1-9])\s*[日号](?:的?(?:规定|版本|标准|制度)|为准|有效|时)"
)
_RELATIVE = {"去年": 1, "前年": 2}
_RELATIVE_THEN = re.compile(rf"(?P<word>去年|前年)(?:年?(?P<edge>[底末初]))?\s*{_THEN}")


@dataclass(frozen=True, slots=True)
class AskedDay:
    """The day, and the words that named it (as NFKC folds them)."""

    day: date
    words: str


@dataclass(frozen=True, slots=True)
class _Period:
    first: date
    last: date


def asked_day(question: str, today: date) -> AskedDay | None:
    """The day a question names as the time whose rules it wants; None when it wants today's."""
    text = unicodedata.normalize("NFKC", question)
    for pattern in (_AS_OF, _DATED):
        found = pattern.search(text)
        if found is not None:
            period = _period(int(found["year"]), found["month"], found["day"])
            return AskedDay(_day_of(period, found, today), found.group()) if period else None
    relative = _RELATIVE_THEN.search(text)
    if relative is not None:
        year = _period(today.year - _RELATIVE[relative["word"]], None, None)
        return AskedDay(_day_of(year, relative, today), relative.group()) if year else None
    return None


def _day_of(period: _Period, found: re.Match[str], today: date) -> date:
    named = found.groupdict()
    if named.get("before"):
        return period.first - timedelta(days=1)
    if named.get("edge") == "初":
        return period.first
    return today if period.first <= today <= period.last else period.last


def _period(year: int, month: str | None, day: str | None) -> _Period | None:
    """The days that are named; None when there is no such day."""
    if month is None:
        return _Period(date(year, 1, 1), date(year, 12, 31))
    last = calendar.monthrange(year, int(month))[1]
    if day is None:
        return _Period(date(year, int(month), 1), date(year, int(month), last))
    if int(day) > last:
        return None
    named = date(year, int(month), int(day))
    return _Period(named, named)
