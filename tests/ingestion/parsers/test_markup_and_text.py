"""html, md and txt: what a reader sees is kept, the rest is booked, and the account always balances."""

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ingestion.documents import BlockKind, FailureReason, Parsed
from ingestion.errors import ParseFailure
from ingestion.parsers import html, markdown, text


def outline(parsed: Parsed) -> list[tuple[int, str]]:
    return [(block.level, block.text) for block in parsed.blocks if block.kind is BlockKind.HEADING]


def body(parsed: Parsed) -> list[str]:
    return [block.text for block in parsed.blocks if block.kind is not BlockKind.HEADING]


def reasons(parsed: Parsed) -> set[str]:
    return {dropped.reason for dropped in parsed.report.dropped}


# --- html


def test_a_page_keeps_its_words_and_books_the_rest() -> None:
    page = """<html><head><title>通知 - 内网</title><style>p{}</style></head><body>
    <nav>首页</nav><h1>通知</h1><p>第一行
    续行 <b>and</b> more</p><p style="display: none">暗</p><!-- 草稿 -->
    <div id="footer">版权</div></body></html>"""
    parsed = html.parse(page.encode())
    assert outline(parsed) == [(1, "通知")]
    assert body(parsed) == ["第一行续行 and more"]
    assert reasons(parsed) == {"page_title", "script", "navigation", "hidden", "comment", "page_footer"}
    assert parsed.metadata.title == "通知 - 内网"


def test_a_wrapper_named_like_a_menu_is_not_dropped() -> None:
    parsed = html.parse('<div class="sidebar menu"><h2>办事指南</h2><p>材料三份。</p></div>'.encode())
    assert (outline(parsed), body(parsed)) == ([(2, "办事指南")], ["材料三份。"])


def test_spans_of_a_data_table_are_said_and_hidden_cell_parts_booked() -> None:
    page = """<table><caption>作息表</caption><tr><th rowspan=2>区域</th><th colspan=2>时间</th></tr>
    <tr><th>上午</th><th>下午</th></tr>
    <tr><td>杭州<i hidden>内部</i></td><td>8:30</td><td>13:30</td></tr></table>"""
    parsed = html.parse(page.encode())
    assert body(parsed)[0] == "作息表"
    assert "杭州" in body(parsed)[1] and "时间/上午" in body(parsed)[1] and "内部" not in body(parsed)[1]
    assert reasons(parsed) == {"hidden"}


def test_a_layout_table_is_read_as_text() -> None:
    inner = "<table><tr><td>甲</td><td>乙</td></tr><tr><td>1</td><td>2</td></tr></table>"
    page = f"<table><tr><td>左栏</td><td>{inner}</td></tr></table>"
    parsed = html.parse(page.encode())
    assert body(parsed)[0] == "左栏"
    assert body(parsed)[1] == "甲为1，乙为2。"


def test_headings_of_word_pages_are_told_by_outline_level_and_bold_numbers() -> None:
    page = '<p style="mso-outline-level:1">总则</p><p><b>一、范围</b></p><p>适用于全体员工。</p>'
    assert outline(html.parse(page.encode())) == [(1, "总则"), (2, "一、范围")]


def test_items_stay_items_inside_paragraphs_and_pre_keeps_its_lines() -> None:
    parsed = html.parse("<ul><li><p>甲</p></li><li>乙</li></ul><pre>a\n  b</pre>".encode())
    assert [(block.kind, block.text) for block in parsed.blocks] == [
        (BlockKind.LIST, "甲"),
        (BlockKind.LIST, "乙"),
        (BlockKind.PARAGRAPH, "a\n  b"),
    ]


def test_a_page_nested_without_end_is_too_complex_and_a_deep_one_is_read() -> None:
    deep = "<div>" * 1500 + "深处" + "</div>" * 1500
    assert body(html.parse(deep.encode())) == ["深处"]
    with pytest.raises(ParseFailure) as caught:
        html.parse(("<div>" * 5000 + "更深").encode())
    assert caught.value.reason is FailureReason.TOO_COMPLEX


