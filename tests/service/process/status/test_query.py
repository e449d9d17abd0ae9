"""A question about progress: which application, which process, which days."""

import json
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.process.status.query import StatusQuery, is_application_id, read_query
from tests.conftest import REPOSITORY

TODAY = date(2026, 11, 16)
WORDS = {
    "SEAL": ["用印申请", "盖章", "用印", "用章"],
    "TRAVEL": ["差旅报销", "报差旅", "差旅"],
    "ASSET": ["资产申请", "买设备"],
}
STATUS_WORDS = ["卡在哪个环节", "我的申请现在卡在哪了", "查一下审批进度", "今天到哪一步了", "现在轮到谁审"]


def read(text: str) -> StatusQuery:
    return read_query(text, WORDS, TODAY)


@pytest.mark.parametrize(
    ("text", "id"),
    [
        ("YY20261112-03 审批到哪了", "YY20261112-03"),
        ("单号ZC20261103-07现在什么状态", "ZC20261103-07"),
        ("申请编号：202611120003，批了吗", "202611120003"),
        ("编号是 A-17 的到哪了", "A-17"),
        ("81D31358-93AF-92D6-7425-01A5D67C4E71 到谁了", "81D31358-93AF-92D6-7425-01A5D67C4E71"),
        ("ＹＹ２０２６１１１２－０３到哪了", "YY20261112-03"),
        ("202611120003 到哪了", "202611120003"),
    ],
)
def test_id_is_read(text: str, id: str) -> None:
    assert read(text).application_id == id


@pytest.mark.parametrize(
    "text",
    [
        *STATUS_WORDS,
        "2026-11-12 交的用印申请到哪了",
        "20261112 提交的到哪了",
        "那个 800000 元的服务器批了吗",
        "内线 8015 批了吗",
        "我手机 13812345678，申请批了吗",
        "YS-M200 的资产申请批了吗",
        "iPhone 的申请呢",
    ],
)
def test_day_amount_phone_and_model_are_no_id(text: str) -> None:
    assert read(text).application_id == ""


@pytest.mark.parametrize(
    ("text", "processes"),
    [
        ("昨天的用印申请到哪了", ("SEAL",)),
        ("我的盖章批了没", ("SEAL",)),
        ("差旅报销和用印到哪了", ("TRAVEL", "SEAL")),
        ("我的申请卡在哪了", ()),
    ],
)
def test_processes_are_read(text: str, processes: tuple[str, ...]) -> None:
    assert set(read(text).process_ids) == set(processes)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("昨天的用印申请到哪了", date(2026, 11, 15), date(2026, 11, 15)),
        ("上周五的资产申请有结果了吗", date(2026, 11, 13), date(2026, 11, 13)),
        ("报销走到财务审核了吗，我上周一提的", date(2026, 11, 9), date(2026, 11, 9)),
        ("上周的申请到哪了", date(2026, 11, 9), date(2026, 11, 15)),
        ("11月3日交的申请呢", date(2026, 11, 3), date(2026, 11, 3)),
        ("今天提交的用印申请到哪了", TODAY, TODAY),
        ("今天上午交的单子呢", TODAY, TODAY),
    ],
)
def test_days_are_read(text: str, first: date, last: date) -> None:
    days = read(text).days
    assert days is not None
    assert (days.first, days.last) == (first, last)


@pytest.mark.parametrize("text", STATUS_WORDS)
def test_now_is_no_day_it_was_handed_in(text: str) -> None:
    assert read(text) == StatusQuery()


def test_questions_of_the_labelled_sets_name_the_ids_that_stand_in_them() -> None:
    folder = REPOSITORY / "tests" / "cases" / "process"
    lines = [
        json.loads(line)
        for name in ("intents_dev.jsonl", "intents_held.jsonl")
        for line in (folder / name).read_text(encoding="utf-8").splitlines()
    ]
    asked = [line["text"] for line in lines if line["intent"] == "status"]
    found = {text: read(text).application_id for text in asked if read(text).application_id}
    assert len(asked) > 20
    assert set(found.values()) == {"YY20261112-03", "ZC20261103-07"}


@given(st.text(max_size=60))
def test_any_words_are_read_and_an_id_stands_in_them(text: str) -> None:
    query = read(text)
    assert not query.application_id or is_application_id(query.application_id)


@pytest.mark.parametrize("text", ["", ".", "..", "a b", "a\n", "x" * 101, "a\u202eb"])
def test_what_no_system_gives_is_no_id(text: str) -> None:
    assert not is_application_id(text)
