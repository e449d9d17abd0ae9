"""Loading: what a keeper of tables does wrong, each told at its place with how to mend it."""

import json
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openpyxl import Workbook

from rules.check import check
from rules.conditions import Anything, Interval, OneOf, Within
from rules.findings import Code, Finding, Severity, finding_json
from rules.loader import load
from rules.table import Clause, FieldType, HitPolicy, Process, Required
from tests.rules.workbooks import Change, as_csv, base, loaded, only, packed, serious, sheet, with_cells


def process_of(**cells: object) -> Process:
    found = with_cells({place.replace("_", "!"): value for place, value in cells.items()})
    assert serious(found) == []
    assert found.process is not None
    return found.process


# What is there when all is well.


def test_a_workbook_becomes_a_process() -> None:
    process = process_of()
    assert (process.id, process.name, process.aliases) == ("物品申领", "物品申领", ("申领", "领用"))
    assert process.currency == "元"
    assert process.effective_from == date(2025, 1, 1)
    amount, kind, urgent, department = process.fields
    assert (amount.type, amount.unit, amount.order) == (FieldType.AMOUNT, "元", 1)
    assert amount.aliases == ("金额", "总价", "费用")
    assert amount.bounds == Interval(Decimal(0), Decimal(1_000_000), low_closed=False)
    assert kind.synonyms == {"书": "图书", "文具": "办公用品", "手套": "劳保用品"}
    assert (urgent.options, urgent.synonyms) == (("是", "否"), {"加急": "是", "不急": "否"})
    assert (department.required, department.order) == (Required.NEVER, None)
    assert process.main.policy is HitPolicy.UNIQUE
    assert process.main.otherwise == "该条件组合未匹配到现有流程规则，请联系流程管理员"
    assert [item.field for item in process.main.inputs] == ["申领金额", "物品类别", "是否紧急"]
    third = process.main.rules[2]
    assert (third.id, third.row) == ("R03", 8)
    assert third.conditions == (
        Within((Interval(Decimal(5000), Decimal(50_000), True, False),)),
        OneOf(frozenset({"劳保用品"}), negated=True),
        Anything(),
    )
    assert third.results == ("标准", ("部门审批", "行政审核", "发放登记"), ("M01", "M02"), Decimal(3))
    assert third.cells == ("5000以上且不满5万", "除 劳保用品 外", "任意")
    assert process.gaps[0].reason == "5 万元以上请走采购流程"
    assert process.cases[4].expected == "追问:申领金额"
    assert "申领金额" not in process.cases[4].values
    assert process.nodes[0].days == Decimal(1)
    assert len(process.digest) == 64


def test_columns_are_found_by_name_wherever_they_stand() -> None:
    def turned_round(book: Workbook) -> None:
        for title in ("字段", "节点", "材料", "测试用例", "已声明空缺", "决策表"):
            worksheet = sheet(book, title)
            first = 4 if title == "决策表" else 1
            for row in worksheet.iter_rows(min_row=first):
                values = [cell.value for cell in row]
                for cell, value in zip(row, reversed(values), strict=True):
                    cell.value = value

    found = loaded(turned_round)
    assert serious(found) == []
    assert found.process is not None
    by_id = {rule.id: rule for rule in found.process.main.rules}
    assert by_id["R01"].results[:1] == (Decimal(2),)
    assert [item.field for item in found.process.main.inputs] == ["是否紧急", "物品类别", "申领金额"]


def test_numbers_and_full_width_digits_are_read_as_they_are_meant() -> None:
    process = process_of(决策表_B6="＜５０００", 决策表_H6=2, 测试用例_B2=4999.99, 节点_D2=1.5, 字段_I2=1)
    assert process.main.rules[0].conditions[0] == Within((Interval(None, Decimal(5000), True, False),))
    assert process.cases[0].values["申领金额"] == "4999.99"
    assert process.nodes[0].days == Decimal("1.5")


def test_a_column_in_ten_thousands_is_counted_in_yuan() -> None:
    process = process_of(
        决策表_B5="申领金额(万元)",
        决策表_B6="不满0.5",
        决策表_B7="不满0.5",
        决策表_B8="[0.5,5)",
        决策表_B9="[0.5,5)",
    )
    assert process.main.rules[2].conditions[0] == Within(
        (Interval(Decimal(5000), Decimal(50_000), True, False),)
    )


