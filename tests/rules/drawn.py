"""Random small tables, and an evaluator that asks every row about every condition. For property tests."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from itertools import product

from hypothesis import strategies as st

from rules.conditions import Anything, Condition, Interval, OneOf, Truth, Value, Within, meets
from rules.table import (
    NO,
    YES,
    Clause,
    DecisionTable,
    Field,
    FieldType,
    HitPolicy,
    Input,
    Output,
    Required,
    Rule,
)

LIMIT = 4  # numbers run from 0 to this
WORDS = ("甲", "乙", "丙")
UNNAMED = "丁"

AMOUNTS = Field("金额", "a", FieldType.AMOUNT, bounds=Interval(Decimal(0), Decimal(LIMIT)))
WHOLE = Field("天数", "n", FieldType.INTEGER, bounds=Interval(Decimal(0), Decimal(LIMIT)))
CHOICE = Field("类别", "c", FieldType.CHOICE, options=WORDS)
OPEN = Field("部门", "d", FieldType.DEPARTMENT)
FLAG = Field("紧急", "u", FieldType.YES_NO)
DAY = Field("日期", "t", FieldType.DATE, bounds=Interval(date(2025, 1, 1), date(2025, 1, 1 + LIMIT)))
FIELDS = (AMOUNTS, WHOLE, CHOICE, OPEN, FLAG, DAY)


@dataclass(frozen=True)
class Drawn:
    table: DecisionTable
    fields: tuple[Field, ...]

    def values(self, field: Field) -> list[Value | None]:
        """One of each kind that conditions can tell apart, and none where the field may be absent."""
        found: list[Value | None] = list(representatives(field))
        return found + ([None] if field.required is not Required.ALWAYS else [])

    def points(self) -> Iterator[dict[str, Value | None]]:
        """Every point that can be."""
        for values in product(*(self.values(field) for field in self.fields)):
            point = dict(zip((field.name for field in self.fields), values, strict=True))
            if all(may_be(field, point) for field in self.fields):
                yield point


def may_be(field: Field, point: dict[str, Value | None]) -> bool:
    if point[field.name] is not None or field.required is not Required.WHEN:
        return True
    return not all(meets(each.condition, point[each.field]) is Truth.TRUE for each in field.required_when)


def representatives(field: Field) -> tuple[Value, ...]:
    if field.type is FieldType.AMOUNT:
        return tuple(Decimal(half) / 2 for half in range(2 * LIMIT + 1))
    if field.type is FieldType.INTEGER:
        return tuple(Decimal(whole) for whole in range(LIMIT + 1))
    if field.type is FieldType.DATE:
        return tuple(date(2025, 1, 1 + day) for day in range(LIMIT + 1))
    if field.type is FieldType.YES_NO:
        return (YES, NO)
    return field.options or (*WORDS, UNNAMED)


def naive_hits(table: DecisionTable, point: dict[str, Value | None]) -> list[Rule]:
    values = [point.get(column.field) for column in table.inputs]
    return [
        rule
        for rule in table.rules
        if all(meets(each, value) is Truth.TRUE for each, value in zip(rule.conditions, values, strict=True))
    ]


def intervals(field: Field) -> st.SearchStrategy[Interval]:
    ends = representatives(field)
    whole = [
        end for end in ends if not isinstance(end, str) and (not isinstance(end, Decimal) or end % 1 == 0)
    ]
    end = st.one_of(st.none(), st.sampled_from(whole))
    return st.builds(Interval, end, end, st.booleans(), st.booleans())


def conditions(field: Field) -> st.SearchStrategy[Condition]:
    if field.type in (FieldType.AMOUNT, FieldType.INTEGER, FieldType.DATE):
        some = st.lists(intervals(field), min_size=1, max_size=2).map(tuple)
        told: st.SearchStrategy[Condition] = st.builds(Within, some, st.booleans())
    else:
        words = (YES, NO) if field.type is FieldType.YES_NO else WORDS
        told = st.builds(OneOf, st.frozensets(st.sampled_from(words), min_size=1), st.booleans())
    return st.one_of(st.just(Anything()), told)


@st.composite
def tables(draw: st.DrawFn, policies: Sequence[HitPolicy] = tuple(HitPolicy), width: int = 3) -> Drawn:
    chosen = draw(
        st.lists(st.sampled_from(FIELDS), min_size=1, max_size=width, unique_by=lambda field: field.code)
    )
    fields = tuple(draw(_required(field, chosen)) for field in chosen)
    rows = draw(st.lists(st.tuples(*(conditions(field) for field in fields)), min_size=1, max_size=5))
    policy = draw(st.sampled_from(policies))
    results = st.sampled_from((Decimal(1), Decimal(2)) if policy.value.startswith("收集") else ("好", "中"))
    rules = tuple(
        Rule(f"R{at}", conditions_, (draw(results),), row=at) for at, conditions_ in enumerate(rows, start=1)
    )
    inputs = tuple(Input(field.name, field.name, field.type, field.options, field.bounds) for field in fields)
    return Drawn(
        DecisionTable("表", "决策表", policy, inputs, (Output("结果", priority=("中", "好")),), rules), fields
    )


@st.composite
def _required(draw: st.DrawFn, field: Field, chosen: Sequence[Field]) -> Field:
    others = [each for each in chosen if each is not field]
    how = draw(st.sampled_from(list(Required)))
    clauses: tuple[Clause, ...] = ()
    if how is Required.WHEN:
        if not others:
            how = Required.NEVER
        else:
            on = draw(st.lists(st.sampled_from(others), min_size=1, max_size=2))
            clauses = tuple(Clause(each.name, draw(conditions(each))) for each in on)
    return Field(field.name, field.code, field.type, how, clauses, options=field.options, bounds=field.bounds)
