"""What day a question asks about: 「2021年的时候怎么规定」 wants the rules of then, not today's.

A year stands for its last day, a month for its last day, so that a rule made within the period counts.
"""

import calendar
import re
import unicodedata
from dataclasses import dataclass
from datetime import date

_THEN = (
    r"(?:的?时候|那时|当时|那会儿|那年|当年|期间|时期|年?间|以前的规定|时的?规定|时(?!间)|版|"
    r"(?:是|又是)?(?:怎么|如何)规定)"
)
_DATED = re.compile(
    rf"(?P<year>(?:19|20)\d{{2}})\s*年(?:\s*(?P<month>1[0-2]|0?[1-9])\s*月(?:份)?(?:\s*(?P<day>3[01]|[12]\d|0?[1-9])\s*[日号])?)?"
    rf"(?:底|末|初)?\s*{_THEN}"
)
_AS_OF = re.compile(
    r"(?:截至|截止到?|按照?|以)\s*(?P<year>(?:19|20)\d{2})\s*年\s*(?P<month>1[0-2]|0?[1-9])\s*月\s*(?P<day>3[01]|[12]\d|0?[1-9])\s*[日号]"
    r"(?:的?(?:规定|版本|标准|制度)|为准|有效|时)"
)
_RELATIVE = {"去年": 1, "前年": 2}
_RELATIVE_THEN = re.compile(rf"(?P<word>去年|前年)\s*{_THEN}")


@dataclass(frozen=True, slots=True)
class AskedDay:
    """The day, and the words that named it."""

    day: date
    words: str


def asked_day(question: str, today: date) -> AskedDay | None:
    """The day a question names as the time whose rules it wants; None when it wants today's."""
    text = unicodedata.normalize("NFKC", question)
    for pattern in (_AS_OF, _DATED):
        found = pattern.search(text)
        if found is not None:
            day = _last_day(int(found["year"]), found["month"], found["day"])
            return AskedDay(day, found.group()) if day else None
    relative = _RELATIVE_THEN.search(text)
    if relative is not None:
        return AskedDay(date(today.year - _RELATIVE[relative["word"]], 12, 31), relative.group())
    return None


def _last_day(year: int, month: str | None, day: str | None) -> date | None:
    if month is None:
        return date(year, 12, 31)
    last = calendar.monthrange(year, int(month))[1]
    if day is None:
        return date(year, int(month), last)
    return date(year, int(month), int(day)) if int(day) <= last else None
