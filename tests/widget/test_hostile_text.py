"""Documents that hold markup and scripts: shown as the words they are, on the page and in the console."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser import OpenPage
from tests.widget.running import upload
from tests.widget.talking import ask

pytestmark = pytest.mark.browser

NAME = "蓝鲸\"><img src=x onerror=window.hacked=1>{{constructor.constructor('window.hacked=1')()}}.md"
TEXT = """# 蓝鲸设施规定<img src=x onerror=window.hacked=1>

第一条 蓝鲸设施的押金是六十元<script>window.hacked=1</script><img src=x onerror="window.hacked=1">。

第二条 [蓝鲸设施的押金](javascript:window.hacked=1)不退，{{constructor.constructor('window.hacked=1')()}}。

第三条 `</script><script>window.hacked=1</script>` <svg/onload=window.hacked=1> <a href="javascript:1">甲</a>
"""
QUESTION = "蓝鲸设施的押金是多少元？"
STRANGE = "() => [window.hacked, document.querySelectorAll('[onerror],[onload],[onclick],iframe').length]"


@pytest.fixture(scope="module")
def infected(service: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    file: Path = tmp_path_factory.mktemp("hostile") / NAME.replace("/", "")
    file.write_text(TEXT, encoding="utf-8")
    upload(service, [file])
    return service


def untouched(page: Page) -> bool:
    links = page.locator("a[href^='javascript:'], [src='x']").count()
    return page.evaluate(STRANGE) == [None, 0] and links == 0


def test_the_page_shows_markup_of_an_answer_and_its_source_as_words(
    infected: str, open_page: OpenPage
) -> None:
    page = open_page(infected)
    answer = ask(page, QUESTION)
    expect(answer.locator(".slot-body")).to_contain_text("六十元")
    answer.locator(".source-title").first.click()
    expect(page.locator("#source mark").first).to_be_visible()
    expect(page.locator("#source")).to_contain_text("不退")
    assert untouched(page)
    page.reload()
    expect(page.locator(".slot-body").first).to_contain_text("六十元")
    assert untouched(page)


def test_a_question_that_is_markup_is_shown_as_words(infected: str, open_page: OpenPage) -> None:
    page = open_page(infected)
    ask(page, NAME)
    expect(page.locator(".question p").last).to_have_text(NAME)
    assert untouched(page)


@pytest.mark.parametrize("path", ["/app", "/app/files", "/app/retrieval"])
def test_the_console_shows_names_and_titles_as_words(infected: str, open_page: OpenPage, path: str) -> None:
    page = open_page(f"{infected}{path}")
    if path == "/app/retrieval":
        page.get_by_role("searchbox").fill(QUESTION)
        page.get_by_role("button", name="检索").click()
    expect(page.get_by_text("蓝鲸").filter(visible=True).first).to_be_visible()
    assert untouched(page)
