"""Tables as blocks: one sentence per data row, with everything else of the table said beside it.

`Table` (grid) -> roles of its rows (table_layout) -> sentences (row_sentences) -> blocks. Every character of
every cell is counted in exactly one block: header cells with the first row, spanning cells where they start.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ingestion.documents import Anchor, Block, BlockKind, count_chars
from ingestion.grid import Cell, Grid, Table
from ingestion.row_sentences import RowPhrasing, phrasing, prefix_of
from ingestion.table_layout import Layout, Shape, is_label, is_remark, recognise

__all__ = ["Cell", "Table", "source_characters", "table_blocks"]


def source_characters(table: Table) -> int:
    """Characters of all cells, each counted once: what `table_blocks` accounts for."""
    return sum(count_chars(cell.text) for cell in table.cells)


def table_blocks(table: Table) -> list[Block]:
    """The blocks of a table in reading order; their `source_chars` add up to `source_characters(table)`."""
    grid = Grid(table.cells)
    layout = recognise(grid, table.header_rows)
    title = layout.title or table.title or table.sheet
    writer = _Writer(table, grid, layout, title, layout.unit or table.unit)
    return writer.blocks()


class _Writer:
    """Writes the blocks of one recognised table."""

    def __init__(self, table: Table, grid: Grid, layout: Layout, title: str, unit: str) -> None:
        self._table = table
        self._grid = grid
        self._layout = layout
        self._title = title
        self._unit = unit
        self._pending = 0  # characters of header rows, booked with the next block

    def blocks(self) -> list[Block]:
        return [*self._leading(), *self._body()]

    def _leading(self) -> Iterator[Block]:
        """Title, unit and other rows above the header, in their order, each as a line of its own."""
        for row in sorted({*self._layout.title_rows, *self._layout.unit_rows, *self._layout.before}):
            yield self._line(row)

    def _body(self) -> Iterator[Block]:
        match self._layout.shape:
            case Shape.LAYOUT:
                yield from self._paragraphs()
            case Shape.FORM:
                yield from self._form_rows()
            case Shape.RECORDS | Shape.HEADLESS:
                yield from self._records()

    def _paragraphs(self) -> Iterator[Block]:
        for row in self._layout.body:
            for cell in self._grid.starting(row):
                yield self._block(BlockKind.PARAGRAPH, cell.text.strip(), row, count_chars(cell.text))

    def _form_rows(self) -> Iterator[Block]:
        """Label/value rows: 「标题：姓名为张三，部门为市场部。」; a label without a value is a blank."""
        prefix = prefix_of(self._title, self._unit)
        for row in self._layout.body:
            text = _form_sentence(self._grid.owners(row))
            yield self._block(BlockKind.TABLE, f"{prefix}{text}", row, self._own_chars(row), self._title)

    def _records(self) -> Iterator[Block]:
        layout = self._layout
        self._pending = sum(self._own_chars(row) for row in layout.header)
        words = phrasing(self._grid, layout, self._title, self._unit)
        records = [row for row in layout.body if not self._lone(row)]
        yield from self._blank_columns(words, records)
        section = ""
        for row in layout.body:
            if self._lone(row):
                cell = self._grid.owners(row)[0]
                section = section if is_remark(cell.line) else cell.line
                yield self._line(row)
            else:
                yield self._record(words, row, section)

    def _record(self, words: RowPhrasing, row: int, section: str) -> Block:
        named = replace(words, prefix=_with_section(words.prefix, section)) if section else words
        chars = self._own_chars(row) + self._take_pending()
        return self._block(BlockKind.TABLE, named.sentence(row), row, chars, self._context(words))

    def _blank_columns(self, words: RowPhrasing, records: Sequence[int]) -> Iterator[Block]:
        """Columns without any value are no part of the rows; that they exist is said once."""
        blank = words.unused_headers(records)
        if blank:
            text = f"{words.prefix}待填写的栏目有{'、'.join(blank)}。"
            first = self._layout.header[0]
            yield self._block(BlockKind.TABLE, text, first, self._take_pending(), self._context(words))

    def _lone(self, row: int) -> bool:
        """A row that is one cell over the whole width, or a remark: a sub-heading or a foot note."""
        cells = self._grid.owners(row)
        if len(cells) != 1 or cells[0].row_span > 1:
            return False
        whole = cells[0].column_span >= self._grid.filled_width > 1
        return whole or (cells[0].column == 0 and is_remark(cells[0].line))

    def _line(self, row: int) -> Block:
        """A row outside the records as it reads: 「单位：万元」, 「报表导出人：于国栋」."""
        text = _joined(self._grid.owners(row))
        return self._block(BlockKind.PARAGRAPH, text, row, self._own_chars(row) + self._take_pending())

    def _context(self, words: RowPhrasing) -> str:
        unit = f"（单位：{self._unit}）" if self._unit and self._unit not in self._title else ""
        return "\n".join(part for part in (self._title + unit, words.header_line()) if part)

    def _own_chars(self, row: int) -> int:
        return sum(count_chars(cell.text) for cell in self._grid.starting(row))

    def _take_pending(self) -> int:
        pending, self._pending = self._pending, 0
        return pending

    def _block(self, kind: BlockKind, text: str, row: int, chars: int, context: str = "") -> Block:
        return Block(kind, text, self._anchor(row), context=context, source_chars=chars)

    def _anchor(self, row: int) -> Anchor:
        anchors = self._table.row_anchors
        return anchors[row] if row < len(anchors) else self._table.anchor


def _with_section(prefix: str, section: str) -> str:
    return f"{prefix.removesuffix('：')}{'，' if prefix else ''}{section}："


def _joined(cells: Sequence[Cell]) -> str:
    """Cells of one row as a line; a label takes its value after a colon."""
    parts: list[str] = []
    for cell in cells:
        if parts and parts[-1].endswith(("：", ":")):
            parts[-1] += cell.line
        elif parts and len(cells) == 2 and is_label(parts[-1]):
            parts[-1] += f"：{cell.line}"
        else:
            parts.append(cell.line)
    return "；".join(parts)


def _form_sentence(cells: Sequence[Cell]) -> str:
    said: list[str] = []
    blank: list[str] = []
    label = ""
    for cell in cells:
        name = cell.label.rstrip("：:")
        if is_label(cell.line) and not (label and _is_last_value(cell, cells)):
            if label:
                blank.append(label)
            label = name
        elif label:
            said.append(f"{label}为{cell.line.rstrip('。；，') or cell.line}")
            label = ""
        else:
            said.append(cell.line.rstrip("。；，") or cell.line)
    if label:
        blank.append(label)
    if blank:
        said.append(f"待填写：{'、'.join(blank)}")
    return "，".join(said) + "。"


def _is_last_value(cell: Cell, cells: Sequence[Cell]) -> bool:
    return len(cells) % 2 == 0 and cells[-1] is cell
