"""The revisions of a document in the source view, and two of them beside each other."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser import PHONE, OpenPage, PageLog
from tests.widget.running import running_service, upload
from tests.widget.talking import ask, highlighted
from tests.widget.test_reach import NAMELESS, TOO_WIDE

pytestmark = pytest.mark.browser

CASES = Path(__file__).resolve().parent.parent / "cases" / "widget" / "versions"
CORNERS = """(pair) => [".side-del", ".side-ins"].map((side) => {
  const { x, y } = pair.querySelector(side).getBoundingClientRect();
  return { x, y };
})"""
QUESTION = "图书借阅的期限是多少天？"


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with running_service(tmp_path_factory.mktemp("versions") / "home") as url:
        upload(url, sorted(CASES.glob("*/*.md")))
        yield url


def source_of(page: Page) -> Locator:
    """The source view, open at the cited revision."""
    ask(page, QUESTION).locator(".chip").first.click()
    expect(page.locator("#source mark").first).to_be_visible()
    return page.locator("#source")


def comparison_of(page: Page) -> Locator:
    source_of(page).get_by_role("button", name="与上一版对照").click()
    text = page.get_by_role("region", name="两版对照")
    expect(text).to_be_focused()
    return text


def test_the_line_tells_the_revisions_apart_and_opens_them(
    library: str, open_page: OpenPage, page_log: PageLog
) -> None:
    page = open_page(library)
    source = source_of(page)
    versions = source.get_by_role("navigation", name="版本").get_by_role("button")
    expect(versions).to_have_count(2)
    for told in ("现行", "2026年1月1日起施行", "正在看"):
        expect(versions.first).to_contain_text(told)
    for told in ("已被取代", "2023年1月1日起施行"):
        expect(versions.last).to_contain_text(told)
    expect(versions.first).to_have_attribute("aria-current", "true")
    versions.last.focus()
    page.keyboard.press("Enter")
    expect(source.locator(".source-text")).to_contain_text("借阅三册")
    expect(versions.last).to_have_attribute("aria-current", "true")
    expect(source.locator("mark")).to_have_count(0)
    expect(source.get_by_role("button", name="与上一版对照")).to_have_count(0)
    versions.first.click()
    assert "五册" in highlighted(page)  # what was cited is still marked in its revision
    assert page_log.complaints == []


def test_a_comparison_marks_the_changed_words_and_can_hide_the_rest(
    library: str, open_page: OpenPage, page_log: PageLog
) -> None:
    page = open_page(library)
    text = comparison_of(page)
    changed = text.locator(".pair-changed").first
    expect(changed.locator("del")).to_have_text("三")
    expect(changed.locator("ins")).to_have_text("五")
    expect(text.locator(".pair-removed")).to_contain_text("每周三闭馆盘点")
    expect(text.locator(".pair-added")).to_contain_text("展示一周以后方可外借")
    expect(page.locator("#source").get_by_role("status")).to_have_text("修改 3 段，新增 1 段，删除 1 段")
    same = text.locator(".pair-same")
    expect(same.first).to_be_visible()
    page.get_by_label("只看变化").check()
    expect(text.locator(".pair-same:visible")).to_have_count(0)
    expect(changed).to_be_visible()
    assert page.evaluate(NAMELESS) == []
    page.get_by_role("button", name="回到原文").click()
    assert "五册" in highlighted(page)
    assert page_log.complaints == []


def test_the_sides_stand_beside_each_other_and_on_a_phone_below_each_other(
    library: str, open_page: OpenPage
) -> None:
    page = open_page(library)
    changed = comparison_of(page).locator(".pair-changed").first
    for size, beside in (((1280, 800), True), (PHONE, False)):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.wait_for_function("(width) => innerWidth === width", arg=size[0])
        old, new = changed.evaluate(CORNERS)
        assert (old["y"] == new["y"], old["x"] == new["x"]) == (beside, not beside)
        assert page.evaluate(TOO_WIDE) == []
        expect(page.get_by_role("button", name="关闭原文")).to_be_in_viewport()


def test_a_comparison_that_cannot_be_fetched_can_be_tried_again(library: str, open_page: OpenPage) -> None:
    page = open_page(library)
    source = source_of(page)
    page.route("**/comparison?*", lambda route: route.abort())
    source.get_by_role("button", name="与上一版对照").click()
    expect(source.get_by_role("alert")).to_contain_text("连接不上服务")
    page.unroute("**/comparison?*")
    source.get_by_role("button", name="重试").click()
    expect(page.get_by_role("region", name="两版对照")).to_contain_text("每周三闭馆盘点")
