"""A workbook to begin with: instructions and drop-downs on every sheet, and a small process to write over."""

import io
from collections.abc import Sequence

from openpyxl import Workbook
from openpyxl.comments import Comment
from openpyxl.styles import Alignment, Font, PatternFill
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.worksheet import Worksheet

from rules import titles
from rules.sheets import starter_example as example
from rules.sheets.layout import Role
from rules.spelling import plain
from rules.table import HitPolicy

_AUTHOR = "知行"
_LAST_ROW = 500  # down to which drop-downs are offered
_HEAD = PatternFill("solid", fgColor="DDEBF7")


def starter_workbook(name: str) -> bytes:
    """An .xlsx for the process `name`, whose examples are meant to be written over."""
    title = plain(name) or "新流程"
    book = Workbook()
    first = book.active
    assert isinstance(first, Worksheet)  # a new workbook has one
    _guide(first)
    _info(book.create_sheet(titles.INFO), title)
    _listed(book.create_sheet(titles.FIELDS), example.FIELD_COLUMNS, example.FIELDS)
    _table(book.create_sheet(titles.TABLE), title)
    _listed(book.create_sheet(titles.GAPS), example.GAP_COLUMNS, example.GAPS)
    _listed(book.create_sheet(titles.NODES), example.NODE_COLUMNS, example.NODES)
    _listed(book.create_sheet(titles.MATERIALS), example.MATERIAL_COLUMNS, example.MATERIALS)
    _listed(book.create_sheet(titles.CASES), example.CASE_COLUMNS, example.CASES)
    _listed(book.create_sheet(titles.CHANGES), example.CHANGE_COLUMNS, example.CHANGES)
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()


def _guide(sheet: Worksheet) -> None:
    sheet.title = "填写说明"
    for line in example.GUIDE:
        sheet.append([line])
    sheet["A1"].font = Font(bold=True, size=14)
    sheet.column_dimensions["A"].width = 110


def _info(sheet: Worksheet, title: str) -> None:
    rows: example.Rows = (
        ("流程编号", title, "不重复，创建后不改；可以改成英文或拼音"),
        ("流程名称", title, "出现在步骤卡的标题里"),
        *example.INFO,
    )
    for number, row in enumerate(rows, 1):
        _put_row(sheet, number, row)
        sheet.cell(number, 1).fill = _HEAD
        sheet.cell(number, 3).font = Font(color="808080")
    for letter, width in (("A", 14), ("B", 36), ("C", 48)):
        sheet.column_dimensions[letter].width = width


def _listed(sheet: Worksheet, columns: Sequence[example.Column], rows: example.Rows) -> None:
    _headings(sheet, 1, columns)
    _rows(sheet, 2, rows, len(columns))


def _table(sheet: Worksheet, title: str) -> None:
    _put_row(sheet, 1, ("决策表", f"{title}路径"))
    _put_row(
        sheet,
        2,
        ("命中策略", HitPolicy.UNIQUE, "未命中时", "提示：该条件组合未匹配到现有流程规则，请联系流程管理员"),
    )
    _offer(sheet, "B2:B2", tuple(policy.value for policy in HitPolicy))
    _put_row(sheet, 4, example.TABLE_ROLES)
    _offer(sheet, f"A4:{get_column_letter(len(example.TABLE_ROLES))}4", tuple(role.value for role in Role))
    _headings(sheet, 5, example.TABLE_COLUMNS)
    _rows(sheet, 6, example.RULES, len(example.TABLE_COLUMNS))


def _headings(sheet: Worksheet, row: int, columns: Sequence[example.Column]) -> None:
    """Names with what to write as a comment, drop-downs below, and the names kept in view."""
    _put_row(sheet, row, [column.name for column in columns])
    for place, column in enumerate(columns, 1):
        letter = get_column_letter(place)
        cell = sheet.cell(row, place)
        cell.font, cell.fill, cell.alignment = (
            Font(bold=True),
            _HEAD,
            Alignment(wrap_text=True, vertical="top"),
        )
        cell.comment = Comment(column.help, _AUTHOR)
        sheet.column_dimensions[letter].width = column.width
        if column.choices:
            _offer(sheet, f"{letter}{row + 1}:{letter}{_LAST_ROW}", column.choices)
    sheet.freeze_panes = f"B{row + 1}"


def _rows(sheet: Worksheet, first: int, rows: example.Rows, width: int) -> None:
    for number, row in enumerate(rows, first):
        _put_row(sheet, number, [*row, *[""] * (width - len(row))])


def _put_row(sheet: Worksheet, number: int, row: Sequence[str]) -> None:
    """As text, so that no program turns 3-5 into a day or a name that begins with = into a formula."""
    for place, text in enumerate(row, 1):
        cell = sheet.cell(number, place, text or None)
        cell.number_format = "@"
        if text:
            cell.data_type = "s"


def _offer(sheet: Worksheet, cells: str, choices: Sequence[str]) -> None:
    """A drop-down that allows other texts too: a cell may hold several options."""
    offered = DataValidation(type="list", formula1=f'"{",".join(choices)}"', allow_blank=True)
    offered.showErrorMessage = False
    sheet.add_data_validation(offered)
    offered.add(cells)
