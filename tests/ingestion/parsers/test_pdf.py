"""The PDF parser on pages drawn here: noise, order, paragraphs, tables, headings, failures, the account."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import pypdfium2 as pdfium
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ingestion.cleaning import Noise
from ingestion.documents import BlockKind, Box, FailureReason, FileState, Parsed, count_chars
from ingestion.errors import ParseFailure
from ingestion.parsers.pdf import parse
from ingestion.protocols import OcrLine
from tests.ingestion.parsers.drawn_pdf import Page, draw
from tests.soaking import times

Drawing = Callable[[Page], object]
LANDSCAPE = (960.0, 540.0)
FULL = "本办法适用于公司总部及各分支机构的全体员工和外聘专家以及实习人员等人"  # as wide as the text block


def texts(parsed: Parsed, kind: BlockKind | None = None) -> list[str]:
    return [block.text for block in parsed.blocks if kind is None or block.kind is kind]


def dropped(parsed: Parsed) -> dict[str, int]:
    return {item.reason: item.chars for item in parsed.report.dropped}


def test_running_header_footer_and_page_number_are_dropped_and_counted() -> None:
    def page(number: int, body: str) -> Drawing:
        def on(sheet: Page) -> None:
            sheet.text(200, 40, "星河公司采购管理制度", 9)
            sheet.text(72, 120, body)
            sheet.text(270, 800, f"第 {number} 页 共 3 页", 9)

        return on

    parsed = parse(draw(*(page(i, f"正文{word}。") for i, word in enumerate("甲乙丙", 1))))
    assert texts(parsed) == ["正文甲。", "正文乙。", "正文丙。"]
    assert dropped(parsed)[Noise.RUNNING_HEADER] == 30
    assert dropped(parsed)[Noise.PAGE_NUMBER] == 18
    assert parsed.metadata.running_headers == ("星河公司采购管理制度",)


def test_a_sentence_repeated_in_the_body_is_no_running_header() -> None:
    def on(sheet: Page) -> None:
        sheet.text(72, 300, "特此通知。")

    assert texts(parse(draw(on, on, on))) == ["特此通知。"] * 3


def test_lines_that_repeat_are_kept_where_nothing_else_is_there() -> None:
    def on(sheet: Page) -> None:
        sheet.text(72, 40, "准考证")

    assert texts(parse(draw(on, on))) == ["准考证", "准考证"]


def test_a_single_page_keeps_its_first_line() -> None:
    parsed = parse(draw(lambda sheet: sheet.lines(72, 40, ["关于放假的通知", "各部门："])))
    assert "关于放假的通知" in texts(parsed)


def test_a_table_of_contents_is_dropped_and_tells_headings() -> None:
    def contents(sheet: Page) -> None:
        sheet.text(270, 90, "目 录", 16)
        entries = ["总体要求", "工作职责", "监督检查"]
        sheet.lines(72, 130, [f"{entry}{'.' * 60}{i}" for i, entry in enumerate(entries, 2)])

    def body(title: str) -> Drawing:
        return lambda sheet: sheet.lines(72, 100, [title, f"{title}的具体内容如下。"])

    parsed = parse(draw(contents, *(body(t) for t in ("总体要求", "工作职责", "监督检查"))))
    assert texts(parsed, BlockKind.HEADING) == ["总体要求", "工作职责", "监督检查"]
    assert not any("...." in text for text in texts(parsed))
    assert dropped(parsed)[Noise.TOC] == 2 + 3 * 65


def test_an_agenda_without_page_numbers_is_content() -> None:
    parsed = parse(draw(lambda sheet: sheet.lines(72, 100, ["目录", "一、项目背景", "二、实施计划"])))
    assert "二、实施计划" in texts(parsed)


def test_wrapped_lines_are_joined_without_a_blank() -> None:
    parsed = parse(draw(lambda sheet: sheet.lines(72, 100, [FULL, "按照本办法执行。", "第二段另起。"])))
    assert texts(parsed) == [f"{FULL}按照本办法执行。", "第二段另起。"]


def test_a_paragraph_over_a_page_end_is_one_block() -> None:
    def first(sheet: Page) -> None:
        sheet.lines(72, 720, [FULL, FULL])

    parsed = parse(draw(first, lambda sheet: sheet.lines(72, 80, ["的规定办理。", "新的段落。"])))
    assert texts(parsed) == [f"{FULL}{FULL}的规定办理。", "新的段落。"]
    assert parsed.blocks[0].anchor.page == 1


def test_latin_words_keep_a_blank_and_lose_the_hyphen() -> None:
    lines = [
        "The procurement department must confirm the speci-",
        "fication with the supplier before any of the orders",
        "are placed and signed by both parties.",
    ]
    (text,) = texts(parse(draw(lambda sheet: sheet.lines(72, 100, lines, size=18, leading=24))))
    assert "the specification with" in text
    assert "orders are placed" in text


def test_two_columns_are_read_one_after_the_other() -> None:
    left = [f"左栏第{n}行的内容说明文字共有十八个" for n in "一二三四五六"]
    right = [f"右栏第{n}行的内容说明文字共有十八个" for n in "一二三四五六"]

    def on(sheet: Page) -> None:
        sheet.text(72, 80, "横跨两栏的文章标题写在这里用大一号的字", 18)
        for i, (one, two) in enumerate(zip(left, right, strict=True)):
            sheet.text(72, 130 + i * 20, one)
            sheet.text(310, 130 + i * 20, two)

    text = "".join(texts(parse(draw(on))))
    assert text.index("标题") < text.index("左栏第一行")
    assert text.index("左栏第六行") < text.index("右栏第一行")


def test_short_cells_side_by_side_are_rows_and_no_columns() -> None:
    def on(sheet: Page) -> None:
        for i, (name, phone) in enumerate(
            [("张三", "8001"), ("李四", "8002"), ("王五", "8003"), ("赵六", "8004")]
        ):
            sheet.text(72, 100 + i * 20, name)
            sheet.text(300, 100 + i * 20, phone)

    assert "张三 8001" in texts(parse(draw(on)))


def test_headings_by_size_and_number_get_levels() -> None:
    def on(sheet: Page) -> None:
        sheet.text(72, 80, "第一章 总则", 18)
        sheet.lines(72, 110, ["一、目的", "为规范管理，制定本办法。", "二、依据", "依据有关规定制定。"])
        sheet.text(72, 220, "第二章 职责", 18)
        sheet.lines(72, 250, ["一、部门", "各部门负责本部门的工作。"])

    found = [(b.level, b.text) for b in parse(draw(on)).blocks if b.kind is BlockKind.HEADING]
    assert found == [
        (1, "第一章 总则"),
        (2, "一、目的"),
        (2, "二、依据"),
        (1, "第二章 职责"),
        (2, "一、部门"),
    ]


def test_items_of_a_list_and_clauses_are_no_headings() -> None:
    lines = [
        "申请材料包括以下各项内容。",
        "1. 申请表",
        "2. 身份证",
        "3. 照片",
        "第三条 本办法自发布之日起施行。",
    ]
    assert texts(parse(draw(lambda sheet: sheet.lines(72, 100, lines))), BlockKind.HEADING) == []


def test_bookmarks_give_headings_and_levels_but_a_stray_one_decides_nothing() -> None:
    def on(title: str) -> Drawing:
        return lambda sheet: sheet.lines(72, 100, [title, "这里是这一部分的正文。"])

    pages = [on(title) for title in ("背景", "现状", "结论")]
    marks = [("背景", 0, 0), ("现状", 1, 1), ("结论", 2, 0)]
    found = [b for b in parse(draw(*pages, bookmarks=marks)).blocks if b.kind is BlockKind.HEADING]
    assert [(b.text, b.level) for b in found] == [("背景", 1), ("现状", 2), ("结论", 1)]
    stray = parse(draw(*pages, bookmarks=marks[2:]))
    assert "这里是这一部分的正文。" in texts(stray)
    assert texts(stray, BlockKind.HEADING) == []


def test_a_ruled_table_becomes_one_sentence_per_row() -> None:
    rows = [["物品", "数量", "单价"], ["打印机", "2", "1,500.00"], ["投影仪", "1", "3,200.00"]]
    parsed = parse(draw(lambda sheet: sheet.table(72, 100, rows)))
    said = texts(parsed, BlockKind.TABLE)
    assert len(said) == 2
    assert all(word in said[0] for word in ("打印机", "数量", "2", "1,500.00"))
    assert parsed.blocks[0].anchor.page == 1
    assert parsed.report.chars_kept == sum(count_chars(cell) for row in rows for cell in row)


def test_a_merged_label_cell_is_said_for_each_of_its_rows() -> None:
    def on(sheet: Page) -> None:
        sheet.grid([72, 192, 312, 432], [100, 124])
        sheet.grid([192, 312, 432], [124, 148, 172])
        sheet.grid([72, 192], [124, 172])
        for y, row in (
            (116, ("城市", "职级", "标准")),
            (140, ("北京", "处长", "800")),
            (164, ("", "科长", "600")),
        ):
            for x, cell in zip((76, 196, 316), row, strict=True):
                if cell:
                    sheet.text(x, y, cell, 10)

    said = texts(parse(draw(on)), BlockKind.TABLE)
    assert len(said) == 2
    assert all("北京" in sentence for sentence in said)
    assert "600" in said[1]


def test_a_table_over_two_pages_keeps_its_header_and_drops_the_repeated_one() -> None:
    header = ["姓名", "部门", "电话"]
    parsed = parse(
        draw(
            lambda sheet: sheet.table(72, 700, [header, ["张三", "财务部", "8001"]]),
            lambda sheet: sheet.table(72, 60, [header, ["李四", "人事部", "8002"]]),
        )
    )
    said = texts(parsed, BlockKind.TABLE)
    assert len(said) == 2
    assert "部门为人事部" in said[1]
    assert parsed.blocks[1].anchor.page == 2
    assert dropped(parsed)[Noise.TABLE_HEADER] == 6


def test_a_revision_record_is_dropped_with_its_title_and_kept_as_metadata() -> None:
    rows = [["版本", "日期", "修订人", "修订说明"], ["V1.0", "2021-03-01", "办公室", "首次发布"]]

    def on(sheet: Page) -> None:
        sheet.text(72, 80, "修订记录")
        sheet.table(72, 100, rows, width=100)
        sheet.text(72, 220, "本制度适用于全体员工。")

    parsed = parse(draw(on))
    assert texts(parsed) == ["本制度适用于全体员工。"]
    assert parsed.metadata.revision_table[1] == ("V1.0", "2021-03-01", "办公室", "首次发布")
    assert dropped(parsed)[Noise.REVISION_RECORD] == 4 + sum(count_chars(c) for row in rows for c in row)


def test_a_list_of_attachments_is_dropped_and_an_attachment_is_not() -> None:
    lines = ["请按时报送。", "附件：", "1. 报名表", "2. 承诺书", "附件1：报名表", "报名人填写本人姓名。"]
    parsed = parse(draw(lambda sheet: sheet.lines(72, 100, lines)))
    assert dropped(parsed)[Noise.ATTACHMENT_LIST] > 0
    assert "报名人填写本人姓名。" in texts(parsed)


def test_a_slanted_watermark_is_dropped() -> None:
    def on(sheet: Page) -> None:
        sheet.slanted("SAMPLE")
        sheet.text(72, 100, "正文在这里。")

    parsed = parse(draw(on))
    assert texts(parsed) == ["正文在这里。"]
    assert dropped(parsed)[Noise.WATERMARK] == 6


def test_slides_read_box_by_box_with_the_title_first() -> None:
    def on(sheet: Page) -> None:
        sheet.lines(80, 200, ["左框第一行", "左框第二行"], 14)
        sheet.lines(500, 200, ["右框第一行", "右框第二行"], 14)
        sheet.text(80, 60, "年度工作计划", 32)

    text = "".join(texts(parse(draw(on, size=LANDSCAPE))))
    assert [text.index(w) for w in ("年度", "左框第一", "左框第二", "右框第一")] == sorted(
        text.index(w) for w in ("年度", "左框第一", "左框第二", "右框第一")
    )


def test_private_bullets_and_full_width_digits_are_normalised() -> None:
    parsed = parse(draw(lambda sheet: sheet.text(72, 100, "２０２４年Ａ类项目")))
    assert texts(parsed) == ["2024年A类项目"]


class _Reader:
    """An OCR engine that reads one line on every page."""

    seconds_per_file = 90.0

    def read_page(self, image: bytes) -> list[OcrLine]:
        assert image.startswith(b"\x89PNG")
        return [OcrLine("扫描得到的文字。", Box(100, 100, 400, 130), 0.9)]


def test_a_scan_without_ocr_needs_it_and_says_which_pages() -> None:
    parsed = parse(draw(Page.scan, Page.scan))
    assert parsed.state is FileState.NEEDS_OCR
    assert parsed.ocr_pages == (1, 2)
    assert "可能是扫描件，需要 OCR" in parsed.message
    assert "第 1–2 页" in parsed.message


def test_a_scanned_page_among_text_is_reported_alone() -> None:
    parsed = parse(draw(lambda sheet: sheet.text(72, 100, "文字页的内容。"), Page.scan))
    assert parsed.state is FileState.PARSED_PARTLY
    assert parsed.ocr_pages == (2,)
    assert texts(parsed) == ["文字页的内容。"]


def test_ocr_reads_scanned_pages_and_its_confidence_is_reported() -> None:
    parsed = parse(draw(lambda sheet: sheet.text(72, 100, "文字页的内容。"), Page.scan), ocr=_Reader())
    assert parsed.state is FileState.PARSED
    assert "扫描得到的文字。" in texts(parsed)
    assert parsed.ocr_pages == (2,)
    assert any("0.90" in finding for finding in parsed.report.findings)
    assert parsed.report.balanced


def test_control_characters_of_a_damaged_page_are_neither_counted_nor_read() -> None:
    whole = bytearray(draw(lambda sheet: sheet.text(72, 100, "第一章 总则"), bookmarks=[("总则", 0, 0)]))
    whole[whole.index(b"/DescendantFonts")] = 0  # two bytes of each character are then read apart
    parsed = parse(bytes(whole))
    assert parsed.report.balanced


def failure(data: bytes, password: str | None = None) -> ParseFailure:
    with pytest.raises(ParseFailure) as caught:
        parse(data, password=password)
    return caught.value


def test_an_empty_file_a_blank_page_and_a_foreign_file_fail_with_their_reason() -> None:
    assert failure(b"").reason is FailureReason.EMPTY
    assert failure(draw(lambda sheet: None)).reason is FailureReason.EMPTY
    assert failure(b"PK\x03\x04 no pdf at all").reason is FailureReason.WRONG_TYPE


def test_a_truncated_file_is_corrupt_or_still_read_but_never_an_empty_success() -> None:
    whole = draw(lambda sheet: sheet.text(72, 100, "完整的内容。"))
    assert failure(whole[:60]).reason is FailureReason.CORRUPT
    for end in range(80, len(whole), 97):
        try:
            parsed = parse(whole[:end])
        except ParseFailure as error:
            assert error.reason in {FailureReason.CORRUPT, FailureReason.EMPTY}
        else:
            assert parsed.blocks or parsed.state is not FileState.PARSED


def test_an_encrypted_file_needs_its_password() -> None:
    data = draw(lambda sheet: sheet.text(72, 100, "加密的内容。"), password="Hush-2024")
    for password in (None, "wrong"):
        error = failure(data, password)
        assert (error.reason, error.state) == (FailureReason.ENCRYPTED, FileState.NEEDS_PASSWORD)
    assert texts(parse(data, password="Hush-2024")) == ["加密的内容。"]


@settings(max_examples=times(60, 1500), deadline=None)
@given(st.data())
def test_a_damaged_file_always_ends_in_a_named_state(data: st.DataObject) -> None:
    whole = bytearray(
        draw(
            lambda sheet: sheet.text(72, 100, "第一章 总则"),
            lambda sheet: sheet.table(72, 100, [["甲", "乙"], ["1", "2"]]),
            bookmarks=[("总则", 0, 0), ("表格", 1, 0)],
        )
    )
    for place in data.draw(st.lists(st.integers(0, len(whole) - 1), max_size=20)):
        whole[place] = data.draw(st.integers(0, 255))
    try:
        parsed = parse(bytes(whole))
    except ParseFailure as error:
        assert error.message
        return
    assert parsed.report.balanced
    assert parsed.blocks or parsed.state is FileState.NEEDS_OCR


WORDS = st.text(
    st.sampled_from(
        "公司员工应当遵守制度。，；：（）第一二三章条、. 0123456789abcXYZ-·…附件目录版本日期修订"
    ),
    min_size=1,
    max_size=30,
)
PAGES = st.lists(
    st.lists(
        st.tuples(st.floats(20, 400), st.floats(20, 820), WORDS, st.sampled_from([9, 12, 18])), max_size=8
    ),
    min_size=1,
    max_size=4,
)
TABLES = st.lists(
    st.lists(st.text("甲乙12.版本日期修订说明", max_size=6), min_size=3, max_size=3), min_size=2, max_size=5
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(PAGES, st.none() | TABLES)
def test_the_account_always_balances(
    pages: Sequence[Sequence[tuple[float, float, str, int]]], rows: Sequence[Sequence[str]] | None
) -> None:
    def page(items: Sequence[tuple[float, float, str, int]], first: bool) -> Drawing:
        def on(sheet: Page) -> None:
            for x, y, words, size in items:
                sheet.text(x, y, words, size)
            if rows is not None and first:
                sheet.table(72, 300, rows, width=110)

        return on

    data = draw(*(page(items, i == 0) for i, items in enumerate(pages)))
    document = pdfium.PdfDocument(data)
    source = sum(count_chars(sheet.get_textpage().get_text_range()) for sheet in document)
    document.close()
    try:
        parsed = parse(data)
    except ParseFailure as error:
        assert error.reason is FailureReason.EMPTY
        return
    assert parsed.report.balanced
    assert parsed.report.chars_in == source
    assert "unread" not in dropped(parsed)
    assert parsed.report.chars_kept == sum(block.source_chars for block in parsed.blocks)
    for block in parsed.blocks:
        assert parsed.text[block.anchor.char_start : block.anchor.char_end] == block.text


def shared_entries(folder: Path) -> list[dict[str, object]]:
    lines = (folder / "MANIFEST.jsonl").read_text("utf-8").splitlines()
    return [entry for line in lines if str((entry := json.loads(line))["file"]).endswith(".pdf")]


@pytest.mark.data
def test_every_real_pdf_ends_in_a_state_with_a_balanced_account(shared_data: Path) -> None:
    folder = shared_data / "real_files"
    for entry in shared_entries(folder):
        try:
            parsed = parse((folder / str(entry["file"])).read_bytes())
        except ParseFailure as error:
            assert str(entry["outcome"]) == f"error:{error.code}", entry["file"]
            continue
        assert parsed.report.balanced, entry["file"]
        assert "unread" not in dropped(parsed), entry["file"]
        assert not str(entry["outcome"]).startswith("error"), entry["file"]
        assert parsed.blocks or parsed.state is FileState.NEEDS_OCR, entry["file"]
