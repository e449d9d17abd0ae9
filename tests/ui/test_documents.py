"""The library as its maintainer works with it: finding, withdrawing, deleting, reading the loss report."""

from datetime import date, timedelta

import pytest
from playwright.sync_api import Page, expect

from tests.browser import OpenPage, PageLog
from tests.ui.library import Console, card_of, give, markdown, search_for

pytestmark = pytest.mark.browser


def titles(page: Page) -> list[str]:
    return page.locator(".card-title").all_inner_texts()


def test_filters_narrow_the_list(console: Console, open_page: OpenPage, page_log: PageLog) -> None:
    page = open_page(console.page())
    filters = page.get_by_role("search")
    filters.get_by_label("知识库").select_option("后勤")
    expect(page.locator(".card")).to_have_count(1)
    assert titles(page) == ["车辆规定"]
    filters.get_by_label("责任部门").select_option("行政部")
    expect(page.get_by_text("没有符合条件的文档。")).to_be_visible()
    filters.get_by_label("知识库").select_option("")
    search_for(page, "会议室")
    expect(page.locator(".card")).to_have_count(1)
    assert titles(page) == ["会议室规定"]
    filters.get_by_label("效力").select_option("尚未生效")
    expect(page.get_by_text("没有符合条件的文档。")).to_be_visible()
    assert page_log.complaints == []


def test_two_visitors_filter_each_for_themselves(console: Console, open_page: OpenPage) -> None:
    mine, other = open_page(console.page()), open_page(console.page())
    search_for(mine, "车辆规定")
    expect(mine.locator(".card")).to_have_count(1)
    search_for(other, "差旅费办法")
    expect(other.locator(".card")).to_have_count(1)
    assert (titles(mine), titles(other)) == (["车辆规定"], ["差旅费办法"])
    expect(mine.get_by_label("按标题查找")).to_have_value("车辆规定")


def test_a_long_list_is_shown_a_page_at_a_time(console: Console, open_page: OpenPage) -> None:
    page = open_page(console.page())
    page.get_by_role("search").get_by_label("责任部门").select_option("文书")
    expect(page.get_by_text("共 31 份")).to_be_visible()
    expect(page.locator(".card")).to_have_count(15)
    expect(page.get_by_role("button", name="上一页")).to_be_disabled()
    page.get_by_role("button", name="下一页").click()
    expect(page.get_by_text("第 2 / 3 页")).to_be_visible()
    expect(page.get_by_role("heading", name="全部文档")).to_be_focused()
    page.get_by_role("button", name="下一页").click()
    expect(page.locator(".card")).to_have_count(1)
    expect(page.get_by_role("button", name="下一页")).to_be_disabled()


def test_a_revision_is_withdrawn_and_restored(console: Console, open_page: OpenPage) -> None:
    give(console, markdown("印章规定", "第一条 印章由专人保管。"))
    page = open_page(console.page())
    search_for(page, "印章规定")
    card = card_of(page, "印章规定")
    card.get_by_role("button", name="作废").click()
    expect(card.locator(".tag")).to_have_text("已作废")
    restore = card.get_by_role("button", name="恢复")
    expect(restore).to_be_focused()
    assert asked(console, "印章由谁保管？") == []
    restore.click()
    expect(card.locator(".tag")).to_have_text("现行")
    assert "印章规定" in asked(console, "印章由谁保管？")


def asked(console: Console, query: str) -> list[str]:
    with console.api() as client:
        found = client.post("/retrieval", json={"query": query}).raise_for_status().json()
    return [item["document_name"] for item in found["evidence"]]


def test_dates_say_how_a_revision_stands(console: Console, open_page: OpenPage) -> None:
    """The old revision is superseded by status, and in force until the new one's first day."""
    first = date.today() + timedelta(days=40)
    day = f"{first.year}年{first.month}月{first.day}日"
    give(console, markdown("休假规定", "第一条 年假五天。", "本规定自2024年1月1日起施行。"))
    give(console, markdown("休假规定", "第一条 年假七天。", f"本规定自{day}起施行。"))
    page = open_page(console.page())
    search_for(page, "休假规定")
    rows = card_of(page, "休假规定").locator(".revision")
    expect(rows).to_have_count(2)
    expect(rows.nth(0)).to_contain_text("尚未生效")
    expect(rows.nth(0)).to_contain_text(f"{day}起施行")
    expect(rows.nth(1)).to_contain_text("现行")
    expect(rows.nth(1)).to_contain_text(f"2024年1月1日起施行，{day}起失效")
    for standing in ("尚未生效", "现行"):
        page.get_by_role("search").get_by_label("效力").select_option(standing)
        expect(rows).to_have_count(2)
    page.get_by_role("search").get_by_label("效力").select_option("已被取代或过期")
    expect(page.get_by_text("没有符合条件的文档。")).to_be_visible()


def test_a_document_is_deleted_only_after_a_second_word(console: Console, open_page: OpenPage) -> None:
    give(console, markdown("废纸规定", "第一条 废纸每周回收。"))
    page = open_page(console.page())
    search_for(page, "废纸规定")
    bin_ = page.get_by_role("button", name="删除《废纸规定》")
    bin_.click()
    dialog = page.get_by_role("dialog", name="删除《废纸规定》？")
    dialog.get_by_role("button", name="取消").click()
    expect(dialog).to_have_count(0)
    expect(bin_).to_be_focused()
    bin_.click()
    dialog.get_by_role("button", name="删除").click()
    expect(page.get_by_text("没有符合条件的文档。")).to_be_visible()
    expect(page.get_by_role("heading", name="全部文档")).to_be_focused()
    with console.api() as client:
        assert client.get("/documents", params={"search": "废纸规定"}).json()["total"] == 0


def test_the_loss_report_accounts_for_every_character(console: Console, open_page: OpenPage) -> None:
    page = open_page(console.page())
    search_for(page, "差旅费办法")
    card_of(page, "差旅费办法").get_by_role("button", name="解析报告").click()
    dialog = page.get_by_role("dialog", name="解析报告")
    expect(dialog.locator(".account-sum dd")).to_have_count(3)
    sums = dialog.locator(".account-sum dd").all_inner_texts()
    read, kept, lost = (int(text.split(" ")[0].replace(",", "")) for text in sums)
    assert read == kept + lost > lost > 0
    expect(dialog.get_by_role("row", name="标记符号")).to_contain_text("1")
    expect(dialog.get_by_role("heading", name="版本依据")).to_be_visible()
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)


def test_a_document_that_went_meanwhile_is_told_and_the_page_lives_on(
    console: Console, open_page: OpenPage
) -> None:
    give(console, markdown("短命规定", "第一条 今日有效。"))
    page = open_page(console.page())
    search_for(page, "短命规定")
    with console.api() as client:
        found = client.get("/documents", params={"search": "短命规定"}).json()["items"][0]
        client.delete(f"/documents/{found['id']}").raise_for_status()
    page.get_by_role("button", name="作废").click()
    expect(page.get_by_role("alert").get_by_text("文档不存在")).to_be_visible()
    search_for(page, "车辆规定")
    expect(card_of(page, "车辆规定")).to_be_visible()
