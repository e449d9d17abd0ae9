"""Tables of Word as cells with spans. What a cell's paragraphs say is asked from the body's reader."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from lxml import etree

from ingestion.documents import Anchor, count_chars
from ingestion.parsers.docx_package import W, number, value
from ingestion.tables import Cell, Table

MAX_SPAN = 1_000
WRAPPERS = frozenset(W + name for name in ("sdt", "sdtContent", "ins", "moveTo", "customXml", "smartTag"))


@dataclass(frozen=True, slots=True)
class CellText:
    """`text` with automatic numbers; `source_chars` of it stand in the file."""

    text: str
    source_chars: int


@dataclass(frozen=True, slots=True)
class WordTable:
    table: Table
    generated: int  # characters of automatic numbers in the cells, which are none of the file's text


ReadCell = Callable[[etree._Element], CellText]
LeaveOut = Callable[[etree._Element, str], None]


def is_layout(table: etree._Element) -> bool:
    """A frame around text: one cell only, or a table that holds tables."""
    if next(table.iterdescendants(f"{W}tbl"), None) is not None:
        return True
    cells = sum(1 for row in rows_of(table) for _ in cells_of(row))
    return cells <= 1


def rows_of(table: etree._Element) -> Iterator[etree._Element]:
    return _unwrapped(table, f"{W}tr")


def cells_of(row: etree._Element) -> Iterator[etree._Element]:
    return _unwrapped(row, f"{W}tc")


def _unwrapped(parent: etree._Element, tag: str) -> Iterator[etree._Element]:
    """Children with `tag`, also those inside content controls and insertion marks."""
    for child in parent.iterchildren(etree.Element):
        if child.tag == tag:
            yield child
        elif child.tag in WRAPPERS:
            yield from _unwrapped(child, tag)


def paragraphs_of(cell: etree._Element) -> Iterator[etree._Element]:
    return _unwrapped(cell, f"{W}p")


def is_deleted_row(row: etree._Element) -> bool:
    return row.find(f"{W}trPr/{W}del") is not None


def read_table(
    table: etree._Element, read: ReadCell, leave_out: LeaveOut, anchor: Callable[[int], Anchor]
) -> WordTable:
    """The accepted rows. Merged cells are given once with their spans; a deleted row is left out."""
    reader = _Reader(read, leave_out)
    anchors: list[Anchor] = []
    for row in rows_of(table):
        if is_deleted_row(row):
            leave_out(row, "tracked_deletion")
            continue
        anchors.append(anchor(len(anchors)))
        reader.add_row(row)
    cells = tuple(cell.finished() for cell in reader.cells)
    first = anchors[0] if anchors else anchor(0)
    return WordTable(Table(cells, anchor=first, row_anchors=tuple(anchors)), reader.generated)


@dataclass(slots=True)
class _Open:
    """A cell that may still grow downwards."""

    row: int
    column: int
    columns: int
    text: str
    rows: int = 1

    def finished(self) -> Cell:
        return Cell(self.row, self.column, self.text, self.rows, self.columns)


class _Reader:
    def __init__(self, read: ReadCell, leave_out: LeaveOut) -> None:
        self._read = read
        self._leave_out = leave_out
        self._row = -1
        self._above: dict[int, _Open] = {}  # column -> the vertically merged cell that reaches down to it
        self.cells: list[_Open] = []
        self.generated = 0

    def add_row(self, row: etree._Element) -> None:
        self._row += 1
        column = _span(value(row, "trPr/gridBefore"), least=0)
        reaching: dict[int, _Open] = {}
        for element in cells_of(row):
            properties = element.find(f"{W}tcPr")
            columns = _span(value(properties, "gridSpan"))
            merge = properties.find(f"{W}vMerge") if properties is not None else None
            owner = self._above.get(column) if merge is not None and _continues(merge) else None
            if _joins_left(properties) and self.cells and self.cells[-1].row == self._row:
                self._leave_out(element, "merged_cell")
                self.cells[-1].columns += columns
            elif owner is not None:
                self._leave_out(element, "merged_cell")
                owner.rows += 1
                reaching[column] = owner
            else:
                cell = self._take(element, column, columns)
                if merge is not None:
                    reaching[column] = cell
            column += columns
        self._above = reaching

    def _take(self, element: etree._Element, column: int, columns: int) -> _Open:
        said = self._read(element)
        self.generated += count_chars(said.text) - said.source_chars
        cell = _Open(self._row, column, columns, said.text)
        self.cells.append(cell)
        return cell


def _continues(merge: etree._Element) -> bool:
    return (merge.get(f"{W}val") or "continue") == "continue"


def _joins_left(properties: etree._Element | None) -> bool:
    """The older horizontal merge: a continued cell belongs to the one before it."""
    merge = properties.find(f"{W}hMerge") if properties is not None else None
    return merge is not None and _continues(merge)


def _span(text: str | None, least: int = 1) -> int:
    return max(least, min(number(text) or least, MAX_SPAN))
