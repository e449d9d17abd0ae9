"""Days of the calendar from the numbers that name them. A day that no month has is None."""

from calendar import monthrange
from datetime import MAXYEAR, MINYEAR, date

from rules.numerals import read_digits, read_numeral

_CENTURY = 100
_AHEAD, _BACK = 10, 80  # 35年 said in 2026 is 2035, 47年 is 1947, 37年 could be both


def number_of(text: str) -> int | None:
    """1 to 4 digits or a Chinese numeral."""
    value = read_numeral(text)
    return None if value is None or value != value.to_integral_value() else int(value)


def year_of(text: str, base: date) -> int | None:
    """2025, 25, 二零二五, 九八: two digits are of the century that makes them past or near, if one does."""
    year = read_digits(text)
    if year is None or len(text) not in (2, 4):
        return None
    if len(text) == 2:
        year += base.year // _CENTURY * _CENTURY
        year -= _CENTURY if year > base.year + _AHEAD else 0
        if year < base.year - _BACK:
            return None
    return year if MINYEAR <= year <= MAXYEAR else None


def day_of(year: int, month: int, day: str | int | None) -> date | None:
    number = number_of(day) if isinstance(day, str) else day
    if number is None or not 1 <= month <= 12 or not MINYEAR <= year <= MAXYEAR:
        return None
    return date(year, month, number) if 1 <= number <= monthrange(year, month)[1] else None


def last_day(year: int, month: int) -> date:
    return date(year, month, monthrange(year, month)[1])


def shifted(base: date, months: int) -> date:
    """The first of the month so many months from `base`'s; at the ends of the calendar it stays there."""
    number = base.year * 12 + base.month - 1 + months
    year = min(max(number // 12, MINYEAR), MAXYEAR)
    return date(year, number % 12 + 1, 1)
