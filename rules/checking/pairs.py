"""Rows that clash, two at a time: what is still looked for in a table too large to walk."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import accumulate
from operator import or_

from rules.axes import Axis
from rules.checking.space import Cells, Space
from rules.conditions import Condition
from rules.masks import bits
from rules.table import HitPolicy, Result, Rule

COMPARED = 500_000
"""Pairs of rows that are compared. A thousand rows have as many."""
FOUND = 1_000
"""Pairs that are kept; nobody reads more."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two rows, by their bits, and the box in which both match."""

    one: int
    other: int
    box: Cells


@dataclass(frozen=True, slots=True)
class Pairs:
    """`complete`: all rows were compared with all others."""

    found: tuple[Pair, ...] = ()
    complete: bool = True


def clashing_pairs(space: Space) -> Pairs:
    """The pairs of rows that may not match together and do, on some day."""
    cells = [_cells_of(axis, [rule.conditions[at] for rule in space.rules]) for axis, at in _placed(space)]
    found: list[Pair] = []
    compared = 0
    for one, others in enumerate(_candidates(space, cells)):
        for other in bits(others):
            compared += 1
            if compared > COMPARED or len(found) >= FOUND:
                return Pairs(tuple(found), complete=False)
            box = tuple(by_row[one] & by_row[other] for by_row in cells)
            if all(box):
                found.append(Pair(one, other, box))
    return Pairs(tuple(found))


def _placed(space: Space) -> Iterator[tuple[Axis, int]]:
    """Each axis with the place of its column in the table."""
    places = {column.field: at for at, column in enumerate(space.table.inputs)}
    return ((axis, places[axis.column.field]) for axis in space.axes)


def _cells_of(axis: Axis, conditions: Sequence[Condition]) -> list[int]:
    known = {each: axis.cells_met(each) for each in dict.fromkeys(conditions)}
    return [known[each] for each in conditions]


def _candidates(space: Space, cells: Sequence[Sequence[int]]) -> list[int]:
    """For each row those after it that it may clash with and may meet, on each axis and in time."""
    rules = space.rules
    alike = _alike(rules) if space.table.policy is HitPolicy.ANY else {}
    later = [space.rows & -(2 << row) & ~alike.get(rule.results, 0) for row, rule in enumerate(rules)]
    starts = [(rule.effective_from or date.min).toordinal() for rule in rules]
    ends = [(rule.effective_to or date.max).toordinal() for rule in rules]
    _keep_meeting(later, starts, [end - 1 for end in ends])
    for by_row in cells:
        _keep_meeting(
            later, [(part & -part).bit_length() for part in by_row], [part.bit_length() for part in by_row]
        )
    return later


def _alike(rules: Sequence[Rule]) -> dict[tuple[Result, ...], int]:
    found: dict[tuple[Result, ...], int] = {}
    for row, rule in enumerate(rules):
        found[rule.results] = found.get(rule.results, 0) | 1 << row
    return found


def _keep_meeting(later: list[int], firsts: Sequence[int], lasts: Sequence[int]) -> None:
    """Of `later` what may meet each row, by where the rows begin and end."""
    begun, ended = _Sorted(firsts), _Sorted(lasts)
    for row, (first, last) in enumerate(zip(firsts, lasts, strict=True)):
        later[row] &= begun.up_to(last) & ~ended.below(first)


class _Sorted:
    """Rows by a number each has; which of them have at most, or less than, another."""

    def __init__(self, numbers: Sequence[int]) -> None:
        by_number: dict[int, int] = {}
        for row, number in enumerate(numbers):
            by_number[number] = by_number.get(number, 0) | 1 << row
        self._numbers = sorted(by_number)
        self._rows: list[int] = [0, *accumulate((by_number[number] for number in self._numbers), or_)]

    def up_to(self, number: int) -> int:
        return self._rows[bisect_right(self._numbers, number)]

    def below(self, number: int) -> int:
        return self._rows[bisect_left(self._numbers, number)]
