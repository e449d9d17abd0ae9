"""Which rows a gap most likely comes from: what its keeper has to look at first."""

from collections.abc import Sequence
from functools import reduce
from operator import and_

from rules.axes import LineAxis
from rules.checking.space import Space
from rules.checking.survey import Hole, rules_in_force
from rules.table import Rule

NEAR = 6
"""Rows that are told; a gap of a whole column may touch hundreds."""


def near_rules(space: Space, hole: Hole) -> tuple[Rule, ...]:
    """The rows a gap most likely comes from, or else those it touches.

    First those whose own end, which no other row shares, bounds it and that fit on all other sides; then all
    that fit there on the other sides; then all that touch it.
    """
    cells, rows = hole.cells, rules_in_force(space.rules, hole.periods[:1])[hole.periods[0]]
    whole = [axis.met_everywhere(part) for axis, part in zip(space.axes, cells, strict=True)]
    some = [axis.met_somewhere(part) for axis, part in zip(space.axes, cells, strict=True)]
    own = fitting = touching = 0
    for at, axis in enumerate(space.axes):
        fits, touches = _on_others(whole, at, rows), _on_others(some, at, rows)
        for border in axis.beside(cells[at]):
            met = axis.met_somewhere(border)
            fitting |= met & fits
            touching |= met & touches
            if isinstance(axis, LineAxis) and _turning(axis, border, cells[at], rows).bit_count() == 1:
                own |= met & fits & _turning(axis, border, cells[at], rows)
    return space.rules_of(own or fitting or touching)[:NEAR]


def _on_others(met: Sequence[int], at: int, rows: int) -> int:
    """Of `rows` those met on every axis but `at`."""
    return reduce(and_, met[:at], rows) & reduce(and_, met[at + 1 :], rows)


def _turning(axis: LineAxis, border: int, cells: int, rows: int) -> int:
    """The rows that begin or end between a bordering cell and the region."""
    outside = border.bit_length() - 1
    inside = outside + 1 if cells >> (outside + 1) & 1 else outside - 1
    return (axis.masks[outside] ^ axis.masks[inside]) & rows