def test_columns_that_differ_only_in_brackets_are_two_columns() -> None:
    process = process_of(
        字段_A5="申领金额(含税)", 字段_C5="金额(元)", 决策表_D5="申领金额(含税)", **_any_amount()
    )
    assert [item.field for item in process.main.inputs] == ["申领金额", "物品类别", "申领金额(含税)"]


def _any_amount() -> dict[str, object]:
    rows = {f"决策表_D{row}": "任意" for row in (6, 7, 8, 9)}
    return {**rows, "决策表_B6": "不满1000", "已声明空缺_D1": "申领金额(含税)"}


def test_a_column_in_another_currency_is_told_and_not_taken_for_yuan() -> None:
    finding = only(with_cells({"决策表!B5": "申领金额(美元)"}), Code.BAD_SHEET)
    assert (finding.row, finding.column, finding.value) == (5, "申领金额(美元)", "美元")


def test_required_can_be_a_condition_in_its_own_cell_or_beside_it() -> None:
    beside = process_of(字段_D5="条件", 字段_E5="物品类别=图书、劳保用品", 字段_I5="4")
    inside = process_of(字段_D5="物品类别=图书、劳保用品", 字段_I5="4")
    clause = Clause("物品类别", OneOf(frozenset({"图书", "劳保用品"})))
    for process in (beside, inside):
        assert process.fields[3].required is Required.WHEN
        assert process.fields[3].required_when == (clause,)


def test_a_blank_material_is_taken_for_none_and_mentioned() -> None:
    found = with_cells({"决策表!G6": None, "测试用例!F2": None})
    (finding,) = found.findings
    assert (finding.severity, finding.row, finding.column) == (Severity.WARNING, 6, "材料")
    assert found.process is not None
    assert found.process.main.rules[0].results[2] == ()
    assert serious(with_cells({"决策表!G6": "无", "测试用例!F2": None})) == []


def test_a_hit_policy_by_priority_needs_the_priorities() -> None:
    finding = only(with_cells({"决策表!B2": "优先级"}), Code.BAD_SHEET)
    assert (finding.row, finding.column) == (3, "路径")
    assert "结果优先级" in finding.mend


def test_a_missing_hit_policy_is_unique_and_mentioned() -> None:
    found = with_cells({"决策表!B2": None})
    assert [(finding.severity, finding.row) for finding in found.findings] == [(Severity.INFO, 2)]
    assert found.process is not None
    assert found.process.main.policy is HitPolicy.UNIQUE


def test_nodes_and_materials_may_be_named_or_numbered() -> None:
    process = process_of(决策表_F6="N1 → 发放登记", 决策表_G6="申领单，M03")
    assert process.main.rules[0].results[1:3] == (("部门审批", "发放登记"), ("M01", "M03"))


def test_row_periods_are_read_from_text_and_from_real_dates() -> None:
    process = process_of(决策表_I6=datetime(2025, 3, 1), 决策表_J6="2025年6月1日")
    rule = process.main.rules[0]
    assert (rule.effective_from, rule.effective_to) == (date(2025, 3, 1), date(2025, 6, 1))


def test_a_hit_policy_with_priorities_takes_them_from_the_third_row() -> None:
    process = process_of(决策表_B2="优先级", 决策表_A3="结果优先级", 决策表_B3="标准 > 简易加急 > 简易")
    assert process.main.policy is HitPolicy.PRIORITY
    assert process.main.outputs[0].priority == ("标准", "简易加急", "简易")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030", "utf-16"])
def test_a_folder_of_csv_files_loads_like_the_workbook(tmp_path: Path, encoding: str) -> None:
    as_csv(tmp_path, encoding)
    found = load(tmp_path)
    assert serious(found) == []
    assert found.process is not None
    assert found.process.main.rules == process_of().main.rules


# One trouble each.


