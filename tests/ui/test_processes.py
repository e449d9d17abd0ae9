"""A process as its keeper works with it: defects beside their rows, publishing, trials, the record."""

from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Literal
from urllib.parse import quote

import httpx
import openpyxl
import pytest
from playwright.sync_api import Browser, FilePayload, Locator, Page, expect

from service.access import Role
from service.store.database import Database
from service.store.keys import KeyStore
from tests.browser import PHONE, TIMEOUT_MS, PageLog
from tests.running import serving
from tests.service.process.kept import FORM, ID, workbook, zipped
from tests.ui.conftest import QUICK
from tests.ui.library import Console
from tests.ui.test_reach import (
    DARK_INK,
    PALE,
    SMALL,
    TOO_WIDE,
    names_headings_and_landmarks_are_in_order,
)
from tests.ui.test_sign_in import sign_in

pytestmark = pytest.mark.browser

SHOWS = {  # what tells that a side of a process is there
    "rules": ".sheet-table",
    "fields": ".sheet-table",
    "steps": ".sheet-table",
    "trial": ".outcome-head",
    "cases": ".sheet-table",
    "versions": "[data-version]",
    "record": ".usage-table",
}
INKS: dict[Literal["light", "dark"], str] = {"dark": DARK_INK, "light": "rgb(31, 39, 48)"}
GAP = "6000以上且不满5万"  # of R03 and R04: nothing is left for 5000 to 6000


@dataclass(frozen=True)
class Keys:
    """One of each role, on one running service."""

    url: str
    reader: str
    keeper: str
    admin: str

    def console(self, key: str) -> Console:
        return Console(self.url, key)


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Keys]:
    home: Path = tmp_path_factory.mktemp("processes") / "home"
    home.mkdir()
    database = Database(f"sqlite:///{home / 'zhixing.db'}")
    database.migrate()
    store = KeyStore(database)
    made = {role: store.create(name, role)[1] for role, name in _PEOPLE.items()}
    with serving(home, env=QUICK | {"ZHIXING_AUTH": "keys"}) as service:
        yield Keys(service.url, made[Role.READER], made[Role.PROCESS_ADMIN], made[Role.ADMIN])
    database.close()


_PEOPLE = {Role.READER: "王读", Role.PROCESS_ADMIN: "李流", Role.ADMIN: "赵管"}


@pytest.fixture
def visit(chromium: Browser, page_log: PageLog) -> Iterator[Page]:
    context = chromium.new_context(locale="zh-CN", reduced_motion="reduce")
    context.set_default_timeout(TIMEOUT_MS)
    page = context.new_page()
    page_log.watch(page)
    yield page
    context.close()


def payload(data: bytes, name: str = f"{ID}.xlsx") -> FilePayload:
    return {"name": name, "mimeType": "application/octet-stream", "buffer": data}


def hand_in(page: Page, file: FilePayload) -> Locator:
    """Picks a workbook and returns its line, once it is a draft."""
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="选择工作簿").click()
    chooser.value.set_files(file)
    line = page.locator(".upload", has_text=str(file["name"])).first
    expect(line.get_by_role("link", name="看草稿")).to_be_visible()
    return line


def side(name: str, process_id: str = ID) -> str:
    return f"/processes/{quote(process_id)}?side={name}"


def serve(keys: Keys, data: bytes, process_id: str = ID, ending: str = "xlsx") -> None:
    """Publishes past the console."""
    with keys.console(keys.keeper).api() as client:
        files = {"file": (f"{process_id}.{ending}", data)}
        draft = client.post(f"/processes/{process_id}/drafts", files=files).raise_for_status().json()
        body = {"draft_id": draft["draft_id"]}
        client.post(f"/processes/{process_id}/publish", json=body).raise_for_status()


def serving_version(keys: Keys, process_id: str = ID) -> str:
    with keys.console(keys.reader).api() as client:
        return str(client.get(f"/processes/{process_id}").raise_for_status().json()["version"])


def test_an_empty_list_says_how_to_begin(keys: Keys, visit: Page, page_log: PageLog) -> None:
    """The first test of the module: those after it publish."""
    sign_in(visit, keys.console(keys.keeper), keys.keeper, "/processes")
    expect(visit.get_by_text("还没有流程。下载空白模板")).to_be_visible()
    names_headings_and_landmarks_are_in_order(visit)
    visit.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    assert visit.evaluate(TOO_WIDE) == []
    assert page_log.complaints == []


