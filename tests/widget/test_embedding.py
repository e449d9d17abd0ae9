"""The widget on a page of another site: 127.0.0.1 inside localhost."""

from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, expect

from tests.browser import PHONE, OpenPage, PageLog
from tests.widget.portal import PORTAL, opened, portal
from tests.widget.running import Site
from tests.widget.talking import ANSWERABLE, ask, highlighted

pytestmark = pytest.mark.browser


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