def test_spans_that_open_an_endless_grid_are_too_complex() -> None:
    row = "<tr><td rowspan=1000 colspan=1000>甲</td><td>乙</td></tr>"
    with pytest.raises(ParseFailure) as caught:
        html.parse(f"<table>{row * 200}</table>".encode())
    assert caught.value.reason is FailureReason.TOO_COMPLEX


# --- md

MARKDOWN = """---
title: 写作规范
version: v2.1
---

写作规范
========

一、目的
--------

统一格式，
便于检索[^1]。

```bash
# 不是标题
```

1. 先起草
2. 再审核

<!-- 待删除 -->

[^1]: 见附录。

[link]: https://example.com
"""


def test_markdown_structure_is_read_and_markup_booked() -> None:
    parsed = markdown.parse(MARKDOWN.encode())
    assert outline(parsed) == [(1, "写作规范"), (2, "一、目的")]
    assert body(parsed) == ["统一格式，便于检索。", "# 不是标题", "1. 先起草", "2. 再审核", "见附录。"]
    assert parsed.blocks[-1].kind is BlockKind.NOTE
    assert parsed.blocks[2].anchor.element == "一目的"
    assert parsed.blocks[2].anchor.paragraph == 12
    assert parsed.metadata.title == "写作规范"
    assert reasons(parsed) == {"front_matter", "markup", "comment", "link_definition"}


def test_same_headings_get_ids_of_their_own() -> None:
    parsed = markdown.parse("# 说明\n\n甲\n\n# 说明\n\n乙\n".encode())
    assert [block.anchor.element for block in parsed.blocks] == ["说明", "说明", "说明-1", "说明-1"]


def test_a_note_in_brackets_is_no_link_definition() -> None:
    assert body(markdown.parse("[注意]: 请在月底前提交。\n".encode())) == ["[注意]: 请在月底前提交。"]


def test_tables_in_markdown_and_in_its_html_are_said() -> None:
    embedded = "<table><tr><th>甲</th><th>乙</th></tr><tr><td>1</td><td>2</td></tr></table>"
    source = f"| 等级 | 时限 |\n|---|---|\n| 高 | 7天 |\n\n{embedded}\n"
    assert body(markdown.parse(source.encode())) == ["等级为高，时限为7天。", "甲为1，乙为2。"]


def test_a_revision_record_in_markdown_is_dropped_with_its_title() -> None:
    source = "修订记录\n\n| 日期 | 版本 | 修改描述 |\n|---|---|---|\n| 2022-8-24 | 0.1 | 初稿 |\n\n正文\n"
    parsed = markdown.parse(source.encode())
    assert body(parsed) == ["正文"]
    assert parsed.metadata.revision_table[1] == ("2022-8-24", "0.1", "初稿")


@pytest.mark.parametrize("inner", ["停电通知：周六停电。", "# 停电通知", "- 周六停电", "时间: 周六\n转告。"])
def test_text_between_two_rules_at_the_top_is_no_front_matter(inner: str) -> None:
    parsed = markdown.parse(f"---\n{inner}\n\n---\n\n正文。\n".encode())
    assert inner.split("\n")[-1].lstrip("#- ") in "\n".join(block.text for block in parsed.blocks)
    assert "front_matter" not in reasons(parsed)


def test_front_matter_may_have_lists_comments_and_continued_values() -> None:
    front = "---\n# 由编辑器生成\ntitle: 规范\ntags:\n  - 甲\n- 乙\nsummary: >\n  两行\n\n---\n"
    parsed = markdown.parse(f"{front}正文。\n".encode())
    assert (body(parsed), parsed.metadata.title) == (["正文。"], "规范")


@pytest.mark.parametrize("line", ["单位：万元", "（货币单位：万元）", "【计量单位: 万元】"])
def test_a_unit_above_a_table_is_said_in_its_rows_however_it_is_written(line: str) -> None:
    source = f"{line}\n\n| 部门 | 预算 |\n|---|---|\n| 财务部 | 3 |\n"
    assert "（单位：万元）" in body(markdown.parse(source.encode()))[-1]


def test_a_data_table_under_change_control_is_kept() -> None:
    source = "# 变更控制\n\n| 变更类型 | 审批人 |\n|---|---|\n| 重大变更 | 总经理 |\n"
    assert body(markdown.parse(source.encode()))[-1] == "变更类型为重大变更，审批人为总经理。"


