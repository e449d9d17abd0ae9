"""Slides made with python-pptx here: order, titles, tables, notes, charts and what is left out."""

import io
import zipfile
from copy import deepcopy
from typing import Any

import pytest
from lxml import etree
from PIL import Image
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches

from ingestion.documents import BlockKind, Box, FailureReason, FileState, Parsed
from ingestion.parsers import registry
from ingestion.protocols import OcrLine
from tests.ingestion.parsers.word_files import repacked

A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
COVER, CONTENT, TITLE_ONLY, BLANK = 0, 1, 5, 6


class _Reader:
    """Recognises the same line in every picture."""

    seconds_per_file = 90.0

    def read_page(self, image: bytes) -> list[OcrLine]:
        assert image.startswith(b"\x89PNG")
        return [OcrLine("图片里的文字", Box(0, 0, 10, 10), 0.9), OcrLine("#", Box(0, 0, 1, 1), 0.2)]


def deck() -> Any:
    return Presentation()


def slide(made: Any, layout: int, title: str = "") -> Any:
    added = made.slides.add_slide(made.slide_layouts[layout])
    if title:
        added.shapes.title.text = title
    return added


def box(holder: Any, text: str, left: float, top: float) -> Any:
    shape = holder.shapes.add_textbox(Inches(left), Inches(top), Inches(2), Inches(0.5))
    shape.text_frame.text = text
    return shape


def saved(made: Any) -> bytes:
    stream = io.BytesIO()
    made.save(stream)
    return stream.getvalue()


def read(made: Any, ocr: _Reader | None = None) -> Parsed:
    parsed = registry.parse(saved(made), "a.pptx", ocr=ocr)
    assert parsed.report.balanced
    assert not any(dropped.reason == "unread" for dropped in parsed.report.dropped)
    assert not any("独立统计" in finding for finding in parsed.report.findings)
    return parsed


def texts(parsed: Parsed, kind: BlockKind | None = None) -> list[str]:
    return [block.text for block in parsed.blocks if kind in (None, block.kind)]


def dropped(parsed: Parsed) -> dict[str, str]:
    return {str(item.reason): item.sample for item in parsed.report.dropped}


def test_titles_are_headings_under_the_cover_and_items_are_a_list() -> None:
    made = deck()
    cover = slide(made, COVER, "年度培训方案")
    cover.placeholders[1].text = "人力资源部"
    content = slide(made, CONTENT, "培训对象")
    content.placeholders[1].text = "新入职员工\n转岗员工"
    parsed = read(made)
    assert [(b.kind, b.level, b.text, b.anchor.slide) for b in parsed.blocks] == [
        (BlockKind.HEADING, 1, "年度培训方案", 1),
        (BlockKind.PARAGRAPH, 0, "人力资源部", 1),
        (BlockKind.HEADING, 2, "培训对象", 2),
        (BlockKind.LIST, 0, "新入职员工", 2),
        (BlockKind.LIST, 0, "转岗员工", 2),
    ]


def test_shapes_are_read_from_the_top_and_in_a_row_from_the_left() -> None:
    made = deck()
    page = slide(made, TITLE_ONLY, "流程")
    for text, left, top in (("丁", 5, 4), ("乙", 5, 2.1), ("丙", 1, 4), ("甲", 1, 2.2)):
        box(page, text, left, top)
    assert texts(read(made)) == ["流程", "甲", "乙", "丙", "丁"]


def test_a_slide_without_a_title_takes_its_first_line_at_the_top_or_its_number() -> None:
    made = deck()
    box(slide(made, BLANK), "岗位职责说明", 1, 0.3)
    low = slide(made, BLANK)
    box(low, "右下角的一句备注", 6, 6)
    headings = texts(read(made), BlockKind.HEADING)
    assert headings == ["岗位职责说明", "第 2 页"]


def test_groups_are_opened_in_their_place() -> None:
    made = deck()
    page = slide(made, TITLE_ONLY, "架构")
    box(page, "组的下面", 1, 5)
    group = page.shapes.add_group_shape()
    for text, left in (("右边", 4.0), ("左边", 1.0)):
        group.shapes.add_textbox(Inches(left), Inches(2), Inches(1), Inches(1)).text_frame.text = text
    assert texts(read(made)) == ["架构", "左边", "右边", "组的下面"]


def test_tables_become_sentences_with_merged_labels_repeated() -> None:
    made = deck()
    page = slide(made, TITLE_ONLY, "住宿标准")
    table = page.shapes.add_table(3, 3, Inches(1), Inches(2), Inches(6), Inches(2)).table
    for row, cells in enumerate((("城市", "职级", "标准"), ("杭州", "经理", "500元"), ("", "员工", "400元"))):
        for column, text in enumerate(cells):
            table.cell(row, column).text = text
    table.cell(1, 0).merge(table.cell(2, 0))
    sentences = texts(read(made), BlockKind.TABLE)
    assert len(sentences) == 2
    assert all("杭州" in sentence for sentence in sentences)
    assert "400元" in sentences[1]


def test_notes_are_kept_beside_the_body_and_dates_and_numbers_are_dropped() -> None:
    made = deck()
    page = slide(made, CONTENT, "议题")
    page.placeholders[1].text = "讨论预算"
    page.notes_slide.notes_text_frame.text = "提醒大家先看附件"
    page.shapes._spTree.append(deepcopy(made.slide_layouts[CONTENT].placeholders[2]._element))
    page.shapes[-1].text_frame.text = "2021/8/31"
    parsed = read(made)
    assert texts(parsed, BlockKind.NOTE) == ["备注：提醒大家先看附件"]
    assert dropped(parsed)["running_footer"] == "2021/8/31"


