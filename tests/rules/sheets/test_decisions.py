"""Decision tables: what a keeper of rules writes, and what is wrong with it, told at its place."""

from datetime import date, datetime
from decimal import Decimal
from functools import partial
from pathlib import Path

import pytest
from openpyxl import Workbook

from rules.conditions import Interval, Within
from rules.findings import Code, Severity
from rules.loader import load
from rules.sheets.decisions import Context, Room
from rules.table import HitPolicy
from tests.rules.workbooks import as_csv, base, loaded, only, process_of, serious, sheet, with_cells


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


def test_a_blank_material_is_taken_for_none_and_mentioned() -> None:
    found = with_cells({"决策表!G6": None, "测试用例!F2": None})
    (finding,) = found.findings
    assert (finding.severity, finding.row, finding.column) == (Severity.WARNING, 6, "材料")
    assert found.process is not None
    assert found.process.main.rules[0].results[2] == ()
    assert serious(with_cells({"决策表!G6": "无", "测试用例!F2": None})) == []


def test_nodes_and_materials_may_be_named_or_numbered() -> None:
    process = process_of(决策表_F6="N1 → 发放登记", 决策表_G6="申领单，M03")
    assert process.main.rules[0].results[1:3] == (("部门审批", "发放登记"), ("M01", "M03"))


def test_a_node_whose_name_holds_a_comma_is_one_node_between_arrows() -> None:
    named = "部门审批>行政审核、复核>发放登记"
    steps = {"节点!B3": "行政审核、复核", "决策表!F8": named, "决策表!F9": "N1>N2>N3"}
    found = with_cells(steps)
    assert serious(found) == []
    assert found.process is not None
    for rule in found.process.main.rules[2:]:
        assert rule.results[1] == ("部门审批", "行政审核、复核", "发放登记")
    assert only(with_cells({**steps, "决策表!F9": "部门审批、行政审核、复核"}), Code.UNKNOWN_NODE).row == 9


def test_row_periods_are_read_from_text_and_from_real_dates() -> None:
    process = process_of(决策表_I6=datetime(2025, 3, 1), 决策表_J6="2025年6月1日")
    rule = process.main.rules[0]
    assert (rule.effective_from, rule.effective_to) == (date(2025, 3, 1), date(2025, 6, 1))


def test_a_missing_hit_policy_is_unique_and_mentioned() -> None:
    found = with_cells({"决策表!B2": None})
    assert [(finding.severity, finding.row) for finding in found.findings] == [(Severity.INFO, 2)]
    assert found.process is not None
    assert found.process.main.policy is HitPolicy.UNIQUE


def test_a_hit_policy_with_priorities_takes_them_from_the_third_row() -> None:
    process = process_of(决策表_B2="优先级", 决策表_A3="结果优先级", 决策表_B3="标准 → 简易加急 > 简易")
    assert process.main.policy is HitPolicy.PRIORITY
    assert process.main.outputs[0].priority == ("标准", "简易加急", "简易")


def test_a_hit_policy_by_priority_needs_the_priorities() -> None:
    finding = only(with_cells({"决策表!B2": "优先级"}), Code.BAD_SHEET)
    assert (finding.row, finding.column) == (3, "路径")
    assert "结果优先级" in finding.mend


def test_priorities_need_a_first_result_that_is_a_word() -> None:
    moved = {"决策表!E5": "节点", "决策表!F5": "路径", "决策表!E4": "结果"}
    swapped = {}
    for row in range(6, 10):
        table = sheet(base(), "决策表")
        swapped[f"决策表!E{row}"], swapped[f"决策表!F{row}"] = table[f"F{row}"].value, table[f"E{row}"].value
    ranked = {"决策表!B2": "优先级", "决策表!A3": "结果优先级", "决策表!B3": "标准>简易加急>简易"}
    finding = only(with_cells({**moved, **swapped, **ranked}), Code.BAD_SHEET)
    assert (finding.row, finding.column) == (3, "节点")


def test_a_result_with_two_places_in_the_priorities_is_told() -> None:
    ranked = {"决策表!B2": "优先级", "决策表!A3": "结果优先级", "决策表!B3": "标准>简易加急>简易>标准"}
    assert only(with_cells(ranked), Code.DUPLICATE).value == "标准"


def test_words_under_a_policy_that_adds_up_say_which_policy_it_is() -> None:
    (first, *_) = serious(with_cells({"决策表!B2": "收集 求和"}))
    assert (first.code, first.column) == (Code.BAD_CELL, "路径")
    assert "收集求和" in first.mend


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


def test_every_trouble_of_a_row_is_told_at_once() -> None:
    found = with_cells({"决策表!B6": None, "决策表!C6": "图数", "决策表!G6": "M99"})
    assert [finding.code for finding in serious(found)] == [
        Code.BLANK_CONDITION,
        Code.UNKNOWN_VALUE,
        Code.UNKNOWN_MATERIAL,
    ]


@pytest.mark.parametrize("below", [{"决策表!K12": "以上不含加班餐"}, {"决策表!A12": "合计"}])
def test_a_remark_below_the_rules_is_one_finding(below: dict[str, object]) -> None:
    finding = only(with_cells(below), Code.BAD_CELL)
    assert (finding.row, finding.column) == (12, "")
    assert "没有条件，也没有结果" in finding.message


def test_a_long_remark_is_lost_with_a_warning_and_its_row_is_kept() -> None:
    found = with_cells({"决策表!K6": "长" * 5000})
    assert [(each.severity, each.row) for each in found.findings] == [(Severity.WARNING, 6)]
    assert found.broken == frozenset()


def test_a_cell_longer_than_anybody_reads_is_told_and_not_repeated_in_full() -> None:
    finding = only(with_cells({"决策表!C6": "图书、" * 2000}), Code.BAD_CELL)
    assert (finding.row, finding.column) == (6, "物品类别")
    assert "6000 个字" in finding.message
    assert len(finding.value) < 100


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


def test_a_rule_whose_period_ends_before_it_begins_is_told() -> None:
    finding = only(with_cells({"决策表!I6": "2025-06-01", "决策表!J6": "2025-01-01"}), Code.BAD_PERIOD)
    assert (finding.row, finding.rules, finding.value) == (6, ("R01",), "2025-01-01")


def test_an_unknown_condition_column_is_told_once_and_silences_its_rows() -> None:
    found = with_cells({"决策表!B5": "申请金额(元)"})
    finding = only(found, Code.UNKNOWN_FIELD)
    assert (finding.sheet, finding.row, finding.column) == ("决策表", 5, "申请金额(元)")
    assert "「申领金额」" in finding.mend
    assert found.process is not None
    assert found.process.main.rules == ()
    assert found.broken >= {"R01", "R02", "R03", "R04"}


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


def test_all_tables_together_are_read_only_so_far_and_the_rest_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rules.sheets.decisions.Context", partial(Context, room=Room(left=20)))
    as_csv(tmp_path, "utf-8")
    table = (tmp_path / "决策表.csv").read_text(encoding="utf-8")
    for name in ("决策表-二", "决策表-三"):
        (tmp_path / f"{name}.csv").write_text(table, encoding="utf-8")
    found = load(tmp_path)
    assert found.process is not None
    assert sorted(len(each.rules) for each in found.process.tables) == [0, 0, 4]
    assert len(found.process.main.rules) == 4
    assert {each.sheet for each in serious(found)} == {"决策表-二", "决策表-三"}