def test_a_defect_stands_beside_its_row_and_the_old_version_serves_until_it_is_mended(
    keys: Keys, visit: Page, page_log: PageLog
) -> None:
    serve(keys, workbook("1.0"))
    sign_in(visit, keys.console(keys.keeper), keys.keeper, "/processes")
    line = hand_in(visit, payload(workbook("2.0", 决策表_C8="除 劳保用具 外")))
    expect(line).to_contain_text("1 个错误")
    line.get_by_role("link", name="看草稿").click()
    row = visit.locator("tr[data-row='8']")
    expect(row.locator(".row-key")).to_contain_text("错误")
    expect(row.locator(".cell-bad")).to_contain_text("除 劳保用具 外")
    beside = visit.locator("tr[data-row='8'] + .finding-row")
    expect(beside).to_contain_text("不认识的值")
    expect(beside).to_contain_text("怎样改：")
    visit.get_by_role("button", name=f"发布：{ID} 2.0").click()
    dialog = visit.get_by_role("dialog", name="没有发布")
    expect(dialog).to_contain_text("原来的版本继续有效")
    expect(dialog.locator(".finding-error")).to_have_count(1)
    visit.keyboard.press("Escape")
    assert serving_version(keys) == "1.0"

    visit.get_by_role("link", name="版本", exact=True).click()
    hand_in(visit, payload(workbook("2.0", 决策表_E8="标准办理")))
    draft = visit.locator("[data-draft]").first
    expect(draft.locator(".tag")).to_have_text("草稿，可以发布")
    draft.get_by_role("button", name="发布").click()
    dialog = visit.get_by_role("dialog", name=f"发布「{ID}」2.0？")
    expect(dialog).to_contain_text("决策表：改动 1 行")
    expect(dialog.get_by_role("button", name="取消")).to_be_focused()
    dialog.get_by_role("button", name="发布").click()
    expect(visit.get_by_text("版本 2.0 已发布，现在就用它。")).to_be_visible()
    expect(visit.locator("[data-version='2.0'] .tag")).to_have_text("现行")
    expect(visit.locator("[data-version='1.0'] .tag")).to_have_text("已有后一版")
    assert serving_version(keys) == "2.0"
    assert page_log.complaints == []


def test_a_gap_is_told_with_a_case_that_can_be_tried(keys: Keys, visit: Page) -> None:
    sign_in(visit, keys.console(keys.keeper), keys.keeper, "/processes")
    data = workbook("3.0", 流程信息_B1="GAPS", 决策表_B8=GAP, 决策表_B9=GAP, 测试用例_B3="6000")
    hand_in(visit, payload(data, "GAPS.xlsx")).get_by_role("link", name="看草稿").click()
    finding = visit.locator(".finding", has_text="空缺").first
    expect(finding).to_contain_text("没有任何一行规则")
    finding.get_by_role("link", name="按这个情况试算").click()
    expect(visit.locator(".outcome-head .tag")).to_have_text("没有规则")
    near = visit.get_by_role("region", name="最接近的行")
    expect(near.locator("tbody tr")).to_have_count(4)
    expect(near.locator(".truth-false").first).to_contain_text("不符合")
    visit.get_by_label("申领金额（元）").fill("6000")
    expect(visit.locator(".outcome-head .tag")).to_have_text("命中")


def test_a_trial_answers_while_one_types(keys: Keys, visit: Page, page_log: PageLog) -> None:
    serve(keys, workbook("1.0", 流程信息_B1="TRY"), "TRY")
    sign_in(visit, keys.console(keys.reader), keys.reader, side("trial", "TRY"))
    expect(visit.locator(".outcome-head")).to_contain_text("还需要知道：申领金额、物品类别、是否紧急")
    visit.get_by_label("申领金额（元）").fill("八千左右")
    visit.get_by_label("物品类别").select_option("图书")
    expect(visit.locator(".trial-problem")).to_contain_text("申领金额")
    visit.get_by_label("申领金额（元）").fill("0.8万")
    visit.get_by_label("是否紧急").select_option("否")
    expect(visit.locator(".outcome-head .tag")).to_have_text("命中")
    expect(visit.locator(".steps li")).to_have_count(3)
    expect(visit.locator(".needs")).to_contain_text("因为：")
    hit = visit.get_by_role("region", name="命中的行（1）")
    expect(hit.locator("tbody tr")).to_contain_text("R03")
    expect(hit.locator(".truth-true")).to_have_count(3)
    expect(visit.get_by_role("region", name="最接近的行（3）").locator(".truth-false").first).to_be_visible()
    visit.get_by_role("button", name="看全部 4 行").click()
    expect(visit.get_by_role("region", name="全部行").locator("tbody tr")).to_have_count(4)
    visit.get_by_label("是否紧急").select_option("是")
    expect(visit.get_by_role("region", name="全部行").locator("thead")).to_contain_text("填的是 是")
    visit.get_by_label("哪一天申请").fill("2020-01-01")
    expect(visit.locator(".trial-problem")).to_contain_text("在 2020-01-01 没有有效的版本")
    with keys.console(keys.admin).api() as client:
        assert client.get("/processes/TRY/decisions").raise_for_status().json()["total"] == 0
    assert page_log.complaints == []


