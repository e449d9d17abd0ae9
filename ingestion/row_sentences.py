"""Says a data row as one Chinese sentence, by what its columns mean 表格转述.

Which rows are data is decided in `table_layout`.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ingestion import marks
from ingestion.grid import Cell, Grid
from ingestion.marks import Mark, Phrase
from ingestion.table_layout import Layout, is_value

PATH = "/"  # joins the levels of a header: 2024年预算/一季度
TITLE_IN_SENTENCE = 40  # characters; a longer title stands in the context only

_TAIL = " \t。；;，,、"
_UNIT_IN_HEADER = re.compile(
    r"^(?P<name>.+?)\s*[（(](?P<unit>[万亿千百]?元|美元|[%％‰]|工作日|个工作日|[天日月年人个台次件份套项辆岁吨页]|小时|分钟|公里|"
    r"平方米|㎡|km|kg|GB|MB|TB|ms)(?:/[^）)]{1,6})?[）)]$"
)
_PLAIN_NUMBER = re.compile(r"^-?\d[\d,]*(\.\d+)?$")
_SERIAL = re.compile(r"^(序号|编号|行号|No\.?|#|id|ID)$")
_CONDITION = re.compile(r"条件|情形|情况|金额|适用|场景|档次|额度|范围|区间|级别|标准|类型|类别")
_BARE_CONDITION = re.compile(r"^(适用)?(条件|情形|情况|场景|范围|对象)$")


@dataclass(frozen=True, slots=True)
class Column:
    """One column under its header path, outermost name first. `marked`: all its values are yes/no marks."""

    index: int
    names: tuple[str, ...]
    lowest: Cell | None
    marked: bool = False

    @property
    def header(self) -> str:
        return PATH.join(self.names)

    @property
    def name(self) -> str:
        """The innermost name; empty for a column without a header."""
        return self.names[-1] if self.names else ""

    @property
    def listed(self) -> bool:
        """Whether marks pick the column's name, as in a list of materials; under a question they answer."""
        return self.marked and not marks.asks(self.names)


@dataclass(frozen=True, slots=True)
class RowPhrasing:
    """What is decided once for a table. `matrix` is how its marks are worded, None = no matrix of marks."""

    grid: Grid
    prefix: str
    columns: tuple[Column, ...]
    matrix: Phrase | None = None
    inverted: bool = False  # rows are materials and the marked columns are cases

    def sentence(self, row: int) -> str:
        """One sentence, ending in 。, prefixed with the table's title and unit."""
        body = self._plain_row(row) if self.matrix is None else self._matrix_row(row, self.matrix)
        return f"{self.prefix}{body}" + ("" if body.endswith(("？", "！")) else "。")

    def header_line(self) -> str:
        names = dict.fromkeys(column.header for column in self.columns if column.header)
        return " | ".join(names)

    def unused_headers(self, rows: Sequence[int]) -> tuple[str, ...]:
        """Headers of columns that no cell of a data row covers: blanks to be filled in by the reader."""
        filled = {
            place for row in rows for cell in self.grid.owners(row) for place in self.grid.columns_of(cell)
        }
        used = {column.header for column in self.columns if column.index in filled}
        names = [column.header for column in self.columns if column.header and column.header not in used]
        return tuple(dict.fromkeys(names))

    def _plain_row(self, row: int) -> str:
        return "，".join(self._pairs(row, self.columns))

    def _pairs(self, row: int, columns: Sequence[Column]) -> list[str]:
        """`header为value` per cell; a cell over several columns once, cells under one header together."""
        said: set[int] = set()
        last: Cell | None = None
        pairs: list[tuple[Column, list[str]]] = []
        for column in columns:
            cell = self.grid.at(row, column.index)
            if cell is None or id(cell) in said:
                continue
            said.add(id(cell))
            if pairs and column.lowest is not None and column.lowest is last:
                pairs[-1][1].append(cell.line)
            else:
                pairs.append((column, [cell.line]))
            last = column.lowest
        return [_pair(column, " / ".join(values)) for column, values in pairs]

    def _matrix_row(self, row: int, phrase: Phrase) -> str:
        marked = [column for column in self.columns if column.listed]
        labels = [column for column in self.columns if not column.listed and self.grid.at(row, column.index)]
        by_mark = self._items_by_mark(row, marked)
        if not by_mark:
            return self._plain_row(row)
        subject, said = self._subject(row, labels)
        rest = self._pairs(row, [column for column in labels if column not in said])
        say = _case if self.inverted else _list
        said_marks = "；".join(say(phrase.of(mark), items) for mark, items in by_mark.items())
        return subject + said_marks + (f"（{'，'.join(rest)}）" if rest else "")

    def _items_by_mark(self, row: int, marked: Sequence[Column]) -> dict[Mark, list[str]]:
        found: dict[Mark, list[str]] = {}
        for column in marked:
            cell = self.grid.at(row, column.index)
            mark = marks.mark_of(cell.line) if cell is not None else None
            if mark is not None:
                found.setdefault(mark, []).append(column.name)
        return {mark: found[mark] for mark in Mark if mark in found}

    def _subject(self, row: int, labels: Sequence[Column]) -> tuple[str, list[Column]]:
        """Who the row is about and under what condition, and the columns that were said with it."""
        if self.inverted:
            first = next((c for c in labels if marks.names_material(c.header)), labels[0] if labels else None)
            return (self._value(row, first), [first]) if first else ("", [])
        conditions = [c for c in labels if c.marked or _CONDITION.search(c.header)]
        names = [c for c in labels if c not in conditions and not _SERIAL.match(c.header)][:1]
        subject = "".join(self._value(row, column) for column in names)
        cases = [self._condition(row, column) for column in conditions]
        return subject + (f"在{'、'.join(cases)}时" if cases else ""), [*names, *conditions]

    def _condition(self, row: int, column: Column) -> str:
        value = self._value(row, column)
        if column.marked:
            return marks.answer(column.name, value)
        if _BARE_CONDITION.match(column.name) or column.name in value:
            return value.removesuffix("时")
        return f"{column.name}为{value}" if is_value(value) else f"{column.name}{value}"

    def _value(self, row: int, column: Column) -> str:
        cell = self.grid.at(row, column.index)
        return cell.line.rstrip(_TAIL) if cell is not None else ""


