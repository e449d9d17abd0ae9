"""The plain sheets of a workbook: 流程信息, 节点, 材料 and 变更记录."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import TypeVar

from rules.cells import base_unit, read_amount
from rules.columns import Record, headings, note_merged, records
from rules.faults import CellFault, bad_cell
from rules.findings import Code, Severity
from rules.grid import Cell, Sheet
from rules.notes import Notes, refuse_mangled
from rules.numbers import read_day
from rules.spelling import closest, plain, tight
from rules.table import Change, FieldType, Material, Node

INFO_KEYS = (
    "流程编号",
    "流程名称",
    "别名",
    "流程管理员",
    "版本",
    "生效日期",
    "失效日期",
    "金额单位",
    "来源制度",
)
_NEEDED_KEYS = ("流程编号", "流程名称", "流程管理员", "版本")
_DAY_KEYS = frozenset({"生效日期", "失效日期"})
_HEADER = frozenset({"键", "项目", "名称"})
Made = TypeVar("Made", Node, Material)
_LISTED = re.compile(r"[、,;\n]")


def listed(text: str) -> tuple[str, ...]:
    """The parts of 甲、乙，丙 in their one spelling."""
    return tuple(word for part in _LISTED.split(plain(text)) if (word := part.strip()))


@dataclass(frozen=True, slots=True)
class Info:
    """流程信息."""

    id: str = ""
    name: str = ""
    aliases: tuple[str, ...] = ()
    contact: str = ""
    version: str = ""
    effective_from: date | None = None
    effective_to: date | None = None
    currency: str = "元"  # 元 also where the sheet says 万元
    unit: str = "元"  # as the sheet says it: of amounts in columns without a unit
    source: str = ""


def read_info(sheet: Sheet, notes: Notes) -> Info:
    """Keys in the first column, values in the second; a row of headings above them may be missing."""
    note_merged(sheet, 1, headings(sheet, 1)[:2], {}, notes)
    values = _keyed(sheet, notes)
    for key in _NEEDED_KEYS:
        if not values.get(key, ("", 0))[0]:
            mend = f"请在「{sheet.title}」里加一行「{key}」，并在旁边写上它的值。"
            notes.add(Code.BAD_SHEET, f"没有写「{key}」。", mend, sheet=sheet.title, column=key)
    days = {key: _info_day(key, values, sheet.title, notes) for key in ("生效日期", "失效日期")}
    start, end = days["生效日期"], days["失效日期"]
    if start and end and start >= end:
        row = values["失效日期"][1]
        note_period(start, end, sheet.title, row, (), notes)
        start = end = None
    said = {key: value for key, (value, _) in values.items()}
    unit = said.get("金额单位") or "元"
    return Info(
        id=plain(said.get("流程编号", "")),
        name=plain(said.get("流程名称", "")),
        aliases=listed(said.get("别名", "")),
        contact=said.get("流程管理员", ""),
        version=said.get("版本", ""),
        effective_from=start,
        effective_to=end,
        currency=base_unit(plain(unit)),
        unit=plain(unit),
        source=said.get("来源制度", ""),
    )


def _keyed(sheet: Sheet, notes: Notes) -> dict[str, tuple[str, int]]:
    """Value and row by key."""
    found: dict[str, tuple[str, int]] = {}
    for row in range(1, len(sheet.rows) + 1):
        key, value = tight(sheet.at(row, 1).text).rstrip(":"), sheet.at(row, 2)
        if not key or (row == 1 and key in _HEADER):
            continue
        if key in found:
            notes.add(
                Code.DUPLICATE,
                f"「{key}」写了两次。",
                "请只留一行。",
                sheet=sheet.title,
                row=row,
                column=key,
                value=key,
            )
        elif key not in INFO_KEYS:
            _unknown_key(key, sheet.title, row, notes)
        else:
            found[key] = (_info_text(key, value, sheet.title, row, notes), row)
    return found


def _info_text(key: str, cell: Cell, title: str, row: int, notes: Notes) -> str:
    try:
        refuse_mangled(cell, days=key in _DAY_KEYS)
    except CellFault as fault:
        notes.fault(fault, title, row, key)
        return ""
    return cell.text.strip()


def _unknown_key(key: str, title: str, row: int, notes: Notes) -> None:
    near = closest(key, INFO_KEYS)
    notes.add(
        Code.BAD_SHEET,
        f"「{key}」这一项不认识，没有用到。",
        f"是不是想写「{near}」？" if near else "不需要就删掉这一行。",
        severity=Severity.WARNING if near else Severity.INFO,
        sheet=title,
        row=row,
        column=key,
        value=key,
    )


def _info_day(key: str, values: dict[str, tuple[str, int]], title: str, notes: Notes) -> date | None:
    text, row = values.get(key, ("", 0))
    try:
        return day_or_none(text)
    except CellFault as fault:
        notes.fault(fault, title, row, key)
        return None


def day_or_none(text: str) -> date | None:
    """None for a blank text. Raises CellFault for what is no day."""
    said = tight(text)
    if said in ("", "-", "长期", "长期有效"):
        return None
    day = read_day(plain(text))
    if day is None:
        raise CellFault(
            Code.BAD_PERIOD, f"「{text}」不是日期。", "请写成 2025-01-31 的样子；没有期限就空着。", value=text
        )
    return day


def note_period(
    start: date, end: date, sheet: str, row: int | None, rules: tuple[str, ...], notes: Notes
) -> None:
    notes.add(
        Code.BAD_PERIOD,
        f"失效日期 {end} 不晚于生效日期 {start}，一天也不会生效。",
        "请检查这两个日期；失效日期是不再有效的第一天。",
        sheet=sheet,
        row=row,
        column="失效日期",
        value=end.isoformat(),
        rules=rules,
    )


@dataclass(slots=True)
class Register:
    """Names and ids that may be referred to, also those of rows that are broken otherwise.

    `known` is False where the sheet cannot be read: then no reference can be told to be wrong.
    """

    names: dict[str, str] = field(default_factory=dict)  # id -> name
    known: bool = True

    def resolve(self, word: str) -> str | None:
        """The id of an id or a name."""
        if word in self.names:
            return word
        return next((id_ for id_, name in self.names.items() if name == word), None)


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
        try:
            id_, name = record.word(id_column), record.word(name_column)
            if not id_ or not name:
                raise bad_cell(id_ or name, "编号和名称都要写", "请补上空着的格。")
            _refuse_repeated(id_, name, register)
            register.names[id_] = name
            made.append(make(record))
        except CellFault as fault:
            notes.fault(fault, record.sheet, record.row, _column_of(fault, record, id_column))
    return made


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
        days=read_amount(time, FieldType.AMOUNT, "工作日") if time not in ("", "-") else None,
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