@pytest.mark.parametrize(
    ("place", "value", "code", "column", "told", "mend"),
    [
        ("决策表!B6", "=4000+1000", Code.FORMULA, "申领金额(元)", "=4000+1000", "选择性粘贴"),
        ("决策表!B6", None, Code.BLANK_CONDITION, "申领金额(元)", "", "任意"),
        ("决策表!B6", datetime(2025, 3, 5), Code.DATE_CELL, "申领金额(元)", "2025-03-05", "3~5"),
        ("决策表!B6", "3月5日", Code.DATE_CELL, "申领金额(元)", "3月5日", "3~5"),
        ("决策表!B6", 123456789012, Code.SCIENTIFIC, "申领金额(元)", "1.23457E+11", "文本格式"),
        ("决策表!B6", "1.2E+11", Code.SCIENTIFIC, "申领金额(元)", "1.2E+11", "文本格式"),
        ("决策表!B6", "2万~5万", Code.BAD_RANGE, "申领金额(元)", "2万~5万", "2万(不含)~5万(含)"),
        ("决策表!B6", "5万(含)~2万(不含)", Code.BAD_RANGE, "申领金额(元)", "5万(含)~2万(不含)", "2万"),
        ("决策表!C6", "图数", Code.UNKNOWN_VALUE, "物品类别", "图数", "「图书」"),
        ("决策表!D6", "急", Code.UNKNOWN_VALUE, "是否紧急", "急", "是、否"),
        ("决策表!F6", "部门审批>发放登计", Code.UNKNOWN_NODE, "节点", "发放登计", "「发放登记」"),
        ("决策表!G6", "M01、M09", Code.UNKNOWN_MATERIAL, "材料", "M09", "「材料」表"),
        ("决策表!H6", datetime(2025, 3, 5), Code.DATE_CELL, "预计工作日", "2025-03-05", "文本格式"),
        ("决策表!H6", "3~5", Code.BAD_CELL, "预计工作日", "3~5", "一个数"),
        ("决策表!I6", "明年", Code.BAD_PERIOD, "生效日期", "明年", "2025-01-31"),
        ("决策表!A6", None, Code.BAD_CELL, "规则号", "", "R01"),
        ("决策表!B6", "3000\n5000", Code.BAD_CELL, "申领金额(元)", "3000 5000", "「或」"),
        ("决策表!B6", "#REF!", Code.BAD_CELL, "申领金额(元)", "#REF!", "重新写"),
        ("决策表!C6", "#N/A", Code.BAD_CELL, "物品类别", "#N/A", "重新写"),
        ("决策表!H6", "-2", Code.BAD_CELL, "预计工作日", "-2", "0 或更大"),
    ],
)  # fmt: skip
def test_a_trouble_in_a_rule_is_told_at_its_place(
    place: str, value: object, code: Code, column: str, told: str, mend: str
) -> None:
    found = with_cells({place: value, "测试用例!E2": "未覆盖"})
    finding = only(found, code)
    rule = "第6行" if place.endswith("A6") else "R01"
    assert (finding.sheet, finding.row, finding.column) == ("决策表", 6, column)
    assert (finding.value, finding.rules) == (told, (rule,))
    assert mend in finding.mend
    assert found.broken == {rule}
    assert found.process is not None
    assert [item.id for item in found.process.main.rules] == ["R02", "R03", "R04"]


