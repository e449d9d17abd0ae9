"""The sheet 字段: what is asked, when it must be, and what is wrong with a field, told at its place."""

import pytest

from rules.conditions import OneOf
from rules.findings import Code, Severity
from rules.table import Clause, Required
from tests.rules.workbooks import only, process_of, with_cells


def test_required_can_be_a_condition_in_its_own_cell_or_beside_it() -> None:
    beside = process_of(字段_D5="条件", 字段_E5="物品类别=图书、劳保用品", 字段_I5="4")
    inside = process_of(字段_D5="物品类别=图书、劳保用品", 字段_I5="4")
    clause = Clause("物品类别", OneOf(frozenset({"图书", "劳保用品"})))
    for process in (beside, inside):
        assert process.fields[3].required is Required.WHEN
        assert process.fields[3].required_when == (clause,)


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


def test_a_broken_field_is_told_once_and_not_again_where_it_is_used() -> None:
    finding = only(with_cells({"字段!C3": "单选择"}), Code.UNKNOWN_VALUE)
    assert (finding.sheet, finding.row, finding.column, finding.value) == ("字段", 3, "类型", "单选择")
    assert "「单选」" in finding.mend


def test_a_misnamed_column_is_told_with_the_name_it_should_have() -> None:
    finding = only(with_cells({"字段!I1": "追问次序"}), Code.BAD_SHEET)
    assert (finding.sheet, finding.row, finding.column) == ("字段", 1, "追问次序")
    assert "「追问顺序」" in finding.mend


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
