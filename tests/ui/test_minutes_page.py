"""A meeting's page: cards over the full text, and every place in it to be reached."""

import json
import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser import PHONE, OpenPage, PageLog
from tests.ui.library import Console, give_minutes, minutes
from tests.ui.test_reach import DARK_INK, PALE, SMALL, TOO_WIDE, names_headings_and_landmarks_are_in_order

pytestmark = pytest.mark.browser

LONG = 450  # paragraphs: more than two batches
HALL = (
    "时间：2025年4月8日",
    "张总：先定会场。",
    "李四：我负责订会场，四月二十日前订好。",
    "张总：同意，就定在一楼。",
)


def long_record() -> list[str]:
    topics = ("采购打印机", "招聘司机", "搬迁仓库", "装修食堂", "更换门禁")
    lines = []
    for number in range(LONG - 1):
        if number % 90 == 0:
            lines.append(f"主持人：下一个议题，{topics[number // 90]}。")
        else:
            speaker = "张总" if number % 2 else "李四"
            lines.append(f"{speaker}：{topics[number // 90]}的第{number}点，照原来的办。")
    return lines


@pytest.fixture(scope="module")
def hall(console: Console) -> str:
    (document,) = give_minutes(console, minutes("会场筹备会", *HALL))
    return document


@pytest.fixture(scope="module")
def long(console: Console) -> str:
    (document,) = give_minutes(console, minutes("四百段长会", *long_record()))
    return document


def meeting(console: Console, document: str, rest: str = "") -> str:
    return console.page(f"/minutes/{document}{rest}")


def paragraph(page: Page, number: int) -> Locator:
    return page.locator(f"#p{number}")


def shown(page: Page) -> list[int]:
    return [int(number) for number in page.locator(".said-number").all_inner_texts()]


def test_the_full_text_stands_under_its_topics_with_both_locks(
    console: Console, open_page: OpenPage, hall: str, page_log: PageLog
) -> None:
    page = open_page(meeting(console, hall))
    expect(page.locator(".lock")).to_have_text(["段落 5/5，次序与重复一致✓", "字符差 0✓"])
    assert page.locator(".said-words").all_inner_texts() == ["会场筹备会", *HALL]
    assert shown(page) == [1, 2, 3, 4, 5]
    expect(page.get_by_role("navigation", name=re.compile("议题（"))).to_be_visible()
    assert page_log.complaints == []


def test_a_place_in_the_address_is_marked_and_in_view(
    console: Console, open_page: OpenPage, long: str
) -> None:
    text = "\n".join(["四百段长会", *long_record()])
    start = text.index("第400点")
    page = open_page(meeting(console, long, f"?at={start}-{start + 5}"))
    expect(page.locator("mark")).to_have_text("第400点")
    expect(page.locator("mark")).to_be_in_viewport()


def test_a_paragraph_named_after_the_hash_is_marked_and_in_view(
    console: Console, open_page: OpenPage, long: str
) -> None:
    page = open_page(meeting(console, long, "#p430"))
    expect(paragraph(page, 430).locator("mark").first).to_be_in_viewport()
    assert "".join(page.locator("mark").all_inner_texts()) == long_record()[428]


@pytest.mark.parametrize("rest", ["?at=7", "?at=1-999999", "?at=1-5&revision=earlier"])
def test_a_place_that_is_none_is_told_and_the_text_shown(
    console: Console, open_page: OpenPage, hall: str, rest: str
) -> None:
    page = open_page(meeting(console, hall, rest))
    expect(page.get_by_text("要找的原话已不在这一版里")).to_be_visible()
    expect(page.locator("mark")).to_have_count(0)
    expect(page.locator(".said")).to_have_count(5)


def test_a_long_meeting_is_shown_as_far_as_asked_and_nothing_is_left_out(
    console: Console, open_page: OpenPage, long: str
) -> None:
    page = open_page(meeting(console, long))
    expect(page.locator(".said")).to_have_count(200)
    expect(page.get_by_text("共 450 段，显示第 1–200 段")).to_be_visible()
    page.get_by_role("button", name="接着显示后面 200 段").click()
    expect(page.locator(".said")).to_have_count(400)
    expect(page.get_by_role("link", name="第 201 段", exact=True)).to_be_focused()
    page.get_by_role("button", name="接着显示后面 50 段").click()
    expect(page.locator(".said")).to_have_count(LONG)
    expect(page.get_by_text("共 450 段", exact=True)).to_be_visible()
    assert page.locator(".said-words").all_inner_texts() == ["四百段长会", *long_record()]