@pytest.mark.parametrize(
    ("change", "place"),
    [
        (lambda book: sheet(book, "决策表").merge_cells("A6:A7"), ("决策表", 6)),
        (lambda book: sheet(book, "决策表").merge_cells("G6:H6"), ("决策表", 6)),
        (lambda book: sheet(book, "字段").merge_cells("C2:C3"), ("字段", 2)),
        (lambda book: sheet(book, "节点").merge_cells("B2:B3"), ("节点", 2)),
        (lambda book: sheet(book, "测试用例").merge_cells("E2:E3"), ("测试用例", 2)),
        (lambda book: sheet(book, "流程信息").merge_cells("B4:B5"), ("流程信息", 4)),
        (lambda book: sheet(book, "已声明空缺").__setitem__("E2", "=1"), ("已声明空缺", 2)),
        (lambda book: sheet(book, "决策表").__setitem__("K6", "=1"), ("决策表", 6)),
        (lambda book: sheet(book, "决策表").merge_cells("B5:C5"), ("决策表", 5)),
        (lambda book: sheet(book, "决策表").__setitem__("C5", None), ("决策表", 5)),
        (lambda book: sheet(book, "决策表").__setitem__("B4", "条建"), ("决策表", 4)),
        (lambda book: sheet(book, "决策表").__setitem__("A2", "命中测略"), ("决策表", 2)),
        (lambda book: sheet(book, "决策表").__setitem__("A2", "=1"), ("决策表", 2)),
        (lambda book: sheet(book, "决策表").__setitem__("B5", "=1"), ("决策表", 5)),
        (lambda book: sheet(book, "决策表").__setitem__("F5", "审批节点"), ("决策表", 5)),
        (lambda book: sheet(book, "决策表").__setitem__("A6", "=1"), ("决策表", 6)),
        (lambda book: sheet(book, "字段").__setitem__("A2", "=1"), ("字段", 2)),
        (lambda book: sheet(book, "字段").__setitem__("F1", "可选项"), ("字段", 1)),
        (lambda book: sheet(book, "字段").__setitem__("F1", "=1"), ("字段", 1)),
        (lambda book: sheet(book, "字段").__setitem__("I1", "=1"), ("字段", 1)),
        (lambda book: sheet(book, "决策表").__setitem__("C2", "=1"), ("决策表", 2)),
        (lambda book: sheet(book, "测试用例").__setitem__("B1", None), ("测试用例", 1)),
        (lambda book: sheet(book, "字段").__setitem__("I1", None), ("字段", 1)),
        (lambda book: sheet(book, "字段").__setitem__("D5", "=1"), ("字段", 5)),
        (lambda book: sheet(book, "节点").__setitem__("B1", "节点名"), ("节点", 1)),
        (lambda book: sheet(book, "节点").__setitem__("B1", "=1"), ("节点", 1)),
        (lambda book: sheet(book, "流程信息").__setitem__("A4", "流程管理人"), ("流程信息", 4)),
        (lambda book: sheet(book, "流程信息").__setitem__("A4", "=1"), ("流程信息", 4)),
        (lambda book: sheet(book, "已声明空缺").__setitem__("E1", None), ("已声明空缺", 1)),
        (lambda book: sheet(book, "决策表").__setitem__("C5", "是否紧急"), ("决策表", 5)),
        (lambda book: sheet(book, "决策表").delete_rows(4), ("决策表", 4)),
        (lambda book: sheet(book, "节点").__setitem__("B3", None), ("节点", 3)),
        (lambda book: sheet(book, "材料").__setitem__("A2", "=1"), ("材料", 2)),
        (lambda book: sheet(book, "字段").__setitem__("F3", None), ("字段", 3)),
        (lambda book: sheet(book, "字段").__setitem__("F4", "急、不急"), ("字段", 4)),
        (lambda book: sheet(book, "流程信息").__setitem__("B5", "=A1"), ("流程信息", 5)),
        (lambda book: sheet(book, "已声明空缺").__setitem__("C2", None), ("已声明空缺", 2)),
    ],
)
def test_one_trouble_is_one_finding(change: Change, place: tuple[str, int]) -> None:
    found = loaded(change)
    (finding,) = found.findings
    assert (finding.sheet, finding.row) == place
    assert found.process is None or check(found.process, found.broken) == ()


def test_every_trouble_of_a_row_is_told_at_once() -> None:
    found = with_cells({"决策表!B6": None, "决策表!C6": "图数", "决策表!G6": "M99"})
    assert [finding.code for finding in serious(found)] == [
        Code.BLANK_CONDITION,
        Code.UNKNOWN_VALUE,
        Code.UNKNOWN_MATERIAL,
    ]


def test_merged_conditions_are_told_once_with_every_row_they_touch() -> None:
    found = loaded(lambda book: sheet(book, "决策表").merge_cells("B6:B8"))
    finding = only(found, Code.MERGED)
    assert (finding.row, finding.column, finding.rules) == (6, "申领金额(元)", ("R01", "R02", "R03"))
    assert finding.value == "不满5000"
    assert found.broken == {"R01", "R02", "R03"}


def test_merged_titles_and_roles_do_no_harm() -> None:
    def change(book: Workbook) -> None:
        sheet(book, "决策表").merge_cells("B1:E1")
        sheet(book, "决策表").merge_cells("B4:D4")

    found = loaded(change)
    assert serious(found) == []
    assert found.process is not None
    assert len(found.process.main.inputs) == 3


def test_merged_remarks_are_only_a_warning() -> None:
    found = loaded(lambda book: sheet(book, "决策表").merge_cells("K6:K7"))
    assert serious(found) == []
    assert [finding.code for finding in found.findings] == [Code.MERGED]
    assert found.broken == frozenset()


def test_a_repeated_rule_id_is_told_at_its_second_row() -> None:
    finding = only(with_cells({"决策表!A7": "R01", "测试用例!E4": "R01"}), Code.DUPLICATE)
    assert (finding.row, finding.column, finding.value) == (7, "规则号", "R01")


@pytest.mark.parametrize("id_", ["R 01", "R1、R2", "R1:2", "R1>2", "R1;2"])
def test_a_rule_id_that_no_test_case_could_name_is_told(id_: str) -> None:
    finding = only(with_cells({"决策表!A6": id_, "测试用例!E2": "未覆盖"}), Code.BAD_CELL)
    assert (finding.row, finding.column, finding.value) == (6, "规则号", id_)


