"""Numbering patterns, what cannot be a heading, and levels by first appearance."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingestion.headings import MAX_LEVEL, Outline, Pattern, looks_like_heading, numbering


@pytest.mark.parametrize(
    ("text", "pattern", "prefix", "title"),
    [
        ("第一编 总则", Pattern.BOOK, "第一编", "总则"),
        ("第十二章　附则", Pattern.CHAPTER, "第十二章", "附则"),
        ("第3章 考勤", Pattern.CHAPTER, "第3章", "考勤"),
        ("第二節 薪資", Pattern.SECTION, "第二節", "薪資"),
        ("第五条 所有员工应当遵守", Pattern.CLAUSE, "第五条", "所有员工应当遵守"),
        ("第五条中国公民均可申请", Pattern.CLAUSE, "第五条", "中国公民均可申请"),
        ("第八条之一 补充", Pattern.CLAUSE, "第八条之一", "补充"),
        ("附件1：报销单", Pattern.ATTACHMENT, "附件1：", "报销单"),
        ("附件二", Pattern.ATTACHMENT, "附件二", ""),
        ("附录 A 术语", Pattern.ATTACHMENT, "附录 A", "术语"),
        ("附 1：历史", Pattern.ATTACHMENT, "附 1：", "历史"),
        ("一、总体要求", Pattern.HAN, "一、", "总体要求"),
        ("（三）申请材料", Pattern.HAN_BRACKET, "（三）", "申请材料"),
        ("(一) 命名", Pattern.HAN_BRACKET, "(一)", "命名"),
        ("1. 范围", Pattern.ARABIC, "1.", "范围"),
        ("3、例会", Pattern.ARABIC, "3、", "例会"),
        ("1 范围", Pattern.BARE, "1", "范围"),
        ("2.3 年休假", Pattern.DECIMAL_2, "2.3", "年休假"),
        ("1.1人员管理", Pattern.DECIMAL_2, "1.1", "人员管理"),
        ("1.2.3 接口", Pattern.DECIMAL_3, "1.2.3", "接口"),
        ("（2）时限", Pattern.ARABIC_BRACKET, "（2）", "时限"),
        ("② 说明", Pattern.CIRCLED, "②", "说明"),
        ("Chapter 2 Scope", Pattern.CHAPTER, "Chapter 2", "Scope"),
        ("Appendix B Terms", Pattern.ATTACHMENT, "Appendix B", "Terms"),
    ],
)
def test_numbering_gives_pattern_prefix_and_title(
    text: str, pattern: Pattern, prefix: str, title: str
) -> None:
    found = numbering(text)
    assert found is not None
    assert (found.pattern, found.prefix, found.title) == (pattern, prefix, title)


@pytest.mark.parametrize(
    "text",
    [
        "1.5 亿元的授信额度",
        "3.2%的增长",
        "10 个工作日内办结",
        "2021.5 第42卷",
        "2018 年第一季度",
        "0.5 小时",
        "第三条所述情形",
        "第三章和第四章另有规定",
        "第二条的规定",
        "附件的格式由人事部规定",
        "附近的网点",
        "一个人办理",
        "普通句子",
        "",
    ],
)
def test_quantities_dates_and_references_are_no_numbering(text: str) -> None:
    assert numbering(text) is None


@pytest.mark.parametrize(
    "text", ["第一章", "附件1", "一、总体要求", "2.3 年休假", "前言", "第二章 考勤与休假"]
)
def test_titles_look_like_headings(text: str) -> None:
    assert looks_like_heading(text)


@pytest.mark.parametrize(
    "text",
    [
        "四、利润总额（亏损总额以“－”号",
        "一、营业总收入 6,699,227.63 5,699,227.63",
        "1. 申请人提交材料。",
        "（二）由部门负责人审核；",
        "一、",
        "12,345.00",
        "三、" + "很长的一句话" * 8,
    ],
)
def test_table_rows_and_sentences_do_not_look_like_headings(text: str) -> None:
    assert not looks_like_heading(text)


def levels(*titles: str) -> list[int]:
    outline = Outline()
    return [outline.level(numbering(title)) for title in titles]


def test_patterns_nest_in_order_of_first_appearance() -> None:
    assert levels("第一章 总则", "一、目的", "（一）范围", "二、依据", "第二章 职责", "一、部门") == [
        1, 2, 3, 2, 1, 2,
    ]  # fmt: skip


def test_han_numbers_are_level_one_without_chapters() -> None:
    assert levels("一、编程规约", "（一）命名", "1. 常量", "（二）格式", "二、异常") == [1, 2, 3, 2, 1]


def test_arabic_may_stand_above_bracketed_han_when_it_comes_first() -> None:
    assert levels("1. 概述", "（一）背景", "2. 范围", "2.1 对象") == [1, 2, 1, 2]


def test_a_chapter_after_a_numbered_preface_is_still_level_one() -> None:
    assert levels("一、说明", "第一章 总则", "一、目的") == [1, 1, 2]


def test_decimals_nest_under_each_other() -> None:
    assert levels("1 总则", "1.1 目的", "1.1.1 依据", "1.2 范围", "2 职责") == [1, 2, 3, 2, 1]


def test_an_attachment_opens_a_new_tree() -> None:
    assert levels("第一章 总则", "一、目的", "附件1：流程", "一、步骤", "附件2：表单") == [1, 2, 1, 2, 1]


def test_styled_levels_win_and_patterns_follow_them() -> None:
    outline = Outline()
    assert outline.level(None, styled=2) == 2
    assert outline.level(numbering("1.1 甲"), styled=3) == 3
    assert outline.level(None, styled=1) == 1


def test_unnumbered_headings_nest_by_size() -> None:
    outline = Outline()
    sizes = [22.0, 16.0, 16.0, 14.0, 22.0]
    assert [outline.level(None, size=size) for size in sizes] == [1, 2, 2, 3, 1]


@given(
    st.lists(
        st.sampled_from(["第一章 甲", "第一节 乙", "一、丙", "（一）丁", "1. 戊", "1.1 己", "附件1 庚", "辛"])
    )
)
def test_levels_are_always_within_bounds_and_never_skip_one_downwards(titles: list[str]) -> None:
    got = levels(*titles)
    assert all(1 <= level <= MAX_LEVEL for level in got)
    assert all(after <= before + 1 for before, after in zip(got, got[1:], strict=False))


@given(st.text(max_size=60))
def test_numbering_always_keeps_every_character_of_the_text(text: str) -> None:
    found = numbering(text)
    if found is not None:
        assert "".join((found.prefix + found.title).split()) == "".join(text.split())
