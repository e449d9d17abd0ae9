"""The review reads everything, and passes nothing it did not read."""

import re
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingestion.errors import ModelFailure
from ingestion.minutes.agent import RunLog
from ingestion.minutes.asking import Asker
from ingestion.minutes.segmentation import Described, Issue, Review, ReviewState, Segment
from ingestion.minutes.semantics import SemanticValidationAgent
from ingestion.minutes.transcript import Paragraph
from tests.ingestion.minutes.stand_ins import ScriptedChat, in_turn, paragraphs

PASSED = {"passed": True, "issues": [], "suggestion": "OK"}
NOT_REVIEWED = Review(ReviewState.NOT_REVIEWED)


def objecting(index: int, issue: str = "切断了发言") -> dict[str, object]:
    return {
        "passed": False,
        "issues": [{"semantics_index": index, "issue": issue}],
        "suggestion": f"看第 {index} 组",
    }


def cut(sizes: Sequence[int]) -> tuple[list[Segment], list[tuple[Paragraph, ...]]]:
    """Groups of these sizes and their segments."""
    every = paragraphs(sum(sizes))
    segments, groups = [], []
    at = 0
    for index, size in enumerate(sizes, 1):
        groups.append(every[at : at + size])
        segments.append(Segment(index, at + 1, at + size, Described(f"主题{index}")))
        at += size
    return segments, groups


def review(
    chat: ScriptedChat | None, sizes: Sequence[int], limit: int = 10_000, log: RunLog | None = None
) -> Review:
    return SemanticValidationAgent(log or RunLog(), Asker(chat, 1), len, limit, 2).run(*cut(sizes))


def test_all_is_read_in_one_call_when_it_fits() -> None:
    chat, log = ScriptedChat(in_turn(PASSED)), RunLog()
    assert review(chat, [2, 1], log=log) == Review(ReviewState.PASSED)
    assert chat.said("segments") == [
        "=== 模块 1｜主题：主题1｜段落 1—2 ===\n[1] 说了一件事1\n[2] 说了一件事2\n"
        "=== 模块 2｜主题：主题2｜段落 3—3 ===\n[3] 说了一件事3"
    ]
    assert log.lines[-1] == "[审稿编辑(SemanticValidationAgent)] 通过"


def test_issues_are_told_by_the_paragraphs_they_are_about() -> None:
    chat = ScriptedChat(in_turn(objecting(2)))
    assert review(chat, [2, 3]) == Review(
        ReviewState.FAILED, (Issue(2, 3, 5, "切断了发言"),), "看第 2 组"
    )


def test_a_segment_larger_than_the_bound_is_read_in_several_calls_of_whole_paragraphs() -> None:
    chat = ScriptedChat(lambda step, variables: PASSED)
    heading, line = "=== 模块 1｜主题：主题1｜段落 1—6，这里只有其中的 1—3 ===", "[1] 说了一件事1"
    assert review(chat, [6], limit=len(heading) + 3 * len(line) + 4).state is ReviewState.PASSED
    first, second = chat.said("segments")
    assert first.splitlines() == [heading, *(f"[{n}] 说了一件事{n}" for n in (1, 2, 3))]
    assert second.splitlines() == [
        *(f"[{n}][context] 说了一件事{n}" for n in (2, 3)),
        heading.replace("1—3 =", "4—6 ="),
        *(f"[{n}] 说了一件事{n}" for n in (4, 5, 6)),
    ]


@pytest.mark.parametrize(
    "answer",
    [
        {"passed": False, "issues": [], "suggestion": "再看看"},
        objecting(1) | {"passed": True},
        objecting(7),
        objecting(1, "  "),
    ],
    ids=["failed without issues", "passed with issues", "no such segment", "empty issue"],
)
def test_a_contradictory_or_invalid_review_is_none(answer: dict[str, object]) -> None:
    chat = ScriptedChat(in_turn(answer, answer))
    log = RunLog()
    assert review(chat, [2, 2], log=log) == NOT_REVIEWED
    assert any("不算通过" in line for line in log.lines)


def test_a_failed_review_is_none() -> None:
    chat = ScriptedChat(in_turn(*[ModelFailure("格式不对")] * 2))
    assert review(chat, [2]) == NOT_REVIEWED


def test_a_second_answer_may_be_better() -> None:
    chat = ScriptedChat(in_turn({"passed": False, "issues": [], "suggestion": ""}, PASSED))
    assert review(chat, [2]).state is ReviewState.PASSED
    assert "自相矛盾" in chat.said("problem")[1]


def test_one_unread_call_is_enough_not_to_pass_and_the_issues_of_the_others_are_kept() -> None:
    chat = ScriptedChat(in_turn(objecting(1), *[ModelFailure("格式不对")] * 2))
    assert review(chat, [1, 1], limit=45) == Review(
        ReviewState.NOT_REVIEWED, (Issue(1, 1, 1, "切断了发言"),), "看第 1 组"
    )


def test_without_a_model_nothing_is_reviewed() -> None:
    assert review(None, [2]) == NOT_REVIEWED


def test_of_nothing_there_is_no_review() -> None:
    chat = ScriptedChat(in_turn())
    assert review(chat, []) == NOT_REVIEWED
    assert chat.calls == []


@given(st.lists(st.integers(1, 6), min_size=1, max_size=6), st.integers(1, 160))
def test_every_paragraph_is_always_read_exactly_once_within_the_bound(sizes: list[int], limit: int) -> None:
    chat = ScriptedChat(lambda step, variables: PASSED)
    assert review(chat, sizes, limit).state is ReviewState.PASSED
    read: list[int] = []
    for sheet in chat.said("segments"):
        judged = [line for line in sheet.splitlines() if "[context]" not in line]
        numbers = [int(found[1]) for line in judged if (found := re.match(r"\[(\d+)\]", line))]
        assert sum(len(line) + 1 for line in judged) <= limit or len(numbers) == 1
        read += numbers
    assert read == list(range(1, sum(sizes) + 1))
