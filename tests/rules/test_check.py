"""What the static check reports of small tables, and that it agrees with trying every point."""

from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.check import check
from rules.checking.pairs import clashing_pairs
from rules.checking.periods import Period, periods_of
from rules.checking.space import space_of
from rules.checking.survey import survey
from rules.conditions import Interval, OneOf, Value
from rules.engine import CompiledTable, Status
from rules.findings import Code, Finding, Severity, covers
from rules.policies import FIRST_OF, in_order
from rules.table import (
    Clause,
    Field,
    FieldType,
    Gap,
    HitPolicy,
    Material,
    Node,
    Output,
    Required,
    ResultKind,
)
from rules.table import TestCase as Case
from tests.rules.building import (
    AMOUNT,
    DAY,
    DAYS,
    DEPARTMENT,
    KIND,
    START,
    URGENT,
    dated,
    point,
    process,
    rule,
    table,
)
from tests.rules.drawn import Drawn, naive_hits, tables

days = st.one_of(st.none(), st.dates(date(2025, 1, 1), date(2025, 1, 5)))
ALL_YEAR = [Period(None, None, DAY)]
BOUNDED = replace(AMOUNT, bounds=Interval(Decimal(0), Decimal(10_000_000), low_closed=False))


def found(
    policy: HitPolicy, fields: tuple[Field, ...], rows: list[tuple[str, ...]], **more: object
) -> list[Finding]:
    return list(check(process(fields, table(policy, fields, rows), **more)))


def only(findings: list[Finding], code: Code) -> Finding:
    assert [each.code for each in findings] == [code]
    return findings[0]


def test_a_table_that_answers_every_case_once_has_no_findings() -> None:
    assert (
        found(
            HitPolicy.UNIQUE, (BOUNDED, URGENT), [("不满5万", "任意"), ("5万以上", "是"), ("5万以上", "否")]
        )
        == []
    )


def test_a_band_left_open_is_a_gap_with_a_typed_witness_and_the_row_whose_end_moved() -> None:
    rows = [
        ("不满2万", "否"),
        ("2万(含)~4.5万(不含)", "否"),
        ("5万以上", "否"),
        ("不满5万", "是"),
        ("5万以上", "是"),
    ]
    gap = only(found(HitPolicy.UNIQUE, (BOUNDED, URGENT), rows), Code.GAP)
    assert gap.witness == {"预算金额": "47000", "是否紧急": "否"}
    assert gap.near_rules == ("R2",)
    assert covers(gap, {"预算金额": Decimal(45_000)})
    assert not covers(gap, {"预算金额": Decimal(50_000)})
    assert not covers(gap, {"预算金额": Decimal(47_000), "是否紧急": "是"})
    assert "4.5万(含)~5万(不含)" in gap.message


def test_neighbouring_gap_cells_are_one_finding() -> None:
    rows = [
        ("不满1万", "服务器", "任意"),
        ("5万以上", "服务器", "任意"),
        ("任意", "软件", "是"),
        ("任意", "软件", "否"),
    ]
    findings = found(HitPolicy.UNIQUE, (BOUNDED, KIND, URGENT), [*rows, ("不满1万", "车辆", "任意")])
    assert [each.code for each in findings] == [Code.GAP] * 2
    assert covers(findings[0], {"预算金额": Decimal(10_000), "资产类别": "服务器"})
    assert covers(findings[1], {"预算金额": Decimal(60_000), "资产类别": "车辆"})


def test_a_declared_gap_is_not_reported_and_its_rest_is() -> None:
    gap = Gap("G1", rule("R9", (BOUNDED,), ("不低于100万",)).conditions, "另行审议")
    assert found(HitPolicy.UNIQUE, (BOUNDED,), [("不满100万",)], gaps=(gap,)) == []
    left = only(found(HitPolicy.UNIQUE, (BOUNDED,), [("不满90万",)], gaps=(gap,)), Code.GAP)
    assert left.witness == {"预算金额": "950000"}


