"""Table rows become sentences; every character of every cell is accounted for."""

import json
import time
from pathlib import Path
from typing import TypedDict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingestion.documents import Anchor, BlockKind, count_chars
from ingestion.grid import Grid
from ingestion.tables import Cell, Table, source_characters, table_blocks

CASES = Path(__file__).parent.parent / "cases" / "tables" / "sentences.json"


class Case(TypedDict, total=False):
    case: str
    title: str
    rows: list[list[str | None]]
    says: list[str]
    never_says: list[str]


def cases() -> list[Case]:
    loaded: list[Case] = json.loads(CASES.read_text("utf-8"))
    return loaded


WORDS = st.sampled_from(
    ["", "", "部门", "金额", "是", "否", "√", "×", "研发中心", "12.5", "2024-01-05", "单位：万元", "合计"]
    + ["注：说明", "备注", "Name", "一段比较长的文字，" * 12, "00123", "名称：", "\n换行\n文字", "是否紧急"]
)
ROWS = st.integers(1, 6).flatmap(
    lambda width: st.lists(
        st.lists(st.one_of(st.none(), WORDS), min_size=width, max_size=width), min_size=1, max_size=8
    )
)
CELLS = st.builds(
    Cell, st.integers(0, 6), st.integers(0, 6), WORDS, st.integers(-1, 9), st.integers(-1, 10**9)
)


@pytest.mark.parametrize("case", cases(), ids=lambda case: case["case"])
def test_rows_are_said_as_the_cases_ask(case: Case) -> None:
    blocks = table_blocks(Table.from_rows(case["rows"], title=case.get("title", "")))
    text = "\n".join(block.text for block in blocks)
    for sentence in case["says"]:
        assert sentence in text
    for word in case.get("never_says", []):
        assert word not in text


@given(ROWS)
def test_source_characters_of_the_blocks_always_add_up_to_the_cells(rows: list[list[str | None]]) -> None:
    table = Table.from_rows(rows)
    assert source_characters(table) == sum(count_chars(text or "") for row in rows for text in row)
    assert sum(block.source_chars for block in table_blocks(table)) == source_characters(table)


@given(st.lists(CELLS, max_size=15, unique_by=lambda cell: (cell.row, cell.column)))
def test_any_spans_even_absurd_ones_keep_the_account(cells: list[Cell]) -> None:
    table = Table(tuple(cells), title="某表")
    assert sum(block.source_chars for block in table_blocks(table)) == source_characters(table)


@given(ROWS)
def test_every_text_always_stands_in_a_sentence_or_its_context(rows: list[list[str | None]]) -> None:
    blocks = table_blocks(Table.from_rows(rows))
    said = "".join("".join(block.text + block.context for block in blocks).split())
    marks = {"是", "否", "√", "×"}
    for text in {text for row in rows for text in row if text and text not in marks}:
        assert "".join(text.split()).strip("，：") in said


@given(ROWS, st.integers(0, 3))
def test_a_given_number_of_header_rows_is_respected(rows: list[list[str | None]], header_rows: int) -> None:
    table = Table.from_rows(rows, header_rows=header_rows)
    assert sum(block.source_chars for block in table_blocks(table)) == source_characters(table)


def test_rows_carry_title_and_header_as_context() -> None:
    blocks = table_blocks(
        Table.from_rows([["部门", "金额"], ["财务部", "3"], ["市场部", "5"]], title="预算表")
    )
    assert [block.context for block in blocks] == ["预算表\n部门 | 金额"] * 2
    assert {block.kind for block in blocks} == {BlockKind.TABLE}


def test_rows_keep_their_own_anchors() -> None:
    anchors = tuple(Anchor(sheet="预算", cell_range=f"A{row}:B{row}") for row in (4, 5, 6))
    blocks = table_blocks(
        Table.from_rows([["部门", "金额"], ["财务部", "3"], ["市场部", "5"]], row_anchors=anchors)
    )
    assert [block.anchor.cell_range for block in blocks] == ["A5:B5", "A6:B6"]


def test_a_title_from_outside_is_said_but_not_counted() -> None:
    table = Table.from_rows([["部门", "金额"], ["财务部", "3"]], title="预算表", unit="万元")
    (block,) = table_blocks(table)
    assert block.text == "预算表（单位：万元）：部门为财务部，金额为3。"
    assert block.source_chars == source_characters(table) == 8


def test_a_table_without_cells_has_no_blocks() -> None:
    assert table_blocks(Table(())) == []


def test_a_label_merged_over_rows_is_said_in_each_of_them() -> None:
    cells = (
        Cell(0, 0, "类别"), Cell(0, 1, "接口"), Cell(0, 2, "数量"),
        Cell(1, 0, "网络接口", row_span=2), Cell(1, 1, "RJ45"), Cell(1, 2, "1"),
        Cell(2, 1, "SIM卡槽"), Cell(2, 2, "2"),
    )  # fmt: skip
    texts = [block.text for block in table_blocks(Table(cells))]
    assert texts == ["类别为网络接口，接口为RJ45，数量为1。", "类别为网络接口，接口为SIM卡槽，数量为2。"]


def test_two_equal_cells_side_by_side_are_both_said() -> None:
    (block,) = table_blocks(Table.from_rows([["甲", "乙", "数量"], ["同", "同", "1"]]))
    assert block.text == "甲为同，乙为同，数量为1。"


def test_a_section_row_merged_over_a_matrix_of_marks_leaves_it_a_matrix() -> None:
    cells = (
        Cell(0, 0, "报销类型"), Cell(0, 1, "申请表"), Cell(0, 2, "发票"),
        Cell(1, 0, "一、差旅", column_span=3),
        Cell(2, 0, "国内差旅"), Cell(2, 1, "√"), Cell(2, 2, "√"),
        Cell(3, 0, "国外差旅"), Cell(3, 1, "√"), Cell(3, 2, "×"),
    )  # fmt: skip
    text = "\n".join(block.text for block in table_blocks(Table(cells, title="报销材料清单")))
    assert "√" not in text
    assert "申请表、发票" in text


def test_values_merged_over_two_columns_fill_both() -> None:
    cells = (
        Cell(0, 0, "姓名"), Cell(0, 1, "部门"), Cell(0, 2, "岗位"), Cell(0, 3, "分机"),
        Cell(1, 0, "张三"), Cell(1, 1, "总经办", column_span=2), Cell(1, 3, "8001"),
        Cell(2, 0, "李四"), Cell(2, 1, "财务部", column_span=2), Cell(2, 3, "8002"),
    )  # fmt: skip
    text = "\n".join(block.text for block in table_blocks(Table(cells)))
    assert "未填写" not in text
    assert "总经办" in text


def test_spans_that_all_lie_over_each_other_cost_no_more_than_the_grid() -> None:
    cells = [Cell(row, column, "字", 200, 200) for row in range(130) for column in range(130)]
    start = time.perf_counter()
    grid = Grid(cells)
    assert time.perf_counter() - start < 3  # seconds; 71 million places would be looked at
    assert all(len(grid.owners(row)) == 130 for row in range(130))
