"""Workbooks: values as shown, merges, hidden parts, comments, formulas, hostile extents, the account."""

import io
import time
import zipfile
from collections.abc import Callable
from datetime import date
from pathlib import Path

import openpyxl
import pytest
import xlsxwriter
from openpyxl.comments import Comment
from openpyxl.worksheet.worksheet import Worksheet

from ingestion.documents import BlockBuilder, BlockKind, FailureReason, Parsed
from ingestion.errors import ParseFailure
from ingestion.parsers import xlsx
from ingestion.parsers.sheet_tables import add_sheet


def saved(book: openpyxl.Workbook) -> bytes:
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def workbook(fill: Callable[[Worksheet], None], title: str = "费用预算") -> bytes:
    book = openpyxl.Workbook()
    sheet = book.active
    assert isinstance(sheet, Worksheet)
    sheet.title = title
    fill(sheet)
    return saved(book)


def rows(*lines: list[object]) -> Callable[[Worksheet], None]:
    def fill(sheet: Worksheet) -> None:
        for line in lines:
            sheet.append(line)

    return fill


def texts(parsed: Parsed) -> list[str]:
    return [block.text for block in parsed.blocks]


def budget(sheet: Worksheet) -> None:
    rows(
        ["2024年度预算表"],
        ["单位：万元"],
        ["部门", "类型", "2024年预算", None],
        [None, None, "一季度", "二季度"],
        ["研发中心", "差旅费", 12.5, 13],
        [None, "培训费", 3, 4],
    )(sheet)
    for merged in ("A1:D1", "A2:D2", "A3:A4", "B3:B4", "C3:D3", "A5:A6"):
        sheet.merge_cells(merged)


def test_merged_titles_headers_and_labels_become_sentences_with_their_cells() -> None:
    parsed = xlsx.parse(workbook(budget))
    assert (
        "2024年度预算表（单位：万元）：部门为研发中心，类型为培训费，2024年预算/一季度为3，2024年预算/二季度为4。"
        in texts(parsed)
    )
    last = parsed.blocks[-1]
    assert (last.anchor.sheet, last.anchor.cell_range) == ("费用预算", "B6:D6")
    assert parsed.report.balanced
    assert parsed.report.dropped == ()


def test_invisible_characters_part_no_words_in_cells_names_and_comments() -> None:
    def fill(sheet: Worksheet) -> None:
        rows(["部\u200b门", "金额"], ["财\u200b务部", 3])(sheet)
        sheet["A2"].comment = Comment("请\u200b核对", "张三")

    parsed = xlsx.parse(workbook(fill, title="预\u200b算"))
    assert "财务部" in parsed.text and "请核对" in parsed.text and "\u200b" not in parsed.text
    assert parsed.blocks[0].text == "预算"
    assert parsed.report.balanced and not parsed.report.findings


def test_a_sheet_with_a_blank_row_after_every_row_is_read_in_no_time() -> None:
    places = [(0, 0), (0, 1), *((1 + 2 * row, column) for row in range(12_000) for column in range(2))]
    texts_by_place = {place: f"{place[0]}" for place in places}
    builder = BlockBuilder()
    start = time.perf_counter()
    add_sheet(builder, texts_by_place)
    assert time.perf_counter() - start < 8  # seconds; it took over 15 when each row looked at all above it
    assert sum(block.source_chars for block in builder.blocks()) == sum(map(len, texts_by_place.values()))


def test_the_sheet_name_is_the_heading_unless_the_program_gave_it() -> None:
    named = xlsx.parse(workbook(rows(["部门", "金额"], ["财务部", 3])))
    unnamed = xlsx.parse(workbook(rows(["部门", "金额"], ["财务部", 3]), title="Sheet1"))
    assert [b.text for b in named.blocks if b.kind is BlockKind.HEADING] == ["费用预算"]
    assert [b.text for b in unnamed.blocks if b.kind is BlockKind.HEADING] == []
    assert named.report.balanced
    assert unnamed.report.balanced


