"""Writes a source as xlsx: one sheet per heading, the lines above a table as merged title rows."""

import io
import re
from itertools import groupby

from openpyxl import Workbook
from openpyxl.styles import Alignment, Border, Font, Side
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from .archive import pinned
from .outline import MERGE_LEFT, MERGE_UP, Heading, Paragraph, Piece, Source, Table

_THIN = Side(style="thin")
_NUMBER = re.compile(r"[\d,]+")
_PERCENT = re.compile(r"(\d+)%")
NOTE_WIDTH = 90  # characters; a sheet of notes has one wide column


def write(source: Source) -> bytes:
    """The xlsx file of `source`; digits become numbers and 20% becomes 0.2 with a percent format."""
    book = Workbook()
    book.remove(book.worksheets[0])
    book.properties.title, book.properties.creator = source.title, source.meta["issuer"]
    book.properties.created = source.dated
    for title, pieces in _sheets(source):
        _fill(book.create_sheet(title), pieces)
    out = io.BytesIO()
    book.save(out)
    return pinned(out.getvalue(), source.dated)


def _sheets(source: Source) -> list[tuple[str, list[Piece]]]:
    sheets: list[tuple[str, list[Piece]]] = []
    for is_heading, group in groupby(source.pieces, lambda piece: isinstance(piece, Heading)):
        pieces = list(group)
        if is_heading:
            sheets.extend((piece.text, []) for piece in pieces if isinstance(piece, Heading))
        else:
            sheets[-1][1].extend(pieces)
    return sheets


def _fill(sheet: Worksheet, pieces: list[Piece]) -> None:
    tables = [piece for piece in pieces if isinstance(piece, Table)]
    width = len(tables[0].rows[0]) if tables else 1
    row = 1
    for piece in pieces:
        if isinstance(piece, Table):
            _table(sheet, piece, row)
            row += len(piece.rows)
        elif isinstance(piece, Paragraph):
            _title_row(sheet, piece.text, row, width)
            row += 1
    for column in range(1, width + 1):
        sheet.column_dimensions[get_column_letter(column)].width = 18 if tables else NOTE_WIDTH


def _title_row(sheet: Worksheet, text: str, row: int, width: int) -> None:
    cell = sheet.cell(row, 1, text)
    cell.font = Font(bold=row == 1)
    cell.alignment = Alignment(wrap_text=True, vertical="top")
    if width > 1:
        sheet.merge_cells(start_row=row, start_column=1, end_row=row, end_column=width)


def _table(sheet: Worksheet, table: Table, top: int) -> None:
    for r, row in enumerate(table.rows):
        for c, text in enumerate(row):
            cell = sheet.cell(top + r, c + 1)
            cell.border = Border(_THIN, _THIN, _THIN, _THIN)
            if text not in (MERGE_UP, MERGE_LEFT):
                cell.value, cell.number_format = _value(text)
                cell.alignment = Alignment(horizontal="center", vertical="center", wrap_text=True)
    for r, row in enumerate(table.rows):
        for c, text in enumerate(row):
            height, width = table.span(r, c) if text not in (MERGE_UP, MERGE_LEFT) else (1, 1)
            if (height, width) != (1, 1):
                sheet.merge_cells(
                    start_row=top + r, start_column=c + 1, end_row=top + r + height - 1, end_column=c + width
                )


def _value(text: str) -> tuple[str | int | float, str]:
    percent = _PERCENT.fullmatch(text)
    if percent:
        return int(percent[1]) / 100, "0%"
    if _NUMBER.fullmatch(text):
        return int(text.replace(",", "")), "#,##0"
    return text, "General"
