"""Workbooks for the tests of the loader: the starter workbook with something changed, as xlsx or as CSV."""

import csv
import io
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

import openpyxl
from openpyxl import Workbook
from openpyxl.worksheet.worksheet import Worksheet

from rules.findings import Code, Finding, Severity
from rules.loader import Loaded, load
from rules.sheets.starter import starter_workbook
from rules.table import Process

Change = Callable[[Workbook], None]


@cache
def _starter() -> bytes:
    return starter_workbook("物品申领")


def base() -> Workbook:
    return openpyxl.load_workbook(io.BytesIO(_starter()))


def sheet(book: Workbook, title: str) -> Worksheet:
    found = book[title]
    assert isinstance(found, Worksheet)
    return found


def packed(book: Workbook) -> bytes:
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()


def loaded(change: Change) -> Loaded:
    book = base()
    change(book)
    return load(packed(book))


def with_cells(cells: Mapping[str, object]) -> Loaded:
    """「决策表!B6」 -> its new value; a number stays a number, a date a date."""

    def change(book: Workbook) -> None:
        for place, value in cells.items():
            title, _, reference = place.partition("!")
            cell = sheet(book, title)[reference]
            cell.number_format = "General"
            cell.value = value

    return loaded(change)


def process_of(**cells: object) -> Process:
    """决策表_B6="任意": the process of the starter workbook with some cells changed, free of errors."""
    found = with_cells({place.replace("_", "!"): value for place, value in cells.items()})
    assert serious(found) == []
    assert found.process is not None
    return found.process


def serious(found: Loaded) -> list[Finding]:
    return [finding for finding in found.findings if finding.severity is Severity.ERROR]


def only(found: Loaded, code: Code) -> Finding:
    """The one finding with this code, which is also the only error."""
    matching = [finding for finding in found.findings if finding.code is code]
    assert len(matching) == 1, found.findings
    assert [finding for finding in serious(found) if finding.code is not code] == []
    return matching[0]


def as_csv(folder: Path, encoding: str, delimiter: str = ",") -> None:
    """The starter workbook as a folder of CSV files."""
    for worksheet in base().worksheets:
        with (folder / f"{worksheet.title}.csv").open("w", encoding=encoding, newline="") as file:
            rows = worksheet.iter_rows(values_only=True)
            plain = [["" if value is None else value for value in row] for row in rows]
            csv.writer(file, delimiter=delimiter).writerows(plain)
