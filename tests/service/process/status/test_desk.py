"""Answers to questions about progress, over applications held in memory."""

from collections.abc import Sequence
from datetime import date

import pytest

from service.access import LOCAL, Principal, Role
from service.errors import NotFound
from service.process.reply import Chip
from service.process.status.applications import Application, Outcome, Person, Status
from service.process.status.errors import NotConnected
from service.process.status.people import People
from tests.service.process.status.status_parts import Held, application, desk, step

TODAY = date(2026, 11, 16)
WENTING = Principal("wenting")
WORDS = {"SEAL": ["用印申请", "盖章"], "TRAVEL": ["差旅报销"], "ASSET": ["资产申请"]}

SEAL = application("YY-1001")
TRAVEL = application(
    "CL-1002",
    process_id="TRAVEL",
    process="差旅报销",
    status=Status.APPROVED,
    submitted="2026-11-10 09:00",
    since="2026-11-13 15:00",
)
OTHERS = application("YY-9009", applicant="gusen")


def ask(text: str, *held: Application, principal: Principal = WENTING) -> tuple[str, list[str], list[str]]:
    """(text, ids, what the chips say)."""
    answer = desk(Held(*held)).answer(principal, text, WORDS, TODAY)
    return answer.text, [each.id for each in answer.applications], [each.send for each in answer.chips]


def test_only_open_one_is_told_in_full_and_the_rest_are_offered() -> None:
    text, ids, chips = ask("我的申请现在卡在哪了", SEAL, TRAVEL, OTHERS)
    assert ids == ["YY-1001"]
    assert text.startswith("用印申请（YY-1001）：在「法务审核」环节，等hewen办理")
    assert text.endswith("您另有 1 个申请已有结果。")
    assert chips == ["申请编号 CL-1002 到哪了"]


def test_pressing_a_chip_asks_for_that_one() -> None:
    _, _, chips = ask("我的申请现在卡在哪了", SEAL, TRAVEL)
    assert ask(chips[0], SEAL, TRAVEL)[1] == ["CL-1002"]


def test_several_open_ones_are_listed_with_chips() -> None:
    second = application("YY-1003", submitted="2026-11-11 10:00")
    text, ids, chips = ask("卡在哪个环节", SEAL, second, TRAVEL)
    assert text.startswith("您有 2 个申请还在办：\n1. 用印申请（YY-1001）")
    assert ids == ["YY-1001", "YY-1003"]
    assert len(chips) == 2


def test_decided_ones_are_listed_when_none_is_open() -> None:
    second = application("CL-1", status=Status.REJECTED)
    assert ask("我的申请批了吗", TRAVEL, second)[0].startswith("您有 2 个申请都有结果了：")
    assert ask("我的申请批了吗", TRAVEL)[1] == ["CL-1002"]


def test_process_named_narrows() -> None:
    assert ask("我的差旅报销到账没", SEAL, TRAVEL)[1] == ["CL-1002"]
    assert ask("盖章批到哪了", SEAL, TRAVEL)[1] == ["YY-1001"]


def test_process_is_known_by_its_name_where_the_system_has_other_ids() -> None:
    foreign = application("D-1", process_id="", process="温婷提交的用印申请")
    assert ask("我的用印申请到哪了", foreign, TRAVEL)[1] == ["D-1"]


def test_day_named_narrows() -> None:
    assert ask("11月10日交的申请到哪了", SEAL, TRAVEL)[1] == ["CL-1002"]


def test_none_of_that_day_is_said_and_the_nearest_are_listed() -> None:
    text, ids, _ = ask("昨天的用印申请到哪了", SEAL, TRAVEL)
    assert text.startswith("没有查到您昨天提交的这类申请。")
    assert "您最近的申请是：\n1. 用印申请（YY-1001）" in text
    assert ids == ["YY-1001"]


def test_none_at_all_is_said_honestly() -> None:
    text, ids, chips = ask("我的申请到哪了", OTHERS)
    assert text.startswith("没有查到您提交的申请。")
    assert (ids, chips) == ([], [])


def test_id_is_answered_to_its_approver_too() -> None:
    hewen = Principal("hewen")
    assert ask("YY20261112-03 到哪了", application("YY20261112-03"), principal=hewen)[1] == ["YY20261112-03"]


def test_number_that_people_know_it_by_finds_ones_own() -> None:
    known = application("81D31358-93AF", number="202611120003")
    assert ask("单号202611120003到哪了", known)[1] == ["81D31358-93AF"]
    assert ask("单号202611120003到哪了", known, principal=Principal("hewen"))[1] == []


def test_without_an_approval_system_it_says_so_and_whom_to_ask() -> None:
    answer = desk(None).answer(WENTING, "我的申请卡在哪了", WORDS, TODAY)
    assert answer.text == "还没有接上审批系统，查不到申请的进度。请在审批系统里查看，或者联系赵颖。"
    for act in (lambda: desk(None).own(WENTING), lambda: desk(None).one(WENTING, "A-1")):
        with pytest.raises(NotConnected, match="赵颖"):
            act()


def test_account_that_is_nobody_is_told_so_and_owns_nothing() -> None:
    people = People({"key:1": "wenting"}, {"hewen": "贺文"})
    placed = desk(Held(SEAL), people)
    assert "没有登记" in placed.answer(WENTING, "我的申请卡在哪了", WORDS, TODAY).text
    assert placed.own(WENTING) == []
    with pytest.raises(NotFound):
        placed.one(WENTING, "YY-1001")


def test_names_of_the_list_are_shown_where_the_system_gives_ids() -> None:
    people = People({"key:1": "wenting"}, {"hewen": "贺文", "qiuyan": "邱岩"})
    shown = application("YY-1001", timeline=(step(Outcome.APPROVED, "qiuyan"),))
    (found,) = desk(Held(shown), people).own(Principal("key:1"))
    assert found.approvers == (Person("hewen", "贺文"),)
    assert found.timeline[0].person == Person("qiuyan", "邱岩")
    assert found.applicant == Person("wenting", "")


def test_administrator_may_ask_for_any_id() -> None:
    assert ask("单号 YY-9009", OTHERS, principal=LOCAL)[1] == ["YY-9009"]
    assert ask("单号 YY-9009", OTHERS, principal=Principal("x", role=Role.PROCESS_ADMIN))[1] == []


def test_window_of_the_connector_is_told() -> None:
    answer = desk(Held(window_days=30)).answer(WENTING, "我的申请到哪了", WORDS, TODAY)
    assert "只查了最近 30 天" in answer.text


def test_chip_is_labelled_by_process_and_number() -> None:
    placed = desk(Held(SEAL, TRAVEL))
    (chip,) = placed.answer(WENTING, "我的申请到哪了", WORDS, TODAY).chips
    assert chip == Chip("差旅报销 CL-1002", "申请编号 CL-1002 到哪了")


class Loose(Held):
    """A database to which two ids are the same that differ in their case."""

    def of_applicant(self, person_id: str) -> Sequence[Application]:
        return [each for each in self._applications if each.applicant.id.lower() == person_id.lower()]


def test_what_a_loose_connector_finds_of_somebody_else_is_not_shown() -> None:
    others = application("YY-9009", applicant="WenTing")
    own = desk(Loose(SEAL, others)).own(WENTING)
    assert [each.id for each in own] == ["YY-1001"]
