"""Why rows matched, and which rows came nearest and what kept them from it. From bit sets alone.

A row is nearer the fewer of its conditions are false; a condition on what was not said counts less than a
false one. Among equals a number that just misses comes first, then the order of the table.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from rules.conditions import Truth, Value
from rules.masks import Column, bits
from rules.table import Input, Rule
from rules.wording import said

NEAREST = 5
STEPS = 6  # pieces of a line to look at on either side of a number that misses


@dataclass(frozen=True, slots=True)
class Tested:
    """One condition of a row: `cell` is its text in the table."""

    rule: str
    column: str
    cell: str
    truth: Truth


@dataclass(frozen=True, slots=True)
class RowReading:
    """A row and the conditions to tell of: all of a row that matched, those not met of a near one."""

    rule: Rule
    conditions: tuple[Tested, ...]


@dataclass(frozen=True)
class Verdicts:
    """Of one case: per column the rows its value meets (`met`) and those left open as it was not said."""

    values: tuple[Value | None, ...]
    met: tuple[int, ...]
    open: tuple[int, ...]
    everything: int
    true: int  # rows all of whose conditions are met

    @cached_property
    def false(self) -> tuple[int, ...]:
        """Per column, the rows whose condition is false."""
        pairs = zip(self.met, self.open, strict=True)
        return tuple(self.everything & ~(met | left) for met, left in pairs)

    @cached_property
    def open_rows(self) -> int:
        """The rows none of whose conditions is false."""
        found = self.everything
        for met, left in zip(self.met, self.open, strict=True):
            found &= met | left
        return found

    def truth(self, row: int, column: int) -> Truth:
        if self.met[column] >> row & 1:
            return Truth.TRUE
        return Truth.MISSING if self.open[column] >> row & 1 else Truth.FALSE


class Explainer:
    """Keeps the readings it has made: they depend on the row and the truth alone, not on the value."""

    def __init__(self, inputs: Sequence[Input], rules: Sequence[Rule], columns: Sequence[Column]) -> None:
        self._inputs, self._rules, self._columns = inputs, rules, columns
        self._tested: dict[tuple[int, int, Truth], Tested] = {}
        self._matched: dict[int, RowReading] = {}

    def explain(self, verdicts: Verdicts) -> tuple[tuple[RowReading, ...], tuple[RowReading, ...]]:
        """The rows that match, and the nearest of those that do not."""
        matched = tuple(self._full(row) for row in bits(verdicts.true))
        return matched, tuple(self._unmet(row, verdicts) for row in self.nearest(verdicts))

    def nearest(self, verdicts: Verdicts, count: int = NEAREST) -> list[int]:
        found: list[int] = []
        for rows in _by_distance(verdicts):
            for near in self._near_first(rows, verdicts):
                for row in bits(near):
                    found.append(row)
                    if len(found) == count:
                        return found
        return found

    def _near_first(self, rows: int, verdicts: Verdicts) -> Iterator[int]:
        """`rows` in parts: the nearer a value lies to what they ask, the earlier."""
        for column, value, false in zip(self._columns, verdicts.values, verdicts.false, strict=True):
            if value is None or isinstance(value, str) or not rows & false:
                continue
            line = column.days if isinstance(value, date) else column.numbers
            cell = line.cell(value)
            for step in range(1, STEPS + 1):
                beside = sum_of(line.masks, cell - step, cell + step) & false & rows
                if beside:
                    yield beside
                    rows &= ~beside
        yield rows

    def _full(self, row: int) -> RowReading:
        reading = self._matched.get(row)
        if reading is None:
            every = tuple(self._test(row, at, Truth.TRUE) for at in range(len(self._inputs)))
            reading = self._matched[row] = RowReading(self._rules[row], every)
        return reading

    def _unmet(self, row: int, verdicts: Verdicts) -> RowReading:
        found = []
        for at in range(len(self._inputs)):
            truth = verdicts.truth(row, at)
            if truth is not Truth.TRUE:
                found.append(self._test(row, at, truth))
        return RowReading(self._rules[row], tuple(found))

    def _test(self, row: int, at: int, truth: Truth) -> Tested:
        key = (row, at, truth)
        found = self._tested.get(key)
        if found is None:
            rule, column = self._rules[row], self._inputs[at]
            cell = rule.cells[at] if rule.cells else said(rule.conditions[at], column.domain)
            found = self._tested[key] = Tested(rule.id, column.name, cell, truth)
        return found


def sum_of(masks: Sequence[int], left: int, right: int) -> int:
    """The rows of two cells, of which either may lie past the end of the line."""
    return (masks[left] if left >= 0 else 0) | (masks[right] if right < len(masks) else 0)


def _by_distance(verdicts: Verdicts) -> Iterator[int]:
    """The rows that do not match by the number of false conditions, then of open ones."""
    left = verdicts.everything & ~verdicts.true
    for rows in _by_count(verdicts.false, left):
        if rows:
            yield from (part for part in _by_count(verdicts.open, rows) if part)


def _by_count(masks: Sequence[int], rows: int) -> Iterator[int]:
    """`rows` parted by in how many of `masks` they stand, from none up.

    at_least[k] holds the rows found in more than k masks so far: a counter in unary, one AND and OR a step.
    """
    at_least = [0] * len(masks)
    for seen, mask in enumerate(masks):
        carried = mask & rows
        for level in range(seen + 1):
            at_least[level], carried = at_least[level] | carried, at_least[level] & carried
            if not carried:
                break
    more = rows
    for level in at_least:
        yield more & ~level
        more &= level
    yield more
