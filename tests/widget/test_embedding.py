"""The widget on a page of another site: 127.0.0.1 inside localhost."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, FrameLocator, Page, expect

from tests.browser import PHONE, OpenPage, PageLog
from tests.widget.running import Site, running_service, zhixing
from tests.widget.talking import ANSWERABLE, UNANSWERABLE, ask, highlighted

pytestmark = pytest.mark.browser

PORTAL = '<title>内网门户</title><link rel="icon" href="data:,"><h1>内网门户</h1>'


def portal(site: Site, service: str, before: str = "", name: str = "portal.html") -> str:
    loader = f'<script src="{service}/embed.js" async></script>'
    return site.put(name, f"{PORTAL}<script>{before}</script>{loader}")


def opened(page: Page) -> FrameLocator:
    page.get_by_role("button", name="打开知行助手").click()
    return page.frame_locator("iframe[title='知行助手']")


def test_a_cited_answer_is_completed_with_third_party_cookies_blocked(
    service: str, site: Site, cookieless: BrowserContext, page_log: PageLog
) -> None:
    page = cookieless.new_page()
    page_log.watch(page)
    page.goto(portal(site, service))
    widget = opened(page)
    answer = ask(widget, ANSWERABLE)
    expect(answer.locator(".source").first).to_be_visible()
    answer.locator(".chip").first.click()
    assert highlighted(widget)
    assert page_log.complaints == []
    setting = "() => { document.cookie = 'probe=1; SameSite=None; Secure'; return document.cookie; }"
    inside = next(frame for frame in page.frames if frame.url.startswith(service))
    assert (inside.evaluate(setting), page.evaluate(setting)) == ("", "probe=1")


def test_the_frame_is_loaded_on_the_first_click_only(service: str, site: Site, open_page: OpenPage) -> None:
    page = open_page(portal(site, service))
    expect(page.get_by_role("button", name="打开知行助手")).to_be_visible()
    assert len(page.frames) == 1
    opened(page)
    assert len(page.frames) == 2


def test_closing_gives_the_focus_back_and_keeps_the_conversation(
    service: str, site: Site, open_page: OpenPage
) -> None:
    page = open_page(portal(site, service))
    widget = opened(page)
    ask(widget, ANSWERABLE)
    widget.get_by_role("button", name="收起助手").click()
    button = page.get_by_role("button", name="打开知行助手")
    expect(button).to_be_visible()
    focused = "() => document.activeElement.shadowRoot?.activeElement?.className"
    assert page.evaluate(focused) == "launch"
    button.click()
    expect(widget.locator(".question p")).to_have_text(ANSWERABLE)
    widget.get_by_label("您的问题").press("Escape")
    expect(button).to_be_visible()


def test_the_panel_covers_a_phone(service: str, site: Site, open_page: OpenPage) -> None:
    page = open_page(portal(site, service), size=PHONE)
    opened(page)
    box = page.locator("iframe[title='知行助手']").bounding_box()
    assert box is not None
    assert (box["width"], box["height"]) == PHONE


def test_a_site_that_is_not_listed_cannot_embed(
    service: str, tmp_path: Path, open_page: OpenPage, page_log: PageLog
) -> None:
    stranger = Site(tmp_path)
    try:
        page = open_page(portal(stranger, service))
        widget = opened(page)
        expect(widget.get_by_label("您的问题")).to_have_count(0)
        page.wait_for_timeout(300)
        assert any("frame-ancestors" in complaint for complaint in page_log.complaints)
    finally:
        stranger.close()


def test_a_token_of_the_host_opens_a_guarded_service(tmp_path: Path, site: Site, open_page: OpenPage) -> None:
    home = tmp_path / "home"
    key = json.loads(zhixing(home, "keys", "create", "门户", "--json"))["key"]
    with running_service(home, auth="keys", widget_frame_ancestors=site.origin) as guarded:
        given = f"window.zhixing = {{ token: async () => {json.dumps(key)} }};"
        page = open_page(portal(site, guarded, given, "guarded.html"))
        expect(ask(opened(page), UNANSWERABLE).locator(".refusal")).to_be_visible()

        page = open_page(portal(site, guarded, "", "tokenless.html"))
        expect(ask(opened(page), UNANSWERABLE).get_by_role("alert")).to_contain_text("密钥")


def test_a_token_from_a_parent_that_names_itself_falsely_is_not_taken(
    service: str, site: Site, open_page: OpenPage
) -> None:
    frame = f'<iframe src="{service}/?parent=https://portal.example" width="800" height="600"></iframe>'
    post = "{ type: 'zhixing:token', token: 'stolen' }"
    page = open_page(site.put("liar.html", PORTAL + frame))
    widget = page.frame_locator("iframe")
    expect(widget.locator(".suggestion").first).to_be_visible()
    page.evaluate(f"() => frames[0].postMessage({post}, '*')")
    with page.expect_request("**/api/v1/chat") as sending:
        ask(widget, ANSWERABLE)
    assert "authorization" not in sending.value.headers
