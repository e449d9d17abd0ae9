"""What a person does with the page, in the words of the person."""

from typing import TypeAlias

from playwright.sync_api import FrameLocator, Locator, Page, expect

Window: TypeAlias = Page | FrameLocator

ANSWERABLE = "一类地区出差的住宿费每人每天不超过多少元？"
ANSWER = "五百元"
FOLLOW_UP = "会议室应当提前多久预订？"
UNANSWERABLE = "火星基地的宠物火箭怎么加油？"


def ask(window: Window, question: str) -> Locator:
    """Asks, waits until the answer is over, and returns it."""
    expect(window.locator("#send svg")).to_be_attached()  # the page's modules are at work
    box = window.get_by_label("您的问题")
    box.fill(question)
    box.press("Enter")
    return settled(window)


def settled(window: Window) -> Locator:
    """The newest answer, once it is over."""
    answer = window.locator(".turn").last.locator(".answer")
    expect(answer).to_have_attribute("aria-busy", "false")
    expect(window.get_by_role("button", name="发送")).to_be_visible()
    return answer


def highlighted(window: Window) -> str:
    """The marked words of the open source view, without white space.

    Not by `innerText`: it leaves out what `content-visibility` skips until the browser has laid it out.
    """
    expect(window.locator("#source mark").first).to_be_visible()
    return "".join("".join(window.locator("#source mark").all_text_contents()).split())
