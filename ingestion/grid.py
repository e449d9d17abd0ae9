"""A table as its file holds it: cells with spans, and the grid they cover.

What the rows mean is decided in `table_layout`.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from ingestion.documents import Anchor

_CJK = r"\u3000-\u303f\u4e00-\u9fff\uff00-\uffef"
_BREAK_IN_CJK = re.compile(rf"(?<=[{_CJK}])\s*\n\s*(?=[{_CJK}])")
_WHITE = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell as stored: `row` and `column` count from 0, a merged cell is given once with its spans."""

    row: int
    column: int
    text: str
    row_span: int = 1
    column_span: int = 1

    @property
    def line(self) -> str:
        """The text on one line; a line break between Chinese characters leaves no blank."""
        return _WHITE.sub(" ", self.text).strip()

    @property
    def label(self) -> str:
        """As `line`, for headers: there a break inside a word is layout (成分含\\n量)."""
        return _WHITE.sub(" ", _BREAK_IN_CJK.sub("", self.text)).strip()


@dataclass(frozen=True, slots=True)
class Table:
    """A table and where it stands.

    `title` and `unit` are what stands *outside* the cells (a caption before the table): they are said in
    every sentence but not counted as characters of the table. `header_rows` is the number of header rows
    after any title rows, None = recognise them. `anchor` is the place of the whole table; `row_anchors`,
    when given, has one entry per grid row.
    """

    cells: tuple[Cell, ...]
    title: str = ""
    sheet: str = ""
    unit: str = ""
    header_rows: int | None = None
    anchor: Anchor = field(default_factory=Anchor)
    row_anchors: tuple[Anchor, ...] = ()

    @classmethod
    def from_rows(
        cls,
        rows: Sequence[Sequence[str | None]],
        *,
        title: str = "",
        sheet: str = "",
        unit: str = "",
        header_rows: int | None = None,
        anchor: Anchor | None = None,
        row_anchors: tuple[Anchor, ...] = (),
    ) -> "Table":
        """A table from rows of texts; None marks a place covered by a merged cell to its left or above.

        Where both are possible, a row that begins with None continues the cells above it, any other row
        the cell to the left. A parser that knows the spans gives `cells` instead.
        """
        return cls(tuple(_cells_of(rows)), title, sheet, unit, header_rows, anchor or Anchor(), row_anchors)


@dataclass(slots=True)
class _Span:
    """A cell while its extent is still growing; `bottom` and `right` are exclusive."""

    cell: Cell
    bottom: int
    right: int

    def finished(self) -> Cell:
        return replace(
            self.cell, row_span=self.bottom - self.cell.row, column_span=self.right - self.cell.column
        )


def _cells_of(rows: Sequence[Sequence[str | None]]) -> Iterator[Cell]:
    spans: list[_Span] = []
    above: dict[int, _Span] = {}
    for r, row in enumerate(rows):
        current: dict[int, _Span] = {}
        for c, text in enumerate(row):
            if text is not None:
                current[c] = _Span(Cell(r, c, text), r + 1, c + 1)
                spans.append(current[c])
                continue
            covering = _covering(row, current.get(c - 1), above.get(c))
            if covering is not None:
                covering.bottom, covering.right = max(covering.bottom, r + 1), max(covering.right, c + 1)
                current[c] = covering
        above = current
    for span in spans:
        yield span.finished()


def _covering(row: Sequence[str | None], left: _Span | None, above: _Span | None) -> _Span | None:
    """The cell that reaches over a None place, see `Table.from_rows`."""
    if above is not None:
        columns = range(above.cell.column, above.right)
        if any(column >= len(row) or row[column] is not None for column in columns):
            above = None
    if row[0] is None and above is not None:
        return above
    if left is not None and left.right <= left.cell.column + len(row) and left.bottom - left.cell.row == 1:
        return left
    return above


class Grid:
    """Which cell covers each place. Empty rows and columns at the edges belong to the grid, too.

    A span never covers a place that another cell with text starts at, and never reaches past the last
    row or column in which a cell starts. Spans that together cover more places than the grid has lie over
    each other; those beyond are ignored, so that hostile ones cost no more than the grid.
    """

    def __init__(self, cells: Sequence[Cell]) -> None:
        self.height = max((cell.row for cell in cells), default=-1) + 1
        self.width = max((cell.column + 1 for cell in cells), default=0)
        self._places: dict[tuple[int, int], Cell] = {(cell.row, cell.column): cell for cell in cells}
        left = self.height * self.width
        for cell in cells:
            if not cell.text.strip() or (cell.row_span <= 1 and cell.column_span <= 1):
                continue
            rows = range(cell.row, min(cell.row + max(cell.row_span, 1), self.height))
            left -= len(rows) * len(self.columns_of(cell))
            if left < 0:
                break
            self._cover(cell, rows)
        self._rows = [self._find_owners(row) for row in range(self.height)]
        self._filled = {column for row in self._rows for cell in row for column in self.columns_of(cell)}

    def _cover(self, cell: Cell, rows: range) -> None:
        for row in rows:
            for column in self.columns_of(cell):
                present = self._places.get((row, column))
                if present is None or not present.text.strip():
                    self._places[row, column] = cell

    def _find_owners(self, row: int) -> tuple[Cell, ...]:
        seen: dict[int, Cell] = {}
        for column in range(self.width):
            cell = self._places.get((row, column))
            if cell is not None and cell.text.strip():
                seen.setdefault(id(cell), cell)
        return tuple(seen.values())

    def at(self, row: int, column: int) -> Cell | None:
        """The cell with text that covers a place, None where it is empty."""
        cell = self._places.get((row, column))
        return cell if cell is not None and cell.text.strip() else None

    def owners(self, row: int) -> tuple[Cell, ...]:
        """The cells with text that cover a row, left to right, each once."""
        return self._rows[row]

    def starting(self, row: int) -> tuple[Cell, ...]:
        """The cells with text whose first row is `row`: every cell of a table starts in exactly one row."""
        return tuple(cell for cell in self._rows[row] if cell.row == row)

    def columns_of(self, cell: Cell) -> range:
        return range(cell.column, min(cell.column + max(cell.column_span, 1), self.width))

    @property
    def filled_width(self) -> int:
        """The number of columns in which some row has text."""
        return len(self._filled)
