"""What is asked next, and what a case comes out as: path, nodes, materials with reasons, days."""

from dataclasses import replace
from decimal import Decimal

import pytest

from rules.conditions import OneOf
from rules.engine import Status
from rules.flow import UnknownName, needed, route
from rules.table import (
    Clause,
    Field,
    FieldType,
    Gap,
    HitPolicy,
    Material,
    Node,
    Output,
    Process,
    Required,
    ResultKind,
)
from tests.rules.building import AMOUNT, DAY, DEPARTMENT, KIND, URGENT, facts, process, rule, table

PAPER = Field("文件类型", "paper", FieldType.CHOICE, options=("合同", "证明"), order=1)
TOTAL = Field(
    "合同金额",
    "total",
    FieldType.AMOUNT,
    Required.WHEN,
    (Clause("文件类型", OneOf(frozenset({"合同"}))),),
    order=2,
)
FIELDS = (AMOUNT, KIND, URGENT)

MAIN = table(
    HitPolicy.UNIQUE,
    FIELDS,
    [("不满5万", "任意", "任意"), ("5万以上且不满20万", "除 车辆 外", "任意")],
    outputs=(
        Output("路径", ResultKind.PATH),
        Output("节点", ResultKind.NODES),
        Output("材料", ResultKind.MATERIALS),
        Output("预计工作日", ResultKind.DAYS),
    ),
    results=[
        ("简易", ("初审",), ("M1",), Decimal(2)),
        ("完整", ("初审", "审批"), ("M2", "M1"), Decimal(6)),
    ],
)
EXTRA = table(
    HitPolicy.COLLECT,
    FIELDS,
    [("任意", "任意", "是"), ("5万以上", "任意", "任意")],
    outputs=(Output("材料", ResultKind.MATERIALS),),
    results=[(("M3",),), (("M1", "M4"),)],
    name="材料",
)
SAMPLE = process(
    (*FIELDS, DEPARTMENT),
    MAIN,
    EXTRA,
    nodes=(Node("N1", "初审", "主管", Decimal("0.5")), Node("N2", "审批", "领导", Decimal(1))),
    materials=tuple(Material(f"M{at}", f"材料{at}") for at in range(1, 5)),
    gaps=(Gap("G1", rule("R9", FIELDS, ("20万以上", "任意", "任意")).conditions, "须经会议审议"),),
)


def names(found: tuple[Field, ...]) -> list[str]:
    return [field.name for field in found]


def test_required_fields_not_said_are_asked_in_the_order_of_the_table() -> None:
    assert names(needed(SAMPLE, facts(FIELDS, kind="软件"))) == ["预算金额", "是否紧急", "申请部门"]
    last = replace(SAMPLE, fields=(replace(AMOUNT, order=9), KIND))
    assert names(needed(last, {})) == ["资产类别", "预算金额"]


def test_a_field_that_need_not_be_given_is_not_asked() -> None:
    assert needed(replace(SAMPLE, fields=(replace(AMOUNT, required=Required.NEVER),)), {}) == ()


@pytest.mark.parametrize(
    ("said", "asked"), [({}, []), ({"paper": "合同"}, ["合同金额"]), ({"paper": "证明"}, [])]
)
def test_a_field_required_under_a_condition_is_asked_once_it_holds(
    said: dict[str, str], asked: list[str]
) -> None:
    papers = process((PAPER, TOTAL), table(HitPolicy.FIRST, (PAPER, TOTAL), [("任意", "任意")]))
    found = names(needed(papers, facts((PAPER, TOTAL), **said)))
    assert [name for name in found if name != "文件类型"] == asked


def test_a_route_has_path_nodes_and_days_of_the_row_and_materials_of_all_tables() -> None:
    found = route(SAMPLE, facts(FIELDS, amount="8万", kind="软件", urgent="是"), DAY)
    assert (found.status, found.path, found.days) == (Status.MATCHED, "完整", Decimal(6))
    assert [(node.name, node.role) for node in found.nodes] == [("初审", "主管"), ("审批", "领导")]
    assert [need.material.id for need in found.needs] == ["M2", "M1", "M3", "M4"]