def test_a_reader_is_offered_nothing_that_changes_and_no_record(keys: Keys, visit: Page) -> None:
    serve(keys, workbook("1.0", 流程信息_B1="READ"), "READ")
    sign_in(visit, keys.console(keys.reader), keys.reader, side("versions", "READ"))
    expect(visit.locator("[data-version='1.0']")).to_contain_text("李流 发布")
    for name in ("发布", "撤下", "丢弃", "选择工作簿"):
        expect(visit.get_by_role("button", name=name)).to_have_count(0)
    expect(visit.get_by_role("link", name="记录", exact=True)).to_have_count(0)
    expect(visit.get_by_role("heading", name="草稿")).to_have_count(0)
    rooms = visit.get_by_role("navigation", name="管理台")
    expect(rooms.get_by_role("link")).to_have_text(["流程"])
    visit.goto(keys.console("").page(side("record", "READ")))
    expect(visit.get_by_role("heading", name="谁做了什么")).to_have_count(0)
    visit.goto(keys.console("").page("/processes"))
    expect(visit.locator("[data-process='READ']")).to_contain_text("4 条规则")
    expect(visit.locator("[data-process='READ']")).not_to_contain_text("近 90 天")


def test_a_draft_stays_closed_to_readers(keys: Keys, visit: Page) -> None:
    with keys.console(keys.keeper).api() as client:
        files = {"file": ("SECRET.xlsx", workbook(流程信息_B1="SECRET"))}
        draft = client.post("/processes/SECRET/drafts", files=files).raise_for_status().json()["draft_id"]
    sign_in(visit, keys.console(keys.reader), keys.reader, f"/processes/SECRET?draft={draft}")
    expect(visit.get_by_role("heading", name="打不开这一页")).to_be_visible()
    for kind in ("workbook", "template"):
        address = f"/process-files/{kind}?process=SECRET&draft={draft}&name=x"
        assert visit.request.get(keys.console("").page(address)).status == 403
    visit.goto(keys.console("").page("/processes"))
    expect(visit.locator("[data-process='SECRET']")).to_have_count(0)


def test_withdrawing_asks_first_and_the_version_before_serves(keys: Keys, visit: Page) -> None:
    serve(keys, workbook("1.0", 流程信息_B1="BACK"), "BACK")
    serve(keys, workbook("2.0", 流程信息_B1="BACK"), "BACK")
    sign_in(visit, keys.console(keys.keeper), keys.keeper, side("versions", "BACK"))
    visit.get_by_role("button", name="撤下：版本 2.0").click()
    dialog = visit.get_by_role("dialog")
    dialog.get_by_role("button", name="取消").click()
    assert serving_version(keys, "BACK") == "2.0"
    visit.get_by_role("button", name="撤下：版本 2.0").click()
    dialog.get_by_role("button", name="撤下").click()
    expect(visit.get_by_text("版本 2.0 已撤下，今天用的是版本 1.0。")).to_be_visible()
    expect(visit.locator("[data-version='2.0'] .tag")).to_have_text("已撤下")
    expect(visit.locator("[data-version='1.0'] .tag")).to_have_text("现行")
    assert serving_version(keys, "BACK") == "1.0"


