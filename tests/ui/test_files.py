"""The records: what became of every file, and which still need somebody."""

import pytest
from playwright.sync_api import expect

from tests.browser import OpenPage, PageLog
from tests.ui.library import Console, broken_word_file, give, locked_pdf, markdown

pytestmark = pytest.mark.browser


def test_what_needs_somebody_is_found_by_its_state(
    console: Console, open_page: OpenPage, page_log: PageLog
) -> None:
    give(console, broken_word_file("坏记录.docx"), locked_pdf("锁记录.pdf"), markdown("好记录", "一句。"))
    page = open_page(console.page("/files"))
    expect(page.locator(".record", has_text="好记录.md")).to_contain_text("已入库")
    page.get_by_label("状态").select_option("需要处理")
    expect(page.locator(".record", has_text="好记录.md")).to_have_count(0)
    expect(page.locator(".record", has_text="坏记录.docx")).to_contain_text("文件损坏")
    page.get_by_label("状态").select_option("需要密码")
    expect(page.locator(".record", has_text="坏记录.docx")).to_have_count(0)
    locked = page.locator(".record", has_text="锁记录.pdf")
    expect(locked).to_contain_text("填写打开密码后重新上传")
    page.get_by_label("状态").select_option("需要 OCR")
    expect(page.get_by_text("没有这种状态的文件。")).to_be_visible()
    assert page_log.complaints == []


def test_records_come_a_page_at_a_time(console: Console, open_page: OpenPage) -> None:
    page = open_page(console.page("/files"))
    expect(page.locator(".record")).to_have_count(30)
    page.get_by_role("button", name="下一页").click()
    expect(page.get_by_text("第 2 /")).to_be_visible()
    expect(page.locator(".record").first).to_be_visible()


def test_a_record_leads_to_the_text_that_came_of_it(console: Console, open_page: OpenPage) -> None:
    give(console, markdown("可达记录", "第一条 由此可达。"))
    page = open_page(console.page("/files"))
    page.get_by_role("link", name="原文：可达记录.md").click()
    expect(page.get_by_role("heading", name="可达记录", level=1)).to_be_visible()
    expect(page.get_by_role("region", name="原文")).to_contain_text("由此可达")


def test_the_files_of_one_upload_can_be_looked_at_alone(console: Console, open_page: OpenPage) -> None:
    with console.api() as client:
        sent = client.post("/documents", files={"file": ("独看记录.md", "# 独看\n\n一句。".encode())}).json()
        while client.get(f"/tasks/{sent['task_id']}").json()["state"] == "running":
            pass
    page = open_page(console.page(f"/files?task={sent['task_id']}"))
    expect(page.locator(".record")).to_have_count(1)
    expect(page.locator(".record")).to_contain_text("独看记录.md")
    page.get_by_role("link", name="看全部").click()
    expect(page.locator(".record")).to_have_count(30)
