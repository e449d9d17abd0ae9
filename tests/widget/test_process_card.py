"""A case in the chat: asked with quick replies, told as a step card to tick off, print and copy."""

from io import BytesIO

import pytest
from playwright.sync_api import Locator, Page, expect
from pypdf import PdfReader

from ingestion.glyphs import normalise
from tests.asking import ask as answered
from tests.browser import OpenPage, PageLog
from tests.running import Running
from tests.widget.conftest import RunJs
from tests.widget.talking import ask, highlighted, settled

pytestmark = pytest.mark.browser

APPLICATION = "我想申请一台8万的服务器，比较急"
DEPARTMENT = "信息技术部"
NODES = ["部门初审", "资产复核", "预算确认", "分管审批", "最终归档"]
MATERIALS = ["资产申请表", "预算说明", "三家比价单", "信息化技术方案", "可行性论证", "紧急情况说明"]
UNCLEAR = "出差报销"
FOCUSED = "() => document.activeElement.textContent"


def replies(page: Page) -> Locator:
    """The quick replies that can be pressed."""
    return page.locator(".quick-reply:enabled")


def press(page: Page, label: str) -> Locator:
    """Presses a quick reply and returns the answer it brought."""
    replies(page).get_by_text(label, exact=True).click()
    return settled(page)


def tick_box(card: Locator, material: str) -> Locator:
    return card.get_by_role("checkbox", name=material)


@pytest.fixture(scope="module")
def told(running: Running) -> str:
    """The address of a conversation that has come to its step card."""
    with running.client() as client:
        asked = answered(client, APPLICATION)
        answered(client, DEPARTMENT, conversation_id=asked["conversation_id"])
    return f"{running.url}/#c={asked['conversation_id']}"


def test_a_case_is_asked_by_quick_replies_and_ends_in_a_card(
    running: Running, open_page: OpenPage, page_log: PageLog
) -> None:
    page = open_page(running.url)
    asked = ask(page, APPLICATION)
    expect(asked.locator(".slot-body")).to_contain_text("是哪个部门申请？")
    expect(asked.get_by_role("toolbar", name="快捷回答").get_by_role("button")).to_have_count(11)
    answer = press(page, DEPARTMENT)
    expect(page.locator(".question p").last).to_have_text(DEPARTMENT)
    card = answer.locator(".card")
    expect(card.get_by_role("heading", name="信息化论证加急")).to_be_visible()
    expect(card.locator(".card-process")).to_have_text("步骤卡 · 资产申请")
    expect(card.locator(".step-name")).to_have_text(NODES)
    expect(card.locator(".step-role").nth(2)).to_have_text("财务部预算岗 唐莉")
    expect(card.locator(".step-days").nth(3)).to_have_text("2 个工作日")
    expect(card.locator(".steps-part .card-fact")).to_have_text("5 步，预计 3 个工作日")
    expect(card.locator(".material label")).to_have_text(MATERIALS)
    expect(answer.locator(".badge").first).to_have_text("离线引擎")
    expect(answer.get_by_role("button", name="有帮助", exact=True)).to_be_visible()
    assert page_log.complaints == []


def test_a_card_says_what_decided_it_and_where_its_values_come_from(told: str, open_page: OpenPage) -> None:
    card = open_page(told).locator(".card")
    expect(card.locator(".rule-id")).to_have_text(["R14"])
    expect(card.locator(".deciding")).to_contain_text("资产申请办理路径")
    expect(card.locator(".condition")).to_have_text(
        ["预算金额(元)5万以上且不满20万", "资产类别服务器、网络设备", "是否紧急是"]
    )
    expect(card.locator(".because")).to_have_count(1)  # one row asks for all of them
    expect(card.locator(".because")).to_contain_text("R14：预算金额(元) 5万以上且不满20万")
    expect(card.locator(".basis-part .card-fact")).to_have_text("版本 2025.2")
    expect(card.locator(".row-note")).to_have_text(["R14 备注：各节点时限减半"])
    expect(card.locator(".value", has_text="预算金额")).to_contain_text("80000元说的")
    expect(card.locator(".next")).to_contain_text("交申请部门经理办理「部门初审」")
    expect(card.locator(".steps-part .card-note")).to_contain_text("合计 6 个工作日；按规则 R14")


