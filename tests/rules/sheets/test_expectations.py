"""The sheet 测试用例: what a table must answer."""

from rules.check import check
from rules.findings import Code
from tests.rules.workbooks import process_of, with_cells


def test_expectations_are_brought_into_one_spelling() -> None:
    process = process_of(测试用例_E2="冲突：R01，R02", 测试用例_E3="追问： 申领金额")
    assert [case.expected for case in process.cases[:2]] == ["冲突:R01、R02", "追问:申领金额"]


def test_no_materials_expected_are_compared_and_a_blank_is_not() -> None:
    for expected, codes in ((None, []), ("无", [Code.FAILED_CASE]), ("M01", [])):
        found = with_cells({"测试用例!F2": expected})
        assert found.process is not None
        assert [finding.code for finding in check(found.process, found.broken)] == codes
