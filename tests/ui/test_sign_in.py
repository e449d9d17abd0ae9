"""With keys: who signs in, what the cookie is made of, and that the door closes again."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from service.access import Role
from service.store.database import Database
from service.store.keys import KeyStore
from tests.browser import TIMEOUT_MS
from tests.running import serving
from tests.ui.conftest import QUICK
from tests.ui.library import Console, give_minutes, line_of, markdown, minutes, upload

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("guarded") / "home"
    home.mkdir()
    return home


@pytest.fixture(scope="module")
def keys(home: Path) -> Iterator[KeyStore]:
    """The keys of the running service, as an administrator holds them."""
    database = Database(f"sqlite:///{home / 'zhixing.db'}")
    database.migrate()
    yield KeyStore(database)
    database.close()


@pytest.fixture(scope="module")
def guarded(home: Path, keys: KeyStore) -> Iterator[Console]:
    """Keys are asked for; `key` is a contributor's."""
    key = keys.create("维护员", Role.CONTRIBUTOR)[1]
    with serving(home, env=QUICK | {"ZHIXING_AUTH": "keys"}) as service:
        yield Console(service.url, key)


@pytest.fixture
def visit(chromium: Browser) -> Iterator[Page]:
    """A visitor of their own: nothing is shared with another test's cookies."""
    context = chromium.new_context(locale="zh-CN")
    context.set_default_timeout(TIMEOUT_MS)
    yield context.new_page()
    context.close()


def sign_in(page: Page, console: Console, key: str, path: str = "") -> None:
    page.goto(console.page(path))
    page.get_by_label("访问密钥").fill(key)
    page.get_by_role("button", name="登录").click()


def test_without_a_key_every_page_leads_to_the_sign_in(guarded: Console, visit: Page) -> None:
    open_to_none = ("", "/files", "/minutes", "/minutes/any", "/minutes/any/record")
    others = ("/retrieval", "/questions", "/processes", "/processes/any")
    for path in (*open_to_none, *others, "/documents/any", "/documents/any/original"):
        visit.goto(guarded.page(path))
        expect(visit.get_by_label("访问密钥")).to_be_focused()
        assert visit.get_by_role("navigation").count() == 0


def test_a_key_opens_the_page_that_was_asked_for_in_a_cookie_out_of_reach(
    guarded: Console, visit: Page
) -> None:
    sign_in(visit, guarded, guarded.key, "/files?x=1")
    expect(visit.get_by_role("link", name="入库记录")).to_have_attribute("aria-current", "page")
    assert visit.url == guarded.page("/files?x=1")
    (cookie,) = visit.context.cookies()
    assert (cookie["httpOnly"], cookie["sameSite"], cookie["path"]) == (True, "Lax", "/app")
    assert guarded.key not in cookie["value"]
    assert visit.evaluate("document.cookie + JSON.stringify({...localStorage})") == "{}"


def test_a_wrong_key_is_told_and_opens_nothing(guarded: Console, visit: Page) -> None:
    sign_in(visit, guarded, "zx-wrong")
    expect(visit.get_by_role("alert")).to_contain_text("密钥无效")
    assert visit.context.cookies() == []


def test_signing_out_ends_the_session_on_the_server_too(guarded: Console, visit: Page) -> None:
    sign_in(visit, guarded, guarded.key)
    expect(visit.get_by_role("button", name="选择文件")).to_be_visible()
    kept = visit.context.cookies()
    visit.get_by_role("button", name="退出").click()
    expect(visit.get_by_label("访问密钥")).to_be_visible()
    visit.context.add_cookies(kept)  # type: ignore[arg-type]
    visit.goto(guarded.page())
    expect(visit.get_by_label("访问密钥")).to_be_visible()


def test_an_upload_belongs_to_who_signed_in(guarded: Console, visit: Page) -> None:
    sign_in(visit, guarded, guarded.key)
    upload(visit, markdown("归属规定", "第一条 各归其主。"))
    expect(line_of(visit, "归属规定.md")).to_contain_text("已入库")
    with guarded.api() as client:
        found = client.get("/documents", params={"search": "归属规定"}).json()["items"][0]
    assert found["source_uri"].startswith("upload:key:")
    assert found["source_uri"].endswith("/归属规定.md")
    assert found["owner"] == "维护员"


