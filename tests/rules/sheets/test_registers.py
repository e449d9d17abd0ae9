"""The sheets 节点 and 材料: ids and names that others refer to."""

from rules.findings import Code
from tests.rules.workbooks import loaded, only, serious, sheet, with_cells


def test_a_material_id_that_no_rule_could_name_is_told_and_a_name_may_hold_commas() -> None:
    parted = {"材料!A4": "M03、M04", "决策表!G7": "M01", "测试用例!F4": None}
    finding = only(with_cells(parted), Code.BAD_CELL)
    assert (finding.sheet, finding.row, finding.column) == ("材料", 4, "材料编号")
    assert serious(with_cells({"材料!B4": "身份证、户口本"})) == []


def test_a_missing_needed_column_is_told() -> None:
    found = loaded(lambda book: sheet(book, "节点").delete_cols(2))
    finding = only(found, Code.BAD_SHEET)
    assert (finding.sheet, finding.column) == ("节点", "节点名称")
