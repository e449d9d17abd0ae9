"""A service that asks for keys: the host page hands one over, or the reader types it in."""

import json
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from playwright.sync_api import expect

from tests.browser import OpenPage
from tests.widget.portal import opened, portal
from tests.widget.running import Site, new_key, running_service
from tests.widget.talking import UNANSWERABLE, ask

pytestmark = pytest.mark.browser


@dataclass(frozen=True)
class Guarded:
    url: str
    key: str


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory, site: Site) -> Iterator[Guarded]:
    home = tmp_path_factory.mktemp("guarded") / "home"
    key = new_key(home)
    with running_service(home, auth="keys", widget_frame_ancestors=site.origin) as url:
        yield Guarded(url, key)


def test_a_token_of_the_host_page_opens_the_service(
    guarded: Guarded, site: Site, open_page: OpenPage
) -> None:
    given = f"window.zhixing = {{ token: async () => {json.dumps(guarded.key)} }};"
    page = open_page(portal(site, guarded.url, given))
    expect(ask(opened(page), UNANSWERABLE).locator(".refusal")).to_be_visible()


def test_a_host_page_without_a_token_is_told_that_one_is_needed(
    guarded: Guarded, site: Site, open_page: OpenPage
) -> None:
    page = open_page(portal(site, guarded.url))
    expect(ask(opened(page), UNANSWERABLE).get_by_role("alert")).to_contain_text("密钥")


def test_a_reader_types_the_key_once_and_nothing_keeps_it(guarded: Guarded, open_page: OpenPage) -> None:
    page = open_page(guarded.url)
    dialog = page.get_by_role("dialog", name="请输入访问密钥")
    dialog.get_by_label("访问密钥").fill(guarded.key)
    dialog.get_by_role("button", name="进入").click()
    expect(page.locator(".suggestion").first).to_be_visible()
    expect(ask(page, UNANSWERABLE).locator(".refusal")).to_be_visible()
    page.reload()
    expect(dialog).to_be_visible()


def test_a_wrong_key_is_refused_and_asked_for_again(guarded: Guarded, open_page: OpenPage) -> None:
    page = open_page(guarded.url)
    dialog = page.get_by_role("dialog", name="请输入访问密钥")
    dialog.get_by_label("访问密钥").fill("wrong")
    dialog.get_by_role("button", name="进入").click()
    expect(page.locator(".home").get_by_role("alert")).to_contain_text("密钥")
    page.locator("#conversations").get_by_role("button", name="重试").click()
    expect(dialog).to_be_visible()
