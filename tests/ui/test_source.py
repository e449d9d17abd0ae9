"""The text behind a document, and the original to take away."""

import pytest
from playwright.sync_api import expect

from tests.browser import PHONE, OpenPage, PageLog
from tests.ui.library import Console, card_of, give, markdown, search_for
from tests.ui.test_reach import PALE, TOO_WIDE

pytestmark = pytest.mark.browser


def test_the_original_comes_back_byte_for_byte(
    console: Console, open_page: OpenPage, page_log: PageLog
) -> None:
    file = markdown("下载规定", "第一条 原样取回。")
    give(console, file)
    page = open_page(console.page())
    search_for(page, "下载规定")
    card_of(page, "下载规定").get_by_role("link", name="原文").click()
    with page.expect_download() as started:
        page.get_by_role("link", name="下载原件").click()
    assert started.value.suggested_filename == file["name"]
    assert started.value.path().read_bytes() == file["buffer"]
    assert page_log.complaints == []


def test_revisions_lead_to_each_other(console: Console, open_page: OpenPage) -> None:
    give(console, markdown("两版规定", "第一条 甲。", "本规定自2023年1月1日起施行。"))
    give(console, markdown("两版规定", "第一条 乙。", "本规定自2024年1月1日起施行。"))
    page = open_page(console.page())
    search_for(page, "两版规定")
    card_of(page, "两版规定").get_by_role("heading").get_by_role("link").click()
    text = page.get_by_role("region", name="原文")
    expect(text).to_contain_text("第一条 乙。")
    versions = page.get_by_role("navigation", name="版本").get_by_role("link")
    expect(versions.first).to_have_attribute("aria-current", "page")
    expect(versions.first).to_contain_text("2024年1月1日起施行")
    versions.last.click()
    expect(text).to_contain_text("第一条 甲。")
    expect(page.locator(".source-about .tag")).to_have_text("已被取代")
    expect(page.get_by_role("link", name="与上一版对照")).to_have_count(0)


def test_a_revision_stands_beside_the_one_before_it(
    console: Console, open_page: OpenPage, page_log: PageLog
) -> None:
    same = "第一条 钥匙由门卫保管。"
    give(console, markdown("对照规定", same, "第二条 每日巡查两次。", "本规定自2023年1月1日起施行。"))
    give(console, markdown("对照规定", same, "第二条 每日巡查三次。", "本规定自2024年1月1日起施行。"))
    page = open_page(console.page())
    search_for(page, "对照规定")
    card_of(page, "对照规定").get_by_role("heading").get_by_role("link").click()
    page.get_by_role("link", name="与上一版对照").click()
    text = page.get_by_role("region", name="两版对照")
    expect(text.locator("del").first).to_have_text("两")
    expect(text.locator("ins").first).to_have_text("三")
    expect(text).to_contain_text("钥匙由门卫保管")
    only = page.get_by_role("button", name="只看变化")
    only.click()
    expect(only).to_have_attribute("aria-pressed", "true")
    expect(text).not_to_contain_text("钥匙由门卫保管")
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    assert page.evaluate(TOO_WIDE) == []
    assert page.evaluate(PALE) == []
    assert page_log.complaints == []


def test_a_long_text_is_shown_a_page_at_a_time_and_opens_at_the_passage(
    console: Console, open_page: OpenPage
) -> None:
    articles = [f"第{n}条 第{n}号仓库的责任人是张{n}。" for n in range(1, 451)]
    give(console, markdown("仓库规定", *articles))
    with console.api() as client:
        document = client.get("/documents", params={"search": "仓库规定"}).json()["items"][0]
        chunks = client.get(f"/documents/{document['id']}/chunks").json()["items"]
    late = next(chunk for chunk in chunks if "第300号仓库" in chunk["text"])
    page = open_page(console.page(f"/documents/{document['id']}?chunk={late['id']}"))
    expect(page.locator("mark").first).to_be_in_viewport()
    marked = "".join(page.locator("mark").all_inner_texts())
    assert marked == "".join(late["text"].split("\n"))
    assert page.locator(".block").count() == 200
    page.get_by_role("button", name="上一页").click()
    expect(page.get_by_role("region", name="原文")).to_contain_text("第1号仓库")


def test_a_document_that_is_none_is_told_with_the_right_status(console: Console, open_page: OpenPage) -> None:
    page = open_page(console.page("/documents/none"))
    expect(page.get_by_text("文档不存在")).to_be_visible()
    answer = page.request.get(console.page("/documents/none"))
    assert answer.status == 404
    assert page.request.get(console.page("/documents/none/original")).status == 404
