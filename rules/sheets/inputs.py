"""Which field a condition column is about; what is told when there is none or it counts in another unit."""

from rules.cells.reading import base_unit
from rules.findings import Code
from rules.sheets.columns import Heading
from rules.sheets.fields import Fields
from rules.sheets.notes import Notes
from rules.spelling import suggestion
from rules.table import Input


def input_of(item: Heading, fields: Fields) -> Input | None:
    """The condition column of a field, named with or without a unit; None when there is no such field."""
    found = fields.named(item.written) or fields.named(item.name)
    if found is None:
        return None
    unit = item.unit if found.name == item.name and item.unit else fields.units.get(found.name, "")
    return Input(item.written, found.name, found.type, found.options, found.bounds, unit)


def note_other_unit(column: Input, sheet: str, row: int, fields: Fields, notes: Notes) -> bool:
    """Whether the column counts in something else than its field, 美元 for 元; then that is told."""
    field = fields.named(column.field)
    if field is None or not field.unit or base_unit(column.unit) == field.unit:
        return False
    notes.add(
        Code.BAD_SHEET,
        f"这一列的单位是「{column.unit}」，字段「{field.name}」的单位却是「{field.unit}」。",
        f"请把这一列换算成「{field.unit}」，并改列名。",
        sheet=sheet,
        row=row,
        column=column.name,
        value=column.unit,
    )
    return True


def note_unknown_field(item: Heading, sheet: str, row: int, fields: Fields, notes: Notes) -> None:
    notes.add(
        Code.UNKNOWN_FIELD,
        f"没有叫「{item.name}」的字段。",
        suggestion(item.name, fields.names()) or "请先在「字段」表里加上它。",
        sheet=sheet,
        row=row,
        column=item.written,
        value=item.name,
    )
