"""Ruled tables of a page: from drawn lines to a grid of cells, and from runs to the text in the cells.

The lines are snapped, joined into connected groups, and each group becomes a grid. Neighbouring grid
squares without a line between them are one cell, so merged cells come out with their spans. The text in the
cells is pdfium's own, so a table's characters are counted exactly as the page's are.
"""

import statistics
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from ingestion.documents import Box
from ingestion.glyphs import close_spaced_han, join_lines, normalise
from ingestion.parsers.pdf_drawing import Rule
from ingestion.parsers.pdf_text import Glyph, Run

_SNAP = 3.0  # points between two drawings of the same line
_TOUCH = 4.0  # points by which two crossing lines may miss each other
_COVERED = 0.8  # share of a square's side a line must cover to divide it from its neighbour
_MAX_LINES = 400  # of one direction on a page: more is a drawing
_MIN_CELL = 4.0
_COLUMNS_OF_ONE_ROW = 3  # a single row is the rest of a table from the page before, or boxes side by side


@dataclass(frozen=True, slots=True)
class GridCell:
    """A cell of a ruled grid; `row` and `column` count from 0."""

    row: int
    column: int
    row_span: int
    column_span: int
    box: Box


@dataclass(frozen=True, slots=True)
class RuledGrid:
    box: Box
    rows: int
    columns: int
    cells: tuple[GridCell, ...]
    edges: tuple[float, ...]  # x of the column borders, columns + 1 of them


@dataclass(frozen=True, slots=True)
class FilledCell:
    cell: GridCell
    text: str
    chars: int


@dataclass(frozen=True, slots=True)
class RuledTable:
    """A grid with its text. `chars` counts the page's characters inside."""

    grid: RuledGrid
    cells: tuple[FilledCell, ...]
    chars: int

    @property
    def box(self) -> Box:
        return self.grid.box


def ruled_grids(rules: Sequence[Rule]) -> list[RuledGrid]:
    """The grids of 2 x 2 cells or more, or one row of three, that the lines of a page form, top to bottom."""
    level = _joined([rule for rule in rules if rule.horizontal])
    upright = _joined([rule for rule in rules if not rule.horizontal])
    if not level or not upright or max(len(level), len(upright)) > _MAX_LINES:
        return []
    grids = [_grid(group) for group in _connected(level, upright)]
    return sorted((grid for grid in grids if grid is not None), key=lambda grid: grid.box.top)


def _joined(rules: list[Rule]) -> list[Rule]:
    """Lines at the same place (3 pt) that overlap or touch become one."""
    joined: list[Rule] = []
    for group in _clusters(rules):
        at = statistics.fmean(rule.at for rule in group)
        current: Rule | None = None
        for rule in sorted(group, key=lambda rule: rule.start):
            if current is not None and rule.start <= current.end + _SNAP:
                current = replace(current, end=max(current.end, rule.end))
                continue
            if current is not None:
                joined.append(current)
            current = replace(rule, at=at)
        if current is not None:
            joined.append(current)
    return joined


def _clusters(rules: list[Rule]) -> list[list[Rule]]:
    clusters: list[list[Rule]] = []
    for rule in sorted(rules, key=lambda rule: rule.at):
        if clusters and rule.at - clusters[-1][0].at <= _SNAP:
            clusters[-1].append(rule)
        else:
            clusters.append([rule])
    return clusters


def _connected(level: list[Rule], upright: list[Rule]) -> list[list[Rule]]:
    """Groups of lines that touch each other."""
    rules = [*level, *upright]
    parent = list(range(len(rules)))

    def root(i: int) -> int:
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    for i, row in enumerate(level):
        for k, column in enumerate(upright, len(level)):
            if _touch(row, column):
                parent[root(i)] = root(k)
    groups: dict[int, list[Rule]] = defaultdict(list)
    for i, rule in enumerate(rules):
        groups[root(i)].append(rule)
    return list(groups.values())


def _touch(row: Rule, column: Rule) -> bool:
    return (
        row.start - _TOUCH <= column.at <= row.end + _TOUCH
        and column.start - _TOUCH <= row.at <= column.end + _TOUCH
    )


def _grid(group: list[Rule]) -> RuledGrid | None:
    level = [rule for rule in group if rule.horizontal]
    upright = [rule for rule in group if not rule.horizontal]
    xs = _places([rule.at for rule in upright], level)
    ys = _places([rule.at for rule in level], upright)
    if len(xs) < 3 or len(ys) < 2:
        return None
    cells = _cells(xs, ys, level, upright)
    columns, rows = len({cell.column for cell in cells}), len({cell.row for cell in cells})
    if columns < 2 or (rows < 2 and columns < _COLUMNS_OF_ONE_ROW):
        return None
    return RuledGrid(Box(xs[0], ys[0], xs[-1], ys[-1]), len(ys) - 1, len(xs) - 1, tuple(cells), tuple(xs))


def _places(at: Iterable[float], crossing: list[Rule]) -> list[float]:
    """Where the grid is divided: at the lines, and at the open ends of the lines that cross them."""
    ends = [min(rule.start for rule in crossing), max(rule.end for rule in crossing)] if crossing else []
    places: list[float] = []
    for place in sorted([*at, *ends]):
        if not places or place - places[-1] > _MIN_CELL:
            places.append(place)
    return places


