"""What is wrong with one table, as regions and rows: gaps, overlaps, rows that never decide. No wording."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import reduce
from itertools import islice, product
from operator import or_

from rules.checking.pairs import Pairs, clashing_pairs
from rules.checking.periods import Period
from rules.checking.space import Cells, Leaf, Space
from rules.masks import bits
from rules.policies import CLASHING, FIRST_OF
from rules.table import Rule

LIMIT = 2_000_000
"""Elementary cells, of all periods, of a table that is checked in full (the specification's bound)."""
REPORTED = 40
"""Findings of one kind told one by one; the rest are told together, so that a report can be read."""
BEHIND = 12
"""Rows named as those that stand before one that never decides; a list of more helps nobody."""
COUNTED = 10_000
"""Rows looked at, at most, to find the next of them."""


@dataclass(frozen=True, slots=True)
class Hole:
    """A box without a rule, in each of `periods`."""

    cells: Cells
    periods: tuple[Period, ...]


@dataclass(frozen=True, slots=True)
class Shared:
    """Boxes in which exactly the rules of the bits `rows` match."""

    rows: int
    boxes: tuple[Cells, ...]
    periods: tuple[Period, ...]


@dataclass(frozen=True, slots=True)
class Idle:
    """A row that never decides: `behind` rows that come first, or no value meets `column`.

    Of more than REPORTED such rows only the first say what they are behind, and BEHIND rows at most.
    """

    rule: Rule
    behind: tuple[Rule, ...] = ()
    column: str = ""


@dataclass(slots=True)
class Survey:
    """`complete` is false when the table was too large and only pairs of rows were compared.

    `compared` is false when there were too many of these as well. `declared` has a bit for each declared gap
    that some case without a rule falls into.
    """

    holes: list[Hole] = field(default_factory=list)
    shared: list[Shared] = field(default_factory=list)
    idle: list[Idle] = field(default_factory=list)
    declared: int = 0
    complete: bool = True
    compared: bool = True


def survey(space: Space, periods: Sequence[Period]) -> Survey:
    """Every gap, every set of rows that match together whatever the policy, every row that never decides.

    Of a table beyond LIMIT only pairs of rows that may not match together, and rows that no value meets.
    """
    rules = rules_in_force(space.rules, periods)
    if space.size * len(periods) > LIMIT:
        return _survey_of_pairs(space, rules)
    leaves = {period: list(space.leaves(known)) for period, known in rules.items()}
    declared = _declared(space, leaves)
    return Survey(_holes(space, leaves), _shared(space, leaves), _idle(space, leaves, rules), declared)


def rules_in_force(rules: Sequence[Rule], periods: Sequence[Period]) -> dict[Period, int]:
    """The bits of the rules in force in each of the periods, which ascend and which no rule's date cuts."""
    first = periods[0].day
    known = sum(1 << at for at, rule in enumerate(rules) if rule.in_force(first))
    turns: dict[date, int] = {}
    for at, rule in enumerate(rules):
        start, end = rule.effective_from, rule.effective_to
        for day in () if start and end and start >= end else (start, end):
            if day and day > first:
                turns[day] = turns.get(day, 0) ^ 1 << at
    days, found = sorted(turns, reverse=True), {}
    for period in periods:
        while days and days[-1] <= period.day:
            known ^= turns[days.pop()]
        found[period] = known
    return found


def _holes(space: Space, leaves: dict[Period, list[Leaf]]) -> list[Hole]:
    found: dict[Cells, list[Period]] = {}
    for period, parts in leaves.items():
        for cells in regions(space, (leaf.cells for leaf in parts if not leaf.mask & space.answered)):
            found.setdefault(cells, []).append(period)
    return [Hole(cells, tuple(periods)) for cells, periods in found.items()]


def _declared(space: Space, leaves: dict[Period, list[Leaf]]) -> int:
    uncovered = (leaf.mask for parts in leaves.values() for leaf in parts if not leaf.mask & space.rows)
    return reduce(or_, uncovered, 0) >> len(space.rules) & (1 << space.gaps) - 1


def _shared(space: Space, leaves: dict[Period, list[Leaf]]) -> list[Shared]:
    found: dict[int, dict[Period, list[Cells]]] = {}
    for period, parts in leaves.items():
        for leaf in parts:
            rows = leaf.mask & space.rows
            if rows & (rows - 1):
                found.setdefault(rows, {}).setdefault(period, []).append(leaf.cells)
    return [
        Shared(
            rows,
            tuple(regions(space, (cells for boxes in by_period.values() for cells in boxes))),
            tuple(by_period),
        )
        for rows, by_period in found.items()
    ]


def _survey_of_pairs(space: Space, rules: dict[Period, int]) -> Survey:
    pairs = clashing_pairs(space) if space.table.policy in CLASHING else Pairs()
    shared = []
    for pair in pairs.found:
        both = 1 << pair.one | 1 << pair.other
        periods = tuple(period for period, known in rules.items() if known & both == both)
        if periods:
            shared.append(Shared(both, (pair.box,), periods))
    idle = _without_values(space, rules, seen=0)
    return Survey(shared=shared, idle=idle, complete=False, compared=pairs.complete)


def _idle(space: Space, leaves: dict[Period, list[Leaf]], rules: dict[Period, int]) -> list[Idle]:
    seen = fired = 0
    for parts in leaves.values():
        for leaf in parts:
            rows = leaf.mask & space.rows
            seen |= rows
            fired |= rows & -rows if space.table.policy in FIRST_OF else rows
    never = seen & ~fired
    behind = _rows_before(never, (leaf.mask for parts in leaves.values() for leaf in parts))
    covered = [Idle(space.rules[row], space.rules_of(behind.get(row, 0))) for row in bits(never)]
    return covered + _without_values(space, rules, seen)


def _rows_before(never: int, masks: Iterable[int]) -> dict[int, int]:
    """For the first REPORTED rows of `never` few rows that stand before them wherever they match."""
    told = tuple(islice(bits(never), REPORTED))
    wanted = sum(1 << row for row in told)
    before: dict[int, set[int]] = {row: set() for row in told}
    for mask in masks:
        for row in bits(mask & wanted):
            before[row].add(mask & (1 << row) - 1)
    return {row: _cover(found) for row, found in before.items()}


def _cover(open_: Collection[int]) -> int:
    """Rows of which each mask has one: always the one that most have, counted in some of very many."""
    chosen = 0
    while open_ and chosen.bit_count() < BEHIND:
        counts: dict[int, int] = {}
        for mask in sorted(open_)[: 1 + COUNTED // max(mask.bit_count() for mask in open_)]:
            for other in bits(mask):
                counts[other] = counts.get(other, 0) + 1
        best = max(counts, key=lambda other: (counts[other], -other))
        chosen |= 1 << best
        open_ = [mask for mask in open_ if not mask >> best & 1]
    return chosen


def _without_values(space: Space, rules: dict[Period, int], seen: int) -> list[Idle]:
    """Rows that meet no value of some column. One that is never in force is told of elsewhere."""
    ever = reduce(or_, rules.values(), 0)
    empty: dict[int, str] = {}
    for axis in space.axes:
        for row in bits(ever & ~seen & ~axis.ever):
            empty.setdefault(row, axis.column.name)
    return [Idle(space.rules[row], column=column) for row, column in sorted(empty.items())]


def regions(space: Space, boxes: Iterable[Cells]) -> list[Cells]:
    """Disjoint boxes joined where they border, then cut so that each is one stretch on every line."""
    found = [
        cells
        for box in _joined(list(boxes), len(space.axes))
        for cells in product(*(axis.runs(part) for axis, part in zip(space.axes, box, strict=True)))
    ]
    return sorted(found, key=lambda cells: _place(space, cells))


def _joined(boxes: list[Cells], width: int) -> list[Cells]:
    while True:
        before = len(boxes)
        for at in range(width):
            sides: dict[Cells, int] = {}
            for box in boxes:
                rest = box[:at] + box[at + 1 :]
                sides[rest] = sides.get(rest, 0) | box[at]
            boxes = [(*rest[:at], part, *rest[at:]) for rest, part in sides.items()]
        if len(boxes) == before:
            return boxes


def _place(space: Space, cells: Cells) -> tuple[int, ...]:
    """The first cell on each axis, in the order of the table's columns."""
    first = {
        axis.column.field: (part & -part).bit_length() for axis, part in zip(space.axes, cells, strict=True)
    }
    return tuple(first[column.field] for column in space.table.inputs)
