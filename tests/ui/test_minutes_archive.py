"""The archive of minutes: records are brought in, meetings are found, and each leads to its page."""

import pytest
from playwright.sync_api import FilePayload, Page, expect

from tests.browser import PHONE, OpenPage, PageLog
from tests.ui.library import (
    Console,
    broken_word_file,
    card_of,
    give,
    give_minutes,
    line_of,
    markdown,
    minutes,
    upload,
)
from tests.ui.test_reach import TOO_WIDE

pytestmark = pytest.mark.browser

SPOKEN = (
    "时间：2025年3月4日",
    "张总：先说预算。",
    "李四：预算不够。",
    "张总：下一个议题，说班车。",
    "王芳：加一班。",
)


def searched(page: Page, text: str) -> None:
    page.get_by_label("按会议名或发言人查找").fill(text)


def listed(page: Page, *titles: str) -> None:
    expect(page.locator(".meeting-card .card-title")).to_have_text(list(titles))


def test_an_uploaded_record_is_listed_and_opens_with_its_topics(
    console: Console, open_page: OpenPage, page_log: PageLog
) -> None:
    page = open_page(console.page("/minutes"))
    upload(page, minutes("三月例会", *SPOKEN), broken_word_file("残缺.docx"))
    expect(line_of(page, "三月例会.txt")).to_contain_text("已入库")
    expect(line_of(page, "残缺.docx")).to_contain_text("文件损坏")
    card = card_of(page, "三月例会")
    for told in ("2025年3月4日", "张总、李四、王芳", "一段不少", "6 段", "离线引擎"):
        expect(card).to_contain_text(told)
    line_of(page, "三月例会.txt").get_by_role("link", name="看议题与全文").click()
    expect(page.get_by_role("heading", name="三月例会", level=1)).to_be_visible()
    expect(page.locator(".said")).to_have_count(6)
    assert page_log.complaints == []


def test_a_file_that_is_no_record_is_refused_by_name(console: Console, open_page: OpenPage) -> None:
    page = open_page(console.page("/minutes"))
    picture: FilePayload = {"name": "照片.png", "mimeType": "image/png", "buffer": b"\x89PNG"}
    upload(page, picture)
    expect(page.get_by_role("alert").get_by_text("照片.png 没有上传：只收 txt")).to_be_visible()


def test_meetings_are_found_by_title_speaker_and_day(console: Console, open_page: OpenPage) -> None:
    give_minutes(
        console,
        minutes("食堂座谈会", "时间：2023年5月6日", "赵师傅：早餐加一种粥。"),
        minutes("宿舍座谈会", "时间：2023年6月7日", "钱主任：热水到十一点。"),
    )
    page = open_page(console.page("/minutes"))
    searched(page, "座谈会")
    listed(page, "宿舍座谈会", "食堂座谈会")
    searched(page, "座谈会 赵师傅")
    listed(page, "食堂座谈会")
    searched(page, "座谈会")
    listed(page, "宿舍座谈会", "食堂座谈会")
    page.get_by_label("从哪天", exact=True).fill("2023-06-01")
    listed(page, "宿舍座谈会")
    page.get_by_label("到哪天", exact=True).fill("2023-06-06")
    expect(page.get_by_text("没有符合条件的会议。")).to_be_visible()


def test_a_hostile_record_stays_text_and_breaks_nothing(
    console: Console, open_page: OpenPage, page_log: PageLog
) -> None:
    title = '</script><script>window.taken=1</script>会 :title="window.taken=1"'
    file = minutes("敌意", "张总：<img src=x onerror=window.taken=1>{{7*7}}", "李四：" + "长" * 20_000)
    file["buffer"] = file["buffer"].replace("敌意".encode(), title.encode(), 1)
    (document,) = give_minutes(console, file)
    page = open_page(console.page("/minutes"), size=PHONE)
    searched(page, "window.taken")
    expect(card_of(page, title)).to_be_visible()
    assert page.evaluate(TOO_WIDE) == []
    page.goto(console.page(f"/minutes/{document}"))
    expect(page.locator(".said").nth(1)).to_contain_text("<img src=x onerror=window.taken=1>{{7*7}}")
    assert page.evaluate(TOO_WIDE) == []
    assert page.evaluate("window.taken") is None
    assert page_log.complaints == []


def test_a_meeting_is_marked_among_the_documents(console: Console, open_page: OpenPage) -> None:
    give_minutes(console, minutes("档案座谈会", "孙姐：旧档案搬到二楼。"))
    give(console, markdown("档案规定", "第一条 档案室每日通风。"))
    page = open_page(console.page())
    page.get_by_label("按标题查找").fill("档案")
    expect(card_of(page, "档案座谈会").get_by_text("会议纪要")).to_be_visible()
    expect(card_of(page, "档案规定").get_by_text("会议纪要")).to_have_count(0)
    card_of(page, "档案座谈会").get_by_role("link", name="看议题与全文").click()
    expect(page.locator(".said")).to_have_count(2)
