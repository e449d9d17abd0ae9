"""Why rows matched, and which rows came nearest and what kept them from it. From bit sets alone.

A row is nearer the fewer of its conditions are false; a condition on what was not said counts less than a
false one. Among equals a number that just misses comes first, then the order of the table.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import islice

from rules.conditions import Ordered, Truth, Value
from rules.masks import Column, Line, bits
from rules.table import Input, Rule
from rules.wording import said

NEAREST = 5
RINGS = 3  # how many distances from a number that misses are told apart
REMEMBERED = 65_536  # readings kept


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


@dataclass(frozen=True, slots=True)
class Verdicts:
    """Of one case: per column the rows its value meets, misses, and those left open as it was not said."""

    values: tuple[Value | None, ...]
    met: tuple[int, ...]
    false: tuple[int, ...]
    open: tuple[int, ...]
    true: int  # rows all of whose conditions are met
    possible: int  # rows none of whose conditions is false
    everything: int

    def truth(self, row: int, column: int) -> Truth:
        if self.met[column] >> row & 1:
            return Truth.TRUE
        return Truth.MISSING if self.open[column] >> row & 1 else Truth.FALSE


class Explainer:
    """Keeps the readings it has made: they depend on the row and the truths alone, not on the values."""

    def __init__(self, inputs: Sequence[Input], rules: Sequence[Rule], columns: Sequence[Column]) -> None:
        self._inputs, self._rules = inputs, rules
        self._numbers = [Rings(column.numbers) for column in columns]
        self._days = [Rings(column.days) for column in columns]
        self._unmet: dict[tuple[int, int], RowReading] = {}
        self._matched: dict[int, RowReading] = {}

    def explain(self, verdicts: Verdicts) -> tuple[tuple[RowReading, ...], tuple[RowReading, ...]]:
        """The rows that match, and the nearest of those that do not."""
        matched = tuple([self._full(row) for row in bits(verdicts.true)])
        return matched, tuple([self._near(row, verdicts) for row in self.nearest(verdicts)])

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
        """`rows` in parts: those whose number just misses before all others."""
        for at, value in enumerate(verdicts.values):
            if value is None or isinstance(value, str):
                continue
            rings = self._days[at] if isinstance(value, date) else self._numbers[at]
            for ring in rings.around(value):
                near = ring & rows
                if near:
                    yield near
                    rows ^= near
        yield rows

    def _full(self, row: int) -> RowReading:
        reading = self._matched.get(row)
        if reading is None:
            truths = dict.fromkeys(range(len(self._inputs)), Truth.TRUE)
            reading = self._matched[row] = self._reading(row, truths)
        return reading

    def _near(self, row: int, verdicts: Verdicts) -> RowReading:
        """The conditions of a row that are not met."""
        bit, unmet = 1 << row, 0
        for met, left in zip(verdicts.met, verdicts.open, strict=True):
            unmet = unmet << 2 | (0 if met & bit else 2 if left & bit else 1)
        reading = self._unmet.get((row, unmet))
        if reading is None:
            every = {at: verdicts.truth(row, at) for at in range(len(self._inputs))}
            told = {at: truth for at, truth in every.items() if truth is not Truth.TRUE}
            if len(self._unmet) >= REMEMBERED:
                self._unmet.clear()
            reading = self._unmet[row, unmet] = self._reading(row, told)
        return reading

    def _reading(self, row: int, truths: Mapping[int, Truth]) -> RowReading:
        rule = self._rules[row]
        return RowReading(rule, tuple(self._test(rule, at, truth) for at, truth in truths.items()))

    def _test(self, rule: Rule, at: int, truth: Truth) -> Tested:
        column = self._inputs[at]
        cell = rule.cells[at] if rule.cells else said(rule.conditions[at], column.domain)
        return Tested(rule.id, column.name, cell, truth)


class Rings:
    """For each cell of a line the rows that a value there misses, the nearest first; made when asked."""

    def __init__(self, line: Line) -> None:
        self._line = line
        self._known: dict[int, tuple[int, ...]] = {}

    def around(self, value: Ordered) -> tuple[int, ...]:
        cell = self._line.cell(value)
        found = self._known.get(cell)
        if found is None:
            found = self._known[cell] = tuple(islice(self._outwards(cell), RINGS))
        return found

    def _outwards(self, cell: int) -> Iterator[int]:
        masks = self._line.masks
        seen = masks[cell]
        for step in range(1, len(masks)):
            below = masks[cell - step] if cell >= step else 0
            above = masks[cell + step] if cell + step < len(masks) else 0
            ring = (below | above) & ~seen
            if ring:
                yield ring
                seen |= ring


def _by_distance(verdicts: Verdicts) -> Iterator[int]:
    """The rows that do not match by the number of false conditions, then of open ones."""
    left = verdicts.everything & ~verdicts.true
    some_open = any(verdicts.open)
    for rows in _by_count(verdicts.false, left):
        if rows and some_open:
            yield from _by_count(verdicts.open, rows)
        elif rows:
            yield rows


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
