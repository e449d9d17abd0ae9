"""What was read wrongly is put right on the document's page."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser import PHONE, OpenPage, PageLog
from tests.ui.library import Console, card_of, give, markdown, search_for
from tests.ui.test_reach import NAMELESS, SMALL, TOO_WIDE

pytestmark = pytest.mark.browser


def opened(console: Console, open_page: OpenPage, title: str) -> Page:
    page = open_page(console.page())
    search_for(page, title)
    page.get_by_role("link", name=title, exact=True).click()
    expect(page.get_by_role("heading", name=title, level=1)).to_be_visible()
    return page


def test_facts_are_corrected_and_found_by(console: Console, open_page: OpenPage, page_log: PageLog) -> None:
    give(console, markdown("误读的题名", "第一条 食堂十二时开餐。"))
    page = opened(console, open_page, "误读的题名")
    page.get_by_role("button", name="更正信息").click()
    dialog = page.get_by_role("dialog", name="更正文档信息")
    dialog.get_by_label("题名").fill("食堂管理规定")
    dialog.get_by_label("责任部门").fill("膳食科")
    dialog.get_by_role("button", name="保存").click()
    expect(page.get_by_role("heading", name="食堂管理规定", level=1)).to_be_visible()
    expect(page.locator(".source-about")).to_contain_text("责任：膳食科")
    page.goto(console.page())
    page.get_by_role("search").get_by_label("责任部门").select_option("膳食科")
    expect(page.locator(".card-title")).to_have_text(["食堂管理规定"])
    assert page_log.complaints == []


def test_what_is_wrong_is_told_and_the_form_stays(console: Console, open_page: OpenPage) -> None:
    give(console, markdown("留表规定", "第一条 表格留存。"))
    page = opened(console, open_page, "留表规定")
    page.get_by_role("button", name="更正信息").click()
    dialog = page.get_by_role("dialog", name="更正文档信息")
    dialog.get_by_label("标签").fill("财务部")
    dialog.get_by_role("button", name="保存").click()
    expect(page.get_by_text("标签「财务部」不对")).to_be_visible()
    expect(dialog.get_by_label("标签")).to_have_value("财务部")


def test_days_are_set_and_a_revision_joins_another_document(console: Console, open_page: OpenPage) -> None:
    give(console, markdown("茶水间守则", "第一条 茶水间保持整洁。"))
    give(console, markdown("茶水间管理规定", "第一条 茶水间由行政部管理。"))
    page = opened(console, open_page, "茶水间守则")
    page.get_by_role("button", name="更正版本").click()
    dialog = page.get_by_role("dialog", name="更正这个版本")
    dialog.get_by_label("施行日期").fill("2020-01-01")
    dialog.get_by_label("归属").select_option("归入另一份文档")
    dialog.get_by_label("那份文档的题名").fill("茶水间规定")
    dialog.get_by_role("button", name="保存").click()
    expect(page.get_by_text("没有题名恰为《茶水间规定》的文档")).to_be_visible()
    dialog.get_by_label("那份文档的题名").fill("茶水间管理规定")
    dialog.get_by_role("button", name="保存").click()
    expect(page.get_by_role("heading", name="茶水间管理规定", level=1)).to_be_visible()
    expect(page.locator(".source-about")).to_contain_text("2020年1月1日起施行")
    page.goto(console.page())
    search_for(page, "茶水间")
    expect(card_of(page, "茶水间管理规定").locator(".revision")).to_have_count(2)


def test_the_form_can_be_used_on_a_phone(console: Console, open_page: OpenPage) -> None:
    page = opened(console, open_page, "车辆规定")
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    for name in ("更正信息", "更正版本"):
        page.get_by_role("button", name=name).click()
        expect(page.get_by_role("dialog")).to_be_visible()
        for fault in (NAMELESS, TOO_WIDE, SMALL):
            assert page.evaluate(fault) == []
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_have_count(0)
