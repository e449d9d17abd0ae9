"""From rows to where an application stands."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.process.status.applications import Outcome, Status
from service.process.status.records import ApplicationRecord, StepRecord, assembled
from tests.service.process.status.status_parts import WORDS, at

SUBMITTED = StepRecord("提交", "提交", "wenting", "温婷", at("2026-11-12 10:20"))
AGREED = StepRecord("部门初审", "同意", "qiuyan", "邱岩", at("2026-11-12 16:05"))
WAITING = StepRecord("法务审核", "待办", "hewen", "贺文", at("2026-11-12 16:05"))


def record(steps: Sequence[StepRecord], status: str = "") -> ApplicationRecord:
    return ApplicationRecord("A-1", "", "SEAL", "用印申请", "", "wenting", "温婷", status, None, tuple(steps))


def test_pending_steps_say_where_it_stands() -> None:
    second = StepRecord("法务审核", "待办", "yezq", "叶知秋", at("2026-11-13 09:00"))
    found = assembled(record([SUBMITTED, AGREED, WAITING, second]), WORDS)
    assert (found.status, found.current_node) == (Status.RUNNING, "法务审核")
    assert [each.name for each in found.approvers] == ["贺文", "叶知秋"]
    assert found.since == WAITING.at
    assert [each.outcome for each in found.timeline] == [Outcome.SUBMITTED, Outcome.APPROVED]
    assert found.submitted_at == SUBMITTED.at


def test_two_nodes_at_once_are_both_named() -> None:
    beside = StepRecord("财务审核", "待办", "wangqian", "王倩", at("2026-11-12 16:05"))
    assert assembled(record([SUBMITTED, WAITING, beside]), WORDS).current_node == "法务审核、财务审核"


@pytest.mark.parametrize(
    ("word", "status"),
    [
        ("同意", Status.APPROVED),
        ("驳回", Status.REJECTED),
        ("退回", Status.RETURNED),
        ("撤回", Status.WITHDRAWN),
    ],
)
def test_last_decision_is_the_status_where_none_is_written(word: str, status: Status) -> None:
    last = StepRecord("法务审核", word, "hewen", "贺文", at("2026-11-13 10:00"))
    found = assembled(record([SUBMITTED, AGREED, last]), WORDS)
    assert (found.status, found.current_node, found.approvers) == (status, "", ())
    assert found.since == last.at


def test_word_for_the_status_goes_before_the_steps() -> None:
    assert assembled(record([SUBMITTED, WAITING], "已撤回"), WORDS).status is Status.WITHDRAWN


def test_status_that_no_list_knows_is_kept_as_it_stands() -> None:
    found = assembled(record([SUBMITTED, WAITING], "挂起"), WORDS)
    assert (found.status, found.status_word, found.current_node) == (Status.UNKNOWN, "挂起", "法务审核")


def test_copies_are_no_steps() -> None:
    copied = StepRecord("", "抄送", "zhaoying", "赵颖", at("2026-11-12 11:00"))
    found = assembled(record([SUBMITTED, copied, WAITING]), WORDS)
    assert [each.person and each.person.id for each in found.timeline] == ["wenting"]


def test_step_without_a_time_stays_behind_the_one_it_came_after() -> None:
    undated = StepRecord("部门初审", "同意", "qiuyan", "", None)
    late = StepRecord("法务审核", "同意", "hewen", "", at("2026-11-14 10:00"))
    early = StepRecord("提交", "提交", "wenting", "", at("2026-11-12 10:00"))
    found = assembled(record([late, early, undated]), WORDS)
    assert [each.person and each.person.id for each in found.timeline] == ["wenting", "qiuyan", "hewen"]


@given(
    st.lists(
        st.builds(
            StepRecord,
            st.sampled_from(["部门初审", ""]),
            st.sampled_from([*WORDS.outcomes, "加签", ""]),
            st.sampled_from(["a", ""]),
            st.just(""),
            st.none() | st.sampled_from([at("2026-11-12 10:00"), at("2026-11-13 10:00")]),
        ),
        max_size=8,
    ),
    st.sampled_from([*WORDS.statuses, "", "挂起"]),
)
def test_nobody_is_waited_for_once_it_is_decided_and_no_step_is_lost(
    steps: list[StepRecord], status: str
) -> None:
    found = assembled(record(steps, status), WORDS)
    kinds = [WORDS.outcomes.get(each.outcome, Outcome.OTHER) for each in steps]
    kept = [kind for kind in kinds if kind not in (Outcome.IGNORED, Outcome.PENDING)]
    assert sorted(each.outcome for each in found.timeline) == sorted(kept)
    if found.status not in (Status.RUNNING, Status.UNKNOWN):
        assert (found.current_node, found.approvers) == ("", ())
    dated = [each.at for each in found.timeline if each.at]
    assert dated == sorted(dated)