def test_two_versions_are_compared_row_by_row(keys: Keys, visit: Page) -> None:
    old = workbook("1.0", 流程信息_B1="TWO")
    changed = {"决策表_E6": "简便", "材料_A4": "M09", "决策表_G7": "M01、M09", "测试用例_F4": ""}
    new = workbook("2.0", 流程信息_B1="TWO", **changed)
    serve(keys, old, "TWO")
    serve(keys, new, "TWO")
    sign_in(visit, keys.console(keys.reader), keys.reader, side("versions", "TWO"))
    row = visit.locator(".change-changed", has_text="R01").first
    expect(row.locator("del")).to_have_text("简易")
    expect(row.locator("ins")).to_have_text("简便")
    expect(visit.locator(".change-added", has_text="M09")).to_have_count(1)
    expect(visit.locator(".change-removed", has_text="M03")).to_have_count(1)
    visit.get_by_label("旧的").select_option(visit.get_by_label("新的").input_value())
    expect(visit.get_by_text("各行都相同。")).to_be_visible()


def test_the_record_tells_who_what_and_which_rows_are_never_used(keys: Keys, visit: Page) -> None:
    serve(keys, workbook("1.0", 流程信息_B1="USED"), "USED")
    facts = {"申领金额": "800", "物品类别": "图书", "是否紧急": "否"}
    with keys.console(keys.reader).api() as client:
        client.post("/processes/USED/evaluate", json={"facts": facts}).raise_for_status()
    sign_in(visit, keys.console(keys.admin), keys.admin, side("record", "USED"))
    uses = visit.get_by_role("region", name="每一行用了几次").locator("tbody tr")
    expect(uses.filter(has_text="R01")).to_contain_text("1")
    expect(uses.filter(has_text="R02")).to_contain_text("没有用到")
    expect(visit.get_by_text("4 行里有 3 行没有用到")).to_be_visible()
    decision = visit.locator(".record", has_text="给出步骤卡")
    expect(decision).to_contain_text("申领金额 800，物品类别 图书，是否紧急 否")
    expect(decision).to_contain_text("王读")
    expect(visit.locator(".record", has_text="上传草稿")).to_contain_text("李流")
    expect(visit.locator(".record").filter(has_text="版本 1.0").first).to_be_visible()
    visit.get_by_label("显示").select_option("没有用到的行")
    expect(uses).to_have_count(3)


def test_test_cases_show_their_results_and_can_be_tried(keys: Keys, visit: Page) -> None:
    sign_in(visit, keys.console(keys.keeper), keys.keeper, "/processes")
    data = workbook("1.0", 流程信息_B1="CASES", 测试用例_E2="R02")
    hand_in(visit, payload(data, "CASES.xlsx")).get_by_role("link", name="看草稿").click()
    visit.get_by_role("link", name="测试用例（1）").click()
    expect(visit.locator("tr[data-row='2'] .extra")).to_contain_text("没有通过")
    expect(visit.locator("tr[data-row='3'] .extra")).to_contain_text("通过")
    visit.get_by_role("link", name="试算：用例 T02").click()
    expect(visit.get_by_role("region", name="命中的行（1）").locator("tbody tr")).to_contain_text("R03")


def test_a_table_of_a_thousand_rows_stays_usable(keys: Keys, visit: Page) -> None:
    serve(keys, long_table(1000), "LONG")
    sign_in(visit, keys.console(keys.reader), keys.reader, side("rules", "LONG"))
    rows = visit.locator(".sheet").first.locator("tbody tr")
    expect(rows).to_have_count(50)
    expect(visit.get_by_text("共 1000 行")).to_be_visible()
    visit.get_by_role("button", name="下一页").first.click()
    expect(rows.first).to_contain_text("R0051")
    visit.get_by_label("查找", exact=True).first.fill("R0999")
    expect(rows).to_have_count(1)
    visit.get_by_label("显示", exact=True).first.select_option("有问题的行")
    expect(visit.get_by_text("没有符合条件的行。")).to_be_visible()
    visit.get_by_role("link", name="试算", exact=True).click()
    visit.get_by_label("申领金额（元）").fill("9985")
    visit.get_by_label("物品类别").select_option("图书")
    visit.get_by_label("是否紧急").select_option("否")
    hit = visit.get_by_role("region", name="命中的行（1）")
    expect(hit.locator("tbody tr")).to_contain_text("R0999")


def long_table(count: int) -> bytes:
    """Rows of 10 yuan each; what is beyond them is declared not to be covered."""
    book = openpyxl.load_workbook(BytesIO(workbook("1.0", 流程信息_B1="LONG")))
    table = book["决策表"]
    for at in range(count):
        amount = f"{at * 10}(含)~{at * 10 + 10}(不含)"
        row = [f"R{at + 1:04}", amount, "任意", "任意", "简易", "部门审批>行政审核>发放登记", "M01、M02、M03"]
        for place, text in enumerate(row, 1):
            table.cell(at + 6, place, text)
    book["已声明空缺"]["B2"] = f"{count * 10}以上"
    book["测试用例"].delete_rows(2, 5)
    content = BytesIO()
    book.save(content)
    return content.getvalue()