def test_the_clause_of_a_card_opens_its_source(told: str, open_page: OpenPage) -> None:
    page = open_page(told)
    card = page.locator(".card")
    clause = card.locator(".clause")
    expect(clause).to_contain_text("《资产管理办法》第十一条")
    clause.get_by_role("button", name="来源 1：").click()
    assert "第十一条" in highlighted(page)


def test_ticks_are_counted_and_said_and_stay_on_the_page(told: str, open_page: OpenPage) -> None:
    page = open_page(told)
    card = page.locator(".card")
    expect(card.locator(".ready-count")).to_have_text("0/6 已备齐")
    for number, name in enumerate(MATERIALS, 1):
        tick_box(card, name).check()
        expect(card.locator(".ready-count")).to_have_text(f"{number}/6 已备齐")
    expect(page.locator("#announcer")).to_have_text("6/6 已备齐")
    tick_box(card, MATERIALS[0]).press("Space")
    expect(page.locator("#announcer")).to_have_text("5/6 已备齐")
    page.reload()
    expect(page.locator(".ready-count")).to_have_text("0/6 已备齐")


def test_a_template_is_fetched_and_saved_under_its_name(told: str, open_page: OpenPage) -> None:
    page = open_page(told)
    button = page.locator(".card").get_by_role("button", name="下载模板：三家比价单.xlsx")
    with page.expect_download() as saving, page.expect_request("**/templates/**") as fetching:
        button.click()
    assert saving.value.suggested_filename == "三家比价单.xlsx"
    assert fetching.value.resource_type == "fetch"
    page.route("**/templates/**", lambda route: route.abort())
    button.click()
    expect(page.locator("#toast")).to_contain_text("连接不上服务")


def test_a_template_is_asked_for_with_the_token_of_the_page(run_js: RunJs) -> None:
    body = """
      const asked = [];
      window.fetch = async (url, { headers }) => {
        asked.push(url, headers.Authorization);
        return new Response("");
      };
      const api = module.createApi({ token: () => "mine", renewToken: async () => false });
      await api.template("A/B", "单 据.docx");
      return asked;"""
    path = "/api/v1/processes/A%2FB/templates/%E5%8D%95%20%E6%8D%AE.docx"
    assert run_js("widget/api.js", body) == [path, "Bearer mine"]


def test_a_correction_marks_what_changed_and_sets_the_old_card_aside(
    running: Running, open_page: OpenPage
) -> None:
    page = open_page(running.url)
    ask(page, APPLICATION)
    press(page, DEPARTMENT)
    card = ask(page, "金额改成3万").locator(".card")
    expect(card.locator(".changes del")).to_contain_text("80000")
    expect(card.locator(".changes ins")).to_contain_text("30000")
    expect(card.locator(".rule-id")).to_have_text(["R12"])
    first = page.locator(".card").first
    expect(first).to_contain_text("请以下面新的步骤卡为准")
    expect(first.locator(".steps")).to_be_hidden()
    first.get_by_role("button", name="展开旧卡").click()
    expect(first.locator(".steps")).to_be_visible()
    expect(card).not_to_contain_text("请以下面新的步骤卡为准")
    page.reload()
    expect(page.locator(".card").last.locator(".changes ins")).to_contain_text("30000")
    expect(page.locator(".card").first).to_contain_text("请以下面新的步骤卡为准")


def test_a_reload_shows_the_card_again_and_only_the_newest_replies(
    running: Running, open_page: OpenPage
) -> None:
    page = open_page(running.url)
    ask(page, APPLICATION)
    page.reload()
    expect(replies(page)).to_have_count(11)
    press(page, DEPARTMENT)
    page.reload()
    expect(page.locator(".card .step-name")).to_have_text(NODES)
    expect(page.locator(".card .clause .chip").first).to_be_visible()
    expect(page.locator(".quick-reply")).to_have_count(0)


def test_replies_close_once_something_else_was_sent(running: Running, open_page: OpenPage) -> None:
    page = open_page(running.url)
    ask(page, APPLICATION)
    press(page, DEPARTMENT)
    expect(page.locator(".quick-reply")).to_have_count(11)
    expect(replies(page)).to_have_count(0)
    expect(page.locator(".quick-chosen")).to_have_text(DEPARTMENT)
    expect(page.get_by_label("您的问题")).to_be_focused()


