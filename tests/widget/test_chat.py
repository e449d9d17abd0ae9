"""A question and its answer on the page, in front of a real service."""

import pytest
from playwright.sync_api import expect

from tests.browser import OpenPage, PageLog
from tests.widget.cutting import FIRST_EVENT, CuttingRelay
from tests.widget.running import DOCUMENTS
from tests.widget.talking import ANSWER, ANSWERABLE, FOLLOW_UP, UNANSWERABLE, ask, highlighted

pytestmark = pytest.mark.browser


def test_an_answer_carries_chips_and_its_sources_without_a_click(
    service: str, open_page: OpenPage, page_log: PageLog
) -> None:
    page = open_page(service)
    answer = ask(page, ANSWERABLE)
    expect(answer.locator(".slot-body")).to_contain_text(ANSWER)
    expect(answer.locator(".chip").first).to_be_visible()
    expect(answer.get_by_role("heading", name="参考来源")).to_be_visible()
    expect(answer.locator(".source-title").first).to_contain_text("差旅费管理办法")
    expect(answer.locator(".source-quote").first).to_contain_text(ANSWER)
    expect(answer.locator(".source").first).to_contain_text("现行")
    expect(answer.locator(".badge").first).to_have_text("离线引擎")
    assert page_log.complaints == []


def test_an_answer_given_before_says_so(service: str, open_page: OpenPage) -> None:
    page = open_page(service)
    first = ask(page, ANSWERABLE).locator(".slot-body").inner_text()
    again = ask(page, f"请问{ANSWERABLE}")
    expect(again.locator(".slot-byline")).to_contain_text("沿用上次的回答")
    expect(again.locator(".slot-body")).to_have_text(first, use_inner_text=True)
    expect(again.locator(".source-quote").first).to_contain_text(ANSWER)


def test_a_chip_opens_the_source_at_the_quoted_words(service: str, open_page: OpenPage) -> None:
    page = open_page(service)
    answer = ask(page, ANSWERABLE)
    chip = answer.locator(".chip").first
    number = chip.inner_text()
    source = answer.locator(f".source:has(.source-number:text-is('{number}'))")
    quotes = ["".join(quote.split()) for quote in source.locator(".source-quote").all_inner_texts()]
    chip.click()
    marked = highlighted(page)
    assert quotes and all(quote in marked for quote in quotes)
    assert len(marked) <= sum(len(quote) for quote in quotes)
    expect(page.locator("#source mark").first).to_be_in_viewport()


def test_the_source_view_hands_out_the_original_file(service: str, open_page: OpenPage) -> None:
    page = open_page(service)
    ask(page, ANSWERABLE).locator(".source-title").first.click()
    with page.expect_download() as downloading:
        page.get_by_role("button", name="下载原件").click()
    original = DOCUMENTS / "差旅费管理办法.md"
    assert downloading.value.suggested_filename == original.name
    assert downloading.value.path().read_bytes() == original.read_bytes()


def test_a_reload_restores_the_conversation_with_its_citations_and_stores_nothing(
    service: str, open_page: OpenPage
) -> None:
    page = open_page(service)
    text = ask(page, ANSWERABLE).locator(".slot-body").inner_text()
    page.reload()
    expect(page.locator(".question p")).to_have_text(ANSWERABLE)
    expect(page.locator(".slot-body")).to_have_text(text, use_inner_text=True)
    page.locator(".chip").first.click()
    assert ANSWER in highlighted(page)
    kept = "() => [localStorage.length, sessionStorage.length, document.cookie]"
    assert (page.context.cookies(), page.evaluate(kept)) == ([], [0, 0, ""])


def test_a_refusal_is_shown_as_an_honest_answer(service: str, open_page: OpenPage) -> None:
    page = open_page(service)
    answer = ask(page, UNANSWERABLE)
    expect(answer.locator(".refusal")).to_contain_text("未覆盖")
    expect(answer.locator(".refusal")).to_contain_text("知识库管理员")
    expect(answer.locator(".chip")).to_have_count(0)
    expect(answer.locator(".sources")).to_have_count(0)
    nearest = answer.locator(".nearest li")
    expect(answer.locator(".nearest .tag-unused")).to_have_count(nearest.count())
    page.reload()
    expect(page.locator(".refusal")).to_contain_text("未覆盖")