def test_whole_days_that_follow_each_other_leave_no_gap_and_amounts_do() -> None:
    days = replace(DAYS, bounds=Interval(Decimal(0), Decimal(90)))
    assert found(HitPolicy.UNIQUE, (days,), [("≤30",), ("31~90",)]) == []
    gap = only(found(HitPolicy.UNIQUE, (BOUNDED,), [("不超过30",), ("31以上",)]), Code.GAP)
    assert covers(gap, {"预算金额": Decimal("30.5")})


def test_a_missing_day_between_two_dates_is_a_gap_of_that_day() -> None:
    rows = [("不晚于2025-03-30",), ("不早于2025-04-01",)]
    gap = only(found(HitPolicy.UNIQUE, (START,), rows), Code.GAP)
    assert gap.witness == {"开始日期": "2025-03-31"}
    assert found(HitPolicy.UNIQUE, (START,), [("不晚于2025-03-31",), ("不早于2025-04-01",)]) == []


def test_a_boundary_held_by_two_rows_is_an_overlap_at_that_point() -> None:
    overlap = only(found(HitPolicy.UNIQUE, (BOUNDED,), [("不超过20万",), ("20万以上",)]), Code.OVERLAP)
    assert overlap.rules == ("R1", "R2")
    assert overlap.witness == {"预算金额": "200000"}
    assert overlap.row == 6
    assert not covers(overlap, {"预算金额": Decimal(200_001)})


@pytest.mark.parametrize(("second", "codes"), [("一般", []), ("加急", [Code.OVERLAP])])
def test_under_any_an_overlap_is_told_only_when_results_differ(second: str, codes: list[Code]) -> None:
    both = table(HitPolicy.ANY, (BOUNDED,), [("任意",), ("5万以上",)], results=[("一般",), (second,)])
    assert [each.code for each in check(process((BOUNDED,), both))] == codes


def test_a_row_behind_one_that_takes_all_its_cases_is_unreachable() -> None:
    rows = [("任意", "软件"), ("5万以上", "软件"), ("任意", "除 软件 外")]
    idle = only(found(HitPolicy.FIRST, (BOUNDED, KIND), rows), Code.UNREACHABLE)
    assert (idle.rules, idle.shadowed_by) == (("R2",), ("R1",))


def test_a_row_that_several_rows_cover_together_is_unreachable() -> None:
    rows = [("不满5万", "任意"), ("5万以上", "软件、服务器"), ("5万以上", "车辆"), ("不低于3万", "软件")]
    idle = only(found(HitPolicy.FIRST, (BOUNDED, KIND), rows), Code.UNREACHABLE)
    assert (idle.rules, idle.shadowed_by) == (("R4",), ("R1", "R2"))


def test_a_row_that_no_value_can_meet_is_unreachable_under_every_policy() -> None:
    rows = [("任意",), ("超过2000万",)]
    idle = only(found(HitPolicy.COLLECT, (BOUNDED,), rows), Code.UNREACHABLE)
    assert (idle.rules, idle.column) == (("R2",), "预算金额")


def test_a_value_missing_by_right_is_a_case_and_one_missing_by_error_is_not() -> None:
    paper = Field("文件类型", "doc", FieldType.CHOICE, options=("合同", "证明"))
    whenever = (Clause("文件类型", OneOf(frozenset({"合同"}))),)
    amount = replace(BOUNDED, required=Required.WHEN, required_when=whenever)
    rows = [("合同", "不满5万"), ("合同", "5万以上"), ("证明", "任意")]
    assert found(HitPolicy.UNIQUE, (paper, amount), rows) == []
    gap = only(
        found(HitPolicy.UNIQUE, (paper, amount), [*rows[:2], ("证明", "不满5万"), ("证明", "5万以上")]),
        Code.GAP,
    )
    assert gap.witness == {"文件类型": "证明"}
    assert covers(gap, {"文件类型": "证明", "预算金额": None})
    assert "未填写" in gap.message


