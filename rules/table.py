"""A process as its workbook describes it: fields, decision tables, nodes, materials, test cases. Data."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from enum import StrEnum
from typing import TypeAlias

from rules.conditions import Condition, Interval, Value


class FieldType(StrEnum):
    AMOUNT = "金额"
    INTEGER = "整数"
    CHOICE = "单选"
    YES_NO = "是否"
    DEPARTMENT = "部门"
    DATE = "日期"
    TEXT = "文本"


ORDERED = frozenset({FieldType.AMOUNT, FieldType.INTEGER, FieldType.DATE})
"""What is more or less: values of these types are compared, those of the others are chosen."""

YES, NO = "是", "否"


class Required(StrEnum):
    ALWAYS = "是"
    NEVER = "否"
    WHEN = "条件"  # `Field.required_when` says when


class HitPolicy(StrEnum):
    """The policies of DMN 1.5, section 8.2.8, by the names of the workbook."""

    UNIQUE = "唯一"
    ANY = "相同"
    FIRST = "首条"
    PRIORITY = "优先级"
    OUTPUT_ORDER = "优先级顺序"
    RULE_ORDER = "规则顺序"
    COLLECT = "收集"
    COLLECT_SUM = "收集求和"
    COLLECT_MIN = "收集最小"
    COLLECT_MAX = "收集最大"
    COLLECT_COUNT = "收集计数"


SINGLE_HIT = frozenset({HitPolicy.UNIQUE, HitPolicy.ANY, HitPolicy.FIRST, HitPolicy.PRIORITY})


@dataclass(frozen=True, slots=True)
class Clause:
    """One comparison of a condition on fields: 文件类型=合同."""

    field: str  # name of the field
    condition: Condition


@dataclass(frozen=True, slots=True)
class Field:
    """What an applicant is asked. `aliases` are other words for the field, `synonyms` for its options."""

    name: str  # 预算金额
    code: str  # amount
    type: FieldType
    required: Required = Required.ALWAYS
    required_when: tuple[Clause, ...] = ()  # all of them
    options: tuple[str, ...] = ()
    synonyms: Mapping[str, str] = field(default_factory=dict)  # said -> option
    aliases: tuple[str, ...] = ()
    bounds: Interval | None = None
    order: int | None = None  # in which the applicant is asked; None: never asked
    question: str = ""
    invalid: str = ""  # what is said when a value cannot be used
    unit: str = ""  # 元


Result: TypeAlias = str | Decimal | tuple[str, ...]
"""A word, a number, or a list: names of nodes in order (a>b), ids of materials (M01、M02)."""


class ResultKind(StrEnum):
    """What a result column means to a step card, by its name in the workbook."""

    PATH = "路径"
    NODES = "节点"
    MATERIALS = "材料"
    DAYS = "预计工作日"
    SOURCE = "依据"
    OTHER = ""


@dataclass(frozen=True, slots=True)
class Input:
    """A condition column. `field` is its field's name, the column's without the unit."""

    name: str
    field: str
    type: FieldType
    domain: tuple[str, ...] = ()  # of a choice; empty: any word
    bounds: Interval | None = None  # of a number or a day: what is outside cannot be asked
    unit: str = ""  # as the column's name gives it: 万元. Conditions are in 元 all the same


@dataclass(frozen=True, slots=True)
class Output:
    """A result column. `priority` orders its words for 优先级, the best first."""

    name: str
    kind: ResultKind = ResultKind.OTHER
    priority: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Rule:
    """One row. `conditions` stand in the order of the table's inputs, `results` in that of its outputs."""

    id: str
    conditions: tuple[Condition, ...]
    results: tuple[Result, ...]
    row: int = 0  # in the sheet, from 1
    effective_from: date | None = None
    effective_to: date | None = None  # the first day it no longer holds
    note: str = ""
    cells: tuple[str, ...] = ()  # the conditions as they are written, for people

    def in_force(self, day: date) -> bool:
        """effective_from <= day < effective_to."""
        started = self.effective_from is None or self.effective_from <= day
        return started and (self.effective_to is None or day < self.effective_to)


@dataclass(frozen=True, slots=True)
class Gap:
    """A combination left without a rule on purpose."""

    id: str
    conditions: tuple[Condition, ...]  # in the order of the main table's inputs
    reason: str
    row: int = 0
    cells: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DecisionTable:
    name: str
    sheet: str
    policy: HitPolicy
    inputs: tuple[Input, ...]
    outputs: tuple[Output, ...]
    rules: tuple[Rule, ...]
    otherwise: str = ""  # what is said when no rule matches


@dataclass(frozen=True, slots=True)
class Node:
    id: str
    name: str
    role: str
    days: Decimal | None = None  # working days
    notes: str = ""


@dataclass(frozen=True, slots=True)
class Material:
    id: str
    name: str
    template: str = ""  # a file name
    copies: int = 1
    notes: str = ""


UNCOVERED, ASKED, CONFLICT = "未覆盖", "追问", "冲突"
"""What a test case expects when it is no rule's id."""


@dataclass(frozen=True, slots=True)
class TestCase:
    """`expected`: a rule's id, 未覆盖, 追问:字段, or 冲突:R1、R2. `materials` None: they are not compared."""

    id: str
    values: Mapping[str, str]  # field name -> what the cell says
    expected: str
    materials: tuple[str, ...] | None = None
    row: int = 0
    notes: str = ""


@dataclass(frozen=True, slots=True)
class Change:
    day: date | None
    version: str
    author: str
    text: str


@dataclass(frozen=True, slots=True)
class Process:
    """One workbook. The first table decides the path; further ones add results to it, such as materials."""

    id: str
    name: str
    aliases: tuple[str, ...]
    contact: str  # whom to ask: 李雯（内线 8012）
    version: str
    effective_from: date | None
    effective_to: date | None
    currency: str  # unit of amounts without one: 元
    source: str  # the clause it rests on: 《固定资产管理办法》第8条
    fields: tuple[Field, ...]
    tables: tuple[DecisionTable, ...]
    gaps: tuple[Gap, ...] = ()
    nodes: tuple[Node, ...] = ()
    materials: tuple[Material, ...] = ()
    cases: tuple[TestCase, ...] = ()
    changes: tuple[Change, ...] = ()
    digest: str = ""  # SHA-256 of the workbook's bytes

    @property
    def main(self) -> DecisionTable:
        return self.tables[0]

    def field(self, name: str) -> Field | None:
        return next((item for item in self.fields if name in (item.name, item.code)), None)


Facts: TypeAlias = Mapping[str, Value]
"""Field name -> value; a field that is absent was not said."""