def test_a_material_id_that_no_rule_could_name_is_told_and_a_name_may_hold_commas() -> None:
    parted = {"材料!A4": "M03、M04", "决策表!G7": "M01", "测试用例!F4": None}
    finding = only(with_cells(parted), Code.BAD_CELL)
    assert (finding.sheet, finding.row, finding.column) == ("材料", 4, "材料编号")
    assert serious(with_cells({"材料!B4": "身份证、户口本"})) == []


def test_a_node_whose_name_holds_a_comma_is_one_node_between_arrows() -> None:
    named = "部门审批>行政审核、复核>发放登记"
    steps = {"节点!B3": "行政审核、复核", "决策表!F8": named, "决策表!F9": "N1>N2>N3"}
    found = with_cells(steps)
    assert serious(found) == []
    assert found.process is not None
    for rule in found.process.main.rules[2:]:
        assert rule.results[1] == ("部门审批", "行政审核、复核", "发放登记")
    assert only(with_cells({**steps, "决策表!F9": "部门审批、行政审核、复核"}), Code.UNKNOWN_NODE).row == 9


def test_no_materials_expected_are_compared_and_a_blank_is_not() -> None:
    for expected, codes in ((None, []), ("无", [Code.FAILED_CASE]), ("M01", [])):
        found = with_cells({"测试用例!F2": expected})
        assert found.process is not None
        assert [finding.code for finding in check(found.process, found.broken)] == codes


def test_priorities_need_a_first_result_that_is_a_word() -> None:
    moved = {"决策表!E5": "节点", "决策表!F5": "路径", "决策表!E4": "结果"}
    swapped = {}
    for row in range(6, 10):
        table = sheet(base(), "决策表")
        swapped[f"决策表!E{row}"], swapped[f"决策表!F{row}"] = table[f"F{row}"].value, table[f"E{row}"].value
    ranked = {"决策表!B2": "优先级", "决策表!A3": "结果优先级", "决策表!B3": "标准>简易加急>简易"}
    finding = only(with_cells({**moved, **swapped, **ranked}), Code.BAD_SHEET)
    assert (finding.row, finding.column) == (3, "节点")


@pytest.mark.parametrize("below", [{"决策表!K12": "以上不含加班餐"}, {"决策表!A12": "合计"}])
def test_a_remark_below_the_rules_is_one_finding(below: dict[str, object]) -> None:
    finding = only(with_cells(below), Code.BAD_CELL)
    assert (finding.row, finding.column) == (12, "")
    assert "没有条件，也没有结果" in finding.message


def test_a_result_with_two_places_in_the_priorities_is_told() -> None:
    ranked = {"决策表!B2": "优先级", "决策表!A3": "结果优先级", "决策表!B3": "标准>简易加急>简易>标准"}
    assert only(with_cells(ranked), Code.DUPLICATE).value == "标准"


def test_words_under_a_policy_that_adds_up_say_which_policy_it_is() -> None:
    (first, *_) = serious(with_cells({"决策表!B2": "收集 求和"}))
    assert (first.code, first.column) == (Code.BAD_CELL, "路径")
    assert "收集求和" in first.mend


@pytest.mark.parametrize("place", ["决策表!I6", "流程信息!B6"])
def test_a_day_kept_as_a_number_is_told_with_the_day_it_is(place: str) -> None:
    assert "2025-01-01" in only(with_cells({place: 45658}), Code.BAD_PERIOD).mend


def test_a_gap_that_rules_cover_is_told_as_unused() -> None:
    found = with_cells({"已声明空缺!B2": "不满1000"})
    assert found.process is not None
    told = [(each.code, each.value) for each in check(found.process) if each.sheet == "已声明空缺"]
    assert told == [(Code.UNUSED, "G01")]


def test_a_field_required_under_a_condition_on_itself_is_told() -> None:
    finding = only(with_cells({"字段!D3": "条件", "字段!E3": "物品类别=图书"}), Code.BAD_CELL)
    assert (finding.row, finding.column) == (3, "必填条件")
    assert "取决于它自己" in finding.message


def test_fields_required_under_conditions_on_each_other_are_warned_of() -> None:
    circle = {"字段!D3": "是否紧急=是", "字段!D4": "物品类别=图书"}
    (finding,) = (each for each in with_cells(circle).findings if "互相取决于" in each.message)
    assert (finding.severity, finding.row) == (Severity.WARNING, 3)
    assert "「物品类别」、「是否紧急」" in finding.message
    assert not any("互相" in each.message for each in with_cells({"字段!D3": "是否紧急=是"}).findings)


