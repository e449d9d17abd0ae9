"""Finds the columns of a sheet by their names, never by their places, and hands its rows out as records."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from rules.cells.reading import is_unit
from rules.faults import CellFault, Told
from rules.findings import Code, Severity
from rules.sheets.grid import BLANK, Area, Cell, Kind, Sheet
from rules.sheets.notes import Notes, refuse_mangled
from rules.spelling import closest, plain

_WITH_UNIT = re.compile(r"(?P<name>.+?)\s*\((?P<unit>[^()]+)\)")
REMARKS = frozenset({"备注", "说明", "办理说明"})
"""Columns nothing is decided by."""


@dataclass(frozen=True, slots=True)
class Heading:
    """A column's name as it is written and without its unit: 预算金额(元) -> 预算金额, 元."""

    written: str
    name: str
    unit: str
    place: int  # from 1
    mangled: bool = False  # a formula or the like: no name at all

    def whole(self) -> "Heading":
        """Without a unit: what stands in the brackets belongs to the name."""
        return replace(self, name=self.written, unit="")


def heading(text: str, place: int) -> Heading:
    written = plain(text)
    found = _WITH_UNIT.fullmatch(written)
    return Heading(written, found["name"] if found else written, found["unit"] if found else "", place)


def headings(sheet: Sheet, row: int) -> tuple[Heading, ...]:
    """费用(含税) and 费用(不含税) keep what stands in their brackets, since it tells them apart."""
    cells = sheet.rows[row - 1] if row <= len(sheet.rows) else ()
    found = [
        replace(heading(cell.text, place), mangled=cell.kind not in (Kind.TEXT, Kind.NUMBER))
        for place, cell in enumerate(cells, 1)
        if not cell.blank
    ]
    written: dict[str, set[str]] = {}
    for item in found:
        written.setdefault(item.name, set()).add(item.written)
    apart = {item.name for item in found if len(written[item.name]) > 1}
    return tuple(item.whole() if item.name in apart and not is_unit(item.unit) else item for item in found)


@dataclass(frozen=True, slots=True)
class Record:
    """One row of a sheet, its cells by the names of their columns without units."""

    sheet: str
    row: int
    cells: Mapping[str, Cell]
    lost: bool = False  # some column has no readable name, so that an absent one may be there after all

    def lacks(self, name: str) -> bool:
        """Whether its cell may stand in a column of which it was told that its name cannot be read."""
        return self.lost and name not in self.cells

    def cell(self, name: str) -> Cell:
        return self.cells.get(name, BLANK)

    def text(self, name: str) -> str:
        """As it is written, without spaces at its ends. Raises CellFault for a formula and the like."""
        return self._sound(name).text.strip()

    def word(self, name: str) -> str:
        """The text in the one spelling that names and ids are compared in."""
        return plain(self.text(name))

    def day_text(self, name: str) -> str:
        """Like `word`, where a real date may stand."""
        return plain(self._sound(name, days=True).text)

    def _sound(self, name: str, *, days: bool = False) -> Cell:
        cell = self.cell(name)
        if self.lacks(name) or (cell.merged and cell.blank and name not in REMARKS):
            raise Told
        refuse_mangled(cell, days=days)
        return cell

    @property
    def merged(self) -> bool:
        return any(cell.merged for name, cell in self.cells.items() if name not in REMARKS)


def records(
    sheet: Sheet, needed: Sequence[str], optional: Sequence[str], notes: Notes, *, open_ended: bool = False
) -> list[Record]:
    """The rows below the names in row 1. A missing column is told; one with a similar name is taken for it.

    `open_ended`: further columns may stand there (fields, in test cases) and are handed out too. Empty when a
    needed column is missing; the sheet's name is then among `Notes.broken`.
    """
    found = list(headings(sheet, 1))
    note_repeated(sheet.title, 1, found, notes)
    lost = note_mangled(sheet, 1, found, notes) | note_nameless(sheet, 1, found, notes)
    for name in (*needed, *optional):
        if name not in {item.name for item in found} and (name in needed or not open_ended):
            _renamed(name, (*needed, *optional), found, sheet.title, notes)
    missing = [name for name in needed if name not in {item.name for item in found}]
    if missing:
        notes.broken.add(sheet.title)
    if not lost:
        _missing(missing, sheet.title, notes)
    if not open_ended:
        _unused([item for item in found if item.name not in (*needed, *optional)], sheet.title, notes)
    note_merged(sheet, 1, found, {}, notes)
    return [] if missing else list(rows_below(sheet, 1, found, lost=lost))


