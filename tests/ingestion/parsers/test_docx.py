"""Word files: accepted text, automatic numbers, tables, notes, and a balanced account for each trouble."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ingestion.documents import BlockKind, FailureReason, FileState, Parsed
from ingestion.errors import ParseFailure
from ingestion.parsers import docx
from tests.ingestion.parsers.word_files import (
    W,
    cell,
    deleted,
    inserted,
    numbered,
    numbering,
    paragraph,
    repacked,
    run,
    table,
    word_file,
)


def read(body: str, parts: dict[str, str] | None = None) -> Parsed:
    """Parse a file with that body; its account must balance without unread text or a correction."""
    parsed = docx.parse(word_file(body, parts))
    assert parsed.report.balanced
    assert not any("字符" in finding for finding in parsed.report.findings)
    return parsed


def texts(parsed: Parsed) -> list[str]:
    return [block.text for block in parsed.blocks]


def reasons(parsed: Parsed) -> dict[str, int]:
    return {dropped.reason: dropped.chars for dropped in parsed.report.dropped}


def test_insertions_are_kept_and_deletions_dropped_with_account() -> None:
    parsed = read(paragraph(run("标准为每人每天"), deleted("350"), inserted("400"), run("元")))
    assert texts(parsed) == ["标准为每人每天400元"]
    assert reasons(parsed) == {"tracked_deletion": 3}


def test_moved_text_is_read_at_its_new_place_only() -> None:
    moved_from = f'<w:moveFrom w:id="1">{run("补助按日计算")}</w:moveFrom>'
    moved_to = f'<w:moveTo w:id="2">{run("补助按日计算")}</w:moveTo>'
    parsed = read(paragraph(moved_from, run("甲")) + paragraph(run("乙"), moved_to))
    assert texts(parsed) == ["甲", "乙补助按日计算"]


def test_a_paragraph_whose_mark_is_deleted_joins_the_next_and_takes_no_number() -> None:
    gone = f'<w:rPr><w:del w:id="9"/></w:rPr>{numbered(1)}'
    body = (
        paragraph(run("甲"), properties=numbered(1))
        + paragraph(deleted("删去的一条"), properties=gone)
        + paragraph(run("乙"), properties=numbered(1))
    )
    parsed = read(body, {"word/numbering.xml": numbering(("chineseCountingThousand", "第%1条"))})
    assert texts(parsed) == ["第一条 甲", "第二条 乙"]


def test_content_controls_are_read_and_a_contents_control_is_dropped() -> None:
    control = f"<w:sdt><w:sdtPr/><w:sdtContent>{paragraph(run('控件中的文字'))}</w:sdtContent></w:sdt>"
    gallery = '<w:docPartObj><w:docPartGallery w:val="Table of Contents"/></w:docPartObj>'
    contents = (
        f"<w:sdt><w:sdtPr>{gallery}</w:sdtPr><w:sdtContent>{paragraph(run('总则 1'))}</w:sdtContent></w:sdt>"
    )
    parsed = read(contents + control)
    assert texts(parsed) == ["控件中的文字"]
    assert reasons(parsed) == {"table_of_contents": 3}


def test_a_typed_table_of_contents_goes_with_its_title_but_an_agenda_stays() -> None:
    entries = "".join(paragraph(f"<w:r><w:t>第{n}章 内容</w:t><w:tab/><w:t>{n}</w:t></w:r>") for n in "123")
    agenda = paragraph(run("目录")) + paragraph(run("一项说明"))
    parsed = read(paragraph(run("目  录")) + entries + agenda)
    assert texts(parsed) == ["目录", "一项说明"]
    assert reasons(parsed)["table_of_contents"] == 2 + 3 * 6


def test_a_contents_field_is_dropped_over_paragraphs_and_an_open_field_loses_nothing() -> None:
    def mark(kind: str) -> str:
        return f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>'

    code = '<w:r><w:instrText>TOC \\o "1-3"</w:instrText></w:r>'
    closed = paragraph(mark("begin"), code, mark("separate"), run("总则 1")) + paragraph(
        run("附则 9"), mark("end")
    )
    opened = paragraph(mark("begin"), code, mark("separate"), run("正文还在"))
    assert texts(read(closed + paragraph(run("正文")))) == ["正文"]
    assert texts(read(opened)) == ["正文还在"]


def test_field_results_are_text_and_field_codes_are_not() -> None:
    field = (
        '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>REF a</w:instrText></w:r>'
        f'<w:r><w:fldChar w:fldCharType="separate"/></w:r>{run("第三条")}'
        '<w:r><w:fldChar w:fldCharType="end"/></w:r>'
    )
    parsed = read(paragraph(run("见"), field))
    assert texts(parsed) == ["见第三条"]
    assert reasons(parsed) == {"field_code": 4}


def test_a_text_box_is_read_once_and_its_twin_booked() -> None:
    def box(text: str) -> str:
        return f"<w:txbxContent>{paragraph(run(text))}</w:txbxContent>"

    alternate = (
        f'<mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wps:txbx>{box("框中文字")}</wps:txbx>'
        f"</w:drawing></mc:Choice><mc:Fallback><w:pict><v:textbox>{box('框中文字')}</v:textbox></w:pict>"
        "</mc:Fallback></mc:AlternateContent>"
    )
    parsed = read(paragraph(run("正文"), f"<w:r>{alternate}</w:r>"))
    assert texts(parsed) == ["正文", "框中文字"]
    assert reasons(parsed) == {"fallback_twin": 4}


def test_hidden_text_is_dropped_and_switched_off_hiding_is_not() -> None:
    parsed = read(paragraph(run("可见"), run("隐藏", "<w:vanish/>"), run("也可见", '<w:vanish w:val="0"/>')))
    assert texts(parsed) == ["可见也可见"]
    assert reasons(parsed) == {"hidden": 2}


def test_check_marks_of_forms_are_read() -> None:
    ticked = '<w:r><w:sym w:font="Wingdings" w:char="F0FE"/></w:r>'
    empty = '<w:r><w:sym w:font="Wingdings" w:char="F0A8"/></w:r>'
    assert texts(read(paragraph(ticked, run("是 "), empty, run("否")))) == ["☑是 □否"]


def test_formulas_keep_their_text_and_fractions_a_bar() -> None:
    fraction = "<m:f><m:num><m:r><m:t>a</m:t></m:r></m:num><m:den><m:r><m:t>b</m:t></m:r></m:den></m:f>"
    assert texts(read(paragraph(run("比例 "), f"<m:oMath>{fraction}</m:oMath>"))) == ["比例 a/b"]


@pytest.mark.parametrize(
    ("number_format", "text", "labels"),
    [
        ("chineseCountingThousand", "第%1章", ["第一章", "第二章", "第三章"]),
        ("decimal", "%1.", ["1.", "2.", "3."]),
        ("upperRoman", "%1、", ["I、", "II、", "III、"]),
        ("lowerLetter", "(%1)", ["(a)", "(b)", "(c)"]),
        ("ideographTraditional", "%1、", ["甲、", "乙、", "丙、"]),
        ("chineseLegalSimplified", "%1、", ["壹、", "贰、", "叁、"]),
        ("decimalEnclosedCircle", "%1", ["①", "②", "③"]),
        ("decimalZero", "%1", ["01", "02", "03"]),
    ],
)
def test_automatic_numbers_stand_before_their_text(number_format: str, text: str, labels: list[str]) -> None:
    body = "".join(paragraph(run("内容"), properties=numbered(1)) for _ in labels)
    parsed = read(body, {"word/numbering.xml": numbering((number_format, text))})
    assert [each.replace(" ", "") for each in texts(parsed)] == [f"{label}内容" for label in labels]
    assert parsed.report.chars_in == parsed.report.chars_kept == 2 * len(labels)


def test_deeper_levels_restart_and_name_the_higher_ones() -> None:
    order = [0, 1, 1, 0, 1]
    body = "".join(paragraph(run("项"), properties=numbered(1, level)) for level in order)
    levels = numbering(("chineseCounting", "%1、"), ("decimal", "%1.%2"))
    legal = levels.replace('<w:lvlText w:val="%1.%2"/>', '<w:isLgl/><w:lvlText w:val="%1.%2"/>')
    assert texts(read(body, {"word/numbering.xml": legal})) == [
        "一、项",
        "1.1 项",
        "1.2 项",
        "二、项",
        "2.1 项",
    ]


def test_a_list_with_a_start_override_begins_anew_and_others_go_on() -> None:
    again = (
        '<w:num w:numId="2"><w:abstractNumId w:val="5"/>'
        '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride></w:num>'
        '<w:num w:numId="3"><w:abstractNumId w:val="5"/></w:num>'
    )
    body = "".join(paragraph(run("项"), properties=numbered(i)) for i in (1, 1, 2, 2, 3))
    parsed = read(body, {"word/numbering.xml": numbering(("decimal", "%1."), extra=again)})
    assert texts(parsed) == ["1. 项", "2. 项", "1. 项", "2. 项", "3. 项"]


def test_bullets_are_list_items_without_a_number() -> None:
    parsed = read(
        paragraph(run("要点"), properties=numbered(1)),
        {"word/numbering.xml": numbering(("bullet", "\uf0b7"))},
    )
    assert [(block.kind, block.text) for block in parsed.blocks] == [(BlockKind.LIST, "要点")]


def test_headings_by_outline_level_style_chain_and_numbering_with_look() -> None:
    styles = (
        f'<w:styles xmlns:w="{W}">'
        '<w:style w:type="paragraph" w:styleId="1"><w:name w:val="heading 1"/></w:style>'
        '<w:style w:type="paragraph" w:styleId="mine"><w:name w:val="公司标题"/><w:basedOn w:val="1"/>'
        "</w:style>"
        "</w:styles>"
    )
    body = (
        paragraph(run("总则"), properties='<w:pStyle w:val="mine"/>')
        + paragraph(run("适用范围"), properties='<w:outlineLvl w:val="1"/>')
        + paragraph(run("正文一段话。"))
        + paragraph(run("二、组织机构", "<w:b/>"))
        + paragraph(run("第五条 本办法由财务部解释。", "<w:b/>"))
    )
    parsed = read(body, {"word/styles.xml": styles})
    headings = [(block.level, block.text) for block in parsed.blocks if block.kind is BlockKind.HEADING]
    assert headings == [(1, "总则"), (2, "适用范围"), (3, "二、组织机构")]


@pytest.mark.parametrize("style", ["", "Heading", "標題 12", "heading 99", "标题1"])
def test_odd_style_names_never_crash(style: str) -> None:
    styles = (
        f'<w:styles xmlns:w="{W}"><w:style w:type="paragraph" w:styleId="x"><w:name w:val="{style}"/>'
        '<w:basedOn w:val="x"/></w:style></w:styles>'
    )
    parsed = read(paragraph(run("一段文字"), properties='<w:pStyle w:val="x"/>'), {"word/styles.xml": styles})
    assert texts(parsed) == ["一段文字"]


def test_merged_cells_are_counted_once_and_said_in_each_row() -> None:
    start, more = '<w:vMerge w:val="restart"/>', "<w:vMerge/>"
    parsed = read(
        table(
            [cell("类别"), cell("项目"), cell("限额（元）")],
            [cell("办公用品", start), cell("纸张"), cell("200")],
            [cell("", more), cell("硒鼓"), cell("500")],
        )
    )
    rows = [block.text for block in parsed.blocks if block.kind is BlockKind.TABLE]
    assert len(rows) == 2
    assert all("办公用品" in row for row in rows)
    assert parsed.report.chars_kept == parsed.report.chars_in


def test_equal_neighbours_that_are_not_merged_are_both_said() -> None:
    parsed = read(table([cell("甲列"), cell("乙列")], [cell("相同"), cell("相同")]))
    assert texts(parsed)[-1].count("相同") == 2


def test_deleted_rows_are_dropped_and_automatic_row_numbers_said() -> None:
    row = f"<w:tc>{paragraph(properties=numbered(1))}</w:tc><w:tc>{cell('{}')}</w:tc>"
    kept, gone = row.replace("{}", "盖章"), row.replace("{}", "作废的一行")
    body = (
        f"<w:tbl><w:tr><w:tc>{cell('序号')}</w:tc><w:tc>{cell('步骤')}</w:tc></w:tr><w:tr>{kept}</w:tr>"
        f'<w:tr><w:trPr><w:del w:id="1"/></w:trPr>{gone}</w:tr>'
        f"<w:tr>{kept.replace('盖章', '归档')}</w:tr></w:tbl>"
    )
    parsed = read(body, {"word/numbering.xml": numbering(("decimal", "%1"))})
    rows = [block.text for block in parsed.blocks if block.kind is BlockKind.TABLE]
    assert ["1" in rows[0], "2" in rows[1]] == [True, True]
    assert reasons(parsed) == {"tracked_deletion": 5}


def test_a_frame_table_around_text_is_read_as_text() -> None:
    inner = table([cell("姓名"), cell("部门")], [cell("张三"), cell("财务部")])
    parsed = read(table([paragraph(run("外层说明。")) + inner + paragraph()]))
    assert texts(parsed)[0] == "外层说明。"
    assert "张三" in texts(parsed)[1]


def test_a_revision_record_is_dropped_with_its_title_and_kept_as_metadata() -> None:
    record = table(
        [cell("版本"), cell("日期"), cell("修订说明")], [cell("V2.0"), cell("2024-01-01"), cell("首次发布")]
    )
    parsed = read(paragraph(run("修订记录")) + record + paragraph(run("正文")))
    assert texts(parsed) == ["正文"]
    assert parsed.metadata.revision_table[1] == ("V2.0", "2024-01-01", "首次发布")
    assert set(reasons(parsed)) == {"revision_record"}


def test_comments_and_footnotes_become_notes_and_running_parts_metadata() -> None:
    comment = f'<w:comment w:id="0" w:author="李四">{paragraph(run("再核对"))}</w:comment>'
    comments = f'<w:comments xmlns:w="{W}">{comment}</w:comments>'
    footnotes = (
        f'<w:footnotes xmlns:w="{W}"><w:footnote w:id="2">{paragraph(run("含税"))}</w:footnote>'
        f'<w:footnote w:id="3">{paragraph(run("没有引用"))}</w:footnote></w:footnotes>'
    )
    header = f'<w:hdr xmlns:w="{W}">{paragraph(run("内部资料"))}</w:hdr>'
    body = paragraph(
        run("金额"), '<w:r><w:footnoteReference w:id="2"/></w:r><w:r><w:commentReference w:id="0"/></w:r>'
    )
    parsed = read(
        paragraph(run("首段")) + body,
        {"word/comments.xml": comments, "word/footnotes.xml": footnotes, "word/header1.xml": header},
    )
    notes = [(block.text, block.anchor.paragraph) for block in parsed.blocks if block.kind is BlockKind.NOTE]
    assert notes == [("脚注：含税", 2), ("批注（李四）：再核对", 2)]
    assert parsed.metadata.running_headers == ("内部资料",)
    assert reasons(parsed) == {"unreferenced_note": 4, "running_header": 4}


def test_strict_open_xml_reads_like_the_transitional_form() -> None:
    body = paragraph(run("严格格式"), properties='<w:outlineLvl w:val="0"/>') + paragraph(run("正文"))
    strict = f'<w:document xmlns:w="http://purl.oclc.org/ooxml/wordprocessingml/main"><w:body>{body}</w:body></w:document>'
    base = "http://purl.oclc.org/ooxml/officeDocument/relationships/officeDocument"
    rels = (
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
        f'<Relationship Id="r1" Type="{base}" Target="word/document.xml"/></Relationships>'
    )
    parsed = docx.parse(repacked(word_file(""), {"word/document.xml": strict, "_rels/.rels": rels}))
    assert [(block.kind, block.text) for block in parsed.blocks] == [
        (BlockKind.HEADING, "严格格式"),
        (BlockKind.PARAGRAPH, "正文"),
    ]


def test_a_list_of_attachments_is_dropped() -> None:
    parsed = read(
        paragraph(run("特此通知。")) + paragraph(run("附件：1.申请表")) + paragraph(run("2.审批表"))
    )
    assert texts(parsed) == ["特此通知。"]
    assert set(reasons(parsed)) == {"attachment_list"}


def test_a_document_of_pictures_only_needs_ocr() -> None:
    picture = '<w:r><w:drawing><a:blip xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"/></w:drawing></w:r>'
    parsed = docx.parse(word_file(paragraph(picture)))
    assert parsed.state is FileState.NEEDS_OCR
    assert "1 张图片" in parsed.message


def test_entities_are_refused_and_deep_nesting_is_too_complex() -> None:
    entity = f'<!DOCTYPE d [<!ENTITY x "y">]><w:document xmlns:w="{W}"><w:body/></w:document>'
    deep = f"<w:document xmlns:w='{W}'>{'<w:tbl>' * 400}{'</w:tbl>' * 400}</w:document>"
    for document, reason in ((entity, FailureReason.UNSAFE), (deep, FailureReason.TOO_COMPLEX)):
        with pytest.raises(ParseFailure) as caught:
            docx.parse(word_file("", {"word/document.xml": document}))
        assert caught.value.reason is reason


def _marked(kind: str) -> str:
    return f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>'


BOXED_TABLE = table([cell("甲"), cell("乙")])
INLINES = st.sampled_from(
    [
        run("文字"),
        run("\u200b"),
        run("隐", "<w:vanish/>"),
        run("１ﬁ \uf0b7"),
        inserted("增"),
        deleted("删"),
        f'<w:moveFrom w:id="1">{run("移")}</w:moveFrom>',
        f"<w:sdt><w:sdtContent>{run('控')}</w:sdtContent></w:sdt>",
        f'<w:fldSimple w:instr="TOC \\o">{run("目")}</w:fldSimple>',
        *map(_marked, ("begin", "separate", "end")),
        "<w:r><w:instrText>TOC x</w:instrText></w:r>",
        "<w:r><w:tab/></w:r>",
        run("修订记录"),
        run("目录"),
        run("9"),
        f"<w:r><w:pict><w:txbxContent>{paragraph(run('框'))}{BOXED_TABLE}</w:txbxContent></w:pict></w:r>",
        f"<w:r><mc:AlternateContent><mc:Choice/><mc:Fallback>{run('替')}</mc:Fallback></mc:AlternateContent></w:r>",
    ]
)
PROPERTIES = st.sampled_from(
    [
        "",
        numbered(1),
        numbered(1, 1),
        numbered(7),
        '<w:outlineLvl w:val="0"/>',
        '<w:pStyle w:val="TOC1"/>',
        '<w:rPr><w:del w:id="3"/></w:rPr>',
        "<w:rPr><w:vanish/></w:rPr>",
    ]
)
PARAGRAPHS = st.builds(
    lambda inner, properties: paragraph(*inner, properties=properties),
    st.lists(INLINES, max_size=5),
    PROPERTIES,
)
CELLS = st.builds(
    lambda properties, content: f"<w:tcPr>{properties}</w:tcPr>{content}",
    st.sampled_from(
        ["", '<w:vMerge w:val="restart"/>', "<w:vMerge/>", '<w:gridSpan w:val="3"/>', "<w:hMerge/>"]
    ),
    PARAGRAPHS,
)
TABLES = st.lists(st.lists(CELLS, min_size=1, max_size=4), max_size=4).map(lambda rows: table(*rows))
NESTED = TABLES.map(lambda inner: table([paragraph(run("外")) + inner + paragraph()]))
BODIES = st.lists(PARAGRAPHS | TABLES | NESTED, max_size=8).map("".join)


@settings(max_examples=80, deadline=None)
@given(BODIES)
def test_the_account_of_any_body_balances_with_nothing_unread(body: str) -> None:
    parsed = read(body, {"word/numbering.xml": numbering(("decimal", "%1."), ("lowerRoman", "%1.%2"))})
    assert "unread" not in reasons(parsed)
    for block in parsed.blocks:
        assert parsed.text[block.anchor.char_start : block.anchor.char_end] == block.text
