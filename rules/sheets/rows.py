"""Reads the cells of one rule or declared gap, tells every fault and remembers that the row is broken."""

import re
from collections.abc import Callable
from datetime import date

from rules.cells.reading import read_condition
from rules.conditions import Condition
from rules.faults import CellFault, bad_cell, shown
from rules.findings import Code, Severity
from rules.sheets.columns import Heading, Record
from rules.sheets.notes import Notes
from rules.sheets.validity import day_or_none, note_period
from rules.table import FieldType, Input, Result

_PARTING = re.compile(r"[、,;:>\s]")


def nameless(record: Record) -> str:
    """What a row is called that has no id."""
    return f"第{record.row}行"


def row_id(record: Record, column: str) -> str:
    try:
        return record.word(column) or nameless(record)
    except CellFault:
        return nameless(record)


def refuse_parted(id_: str) -> None:
    """Raises CellFault for an id that nobody could refer to: in lists such characters stand between ids."""
    if found := _PARTING.search(id_):
        told = f"「{found.group()}」" if found.group().strip() else "空格"
        mend = "请只用字母、数字和文字，例如 R01。"
        raise CellFault(Code.BAD_CELL, f"编号「{shown(id_)}」里有{told}，别处没法引用它。", mend, value=id_)


class Row:
    """Reads the cells of one row and remembers whether one of them is broken."""

    def __init__(self, record: Record, id_: str, notes: Notes) -> None:
        self.record = record
        self.id = id_
        self.notes = notes
        self.broken = False

    def check_id(self, column: str, seen: set[str]) -> None:
        try:
            if self.id == nameless(self.record):
                self.notes.nameless = True
            if not self.record.word(column):
                raise bad_cell("", "没有写编号", f"请在「{column}」列写上不重复的编号，例如 R01。")
            refuse_parted(self.id)
            if self.id in seen:
                raise CellFault(
                    Code.DUPLICATE, f"编号「{self.id}」已经有了。", "请换一个编号。", value=self.id
                )
        except CellFault as fault:
            self._fault(fault, column)

    def condition(self, item: Heading, column: Input) -> Condition | None:
        try:
            text = (
                self.record.day_text(item.name)
                if column.type is FieldType.DATE
                else self.record.text(item.name)
            )
            return read_condition(text, column)
        except CellFault as fault:
            self._fault(fault, item.written)
            return None

    def result(self, item: Heading, read: Callable[[], Result]) -> Result | None:
        """`read` may raise CellFault."""
        try:
            return read()
        except CellFault as fault:
            self._fault(fault, item.written)
            return None

    def period(self, starts: str, ends: str) -> tuple[date | None, date | None]:
        """By the names of the columns; empty where there is none."""
        start, end = self._day(starts), self._day(ends)
        if start and end and start >= end:
            note_period(start, end, self.record.sheet, self.record.row, (self.id,), self.notes)
            self.broken = True
        return start, end

    def words(self, column: str) -> str:
        """What people are told; its faults break the row like any other."""
        try:
            return self.record.text(column)
        except CellFault as fault:
            self._fault(fault, column)
            return ""

    def remark(self, column: str) -> str:
        """What nothing rests on: a fault is only a warning."""
        try:
            return self.record.text(column)
        except CellFault as fault:
            fault.severity = Severity.WARNING
            self.notes.fault(fault, self.record.sheet, self.record.row, column, (self.id,))
            return ""

    def _day(self, column: str) -> date | None:
        if not column:
            return None
        try:
            return day_or_none(self.record.day_text(column))
        except CellFault as fault:
            self._fault(fault, column)
            return None

    def _fault(self, fault: CellFault, column: str) -> None:
        self.broken = True
        self.notes.fault(fault, self.record.sheet, self.record.row, column, (self.id,))
