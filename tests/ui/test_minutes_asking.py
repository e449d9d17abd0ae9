"""Asking the archive on its page: quotes lead to their place, and what was never said is refused."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser import PHONE, OpenPage, PageLog
from tests.ui.library import Console, give_minutes, minutes
from tests.ui.test_reach import PALE, SMALL, TOO_WIDE

pytestmark = pytest.mark.browser

BUS = (
    "时间：2025年5月20日",
    "吴主任：先说班车，早上七点二十分从南门发车，不再绕行北区。",
    "郑工：绕行北区每天多用二十分钟，取消我同意。",
    "吴主任：下一个议题，宿舍热水供应到晚上十一点。",
    "郑工：热水的锅炉六月检修一次。",
)


@pytest.fixture(scope="module")
def archive(console: Console) -> Console:
    give_minutes(console, minutes("后勤专题会", *BUS))
    return console


def ask(page: Page, question: str) -> None:
    page.get_by_label("问题", exact=True).fill(question)
    page.keyboard.press("Enter")
    expect(page.locator(".verdict")).to_be_visible()


def test_a_quote_leads_to_its_words_in_the_meeting(
    archive: Console, open_page: OpenPage, page_log: PageLog
) -> None:
    page = open_page(archive.page("/minutes"))
    ask(page, "班车几点从南门发车？")
    quote = page.locator(".quote", has_text="七点二十分").first
    for told in ("2025年5月20日", "吴主任", "后勤专题会"):
        expect(quote).to_contain_text(told)
    said = quote.locator("blockquote").inner_text()
    assert said in "\n".join(BUS)
    quote.get_by_role("link").click()
    expect(page.locator("mark").first).to_be_in_viewport()
    assert "".join(page.locator("mark").all_inner_texts()) == said
    assert page_log.complaints == []


def test_only_one_person_s_words_are_shown_where_they_are_asked_for(
    archive: Console, open_page: OpenPage
) -> None:
    page = open_page(archive.page("/minutes"))
    page.get_by_label("只用某人的原话").select_option("郑工")
    ask(page, "绕行北区多用多少时间？")
    expect(page.get_by_role("heading", name="郑工 说过")).to_be_visible()
    assert set(page.locator(".quote-speaker").all_inner_texts()) == {"郑工"}
    expect(page.locator(".verdict")).to_contain_text("只用 郑工 的原话")


def test_the_words_of_nobody_known_are_refused_with_the_reason(archive: Console, open_page: OpenPage) -> None:
    page = open_page(archive.page("/minutes"), size=PHONE)
    ask(page, "慕容总怎么看班车？")
    expect(page.locator(".verdict .tag")).to_have_text("不作答")
    expect(page.locator(".verdict")).to_contain_text("慕容总")
    expect(page.locator(".quote")).to_have_count(0)


def test_days_that_exclude_the_meeting_leave_nothing_to_quote(archive: Console, open_page: OpenPage) -> None:
    page = open_page(archive.page("/minutes"))
    page.get_by_label("会议从哪天").fill("1990-01-01")
    page.get_by_label("会议到哪天").fill("1990-12-31")
    ask(page, "班车几点从南门发车？")
    expect(page.locator(".verdict .tag")).to_have_text("不作答")
    expect(page.locator(".verdict")).to_contain_text("1990年1月1日至1990年12月31日")


@pytest.mark.parametrize(
    ("question", "first", "last", "told"),
    [("", "", "", "问题是空的"), ("班车", "2025-05-02", "2025-05-01", "起始日期晚于结束日期")],
    ids=["no question", "days the wrong way round"],
)
def test_what_cannot_be_asked_is_told(
    archive: Console, open_page: OpenPage, question: str, first: str, last: str, told: str
) -> None:
    page = open_page(archive.page("/minutes"))
    page.get_by_label("会议从哪天").fill(first)
    page.get_by_label("会议到哪天").fill(last)
    page.get_by_label("问题", exact=True).fill(question)
    page.get_by_role("button", name="问", exact=True).click()
    expect(page.get_by_role("alert").get_by_text(told)).to_be_visible()


def test_an_answer_can_be_read_on_a_phone_and_in_the_dark(archive: Console, open_page: OpenPage) -> None:
    page = open_page(archive.page("/minutes?q=班车几点从南门发车？"), size=PHONE)
    expect(page.locator(".quote").first).to_be_visible()
    assert page.evaluate(TOO_WIDE) == []
    assert page.evaluate(SMALL) == []
    assert page.evaluate(PALE) == []
    page.emulate_media(color_scheme="dark")
    expect(page.locator(".brand-name")).to_have_css("color", "rgb(228, 230, 230)")
    assert page.evaluate(PALE) == []
