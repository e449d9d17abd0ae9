"""Small tables and processes written as people write them, for tests of the engine and the check."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from decimal import Decimal

from rules.cells.reading import read_condition, read_value
from rules.conditions import Value
from rules.table import (
    DecisionTable,
    Facts,
    Field,
    FieldType,
    HitPolicy,
    Input,
    Output,
    Process,
    Result,
    ResultKind,
    Rule,
)

DAY = date(2025, 6, 1)

AMOUNT = Field("预算金额", "amount", FieldType.AMOUNT, order=1)
KIND = Field("资产类别", "kind", FieldType.CHOICE, options=("服务器", "软件", "车辆"), order=2)
URGENT = Field("是否紧急", "urgent", FieldType.YES_NO, options=("是", "否"), order=3)
DAYS = Field("返回天数", "days", FieldType.INTEGER, order=4)
START = Field("开始日期", "start", FieldType.DATE, order=5)
DEPARTMENT = Field("申请部门", "department", FieldType.DEPARTMENT, order=6)

PATH = Output("路径", ResultKind.PATH)


def column(field: Field) -> Input:
    return Input(field.name, field.name, field.type, field.options, field.bounds)


def rule(id_: str, fields: Sequence[Field], cells: Sequence[str], *results: Result) -> Rule:
    conditions = tuple(read_condition(cell, column(each)) for each, cell in zip(fields, cells, strict=True))
    return Rule(id_, conditions, results or (id_,), row=5 + int(id_[1:]), cells=tuple(cells))


def table(
    policy: HitPolicy,
    fields: Sequence[Field],
    rows: Sequence[Sequence[str]],
    *,
    outputs: Sequence[Output] = (PATH,),
    results: Sequence[Sequence[Result]] = (),
    name: str = "路径",
) -> DecisionTable:
    """Rows R1, R2, … of cells; each has its own name as result unless `results` says otherwise."""
    given = results or [()] * len(rows)
    rules = tuple(
        rule(f"R{at}", fields, cells, *own)
        for at, (cells, own) in enumerate(zip(rows, given, strict=True), start=1)
    )
    inputs = tuple(column(each) for each in fields)
    return DecisionTable(name, f"决策表-{name}", policy, inputs, tuple(outputs), rules)


def process(fields: Sequence[Field], *tables: DecisionTable, **changes: object) -> Process:
    found = Process("P", "流程", (), "李四", "1", None, None, "元", "《办法》第1条", tuple(fields), tables)
    return replace(found, **changes)  # type: ignore[arg-type]


def dated(found: DecisionTable, days: Mapping[str, tuple[date | None, date | None]]) -> DecisionTable:
    """The table with the effective dates of some rows."""
    rules = tuple(
        replace(each, effective_from=days[each.id][0], effective_to=days[each.id][1])
        if each.id in days
        else each
        for each in found.rules
    )
    return replace(found, rules=rules)


def facts(fields: Sequence[Field], **said: str) -> Facts:
    """By the codes of the fields: amount="5万"."""
    by_code = {each.code: each for each in fields}
    return {by_code[code].name: read_value(text, by_code[code]) for code, text in said.items()}


def point(fields: Sequence[Field], typed: Mapping[str, str]) -> dict[str, Value]:
    """A witness as facts."""
    by_name = {each.name: each for each in fields}
    return {name: read_value(text, by_name[name]) for name, text in typed.items()}


def number(text: str) -> Decimal:
    return Decimal(text)
