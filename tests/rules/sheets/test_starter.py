"""The starter workbook: it loads cleanly and helps the one who fills it in."""

import io

import openpyxl
import pytest

from rules.check import check
from rules.loader import SHEETS, load
from rules.sheets.starter import starter_workbook
from rules.table import FieldType, HitPolicy


@pytest.mark.parametrize(
    "name", ["物品申领", "IT 服务申请", "会议室（大）借用", "   ", "=1+1", "甲\x01\u200b"]
)
def test_the_starter_loads_without_findings(name: str) -> None:
    found = load(starter_workbook(name))
    assert found.findings == ()
    assert found.broken == frozenset()
    assert found.process is not None
    assert found.process.name
    assert len(found.process.main.rules) == 4
    assert len(found.process.cases) == 5
    assert check(found.process) == ()


def test_every_sheet_is_there_with_instructions_on_its_headings() -> None:
    book = openpyxl.load_workbook(io.BytesIO(starter_workbook("物品申领")))
    assert {*SHEETS} <= {*book.sheetnames}
    assert book.sheetnames[0] == "填写说明"
    for title, row in (
        ("字段", 1),
        ("节点", 1),
        ("材料", 1),
        ("已声明空缺", 1),
        ("测试用例", 1),
        ("决策表", 5),
    ):
        headings = [cell for cell in book[title][row] if cell.value]
        assert headings
        assert all(cell.comment and cell.comment.text for cell in headings)


def test_choices_are_offered_in_drop_downs() -> None:
    book = openpyxl.load_workbook(io.BytesIO(starter_workbook("物品申领")))

    def offered(title: str, cell: str) -> set[str]:
        rules = book[title].data_validations.dataValidation
        (found,) = [rule for rule in rules if cell in rule.sqref]
        return set(found.formula1.strip('"').split(","))

    assert offered("字段", "C2") == {type_.value for type_ in FieldType}
    assert offered("决策表", "B2") == {policy.value for policy in HitPolicy}
    assert offered("决策表", "D6") == {"任意", "是", "否"}
    assert offered("测试用例", "D2") == {"是", "否"}


def test_cells_are_text_so_that_no_program_turns_them_into_days() -> None:
    book = openpyxl.load_workbook(io.BytesIO(starter_workbook("物品申领")))
    formats = {cell.number_format for row in book["决策表"].iter_rows(min_row=6) for cell in row}
    assert formats == {"@"}
