"""Tables as blocks: one sentence per data row, with everything else of the table said beside it.

`Table` (grid) -> roles of its rows (table_layout) -> sentences (row_sentences) -> blocks. Every character of
every cell is counted in exactly one block: header cells with the first row, spanning cells where they start.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest

from ingestion.documents import Anchor, Block, BlockKind, count_chars
from ingestion.grid import Cell, Grid, Table
from ingestion.row_sentences import RowPhrasing, phrasing, prefix_of
from ingestion.table_layout import Layout, Shape, form_pairs, is_label, is_remark, recognise

__all__ = ["Cell", "Table", "source_characters", "table_blocks"]

SHORT_CELL = 60  # characters


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
        """Cells of a frame as paragraphs; the short cells of one row make one line."""
        for row in self._layout.body:
            cells = self._grid.starting(row)
            if len(cells) > 1 and all(len(cell.text) <= SHORT_CELL for cell in cells):
                yield self._line(row)
                continue
            for cell in cells:
                yield self._block(BlockKind.PARAGRAPH, cell.text.strip(), row, count_chars(cell.text))

    def _form_rows(self) -> Iterator[Block]:
        """Label/value rows: 「标题：姓名为张三，部门为市场部。」; a label without a value is a blank."""
        prefix = prefix_of(self._title, self._unit)
        for row in self._layout.body:
            text = _form_sentence(self._grid.owners(row), self._grid.width)
            yield self._block(BlockKind.TABLE, f"{prefix}{text}", row, self._own_chars(row), self._title)

    def _records(self) -> Iterator[Block]:
        layout = self._layout
        self._pending = sum(self._own_chars(row) for row in layout.header)
        words = phrasing(self._grid, layout, self._title, self._unit)
        records = [row for row in layout.body if not self._lone(row)]
        yield from self._blank_columns(words, records)
        section, group = "", set[int]()
        for row, following in zip_longest(layout.body, layout.body[1:]):
            cells = self._grid.owners(row)
            if self._lone(row):
                section, group = (section, group) if is_remark(cells[0].line) else (cells[0].line, set())
                yield self._line(row)
                continue
            filled = self._columns(row)
            if filled & group:
                section, group = "", set()
            yield self._record(words, row, section)
            if following is not None and self._opens_group(row, following):
                section, group = cells[0].line, filled

    def _record(self, words: RowPhrasing, row: int, section: str) -> Block:
        named = replace(words, prefix=_with_section(words.prefix, section)) if section else words
        chars = self._own_chars(row) + self._take_pending()
        return self._block(BlockKind.TABLE, named.sentence(row), row, chars, self._context(words))

    def _blank_columns(self, words: RowPhrasing, records: Sequence[int]) -> Iterator[Block]:
        """Columns without any value are no part of the rows; that they exist is said once."""
        blank = words.unused_headers(records)
        if blank:
            text = f"{words.prefix}未填写的栏目有{'、'.join(blank)}。"
            first = self._layout.header[0]
            yield self._block(BlockKind.TABLE, text, first, self._take_pending(), self._context(words))

    def _lone(self, row: int) -> bool:
        """A row that is one cell over the whole width, or a remark: a sub-heading or a foot note."""
        cells = self._grid.owners(row)
        if len(cells) != 1 or cells[0].row_span > 1:
            return False
        whole = cells[0].column_span >= self._grid.filled_width > 1
        return whole or (cells[0].column == 0 and is_remark(cells[0].line))

    def _columns(self, row: int) -> set[int]:
        return {column for cell in self._grid.owners(row) for column in self._grid.columns_of(cell)}

    def _opens_group(self, row: int, following: int) -> bool:
        """A row that fills only columns left of those of the rows below it names their group."""
        filled, below = self._columns(row), self._columns(following)
        return bool(filled and below) and max(filled) < min(below) and len(filled) < len(below)

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


def _form_sentence(cells: Sequence[Cell], width: int) -> str:
    said: list[str] = []
    blank: list[str] = []
    for label, value in form_pairs(cells, width):
        name = label.label.rstrip("：:") if label is not None else ""
        if value is None:
            blank.append(name)
        else:
            said.append(f"{name}为{_trimmed(value)}" if name else _trimmed(value))
    if blank:
        said.append(f"待填写：{'、'.join(blank)}")
    return "，".join(said) + "。"


def _trimmed(cell: Cell) -> str:
    return cell.line.rstrip("。；，") or cell.line
