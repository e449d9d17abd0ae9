"""Every finding stands at its row, also at one that could not be read; two workbooks compared."""

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openpyxl import Workbook

from rules.findings import FindingJson, finding_json
from rules.sheets.files import read_workbook
from rules.sheets.grid import Cell, Sheet
from service.process.checking import checked
from service.ui.process_changes import CellChange, Changes, Kind, changes_between, summary_of
from service.ui.process_grids import Grid, grid_of
from tests.rules.workbooks import base, packed, sheet


def grids(change: Callable[[Workbook], None]) -> tuple[dict[str, Grid], list[FindingJson]]:
    book = base()
    change(book)
    data = packed(book)
    findings = [finding_json(each) for each in checked(data).findings]
    return {each.title: grid_of(each, findings) for each in read_workbook(data).sheets}, findings


def put(title: str, **cells: str | None) -> Callable[[Workbook], None]:
    def change(book: Workbook) -> None:
        for place, text in cells.items():
            sheet(book, title)[place].value = text

    return change


def codes(findings: tuple[FindingJson, ...]) -> list[str]:
    return [each["code"] for each in findings]


def test_a_row_that_cannot_be_read_is_shown_with_what_is_wrong() -> None:
    table = grids(put("决策表", B7=None))[0]["决策表"]
    row = next(each for each in table.rows if each.number == 7)
    assert (row.key, table.at(row, "申领金额"), codes(row.findings)) == ("R02", "", ["blank_condition"])
    assert [each.number for each in table.rows] == [6, 7, 8, 9]
    assert next(c for c in table.columns if c.called(row.findings[0]["column"])).name == "申领金额(元)"


def test_an_overlap_is_told_at_one_row_and_pointed_to_from_the_other() -> None:
    table = grids(put("决策表", D6="任意"))[0]["决策表"]
    first, second = table.rows[:2]
    assert codes(first.findings) == ["overlap"] and first.elsewhere == ()
    assert second.findings == () and second.elsewhere == ("R01",)


@pytest.mark.parametrize(
    ("title", "cells", "key"),
    [
        ("材料", {"A5": "M04", "B5": "多余的材料"}, "M04"),
        ("节点", {"A5": "N4", "B5": "多余的节点", "C5": "某人"}, "N4"),
        ("测试用例", {"E2": "R02"}, "T01"),
        ("字段", {"C2": "金子"}, "申领金额"),
    ],
)
def test_findings_of_every_sheet_find_their_rows(title: str, cells: dict[str, str], key: str) -> None:
    grid = grids(put(title, **cells))[0][title]
    assert [row.key for row in grid.rows if row.findings] == [key]


def test_a_table_that_is_not_laid_out_as_one_is_shown_as_it_is() -> None:
    found, _ = grids(lambda book: sheet(book, "决策表").delete_rows(4))
    table = found["决策表"]
    assert table.columns[0].name == "A 列"
    assert table.rows[0].cells[0] == "决策表"
    assert "bad_sheet" in [code for row in table.rows for code in codes(row.findings)] + codes(table.loose)


def _without_nodes(book: Workbook) -> None:
    book.remove(book["节点"])


DEFECTS = st.sampled_from(
    [
        put("决策表", B6=None),
        put("决策表", C8="除 劳保用具 外"),
        put("决策表", D6="任意"),
        put("决策表", B8="6000以上且不满5万"),
        put("决策表", G9="M99"),
        put("决策表", B5="申领钱数"),
        put("决策表", B2="随便"),
        put("流程信息", A5="版号"),
        put("材料", C3="没有.docx"),
        put("测试用例", B2="很多"),
        lambda book: sheet(book, "决策表").merge_cells("C6:C7"),
        _without_nodes,
    ]
)


@settings(max_examples=20, deadline=None)
@given(st.lists(DEFECTS, max_size=3, unique=True))
def test_no_finding_is_lost_or_told_twice(defects: list[Callable[[Workbook], None]]) -> None:
    def change(book: Workbook) -> None:
        for defect in sorted(defects, key=lambda each: each is _without_nodes):
            defect(book)

    found, findings = grids(change)
    told = [each for grid in found.values() for row in grid.rows for each in row.findings]
    told += [each for grid in found.values() for each in grid.loose]
    there = [each for each in findings if each["sheet"] in found]
    assert sorted(map(repr, told)) == sorted(map(repr, there))


def drawn(rows: dict[str, tuple[str, str]]) -> tuple[Sheet, ...]:
    head = tuple(Cell(text) for text in ("材料编号", "材料名称", "说明"))
    body = tuple((Cell(key), Cell(name), Cell(note)) for key, (name, note) in rows.items())
    return (Sheet("材料", (head, *body)),)


TEXTS = st.text("甲乙丙丁", max_size=3)
ROWS = st.dictionaries(st.sampled_from("ABCDE"), st.tuples(TEXTS, TEXTS))


@given(ROWS, ROWS)
def test_the_changes_turn_the_old_rows_into_the_new_ones(
    old: dict[str, tuple[str, str]], new: dict[str, tuple[str, str]]
) -> None:
    found = changes_between(drawn(old), drawn(new))
    rows = {row.key: row for each in found.sheets for row in each.rows}
    assert {key for key, row in rows.items() if row.kind is Kind.ADDED} == new.keys() - old.keys()
    assert {key for key, row in rows.items() if row.kind is Kind.REMOVED} == old.keys() - new.keys()
    shared = old.keys() & new.keys()
    assert {key for key, row in rows.items() if row.kind is Kind.CHANGED} == {
        key for key in shared if old[key] != new[key]
    }


def test_what_changed_is_told_cell_by_cell_and_summed_up() -> None:
    old, new = drawn({"A": ("甲", ""), "B": ("乙", "")}), drawn({"B": ("乙", "新"), "A": ("甲", "")})
    found = changes_between(old, new)
    assert found.sheets[0].rows[0].cells == (CellChange("说明", "", "新"),)
    assert summary_of(found) == "与现在用的版本相比，材料：改动 1 行。"
    assert changes_between(old, old) == Changes(())


def test_a_new_column_is_told_once_and_not_in_every_row() -> None:
    old = drawn({"A": ("甲", "一"), "B": ("乙", "二")})
    bare = (Sheet("材料", tuple(row[:2] for row in old[0].rows)),)
    (found,) = changes_between(bare, old).sheets
    assert found.columns == (CellChange("说明", "", "说明"),)
    assert found.rows == ()
