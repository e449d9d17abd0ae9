"""The console beside the API: its policy, its own 404, and no address of others taken over."""

import re
from collections.abc import Iterator

import httpx
import pytest

from service.api.pages import WIDGET
from service.ui.console import STYLES
from tests.ui.library import Console


@pytest.fixture
def client(console: Console) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=console.url, trust_env=False) as opened:
        yield opened


@pytest.mark.parametrize("path", ["/api/v1/nothing", "/api/nothing", "/v1/nothing", "/nothing", "/apps"])
def test_unknown_addresses_outside_the_console_stay_json(client: httpx.Client, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 404
    assert answer.json()["error"]["code"] == "not_found"


def test_an_unknown_page_of_the_console_is_told_in_chinese(client: httpx.Client) -> None:
    answer = client.get("/app/nothing")
    assert answer.status_code == 404
    assert "没有这一页" in answer.text


@pytest.mark.parametrize("path", ["/app", "/app/files", "/app/nothing", "/app/console.css"])
def test_everything_under_the_console_carries_its_policy(client: httpx.Client, path: str) -> None:
    answer = client.get(path, follow_redirects=True)
    policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "object-src 'none'" in policy
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


def test_the_console_s_policy_stays_with_the_console(client: httpx.Client) -> None:
    for path in ("/", "/api/v1/documents"):
        assert "unsafe" not in client.get(path).headers.get("Content-Security-Policy", "")


def test_without_sign_in_no_cookie_is_set(client: httpx.Client) -> None:
    assert "Set-Cookie" not in client.get("/app/files").headers


def test_the_console_wears_the_chat_page_s_colours_and_type() -> None:
    def palettes(css: str) -> list[dict[str, str]]:
        roots = re.findall(r":root \{(.*?)\}", css, re.DOTALL)
        return [dict(re.findall(r"--([\w-]+):\s*(.+?);", root)) for root in roots]

    chat = palettes((WIDGET / "style.css").read_text(encoding="utf-8"))
    assert len(chat) == 2
    assert palettes(STYLES.read_text(encoding="utf-8")) == chat