# --- txt


def test_headings_of_plain_text_are_told_by_numbering_and_what_follows() -> None:
    opening = "考勤管理办法\n\n第一章 总则\n第一条 为规范考勤，制定本办法。\n"
    source = f"{opening}一、范围\n适用于全体员工。\n1. 甲\n2. 乙\n3. 丙\n"
    parsed = text.parse(source.encode())
    assert outline(parsed) == [(1, "考勤管理办法"), (2, "第一章 总则"), (3, "一、范围")]
    assert [block.text for block in parsed.blocks if block.kind is BlockKind.LIST] == [
        "1. 甲",
        "2. 乙",
        "3. 丙",
    ]


def test_lines_broken_by_an_editor_are_joined_and_paragraphs_are_not() -> None:
    long = (
        "为进一步加强差旅费管理厉行节约反对浪费根据国家规定结合公司实际制定本办法请各部门遵照执行落实到位。"
    )
    wrapped = "\n".join(long[i : i + 12] for i in range(0, len(long), 12))
    assert body(text.parse(wrapped.encode())) == [long]
    assert len(text.parse("甲部门\n乙部门\n丙部门\n".encode()).blocks) == 3


def test_text_behind_lists_of_attachments_is_kept() -> None:
    source = "请填写附表。\n附件清单\n附件：1.申请表\n各部门应当遵照执行。\n附件：1.报销单\n2024年5月6日\n"
    parsed = text.parse(source.encode())
    assert body(parsed) == ["请填写附表。", "各部门应当遵照执行。", "2024年5月6日"]
    assert parsed.report.balanced


def test_a_table_of_contents_in_text_is_dropped() -> None:
    parsed = text.parse("目录\n第一章 总则......1\n第二章 附则......9\n正文开始。\n".encode())
    assert body(parsed) == ["正文开始。"]
    assert reasons(parsed) == {"table_of_contents"}


def test_binary_data_is_no_text() -> None:
    with pytest.raises(ParseFailure) as caught:
        text.parse(bytes(range(256)) * 8)
    assert caught.value.reason is FailureReason.WRONG_TYPE


# --- the account

TOKENS = st.sampled_from(
    [
        "<p>",
        "</p>",
        "<table>",
        "<tr>",
        "<td>",
        "<td",
        "colspan=3>",
        "<td",
        "rowspan=2>",
        "</td>",
        "</table>",
        "<th>",
        "<caption>",
        "<h1>",
        "</h1>",
        "<li>",
        "<br>",
        "<div",
        "hidden>",
        "</div>",
        "<script>",
        "</script>",
        "<!--",
        "-->",
        "<nav>",
        "<pre>",
        "&lt;",
        "&amp;nbsp;",
        "#",
        "##",
        "-",
        "1.",
        ">",
        "```",
        "|",
        "---",
        "|---|",
        "\n",
        "\n\n",
        "[^1]:",
        "**",
        "_",
        "[a](b)",
        "![图](x)",
        "第一章",
        "一、",
        "目录",
        "......3",
        "修订记录",
        "版本",
        "日期",
        "附件：",
        "文字",
        "word",
        "12.5",
        "\u200b",
        "ﬁ",
        "\u3000",
        "\xad",
        "\x00",
        "\x0b",
        "\u2028",
        "---\n",
    ]
)
SOURCES = st.lists(TOKENS, max_size=60).map("".join) | st.text(max_size=200)
PARSERS = st.sampled_from([html.parse, markdown.parse, text.parse])


@settings(max_examples=400, deadline=None)
@given(PARSERS, SOURCES)
def test_kept_and_dropped_always_add_up_to_what_came_in(
    parse: Callable[[bytes], Parsed], source: str
) -> None:
    try:
        parsed = parse(source.encode("utf-8", "surrogatepass"))
    except ParseFailure as failure:
        assert failure.reason in (FailureReason.WRONG_TYPE, FailureReason.TOO_COMPLEX)
        return
    assert parsed.report.balanced
    assert not any("独立统计" in finding for finding in parsed.report.findings)
    assert "unread" not in reasons(parsed)
    for block in parsed.blocks:
        assert parsed.text[block.anchor.char_start : block.anchor.char_end] == block.text
