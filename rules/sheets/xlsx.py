"""The cells of an .xlsx file: what each says, and what the program that wrote it took it for."""

import re
import warnings
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from decimal import Decimal

import openpyxl
from openpyxl.cell import Cell as SourceCell
from openpyxl.cell.cell import MergedCell
from openpyxl.utils.exceptions import InvalidFileException
from openpyxl.worksheet.worksheet import Worksheet

from rules.numbers import bare
from rules.sheets.assembly import sheet_of, text_cell, trimmed
from rules.sheets.extents import SheetFacts, sheet_facts
from rules.sheets.grid import BLANK, Cell, Kind, Sheet
from rules.sheets.package import DAMAGED, Parts, damaged, repacked

SCIENTIFIC_FROM = Decimal(10) ** 11
"""From twelve digits on, programs show a number of the format General as 1.2E+11."""

_SCALING = re.compile(r"%|[百千万亿]|[0#?],+(?![0#?,])")
"""Parts of a number format that show another number than the cell holds; a trailing comma divides by 1000."""
_BROKEN: tuple[type[Exception], ...] = (*DAMAGED, InvalidFileException, TypeError, IndexError)
_BROKEN += (AttributeError, SyntaxError)
"""What openpyxl lets through of a damaged file; the errors of XML parsers are SyntaxErrors."""


def sheets_of(parts: Parts) -> list[Sheet]:
    """Raises Unreadable."""
    facts = sheet_facts(parts)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about features of the file that hold no cells
            book = openpyxl.load_workbook(repacked(parts), read_only=True, keep_links=False)
            try:
                return [sheet_of(title, _rows(book[title], known), known) for title, known in facts.items()]
            finally:
                book.close()
    except _BROKEN as error:
        raise damaged() from error


def _rows(sheet: Worksheet, facts: SheetFacts) -> Iterator[tuple[Cell, ...]]:
    """Within the extent found before: what the file says about its own size is not to be trusted."""
    for row in sheet.iter_rows(max_row=facts.height, max_col=facts.width):
        width = next((place for place in range(len(row), 0, -1) if row[place - 1].value is not None), 0)
        yield trimmed(_cell(cell) for cell in row[:width])


def _cell(cell: SourceCell | MergedCell) -> Cell:
    value: object = cell.value
    if value is None:
        return BLANK
    if cell.data_type == "f":
        text = value if isinstance(value, str) else getattr(value, "text", None)  # of an array formula
        return Cell(str(text or "="), Kind.FORMULA)
    if cell.data_type == "e":
        return Cell(str(value), Kind.ERROR)
    if isinstance(value, bool):
        return Cell("是" if value else "否")
    if isinstance(value, datetime | date | time | timedelta):
        return Cell(_day_text(value), Kind.DAY)
    if isinstance(value, int | float):
        return _number(value, cell.number_format)
    return text_cell(str(value))


def _day_text(value: datetime | date | time | timedelta) -> str:
    if isinstance(value, datetime):
        return value.date().isoformat() if value.time() == time() else value.isoformat(" ", "seconds")
    return str(value)


def _number(value: int | float, shown_as: str) -> Cell:
    """The fifteen digits the program itself keeps, so that 0.1 + 0.2 is 0.3."""
    exact = Decimal(value) if isinstance(value, int) else Decimal(format(value, ".15g"))
    if not exact.is_finite():
        return Cell(str(value), Kind.ERROR)
    long = abs(exact) >= SCIENTIFIC_FROM and shown_as in ("General", "常规")
    if long or "E+" in shown_as.upper() or abs(exact) >= Decimal(10) ** 15:
        return Cell(f"{exact:.6g}" if abs(exact) < SCIENTIFIC_FROM else f"{exact:.5E}", Kind.SCIENTIFIC)
    return Cell(bare(exact), Kind.SCALED if _SCALING.search(shown_as) and exact else Kind.NUMBER)