def test_a_cell_longer_than_anybody_reads_is_told_and_not_repeated_in_full() -> None:
    finding = only(with_cells({"决策表!C6": "图书、" * 2000}), Code.BAD_CELL)
    assert (finding.row, finding.column) == (6, "物品类别")
    assert "6000 个字" in finding.message
    assert len(finding.value) < 100


def test_a_long_remark_is_lost_with_a_warning_and_its_row_is_kept() -> None:
    found = with_cells({"决策表!K6": "长" * 5000})
    assert [(each.severity, each.row) for each in found.findings] == [(Severity.WARNING, 6)]
    assert found.broken == frozenset()


@pytest.mark.parametrize(("rows", "told"), [(5_000, []), (5_001, ["决策表"])])
def test_a_table_far_too_large_is_told_and_not_read(tmp_path: Path, rows: int, told: list[str]) -> None:
    as_csv(tmp_path, "utf-8")
    path = tmp_path / "决策表.csv"
    lines = path.read_text(encoding="utf-8").splitlines()[:5]
    row = "任意,任意,任意,简易,部门审批>发放登记,M01,2,,,"
    lines += [f"R{at:04},{row}" for at in range(rows)]
    path.write_text("\n".join(lines), encoding="utf-8")
    found = load(tmp_path)
    assert [each.sheet for each in found.findings if each.code is Code.BAD_SHEET] == told
    assert found.process is not None
    assert len(found.process.main.rules) == (0 if told else rows)


def test_a_rule_whose_period_ends_before_it_begins_is_told() -> None:
    finding = only(with_cells({"决策表!I6": "2025-06-01", "决策表!J6": "2025-01-01"}), Code.BAD_PERIOD)
    assert (finding.row, finding.rules, finding.value) == (6, ("R01",), "2025-01-01")


def test_a_process_whose_period_ends_before_it_begins_is_told() -> None:
    finding = only(with_cells({"流程信息!B7": "2024-01-01"}), Code.BAD_PERIOD)
    assert (finding.sheet, finding.row, finding.column) == ("流程信息", 7, "失效日期")


def test_an_unknown_condition_column_is_told_once_and_silences_its_rows() -> None:
    found = with_cells({"决策表!B5": "申请金额(元)"})
    finding = only(found, Code.UNKNOWN_FIELD)
    assert (finding.sheet, finding.row, finding.column) == ("决策表", 5, "申请金额(元)")
    assert "「申领金额」" in finding.mend
    assert found.process is not None
    assert found.process.main.rules == ()
    assert found.broken >= {"R01", "R02", "R03", "R04"}


def test_a_broken_field_is_told_once_and_not_again_where_it_is_used() -> None:
    finding = only(with_cells({"字段!C3": "单选择"}), Code.UNKNOWN_VALUE)
    assert (finding.sheet, finding.row, finding.column, finding.value) == ("字段", 3, "类型", "单选择")
    assert "「单选」" in finding.mend


def test_a_misnamed_column_is_told_with_the_name_it_should_have() -> None:
    finding = only(with_cells({"字段!I1": "追问次序"}), Code.BAD_SHEET)
    assert (finding.sheet, finding.row, finding.column) == ("字段", 1, "追问次序")
    assert "「追问顺序」" in finding.mend


def test_a_missing_needed_column_is_told() -> None:
    found = loaded(lambda book: sheet(book, "节点").delete_cols(2))
    finding = only(found, Code.BAD_SHEET)
    assert (finding.sheet, finding.column) == ("节点", "节点名称")


def test_a_missing_sheet_is_told_and_a_similar_one_offered() -> None:
    def renamed(book: Workbook) -> None:
        sheet(book, "字段").title = "字段表"

    found = loaded(renamed)
    finding = only(found, Code.BAD_SHEET)
    assert (finding.sheet, finding.value) == ("字段表", "字段表")
    assert "「字段」" in finding.mend
    assert found.process is None


def test_missing_test_cases_are_a_warning_and_hide_no_gap() -> None:
    def change(book: Workbook) -> None:
        book.remove(sheet(book, "测试用例"))
        sheet(book, "决策表").delete_rows(9)

    found = loaded(change)
    assert [(finding.severity, finding.sheet) for finding in found.findings] == [
        (Severity.WARNING, "测试用例")
    ]
    assert found.process is not None
    assert Code.GAP in {finding.code for finding in check(found.process, found.broken)}


def test_a_missing_list_of_materials_is_told_once_and_no_reference_after_it() -> None:
    found = loaded(lambda book: book.remove(sheet(book, "材料")))
    (finding,) = found.findings
    assert (finding.severity, finding.code, finding.sheet) == (Severity.ERROR, Code.BAD_SHEET, "材料")


