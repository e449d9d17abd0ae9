"""Makes a sheet of the rows of cells read from a file: blank ends cut off, merged cells marked."""

import re
from collections.abc import Iterable, Iterator

from rules.sheets.extents import SheetFacts
from rules.sheets.grid import BLANK, Area, Cell, Kind, Sheet
from rules.sheets.package import COLUMNS
from rules.spelling import visible

_ERRORS = frozenset({"#REF!", "#N/A", "#VALUE!", "#DIV/0!", "#NAME?", "#NULL!", "#NUM!", "#SPILL!", "#CALC!"})
"""What programs write for a formula that failed, also where only its text is left."""


_CALL = re.compile(r"\s*=\s*[A-Z][A-Z.]+\(")
"""The beginning of a formula that was left as text, =SUM(…; =5万 is a condition."""


def text_cell(text: str) -> Cell:
    said = visible(text)
    if not said or said.isspace():
        return BLANK
    if _CALL.match(said):
        return Cell(said, Kind.FORMULA)
    return Cell(said, Kind.ERROR if said.strip() in _ERRORS else Kind.TEXT)


def trimmed(row: Iterable[Cell]) -> tuple[Cell, ...]:
    """Without the blank cells at its end."""
    cells = list(row)
    while cells and cells[-1].blank:
        cells.pop()
    return tuple(cells)


def sheet_of(title: str, rows: Iterable[tuple[Cell, ...]], facts: SheetFacts) -> Sheet:
    kept = list(rows)
    while kept and not kept[-1]:
        kept.pop()
    for area in facts.merged:
        _mark(kept, area)
    return Sheet(
        title,
        tuple(kept),
        tuple(facts.merged),
        facts.hidden,
        tuple(number for number in facts.hidden_rows if number <= len(kept)),
        tuple(_filled(kept, sorted(facts.hidden_columns))),
        facts.beyond,
    )


def _filled(rows: list[tuple[Cell, ...]], columns: Iterable[int]) -> Iterator[int]:
    """Those of `columns` that hold something."""
    for column in columns:
        if any(len(row) >= column and not row[column - 1].blank for row in rows):
            yield column


def _mark(rows: list[tuple[Cell, ...]], area: Area) -> None:
    for number in range(area.top, min(area.bottom, len(rows)) + 1):
        row = list(rows[number - 1])
        last = min(area.right, COLUMNS)
        if area.left <= last:
            row.extend(BLANK for _ in range(last - len(row)))
        for column in range(area.left, last + 1):
            old = row[column - 1]
            row[column - 1] = Cell(old.text, old.kind, merged=True)
        rows[number - 1] = tuple(row)
