"""The sheet 已声明空缺: combinations that have no rule on purpose, with the reason an applicant is told."""

from collections.abc import Sequence
from dataclasses import dataclass

from rules.conditions import Anything, Condition
from rules.findings import Code
from rules.sheets.columns import Heading, Record, headings, records
from rules.sheets.fields import Fields
from rules.sheets.grid import Sheet
from rules.sheets.inputs import input_of, note_other_unit, note_unknown_field
from rules.sheets.notes import Notes
from rules.sheets.rows import Row, row_id
from rules.spelling import plain
from rules.table import DecisionTable, Gap, Input

MOST, MOST_CONDITIONS = 1_000, 10_000
"""Gaps, and cells of conditions of all of them. Whoever has more means a rule that says so."""


@dataclass(frozen=True, slots=True)
class _Said:
    """A column of the sheet and what it is about."""

    item: Heading
    column: Input


def read_gaps(sheet: Sheet, table: DecisionTable, fields: Fields, notes: Notes) -> tuple[Gap, ...]:
    """Combinations of the main table's inputs. A column that is absent restricts nothing."""
    found = records(sheet, ("编号", "原因"), (), notes, open_ended=True)
    columns = [item for item in headings(sheet, 1) if item.name not in ("编号", "原因", "说明", "备注")]
    if len(found) > MOST or len(found) * len(columns) > MOST_CONDITIONS:
        _note_too_many(found, len(columns), notes)
        return ()
    usable = _known_columns(columns, sheet, table, fields, notes)
    said = {column.field: _Said(item, column) for item in columns if (column := input_of(item, fields))}
    gaps, seen = [], set[str]()
    for record in found:
        row = Row(record, row_id(record, "编号"), notes)
        row.check_id("编号", seen)
        seen.add(row.id)
        conditions = [_condition(row, said.get(column.field)) for column in table.inputs]
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


def _note_too_many(found: Sequence[Record], columns: int, notes: Notes) -> None:
    first = found[0]
    notes.broken.add(first.sheet)
    why = f"空缺有 {len(found)} 行、{columns} 列，太多，没有读；最多 {MOST} 行、{MOST_CONDITIONS} 个条件格。"
    notes.add(Code.BAD_SHEET, why, "请合并相近的空缺。", sheet=first.sheet, row=first.row)


def _condition(row: Row, said: _Said | None) -> Condition | None:
    return row.condition(said.item, said.column) if said else Anything()


def _written(record: Record, said: _Said | None) -> str:
    return plain(record.cell(said.item.name).text) if said else "任意"


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