@pytest.mark.parametrize(
    ("place", "value", "code", "column", "told"),
    [
        ("字段!G3", "书=图数", Code.UNKNOWN_VALUE, "同义词", "图数"),
        ("字段!G3", "本=图书;本=办公用品", Code.DUPLICATE, "同义词", "本"),
        ("字段!G3", "图书=办公用品", Code.DUPLICATE, "同义词", "图书"),
        ("字段!G2", "金额、物品类别", Code.DUPLICATE, "同义词", "物品类别"),
        ("字段!F3", "办公用品、图书、任意", Code.BAD_CELL, "可选值", "办公用品、图书、任意"),
        ("字段!H2", "0~100万", Code.BAD_RANGE, "取值范围", "0~100万"),
        ("字段!H2", "0(含)~1 000(含)", Code.BAD_CELL, "取值范围", "0(含)~1 000(含)"),
        ("字段!I3", "第二", Code.BAD_CELL, "追问顺序", "第二"),
        ("字段!A3", "申领金额", Code.DUPLICATE, "字段", "申领金额"),
        ("字段!D3", "条件", Code.BAD_CELL, "必填条件", ""),
        ("字段!D3", "物品种类=图书", Code.UNKNOWN_FIELD, "必填", "物品种类"),
    ],
)
def test_a_trouble_in_a_field_is_told_at_its_place(
    place: str, value: object, code: Code, column: str, told: str
) -> None:
    found = with_cells({place: value})
    finding = next(finding for finding in found.findings if finding.code is code)
    row = int(place[-1])
    assert (finding.sheet, finding.row, finding.column, finding.value) == ("字段", row, column, told)
    assert finding.mend


@pytest.mark.parametrize(
    ("place", "value", "code", "column", "told"),
    [
        ("测试用例!E2", "R99", Code.UNKNOWN_VALUE, "期望", "R99"),
        ("测试用例!E2", None, Code.BAD_CELL, "期望", ""),
        ("测试用例!E2", "追问:金额", Code.UNKNOWN_FIELD, "期望", "金额"),
        ("测试用例!E2", "冲突:R01", Code.BAD_CELL, "期望", "冲突:R01"),
        ("测试用例!F2", "M77", Code.UNKNOWN_MATERIAL, "期望材料", "M77"),
        ("测试用例!C2", "图数", Code.UNKNOWN_VALUE, "物品类别", "图数"),
        ("测试用例!A3", "T01", Code.DUPLICATE, "用例号", "T01"),
        ("测试用例!B1", "申请金额", Code.UNKNOWN_FIELD, "申请金额", "申请金额"),
        ("已声明空缺!B2", None, Code.BLANK_CONDITION, "申领金额(元)", ""),
        ("已声明空缺!B1", "申请金额", Code.UNKNOWN_FIELD, "申请金额", "申请金额"),
        ("材料!A3", "M01", Code.DUPLICATE, "材料编号", "M01"),
        ("材料!D2", "0", Code.BAD_CELL, "份数", "0"),
        ("节点!D2", "两三天", Code.BAD_CELL, "时限", "两三天"),
        ("流程信息!A4", "流程管理人", Code.BAD_SHEET, "流程管理人", "流程管理人"),
        ("决策表!B2", "唯壹", Code.UNKNOWN_VALUE, "命中策略", "唯壹"),
        ("决策表!E4", "结论", Code.BAD_SHEET, "路径", "结论"),
    ],
)
def test_a_trouble_in_another_sheet_is_told_at_its_place(
    place: str, value: object, code: Code, column: str, told: str
) -> None:
    found = with_cells({place: value})
    finding = next(finding for finding in found.findings if finding.code is code)
    title, _, reference = place.partition("!")
    assert (finding.sheet, finding.row) == (title, int(reference[1:]))
    assert (finding.column, finding.value) == (column, told)
    assert finding.mend


def test_expectations_are_brought_into_one_spelling() -> None:
    process = process_of(测试用例_E2="冲突：R01，R02", 测试用例_E3="追问： 申领金额")
    assert [case.expected for case in process.cases[:2]] == ["冲突:R01、R02", "追问:申领金额"]


