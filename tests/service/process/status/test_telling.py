"""The Chinese text: which node, who, since when, how long, and what happened before."""

from datetime import date

import pytest

from service.process.status.applications import Outcome, Person, Status, Step
from service.process.status.query import Days
from tests.service.process.status.status_parts import application, at, teller

TODAY = date(2026, 11, 16)
HISTORY = (
    Step("", Outcome.SUBMITTED, "提交", Person("wenting", "温婷"), at("2026-11-12 10:20")),
    Step("部门初审", Outcome.APPROVED, "PASS", Person("q", "邱岩"), at("2026-11-12 16:05"), "请看第六条"),
    Step("部门初审", Outcome.OTHER, "加签", Person("x"), None),
)


def test_one_tells_node_people_since_days_and_timeline() -> None:
    assert teller().one(application(timeline=HISTORY), TODAY) == (
        "用印申请（A-1）：在「法务审核」环节，等hewen办理，2026年11月12日 16:05 起，到今天 2 个工作日。\n"
        "\n"
        "经过：\n"
        "1. 2026年11月12日 10:20 温婷 提交\n"
        "2. 2026年11月12日 16:05 邱岩 「部门初审」同意：请看第六条\n"
        "3. x 「部门初审」加签\n"
        "\n"
        "要催办请直接联系hewen。"
    )


@pytest.mark.parametrize(
    ("status", "word", "said"),
    [
        (Status.APPROVED, "APPROVED", "已办结（2026年11月12日 16:05）"),
        (Status.APPROVED, "已付款", "已付款（2026年11月12日 16:05）"),
        (Status.REJECTED, "", "已驳回（2026年11月12日 16:05）"),
        (Status.WITHDRAWN, "4", "已撤回（2026年11月12日 16:05）"),
        (Status.RETURNED, "", "已退回给申请人修改，2026年11月12日 16:05 起，到今天 2 个工作日"),
        (Status.UNKNOWN, "挂起", "审批系统里的状态是“挂起”，2026年11月12日 16:05 起，到今天 2 个工作日"),
        (Status.UNKNOWN, "", "审批系统里的状态是“不明”，2026年11月12日 16:05 起，到今天 2 个工作日"),
    ],
)
def test_standing_of_each_status(status: Status, word: str, said: str) -> None:
    assert teller().standing(application(status=status, word=word), TODAY) == said


@pytest.mark.parametrize(
    ("since", "today", "said"),
    [
        ("2026-11-13 17:00", date(2026, 11, 15), "还不到 1 个工作日"),
        ("2026-11-13 17:00", date(2026, 11, 16), "到今天 1 个工作日"),
        ("2026-09-30 17:00", date(2026, 10, 10), "到今天 3 个工作日"),
    ],
)
def test_working_days_leave_out_weekends_and_holidays(since: str, today: date, said: str) -> None:
    assert teller().standing(application(since=since), today).endswith(said)


def test_unknown_moment_and_people_are_left_out() -> None:
    bare = application(since=None, approvers=())
    assert teller().standing(bare, TODAY) == "在「法务审核」环节"
    assert "催办" not in teller().one(bare, TODAY)


def test_what_people_wrote_stays_on_one_line_and_is_cut() -> None:
    long = Step("", Outcome.REJECTED, "", Person("x"), None, "第一行\n第二行\t" + "长" * 500)
    told = teller().one(application(timeline=(long,)), TODAY)
    line = next(each for each in told.splitlines() if "驳回" in each)
    assert line.startswith("1. x 驳回：第一行 第二行 长") and line.endswith("长…")
    assert len(line) < 150


def test_chinese_word_of_the_approval_system_is_kept() -> None:
    sealed = Step("用印登记", Outcome.APPROVED, "登记", Person("zhaoying", "赵颖"), None)
    assert "1. 赵颖 「用印登记」登记" in teller().one(application(timeline=(sealed,)), TODAY)


def test_what_people_wrote_is_no_markdown() -> None:
    sly = Step("", Outcome.REJECTED, "", Person("x"), None, "[点这里](javascript:a) <b>*急*</b> `x`")
    told = teller().one(application(timeline=(sly,)), TODAY)
    assert "\\[点这里\\](javascript:a) \\<b\\>\\*急\\*\\</b\\> \\`x\\`" in told


def test_returned_one_says_what_to_do() -> None:
    told = teller().one(application(status=Status.RETURNED), TODAY)
    assert told.endswith("按退回意见改好后，在审批系统里重新提交。")


def test_long_list_is_cut_and_says_so() -> None:
    many = [application(f"A-{number}") for number in range(1, 8)]
    told = teller().several(many, TODAY, "您有 7 个申请还在办：").splitlines()
    assert told[0] == "您有 7 个申请还在办："
    assert [line[:2] for line in told[1:6]] == ["1.", "2.", "3.", "4.", "5."]
    assert told[6:] == ["", "另有 2 个没有列出，说出编号就能查。"]


def test_none_says_what_was_looked_for_and_how_far_back() -> None:
    days = Days(date(2026, 11, 15), date(2026, 11, 15), "昨天")
    assert teller().none(days, True, 30).startswith("没有查到您昨天提交的这类申请（只查了最近 30 天）。")
    told = teller().none(None, False, None)
    assert told.startswith("没有查到您提交的申请。")
    assert told.endswith("请联系赵颖。")


def test_every_dead_end_names_whom_to_ask() -> None:
    for text in (teller().absent("A-1"), teller().not_connected(), teller().nobody()):
        assert "赵颖" in text
