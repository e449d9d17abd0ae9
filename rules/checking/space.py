"""A table's conditions as a space of cells, and a walk over it that visits each part with the same rows once.

The bits of a mask are the rules in the order in which they decide, then the declared gaps, then what cannot
be: a field required under a condition has no value only where the condition does not hold.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from math import prod
from operator import itemgetter
from typing import TypeAlias

from rules.axes import Axis, axis_of
from rules.conditions import Anything, Condition, Interval
from rules.masks import bits, intervals_of
from rules.policies import in_order
from rules.regions import Box
from rules.scales import ONE, ZERO
from rules.table import DecisionTable, Field, FieldType, Input, Required, Rule

Cells: TypeAlias = tuple[int, ...]
"""A box: for each axis in the order of the walk a bit set of its cells."""

Row: TypeAlias = tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Leaf:
    """A box all of whose points meet the same rows."""

    cells: Cells
    mask: int


@dataclass(frozen=True)
class Space:
    table: DecisionTable
    rules: tuple[Rule, ...]  # bit i is rules[i]
    axes: tuple[Axis, ...]  # the most telling first
    gaps: int  # how many bits after the rules are declared gaps
    barred: tuple[int, ...]  # a point that meets all rows of one of these cannot be
    width: int  # bits in all

    @cached_property
    def rows(self) -> int:
        """The bits of the rules."""
        return (1 << len(self.rules)) - 1

    @cached_property
    def answered(self) -> int:
        """The bits of the rules and of the declared gaps: a point that meets none of them is a gap."""
        return (1 << (len(self.rules) + self.gaps)) - 1

    @cached_property
    def size(self) -> int:
        """How many elementary cells there are, those that meet the same rows taken as one."""
        return prod(len(axis.classes) for axis in self.axes)

    def rules_of(self, mask: int) -> tuple[Rule, ...]:
        """In the order of the table."""
        found = [(self._places[bit], self.rules[bit]) for bit in bits(mask & self.rows)]
        return tuple(rule for _, rule in sorted(found, key=itemgetter(0)))

    @cached_property
    def _places(self) -> tuple[int, ...]:
        """Where each rule stands in the table."""
        places = {id(rule): place for place, rule in enumerate(self.table.rules)}
        return tuple(places[id(rule)] for rule in self.rules)

    def leaves(self, rules: int) -> Iterator[Leaf]:
        """Boxes that part the whole space, seeing of the rules only the bits in `rules`."""
        extra = (1 << self.width) - 1 & ~self.rows
        stack: list[tuple[int, int, Cells]] = [(0, rules | extra, ())]
        axes, count, barred = self.axes, len(self.axes), self.barred
        while stack:
            at, mask, cells = stack.pop()
            while at < count and not mask & axes[at].partial:
                cells += (axes[at].whole,)
                mask &= axes[at].masks[0] | axes[at].partial
                at += 1
            if at == count:
                if not any(mask & group == group for group in barred):
                    yield Leaf(cells, mask)
                continue
            for met, part in axes[at].parts(mask).items():
                stack.append((at + 1, met, (*cells, part)))

    def box(self, cells: Cells) -> Box:
        sides = dict(zip((axis.column.field for axis in self.axes), cells, strict=True))
        by_name = {axis.column.field: axis for axis in self.axes}
        names = [column.field for column in self.table.inputs]
        return Box({name: by_name[name].side(sides[name]) for name in names})

    def witness(self, cells: Cells) -> dict[str, str]:
        """A point of the box as it would be typed, without the fields that have no value there."""
        typed = {axis.column.field: axis.witness(part) for axis, part in zip(self.axes, cells, strict=True)}
        found = {column.field: typed[column.field] for column in self.table.inputs}
        return {name: text for name, text in found.items() if text is not None}


def space_of(
    table: DecisionTable, fields: Mapping[str, Field] | None = None, gaps: Sequence[Row] = ()
) -> Space:
    """`fields` by name; a column without one is never absent and has no bounds but its own."""
    known = fields or {}
    rules = in_order(table)
    bars = [_bar(at, known.get(column.field), table) for at, column in enumerate(table.inputs)]
    rows: list[Row] = [*(rule.conditions for rule in rules), *gaps]
    barred: list[int] = []
    absent_bits = [0] * len(table.inputs)
    for bar in (each for each in bars if each):
        first = len(rows)
        rows.extend(bar.rows)
        barred.append((1 << len(rows)) - (1 << first))
        absent_bits[bar.column] |= 1 << first
    axes = []
    for at, column in enumerate(table.inputs):
        field = known.get(column.field)
        bounds = _bounds(column, field, [row[at] for row in rows])
        absent = field is not None and field.required is not Required.ALWAYS
        wanted = [row[at] for row in rows]
        axes.append(axis_of(column, wanted, bounds=bounds, absent=absent, only_absent=absent_bits[at]))
    return Space(table, rules, tuple(sorted(axes, key=_blunt)), len(gaps), tuple(barred), len(rows))


def _bounds(column: Input, field: Field | None, conditions: Sequence[Condition]) -> Interval | None:
    """What a field's value can be. Without a range of its own an amount is above 0, a count not below it.

    Nobody is asked for less, so that a table need not answer it; one that speaks of it is taken at its word.
    """
    given = column.bounds or (field.bounds if field else None)
    if given or field is None or column.type not in (FieldType.AMOUNT, FieldType.INTEGER):
        return given
    intervals = [each for condition in conditions for each in intervals_of(condition, days=False)]
    lows = [each.low for each in intervals if isinstance(each.low, Decimal)]
    highs = [each.high for each in intervals if isinstance(each.high, Decimal)]
    if min(lows, default=ZERO) < ZERO or min(highs, default=ONE) <= ZERO:
        return None
    return Interval(ZERO, None, low_closed=column.type is FieldType.INTEGER)


@dataclass(frozen=True, slots=True)
class Bar:
    """Rows that a point meets together when `column` has no value although it must; the first says so."""

    column: int
    rows: tuple[Row, ...]


def _bar(at: int, field: Field | None, table: DecisionTable) -> Bar | None:
    """None when the field may be absent anywhere, or nowhere, or for reasons outside this table."""
    places = {column.field: place for place, column in enumerate(table.inputs)}
    if field is None or field.required is not Required.WHEN:
        return None
    if any(clause.field not in places for clause in field.required_when):
        return None
    first: list[Condition] = [Anything()] * len(places)
    rest: list[Row] = []
    for clause in field.required_when:
        place = places[clause.field]
        if isinstance(first[place], Anything) and place != at:
            first[place] = clause.condition
        else:  # a second condition on the same field
            rest.append(
                tuple(clause.condition if each == place else Anything() for each in range(len(places)))
            )
    return Bar(at, (tuple(first), *rest))


def _blunt(axis: Axis) -> float:
    """The mean share of rows that a class of cells meets: the smaller, the sooner the walk ends."""
    return sum(rows.bit_count() for rows, _ in axis.classes) / len(axis.classes)