def test_hidden_rows_and_sheets_count_and_are_mentioned() -> None:
    def hide(book: Workbook) -> None:
        sheet(book, "决策表").row_dimensions[7].hidden = True
        sheet(book, "材料").sheet_state = "hidden"

    found = loaded(hide)
    assert [(f.severity, f.sheet, f.row) for f in found.findings] == [
        (Severity.INFO, "决策表", 7),
        (Severity.INFO, "材料", None),
    ]
    assert found.process is not None
    assert len(found.process.main.rules) == 4


def test_a_finding_becomes_json_with_fixed_keys() -> None:
    found = with_cells({"决策表!C6": "图数"})
    told = json.loads(json.dumps(finding_json(only(found, Code.UNKNOWN_VALUE)), ensure_ascii=False))
    assert told["severity"] == "error"
    assert told["code"] == "unknown_value"
    assert (told["sheet"], told["row"], told["column"], told["rules"]) == ("决策表", 6, "物品类别", ["R01"])
    assert [*told] == ["severity", "code", "sheet", "row", "rules", "near_rules", "shadowed_by"] + [
        "column",
        "value",
        "witness",
        "message",
        "mend",
    ]


def test_a_witness_becomes_json_with_numbers_as_numbers() -> None:
    witness = {"预算金额": "47000", "单价": "0.5", "资产类别": "服务器", "开始日期": "2025-01-01"}
    told = finding_json(Finding(Severity.ERROR, Code.GAP, "缺一行。", witness=witness))
    assert told["witness"] == {"预算金额": 47000, "单价": 0.5, "资产类别": "服务器", "开始日期": "2025-01-01"}


def test_a_name_stands_in_for_a_missing_id() -> None:
    book = base()
    sheet(book, "流程信息")["B1"] = None
    found = load(packed(book), "申领")
    assert only(found, Code.BAD_SHEET).column == "流程编号"
    assert found.process is not None
    assert found.process.id == "申领"


PLACES = [
    f"{worksheet.title}!{cell.coordinate}"
    for worksheet in base().worksheets
    for row in worksheet.iter_rows()
    for cell in row
    if cell.value is not None
]
TEXTS = st.one_of(
    st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=12),
    st.sampled_from(
        [
            "任意",
            "-",
            "2万~5万",
            "R01",
            "M01",
            "是",
            "条件",
            "冲突:",
            "追问:",
            "=",
            "()",
            "、",
            "除外",
            "a=b=c",
        ]
    ),
    st.integers(-(10**18), 10**18),
    st.floats(allow_nan=False, allow_infinity=False),
    st.booleans(),
    st.datetimes(min_value=datetime(1950, 1, 1), max_value=datetime(2200, 1, 1)),
)


@settings(max_examples=60, deadline=None)
@given(st.dictionaries(st.sampled_from(PLACES), TEXTS, min_size=1, max_size=6))
def test_whatever_cells_say_loading_never_fails_and_every_finding_helps(cells: dict[str, object]) -> None:
    found = with_cells(cells)
    assert found.process is None or found.process.tables
    for finding in found.findings:
        assert finding.message
        assert finding.sheet
        assert finding.mend
    if found.process is not None:
        kept = {rule.id for table in found.process.tables for rule in table.rules}
        repeated = {finding.value for finding in found.findings if finding.code is Code.DUPLICATE}
        assert not kept & found.broken - repeated


# The shared examples.


@pytest.fixture
def tables(shared_data: Path) -> Path:
    return shared_data / "process_tables"


@pytest.mark.data
@pytest.mark.parametrize("name", ["资产申请", "差旅报销", "用印申请"])
def test_the_good_examples_load_without_any_finding(tables: Path, name: str) -> None:
    found = load(tables / f"{name}.xlsx")
    assert found.findings == ()
    assert found.process is not None
    assert found.process.name == name


@pytest.mark.data
def test_each_planted_defect_of_a_cell_is_found_where_it_is_and_nothing_else(tables: Path) -> None:
    planted = json.loads((tables / "defects" / "expected.json").read_text(encoding="utf-8"))
    of_cells = {Code.UNKNOWN_VALUE, Code.BLANK_CONDITION, Code.UNKNOWN_MATERIAL}
    for defect in planted:
        found = load(tables / "defects" / defect["file"])
        assert found.process is not None
        expected = defect["expect"]
        if expected["code"] not in of_cells:
            assert found.findings == ()
            continue
        (finding,) = found.findings
        assert _agrees(finding, expected), (finding, expected)
        assert found.broken == frozenset(expected["rules"])


def _agrees(finding: Finding, expected: dict[str, object]) -> bool:
    told = finding_json(finding)
    return all(told[key] == value for key, value in expected.items())  # type: ignore[literal-required]
