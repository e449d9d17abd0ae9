"""The sheet 测试用例: what the table must answer. `checking.cases` runs them."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from rules.cells.choices import unknown_value
from rules.cells.reading import read_value
from rules.faults import CellFault, bad_cell
from rules.findings import Code
from rules.sheets.columns import Heading, Record, headings, records
from rules.sheets.fields import Fields
from rules.sheets.grid import Sheet
from rules.sheets.inputs import note_unknown_field
from rules.sheets.notes import Notes
from rules.sheets.references import References
from rules.spelling import listed, suggestion, tight
from rules.table import ASKED, CONFLICT, UNCOVERED, Field, FieldType, TestCase

_NEEDED = ("用例号", "期望")
_OPTIONAL = ("期望材料", "说明", "备注")
_WITH_SUBJECT = re.compile(rf"(?P<what>{ASKED}|{CONFLICT})[:=]?(?P<subject>.*)")


@dataclass(frozen=True, slots=True)
class Context:
    fields: Fields
    references: References
    rules: Mapping[str, None]  # ids of the main table in order, broken rows as well; empty: not known


def read_cases(sheet: Sheet, context: Context, notes: Notes) -> tuple[TestCase, ...]:
    """Cases of which every cell can be read."""
    found = records(sheet, _NEEDED, _OPTIONAL, notes, open_ended=True)
    columns = [item for item in headings(sheet, 1) if item.name not in (*_NEEDED, *_OPTIONAL)]
    known = [(item, field) for item in columns if (field := _field(item, sheet, context.fields, notes))]
    usable = len(known) == len(columns) and not any(record.lost for record in found)
    cases, seen = [], set[str]()
    for record in found:
        case = _case(record, known, context, seen, notes)
        if case is not None and usable:
            cases.append(case)
    return tuple(cases)


def _field(item: Heading, sheet: Sheet, fields: Fields, notes: Notes) -> Field | None:
    """With the unit its column is written in."""
    found = fields.named(item.written) or fields.named(item.name)
    if found is None:
        if not item.mangled and not fields.may_name(item.name, item.written):
            note_unknown_field(item, sheet.title, 1, fields, notes)
        return None
    return replace(found, unit=item.unit) if item.unit and found.name == item.name else found


def _case(
    record: Record, known: Sequence[tuple[Heading, Field]], context: Context, seen: set[str], notes: Notes
) -> TestCase | None:
    column = "用例号"
    try:
        id_ = record.word(column)
        if not id_:
            raise bad_cell("", "没有写用例号", "请写上不重复的用例号，例如 T01。")
        if id_ in seen:
            raise CellFault(Code.DUPLICATE, f"用例号「{id_}」已经有了。", "请换一个用例号。", value=id_)
        seen.add(id_)
        values = {}
        for item, field in known:
            column = item.written
            text = record.day_text(item.name) if field.type is FieldType.DATE else record.word(item.name)
            if text:
                values[field.name] = _checked(text, field)
        column = "期望"
        expected = read_expected(record.word(column), context)
        column = "期望材料"
        named = record.word(column)
        materials = context.references.materials(named) if named else None
        column = "说明"
        return TestCase(id_, values, expected, materials, record.row, record.text(column))
    except CellFault as fault:
        notes.fault(fault, record.sheet, record.row, column)
        return None


def _checked(text: str, field: Field) -> str:
    """The text itself, and the amount in 元 where its column counts in 万元."""
    value = read_value(text, field)
    return format(value, "f") if isinstance(value, Decimal) else text


def read_expected(text: str, context: Context) -> str:
    """R12, 未覆盖, 追问:预算金额 or 冲突:R1、R2, in this spelling. Raises CellFault."""
    said = tight(text)
    if not said:
        raise bad_cell("", "没有写期望", "请写规则号、「未覆盖」、「追问:字段」或「冲突:R1、R2」。")
    if said == UNCOVERED:
        return UNCOVERED
    found = _WITH_SUBJECT.fullmatch(said)
    if found and found["what"] == ASKED:
        return f"{ASKED}:{_asked(found['subject'], context.fields)}"
    ids = listed(found["subject"] if found else said)
    if found and len(ids) < 2:
        raise bad_cell(text, "冲突至少要写两个规则号", "请写成「冲突:R1、R2」的样子。")
    for id_ in ids:
        if context.rules and id_ not in context.rules:
            otherwise = "也可以写「未覆盖」、「追问:字段」或「冲突:R1、R2」。"
            raise unknown_value(id_, (*context.rules, UNCOVERED), otherwise)
    return f"{CONFLICT}:{'、'.join(ids)}" if found else "、".join(ids)


def _asked(name: str, fields: Fields) -> str:
    if fields.named(name) is None and not fields.may_name(name):
        raise CellFault(
            Code.UNKNOWN_FIELD, f"没有叫「{name}」的字段。", suggestion(name, fields.names()), value=name
        )
    return name
