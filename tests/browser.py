"""Chromium for tests of pages. Import the fixtures you need in a `conftest.py`.

Each fixture lives as long as one test module: Playwright's synchronous API occupies the event loop of its
thread, and other modules use `asyncio.run`.
"""

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    Playwright,
    expect,
    sync_playwright,
)

EXECUTABLE = Path(os.environ.get("ZHIXING_TEST_CHROMIUM", "/usr/bin/chromium"))
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
DESKTOP = (1280, 800)
PHONE = (390, 844)
TIMEOUT_MS = 15_000

expect.set_options(timeout=TIMEOUT_MS)

OpenPage = Callable[..., Page]


@pytest.fixture(scope="module")
def playwright() -> Iterator[Playwright]:
    if not EXECUTABLE.is_file():
        pytest.skip(f"no Chromium at {EXECUTABLE}")
    with sync_playwright() as started:
        yield started


@pytest.fixture(scope="module")
def chromium(playwright: Playwright) -> Iterator[Browser]:
    """A browser with a profile of its own, thrown away afterwards."""
    browser = playwright.chromium.launch(executable_path=EXECUTABLE, args=list(FLAGS))
    yield browser
    browser.close()


class PageLog:
    """What a page complained about: script errors, refused loads, breaches of the content policy."""

    def __init__(self) -> None:
        self.complaints: list[str] = []

    def watch(self, page: Page) -> None:
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", self._heard)

    def _heard(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(message.text)


@pytest.fixture
def page_log() -> PageLog:
    return PageLog()


@pytest.fixture(scope="module")
def context(chromium: Browser) -> Iterator[BrowserContext]:
    """What pages of one module share: the cache, and whatever a page should not have stored."""
    context = chromium.new_context(locale="zh-CN", reduced_motion="reduce")
    context.set_default_timeout(TIMEOUT_MS)
    yield context
    context.close()


@pytest.fixture
def open_page(context: BrowserContext, page_log: PageLog) -> Iterator[OpenPage]:
    """Opens an address in a page of its own: `open_page(url, size=PHONE, dark=True)`."""
    pages: list[Page] = []

    def open_(url: str, *, size: tuple[int, int] = DESKTOP, dark: bool = False) -> Page:
        page = context.new_page()
        pages.append(page)
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.emulate_media(color_scheme="dark" if dark else "light")
        page_log.watch(page)
        page.goto(url)
        return page

    yield open_
    for page in pages:
        page.close()


@pytest.fixture
def cookieless(playwright: Playwright, tmp_path: Path) -> Iterator[BrowserContext]:
    """A profile in which the user has blocked third-party cookies."""
    preferences = tmp_path / "profile" / "Default" / "Preferences"
    preferences.parent.mkdir(parents=True)
    blocked = {"profile": {"cookie_controls_mode": 1, "block_third_party_cookies": True}}
    preferences.write_text(json.dumps(blocked), encoding="utf-8")
    context = playwright.chromium.launch_persistent_context(
        preferences.parent.parent, executable_path=EXECUTABLE, args=list(FLAGS), locale="zh-CN"
    )
    context.set_default_timeout(TIMEOUT_MS)
    yield context
    context.close()