def test_a_card_leads_to_its_topic_by_keyboard(console: Console, open_page: OpenPage, long: str) -> None:
    page = open_page(meeting(console, long))
    card = page.locator(".topic").last
    number = int(card.locator(".rank").inner_text())
    card.get_by_role("link").focus()
    page.keyboard.press("Enter")
    heading = page.locator(f"h3[data-segment='{number}']").first
    expect(heading).to_be_focused()
    expect(heading).to_be_in_viewport()
    expect(card.get_by_role("link")).to_have_attribute("aria-current", "true")
    page.get_by_role("button", name="接着显示前面 200 段").click()
    expect(page.get_by_text(re.compile("显示第 1–|共 450 段$"))).to_be_visible()
    assert shown(page) == sorted(shown(page))


def test_what_came_of_a_meeting_leads_to_the_words(console: Console, open_page: OpenPage, hall: str) -> None:
    page = open_page(meeting(console, hall, "?side=outcomes"))
    item = page.locator(".record", has_text="我负责订会场")
    expect(item).to_contain_text("负责：李四")
    expect(item).to_contain_text("2025年4月20日")
    item.get_by_role("link").click()
    expect(page.locator("mark").first).to_be_in_viewport()
    assert "".join(page.locator("mark").all_inner_texts()) in HALL[2]


def test_how_it_was_cut_is_told_with_the_whole_log(console: Console, open_page: OpenPage, hall: str) -> None:
    page = open_page(meeting(console, hall, "?side=account"))
    page.get_by_text(re.compile(r"展开 \d+ 行")).click()
    log = page.get_by_role("region", name="日志全文")
    expect(log).to_contain_text("[录入员(PreprocessAgent)] ")
    with console.api() as client:
        lines = client.get(f"/minutes/{hall}").json()["run_log"]
    assert log.inner_text().split("\n") == lines
    expect(page.get_by_text("未经审稿")).to_be_visible()


def test_the_record_and_the_original_are_handed_out(console: Console, open_page: OpenPage, hall: str) -> None:
    page = open_page(meeting(console, hall))
    with page.expect_download() as started:
        page.get_by_role("link", name="下载 JSON").click()
    assert started.value.suggested_filename == "会场筹备会.json"
    record = json.loads(started.value.path().read_text(encoding="utf-8"))
    assert record["completeness"]["char_diff"] == 0
    with page.expect_download() as started:
        page.get_by_role("link", name="下载原件").click()
    assert started.value.path().read_bytes() == minutes("会场筹备会", *HALL)["buffer"]


def test_a_meeting_is_deleted_only_after_a_second_word(console: Console, open_page: OpenPage) -> None:
    (document,) = give_minutes(console, minutes("短命会议", "张总：说完就散。"))
    page = open_page(meeting(console, document))
    page.get_by_role("button", name="删除《短命会议》").click()
    dialog = page.get_by_role("dialog", name="删除《短命会议》？")
    expect(dialog.get_by_role("button", name="取消")).to_be_focused()
    dialog.get_by_role("button", name="删除").click()
    expect(page.get_by_role("heading", name="会议纪要", level=1)).to_be_visible()
    answer = page.request.get(meeting(console, document))
    assert answer.status == 404
    assert page.request.get(meeting(console, document, "/record")).status == 404


@pytest.mark.parametrize("rest", ["", "?side=outcomes", "?side=speakers", "?side=account"])
def test_every_side_can_be_used_by_everybody(
    console: Console, open_page: OpenPage, hall: str, rest: str
) -> None:
    page = open_page(meeting(console, hall, rest))
    expect(page.locator(".lock").first).to_be_visible()
    names_headings_and_landmarks_are_in_order(page)
    assert page.evaluate(PALE) == []
    page.emulate_media(color_scheme="dark")
    expect(page.locator(".brand-name")).to_have_css("color", DARK_INK)
    assert page.evaluate(PALE) == []
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    assert page.evaluate(TOO_WIDE) == []
    assert page.evaluate(SMALL) == []