def test_automatic_dates_and_numbers_in_any_box_are_no_content() -> None:
    made = deck()
    page = slide(made, TITLE_ONLY, "例会")
    line = box(page, "会议于周三召开", 1, 2).text_frame.paragraphs[0]._p
    for kind, text in (("datetime1", "2021/8/31"), ("slidenum", "5")):
        field = etree.SubElement(line, f"{A}fld", id="{00000000-0000-0000-0000-000000000000}", type=kind)
        etree.SubElement(field, f"{A}t").text = text
    parsed = read(made)
    assert texts(parsed) == ["例会", "会议于周三召开"]
    assert dropped(parsed) == {"running_footer": "2021/8/31", "page_number": "5"}


def test_hidden_slides_are_left_out_and_reported() -> None:
    made = deck()
    slide(made, CONTENT, "公开的内容").placeholders[1].text = "一"
    slide(made, CONTENT, "旧方案").placeholders[1].text = "作废"
    made.slides[1]._element.set("show", "0")
    parsed = read(made)
    assert "旧方案" not in parsed.text
    assert dropped(parsed)["hidden_slide"].startswith("旧方案")
    assert any("第 2 页被隐藏" in finding for finding in parsed.report.findings)


def test_a_chart_says_its_values_by_series_and_category() -> None:
    made = deck()
    page = slide(made, TITLE_ONLY, "报销单量")
    data = CategoryChartData()
    data.categories = ["一季度", "二季度"]
    data.add_series("线上", (120, 4.3))
    data.add_series("线下", (30, 25))
    frame = page.shapes.add_chart(
        XL_CHART_TYPE.COLUMN_CLUSTERED, Inches(1), Inches(2), Inches(6), Inches(4), data
    )
    frame.chart.has_title = True
    frame.chart.chart_title.text_frame.text = "各季度报销单量"
    parsed = read(made)
    second = next(text for text in texts(parsed, BlockKind.TABLE) if "二季度" in text)
    assert "4.3" in second
    assert "25" in second
    assert "各季度报销单量" in texts(parsed, BlockKind.PARAGRAPH)


def test_labels_of_a_chart_that_look_like_numbers_stay_as_written() -> None:
    made = deck()
    data = CategoryChartData()
    data.categories = ["2024.10", "2024.20"]
    data.add_series("3.10", (4.2999999999999998, 25))
    slide(made, TITLE_ONLY, "单量").shapes.add_chart(
        XL_CHART_TYPE.COLUMN_CLUSTERED, Inches(1), Inches(2), Inches(6), Inches(4), data
    )
    parsed = read(made)
    said = " ".join(texts(parsed, BlockKind.TABLE))
    assert "2024.10" in said and "2024.20" in said and "3.10" in said and "4.3为" in said
    assert parsed.report.balanced and not parsed.report.findings


def test_shapes_in_newer_markup_are_read_once() -> None:
    made = deck()
    page = slide(made, TITLE_ONLY, "公式")
    shape = box(page, "新式内容", 1, 2)._element
    old = box(page, "旧式替身", 1, 2)._element
    wrapped = etree.SubElement(
        page.shapes._spTree, "{http://schemas.openxmlformats.org/markup-compatibility/2006}AlternateContent"
    )
    for name, element in (("Choice", shape), ("Fallback", old)):
        etree.SubElement(wrapped, wrapped.tag.replace("AlternateContent", name)).append(element)
    parsed = read(made)
    assert texts(parsed) == ["公式", "新式内容"]
    assert dropped(parsed)["fallback_twin"] == "旧式替身"


def picture() -> io.BytesIO:
    stream = io.BytesIO()
    Image.new("RGB", (200, 100), "white").save(stream, "PNG")
    stream.seek(0)
    return stream


def test_pictures_are_counted_without_ocr_and_read_once_with_it() -> None:
    made = deck()
    for title in ("一页", "又一页"):
        slide(made, TITLE_ONLY, title).shapes.add_picture(picture(), Inches(1), Inches(2))
    counted = read(made)
    assert any("1 张图片" in finding for finding in counted.report.findings)
    recognised = read(made, _Reader())
    marked = [block.text for block in recognised.blocks if block.anchor.ocr]
    assert marked == ["图片里的文字"]


def test_slides_of_pictures_only_need_ocr() -> None:
    made = deck()
    slide(made, BLANK).shapes.add_picture(picture(), Inches(1), Inches(2))
    parsed = read(made)
    assert parsed.blocks == ()
    assert parsed.state is FileState.NEEDS_OCR


def test_slide_shows_are_read_as_presentations() -> None:
    made = deck()
    slide(made, TITLE_ONLY, "自动播放")
    types = "[Content_Types].xml"
    data = saved(made)
    main = b"presentationml.presentation.main"
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        content = file.read(types).replace(main, b"presentationml.slideshow.main")
    assert texts(registry.parse(repacked(data, {types: content}), "a.ppsx")) == ["自动播放"]


@pytest.mark.parametrize("part", ["ppt/presentation.xml", "ppt/slides/slide1.xml"])
def test_a_damaged_part_costs_the_file_and_is_named(part: str) -> None:
    made = deck()
    slide(made, TITLE_ONLY, "标题")
    parsed = registry.parse(repacked(saved(made), {part: b"<broken"}), "a.pptx")
    assert (parsed.state, parsed.reason) == (FileState.FAILED, FailureReason.CORRUPT)
