"""Noise told from text and position, and its near misses."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingestion.cleaning import (
    Noise,
    PageLine,
    attachment_list,
    attachment_lists,
    is_page_number,
    is_revision_header,
    is_revision_record,
    is_revision_row,
    is_revision_title,
    is_toc_entry,
    is_toc_title,
    running_lines,
    toc_lines,
    toc_title,
)

HEIGHT = 842.0


def pages(*texts: list[tuple[str, float]]) -> list[dict[int, Noise]]:
    lines = [[PageLine(text, top, top + 12) for text, top in page] for page in texts]
    return running_lines(lines, [HEIGHT] * len(lines))


def test_a_header_with_changing_numbers_repeats() -> None:
    found = pages(*([(f"第{n}期 会议通讯", 40.0), ("正文", 300.0)] for n in "一二三"))
    assert found == [{0: Noise.RUNNING_HEADER}] * 3


def test_the_same_words_at_another_height_do_not_repeat() -> None:
    found = pages([("通知", 40.0)], [("通知", 60.0)], [("通知", 80.0)])
    assert found == [{}] * 3


def test_headers_of_odd_and_even_pages_are_found_apart() -> None:
    found = pages(
        *([("左页书名" if n % 2 else "右页章名", 40.0), (f"内容{n * 'x'}", 300.0)] for n in range(6))
    )
    assert all(noise == {0: Noise.RUNNING_HEADER} for noise in found)


def test_the_first_line_that_does_not_repeat_ends_the_search() -> None:
    found = pages(*([(f"标题{letter}", 40.0), ("小标题", 60.0)] for letter in "甲乙丙"))
    assert found == [{}] * 3


def test_lines_in_the_middle_of_the_page_never_count() -> None:
    assert pages(*([("重复的正文", 400.0)] for _ in range(5))) == [{}] * 5


def test_a_page_number_goes_even_where_its_neighbours_differ() -> None:
    found = pages([("正文甲", 300.0), ("- 1 -", 800.0)], [("正文乙", 300.0), ("- 2 -", 790.0)])
    assert found == [{1: Noise.PAGE_NUMBER}] * 2


def test_a_single_page_is_never_judged() -> None:
    assert pages([("公司名称", 30.0), ("1", 810.0)]) == [{}]


@pytest.mark.parametrize("text", ["1", "- 12 -", "第 3 页 共 8 页", "第3页", "3/8", "iv", "Page 3 of 9"])
def test_page_numbers(text: str) -> None:
    assert is_page_number(text)


@pytest.mark.parametrize("text", ["12345", "第三章", "2024 年", "附件 1", "civil law", ""])
def test_no_page_numbers(text: str) -> None:
    assert not is_page_number(text)


@pytest.mark.parametrize(
    ("entry", "title"),
    [
        ("一、总则............3", "一、总则"),
        ("1.1 目的 …………… 12", "1.1 目的"),
        ("附录 . . . . . . . ii", "附录"),
        ("第二章 职责 ········ 5", "第二章 职责"),
    ],
)
def test_entries_of_a_table_of_contents_give_their_title(entry: str, title: str) -> None:
    assert is_toc_entry(entry)
    assert toc_title(entry) == title


@pytest.mark.parametrize("text", ["详见第 3 页", "等等...", "总额 3,000.00", "……"])
def test_other_lines_with_dots_or_numbers_are_no_entries(text: str) -> None:
    assert not is_toc_entry(text)


def test_a_contents_page_ends_with_its_last_entry() -> None:
    lines = ["目 录", "一、总则......1", "二、职责", "......2", "第一章 总则"]
    assert toc_lines(lines) == range(4)


def test_contents_with_tabbed_page_numbers_count_below_their_title_only() -> None:
    entries = ["总则 1", "职责 2", "附则 5"]
    assert toc_lines(["目录", *entries]) == range(4)
    assert toc_lines(entries) == range(0)
    assert is_toc_title("目 次")


def test_revision_headers_need_what_when_and_how() -> None:
    assert is_revision_header(["版本", "修订日期", "修订人", "修订说明"])
    assert is_revision_header(["版本号", "更改时间", "更改简要描述", "批准人"])
    assert not is_revision_header(["文件名", "修改时间", "大小"])
    assert not is_revision_header(["版本", "价格", "功能说明", "上市日期"])


def test_revision_titles_and_rows() -> None:
    assert is_revision_title("修 订 记 录")
    assert is_revision_title("更改履历：")
    assert not is_revision_title("修订记录的保存期限为三年")
    assert is_revision_row("V1.2 2023-05-01 王五 增加附录")
    assert not is_revision_row("V1.2 版本尚未发布")


@pytest.mark.parametrize(
    ("texts", "length"),
    [
        (["附件清单", "1. 申请表", "2. 承诺书", "正文继续。"], 3),
        (["附件：", "附件1 流程图", "附件2 表单"], 3),
        (["附件：1. 申请表", "2. 承诺书"], 2),
        (["附件：1. 申请表", "2. 承诺书", "三、审批权限"], 2),
        (["附件：1.报销单", "2024年5月6日"], 1),
        (["附件：1.报销单", "2024-05-06"], 1),
        (["附件：", "①申请表", "②承诺书"], 3),
        (["附件：", "30日内办理完毕", "500元以下免审"], 0),
        (["附件1：申请表", "申请人填写姓名。"], 0),
        (["附件：", "申请人应当按照要求填写全部内容。"], 0),
        (["附件齐全的，当场受理。"], 0),
    ],
)
def test_lists_of_attachments(texts: list[str], length: int) -> None:
    assert attachment_list(texts) == length


def test_a_list_within_a_list_ends_where_the_names_end() -> None:
    assert attachment_lists(["附件清单", "附件：1. 申请表", "各部门应当遵照执行"]) == [range(2)]


def test_a_table_under_a_title_of_revisions_needs_a_column_of_days() -> None:
    record = [["版次", "日期", "作者"], ["A0", "2023-05-01", "王五"]]
    data = [["变更类型", "审批人", "完成时间"], ["重大变更", "总经理", "三个工作日内"]]
    assert is_revision_record(record, "修订记录")
    assert is_revision_record(record, "9.2 版本历史")
    assert is_revision_record([["修订履历"], *record], "")
    assert not is_revision_record(record, "附录")
    assert not is_revision_record(data, "变更控制")
    assert not is_revision_record([["变更类型", "审批人"], ["重大变更", "总经理"]], "变更控制")


@given(st.lists(st.lists(st.tuples(st.text(max_size=8), st.floats(0, 830)), max_size=6), max_size=6))
def test_running_lines_always_stand_in_the_outer_bands(texts: list[list[tuple[str, float]]]) -> None:
    for page, noise in zip(texts, pages(*texts), strict=True):
        assert all(page[i][1] + 12 <= 0.15 * HEIGHT or page[i][1] >= 0.85 * HEIGHT for i in noise)
