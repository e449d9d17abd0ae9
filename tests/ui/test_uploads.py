"""Bringing files in: several at once, each followed to the state it ends in."""

import io
import zipfile

import pytest
from playwright.sync_api import expect

from tests.browser import OpenPage, PageLog
from tests.ui.library import (
    PASSWORD,
    Console,
    broken_word_file,
    card_of,
    line_of,
    locked_pdf,
    markdown,
    search_for,
    upload,
)

pytestmark = pytest.mark.browser


def test_several_files_are_taken_at_once_and_each_ends_in_its_state(
    console: Console, open_page: OpenPage, page_log: PageLog
) -> None:
    page = open_page(console.page())
    good = markdown("值班规定", "第一条 值班人员十八时到岗。")
    upload(page, good, broken_word_file("残缺.docx"), locked_pdf("合同甲.pdf"))
    expect(line_of(page, "值班规定.md")).to_contain_text("已入库")
    expect(line_of(page, "残缺.docx")).to_contain_text("文件损坏")
    expect(line_of(page, "合同甲.pdf")).to_contain_text("需要密码")
    expect(card_of(page, "值班规定")).to_contain_text("现行")
    assert page_log.complaints == []


def test_a_locked_file_opens_with_the_password_typed_beside_it(console: Console, open_page: OpenPage) -> None:
    page = open_page(console.page())
    upload(page, locked_pdf("合同乙.pdf"))
    expect(line_of(page, "合同乙.pdf")).to_contain_text("需要密码")
    field = page.get_by_label("合同乙.pdf 的打开密码")
    field.fill("wrong")
    field.press("Enter")
    expect(line_of(page, "合同乙.pdf")).to_contain_text("不正确")
    page.get_by_label("合同乙.pdf 的打开密码").fill(PASSWORD)
    page.get_by_role("button", name="用此密码打开").click()
    expect(line_of(page, "合同乙.pdf")).to_contain_text("已入库")


def test_a_password_given_beforehand_opens_the_file(console: Console, open_page: OpenPage) -> None:
    page = open_page(console.page())
    page.get_by_label("打开密码").fill(PASSWORD)
    upload(page, locked_pdf("合同丙.pdf"))
    expect(line_of(page, "合同丙.pdf")).to_contain_text("已入库")


def test_the_same_name_again_is_a_new_revision_and_the_same_content_is_not(
    console: Console, open_page: OpenPage
) -> None:
    page = open_page(console.page())
    first = markdown("考勤规定", "第一条 上班时间为九时。")
    upload(page, first)
    expect(line_of(page, "考勤规定.md")).to_contain_text("已入库")
    upload(page, first)
    expect(page.locator(".upload")).to_have_count(2)
    expect(line_of(page, "考勤规定.md")).to_contain_text("没有变化")
    upload(page, markdown("考勤规定", "第一条 上班时间为八时三十分。"))
    expect(page.locator(".upload")).to_have_count(3)
    expect(line_of(page, "考勤规定.md")).to_contain_text("作为新版本入库，共 2 个版本")
    search_for(page, "考勤")
    expect(page.locator(".card")).to_have_count(1)
    expect(page.locator(".revision")).to_have_count(2)
    expect(page.locator(".revision").nth(1)).to_contain_text("已被取代")


def test_uploads_of_the_console_and_of_the_api_are_the_same_source(
    console: Console, open_page: OpenPage
) -> None:
    page = open_page(console.page())
    page.get_by_label("知识库").first.fill("人事")
    page.get_by_label("责任部门").first.fill("人力资源部")
    upload(page, markdown("调休规定", "第一条 调休当月有效。"))
    expect(line_of(page, "调休规定.md")).to_contain_text("已入库")
    with console.api() as client:
        found = client.get("/documents", params={"search": "调休规定"}).json()["items"][0]
    assert found["source_uri"] == "upload:local/调休规定.md"
    assert (found["knowledge_base"], found["owner"], found["labels"]) == ("人事", "人力资源部", ["public"])
    page.get_by_role("search").get_by_label("知识库").select_option("人事")  # offered without a reload
    expect(page.locator(".card")).to_have_count(1)


def test_the_files_of_a_zip_are_told_one_by_one(console: Console, open_page: OpenPage) -> None:
    bundle = io.BytesIO()
    with zipfile.ZipFile(bundle, "w") as archive:
        for file in (markdown("食堂规定", "第一条 午餐十二时开始。"), broken_word_file("坏成员.docx")):
            archive.writestr(file["name"], file["buffer"])
    page = open_page(console.page())
    upload(page, {"name": "打包.zip", "mimeType": "application/zip", "buffer": bundle.getvalue()})
    line = line_of(page, "打包.zip")
    expect(line).to_contain_text("压缩包里有 2 个文件，1 个已入库")
    expect(line.locator(".upload", has_text="坏成员.docx")).to_contain_text("失败")
    expect(line.locator(".upload", has_text="食堂规定.md")).to_contain_text("已入库")


def test_a_label_that_means_nothing_is_told_and_nothing_is_taken(
    console: Console, open_page: OpenPage
) -> None:
    page = open_page(console.page())
    page.get_by_label("谁能看到").select_option("自定义标签")
    page.get_by_label("标签", exact=True).fill("财务部")
    upload(page, markdown("错标规定", "第一条 无人可读。"))
    expect(line_of(page, "错标规定.md")).to_contain_text("没有入库")
    expect(page.get_by_role("alert").get_by_text("标签「财务部」不对")).to_be_visible()


def test_labels_decide_who_may_see_an_upload(console: Console, open_page: OpenPage) -> None:
    page = open_page(console.page())
    page.get_by_label("谁能看到").select_option("自定义标签")
    page.get_by_label("标签", exact=True).fill("group:审计，department:总部")
    upload(page, markdown("审计底稿", "第一条 底稿保存十年。"))
    expect(line_of(page, "审计底稿.md")).to_contain_text("已入库")
    expect(card_of(page, "审计底稿")).to_contain_text("审计 组可见")
    with console.api() as client:
        found = client.get("/documents", params={"search": "审计底稿"}).json()["items"][0]
    assert found["labels"] == ["group:审计", "department:总部"]


def test_what_a_document_is_called_stays_text(
    console: Console, open_page: OpenPage, page_log: PageLog
) -> None:
    """Its title stands in names and labels, where a quote could open a property that is evaluated."""
    title = '关于"引号" :title="window.taken=1"的规定'
    page = open_page(console.page())
    upload(page, {**markdown(title, "第一条 正文。"), "name": "<img src=x onerror=window.taken=1>.md"})
    expect(line_of(page, "<img src=x onerror=window.taken=1>.md")).to_contain_text("已入库")
    card = card_of(page, title)
    card.get_by_role("button", name="删除").click()
    expect(page.get_by_role("dialog")).to_contain_text("window.taken=1")
    assert page.evaluate("window.taken") is None
    assert page_log.complaints == []
