"""Sources in conflict stand side by side on the page; a question of several meanings offers buttons."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, ViewportSize, expect

from tests.browser import OpenPage, PageLog
from tests.widget.running import running_service, upload
from tests.widget.talking import ask, highlighted

pytestmark = pytest.mark.browser

CASES = Path(__file__).resolve().parent.parent / "cases" / "widget" / "unsettled"
DEADLINE = "出差人员返回后多少天内提交报销单？"
VAGUE = "申请需要谁审批？"
PHONE = ViewportSize(width=390, height=844)


@pytest.fixture(scope="module")
def unsettled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with running_service(tmp_path_factory.mktemp("unsettled") / "home") as url:
        upload(url, sorted(CASES.iterdir()))
        yield url


def corners(sides: Locator) -> list[tuple[float, float]]:
    boxes = [side.bounding_box() for side in sides.all()]
    return [(box["x"], box["y"]) for box in boxes if box is not None]


def test_each_side_of_a_conflict_shows_its_title_date_issuer_and_words(
    unsettled: str, open_page: OpenPage, page_log: PageLog
) -> None:
    answer = ask(open_page(unsettled), DEADLINE)
    expect(answer.locator(".refusal-reason")).to_have_text("几份资料的说法互相矛盾")
    notice = answer.locator(".side", has_text="关于规范费用报销工作的通知")
    for told in ("2026年4月1日起施行", "远山科技有限公司发布", "15日内"):
        expect(notice).to_contain_text(told)
    standard = answer.locator(".side", has_text="差旅费标准")
    for told in ("2025年4月1日起施行", "发布单位未注明", "30日内"):
        expect(standard).to_contain_text(told)
    expect(answer.locator(".refusal-message")).not_to_contain_text("15日")
    expect(answer.locator(".refusal-contact")).to_contain_text("知识库管理员")
    assert page_log.complaints == []


BELOW_EACH_OTHER = """() => {
  const [first, second] = [...document.querySelectorAll(".side")].map((side) => side.getBoundingClientRect());
  return first.x === second.x && first.y < second.y;
}"""


def test_the_sides_stand_beside_each_other_and_on_a_phone_below_each_other(
    unsettled: str, open_page: OpenPage
) -> None:
    page: Page = open_page(unsettled)
    sides = ask(page, DEADLINE).locator(".side")
    first, second = corners(sides)
    assert first[1] == second[1] and first[0] < second[0]
    page.set_viewport_size(PHONE)
    page.wait_for_function(BELOW_EACH_OTHER)  # the page lays itself out anew meanwhile


def test_a_side_opens_its_source_at_the_words_in_conflict(unsettled: str, open_page: OpenPage) -> None:
    page = open_page(unsettled)
    answer = ask(page, DEADLINE)
    answer.get_by_role("button", name="打开《差旅费标准》").click()
    assert "30日内提交报销单" in highlighted(page)


def test_a_conflict_is_drawn_again_after_a_reload(unsettled: str, open_page: OpenPage) -> None:
    page = open_page(unsettled)
    ask(page, DEADLINE)
    page.reload()
    expect(page.locator(".side")).to_have_count(2)


def test_a_choice_asks_the_question_again_with_the_name_of_the_document(
    unsettled: str, open_page: OpenPage
) -> None:
    page = open_page(unsettled)
    answer = ask(page, VAGUE)
    expect(answer.locator(".refusal-reason")).to_have_text("问题有多种理解")
    choices = answer.locator(".choices button")
    expect(choices).to_have_count(3)
    choices.filter(has_text="资产办法").click()
    expect(page.locator(".question p").last).to_have_text(f"关于《资产办法》：{VAGUE}")
    expect(page.locator(".turn").last.locator(".slot-body")).to_contain_text("部门经理")
