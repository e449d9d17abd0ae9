"""Step cards of all shapes: long, bare and hostile ones, on a desktop, on a phone and on paper."""

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser import DESKTOP, PHONE, OpenPage, PageLog
from tests.running import Running
from tests.widget.portal import opened, portal
from tests.widget.running import Site
from tests.widget.test_hostile_text import untouched
from tests.widget.test_process_card import bare, printed
from tests.widget.test_reach import NAMELESS, TOO_WIDE

pytestmark = pytest.mark.browser

NARROW = (320, 640)
CASES = Path(__file__).resolve().parent.parent / "cases" / "widget" / "step_cards.json"
CARDS: dict[str, Any] = json.loads(CASES.read_text(encoding="utf-8"))
SHOW = """async (card) => {
  const { apply, createTurn } = await import("/widget/turn.js");
  const nothing = () => {};
  const app = { announce: nothing, toast: nothing, grown: nothing, conversationKnown: nothing };
  const turn = createTurn("怎么办？", app);
  document.querySelector("#app").classList.remove("at-home");
  document.querySelector("#turns").replaceChildren(turn.element);
  apply(turn, "card", card);
  apply(turn, "done", { answer: "步骤和材料见下面的卡片。", citations: [] });
}"""
OVERLAPS = """(card) => {
  const texts = [...card.querySelectorAll("span, label, dt, dd, button, p")]
    .filter((element) => !element.children.length && !element.closest(".visually-hidden"));
  const lines = texts.flatMap((element) =>
    [...element.getClientRects()].filter(({ width }) => width > 2).map((box) => [element.textContent, box]));
  const crosses = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 4;
  const below = (one, a, at) => lines.slice(at + 1).filter(([other, b]) => one !== other && crosses(a, b));
  return lines.flatMap(([one, a], at) => below(one, a, at).map(([other]) => `${one} | ${other}`));
}"""


def shown(page: Page, name: str) -> Locator:
    """A card drawn by the page's own modules, as if the service had sent it."""
    expect(page.locator(".suggestion").first).to_be_visible()
    page.evaluate(SHOW, CARDS[name])
    return page.locator(".card")


@pytest.mark.parametrize("name", sorted(CARDS))
def test_nothing_leaves_the_page_or_covers_something_else(
    running: Running, open_page: OpenPage, name: str
) -> None:
    page = open_page(running.url)
    card = shown(page, name)
    assert page.evaluate(NAMELESS) == []
    for width, height in (DESKTOP, PHONE, NARROW):
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function("(width) => innerWidth === width", arg=width)
        assert (width, page.evaluate(TOO_WIDE), card.evaluate(OVERLAPS)) == (width, [], [])


def test_a_long_card_tells_a_shared_reason_once_and_others_at_their_material(
    running: Running, open_page: OpenPage
) -> None:
    card = shown(open_page(running.url), "long")
    expect(card.locator(".step")).to_have_count(12)
    expect(card.locator(".material")).to_have_count(15)
    expect(card.locator(".reason-group").first.locator(".material")).to_have_count(8)
    expect(card.locator(".because")).to_have_count(8)
    expect(card.get_by_label("售后服务承诺")).to_have_accessible_description(
        "为什么要补充材料 C13：是否进口 是，设备类别 特种设备、压力容器"
    )
    expect(card.locator(".step-untimed")).to_have_text("时限未注明")
    expect(card.locator(".steps-part .card-fact")).to_have_text("12 步，总时限未注明")
    expect(card.locator(".clause")).to_contain_text("第二十三条第二款")
    expect(card.locator(".clause .chip")).to_have_count(0)


def test_a_bare_card_says_what_it_lacks(running: Running, open_page: OpenPage) -> None:
    card = shown(open_page(running.url), "bare")
    expect(card.get_by_role("heading", name="用印申请办理步骤")).to_be_visible()
    expect(card.locator(".materials-part")).to_contain_text("不需要另交材料")
    expect(card.locator(".basis-part")).to_contain_text("不设条件")
    expect(card.locator(".step-days")).to_have_count(0)  # where no step has a time it is said once
    for absent in (".values", ".changes", ".clause"):
        expect(card.locator(absent)).to_have_count(0)


def test_markup_in_a_card_is_shown_as_words(running: Running, open_page: OpenPage) -> None:
    page = open_page(running.url)
    card = shown(page, "hostile")
    expect(card.locator(".card-title")).to_contain_text("<script>")
    expect(card.locator(".material label")).to_contain_text("onerror=")
    assert untouched(page)


def test_a_card_fits_the_frame_on_a_page_of_another_site(
    service: str, site: Site, open_page: OpenPage, page_log: PageLog
) -> None:
    page = open_page(portal(site, service))
    widget = opened(page)
    expect(widget.locator(".suggestion").first).to_be_visible()
    inside = next(frame for frame in page.frames if frame.url.startswith(service))
    inside.evaluate(SHOW, CARDS["long"])
    expect(widget.locator(".card .material")).to_have_count(15)
    assert inside.evaluate(TOO_WIDE) == []
    assert page_log.complaints == []


@pytest.mark.parametrize("name", ["long", "bare"])
def test_a_card_fits_on_one_page_of_paper(running: Running, open_page: OpenPage, name: str) -> None:
    page = open_page(running.url, dark=True)
    shown(page, name)
    text, pages = printed(page)
    assert pages == 1
    assert bare(CARDS[name]["next_action"]) in text
