"""Everybody can use the page: keyboard, screen reader, phone."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser import PHONE, OpenPage
from tests.widget.talking import ANSWER, ANSWERABLE, UNANSWERABLE, ask

pytestmark = pytest.mark.browser

FOCUSED = "() => document.activeElement.className + ' ' + document.activeElement.id"
IN_DIALOG = "() => ['#source *', '#source', 'body'].some((where) => document.activeElement.matches(where))"
NAMELESS = """() => [...document.querySelectorAll("button, a, input, textarea, dialog")].filter((element) => {
  const label = element.id && document.querySelector(`label[for="${element.id}"]`);
  const named = element.getAttribute("aria-label") ?? element.getAttribute("aria-labelledby");
  return !(named || label || element.textContent.trim());
}).map((element) => element.outerHTML)"""
TOO_WIDE = """() => [...document.querySelectorAll("body *")].filter((element) => {
  const box = element.getBoundingClientRect();
  const scrolls = element.closest(".table-scroll, pre, .visually-hidden");
  return box.width && box.right > innerWidth + 1 && !scrolls;
}).map((element) => element.outerHTML.slice(0, 120))"""


STOPS = 90  # a page of the list of conversations has 30, each with its button to delete it


def tab_to(page: Page, name: str) -> None:
    """Presses Tab until the focused element's class or id holds `name`."""
    for _ in range(STOPS):
        page.keyboard.press("Tab")
        if name in page.evaluate(FOCUSED).split():
            return
    raise AssertionError(f"Tab never reaches {name}")


def test_the_whole_path_works_with_the_keyboard_alone(service: str, open_page: OpenPage) -> None:
    page = open_page(service)
    page.keyboard.type(ANSWERABLE)  # the box has the focus from the start
    page.keyboard.press("Enter")
    expect(page.locator(".answer")).to_have_attribute("aria-busy", "false")
    page.keyboard.press("Shift+Tab")
    page.locator("#skip").focus()
    tab_to(page, "chip")
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_be_visible()
    for _ in range(8):
        page.keyboard.press("Tab")
        assert page.evaluate(IN_DIALOG)
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert "chip" in page.evaluate(FOCUSED)


def test_the_skip_link_leads_to_the_box_and_keeps_the_address(service: str, open_page: OpenPage) -> None:
    page = open_page(service)
    ask(page, ANSWERABLE)
    address = page.url
    page.locator("#skip").focus()
    expect(page.locator("#skip")).to_be_in_viewport()
    page.keyboard.press("Enter")
    expect(page.get_by_label("您的问题")).to_be_focused()
    assert page.url == address


def test_a_screen_reader_hears_the_whole_answer_once(service: str, open_page: OpenPage) -> None:
    page = open_page(service)
    ask(page, ANSWERABLE)
    live = page.locator("#announcer")
    expect(live).to_contain_text(ANSWER)
    expect(live).to_contain_text("处引用")
    expect(live).not_to_contain_text("[1]")
    assert page.locator(".answer [aria-live]").count() == 0


def test_every_control_has_a_name(service: str, open_page: OpenPage) -> None:
    page = open_page(service)
    ask(page, ANSWERABLE).locator(".chip").first.click()
    expect(page.locator("#source mark").first).to_be_visible()
    assert page.evaluate(NAMELESS) == []


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_text_stands_out_from_its_ground(service: str, open_page: OpenPage, dark: bool) -> None:
    """WCAG AA: 4.5 to 1 for the colours that text is set in."""
    page = open_page(service, dark=dark)
    pairs = [
        ("ink", "surface"), ("ink-soft", "surface"), ("ink-soft", "paper"), ("ink-soft", "raised"),
        ("ink-soft", "neutral-tint"), ("accent", "surface"), ("accent", "paper"), ("ink", "mark"),
        ("accent-strong", "accent-tint"), ("on-accent", "accent"), ("good", "good-tint"), ("good", "raised"),
        ("warn", "warn-tint"), ("warn", "paper"), ("bad", "bad-tint"), ("ink-soft", "warn-tint"),
    ]  # fmt: skip
    colours: dict[str, str] = page.evaluate(
        """(names) => {
          const style = getComputedStyle(document.documentElement);
          return Object.fromEntries(names.map((name) => [name, style.getPropertyValue("--" + name).trim()]));
        }""",
        sorted({name for pair in pairs for name in pair}),
    )
    faint = [pair for pair in pairs if contrast(colours[pair[0]], colours[pair[1]]) < 4.5]
    assert faint == []


def contrast(one: str, other: str) -> float:
    """WCAG 2.2 contrast ratio of two #rrggbb colours."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_nothing_is_wider_than_a_phone(service: str, open_page: OpenPage) -> None:
    page = open_page(service, size=PHONE)
    seen = {"home": page.evaluate(TOO_WIDE)}
    ask(page, ANSWERABLE)
    seen["answer"] = page.evaluate(TOO_WIDE)
    page.locator(".chip").first.click()
    expect(page.locator("#source mark").first).to_be_visible()
    seen["source"] = page.evaluate(TOO_WIDE)
    page.keyboard.press("Escape")
    ask(page, UNANSWERABLE)
    seen["refusal"] = page.evaluate(TOO_WIDE)
    page.locator("#open-drawer").click()
    seen["drawer"] = page.evaluate(TOO_WIDE)
    assert seen == {"home": [], "answer": [], "source": [], "refusal": [], "drawer": []}


def test_the_drawer_of_a_phone_holds_the_conversations(service: str, open_page: OpenPage) -> None:
    page = open_page(service, size=PHONE)
    ask(page, ANSWERABLE)
    page.locator("#open-drawer").click()
    drawer = page.get_by_role("dialog", name="历史对话")
    expect(drawer.locator("a[aria-current]")).to_have_text(ANSWERABLE)
    drawer.get_by_role("button", name="新对话").click()
    expect(drawer).to_be_hidden()
    expect(page.get_by_role("heading", name="今天想查什么？")).to_be_visible()


def test_the_question_stays_in_sight_above_its_answer(service: str, open_page: OpenPage) -> None:
    page = open_page(service, size=(390, 500))
    for _ in range(2):
        ask(page, ANSWERABLE)
    expect(page.locator(".question").last).to_be_in_viewport(ratio=1)
    page.get_by_role("button", name="回到最新").click()
    expect(page.locator(".slot-actions").last).to_be_in_viewport()
