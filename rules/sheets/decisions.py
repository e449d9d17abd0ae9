"""Decision tables: the sheets 决策表 and 决策表-….

A row with something that cannot be read is told and left out; its id goes to `Notes.broken`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

from rules.cells.reading import read_amount, read_days
from rules.faults import CellFault, bad_cell
from rules.findings import Code, Severity
from rules.policies import RANKED, SUMMED
from rules.sheets.columns import Heading, Record, headings, note_merged, note_repeated, rows_below
from rules.sheets.fields import Fields
from rules.sheets.grid import Sheet
from rules.sheets.inputs import input_of, note_other_unit, note_unknown_field
from rules.sheets.layout import Layout, Role, read_layout
from rules.sheets.notes import Notes
from rules.sheets.references import References
from rules.sheets.rows import Row, row_id
from rules.spelling import closest, plain, suggestion
from rules.table import DecisionTable, FieldType, Input, Output, Result, ResultKind, Rule

MOST_RULES, MOST_CONDITIONS = 5_000, 40_000
"""Rows of one table, and cells of conditions of all tables together: what the check and the evaluation of
them need in memory stays below a few hundred megabytes."""
_NO_WORDS = frozenset({ResultKind.NODES, ResultKind.MATERIALS, ResultKind.DAYS})


@dataclass(slots=True)
class Room:
    """How many cells of conditions may still be read, of all tables together."""

    left: int = MOST_CONDITIONS

    def take(self, cells: int) -> bool:
        """Whether there is room for so many."""
        if cells > self.left:
            return False
        self.left -= cells
        return True


@dataclass(frozen=True, slots=True)
class Context:
    """What rows refer to, and how much of them may be read."""

    fields: Fields
    references: References
    room: Room = field(default_factory=Room)


def read_table(sheet: Sheet, context: Context, notes: Notes) -> DecisionTable | None:
    """None when the sheet is not laid out as a decision table."""
    layout = read_layout(sheet, notes)
    if layout is None:
        notes.broken.add(sheet.title)
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
        self.usable = layout.whole
        self.names = headings(sheet, layout.names_row)
        self.conditions = [item for item in self.names if layout.role(item) is Role.CONDITION]
        self.results = [item for item in self.names if layout.role(item) is Role.RESULT]

    def table(self) -> DecisionTable:
        self.usable &= not note_repeated(self.sheet.title, self.layout.names_row, self.names, self.notes)
        inputs = tuple(self._input(item) for item in self.conditions)
        outputs = tuple(self._output(item) for item in self.results)
        rows = list(rows_below(self.sheet, self.layout.names_row, self.names, lost=not self.layout.whole))
        if len(rows) > MOST_RULES or not self.context.room.take(len(rows) * len(inputs)):
            self._note_too_large(len(rows))
            rows = []
        ids = {record.row: self._id(record) for record in rows}
        note_merged(self.sheet, self.layout.names_row, self.names, ids, self.notes)
        if not self.usable:
            self.notes.unusable.add(self.sheet.title)
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

    def _note_too_large(self, rows: int) -> None:
        self.usable = False
        self.notes.broken.add(self.sheet.title)
        self.notes.add(
            Code.BAD_SHEET,
            f"这张表有 {rows} 行规则、{len(self.conditions)} 列条件，太大，没有读。",
            f"一张表最多 {MOST_RULES} 行，各表的条件格合起来最多 {MOST_CONDITIONS} 个；请拆成几个流程。",
            sheet=self.sheet.title,
            row=self.layout.names_row,
        )

    def _input(self, item: Heading) -> Input:
        column = input_of(item, self.context.fields)
        if column is not None:
            self.usable &= not note_other_unit(
                column, self.sheet.title, self.layout.names_row, self.context.fields, self.notes
            )
            return column
        self.usable = False
        if not item.mangled and not self.context.fields.may_name(item.name, item.written):
            note_unknown_field(item, self.sheet.title, self.layout.names_row, self.context.fields, self.notes)
        return Input(item.written, item.name, FieldType.TEXT)

    def _output(self, item: Heading) -> Output:
        kind = ResultKind(item.name) if item.name in set(ResultKind) else ResultKind.OTHER
        if kind is ResultKind.OTHER and not item.mangled:
            self._note_misnamed(item)
        ranked = self.layout.priority if item is self.results[0] else ()
        if self.layout.policy in RANKED and item is self.results[0]:
            self._note_unranked(item, kind)
        return Output(item.written, kind, ranked)

    def _note_unranked(self, item: Heading, kind: ResultKind) -> None:
        """Only words have an order of priority, and it has to be written down."""
        if kind in _NO_WORDS:
            why = f"命中策略是「{self.layout.policy}」，第一个结果列「{item.written}」却不是可以排先后的词。"
            mend = "请把写着路径这类词的结果列放到最前面。"
        elif not self.layout.priority:
            why = f"命中策略是「{self.layout.policy}」，却没有写哪个结果优先。"
            mend = f"请在第 3 行写「结果优先级」，旁边按从先到后写上「{item.written}」的各个值，用 > 连起来。"
        else:
            return
        self.notes.add(Code.BAD_SHEET, why, mend, sheet=self.sheet.title, row=3, column=item.written)

    def _note_misnamed(self, item: Heading) -> None:
        """审批节点 for 节点 would be lost in silence; 材质 may well be a column of its own."""
        absent = {kind.value for kind in ResultKind if kind} - {each.name for each in self.results}
        near = closest(item.name, absent)
        if near is None:
            return
        sure = len(item.name) > len("节点")
        self.usable &= not sure
        self.notes.add(
            Code.BAD_SHEET,
            f"结果列「{item.written}」不认识，又没有「{near}」列。",
            f"是不是想写「{near}」？请把列名改成「{near}」。",
            severity=Severity.ERROR if sure else Severity.WARNING,
            sheet=self.sheet.title,
            row=self.layout.names_row,
            column=item.written,
            value=item.written,
        )

    def _id(self, record: Record) -> str:
        return row_id(record, self.layout.id_column)

    def _rule(self, record: Record, inputs: Sequence[Input], outputs: Sequence[Output]) -> Rule | None:
        """Every fault of the row is told, not only the first."""
        id_ = self._id(record)
        found = Row(record, id_, self.notes)
        said = any(not record.cell(item.name).blank for item in (*self.conditions, *self.results))
        if not said and not record.lost and not record.merged:
            self._note_empty(record, id_)
            return None
        found.check_id(self.layout.id_column, self.seen)
        self.seen.add(id_)
        conditions = [
            found.condition(item, column) for item, column in zip(self.conditions, inputs, strict=True)
        ]
        results = [
            found.result(item, partial(self._read_result, record, item, column))
            for item, column in zip(self.results, outputs, strict=True)
        ]
        start, end = found.period(self.layout.starts, self.layout.ends)
        remarks = [found.remark(name) for name in self.layout.notes]
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
            note="；".join(remark for remark in remarks if remark),
            cells=tuple(plain(record.cell(item.name).text) for item in self.conditions),
        )

    def _read_result(self, record: Record, item: Heading, output: Output) -> Result:
        """Raises CellFault."""
        text = record.word(item.name)
        if output.kind is ResultKind.NODES:
            return self.context.references.nodes(text)
        if output.kind is ResultKind.MATERIALS and not text:
            self._note_no_materials(record, item)
        if output.kind is ResultKind.MATERIALS:
            return self.context.references.materials(text)
        if self.layout.policy in SUMMED:
            return self._summand(text, item)
        if output.kind is ResultKind.DAYS:
            return read_days(text, item.unit or "工作日") if text not in ("", "-") else ""
        if not text and output.kind is ResultKind.PATH:
            raise bad_cell("", "没有写路径", "请写上这一行走哪条路径。")
        if output.priority and text not in output.priority:
            raise bad_cell(text, "不在「结果优先级」里", suggestion(text, output.priority), text)
        return text

    def _note_empty(self, record: Record, id_: str) -> None:
        """Remarks below the table, a total of its rows: one trouble, and not one in each cell."""
        self.notes.broken.add(id_)
        why = "这一行没有条件，也没有结果。"
        mend = "如果不是规则，请删去这一行或移到别的工作表；如果是，请补全。"
        self.notes.add(Code.BAD_CELL, why, mend, sheet=record.sheet, row=record.row, rules=(id_,))

    def _summand(self, text: str, item: Heading) -> Result:
        """Raises CellFault."""
        try:
            return read_amount(text, FieldType.AMOUNT, item.unit)
        except CellFault as fault:
            fault.mend = f"命中策略是「{self.layout.policy}」，这一列每行都要写一个数。"
            raise

    def _note_no_materials(self, record: Record, item: Heading) -> None:
        self.notes.add(
            Code.BAD_CELL,
            "材料是空的，按不需要材料处理。",
            "不需要材料请写「无」；需要就写上材料编号。",
            severity=Severity.WARNING,
            sheet=record.sheet,
            row=record.row,
            column=item.written,
            rules=(self._id(record),),
        )
