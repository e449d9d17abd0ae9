"""Ruled tables of a PDF as blocks: tables that go on over a page become one, rows become sentences."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ingestion.documents import Anchor, Block, Box
from ingestion.glyphs import join_lines
from ingestion.grid import Cell, Table
from ingestion.parsers.pdf_layout import PlacedTable
from ingestion.parsers.pdf_paragraphs import Paragraph
from ingestion.table_layout import UNIT
from ingestion.tables import table_blocks

_CAPTION = re.compile(r"^(?:续?表|表格|Table)\s*[\d一二三四五六七八九十]", re.I)
_SAME_COLUMN = 6.0  # points


@dataclass(frozen=True, slots=True)
class Row:
    """One row of cells and where it stands."""

    cells: tuple[Cell, ...]
    page: int
    box: Box


@dataclass(frozen=True, slots=True)
class JoinedTable:
    """A table over one page or more. `repeated` are the characters of header rows printed again."""

    rows: tuple[Row, ...]
    chars: int
    repeated: str
    page: int
    box: Box
    edges: tuple[float, ...]  # x of the column borders

    @property
    def cells(self) -> tuple[Cell, ...]:
        return tuple(cell for row in self.rows for cell in row.cells)

    @property
    def texts(self) -> tuple[tuple[str, ...], ...]:
        """Row by row, each cell where it starts."""
        return tuple(tuple(cell.text for cell in row.cells) for row in self.rows)


TextItem = Paragraph | JoinedTable


def join_tables(items: Sequence[Paragraph | PlacedTable]) -> list[TextItem]:
    """Tables with the same columns at the foot of one page and the head of the next become one."""
    joined: list[TextItem] = []
    for item in items:
        if isinstance(item, Paragraph):
            joined.append(item)
            continue
        table = _table(item)
        last = joined[-1] if joined else None
        if isinstance(last, JoinedTable) and _goes_on(last, table):
            joined[-1] = _append(last, table)
        else:
            joined.append(table)
    return joined


def _table(placed: PlacedTable) -> JoinedTable:
    ruled = placed.table
    rows: list[Row] = []
    for number in range(ruled.grid.rows):
        filled = [cell for cell in ruled.cells if cell.cell.row == number]
        cells = tuple(
            Cell(number, f.cell.column, f.text, f.cell.row_span, f.cell.column_span) for f in filled
        )
        tops = [f.cell.box.top for f in filled] or [rows[-1].box.bottom if rows else ruled.box.top]
        ends = [f.cell.box.bottom for f in filled] or tops
        box = Box(ruled.box.x0, min(tops), ruled.box.x1, min(ends))
        rows.append(Row(cells, placed.page, box))
    return JoinedTable(tuple(rows), ruled.chars, "", placed.page, ruled.box, ruled.grid.edges)


def _goes_on(table: JoinedTable, other: JoinedTable) -> bool:
    """On the next page, between the same edges, and with no column border that the table has not."""
    return other.page == table.rows[-1].page + 1 and _same_columns(table, other)


def _same_columns(table: JoinedTable, other: JoinedTable) -> bool:
    outer = zip((table.edges[0], table.edges[-1]), (other.edges[0], other.edges[-1]), strict=True)
    return all(abs(one - two) <= _SAME_COLUMN for one, two in outer) and all(
        abs(table.edges[_nearest(table.edges, edge)] - edge) <= _SAME_COLUMN for edge in other.edges
    )


def _nearest(edges: Sequence[float], place: float) -> int:
    return min(range(len(edges)), key=lambda i: abs(edges[i] - place))


def _in_columns_of(table: JoinedTable, other: JoinedTable) -> list[Row]:
    """The rows of `other` with the column numbers of `table`, which may be divided further."""
    places = [_nearest(table.edges, edge) for edge in other.edges]

    def moved(cell: Cell) -> Cell:
        start, end = places[cell.column], places[cell.column + cell.column_span]
        return replace(cell, column=start, column_span=max(end - start, 1))

    return [replace(row, cells=tuple(moved(cell) for cell in row.cells)) for row in other.rows]


def _append(table: JoinedTable, other: JoinedTable) -> JoinedTable:
    rows = _in_columns_of(table, other)
    repeated = table.repeated
    if len(rows) > 1 and _texts(rows[0]) == _texts(table.rows[0]) and any(_texts(rows[0])):
        repeated += "".join(cell.text for cell in rows[0].cells)
        rows = rows[1:]
    kept = list(table.rows)
    if rows and _is_rest_of_row(rows[0], kept[-1]):
        kept[-1] = _merge(kept[-1], rows[0])
        rows = rows[1:]
    shift = len(kept) - (rows[0].cells[0].row if rows and rows[0].cells else 0)
    moved = [
        replace(row, cells=tuple(replace(cell, row=cell.row + shift) for cell in row.cells)) for row in rows
    ]
    return replace(table, rows=(*kept, *moved), chars=table.chars + other.chars, repeated=repeated)


def _texts(row: Row) -> tuple[str, ...]:
    return tuple(re.sub(r"\s", "", cell.text) for cell in row.cells)


def _is_rest_of_row(row: Row, above: Row) -> bool:
    """A row cut by the page end: no first cell, although the row above has one, and the same cells."""
    same = [(cell.column, cell.column_span) for cell in row.cells] == [
        (cell.column, cell.column_span) for cell in above.cells
    ]
    return same and not row.cells[0].text and bool(above.cells[0].text) and any(_texts(row))


def _merge(above: Row, below: Row) -> Row:
    cells = tuple(
        replace(one, text=join_lines(one.text, two.text))
        for one, two in zip(above.cells, below.cells, strict=True)
    )
    return replace(above, cells=cells)


def blocks_of(table: JoinedTable, before: Sequence[str], labels: Sequence[str | None]) -> list[Block]:
    """The table's blocks. `before` are the texts in front of it: a caption or unit is said in every row."""
    caption = next((text for text in before if _CAPTION.match(text) and len(text) <= 60), "")
    unit = next((found for text in before if (found := UNIT.search(text))), None)
    anchors = tuple(
        Anchor(page=row.page + 1, page_label=labels[row.page], boxes=(row.box,)) for row in table.rows
    )
    source = Table(
        table.cells,
        title=caption,
        unit=unit.group(1) if unit else "",
        anchor=Anchor(page=table.page + 1, page_label=labels[table.page], boxes=(table.box,)),
        row_anchors=anchors,
    )
    return table_blocks(source)
