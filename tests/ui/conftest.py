"""The console in front of a real service, in real Chromium."""

from collections.abc import Iterator

import pytest

from tests.browser import chromium, context, open_page, page_log, playwright
from tests.running import serving
from tests.ui.library import Console, give, markdown

__all__ = ["chromium", "context", "open_page", "page_log", "playwright"]

NOTICES = 31  # more than a page of the documents, and of the records
QUICK = {"ZHIXING_INGEST_WORKERS": "1"}


@pytest.fixture(scope="session")
def console(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Console]:
    """No sign-in. What tests change they bring along themselves; these documents stay as they are."""
    with serving(tmp_path_factory.mktemp("console") / "home", env=QUICK) as service:
        console = Console(service.url)
        give(
            console,
            markdown("差旅费办法", "第一条 一类地区住宿费每人每天不超过五百元。", "第二条 餐费每天一百元。"),
            markdown("会议室规定", "第一条 会议室应当提前一天预订。", "第二条 用后关灯。"),
            owner="行政部",
        )
        give(
            console,
            markdown("车辆规定", "第一条 公务车由车队统一派车。"),
            knowledge_base="后勤",
            owner="车队",
        )
        notices = (markdown(f"通知{n:02}", f"第一条 第{n}号通知。") for n in range(NOTICES))
        give(console, *notices, owner="文书")
        yield console