def test_numbers_dates_and_percentages_read_as_a_person_sees_them() -> None:
    def fill(sheet: Worksheet) -> None:
        rows(["编号", "完成率", "日期", "金额"], [7, 0.985, date(2024, 3, 1), 1280.5])(sheet)
        for cell, code in (("A2", "0000"), ("B2", "0.0%"), ("C2", 'yyyy"年"m"月"d"日"'), ("D2", "¥#,##0.00")):
            sheet[cell].number_format = code

    assert "编号为0007，完成率为98.5%，日期为2024年3月1日，金额为¥1,280.50。" in texts(
        xlsx.parse(workbook(fill))
    )


def test_a_hidden_sheet_is_reported_and_left_out() -> None:
    book = openpyxl.Workbook()
    book.worksheets[0].append(["部门", "金额"])
    book.worksheets[0].append(["财务部", 3])
    old = book.create_sheet("旧版作废")
    old.append(["2023年旧预算（作废）"])
    old.sheet_state = "hidden"
    parsed = xlsx.parse(saved(book))
    assert not any("旧预算" in text for text in texts(parsed))
    assert [(dropped.reason, dropped.chars) for dropped in parsed.report.dropped] == [("hidden_sheet", 12)]
    assert any("旧版作废" in finding for finding in parsed.report.findings)
    assert parsed.report.balanced


def test_hidden_rows_and_columns_are_read_and_reported() -> None:
    def fill(sheet: Worksheet) -> None:
        rows(["部门", "金额"], ["财务部", 3], ["市场部", 5])(sheet)
        sheet.row_dimensions[3].hidden = True
        sheet.column_dimensions["B"].hidden = True

    parsed = xlsx.parse(workbook(fill))
    assert "部门为市场部，金额为5。" in texts(parsed)
    assert any("隐藏行" in finding and "第 3 行" in finding for finding in parsed.report.findings)
    assert any("隐藏列" in finding and "B 列" in finding for finding in parsed.report.findings)


def test_a_formula_without_a_saved_result_is_a_finding_and_no_invented_value() -> None:
    parsed = xlsx.parse(workbook(rows(["部门", "金额"], ["财务部", 3], ["合计", "=SUM(B2:B2)"])))
    assert "部门为合计。" in texts(parsed)
    assert any("B3" in finding and "没有保存计算结果" in finding for finding in parsed.report.findings)


def test_formulas_read_by_their_saved_value_and_errors_are_named() -> None:
    buffer = io.BytesIO()
    book = xlsxwriter.Workbook(buffer)
    sheet = book.add_worksheet("汇总")
    sheet.write_row(0, 0, ["部门", "金额", "占比"])
    sheet.write_row(1, 0, ["财务部"])
    sheet.write_formula(1, 1, "=1+2", None, 3)
    sheet.write_formula(1, 2, "=1/0", None, "#DIV/0!")
    book.close()
    parsed = xlsx.parse(buffer.getvalue())
    assert "部门为财务部，金额为3，占比为#DIV/0!。" in texts(parsed)
    assert any("C2" in finding and "出错" in finding for finding in parsed.report.findings)
    assert parsed.report.balanced


def test_comments_become_notes_and_are_counted() -> None:
    def fill(sheet: Worksheet) -> None:
        rows(["部门", "金额"], ["财务部", 3])(sheet)
        sheet["B2"].comment = Comment("含税", "张三")

    parsed = xlsx.parse(workbook(fill))
    (note,) = [block for block in parsed.blocks if block.kind is BlockKind.NOTE]
    assert note.text == "含税"
    assert note.anchor.cell_range == "B2"
    assert parsed.report.balanced
    assert parsed.report.dropped == ()


def test_blank_rows_part_tables_and_a_lone_cell_titles_the_next() -> None:
    parsed = xlsx.parse(
        workbook(
            rows(
                ["采购标准"],
                [None],
                ["类别", "额度"],
                ["家具", 800],
                [None],
                ["名称", "电话"],
                ["张三", "8002"],
            )
        )
    )
    assert "采购标准：类别为家具，额度为800。" in texts(parsed)
    assert "名称为张三，电话为8002。" in texts(parsed)


def test_a_table_that_goes_on_after_a_blank_row_keeps_its_header() -> None:
    parsed = xlsx.parse(
        workbook(
            rows(["类别", "额度"], ["家具", 800], ["电脑", 6000], [None], ["打印机", 2000], ["投影仪", 5000])
        )
    )
    assert "类别为打印机，额度为2000。" in texts(parsed)