def test_replies_are_walked_with_the_arrow_keys(running: Running, open_page: OpenPage) -> None:
    page = open_page(running.url)
    ask(page, APPLICATION)
    expect(page.locator(".quick-reply[tabindex='0']")).to_have_count(1)
    replies(page).first.focus()
    expect(page.locator("#announcer")).to_contain_text("可以直接选：行政部、财务部")
    walked = []
    for key in ("ArrowRight", "ArrowDown", "ArrowLeft", "Home", "ArrowUp", "ArrowRight", "End"):
        page.keyboard.press(key)
        walked.append(page.evaluate(FOCUSED))
    last = "质量管理部"
    assert walked == ["财务部", "信息技术部", "财务部", "行政部", last, "行政部", last]
    page.keyboard.press("Enter")
    expect(settled(page).locator(".card")).to_be_visible()


@pytest.mark.parametrize(("label", "mode"), [("查规定", "knowledge"), ("办这件事", "process")])
def test_an_unclear_message_goes_again_with_the_chosen_path(
    running: Running, open_page: OpenPage, label: str, mode: str
) -> None:
    page = open_page(running.url)
    unclear = ask(page, UNCLEAR)
    expect(unclear.locator(".slot-body")).to_contain_text("查规定，还是要办这件事")
    expect(unclear.locator(".slot-byline")).not_to_contain_text("有效的规定")
    with page.expect_request("**/api/v1/chat") as sending:
        press(page, label)
    sent = sending.value.post_data_json
    assert sent is not None
    assert (sent["message"], sent["mode"]) == (UNCLEAR, mode)


def test_processes_to_choose_from_are_listed_and_can_be_pressed(
    running: Running, open_page: OpenPage
) -> None:
    page = open_page(running.url)
    answer = ask(page, "我要报差旅费，还得盖个章")
    expect(answer.locator(".slot-body ol li")).to_have_count(2)
    names = answer.locator(".slot-body ol li").all_inner_texts()
    expect(replies(page)).to_have_text(names)


def test_a_card_prints_alone_on_one_page(told: str, open_page: OpenPage) -> None:
    page = open_page(told)
    card = page.locator(".card")
    tick_box(card, MATERIALS[0]).check()
    text, pages = printed(page)
    assert pages == 1
    for word in (*NODES, *MATERIALS, "R14", "2025.2", "打印"):
        assert word in text
    for chat in ("服务器，比较急", "参考来源", "新对话", "有效的规定回答", "下载模板"):
        assert chat not in text


def printed(page: Page) -> tuple[str, int]:
    """The bare text and the number of pages of what the card's print button prints."""
    page.evaluate("() => { window.print = () => {}; }")  # the dialog of the browser
    page.locator(".card").last.get_by_role("button", name="打印").click()
    paper = PdfReader(BytesIO(page.pdf(prefer_css_page_size=True)))
    text = "".join(sheet.extract_text() for sheet in paper.pages)
    return bare(text), len(paper.pages)


def bare(text: str) -> str:
    """Without white space and in usual forms: paper holds some characters as radicals of the same shape."""
    return "".join(normalise(text).split())


def test_a_card_is_copied_as_markdown(told: str, open_page: OpenPage) -> None:
    page = open_page(told)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    card = page.locator(".card")
    tick_box(card, MATERIALS[1]).check()
    card.get_by_role("button", name="复制").click()
    expect(page.locator("#toast")).to_contain_text("已复制步骤卡")
    copied: str = page.evaluate("() => navigator.clipboard.readText()")
    assert copied.startswith("# 资产申请：信息化论证加急\n")
    for line in (
        "- 预算金额：80000元（说的）",
        "## 步骤（5 步，预计 3 个工作日）",
        "1. 部门初审（申请部门经理，1 个工作日）：核对用途和数量，确认没有可调剂的闲置资产",
        "5. 最终归档（档案管理员 周宁，1 个工作日）：归档并登记资产编号",
    ):
        assert f"\n{line}\n" in copied
    assert "- [x] 预算说明（模板 预算说明.docx）——资产申请办理路径 R14：" in copied
    assert "- [ ] 三家比价单（模板 三家比价单.xlsx）——" in copied
    assert "《资产管理办法》第十一条、第十三条、第十四条；版本 2025.2" in copied


def test_an_answer_about_an_application_names_no_day_of_regulations(
    running: Running, open_page: OpenPage
) -> None:
    page = open_page(running.url)
    answer = ask(page, "我的申请到哪一步了？")
    expect(answer.locator(".badge").first).to_have_text("离线引擎")
    expect(answer.locator(".slot-byline")).not_to_contain_text("有效的规定")
