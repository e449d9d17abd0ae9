"""Which rows a gap most likely comes from: what its keeper has to look at first."""

from rules.axes import LineAxis
from rules.checking.space import Cells, Space
from rules.checking.survey import Hole, in_force
from rules.table import Rule

NEAR = 6
"""Rows that are told; a gap of a whole column may touch hundreds."""


def near_rules(space: Space, hole: Hole) -> tuple[Rule, ...]:
    """The rows a gap most likely comes from, or else those it touches.

    First those whose own end, which no other row shares, bounds it and that fit on all other sides; then all
    that fit there on the other sides; then all that touch it.
    """
    cells, rows = hole.cells, in_force(space, hole.periods[0])
    own = fitting = touching = 0
    for at, axis in enumerate(space.axes):
        whole, some = _beside_others(space, cells, at, rows)
        for border in axis.beside(cells[at]):
            met = axis.met_somewhere(border)
            fitting |= met & whole
            touching |= met & some
            if isinstance(axis, LineAxis) and _turning(axis, border, cells[at], rows).bit_count() == 1:
                own |= met & whole & _turning(axis, border, cells[at], rows)
    return space.rules_of(own or fitting or touching)[:NEAR]


def _beside_others(space: Space, cells: Cells, at: int, rows: int) -> tuple[int, int]:
    """Of `rows` those that hold all of the box on the axes other than `at`, and those that hold some."""
    whole = some = rows
    for other, axis in enumerate(space.axes):
        if other != at:
            whole &= axis.met_everywhere(cells[other])
            some &= axis.met_somewhere(cells[other])
    return whole, some


def _turning(axis: LineAxis, border: int, cells: int, rows: int) -> int:
    """The rows that begin or end between a bordering cell and the region."""
    outside = border.bit_length() - 1
    inside = outside + 1 if cells >> (outside + 1) & 1 else outside - 1
    return (axis.masks[outside] ^ axis.masks[inside]) & rows
