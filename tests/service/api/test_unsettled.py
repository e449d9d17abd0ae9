"""Sources in conflict and questions of several meanings over HTTP."""

from collections.abc import Iterator

import httpx
import pytest

from tests.asking import ask, put, stream
from tests.running import serving

OLD = """# 差旅费标准

自2025年4月1日起执行。

第一条 出差人员应当自返回之日起30日内提交报销单，并附发票和行程单。
"""
NEW = """# 关于规范费用报销工作的通知

远山科技有限公司文件

自2026年4月1日起执行。

第一条 出差人员应当自返回之日起15日内提交报销单。
"""
LATER = """# 远期费用规程

自2099年1月1日起执行。

第一条 出差人员应当自返回之日起5日内提交报销单。
"""
SUBJECTS = {
    "印章规定": "第一条 用印申请由分管领导审批。\n\n第二条 印章由行政部保管。",
    "资产办法": "第一条 购置申请由部门经理审批。\n\n第二条 资产由行政部登记。",
    "休假规定": "第一条 请假申请由部门经理审批。\n\n第二条 销假在返岗当日办理。",
}
DEADLINE = "出差人员返回后多少天内提交报销单？"
VAGUE = "申请需要谁审批？"


@pytest.fixture(scope="module")
def offline(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    with serving(tmp_path_factory.mktemp("unsettled") / "home") as running, running.client() as client:
        put(client, "差旅费标准.md", OLD)
        put(client, "关于规范费用报销工作的通知.md", NEW)
        put(client, "远期费用规程.md", LATER)
        for title, text in SUBJECTS.items():
            put(client, f"{title}.md", f"# {title}\n\n{text}\n")
        yield client


def test_sources_in_conflict_stand_side_by_side_without_those_not_in_force(offline: httpx.Client) -> None:
    events = stream(offline, DEADLINE)
    assert [event.name for event in events] == ["meta", "refusal", "usage", "done"]
    refusal = events[1].data
    assert refusal["reason"] == "conflicting_sources"
    assert {(side["document_name"], side["effective_from"]) for side in refusal["nearest"]} == {
        ("差旅费标准", "2025-04-01"),
        ("关于规范费用报销工作的通知", "2026-04-01"),
    }
    issuers = {side["document_name"]: side["issuer"] for side in refusal["nearest"]}
    assert issuers["关于规范费用报销工作的通知"] == "远山科技有限公司"
    for side in refusal["nearest"]:
        for told in (side["document_name"], side["issuer"], side["effective_from"], side["snippet"]):
            assert told in refusal["message"]
    assert {"30日" in side["snippet"] for side in refusal["nearest"]} == {True, False}
    assert refusal["contact"] in refusal["message"]
    assert events[-1].data["answer"] == refusal["message"]


def test_a_day_on_which_one_of_them_was_in_force_gets_an_answer(offline: httpx.Client) -> None:
    answer = ask(offline, DEADLINE, as_of="2025-06-01")
    assert answer["refusal"] is None
    assert "30日" in answer["answer"] and "15日" not in answer["answer"]


def test_a_question_of_several_meanings_gets_them_to_choose_from(offline: httpx.Client) -> None:
    refusal = ask(offline, VAGUE)["refusal"]
    assert refusal["reason"] == "ambiguous"
    assert {choice["document_name"] for choice in refusal["nearest"]} == set(SUBJECTS)
    assert all(f"《{title}》" in refusal["message"] for title in SUBJECTS)


def test_the_question_with_the_title_of_a_choice_is_clear(offline: httpx.Client) -> None:
    answer = ask(offline, f"关于《资产办法》：{VAGUE}")
    assert answer["refusal"] is None
    assert answer["citations"][0]["document_name"] == "资产办法"
