"""What is wrong with one table, as regions and rows: gaps, overlaps, rows that never decide. No wording."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import product

from rules.checking.periods import Period
from rules.checking.space import Cells, Leaf, Space
from rules.masks import bits
from rules.policies import CLASHING, FIRST_OF
from rules.table import Rule

LIMIT = 2_000_000
"""Elementary cells, of all periods, of a table that is checked in full (the specification's bound)."""


@dataclass(frozen=True, slots=True)
class Hole:
    """A box without a rule, in each of `periods`."""

    cells: Cells
    periods: tuple[Period, ...]


@dataclass(frozen=True, slots=True)
class Shared:
    """Boxes in which exactly `rules` match."""

    rules: tuple[Rule, ...]
    boxes: tuple[Cells, ...]
    periods: tuple[Period, ...]


@dataclass(frozen=True, slots=True)
class Idle:
    """A row that never decides: `behind` the rows that always come first, or no value meets `column`."""

    rule: Rule
    behind: tuple[Rule, ...] = ()
    column: str = ""


@dataclass(slots=True)
class Survey:
    """`complete` is false when the table was too large and only pairs of rows were compared."""

    holes: list[Hole] = field(default_factory=list)
    shared: list[Shared] = field(default_factory=list)
    idle: list[Idle] = field(default_factory=list)
    complete: bool = True


def survey(space: Space, periods: Sequence[Period]) -> Survey:
    """Every gap, every set of rows that match together whatever the policy, every row that never decides.

    Of a table beyond LIMIT only pairs of rows that may not match together, and rows that no value meets.
    """
    rules = {period: in_force(space, period) for period in periods}
    if space.size * len(periods) > LIMIT:
        pairs = _pairs(space, rules) if space.table.policy in CLASHING else []
        return Survey(shared=pairs, idle=_without_values(space, rules), complete=False)
    leaves = {period: list(space.leaves(known)) for period, known in rules.items()}
    return Survey(_holes(space, leaves), _shared(space, leaves), _idle(space, leaves, rules))


def in_force(space: Space, period: Period) -> int:
    """The bits of the rules in force in a period."""
    return sum(1 << at for at, rule in enumerate(space.rules) if rule.in_force(period.day))


def _holes(space: Space, leaves: dict[Period, list[Leaf]]) -> list[Hole]:
    found: dict[Cells, list[Period]] = {}
    for period, parts in leaves.items():
        for cells in regions(space, (leaf.cells for leaf in parts if not leaf.mask & space.answered)):
            found.setdefault(cells, []).append(period)
    return [Hole(cells, tuple(periods)) for cells, periods in found.items()]


def _shared(space: Space, leaves: dict[Period, list[Leaf]]) -> list[Shared]:
    found: dict[int, dict[Period, list[Cells]]] = {}
    for period, parts in leaves.items():
        for leaf in parts:
            rows = leaf.mask & space.rows
            if rows & (rows - 1):
                found.setdefault(rows, {}).setdefault(period, []).append(leaf.cells)
    return [
        Shared(
            space.rules_of(rows),
            tuple(regions(space, (cells for boxes in by_period.values() for cells in boxes))),
            tuple(by_period),
        )
        for rows, by_period in found.items()
    ]


def _pairs(space: Space, rules: dict[Period, int]) -> list[Shared]:
    """Two rows at a time, for a table too large to walk: the box in which both match."""
    cells = [_cells_of_rows(axis.masks, len(space.rules)) for axis in space.axes]
    found = []
    for one in range(len(space.rules)):
        own = [by_row[one] for by_row in cells]
        others = space.rows & (-1 << (one + 1))
        for axis, part in zip(space.axes, own, strict=True):
            others &= axis.met_somewhere(part)
        for other in bits(others):
            both = 1 << one | 1 << other
            periods = tuple(period for period, known in rules.items() if known & both == both)
            if periods:
                box = tuple(part & by_row[other] for part, by_row in zip(own, cells, strict=True))
                found.append(Shared(space.rules_of(both), (box,), periods))
    return found


def _cells_of_rows(masks: Sequence[int], count: int) -> list[int]:
    found = [0] * count
    for cell, mask in enumerate(masks):
        for row in bits(mask & ((1 << count) - 1)):
            found[row] |= 1 << cell
    return found


def _idle(space: Space, leaves: dict[Period, list[Leaf]], rules: dict[Period, int]) -> list[Idle]:
    seen = fired = 0
    for parts in leaves.values():
        for leaf in parts:
            rows = leaf.mask & space.rows
            seen |= rows
            fired |= rows & -rows if space.table.policy in FIRST_OF else rows
    everything = [leaf for parts in leaves.values() for leaf in parts]
    covered = [Idle(space.rules[row], _cover(space, row, everything)) for row in bits(seen & ~fired)]
    return covered + _without_values(space, rules, seen)


def _cover(space: Space, row: int, leaves: Iterable[Leaf]) -> tuple[Rule, ...]:
    """Few rows that stand before `row` wherever it matches: always the one that does so most often."""
    before = (1 << row) - 1
    open_ = [leaf.mask & before for leaf in leaves if leaf.mask >> row & 1]
    chosen = 0
    while open_:
        counts: dict[int, int] = {}
        for mask in open_:
            for other in bits(mask):
                counts[other] = counts.get(other, 0) + 1
        best = max(counts, key=lambda other: (counts[other], -other))
        chosen |= 1 << best
        open_ = [mask for mask in open_ if not mask >> best & 1]
    return space.rules_of(chosen)


def _without_values(space: Space, rules: dict[Period, int], seen: int = 0) -> list[Idle]:
    """Rows that meet no value of some column. One that is never in force is told of elsewhere."""
    ever = 0
    for known in rules.values():
        ever |= known
    found = []
    for row in bits(ever & ~seen):
        empty = [axis.column.name for axis in space.axes if not any(mask >> row & 1 for mask in axis.masks)]
        if empty:
            found.append(Idle(space.rules[row], column=empty[0]))
    return found


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