def test_templates_and_the_workbook_are_downloaded_as_they_were_handed_in(keys: Keys, visit: Page) -> None:
    book, form = workbook("1.0", 流程信息_B1="FORMS"), b"a form to fill in"
    serve(keys, zipped({"FORMS.xlsx": book, f"templates/{FORM}": form}), "FORMS", "zip")
    sign_in(visit, keys.console(keys.reader), keys.reader, side("steps", "FORMS"))
    with visit.expect_download() as download:
        visit.get_by_role("link", name=f"下载模板：{FORM}").click()
    assert (download.value.suggested_filename, download.value.path().read_bytes()) == (FORM, form)
    with visit.expect_download() as download:
        visit.get_by_role("link", name="下载工作簿").click()
    assert download.value.path().read_bytes() == book


def test_what_a_workbook_says_is_shown_as_text(keys: Keys, visit: Page, page_log: PageLog) -> None:
    """Also under an id that no address can hold."""
    sign_in(visit, keys.console(keys.keeper), keys.keeper, "/processes")
    cells = {"流程信息_B1": "A/B?", "流程信息_B2": "<b>粗</b>", "决策表_K6": "<img src=x onerror=alert(1)>"}
    hand_in(visit, payload(workbook(**cells), "a.xlsx")).get_by_role("link", name="看草稿").click()
    expect(visit.get_by_role("heading", name="<b>粗</b>")).to_be_visible()
    expect(visit.locator("tr[data-row='6']")).to_contain_text("<img src=x onerror=alert(1)>")
    visit.get_by_role("link", name="字段（1）").click()
    expect(visit.locator(".finding")).to_contain_text("不能用在网址里")
    assert page_log.complaints == []


def test_the_blank_template_comes_with_a_process_that_passes(keys: Keys, visit: Page) -> None:
    sign_in(visit, keys.console(keys.keeper), keys.keeper, "/processes")
    with visit.expect_download() as download:
        visit.get_by_role("link", name="下载空白模板").click()
    data = download.value.path().read_bytes()
    with httpx.Client() as client:
        assert client.get(keys.console("").page("/process-files/starter")).status_code == 303
    line = hand_in(visit, payload(data, "新流程.xlsx"))
    expect(line.locator(".tag")).to_have_text("草稿，可以发布")


def test_what_is_no_workbook_becomes_a_draft_that_says_so(keys: Keys, visit: Page) -> None:
    sign_in(visit, keys.console(keys.keeper), keys.keeper, "/processes")
    line = hand_in(visit, payload(b"not a workbook", "坏文件.xlsx"))
    expect(line.locator(".tag")).to_have_text("草稿，有错误")
    line.get_by_role("link", name="看草稿").click()
    expect(visit.locator(".finding")).to_contain_text("打不开")
    visit.get_by_role("button", name="丢弃草稿").click()
    visit.get_by_role("dialog").get_by_role("button", name="丢弃").click()
    expect(visit.get_by_role("heading", name="全部流程")).to_be_visible()
    expect(visit.locator(".card", has_text="坏文件")).to_have_count(0)


def test_every_side_can_be_used_by_everybody(keys: Keys, visit: Page) -> None:
    serve(keys, workbook("1.0", 流程信息_B1="REACH"), "REACH")
    visit.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    sign_in(visit, keys.console(keys.admin), keys.admin, "/processes")
    expect(visit.locator("[data-process='REACH']")).to_be_visible()
    can_be_used(visit)
    for name, shows in SHOWS.items():
        visit.goto(keys.console("").page(side(name, "REACH")))
        expect(visit.locator(shows).first).to_be_visible()
        can_be_used(visit)


def can_be_used(page: Page) -> None:
    names_headings_and_landmarks_are_in_order(page)
    assert page.evaluate(TOO_WIDE) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.evaluate(SMALL) == []
    for scheme, ink in INKS.items():
        page.emulate_media(color_scheme=scheme)
        expect(page.locator(".brand-name")).to_have_css("color", ink)
        assert page.evaluate(PALE) == []
