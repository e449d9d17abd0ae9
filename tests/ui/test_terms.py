"""The administrator teaches it words: a lay term, a dictionary word, a candidate from what got no answer."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser import PHONE, OpenPage, PageLog
from tests.ui.library import Console
from tests.ui.test_reach import PALE, SMALL, TOO_WIDE, names_headings_and_landmarks_are_in_order

pytestmark = pytest.mark.browser

SIDES = ("synonyms", "dictionary", "stopwords", "equivalents", "suggestions")


def found(console: Console, query: str) -> list[str]:
    with console.api() as client:
        result = client.post("/retrieval", json={"query": query}).raise_for_status().json()
        return [item["document_name"] for item in result["evidence"]]


def test_a_synonym_is_in_force_with_the_next_question(
    console: Console, open_page: OpenPage, page_log: PageLog
) -> None:
    assert found(console, "铁皮匣子") == []
    page = open_page(console.page("/terms"))
    page.get_by_label("员工的说法").fill("铁皮匣子")
    page.get_by_label("标准词").fill("公务车")
    page.get_by_role("button", name="添加").click()
    expect(page.get_by_text("已添加，下一个问题就生效")).to_be_visible()
    assert "车辆规定" in found(console, "铁皮匣子")
    page.get_by_label("查找").fill("铁皮匣子")
    expect(page.locator("tbody tr")).to_have_count(1)
    page.get_by_role("button", name="删除「铁皮匣子 公务车」").click()
    expect(page.get_by_text("没有符合条件的。")).to_be_visible()
    assert found(console, "铁皮匣子") == []
    assert page_log.complaints == []


def test_what_is_wrong_is_told_and_what_was_typed_stays(console: Console, open_page: OpenPage) -> None:
    page = open_page(console.page("/terms?list=dictionary"))
    page.get_by_label("词", exact=True).fill("<b>云 桌面</b>")
    page.get_by_role("button", name="添加").click()
    expect(page.get_by_text("中间不能有空格")).to_be_visible()
    expect(page.get_by_label("词", exact=True)).to_have_value("<b>云 桌面</b>")
    page.get_by_label("词", exact=True).fill("派车单")
    page.get_by_label("词频").fill("12")
    page.get_by_role("button", name="添加").click()
    page.get_by_label("查找").fill("派车单")
    expect(page.locator("tbody tr")).to_have_count(1)
    expect(page.locator("tbody tr")).to_contain_text("12")


def test_one_press_takes_a_candidate(console: Console, open_page: OpenPage) -> None:
    with console.api() as client:
        for question in ("土星环上的摆渡飞毯怎么订", "摆渡飞毯谁来开"):
            client.post("/chat", json={"message": question, "stream": False}).raise_for_status()
    page = open_page(console.page("/terms"))
    page.get_by_role("link", name="候选").click()
    record = page.locator(".record", has=page.locator(".record-name", has_text="飞毯"))
    expect(record).to_have_count(1)
    word = record.locator(".record-name").inner_text()
    record.get_by_role("link", name="另填一个标准词").click()
    expect(page.get_by_label("员工的说法")).to_have_value(word)
    page.go_back()
    choice = record.get_by_role("button").first
    term = choice.inner_text()
    choice.click()
    expect(page.get_by_text(f"已加入同义词：{word} → {term}")).to_be_visible()
    expect(record).to_have_count(0)
    with console.api() as client:
        assert {"lay": word, "standard": term} in client.get("/terms").raise_for_status().json()["synonyms"]


@pytest.mark.parametrize("side", [*SIDES, "candidates"])
def test_every_list_can_be_used_by_everybody(console: Console, open_page: OpenPage, side: str) -> None:
    page = open_page(console.page(f"/terms?list={side}"), size=PHONE)
    expect(page.locator(".list-note").last).to_contain_text(re.compile("共|没有反复出现"))
    names_headings_and_landmarks_are_in_order(page)
    assert page.evaluate(TOO_WIDE) == []
    assert page.evaluate(SMALL) == []
    assert page.evaluate(PALE) == []
