"""Questions about what was said in meetings, on the chat page in front of a real service."""

import time

import httpx
import pytest
from playwright.sync_api import expect

from tests.browser import OpenPage
from tests.widget.talking import ask, highlighted

pytestmark = pytest.mark.browser

MEETING = """网关定价会
时间：2026年3月5日 14:00
参会人：孟晓川、于海棠

孟晓川：今天只说一件事，网关的价格。
于海棠：网关的价格我反对再降，一台最低六千八百元。
孟晓川：好，那网关的价格先不动。
"""
QUOTE = "网关的价格我反对再降，一台最低六千八百元。"


@pytest.fixture(scope="module")
def archive(service: str) -> str:
    """The service, with one meeting in it."""
    files = {"file": ("2026-03-05_网关定价会.txt", MEETING.encode())}
    with httpx.Client(base_url=service, trust_env=False) as client:
        task = client.post("/api/v1/minutes", files=files).json()["task_id"]
        for _ in range(600):
            state = client.get(f"/api/v1/tasks/{task}").json()["state"]
            if state != "running":
                break
            time.sleep(0.1)
    assert state == "done"
    return service


def test_what_somebody_said_is_quoted_and_opens_the_meeting_at_the_words(
    archive: str, open_page: OpenPage
) -> None:
    page = open_page(archive)
    answer = ask(page, "于海棠对网关的价格怎么看？")
    expect(answer.locator(".slot-body")).to_contain_text(QUOTE)
    expect(answer.locator(".slot-byline")).not_to_contain_text("有效的规定")
    source = answer.locator(".source").first
    expect(source).to_contain_text("会上原话")
    expect(source).to_contain_text("2026-03-05")
    answer.locator(".chip").first.click()
    assert QUOTE in highlighted(page)
    expect(page.locator("#source")).to_contain_text("会上原话")


def test_what_nobody_said_is_refused_and_the_documents_are_offered(archive: str, open_page: OpenPage) -> None:
    page = open_page(archive)
    answer = ask(page, "于海棠对火星基地的宠物火箭怎么看？")
    expect(answer.locator(".refusal")).to_contain_text("没有找到于海棠")
    expect(answer.get_by_role("button", name="查规定")).to_be_visible()