def test_words_no_row_names_are_a_gap_of_a_column_without_options() -> None:
    gap = only(found(HitPolicy.UNIQUE, (DEPARTMENT,), [("财务部",), ("人事部",)]), Code.GAP)
    assert gap.witness == {"申请部门": "其他"}
    assert covers(gap, {"申请部门": "后勤部"})
    assert not covers(gap, {"申请部门": "财务部"})


def test_a_yes_or_no_field_may_have_words_of_its_own() -> None:
    own = replace(URGENT, options=("需要", "不需要"))
    gap = only(found(HitPolicy.UNIQUE, (own,), [("需要",)]), Code.GAP)
    assert gap.witness == {"是否紧急": "不需要"}


def test_findings_of_one_period_name_it() -> None:
    rows = dated(table(HitPolicy.UNIQUE, (URGENT,), [("是",), ("否",)]), {"R2": (None, date(2025, 7, 1))})
    gap = only(list(check(process((URGENT,), rows))), Code.GAP)
    assert gap.message.startswith("2025-07-01 起")


def test_amounts_that_nobody_can_enter_need_no_row() -> None:
    assert found(HitPolicy.UNIQUE, (AMOUNT,), [("超过0且不满5万",), ("5万以上",)]) == []
    gap = only(found(HitPolicy.UNIQUE, (DAYS,), [("1~30",), ("31以上",)]), Code.GAP)
    assert gap.witness == {"返回天数": "0"}


def test_a_row_whose_days_run_backwards_is_told_and_what_follows_is_not() -> None:
    rows = dated(
        table(HitPolicy.UNIQUE, (URGENT,), [("是",), ("否",)]), {"R2": (date(2025, 7, 1), date(2025, 1, 1))}
    )
    assert only(list(check(process((URGENT,), rows))), Code.BAD_PERIOD).rules == ("R2",)


def test_a_process_that_is_never_valid_is_told_alone() -> None:
    dates = {"effective_from": date(2025, 7, 1), "effective_to": date(2025, 7, 1)}
    only(found(HitPolicy.UNIQUE, (URGENT,), [("是",)], **dates), Code.BAD_PERIOD)


@pytest.mark.parametrize("broken", ["R9", "R1", "决策表-路径"])
def test_a_row_that_could_not_be_read_causes_no_gap(broken: str) -> None:
    one = process((URGENT,), table(HitPolicy.UNIQUE, (URGENT,), [("否",)]))
    assert check(one, broken=(broken,)) == ()
    assert [each.code for each in check(one)] == [Code.GAP]


def test_overlaps_are_told_beside_a_row_that_could_not_be_read() -> None:
    one = process((URGENT,), table(HitPolicy.UNIQUE, (URGENT,), [("否",), ("否",)]))
    assert [each.code for each in check(one, broken=("R9",))] == [Code.OVERLAP]


def test_nodes_and_materials_no_row_uses_are_warned_of() -> None:
    outputs = (Output("节点", ResultKind.NODES), Output("材料", ResultKind.MATERIALS))
    rows = table(HitPolicy.UNIQUE, (URGENT,), [("任意",)], outputs=outputs, results=[(("初审",), ("M1",))])
    nodes, materials = (
        (Node("N1", "初审", "主管"), Node("N2", "归档", "档案员")),
        (Material("M1", "表"), Material("M2", "书")),
    )
    findings = check(process((URGENT,), rows, nodes=nodes, materials=materials))
    assert [(each.severity, each.code, each.value) for each in findings] == [
        (Severity.WARNING, Code.UNUSED, "N2"),
        (Severity.WARNING, Code.UNUSED, "M2"),
    ]