def test_a_broken_line_is_resumed_where_it_broke(relay: CuttingRelay, open_page: OpenPage) -> None:
    page = open_page(relay.url)
    whole = ask(page, ANSWERABLE).locator(".slot-body").inner_text()
    relay.cuts = 1
    again = ask(page, ANSWERABLE)
    expect(again.locator(".slot-body")).to_have_text(whole, use_inner_text=True)
    expect(again.locator(".failure")).to_have_count(0)
    assert relay.cuts == 0
    assert len(relay.resumed_after) == 1 and relay.resumed_after[0] >= 2  # meta and references had arrived


def test_a_line_that_broke_before_the_first_event_is_resumed_and_nothing_is_asked_twice(
    relay: CuttingRelay, open_page: OpenPage
) -> None:
    relay.cuts, relay.cut_at = 1, FIRST_EVENT
    page = open_page(relay.url)
    answer = ask(page, ANSWERABLE)
    expect(answer.locator(".slot-body")).to_contain_text(ANSWER)
    assert relay.resumed_after == [0]
    page.reload()
    expect(page.locator(".turn")).to_have_count(1)


def test_an_answer_of_which_no_event_has_come_is_stopped_at_the_service(
    relay: CuttingRelay, open_page: OpenPage
) -> None:
    relay.cuts, relay.cut_at, relay.patience = 1, FIRST_EVENT, 60.0
    page = open_page(relay.url)
    page.get_by_label("您的问题").fill(ANSWERABLE)
    with page.expect_response("**/api/v1/chat"):
        page.keyboard.press("Enter")
    with page.expect_response("**/stop"):
        page.get_by_role("button", name="停止").click()


@pytest.mark.parametrize("to_another", [False, True])
def test_who_leaves_a_running_answer_can_ask_elsewhere_and_finds_it_later(
    relay: CuttingRelay, open_page: OpenPage, to_another: bool
) -> None:
    relay.patience = 60.0
    page = open_page(relay.url)
    ask(page, FOLLOW_UP)
    page.get_by_role("button", name="新对话").first.click()
    relay.cuts = 1
    page.get_by_label("您的问题").fill(ANSWERABLE)
    page.keyboard.press("Enter")
    expect(page.locator(".answer .badge")).to_be_visible()  # the answer has begun and goes no further
    left = page.url
    if to_another:
        page.locator("#conversations a").first.click()
        expect(page.locator(".question p")).to_have_text(FOLLOW_UP)
    else:
        page.get_by_role("button", name="新对话").first.click()
        expect(page.locator(".turn")).to_have_count(0)
    expect(page.get_by_text("回答已停止")).to_have_count(0)
    expect(ask(page, ANSWERABLE).locator(".slot-body")).to_contain_text(ANSWER)
    page.goto(left)
    expect(page.locator(".question p")).to_have_text(ANSWERABLE)
    expect(page.locator(".slot-body")).to_contain_text(ANSWER)


def test_an_answer_can_be_stopped_and_asked_for_again(relay: CuttingRelay, open_page: OpenPage) -> None:
    relay.cuts, relay.patience = 1, 60.0
    page = open_page(relay.url)
    page.get_by_label("您的问题").fill(ANSWERABLE)
    page.keyboard.press("Enter")
    expect(page.locator(".answer .badge")).to_be_visible()  # the answer has begun and goes no further
    with page.expect_response("**/stop"):
        page.get_by_role("button", name="停止").click()
    expect(page.locator(".stopped")).to_contain_text("回答已停止")
    expect(page.locator(".progress")).to_have_count(0)
    page.get_by_role("button", name="重新提问").click()
    expect(page.locator(".answer .source").first).to_be_visible()
    expect(page.locator(".stopped")).to_have_count(0)


def test_an_unreachable_service_is_reported_and_retried(service: str, open_page: OpenPage) -> None:
    page = open_page(service)
    page.route("**/api/v1/chat", lambda route: route.abort())
    answer = ask(page, ANSWERABLE)
    expect(answer.get_by_role("alert")).to_contain_text("连接不上服务")
    page.unroute("**/api/v1/chat")
    answer.get_by_role("button", name="重试").click()
    expect(page.locator(".answer").last.locator(".source").first).to_be_visible()
    expect(page.get_by_role("alert")).to_have_count(0)
    expect(page.locator(".turn")).to_have_count(1)


