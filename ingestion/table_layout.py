"""What the rows of a table are: title, unit, remarks, header, data 表格结构.

Header rows are the rows above the first row with the data's types, plus any row crossed by a header's merge.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from ingestion.grid import Cell, Grid
from ingestion.marks import mark_of

MAX_HEADER_ROWS = 4  # deeper headers were not met in office tables; a longer vertical merge is a row label
TITLE_LIMIT = 60  # characters; a longer single cell above a table is a paragraph
LABEL_LIMIT = 16

UNIT = re.compile(r"单\s*位\s*[:：]\s*([^\s，,；;）)】\]]{1,12})")
UNIT_ALONE = re.compile(r"[（(【\[]?\s*(?:金额|计量|货币)?单\s*位\s*[:：]\s*\S{1,12}?\s*[）)】\]]?")
"""A line or cell that says nothing but a unit, in full; `UNIT` finds the unit in it, or in a longer text."""
_NUMBER = re.compile(r"^[-+(（]?[¥￥$]?\s*\d[\d,，]*(\.\d+)?\s*[%％‰]?[)）]?$")
_DATE = re.compile(r"^\d{4}\s*[-/.年]\s*\d{1,2}([-/.月]\s*\d{1,2}日?)?月?(\s+\d{1,2}:\d{2}(:\d{2})?)?$")
_YEAR = re.compile(r"^(19|20)\d{2}$")
_LATIN_NAME = re.compile(r"^[A-Za-z][\w ./()\[\]%-]*$")
_HAN = re.compile(r"[\u4e00-\u9fff]")
_REMARK = re.compile(r"^\s*(注|备注|说明|填表说明|附注|资料来源|数据来源|※|\*)\s*\d*\s*[:：、.．)）]?")
_LABEL = re.compile(
    r"(名称|编号|代码|编码|号码|日期|时间|期限|单位|部门|科室|电话|手机|邮箱|传真|地址|姓名|性别|年龄|学历|职务|职位|"
    r"职称|岗位|版本|类型|类别|性质|金额|总额|合计|[份人天次件]数|数量|比例|标准|结果|负责人|联系人|管理员|申请人|经办人|"
    r"审批人|编制|审核|批准|意见|签字|签名|签章|盖章|事由|原因|用途|内容|备注|说明|依据|来源|方式|地点|范围|级别|等级|"
    r"状态|目的|主题|账号|开户行|税号|民族|籍贯|别名|制度|周期|要求)(\s*[（(][^）)]*[）)])?$"
)


class Shape(StrEnum):
    RECORDS = "records"  # a header and one record per row
    HEADLESS = "headless"  # records without a header
    FORM = "form"  # label/value pairs, one or more pairs a row
    LAYOUT = "layout"  # one column or one row: paragraphs in a frame


@dataclass(frozen=True, slots=True)
class Layout:
    """Row numbers by role; every row with text is in exactly one. `before` stands above the header."""

    shape: Shape
    title_rows: tuple[int, ...] = ()
    unit_rows: tuple[int, ...] = ()
    before: tuple[int, ...] = ()
    header: tuple[int, ...] = ()
    body: tuple[int, ...] = ()
    title: str = ""
    unit: str = ""


def is_value(text: str) -> bool:
    """A number, amount, percentage or date."""
    return bool(_NUMBER.match(text) or _DATE.match(text))


def _is_no_header(text: str) -> bool:
    """A value that names no column: a bare year may."""
    return is_value(text) and not _YEAR.match(text)


def is_label(text: str) -> bool:
    """A short name of a field, as forms have beside their blanks (申请人, 联系电话：)."""
    return len(text) <= LABEL_LIMIT and bool(text.endswith(("：", ":")) or _LABEL.search(text))


def is_remark(text: str) -> bool:
    """A foot note or an explanation, no record."""
    return bool(_REMARK.match(text)) or (len(text) > TITLE_LIMIT) or text.endswith("。")


def recognise(grid: Grid, header_rows: int | None = None) -> Layout:
    """The role of every row; `header_rows` overrules the recognition of headers."""
    rows = [row for row in range(grid.height) if grid.owners(row)]
    if grid.filled_width < 2:
        return Layout(Shape.LAYOUT, body=tuple(rows))
    titles, units, before, rest = _leading_rows(grid, rows)
    named = (cell for row in titles for cell in grid.owners(row) if not UNIT_ALONE.fullmatch(cell.line))
    title = " ".join(cell.label for cell in named)
    unit = _unit_of(grid, [*titles, *units, *before])
    shape, header = _shape_and_header(grid, rest, header_rows)
    return Layout(
        shape, tuple(titles), tuple(units), tuple(before), header, tuple(rest[len(header) :]), title, unit
    )


def _shape_and_header(
    grid: Grid, rows: Sequence[int], header_rows: int | None
) -> tuple[Shape, tuple[int, ...]]:
    if header_rows is not None:
        header = tuple(rows[:header_rows])
        return (Shape.RECORDS if header else Shape.HEADLESS), header
    if len(rows) <= 1:
        return Shape.LAYOUT, ()
    if _is_form(grid, rows):
        return Shape.FORM, ()
    header = _header(grid, rows)
    if not header:
        return Shape.HEADLESS, ()
    return Shape.RECORDS, header


def _leading_rows(grid: Grid, rows: Sequence[int]) -> tuple[list[int], list[int], list[int], list[int]]:
    """Titles, unit rows and other rows above the header, and the rest, which has at least the last row."""
    titles: list[int] = []
    units: list[int] = []
    before: list[int] = []
    for position, row in enumerate(rows[:-1]):
        cells = grid.owners(row)
        if _starts_records(grid, row, cells):
            return titles, units, before, list(rows[position:])
        named = [cell for cell in cells if not UNIT_ALONE.fullmatch(cell.line)]
        if not named:
            units.append(row)
        elif len(named) == 1 and not titles and not is_remark(named[0].line):
            titles.append(row)
        else:
            before.append(row)
    return titles, units, before, list(rows[-1:])


def _starts_records(grid: Grid, row: int, cells: Sequence[Cell]) -> bool:
    """Whether the header or the first record starts here: not a lone cell, a banner or a line of facts."""
    if len(cells) == 1:
        reaches_down = cells[0].row_span > 1 and len(grid.owners(min(row + 1, grid.height - 1))) > 1
        return reaches_down and cells[0].column_span < grid.filled_width
    if any(UNIT_ALONE.fullmatch(cell.line) for cell in cells) and len(cells) <= 3:
        return False
    wide = grid.filled_width >= 4
    if wide and len(cells) == 2 and _is_fact(cells) and _widens_below(grid, row):
        return False
    banner = wide and len(cells) == 2 and all(cell.column_span > 1 for cell in cells)
    return not (banner and cells[0].row_span == 1 and _widens_below(grid, row))


def _is_fact(cells: Sequence[Cell]) -> bool:
    """A label and its value above a table (报表导出人： 于国栋)."""
    first, second = cells[0].line, cells[1].line
    return first.endswith(("：", ":")) or (len(first) <= LABEL_LIMIT and is_label(first) != is_label(second))


def _widens_below(grid: Grid, row: int) -> bool:
    return any(len(grid.owners(other)) > 2 for other in range(row + 1, min(row + 6, grid.height)))


def _unit_of(grid: Grid, rows: Sequence[int]) -> str:
    for row in rows:
        for cell in grid.owners(row):
            found = UNIT.search(cell.line)
            if found:
                return found[1]
    return ""


def _is_form(grid: Grid, rows: Sequence[int]) -> bool:
    """Label/value pairs from the first row on, in at least 8 of 10 rows, and no header over typed values."""
    if not is_pair_row(grid, rows[0]) or _types_change(grid, rows):
        return False
    pairs = [pair for row in rows for pair in form_pairs(grid.owners(row), grid.width)]
    if any(label is None for label, _ in pairs) and len(rows) < 4:
        return False
    return sum(is_pair_row(grid, row) for row in rows) * 10 >= len(rows) * 8


def _types_change(grid: Grid, rows: Sequence[int]) -> bool:
    """A column whose first cell is a text and whose other cells are all numbers, dates or marks."""
    for cell in grid.owners(rows[0]):
        below = [found.line for row in rows[1:] if (found := grid.at(row, cell.column)) is not None]
        values = all(is_value(text) or mark_of(text) for text in below)
        if below and values and not _is_no_header(cell.line) and mark_of(cell.line) is None:
            return True
    return False


def form_pairs(cells: Sequence[Cell], width: int) -> list[tuple[Cell | None, Cell | None]]:
    """Label and value of each pair in a row of a form.

    A value stands in the column next to its label. A label without one is a blank (value None); a text
    without a label, or in the last column, is a remark (label None).
    """
    pairs: list[tuple[Cell | None, Cell | None]] = []
    label: Cell | None = None
    for cell in cells:
        if label is not None and label.column + label.column_span == cell.column:
            pairs.append((label, cell))
            label = None
            continue
        if label is not None:
            pairs.append((label, None))
        is_last = cell.column + cell.column_span >= width
        label = cell if is_label(cell.line) and not is_last else None
        if label is None:
            pairs.append((None, cell))
    return [*pairs, (label, None)] if label is not None else pairs


def is_pair_row(grid: Grid, row: int) -> bool:
    """label, value, label, value …, perhaps with a remark at the end; a value may be blank."""
    cells = grid.owners(row)
    labels = [is_label(cell.line) for cell in cells]
    if not labels or not labels[0]:
        return False
    for left, right, cell, after in zip(labels, labels[1:], cells, cells[1:], strict=False):
        if left and right and cell.column + cell.column_span == after.column:
            return False
    return len(cells) <= 2 * sum(labels) + 1


def _header(grid: Grid, rows: Sequence[int]) -> tuple[int, ...]:
    first = rows[0]
    if _looks_like_data(grid, first, rows[1:6]) or _covers_little(grid, first, rows[1:6]):
        return ()
    header = [first]
    for row in rows[1:-1]:
        if len(header) == MAX_HEADER_ROWS or not _continues(grid, header, row):
            break
        header.append(row)
    return tuple(header)


def _looks_like_data(grid: Grid, first: int, others: Sequence[int]) -> bool:
    """The first row has a number or date in a column whose next rows have one, too."""
    for cell in grid.owners(first):
        below = [found.line for row in others if (found := grid.at(row, cell.column)) is not None]
        if _is_no_header(cell.line) and below and all(is_value(text) for text in below):
            return True
    return False


def _covers_little(grid: Grid, first: int, others: Sequence[int]) -> bool:
    """The first row leaves most columns of the rows below without a name."""
    widest = max((len(grid.owners(row)) for row in others), default=0)
    named = sum(len(grid.columns_of(cell)) for cell in grid.owners(first))
    return named < 0.6 * widest


def _continues(grid: Grid, header: Sequence[int], row: int) -> bool:
    """Whether a row still belongs to the header above it."""
    new = [cell for cell in grid.owners(row) if cell.row == row]
    if any(_is_no_header(cell.line) for cell in new):
        return False
    above = grid.owners(header[-1])
    reaches = any(cell.row <= header[-1] and row < cell.row + cell.row_span <= row + 3 for cell in above)
    groups = [cell for cell in above if cell.row == header[-1] and cell.column_span > 1]
    grouped = any(_is_split_below(grid, cell, row) for cell in groups)
    if reaches or grouped or _repeats(above):
        return True
    return _is_translation(above, new, grid)


def _is_split_below(grid: Grid, group: Cell, row: int) -> bool:
    parts = {id(cell) for column in grid.columns_of(group) if (cell := grid.at(row, column)) is not None}
    return len(parts) > 1


def _repeats(cells: Sequence[Cell]) -> bool:
    """Neighbouring equal labels: a group written out without a merge (条件 条件 条件)."""
    return any(
        left.line == right.line and not is_value(left.line)
        for left, right in zip(cells, cells[1:], strict=False)
    )


def _is_translation(above: Sequence[Cell], below: Sequence[Cell], grid: Grid) -> bool:
    """A second header line in Latin letters under a Chinese one (用例名称 / Testcase_Name)."""
    full = len(below) >= 3 and len(below) >= 0.8 * grid.filled_width and len(above) >= len(below)
    latin = all(_LATIN_NAME.match(cell.line) for cell in below)
    return full and latin and all(_HAN.search(cell.line) for cell in above)