@pytest.mark.parametrize(
    ("values", "expected", "got"),
    [
        ({"预算金额": "5万"}, "R2", ""),
        ({"预算金额": "5万"}, "R1", "R2"),
        ({}, "追问:预算金额", ""),
        ({}, "R1", "追问:预算金额"),
        ({"预算金额": "多少"}, "R1", "读不懂"),
    ],
)
def test_a_case_that_does_not_come_out_as_expected_is_told(
    values: dict[str, str], expected: str, got: str
) -> None:
    case = Case("T1", values, expected, row=7)
    findings = found(HitPolicy.UNIQUE, (BOUNDED,), [("不满5万",), ("5万以上",)], cases=(case,))
    assert bool(findings) == bool(got)
    if got:
        failed = only(findings, Code.FAILED_CASE)
        assert got in failed.message
        assert (failed.row, failed.value) == (7, "T1")


def test_a_sum_over_words_is_told_before_anyone_asks() -> None:
    findings = found(HitPolicy.COLLECT_SUM, (URGENT,), [("任意",)])
    assert only(findings, Code.BAD_CELL).rules == ("R1",)


def test_a_table_too_large_to_walk_is_compared_in_pairs_and_says_so() -> None:
    fields = tuple(replace(BOUNDED, name=f"金额{at}", code=f"a{at}") for at in range(4))
    rows = [tuple(f"{at}万以上且不满{at + 1}万" for _ in fields) for at in range(1, 40)]
    findings = found(HitPolicy.UNIQUE, fields, [*rows, rows[3]])
    assert sorted(each.code for each in findings) == [Code.NOT_CHECKED, Code.OVERLAP]
    overlap = next(each for each in findings if each.code is Code.OVERLAP)
    assert overlap.rules == ("R4", "R40")
    assert next(each for each in findings if each.code is Code.NOT_CHECKED).severity is Severity.INFO


def test_a_large_table_is_compared_in_pairs_only_so_far_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    fields = tuple(replace(BOUNDED, name=f"金额{at}", code=f"a{at}") for at in range(4))
    rows = [tuple(f"{at}万以上且不满{at + 2}万" for _ in fields) for at in range(1, 60)]
    monkeypatch.setattr("rules.checking.pairs.COMPARED", 30)
    findings = found(HitPolicy.UNIQUE, fields, rows)
    assert [each.code for each in findings].count(Code.OVERLAP) == 30
    assert "一部分行" in next(each for each in findings if each.code is Code.NOT_CHECKED).message


def test_rows_of_other_times_never_clash_in_a_table_too_large_to_walk() -> None:
    fields = tuple(replace(BOUNDED, name=f"金额{at}", code=f"a{at}") for at in range(4))
    rows = [tuple(f"{at}万以上且不满{at + 1}万" for _ in fields) for at in range(1, 40)]
    large = table(HitPolicy.UNIQUE, fields, [*rows, rows[3]])
    turn = date(2025, 7, 1)
    parted = dated(large, {"R4": (None, turn), "R40": (turn, None)})
    assert [each.code for each in check(process(fields, parted))] == [Code.NOT_CHECKED]
    meeting = dated(large, {"R4": (None, turn), "R40": (date(2025, 6, 1), None)})
    overlap = check(process(fields, meeting))[0]
    assert (overlap.code, overlap.rules) == (Code.OVERLAP, ("R4", "R40"))
    assert "2025-06-01 至 2025-06-30" in overlap.message


@given(tables(policies=(HitPolicy.UNIQUE, HitPolicy.ANY)))
def test_pairs_are_always_exactly_those_that_share_a_point_and_may_not(drawn: Drawn) -> None:
    fields = tuple(replace(each, required=Required.NEVER, required_when=()) for each in drawn.fields)
    space = space_of(drawn.table, {field.name: field for field in fields})
    told = {(space.rules[each.one].id, space.rules[each.other].id) for each in clashing_pairs(space).found}
    assert told == {
        (one.id, other.id)
        for each in Drawn(drawn.table, fields).points()
        for one, other in combinations(naive_hits(drawn.table, each), 2)
        if drawn.table.policy is HitPolicy.UNIQUE or one.results != other.results
    }


