"""What a cell of a condition column says, and whether a value meets it. Exact: decimals and dates, no floats.

A condition on numbers or days is a set of intervals, one on choices a set of values, kept or left out. The
cell grammar that makes them lives in `cells`; nothing here reads text.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from enum import Enum
from typing import TypeAlias

Ordered: TypeAlias = Decimal | date
Value: TypeAlias = Decimal | date | str
"""A number (also an amount, in the currency's unit), a day, or a word: an option, 是 or 否, a department."""


class Truth(Enum):
    """Kleene's three values: a comparison on what was not said is neither true nor false."""

    TRUE = "true"
    FALSE = "false"
    MISSING = "missing"


@dataclass(frozen=True, slots=True)
class Interval:
    """From `low` to `high`; None is no bound. Whether an end belongs to it is always said."""

    low: Ordered | None = None
    high: Ordered | None = None
    low_closed: bool = True
    high_closed: bool = True

    def __contains__(self, value: Ordered) -> bool:
        """Raises TypeError when a number is compared with a day."""
        if self.low is not None and (value < self.low or (value == self.low and not self.low_closed)):  # type: ignore[operator]
            return False
        return self.high is None or value < self.high or (value == self.high and self.high_closed)  # type: ignore[operator]


@dataclass(frozen=True, slots=True)
class Anything:
    """任意 or -: the only condition a missing value meets."""


@dataclass(frozen=True, slots=True)
class Within:
    """A number or a day in one of the intervals, or, `negated`, in none of them."""

    intervals: tuple[Interval, ...]
    negated: bool = False


@dataclass(frozen=True, slots=True)
class OneOf:
    """A word among `values`, or, `negated`, one that is not (除 车辆 外)."""

    values: frozenset[str]
    negated: bool = False


Condition: TypeAlias = Anything | Within | OneOf


def meets(condition: Condition, value: Value | None) -> Truth:
    """`value` None is missing. A word never meets a condition on numbers, nor a number one on words."""
    if isinstance(condition, Anything):
        return Truth.TRUE
    if value is None:
        return Truth.MISSING
    if isinstance(condition, OneOf):
        return _truth(isinstance(value, str) and (value in condition.values) != condition.negated)
    return _truth(not isinstance(value, str) and _within(condition, value))


def _within(condition: Within, value: Ordered) -> bool:
    of_kind = (i for i in condition.intervals if _comparable(i, value))
    return any(value in interval for interval in of_kind) != condition.negated


def _comparable(interval: Interval, value: Ordered) -> bool:
    ends = [end for end in (interval.low, interval.high) if end is not None]
    return all(isinstance(end, date) == isinstance(value, date) for end in ends)


def _truth(flag: bool) -> Truth:
    return Truth.TRUE if flag else Truth.FALSE


def all_of(truths: Iterable[Truth]) -> Truth:
    """False as soon as one is, otherwise missing as soon as one is (Kleene's conjunction)."""
    found = Truth.TRUE
    for truth in truths:
        if truth is Truth.FALSE:
            return Truth.FALSE
        if truth is Truth.MISSING:
            found = Truth.MISSING
    return found
