"""The first tool for 「为什么没找到」: candidates with both scores, the cut, the words and the place."""

import re

import pytest
from playwright.sync_api import BrowserContext, Page, WebSocketRoute, expect

from tests.browser import OpenPage, PageLog
from tests.ui.library import Console

pytestmark = pytest.mark.browser

QUESTION = "一类地区住宿费每天不超过多少元？"


def ask(page: Page, question: str = QUESTION) -> None:
    page.get_by_label("问题或检索词").fill(question)
    page.get_by_label("问题或检索词").press("Enter")
    expect(page.locator(".verdict")).to_be_visible()


def test_a_candidate_shows_scores_words_text_and_place(
    console: Console, open_page: OpenPage, page_log: PageLog
) -> None:
    page = open_page(console.page("/retrieval"))
    ask(page)
    best = page.locator(".candidate").first
    expect(best).to_contain_text("差旅费办法")
    expect(best.locator(".tag")).to_have_text("取用")
    names, values = best.locator("dt").all_inner_texts(), best.locator("dd").all_inner_texts()
    scores = dict(zip(names, values, strict=True))
    assert scores.keys() == {"置信度", "关键词", "向量"}
    assert all(0 < float(score) <= 1 for score in scores.values())
    assert "住宿费" in best.locator(".token-hit").all_inner_texts()
    expect(best.locator(".passage-text")).to_be_hidden()
    best.get_by_text("查看文字").click()
    expect(best.locator(".passage-text")).to_contain_text("五百元")
    expect(best.locator(".passage-text mark").first).to_be_visible()
    best.get_by_role("link", name="在原文中查看").click()
    expect(page.locator("mark").first).to_be_in_viewport()
    assert page_log.complaints == []


def test_what_was_left_says_why(console: Console, open_page: OpenPage) -> None:
    page = open_page(console.page("/retrieval"))
    page.get_by_label("置信度门槛").fill("1")
    ask(page)
    expect(page.locator(".verdict")).to_contain_text("找到的资料不足以作答")
    expect(page.locator(".candidate .tag").first).to_have_text("置信度低于门槛")
    page.get_by_label("置信度门槛").fill("0.55")
    page.get_by_label("知识库").select_option("后勤")
    page.get_by_role("button", name="检索").click()
    left = page.locator(".candidate", has_text="差旅费办法").first
    expect(left.locator(".tag")).to_have_text("不符合筛选条件：知识库")


def test_the_day_decides_what_is_in_force(console: Console, open_page: OpenPage) -> None:
    with console.api() as client:
        text = "# 摆渡车规定\n\n第一条 摆渡车七时三十分发车。\n\n本规定自2024年3月1日起施行。"
        task = client.post("/documents", files={"file": ("摆渡车规定.md", text.encode())}).json()["task_id"]
        while client.get(f"/tasks/{task}").json()["state"] == "running":
            pass
    page = open_page(console.page("/retrieval"))
    page.get_by_label("按哪天有效的版本").fill("2024-02-29")
    ask(page, "摆渡车几点发车？")
    expect(page.locator(".verdict")).to_contain_text("相关规定尚未生效")
    expect(page.locator(".verdict")).to_contain_text("2024年3月1日起施行")
    page.get_by_label("按哪天有效的版本").fill("2024-03-01")
    page.get_by_role("button", name="检索").click()
    expect(page.locator(".verdict")).to_contain_text("取用")


@pytest.mark.parametrize(
    ("field", "value", "told"),
    [("问题或检索词", " ", "问题是空的"), ("置信度门槛", "7", "门槛在 0 与 1 之间")],
)
def test_wrong_input_is_told_and_nothing_breaks(
    console: Console, open_page: OpenPage, field: str, value: str, told: str
) -> None:
    page = open_page(console.page("/retrieval"))
    page.locator("form.ask").evaluate("form => form.noValidate = true")  # what a script would send
    page.get_by_label("问题或检索词").fill("班车")
    page.get_by_label(field).fill(value)
    page.get_by_role("button", name="检索").click()
    expect(page.get_by_role("alert").get_by_text(told)).to_be_visible()


def test_a_question_nothing_speaks_of_gets_an_honest_verdict(console: Console, open_page: OpenPage) -> None:
    page = open_page(console.page("/retrieval"))
    ask(page, "火星基地的宠物火箭怎么加油？")
    expect(page.locator(".verdict .tag")).to_have_text("不作答")


RECORD = """() => {
  const emit = socket.emit.bind(socket);
  window.sent = [];
  socket.emit = (name, message) => {
    sent.push(...(message.args ?? []).map(JSON.parse));
    return emit(name, message);
  };
}"""


def test_what_is_typed_before_the_page_is_connected_arrives_in_order(
    console: Console, open_page: OpenPage, context: BrowserContext
) -> None:
    held: list[WebSocketRoute] = []
    context.route_web_socket(re.compile("_nicegui_ws"), lambda route: held.append(route))
    try:
        page = open_page(console.page("/retrieval"))
        page.evaluate(RECORD)
        page.get_by_label("问题或检索词").press_sequentially(QUESTION, delay=7)
        page.get_by_label("问题或检索词").press("Enter")
        held[0].connect_to_server()
        expect(page.locator(".candidate").first).to_contain_text("差旅费办法")
        typed = [QUESTION[:end] for end in range(1, len(QUESTION) + 1)]
        assert page.evaluate("sent")[: len(typed)] == typed
    finally:
        context.unroute_all()
