"""The sheet 已声明空缺: combinations that have no rule on purpose, with the reason an applicant is told."""

from collections.abc import Sequence

from rules.conditions import Anything, Condition
from rules.findings import Code
from rules.sheets.columns import Heading, Record, headings, records
from rules.sheets.fields import Fields
from rules.sheets.grid import Sheet
from rules.sheets.inputs import input_of, note_other_unit, note_unknown_field
from rules.sheets.notes import Notes
from rules.sheets.rows import Row, row_id
from rules.spelling import plain
from rules.table import DecisionTable, Gap

MOST = 1_000
"""Gaps. Whoever has more means a rule that says so."""


def read_gaps(sheet: Sheet, table: DecisionTable, fields: Fields, notes: Notes) -> tuple[Gap, ...]:
    """Combinations of the main table's inputs. A column that is absent restricts nothing."""
    found = records(sheet, ("编号", "原因"), (), notes, open_ended=True)
    if len(found) > MOST:
        why = f"空缺有 {len(found)} 个，最多读 {MOST} 个，没有读。"
        notes.broken.add(sheet.title)
        notes.add(Code.BAD_SHEET, why, "请合并相近的空缺。", sheet=sheet.title, row=found[MOST].row)
        return ()
    columns = [item for item in headings(sheet, 1) if item.name not in ("编号", "原因", "说明", "备注")]
    usable = _known_columns(columns, sheet, table, fields, notes)
    said = {column.field: item for item in columns if (column := input_of(item, fields))}
    gaps, seen = [], set[str]()
    for record in found:
        row = Row(record, row_id(record, "编号"), notes)
        row.check_id("编号", seen)
        seen.add(row.id)
        conditions = [_condition(row, said.get(column.field), fields) for column in table.inputs]
        reason = row.words("原因")
        if row.broken or record.merged or not usable:
            notes.broken.add(row.id)
            continue
        gaps.append(
            Gap(
                id=row.id,
                conditions=tuple(condition for condition in conditions if condition is not None),
                reason=reason,
                row=record.row,
                cells=tuple(_written(record, said.get(column.field)) for column in table.inputs),
            )
        )
    return tuple(gaps)


def _condition(row: Row, item: Heading | None, fields: Fields) -> Condition | None:
    column = input_of(item, fields) if item else None
    return row.condition(item, column) if item and column else Anything()


def _written(record: Record, item: Heading | None) -> str:
    return plain(record.cell(item.name).text) if item else "任意"


def _known_columns(
    columns: Sequence[Heading], sheet: Sheet, table: DecisionTable, fields: Fields, notes: Notes
) -> bool:
    usable = True
    inputs = {column.field for column in table.inputs}
    for item in columns:
        column = input_of(item, fields)
        if column is not None and column.field in inputs:
            usable &= not note_other_unit(column, sheet.title, 1, fields, notes)
            continue
        usable = False
        if item.mangled or (column is not None and table.sheet in notes.unusable):
            continue
        if column is not None:
            why = f"「{table.sheet}」里没有「{item.name}」这个条件列。"
            notes.add(Code.BAD_SHEET, why, "请删掉这一列。", sheet=sheet.title, row=1, column=item.written)
        elif not fields.may_name(item.name, item.written):
            note_unknown_field(item, sheet.title, 1, fields, notes)
    return usable