def _list(verb: str, items: Sequence[str]) -> str:
    return f"{verb}：{'、'.join(items)}"


def _case(verb: str, cases: Sequence[str]) -> str:
    return f"在{'、'.join(cases)}时{verb}"


def phrasing(grid: Grid, layout: Layout, title: str, unit: str) -> RowPhrasing:
    """Reads the columns of a recognised table. `title` and `unit` may come from the table or from outside."""
    columns = tuple(_column(grid, layout, index) for index in range(grid.width))
    matrix, inverted = _matrix(title, columns)
    return RowPhrasing(grid, prefix_of(title, unit), columns, matrix, inverted)


def prefix_of(title: str, unit: str) -> str:
    """`title（单位：万元）：`; a title too long to repeat is left to the context."""
    short = title if len(title) <= TITLE_IN_SENTENCE else ""
    stated = f"（单位：{unit}）" if unit and unit not in short else ""
    return f"{short}{stated}：" if short or stated else ""


def _column(grid: Grid, layout: Layout, index: int) -> Column:
    body = set(layout.body)
    path: list[Cell] = []
    for row in layout.header:
        cell = grid.at(row, index)
        if cell is None or (path and cell is path[-1]):
            continue
        reaches_into_body = cell.row_span > 1 and any(grid.at(r, index) is cell for r in body)
        if not reaches_into_body:
            path.append(cell)
    names = tuple(dict.fromkeys(cell.label for cell in path))
    cells = (grid.at(row, index) for row in layout.body if len(grid.owners(row)) > 1)  # no sub-headings
    values = [cell.line for cell in cells if cell is not None]
    marked = bool(names) and marks.is_mark_column(values)
    return Column(index, names, path[-1] if path else None, marked)


def _matrix(title: str, columns: Sequence[Column]) -> tuple[Phrase | None, bool]:
    """Two or more columns of marks that are no questions of their own (是否…) make a matrix.

    Beside questions they do so only when the wording is clear: test sheets hold many unrelated flags.
    """
    marked = [c for c in columns if c.listed]
    if len(marked) < 2:
        return None, False
    labels = [c.header for c in columns if not c.marked and c.header]
    items = [c.name for c in marked]
    inverted = bool(labels) and any(marks.names_material(label) for label in labels[:2])
    groups = [PATH.join(c.names[:-1]) for c in marked]
    shared = {group for group in groups if group and groups.count(group) > 1}
    about = " ".join([title, *sorted(shared), *(labels[:2] if inverted else [])])
    phrase = marks.phrase_for(about, items)
    flags = any(c.marked and not c.listed for c in columns)
    return (None if flags and phrase is marks.PLAIN else phrase), inverted


def _pair(column: Column, value: str) -> str:
    text = value.rstrip(_TAIL) or value
    if column.marked:
        return marks.answer(column.header, text)
    if not column.header:
        return text
    with_unit = _UNIT_IN_HEADER.match(column.header)
    if with_unit and _PLAIN_NUMBER.match(text):
        return f"{with_unit['name']}为{text}{with_unit['unit']}"
    separator = "" if column.header.endswith(("：", ":")) else "为"
    return f"{column.header}{separator}{text}"