def test_a_form_of_another_site_neither_signs_in_nor_out(guarded: Console, visit: Page) -> None:
    sign_in(visit, guarded, guarded.key)
    expect(visit.get_by_role("button", name="退出")).to_be_visible()
    foreign = {"Origin": "https://elsewhere.example"}
    signed = visit.request.post(guarded.page("/sign-in"), form={"key": guarded.key}, headers=foreign)
    out = visit.request.post(guarded.page("/sign-out"), headers=foreign)
    assert (signed.status, out.status) == (403, 403)
    visit.reload()
    expect(visit.get_by_role("button", name="退出")).to_be_visible()


@pytest.mark.parametrize("back", ["https://elsewhere.example/app", "//elsewhere.example/app", "/app\\..\\x"])
def test_signing_in_leads_to_no_other_site(guarded: Console, visit: Page, back: str) -> None:
    answer = visit.request.post(
        guarded.page("/sign-in"), form={"key": guarded.key, "back": back}, max_redirects=0
    )
    assert (answer.status, answer.headers["location"]) == (303, "/app")


def test_a_reader_is_told_which_role_is_needed(guarded: Console, keys: KeyStore, visit: Page) -> None:
    sign_in(visit, guarded, keys.create("读者", Role.READER)[1])
    expect(visit.get_by_text("此页需要「资料维护员」角色")).to_be_visible()
    assert visit.request.get(guarded.page("/retrieval")).status == 403
    visit.get_by_role("button", name="退出").click()
    expect(visit.get_by_label("访问密钥")).to_be_visible()


def test_a_contributor_is_offered_nothing_that_only_administrators_may(guarded: Console, visit: Page) -> None:
    sign_in(visit, guarded, guarded.key)
    upload(visit, markdown("权限规定", "第一条 各司其职。"))
    expect(line_of(visit, "权限规定.md")).to_contain_text("已入库")
    rooms = visit.get_by_role("navigation", name="管理台")
    expect(rooms.get_by_role("link")).to_have_text(["文档", "会议纪要", "检索", "流程"])
    assert visit.request.get(guarded.page("/questions")).status == 403
    visit.get_by_role("link", name="权限规定", exact=True).click()
    expect(visit.get_by_role("link", name="下载原件")).to_be_visible()
    expect(visit.get_by_role("button", name="更正")).to_have_count(0)


def test_a_meeting_hidden_from_a_visitor_is_as_one_that_is_not_there(
    guarded: Console, keys: KeyStore, visit: Page
) -> None:
    office = Console(guarded.url, keys.create("管理员", Role.ADMIN)[1])
    (document,) = give_minutes(office, minutes("人事密谈", "张总：说给一个人听。"), labels="group:人事")
    sign_in(visit, guarded, keys.create("旁人", Role.CONTRIBUTOR)[1], "/minutes")
    empty = visit.get_by_text("还没有会议纪要")  # and how to come by some
    expect(empty).to_contain_text("zhixing minutes ingest 文件夹")
    for path in (f"/minutes/{document}", "/minutes/none"):
        assert visit.request.get(guarded.page(path)).status == 404
        assert visit.request.get(guarded.page(f"{path}/record")).status == 404
        visit.goto(guarded.page(path))
        expect(visit.get_by_text("没有这份会议纪要")).to_be_visible()
        expect(visit.get_by_text("说给一个人听")).to_have_count(0)


def test_a_revoked_key_closes_the_page_that_is_open(guarded: Console, keys: KeyStore, visit: Page) -> None:
    key_id, key = keys.create("离任者", Role.CONTRIBUTOR)
    sign_in(visit, guarded, key)
    expect(visit.get_by_role("button", name="选择文件")).to_be_visible()
    keys.revoke(key_id)
    upload(visit, markdown("迟到规定", "第一条 迟到。"))
    expect(visit.get_by_label("访问密钥")).to_be_visible()
    with guarded.api() as client:
        assert client.get("/documents", params={"search": "迟到规定"}).json()["total"] == 0
