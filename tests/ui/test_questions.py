"""The administrator sees what got no answer, what did not help and what is asked often."""

import pytest
from playwright.sync_api import expect

from tests.browser import OpenPage, PageLog
from tests.ui.library import Console

pytestmark = pytest.mark.browser

REFUSED = "火星基地的宿舍怎么分配？"
ANSWERED = "会议室应当提前几天预订？"


def asked(console: Console, question: str, comment: str = "") -> None:
    with console.api() as client:
        answer = client.post("/chat", json={"message": question, "stream": False}).raise_for_status().json()
        if comment:
            rating = {"rating": "dislike", "comment": comment}
            client.post(f"/messages/{answer['message_id']}/feedback", json=rating).raise_for_status()


def test_each_list_shows_its_questions(console: Console, open_page: OpenPage, page_log: PageLog) -> None:
    for question in (REFUSED, f"请问{REFUSED}"):
        asked(console, question)
    asked(console, ANSWERED, "<b>没说清</b>哪间")
    page = open_page(console.page("/questions"))
    refused = page.locator(".record", has_text=REFUSED)
    expect(refused).to_have_count(1)
    expect(refused).to_contain_text("问过 2 次")
    expect(refused).to_contain_text("2 次没有答上")
    page.get_by_role("link", name="经常问的").click()
    expect(page.locator(".record", has_text=REFUSED)).to_contain_text("问过 2 次")
    page.get_by_role("link", name="没有帮助的").click()
    disliked = page.locator(".record", has_text=ANSWERED)
    expect(disliked).to_contain_text("「<b>没说清</b>哪间」")
    disliked.get_by_text("查看回答").click()
    expect(disliked.locator(".passage-text")).to_be_visible()
    assert page_log.complaints == []


def test_a_question_is_looked_into_on_the_retrieval_page(console: Console, open_page: OpenPage) -> None:
    asked(console, "水星基地的宿舍怎么分配？")
    page = open_page(console.page("/questions"))
    page.get_by_role("link", name="检索看看：水星基地").click()
    expect(page.get_by_label("问题或检索词")).to_have_value("水星基地的宿舍怎么分配？")
    expect(page.locator(".verdict")).to_be_visible()


def test_another_period_is_looked_up(console: Console, open_page: OpenPage) -> None:
    asked(console, "木星基地的宿舍怎么分配？")
    page = open_page(console.page("/questions"))
    page.get_by_label("时间").select_option("近一周")
    expect(page.locator(".record", has_text="木星")).to_have_count(1)