def rows_below(sheet: Sheet, row: int, found: Sequence[Heading], *, lost: bool) -> Iterator[Record]:
    """Blank rows are passed over. `lost` as in `Record`."""
    for number in range(row + 1, len(sheet.rows) + 1):
        cells = {item.name: sheet.at(number, item.place) for item in found}
        if any(not cell.blank for cell in cells.values()):
            yield Record(sheet.title, number, cells, lost)


def note_repeated(title: str, row: int, found: Sequence[Heading], notes: Notes) -> bool:
    """Whether a name stands over more than one column; then that is told."""
    names = [item.name for item in found]
    repeated = [name for name in dict.fromkeys(names) if names.count(name) > 1]
    for name in repeated:
        notes.add(
            Code.DUPLICATE,
            f"「{name}」这一列出现了 {names.count(name)} 次。",
            "请只留一列，或改成不同的名字。",
            sheet=title,
            row=row,
            column=name,
            value=name,
        )
    return bool(repeated)


def note_nameless(sheet: Sheet, row: int, found: Sequence[Heading], notes: Notes) -> bool:
    """Whether a column holds something and has no name; then that is told."""
    named = {item.place for item in found}
    filled = {place for cells in sheet.rows[row:] for place, cell in enumerate(cells, 1) if not cell.blank}
    for place in sorted(filled - named):
        if sheet.at(row, place).merged:
            continue  # told as a merged area
        notes.add(
            Code.BAD_SHEET,
            f"第 {place} 列有内容，却没有列名。",
            f"请在第 {row} 行补上列名，或清空这一列。",
            sheet=sheet.title,
            row=row,
        )
    return bool(filled - named)


def note_mangled(sheet: Sheet, row: int, found: Sequence[Heading], notes: Notes) -> bool:
    """Whether a name is a formula, a date or the like; then that is told."""
    for item in found:
        try:
            refuse_mangled(sheet.at(row, item.place))
        except CellFault as fault:
            notes.fault(fault, sheet.title, row, item.written)
    return any(item.mangled for item in found)


def _renamed(name: str, known: Sequence[str], found: list[Heading], title: str, notes: Notes) -> None:
    """A column under a similar name is told, and read all the same."""
    others = [item.name for item in found if item.name not in known and not item.mangled]
    near = closest(name, others)
    if near is None:
        return
    place = next(place for place, item in enumerate(found) if item.name == near)
    written = found[place].written
    found[place] = replace(found[place], name=name)
    notes.add(
        Code.BAD_SHEET,
        f"没有「{name}」这一列，「{written}」这个列名不认识。",
        f"是不是想写「{name}」？请把列名改成「{name}」。",
        sheet=title,
        row=1,
        column=written,
        value=written,
    )


def _missing(names: Sequence[str], title: str, notes: Notes) -> None:
    for name in names:
        mend = f"请在第 1 行加上「{name}」列。"
        notes.add(Code.BAD_SHEET, f"没有「{name}」这一列。", mend, sheet=title, row=1, column=name)


def _unused(unused: Sequence[Heading], title: str, notes: Notes) -> None:
    for item in unused:
        if item.mangled:
            continue
        notes.add(
            Code.BAD_SHEET,
            f"「{item.written}」这一列没有用到。",
            "只是备注就不用管；否则请检查列名。",
            severity=Severity.INFO,
            sheet=title,
            row=1,
            column=item.written,
        )


def note_merged(
    sheet: Sheet, names_row: int, found: Sequence[Heading], ids: Mapping[int, str], notes: Notes
) -> None:
    """One finding for each merged area at or below the row of names; `ids` are of the rows it may touch."""
    by_place = {item.place: item for item in found}
    for area in sheet.merged:
        touched = [by_place[p] for p in sorted(by_place) if area.left <= p <= area.right]
        if area.bottom < names_row or area.top > len(sheet.rows) or not touched:
            continue
        remarks = all(item.name in REMARKS for item in touched)
        notes.add(
            Code.MERGED,
            f"{area.name} 是合并单元格，除左上角以外的格都是空的。",
            "请取消合并，并在每一格里都写上内容。",
            severity=Severity.WARNING if remarks else Severity.ERROR,
            sheet=sheet.title,
            row=area.top,
            column=touched[0].written,
            value=sheet.at(area.top, area.left).text,
            rules=tuple(ids[row] for row in _rows_of(area, sheet) if row in ids),
        )


def _rows_of(area: Area, sheet: Sheet) -> range:
    return range(area.top, min(area.bottom, len(sheet.rows)) + 1)
