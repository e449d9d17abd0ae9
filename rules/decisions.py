"""Decision tables and the gaps declared beside them: the sheets 决策表, 决策表-… and 已声明空缺.

A row with something that cannot be read is told and left out; its id goes to `Notes.broken`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from rules.cells import base_unit, read_amount, read_condition
from rules.columns import Heading, Record, headings, note_merged, note_repeated, records, rows_below
from rules.conditions import Anything, Condition
from rules.faults import CellFault, bad_cell
from rules.fields import Fields
from rules.findings import Code, Severity
from rules.grid import Sheet
from rules.layout import Layout, Role, read_layout
from rules.notes import Notes
from rules.references import References
from rules.sheets import day_or_none, note_period
from rules.spelling import plain, suggestion
from rules.table import DecisionTable, FieldType, Gap, HitPolicy, Input, Output, Result, ResultKind, Rule

_SUMMED = frozenset({HitPolicy.COLLECT_SUM, HitPolicy.COLLECT_MIN, HitPolicy.COLLECT_MAX})
_BY_PRIORITY = frozenset({HitPolicy.PRIORITY, HitPolicy.OUTPUT_ORDER})


@dataclass(frozen=True, slots=True)
class Context:
    """What rows refer to."""

    fields: Fields
    references: References
    starts: date | None = None  # of the process
    ends: date | None = None


def read_table(sheet: Sheet, context: Context, notes: Notes) -> DecisionTable | None:
    """None when the sheet is not laid out as a decision table."""
    layout = read_layout(sheet, notes)
    if layout is None:
        return None
    reader = _Reader(sheet, layout, context, notes)
    return reader.table()


class _Reader:
    """One decision table."""

    def __init__(self, sheet: Sheet, layout: Layout, context: Context, notes: Notes) -> None:
        self.sheet = sheet
        self.layout = layout
        self.context = context
        self.notes = notes
        self.seen: set[str] = set()
        self.usable = True

    def table(self) -> DecisionTable:
        names = headings(self.sheet, self.layout.names_row)
        note_repeated(self.sheet.title, self.layout.names_row, names, self.notes)
        self.conditions = [item for item in names if self.layout.role(item) is Role.CONDITION]
        self.results = [item for item in names if self.layout.role(item) is Role.RESULT]
        inputs = tuple(self._input(item) for item in self.conditions)
        outputs = tuple(self._output(item) for item in self.results)
        rows = list(rows_below(self.sheet, self.layout.names_row, names))
        self._note_merged(names, rows)
        rules = [rule for record in rows if (rule := self._rule(record, inputs, outputs))]
        return DecisionTable(
            name=self.layout.title or self.sheet.title,
            sheet=self.sheet.title,
            policy=self.layout.policy,
            inputs=inputs,
            outputs=outputs,
            rules=tuple(rules) if self.usable else (),
            otherwise=self.layout.otherwise,
        )

    def _input(self, item: Heading) -> Input:
        column = input_of(item, self.context.fields)
        if column is not None:
            self.usable &= not note_other_unit(
                column, self.sheet.title, self.layout.names_row, self.context.fields, self.notes
            )
            return column
        self.usable = False
        if not {item.name, item.written} & self.context.fields.broken:
            note_unknown_field(item, self.sheet.title, self.layout.names_row, self.context.fields, self.notes)
        return Input(item.written, item.name, FieldType.TEXT)

    def _output(self, item: Heading) -> Output:
        kind = ResultKind(item.name) if item.name in set(ResultKind) else ResultKind.OTHER
        ranked = self.layout.priority if item is self.results[0] else ()
        if self.layout.policy in _BY_PRIORITY and item is self.results[0] and not ranked:
            self.notes.add(
                Code.BAD_SHEET,
                f"命中策略是「{self.layout.policy}」，却没有写哪个结果优先。",
                f"请在第 3 行写「结果优先级」，旁边按从先到后写上「{item.written}」的各个值，用 > 连起来。",
                sheet=self.sheet.title,
                row=3,
                column=item.written,
            )
        return Output(item.written, kind, ranked)

    def _note_merged(self, names: Sequence[Heading], rows: Sequence[Record]) -> None:
        ids = {record.row: self._id(record) for record in rows}
        note_merged(self.sheet, self.layout.names_row, names, ids, self.notes)

    def _id(self, record: Record) -> str:
        return plain(record.cell(self.layout.id_column).text) or f"第{record.row}行"

    def _rule(self, record: Record, inputs: Sequence[Input], outputs: Sequence[Output]) -> Rule | None:
        """Every fault of the row is told, not only the first."""
        id_ = self._id(record)
        found = _Row(record, id_, self.notes)
        found.check_id(self.layout.id_column, self.seen)
        self.seen.add(id_)
        conditions = [
            found.condition(item, column) for item, column in zip(self.conditions, inputs, strict=True)
        ]
        results = [
            found.result(item, column, self) for item, column in zip(self.results, outputs, strict=True)
        ]
        start, end = found.period(self.layout, self.context)
        if found.broken or record.merged or not self.usable:
            self.notes.broken.add(id_)
            return None
        return Rule(
            id=id_,
            conditions=tuple(condition for condition in conditions if condition is not None),
            results=tuple(result for result in results if result is not None),
            row=record.row,
            effective_from=start,
            effective_to=end,
            note="；".join(text for name in self.layout.notes if (text := record.cell(name).text.strip())),
            cells=tuple(plain(record.cell(item.name).text) for item in self.conditions),
        )

    def read_result(self, record: Record, item: Heading, output: Output) -> Result:
        """Raises CellFault."""
        text = record.word(item.name)
        if output.kind is ResultKind.NODES:
            return self.context.references.nodes(text)
        if output.kind is ResultKind.MATERIALS:
            return self.context.references.materials(text)
        if output.kind is ResultKind.DAYS or self.layout.policy in _SUMMED:
            return _number(text, item)
        if not text and output.kind is ResultKind.PATH:
            raise bad_cell("", "没有写路径", "请写上这一行走哪条路径。")
        if output.priority and text not in output.priority:
            raise bad_cell(text, "不在「结果优先级」里", suggestion(text, output.priority), text)
        return text


def _number(text: str, item: Heading) -> Result:
    if item.name == ResultKind.DAYS and text in ("", "-"):
        return ""
    return read_amount(
        text, FieldType.AMOUNT, item.unit or ("工作日" if item.name == ResultKind.DAYS else "")
    )


class _Row:
    """Reads the cells of one row and remembers whether one of them is broken."""

    def __init__(self, record: Record, id_: str, notes: Notes) -> None:
        self.record = record
        self.id = id_
        self.notes = notes
        self.broken = False

    def check_id(self, column: str, seen: set[str]) -> None:
        try:
            if not self.record.word(column):
                raise bad_cell("", "没有写编号", f"请在「{column}」列写上不重复的编号，例如 R01。")
            if self.id in seen:
                raise CellFault(
                    Code.DUPLICATE, f"编号「{self.id}」已经有了。", "请换一个编号。", value=self.id
                )
        except CellFault as fault:
            self._fault(fault, column)

    def condition(self, item: Heading, column: Input) -> Condition | None:
        if self.record.cell(item.name).merged and not self.record.cell(item.name).text:
            return None  # told once, as a merged area
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

    def result(self, item: Heading, output: Output, reader: _Reader) -> Result | None:
        if self.record.cell(item.name).merged:
            return None
        try:
            return reader.read_result(self.record, item, output)
        except CellFault as fault:
            self._fault(fault, item.written)
            return None

    def period(self, layout: Layout, context: Context) -> tuple[date | None, date | None]:
        start, end = (self._day(column) for column in (layout.starts, layout.ends))
        if start and end and start >= end:
            note_period(start, end, self.record.sheet, self.record.row, (self.id,), self.notes)
            self.broken = True
        elif (end and context.starts and end <= context.starts) or (
            start and context.ends and start >= context.ends
        ):
            self.notes.add(
                Code.BAD_PERIOD,
                "这一行的有效期和整个流程的有效期没有重合，永远不会用到。",
                "请检查有效期，或删掉这一行。",
                severity=Severity.WARNING,
                sheet=self.record.sheet,
                row=self.record.row,
                column=layout.starts or layout.ends,
                rules=(self.id,),
            )
        return start, end

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


def read_gaps(sheet: Sheet, table: DecisionTable, fields: Fields, notes: Notes) -> tuple[Gap, ...]:
    """Combinations of the main table's inputs. A column that is absent restricts nothing."""
    found = records(sheet, ("编号", "原因"), (), notes, open_ended=True)
    columns = [item for item in headings(sheet, 1) if item.name not in ("编号", "原因", "说明", "备注")]
    usable = _known_columns(columns, sheet, table, fields, notes)
    by_field = {column.field: item for item in columns if (column := input_of(item, fields))}
    gaps, seen = [], set[str]()
    for record in found:
        row = _Row(record, plain(record.cell("编号").text) or f"第{record.row}行", notes)
        row.check_id("编号", seen)
        seen.add(row.id)
        conditions = [_gap_condition(row, column, by_field, fields) for column in table.inputs]
        if row.broken or record.merged or not usable:
            notes.broken.add(row.id)
            continue
        cells = tuple(plain(record.cell(item.name).text) for item in by_field.values())
        gaps.append(
            Gap(
                row.id, tuple(c for c in conditions if c), record.cell("原因").text.strip(), record.row, cells
            )
        )
    return tuple(gaps)


def _gap_condition(
    row: _Row, column: Input, by_field: dict[str, Heading], fields: Fields
) -> Condition | None:
    item = by_field.get(column.field)
    if item is None:
        return Anything()
    return row.condition(item, replace(column, unit=item.unit or column.unit))


def _known_columns(
    columns: Sequence[Heading], sheet: Sheet, table: DecisionTable, fields: Fields, notes: Notes
) -> bool:
    usable = True
    inputs = {column.field for column in table.inputs}
    told = not all(fields.named(field) for field in inputs)  # then the table itself was told to be wrong
    for item in columns:
        column = input_of(item, fields)
        if column is not None and column.field in inputs:
            usable &= not note_other_unit(column, sheet.title, 1, fields, notes)
            continue
        usable = False
        if column is not None and told:
            continue
        if column is not None:
            why = f"「{table.sheet}」里没有「{item.name}」这个条件列。"
            notes.add(Code.BAD_SHEET, why, "请删掉这一列。", sheet=sheet.title, row=1, column=item.written)
        elif not {item.name, item.written} & fields.broken:
            note_unknown_field(item, sheet.title, 1, fields, notes)
    return usable