def test_many_rows_that_never_decide_are_told_in_full_for_the_first_and_together_for_the_rest() -> None:
    rows = [("任意",), *((f"{at}万以上且不满{at + 1}万",) for at in range(1, 60))]
    findings = found(HitPolicy.FIRST, (BOUNDED,), rows)
    assert len(findings) == 41
    assert {each.shadowed_by for each in findings[:40]} == {("R1",)}
    assert findings[-1].rules == tuple(f"R{at}" for at in range(42, 61))
    assert "19 行" in findings[-1].message


def test_a_row_that_very_many_cover_together_names_only_some_of_them() -> None:
    rows = [(f"{at}以上且不满{at + 1}",) for at in range(1, 40)] + [("1以上且不满40",)]
    bounded = replace(BOUNDED, bounds=Interval(Decimal(1), Decimal(40), high_closed=False))
    idle = only(found(HitPolicy.FIRST, (bounded,), rows), Code.UNREACHABLE)
    assert idle.rules == ("R40",)
    assert 0 < len(idle.shadowed_by) <= 12


def test_conditions_up_to_the_last_day_there_is_leave_no_gap_after_it() -> None:
    rows = [("2025-01-01~9999-12-31",), ("早于2025-01-01",)]
    assert found(HitPolicy.UNIQUE, (START,), rows) == []
    idle = only(found(HitPolicy.UNIQUE, (START,), [*rows, ("晚于9999-12-31",)]), Code.UNREACHABLE)
    assert idle.rules == ("R3",)


@pytest.mark.parametrize("day", [date(1000, 1, 1), date(9999, 12, 31)])
def test_the_first_and_the_last_day_of_a_row_can_be_any_day(day: date) -> None:
    rows = table(HitPolicy.UNIQUE, (URGENT,), [("是",), ("否",)])
    for period in ((day, None), (None, day)):
        assert {each.code for each in check(process((URGENT,), dated(rows, {"R2": period})))} <= {Code.GAP}


def test_a_case_passes_when_it_holds_on_one_of_many_days() -> None:
    rows = table(HitPolicy.UNIQUE, (URGENT,), [("任意",), ("任意",)])
    turn = date(2025, 7, 1)
    both = dated(rows, {"R1": (None, turn), "R2": (turn, None)})
    cases = tuple(Case(f"T{at}", {"是否紧急": "是"}, wanted) for at, wanted in enumerate(("R1", "R2", "R9")))
    (failed,) = check(process((URGENT,), both, cases=cases))
    assert (failed.value, "实际 R2" in failed.message) == ("T2", True)


def test_cases_over_very_many_days_are_not_all_run_and_that_is_an_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("rules.checking.cases.BUDGET", 1_000)
    first = date(2025, 1, 1)
    rows = table(HitPolicy.UNIQUE, (URGENT,), [("任意",)] * 40)
    days = {f"R{at}": (first + timedelta(at), first + timedelta(at + 1)) for at in range(1, 40)}
    days["R40"] = (first + timedelta(40), None)
    cases = tuple(Case(f"T{at}", {"是否紧急": "是"}, "R9999") for at in range(3))
    findings = check(process((URGENT,), dated(rows, days), cases=cases))
    assert {(each.severity, each.code) for each in findings} == {(Severity.ERROR, Code.NOT_CHECKED)}
    assert [each.value for each in findings] == [case.id for case in cases]


def test_many_gaps_are_told_in_full_for_the_first_and_together_for_the_rest() -> None:
    rows = [(f"{2 * at}万以上且不满{2 * at + 1}万",) for at in range(1, 60)]
    findings = found(HitPolicy.UNIQUE, (BOUNDED,), rows)
    assert len(findings) == 41
    assert covers(findings[-1], {"预算金额": Decimal(1_190_000)})


