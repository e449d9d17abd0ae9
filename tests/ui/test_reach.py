"""Everybody can use the console: keyboard, screen reader, phone, dark room."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser import PHONE, OpenPage
from tests.ui.library import Console, card_of, give, give_minutes, markdown, minutes, search_for

pytestmark = pytest.mark.browser

PAGES = ("", "/files", "/minutes", "/retrieval", "/questions")
DARK_INK = "rgb(228, 230, 230)"
NAMELESS = """() => {
  const all = document.querySelectorAll("button, a, input, select, dialog, nav, summary");
  return [...all].filter((element) => {
  if (!element.checkVisibility()) return false;
  const label = element.id && document.querySelector(`label[for="${element.id}"]`);
  const named = element.getAttribute("aria-label") ?? element.getAttribute("aria-labelledby");
  return !(named || label || element.textContent.trim());
  }).map((element) => element.outerHTML);
}"""
DUPLICATES = """() => {
  const ids = [...document.querySelectorAll("[id]")].map((element) => element.id);
  return ids.filter((id, n) => ids.indexOf(id) !== n);
}"""
LEVELS = (
    """() => [...document.querySelectorAll("h1, h2, h3, h4, h5, h6")].map((one) => Number(one.tagName[1]))"""
)
TOO_WIDE = """() => [...document.querySelectorAll("body *")].filter((element) => {
  const box = element.getBoundingClientRect();
  const scrolls = element.closest(".rooms, .table-scroll, .visually-hidden");
  return box.width && box.right > innerWidth + 1 && !scrolls;
}).map((element) => element.outerHTML.slice(0, 120))"""
SMALL = """() => {
  const all = document.querySelectorAll("button, .button, select, input, .room, .section-link");
  const low = (element) => element.checkVisibility() && element.getBoundingClientRect().height < 32;
  return [...all].filter(low).map((element) => element.outerHTML.slice(0, 120));
}"""
# WCAG AA: text that stands out from its ground less than 4.5 to 1.
PALE = """() => {
  const channel = (value) => (value /= 255) <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  const parse = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const luminance = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
  const ground = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const colour = parse(getComputedStyle(at).backgroundColor);
      if (colour.length < 4 || colour[3] === 1) return colour;
    }
    return [255, 255, 255];
  };
  return [...document.querySelectorAll("#app *")].filter((element) => {
    const said = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
    if (!said || !element.checkVisibility() || element.closest(":disabled, option")) return false;
    const [light, dark] = [luminance(parse(getComputedStyle(element).color)), luminance(ground(element))]
      .sort((one, other) => other - one);
    return (light + 0.05) / (dark + 0.05) < 4.5;
  }).map((element) => element.outerHTML.slice(0, 120));
}"""


def opened(console: Console, page: Page, path: str) -> Page:
    """The page, once what it shows is there."""
    if path == "/retrieval":
        page.get_by_label("问题或检索词").fill("住宿费")
        page.keyboard.press("Enter")
        expect(page.locator(".candidate").first).to_be_visible()
        return page
    if path == "/questions":
        with console.api() as client:
            client.post("/chat", json={"message": "金星基地的宿舍怎么分配？", "stream": False})
        page.reload()
    if path == "/minutes":
        give_minutes(console, minutes("无障碍交流会", "张总：大家都用得上。"))
        page.reload()
    expect(page.locator(".card, .record").first).to_be_visible()
    return page


@pytest.mark.parametrize("path", PAGES)
def test_a_page_can_be_used_by_everybody(console: Console, open_page: OpenPage, path: str) -> None:
    page = opened(console, open_page(console.page(path)), path)
    names_headings_and_landmarks_are_in_order(page)
    assert page.evaluate(PALE) == []
    page.emulate_media(color_scheme="dark")
    expect(page.locator(".brand-name")).to_have_css("color", DARK_INK)
    assert page.evaluate(PALE) == []
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    assert page.evaluate(TOO_WIDE) == []
    assert page.evaluate(SMALL) == []


def names_headings_and_landmarks_are_in_order(page: Page) -> None:
    assert page.evaluate(NAMELESS) == []
    assert page.evaluate(DUPLICATES) == []
    levels: list[int] = page.evaluate(LEVELS)
    assert levels.count(1) == 1 and levels[0] == 1
    assert all(after - before <= 1 for before, after in zip(levels, levels[1:], strict=False))
    assert page.get_by_role("main").count() == 1
    assert page.get_by_role("banner").count() == 1
    assert page.get_by_role("navigation", name="管理台").locator("[aria-current=page]").count() == 1
    assert page.locator("html").get_attribute("lang") == "zh-CN"


def test_a_document_is_deleted_with_the_keyboard_alone(console: Console, open_page: OpenPage) -> None:
    give(console, markdown("键盘规定", "第一条 全用键盘。"))
    page = open_page(console.page())
    expect(page.locator(".card").first).to_be_visible()
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="跳到正文")).to_be_focused()
    page.get_by_label("按标题查找").focus()
    page.keyboard.type("键盘规定")
    expect(page.locator(".card")).to_have_count(1)
    expect(page.get_by_label("按标题查找")).to_be_focused()  # drawing the list again takes nothing away
    tab_to(page, "删除《键盘规定》")
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog", name="删除《键盘规定》？")
    expect(dialog.get_by_role("button", name="取消")).to_be_focused()  # the harmless one
    page.keyboard.press("Tab")
    expect(dialog.get_by_role("button", name="删除")).to_be_focused()
    page.keyboard.press("Enter")
    expect(dialog).to_have_count(0)
    expect(page.get_by_text("没有符合条件的文档。")).to_be_visible()


def tab_to(page: Page, name: str, limit: int = 20) -> None:
    for _ in range(limit):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.getAttribute('aria-label')") == name:
            return
    raise AssertionError(f"Tab never reaches {name}")


def test_the_skip_link_leads_past_the_navigation(console: Console, open_page: OpenPage) -> None:
    page = open_page(console.page())
    expect(page.locator(".card").first).to_be_visible()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="文档库")).to_be_focused()


def test_a_dialog_holds_the_focus_on_a_phone_too(console: Console, open_page: OpenPage) -> None:
    page = open_page(console.page(), size=PHONE)
    search_for(page, "差旅费办法")
    card_of(page, "差旅费办法").get_by_role("button", name="解析报告").click()
    dialog = page.get_by_role("dialog", name="解析报告")
    expect(dialog).to_be_visible()
    assert page.evaluate(TOO_WIDE) == []
    for _ in range(4):
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.matches('dialog *, body')")