def test_a_value_far_away_is_refused_before_it_costs_memory() -> None:
    def fill(sheet: Worksheet) -> None:
        sheet["A1"] = "甲"
        sheet["XFD1048576"] = "乙"

    with pytest.raises(ParseFailure) as failure:
        xlsx.parse(workbook(fill))
    assert failure.value.reason is FailureReason.TOO_COMPLEX


def test_a_style_far_away_costs_nothing() -> None:
    def fill(sheet: Worksheet) -> None:
        rows(["部门", "金额"], ["财务部", 3])(sheet)
        sheet["XFD1048576"].number_format = "0.00"

    assert "部门为财务部，金额为3。" in texts(xlsx.parse(workbook(fill)))


def test_a_workbook_without_shared_strings_is_read() -> None:
    buffer = io.BytesIO()
    book = xlsxwriter.Workbook(buffer, {"constant_memory": True})  # writes its texts inline
    sheet = book.add_worksheet("费用预算")
    sheet.write_row(0, 0, ["部门", "金额"])
    sheet.write_row(1, 0, ["财务部", 3])
    book.close()
    assert "xl/sharedStrings.xml" not in zipfile.ZipFile(buffer).namelist()
    assert "部门为财务部，金额为3。" in texts(xlsx.parse(buffer.getvalue()))


def test_an_empty_workbook_is_a_named_failure() -> None:
    with pytest.raises(ParseFailure) as failure:
        xlsx.parse(workbook(lambda sheet: None))
    assert failure.value.reason is FailureReason.EMPTY


def test_a_truncated_sheet_is_a_named_failure() -> None:
    source = zipfile.ZipFile(io.BytesIO(workbook(rows(["部门", "金额"], ["财务部", 3]))))
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as target:
        for name in source.namelist():
            content = source.read(name)
            target.writestr(name, content[: len(content) // 2] if "sheet1" in name else content)
    with pytest.raises(ParseFailure) as failure:
        xlsx.parse(buffer.getvalue())
    assert failure.value.reason is FailureReason.CORRUPT


def test_line_breaks_in_headers_and_cells_are_layout() -> None:
    parsed = xlsx.parse(workbook(rows(["成分含\n量", "步骤"], ["高", "1、打开\n2、保存"])))
    assert "成分含量为高，步骤为1、打开 2、保存。" in texts(parsed)


@pytest.mark.data
def test_an_old_workbook_is_read_with_both_header_rows(shared_data: Path) -> None:
    parsed = xlsx.parse((shared_data / "real_files" / "支持O_全量迁移测试用例.xls").read_bytes())
    assert any(
        text.startswith("oracle全量迁移：用例名称/Testcase_Name为number类型迁移") for text in texts(parsed)
    )
    assert any("旧版 xls" in finding for finding in parsed.report.findings)
    assert parsed.report.balanced


@pytest.mark.data
def test_an_encrypted_workbook_asks_for_its_password(shared_data: Path) -> None:
    with pytest.raises(ParseFailure) as failure:
        xlsx.parse((shared_data / "real_files" / "password_protected.xlsx").read_bytes())
    assert failure.value.reason is FailureReason.ENCRYPTED


@pytest.mark.data
@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("2024年度部门费用预算表.xlsx", "部门为市场部，费用类型为展会费，2024年预算/一季度为30"),
        ("测试配方1027.xlsx", "测试配方1027：序号为1，原料编号为01502200，厂定名称为1，2-戊二醇"),
        (
            "附件一：L1 IPC开发板厂商信息自查表 - 26.03.06更新.xlsx",
            "外围接口配置/信息条目为网络接口 / SIM卡槽类型",
        ),
        ("出勤分类组织汇总表_缺sharedStrings.xlsx", "报表导出时间：2023年03月04日"),
    ],
)
def test_real_workbooks_are_said_and_accounted_for(shared_data: Path, name: str, sentence: str) -> None:
    parsed = xlsx.parse((shared_data / "real_files" / name).read_bytes())
    assert any(sentence in text for text in texts(parsed))
    assert parsed.report.balanced
    assert "unread" not in {dropped.reason for dropped in parsed.report.dropped}