@given(tables())
def test_gaps_are_always_exactly_the_points_no_row_meets(drawn: Drawn) -> None:
    space = space_of(drawn.table, {field.name: field for field in drawn.fields})
    gaps = [space.box(hole.cells) for hole in survey(space, ALL_YEAR).holes]
    for each in drawn.points():
        assert sum(each in gap for gap in gaps) == (not naive_hits(drawn.table, each))


@given(tables(width=2), st.lists(st.tuples(days, days), min_size=5, max_size=5))
def test_each_period_is_always_checked_with_the_rows_in_force_in_it(
    drawn: Drawn, dates: list[tuple[date | None, date | None]]
) -> None:
    by_id = {f"R{at}": pair for at, pair in enumerate(dates, start=1)}
    own = process(drawn.fields, dated(drawn.table, by_id))
    space = space_of(own.main, {field.name: field for field in drawn.fields})
    periods = periods_of(own)
    holes = survey(space, periods).holes
    for day in (date(2025, 1, each) for each in range(1, 6)):
        period = next((each for each in periods if in_period(each, day)), None)
        in_force = replace(own.main, rules=tuple(each for each in own.main.rules if each.in_force(day)))
        assert period is not None or not in_force.rules
        for each in drawn.points() if period else ():
            told = sum(period in hole.periods and each in space.box(hole.cells) for hole in holes)
            assert told == (not naive_hits(in_force, each))


def in_period(period: Period, day: date) -> bool:
    return (period.start is None or period.start <= day) and (period.end is None or day < period.end)


@given(tables())
def test_overlaps_are_always_exactly_the_points_more_rows_meet(drawn: Drawn) -> None:
    space = space_of(drawn.table, {field.name: field for field in drawn.fields})
    shared = survey(space, ALL_YEAR).shared
    for each in drawn.points():
        hits = [hit.id for hit in naive_hits(drawn.table, each)]
        told = [
            [one.id for one in space.rules_of(part.rows)]
            for part in shared
            if any(each in space.box(box) for box in part.boxes)
        ]
        assert told == ([hits] if len(hits) > 1 else [])


@given(tables())
def test_the_rows_told_idle_are_always_exactly_those_that_never_decide(drawn: Drawn) -> None:
    space = space_of(drawn.table, {field.name: field for field in drawn.fields})
    idle = {each.rule.id: each for each in survey(space, ALL_YEAR).idle}
    order = [each.id for each in in_order(drawn.table)]
    deciding: set[str] = set()
    for each in drawn.points():
        hits = sorted((hit.id for hit in naive_hits(drawn.table, each)), key=order.index)
        deciding.update(hits[:1] if drawn.table.policy in FIRST_OF else hits)
        for hit in hits:
            if hit in idle:
                assert {rule.id for rule in idle[hit].behind} & set(hits[: hits.index(hit)])
    assert set(idle) == {each.id for each in drawn.table.rules} - deciding


@given(tables(policies=(HitPolicy.UNIQUE, HitPolicy.ANY, HitPolicy.FIRST)))
def test_a_witness_always_shows_what_its_finding_says(drawn: Drawn) -> None:
    for finding in check(process(drawn.fields, drawn.table)):
        if finding.code not in (Code.GAP, Code.OVERLAP):
            continue
        typed = point(drawn.fields, finding.witness)
        shown: dict[str, Value | None] = {field.name: typed.get(field.name) for field in drawn.fields}
        assert covers(finding, shown)
        names = [field.name for field in drawn.fields]
        outcome = CompiledTable(drawn.table, DAY).evaluate(typed, absent=names)
        assert outcome.status is (Status.UNCOVERED if finding.code is Code.GAP else Status.CONFLICT)


def test_a_column_whose_field_is_not_described_is_checked_as_always_given() -> None:
    assert check(process((), table(HitPolicy.UNIQUE, (URGENT,), [("是",), ("否",)]))) == ()