def _cells(xs: list[float], ys: list[float], level: list[Rule], upright: list[Rule]) -> list[GridCell]:
    rows, columns = len(ys) - 1, len(xs) - 1
    owner = {(r, c): (r, c) for r in range(rows) for c in range(columns)}

    def root(square: tuple[int, int]) -> tuple[int, int]:
        while owner[square] != square:
            square = owner[square]
        return square

    for r in range(rows):
        for c in range(columns):
            if c + 1 < columns and not _divided(upright, xs[c + 1], ys[r], ys[r + 1]):
                owner[root((r, c + 1))] = root((r, c))
            if r + 1 < rows and not _divided(level, ys[r + 1], xs[c], xs[c + 1]):
                owner[root((r + 1, c))] = root((r, c))
    squares: dict[tuple[int, int], list[tuple[int, int]]] = defaultdict(list)
    for square in owner:
        squares[root(square)].append(square)
    cells = [cell for group in squares.values() for cell in _rectangles(group, xs, ys)]
    return sorted(cells, key=lambda cell: (cell.row, cell.column))


def _divided(rules: list[Rule], at: float, start: float, end: float) -> bool:
    covered = sum(
        max(0.0, min(rule.end, end) - max(rule.start, start))
        for rule in rules
        if abs(rule.at - at) <= _MIN_CELL
    )
    return covered >= _COVERED * (end - start)


def _rectangles(squares: list[tuple[int, int]], xs: list[float], ys: list[float]) -> list[GridCell]:
    """One cell for a rectangle of squares; another shape (a line is missing) falls into its rows."""
    rows, columns = {r for r, _ in squares}, {c for _, c in squares}
    if len(squares) == len(rows) * len(columns):
        return [_cell(min(rows), min(columns), max(rows), max(columns), xs, ys)]
    cells = []
    for row in sorted(rows):
        inside = sorted(c for r, c in squares if r == row)
        first = 0
        for i in range(1, len(inside) + 1):
            if i == len(inside) or inside[i] != inside[i - 1] + 1:
                cells.append(_cell(row, inside[first], row, inside[i - 1], xs, ys))
                first = i
    return cells


def _cell(top: int, left: int, bottom: int, right: int, xs: list[float], ys: list[float]) -> GridCell:
    box = Box(xs[left], ys[top], xs[right + 1], ys[bottom + 1])
    return GridCell(top, left, bottom - top + 1, right - left + 1, box)


# --- text into cells -------------------------------------------------------------------------------------


def split_runs(runs: Sequence[Run], grids: Sequence[RuledGrid]) -> tuple[list[Run], list[RuledTable]]:
    """The runs outside the grids, and each grid with the text inside; a grid without text is dropped."""
    outside: list[Run] = []
    inside: list[list[Run]] = [[] for _ in grids]
    for run in runs:
        place = _grid_of(run, grids)
        (outside if place is None else inside[place]).append(run)
    tables: list[RuledTable] = []
    for grid, contents in zip(grids, inside, strict=True):
        table = _fill(grid, contents)
        if sum(bool(cell.text) for cell in table.cells) < min(2, grid.rows):
            outside.extend(contents)
        else:
            tables.append(table)
    return outside, tables


def _grid_of(run: Run, grids: Sequence[RuledGrid]) -> int | None:
    x, y = (run.box.x0 + run.box.x1) / 2, (run.box.top + run.box.bottom) / 2
    for i, grid in enumerate(grids):
        box = grid.box
        if box.x0 - 1 <= x <= box.x1 + 1 and box.top - 1 <= y <= box.bottom + 1:
            return i
    return None


def _fill(grid: RuledGrid, runs: Sequence[Run]) -> RuledTable:
    index = _CellIndex(grid)
    contents: dict[int, list[Run]] = defaultdict(list)
    for run in runs:
        start = 0
        places = [index.of(glyph) for glyph in run.glyphs]
        for i in range(1, len(places) + 1):
            if i == len(places) or places[i] != places[start]:
                contents[places[start]].append(run.part(run.glyphs[start:i]))
                start = i
    filled = tuple(
        FilledCell(cell, cell_text(contents[i]), sum(run.chars for run in contents[i]))
        for i, cell in enumerate(grid.cells)
    )
    return RuledTable(grid, filled, sum(run.chars for run in runs))


class _CellIndex:
    """Finds the cell under a character by its centre."""

    def __init__(self, grid: RuledGrid) -> None:
        self._cells = grid.cells
        self._tops = sorted({cell.box.top for cell in grid.cells})
        self._by_top: dict[float, list[int]] = defaultdict(list)
        for i, cell in enumerate(grid.cells):
            for top in self._tops:
                if cell.box.top <= top < cell.box.bottom:
                    self._by_top[top].append(i)

    def of(self, glyph: Glyph) -> int:
        x, y = (glyph.x0 + glyph.x1) / 2, (glyph.top + glyph.bottom) / 2
        row = max(bisect_right(self._tops, y) - 1, 0)
        candidates = self._by_top[self._tops[row]]
        return min(candidates, key=lambda i: _distance(self._cells[i].box, x))


def _distance(box: Box, x: float) -> float:
    return max(box.x0 - x, x - box.x1, 0.0)


def cell_text(runs: Sequence[Run]) -> str:
    """The lines of a cell as running text: runs of one base line side by side, lines joined."""
    lines: list[list[Run]] = []
    for run in sorted(runs, key=lambda run: (run.box.top + run.box.bottom) / 2):
        middle = (run.box.top + run.box.bottom) / 2
        if lines and middle < lines[-1][0].box.bottom - 0.2 * run.size:
            lines[-1].append(run)
        else:
            lines.append([run])
    text = ""
    for line in lines:
        ordered = sorted(line, key=lambda run: run.box.x0)
        text = join_lines(text, close_spaced_han(" ".join(normalise_line(run.text) for run in ordered)))
    return text.strip()


def normalise_line(text: str) -> str:
    """`normalise`, except that pdfium's line-end hyphen stays for `join_lines` to judge."""
    return "-".join(normalise(part) for part in text.split("\u00ad"))