def test_each_material_says_which_row_asks_for_it() -> None:
    found = route(SAMPLE, facts(FIELDS, amount="8万", kind="软件", urgent="是"), DAY)
    reasons = {need.material.id: need.required_because for need in found.needs}
    assert reasons["M3"] == "材料 R1：是否紧急 是"
    assert reasons["M2"] == "路径 R2：预算金额 5万以上且不满20万，资产类别 除 车辆 外"


def test_a_route_rests_on_the_row_the_conditions_and_the_clause() -> None:
    basis = route(SAMPLE, facts(FIELDS, amount="5万", kind="软件", urgent="否"), DAY).basis
    assert basis is not None
    assert [each.id for each in basis.rules] == ["R2"]
    assert [(each.column, each.cell) for each in basis.conditions] == [
        ("预算金额", "5万以上且不满20万"),
        ("资产类别", "除 车辆 外"),
    ]
    assert (basis.source, basis.version) == ("《办法》第1条", "1")


def test_a_declared_gap_is_named_with_its_reason() -> None:
    found = route(SAMPLE, facts(FIELDS, amount="20万", kind="软件", urgent="否"), DAY)
    assert found.status is Status.UNCOVERED
    assert found.gap is not None
    assert found.gap.reason == "须经会议审议"


def test_an_uncovered_case_outside_declared_gaps_has_none_and_no_materials() -> None:
    found = route(SAMPLE, facts(FIELDS, amount="8万", kind="车辆", urgent="是"), DAY)
    assert (found.status, found.gap, found.needs, found.path) == (Status.UNCOVERED, None, (), "")
    assert [each.rule.id for each in found.outcome.nearest] == ["R1", "R2"]


def test_what_could_still_change_the_materials_keeps_a_route_open() -> None:
    found = route(SAMPLE, facts(FIELDS, amount="8万", kind="软件"), DAY)
    assert (found.status, found.undecided, found.needs) == (Status.MISSING, ("是否紧急",), ())


def test_a_conflict_in_a_later_table_is_one_of_the_route() -> None:
    twice = table(HitPolicy.UNIQUE, (URGENT,), [("任意",), ("是",)], name="附加")
    found = route(
        replace(SAMPLE, tables=(MAIN, twice)), facts(FIELDS, amount="8万", kind="软件", urgent="是"), DAY
    )
    assert found.status is Status.CONFLICT
    assert [each.id for each in found.further[0].hits] == ["R1", "R2"]


def test_a_field_absent_by_right_meets_only_anything() -> None:
    rows = [("任意", "50万以上"), ("任意", "任意")]
    papers = process((PAPER, TOTAL), table(HitPolicy.FIRST, (PAPER, TOTAL), rows))
    assert route(papers, facts((PAPER, TOTAL), paper="证明"), DAY).path == "R2"
    assert route(papers, facts((PAPER, TOTAL), paper="合同"), DAY).undecided == ("合同金额",)


def test_days_are_added_up_from_the_nodes_when_the_table_has_none() -> None:
    plain = table(
        HitPolicy.UNIQUE,
        (URGENT,),
        [("任意",)],
        outputs=(Output("节点", ResultKind.NODES),),
        results=[(("初审", "审批"),)],
    )
    without = replace(SAMPLE, tables=(plain,))
    assert route(without, facts(FIELDS, urgent="是"), DAY).days == Decimal("1.5")


@pytest.mark.parametrize("missing", ["nodes", "materials"])
def test_a_name_without_its_row_is_an_error_and_not_left_out(missing: str) -> None:
    poor: Process = replace(SAMPLE, **{missing: ()})  # type: ignore[arg-type]
    with pytest.raises(UnknownName, match="R2"):
        route(poor, facts(FIELDS, amount="8万", kind="软件", urgent="是"), DAY)
