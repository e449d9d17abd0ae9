"""Dates as documents write them: 2024年3月1日, 二〇二四年三月一日, 2024-03-01, and 26.03.06 in file names."""

import re
from datetime import date

from ingestion.literals import parse_number

_YEAR = r"(?:(?:19|20)\d{2}|[一二][九〇零○ＯOo0][〇零○ＯOo0一二三四五六七八九]{2})"
_SMALL = r"(?:\d{1,2}|[一二三四五六七八九十]{1,3})"

_SEPARATOR = r"\s*[-/.．]\s*"

DATE = (
    rf"{_YEAR}\s*年\s*{_SMALL}\s*月(?:\s*{_SMALL}\s*[日号])?"
    rf"|(?:19|20)\d{{2}}{_SEPARATOR}\d{{1,2}}{_SEPARATOR}\d{{1,2}}"
)
"""A date in running text, as a pattern without groups; a month without a day is allowed after 年."""

_PARTS = re.compile(
    rf"({_YEAR})\s*年\s*({_SMALL})\s*月(?:\s*({_SMALL})\s*[日号])?"
    rf"|(\d{{4}}){_SEPARATOR}(\d{{1,2}}){_SEPARATOR}(\d{{1,2}})"
)
_COMPACT = re.compile(
    r"(?<!\d)(20\d{2})(\d{2})(\d{2})(?!\d)|(?<![\d.vV])(\d{2})[.．](\d{1,2})[.．](\d{1,2})(?![\d.])"
)


def parse_date(text: str) -> date | None:
    """The first date in `text`; a month without a day is its first day. None when there is no such day."""
    found = _PARTS.search(text)
    if found is None:
        return None
    year, month, day = (found[1], found[2], found[3] or "1") if found[1] else (found[4], found[5], found[6])
    return _date(_value(year), _value(month), _value(day))


def date_in_name(name: str) -> date | None:
    """As `parse_date`, and the short forms of file names: 20260306, 26.03.06 (this century)."""
    written = parse_date(name)
    if written is not None:
        return written
    for found in _COMPACT.finditer(name):
        if found[1]:
            compact = _date(int(found[1]), int(found[2]), int(found[3]))
        else:
            compact = _date(2000 + int(found[4]), int(found[5]), int(found[6]))
        if compact is not None:
            return compact
    return None


def _value(text: str) -> int:
    number = parse_number(text)
    return int(number) if number is not None else 0


def _date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:  # 2月30日 and the like: written, but no day
        return None