def test_another_day_is_sent_along_and_shown(service: str, open_page: OpenPage) -> None:
    page = open_page(service)
    page.get_by_role("button", name="按今天有效的规定回答").click()
    page.get_by_label("适用日期").fill("2025-06-01")
    with page.expect_request("**/api/v1/chat") as sending:
        answer = ask(page, ANSWERABLE)
    assert '"as_of":"2025-06-01"' in str(sending.value.post_data)
    expect(answer.locator(".slot-byline")).to_contain_text("2025年6月1日")


def test_a_rating_and_its_comment_are_kept(service: str, open_page: OpenPage) -> None:
    page = open_page(service)
    answer = ask(page, ANSWERABLE)
    answer.get_by_role("button", name="没有帮助").click()
    answer.get_by_label("哪里不对").fill("请写明城市")
    with page.expect_request("**/feedback") as sending:
        answer.get_by_role("button", name="提交").click()
    assert sending.value.post_data_json == {"rating": "dislike", "comment": "请写明城市"}
    page.reload()
    expect(page.get_by_role("button", name="没有帮助")).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_role("button", name="有帮助", exact=True)).to_have_attribute("aria-pressed", "false")


def test_copying_takes_the_answer_and_its_sources(service: str, open_page: OpenPage) -> None:
    page = open_page(service)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    answer = ask(page, ANSWERABLE)
    answer.get_by_role("button", name="复制回答").click()
    expect(page.locator("#toast")).to_have_text("已复制回答和出处")
    copied: str = page.evaluate("() => navigator.clipboard.readText()")
    assert ANSWER in copied.split("参考来源")[0]
    assert "《差旅费管理办法" in copied.split("参考来源")[1]


def test_enter_while_an_input_method_composes_does_not_send(service: str, open_page: OpenPage) -> None:
    page = open_page(service)
    box = page.get_by_label("您的问题")
    box.fill("zhusu")
    composing = {"key": "Enter", "isComposing": True, "bubbles": True, "cancelable": True}
    box.dispatch_event("keydown", composing)
    expect(page.locator(".turn")).to_have_count(0)
    box.press("Shift+Enter")
    expect(box).to_have_value("zhusu\n")


def test_the_page_allows_no_inline_code_and_no_foreign_frame(service: str, open_page: OpenPage) -> None:
    page = open_page(service)
    response = page.reload()
    assert response is not None
    policy = response.headers["content-security-policy"]
    assert "script-src 'self';" in policy and "unsafe" not in policy and "frame-ancestors" in policy
    assert page.locator("script:not([src]), style, [style], [onclick]").count() == 0


def test_a_suggestion_asks_itself(service: str, open_page: OpenPage) -> None:
    page = open_page(service)
    suggestion = page.locator(".suggestion").first
    text = suggestion.inner_text()
    suggestion.click()
    expect(page.locator(".question p")).to_have_text(text)
    expect(page.locator(".answer")).to_have_attribute("aria-busy", "false")


def test_conversations_are_listed_opened_and_deleted(service: str, open_page: OpenPage) -> None:
    page = open_page(service)
    ask(page, ANSWERABLE)
    first = page.url
    page.get_by_role("button", name="新对话").first.click()
    expect(page.get_by_role("heading", name="今天想查什么？")).to_be_visible()
    ask(page, FOLLOW_UP)
    assert page.url != first
    current = page.locator("#conversations a[aria-current]")
    expect(current).to_have_text(FOLLOW_UP)
    page.locator(f"#conversations a[href='{first[first.index('#') :]}']").click()
    expect(page.locator(".question p")).to_have_text(ANSWERABLE)
    row = page.locator("#conversations li", has=page.locator("a[aria-current]"))
    row.hover()
    row.get_by_role("button", name="删除对话").click()
    page.keyboard.press("Escape")
    expect(current).to_be_visible()
    row.get_by_role("button", name="删除对话").click()
    page.get_by_role("dialog").get_by_role("button", name="删除").click()
    expect(page.get_by_role("heading", name="今天想查什么？")).to_be_visible()
    page.goto(first)
    page.reload()
    expect(page.get_by_role("alert")).to_be_visible()
