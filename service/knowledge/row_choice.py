"""Which rows of a table, and which items of a list, a question is about.

By the numbers first: an amount within a row's bounds, a date or a code that a row names; then by the label
in its first cell. What one row fits the others do not, so they are left out; and a row none of whose cells is
asked for is never quoted alone.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence

from ingestion.literals import LiteralKind, find_literals
from service.knowledge.bounds import Amount, Bound, amounts, bounds, fits
from service.knowledge.lines import Line, Role
from service.knowledge.weighing import Weighing

_POINTED_OUT = frozenset({LiteralKind.CODE, LiteralKind.DATE, LiteralKind.ORDINAL})
_LABEL_END = re.compile(r"[、,/;]")
_CLAUSE_END = re.compile(r",(?!\d{3})")
_Place = tuple[int, int]  # passage, place in it


class RowChoice:
    """What the question's numbers and labels point at among the rows and items of its evidence."""

    def __init__(self, asked: str, lines: Sequence[Line], weighing: Weighing) -> None:
        self._fitting: set[_Place] = set()
        self._excluded: set[_Place] = set()
        named, asked_amounts = _named(asked), amounts(asked)
        for members in _siblings(lines):
            self._by(members, [_names_one(named, line) for line in members])
            self._by(members, [_fits(asked_amounts, line) for line in members])
            self._by(members, [_is_labelled(asked, line) for line in members])
        self._unmatched = {
            _place(line)
            for line in lines
            if line.role is Role.ROW and _place(line) not in self._fitting and not weighing.own(line)
        }

    def _by(self, members: Sequence[Line], verdicts: Sequence[bool | None]) -> None:
        if True not in verdicts:
            return
        for line, verdict in zip(members, verdicts, strict=True):
            if verdict is not None:
                (self._fitting if verdict else self._excluded).add(_place(line))

    def fits(self, line: Line) -> bool:
        return _place(line) in self._fitting and _place(line) not in self._excluded

    def excludes(self, line: Line) -> bool:
        return _place(line) in self._excluded

    def leaves_out(self, line: Line) -> bool:
        """Whether it may not be quoted by itself."""
        return self.excludes(line) or _place(line) in self._unmatched


def _place(line: Line) -> _Place:
    return line.passage, line.place


def _siblings(lines: Sequence[Line]) -> Iterable[list[Line]]:
    """Rows under the same headers, also across passages; items under the same head; cases told one after
    the other with semicolons between."""
    groups: defaultdict[tuple[object, ...], list[Line]] = defaultdict(list)
    first = 0  # place of the first of the cases
    for line, before in zip(lines, (None, *lines), strict=False):
        told_on = before is not None and before.passage == line.passage and before.text.endswith(";")
        first = first if told_on else line.place
        if line.role is Role.ROW:
            groups[tuple(cell.header for cell in line.cells[:2])].append(line)
        elif line.role is Role.ITEM:
            groups[line.passage, line.head].append(line)
        elif line.role is Role.PLAIN and (not line.opens or line.text.endswith(";")):
            groups[line.passage, "cases", first].append(line)
    return [members for members in groups.values() if len(members) > 1]


def _named(asked: str) -> frozenset[str]:
    return frozenset(found.normal for found in find_literals(asked) if found.kind in _POINTED_OUT)


def _names_one(named: frozenset[str], line: Line) -> bool | None:
    """Only rows are told apart by what they name; None for an item."""
    if not named or line.role is not Role.ROW:
        return None
    return any(found.normal in named for cell in line.cells for found in find_literals(cell.value))


def _is_labelled(asked: str, line: Line) -> bool | None:
    """Whether the question holds a label from the row's first cell."""
    if line.role is not Role.ROW:
        return None
    return any(len(label) > 1 and label in asked for label in _LABEL_END.split(line.cells[0].value))


def _fits(asked: tuple[Amount, ...], line: Line) -> bool | None:
    if not asked:
        return None
    if line.role is Role.ROW:
        verdicts = [fits(asked, bounds(cell.value, cell.unit)) for cell in line.cells]
        return None if all(v is None for v in verdicts) else False not in verdicts
    return fits(asked, _opening_bounds(line))


def _opening_bounds(line: Line) -> tuple[Bound, ...]:
    """Those of an item's first clause; later ones limit a part of it only."""
    return bounds(_CLAUSE_END.split(line.text, maxsplit=1)[0])
