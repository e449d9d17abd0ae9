"""The sheets 节点, 材料 and 变更记录, and the names that others refer to."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TypeVar

from rules.cells.reading import read_amount, read_days
from rules.faults import CellFault, bad_cell
from rules.findings import Code, Severity
from rules.sheets.columns import Record, records
from rules.sheets.grid import Sheet
from rules.sheets.notes import Notes
from rules.sheets.rows import refuse_parted
from rules.sheets.validity import day_or_none
from rules.spelling import plain
from rules.table import Change, FieldType, Material, Node

Made = TypeVar("Made", Node, Material)


@dataclass(slots=True)
class Register:
    """Names and ids that may be referred to, also those of rows that are broken otherwise.

    `known` is False where the sheet or one of its names cannot be read: then no reference can be told to be
    wrong.
    """

    names: dict[str, str] = field(default_factory=dict)  # id -> name
    known: bool = True
    _ids: dict[str, str] = field(default_factory=dict, init=False)  # name -> id

    def add(self, id_: str, name: str) -> None:
        self.names[id_] = name
        self._ids[name] = id_

    def resolve(self, word: str) -> str | None:
        """The id of an id or a name."""
        return word if word in self.names else self._ids.get(word)


def read_nodes(sheet: Sheet, register: Register, notes: Notes) -> tuple[Node, ...]:
    found = records(sheet, ("节点编号", "节点名称", "办理角色"), ("时限", "办理说明"), notes)
    register.known = _readable(found, sheet)
    return tuple(_each(found, "节点编号", "节点名称", register, _node, notes))


def read_materials(sheet: Sheet, register: Register, notes: Notes) -> tuple[Material, ...]:
    found = records(sheet, ("材料编号", "材料名称"), ("模板文件", "份数", "说明"), notes)
    register.known = _readable(found, sheet)
    return tuple(_each(found, "材料编号", "材料名称", register, _material, notes))


def _readable(found: Sequence[Record], sheet: Sheet) -> bool:
    """No rows are a list of nothing, unless there are rows under names that are not the sheet's."""
    return bool(found) or len(sheet.rows) <= 1


def _each(
    found: Sequence[Record],
    id_column: str,
    name_column: str,
    register: Register,
    make: Callable[[Record], Made],
    notes: Notes,
) -> list[Made]:
    made: list[Made] = []
    for record in found:
        column = id_column
        try:
            id_ = _written(record, id_column)
            refuse_parted(id_)
            column = name_column
            name = _written(record, name_column)
            column = id_column
            _refuse_repeated(id_, name, register)
            register.add(id_, name)
            made.append(make(record))
        except CellFault as fault:
            known = plain(record.cell(id_column).text) in register.names
            register.known = register.known and known
            notes.broken.add(plain(record.cell(id_column).text) or f"第{record.row}行")
            notes.fault(fault, record.sheet, record.row, _column_of(fault, record, column))
    return made


def _written(record: Record, column: str) -> str:
    word = record.word(column)
    if not word:
        raise bad_cell("", f"没有写{column}", "请补上这一格，或删掉这一行。")
    return word


def _refuse_repeated(id_: str, name: str, register: Register) -> None:
    for word in (id_, name):
        if register.resolve(word):
            raise CellFault(
                Code.DUPLICATE, f"「{word}」已经有了。", "请换一个编号或名称，或删掉重复的行。", value=word
            )


def _column_of(fault: CellFault, record: Record, default: str) -> str:
    """The column whose text the fault is about."""
    found = (
        name for name, cell in record.cells.items() if fault.value and plain(cell.text) == plain(fault.value)
    )
    return next(found, default)


def _node(record: Record) -> Node:
    time = record.word("时限")
    return Node(
        id=record.word("节点编号"),
        name=record.word("节点名称"),
        role=record.text("办理角色"),
        days=read_days(time) if time not in ("", "-") else None,
        notes=record.text("办理说明"),
    )


def _material(record: Record) -> Material:
    copies = record.word("份数")
    number = read_amount(copies, FieldType.INTEGER, "份") if copies else Decimal(1)
    if number < 1:
        raise bad_cell(copies, "份数至少是 1", "请写 1 或更大的整数。")
    return Material(
        id=record.word("材料编号"),
        name=record.word("材料名称"),
        template=record.text("模板文件"),
        copies=int(number),
        notes=record.text("说明"),
    )


def read_changes(sheet: Sheet, notes: Notes) -> tuple[Change, ...]:
    """Nothing is decided by them, so what cannot be read in one is a warning."""
    changes = []
    for record in records(sheet, ("日期", "内容"), ("版本", "修改人"), notes):
        try:
            day = day_or_none(record.day_text("日期"))
            changes.append(Change(day, record.text("版本"), record.text("修改人"), record.text("内容")))
        except CellFault as fault:
            fault.severity = Severity.WARNING
            notes.fault(fault, record.sheet, record.row, _column_of(fault, record, "日期"))
    return tuple(changes)
