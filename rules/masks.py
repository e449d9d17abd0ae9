"""Rows as bits: which rows of a table a value of one condition column meets. Shared by engine and check.

Bit i of a mask stands for row i. The ends of all conditions cut the numbers (and the days) into points and
the open pieces between them; inside a piece every condition says the same, so one mask a piece is enough.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from rules.conditions import Anything, Condition, Interval, OneOf, Ordered, Value, Within


@dataclass(frozen=True, slots=True)
class Line:
    """Cell 2i+1 is the i-th end itself, cell 2i the open piece before it. `masks`: the rows met there."""

    ends: tuple[Ordered, ...]  # all numbers, or all days
    masks: tuple[int, ...]

    def cell(self, value: Ordered) -> int:
        at = bisect_left(self.ends, value)
        return 2 * at + (at < len(self.ends) and self.ends[at] == value)

    def at(self, value: Ordered) -> int:
        return self.masks[self.cell(value)]


@dataclass(frozen=True, slots=True)
class Column:
    """One condition column. `other` are the rows a word meets that no condition names."""

    words: Mapping[str, int]
    other: int
    numbers: Line
    days: Line
    missing: int  # rows that say 任意

    def at(self, value: Value | None) -> int:
        """The rows whose condition is true of `value`, as `conditions.meets` has it."""
        if value is None:
            return self.missing
        if isinstance(value, str):
            return self.words.get(value, self.other)
        return self.days.at(value) if isinstance(value, date) else self.numbers.at(value)


def column_of(conditions: Sequence[Condition]) -> Column:
    rows = rows_by(conditions)
    words, other = words_of(rows)
    missing = sum(mask for condition, mask in rows.items() if isinstance(condition, Anything))
    return Column(words, other, _line(rows, days=False), _line(rows, days=True), missing)


def rows_by(conditions: Iterable[Condition]) -> dict[Condition, int]:
    """Each condition once, with the rows that have it."""
    found: dict[Condition, int] = {}
    for row, condition in enumerate(conditions):
        found[condition] = found.get(condition, 0) | 1 << row
    return found


def intervals_of(condition: Condition, *, days: bool) -> Iterator[Interval]:
    """The intervals on days, or on numbers; one whose ends are of the other kind holds nothing here."""
    if isinstance(condition, Within):
        for interval in condition.intervals:
            ends = [end for end in (interval.low, interval.high) if end is not None]
            if all(isinstance(end, date) == days for end in ends):
                yield interval


def ends_of(intervals: Iterable[Interval]) -> tuple[Ordered, ...]:
    """Every end once, ascending; all are numbers or all days."""
    found = {end for interval in intervals for end in (interval.low, interval.high) if end is not None}
    return tuple(sorted(found))


def cells_between(interval: Interval, place: Mapping[Ordered, int]) -> int:
    """The cells of a line inside `interval`, as bits; `place` numbers the line's ends from 0."""
    first, last = 0, 2 * len(place) + 1
    if interval.low is not None:
        first = 2 * place[interval.low] + (1 if interval.low_closed else 2)
    if interval.high is not None:
        last = 2 * place[interval.high] + (2 if interval.high_closed else 1)
    return (1 << last) - (1 << first) if last > first else 0


def met_on_line(condition: Condition, intervals: Iterable[Interval], place: Mapping[Ordered, int]) -> int:
    """The cells of a line where `condition` is true, given its intervals on that line."""
    everywhere = (1 << (2 * len(place) + 1)) - 1
    if isinstance(condition, Anything):
        return everywhere
    if isinstance(condition, OneOf):
        return 0
    inside = 0
    for interval in intervals:
        inside |= cells_between(interval, place)
    return everywhere ^ inside if condition.negated else inside


def rows_per_cell(met: Iterable[tuple[int, int]], count: int) -> tuple[int, ...]:
    """From (cells, the rows true there) to the rows of each of `count` cells."""
    turns = [0] * (count + 1)
    for cells, rows in met:
        for cell in bits(cells ^ cells << 1):  # where a run of cells begins, and where it has ended
            turns[cell] ^= rows
    masks, current = [], 0
    for turn in turns[:count]:
        current ^= turn
        masks.append(current)
    return tuple(masks)


def words_of(rows: Mapping[Condition, int]) -> tuple[dict[str, int], int]:
    """The rows each named word meets, and those any other word does."""
    chosen = [(each, mask) for each, mask in rows.items() if isinstance(each, OneOf)]
    always = sum(mask for each, mask in rows.items() if isinstance(each, Anything))
    other = always | sum(mask for each, mask in chosen if each.negated)
    words = dict.fromkeys((word for each, _ in chosen for word in each.values), other)
    for each, mask in chosen:
        for word in each.values:
            words[word] = words[word] & ~mask if each.negated else words[word] | mask
    return words, other


_WIDE = 256
"""Bits from which on a mask is looked through as text: arithmetic copies all of it for every bit."""


def bits(mask: int) -> Iterator[int]:
    """The positions of the bits that are set, lowest first."""
    if mask.bit_length() > _WIDE:
        text = bin(mask)[:1:-1]
        place = text.find("1")
        while place >= 0:
            yield place
            place = text.find("1", place + 1)
        return
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


def _line(rows: Mapping[Condition, int], *, days: bool) -> Line:
    parts = {condition: tuple(intervals_of(condition, days=days)) for condition in rows}
    ends = ends_of(interval for intervals in parts.values() for interval in intervals)
    place = {end: at for at, end in enumerate(ends)}
    met = ((met_on_line(each, parts[each], place), mask) for each, mask in rows.items())
    return Line(ends, rows_per_cell(met, 2 * len(ends) + 1))
