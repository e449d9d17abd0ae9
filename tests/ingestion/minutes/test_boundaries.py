"""Where topics begin, by a model whose answers are checked, or by the detector."""

from collections.abc import Mapping

import pytest

from ingestion.errors import ModelFailure
from ingestion.minutes.agent import RunLog
from ingestion.minutes.asking import Asker
from ingestion.minutes.boundaries import BoundaryDetectionAgent, Cut
from ingestion.minutes.segmentation import Issue, Review, ReviewState
from tests.ingestion.minutes.stand_ins import EveryNth, ScriptedChat, in_batches, in_turn


def agent(
    chat: ScriptedChat | None, retry: int = 3, overlap: int = 2, log: RunLog | None = None
) -> BoundaryDetectionAgent:
    return BoundaryDetectionAgent(log or RunLog(), EveryNth(3), Asker(chat, retry), overlap)


def starts(cuts: tuple[Cut, ...]) -> list[tuple[int, ...]]:
    return [cut.starts for cut in cuts]


def test_only_the_first_paragraph_of_all_is_forced_in() -> None:
    chat = ScriptedChat(in_turn({"starts": [3]}, {"starts": []}, {"starts": [9]}))
    cuts = agent(chat).run(in_batches(12, 4))
    assert starts(cuts) == [(1, 3), (), (9,)]
    assert all(cut.by_model for cut in cuts)


def test_the_end_of_the_previous_batch_comes_along_as_context() -> None:
    chat = ScriptedChat(in_turn({"starts": []}, {"starts": []}))
    agent(chat).run(in_batches(5, 3))
    first, second = chat.said("paragraphs")
    assert first.splitlines() == ["[1] 说了一件事1", "[2] 说了一件事2", "[3] 说了一件事3"]
    assert second.splitlines() == [
        "[2][context] 说了一件事2",
        "[3][context] 说了一件事3",
        "[4] 说了一件事4",
        "[5] 说了一件事5",
    ]


def test_without_overlap_no_context_is_shown() -> None:
    chat = ScriptedChat(in_turn({"starts": []}, {"starts": []}))
    agent(chat, overlap=0).run(in_batches(4, 2))
    assert "[context]" not in "".join(chat.said("paragraphs"))


def test_order_and_repeats_are_put_right() -> None:
    chat = ScriptedChat(in_turn({"starts": [4, 1, 4, 2]}))
    assert starts(agent(chat).run(in_batches(4, 4))) == [(1, 2, 4)]


@pytest.mark.parametrize("foreign", [3, 7, 0, -4, 10**30], ids=["context", "later", "0", "-", "huge"])
def test_a_number_outside_the_batch_is_told_and_asked_again(foreign: int) -> None:
    chat = ScriptedChat(in_turn({"starts": []}, {"starts": [5, foreign]}, {"starts": [5]}))
    assert starts(agent(chat).run(in_batches(6, 3))) == [(1,), (5,)]
    problems = chat.said("problem")
    assert problems[:2] == ["无", "无"]
    assert str(foreign) in problems[2]
    assert all(len(problem) <= 80 for problem in problems)


def test_a_batch_that_is_never_answered_well_falls_to_the_detector_alone() -> None:
    log = RunLog()

    def answer(step: str, variables: Mapping[str, object]) -> Mapping[str, object]:
        if variables["first"] == 5:
            return {"starts": [99]}
        return {"starts": [variables["first"]]}

    chat = ScriptedChat(answer)
    cuts = agent(chat, log=log).run(in_batches(12, 4))
    assert starts(cuts) == [(1,), (7,), (9,)]
    assert [cut.by_model for cut in cuts] == [True, False, True]
    assert len(chat.calls) == 1 + 4 + 1  # the first try and three more
    assert "[策划编辑(BoundaryDetectionAgent)] 第 2/3 批（段落 5—8）由离线检测划分" in log.lines


def test_a_failed_call_is_tried_again() -> None:
    chat = ScriptedChat(in_turn(ModelFailure("两次格式\n都不对"), {"starts": [2]}))
    log = RunLog()
    assert starts(agent(chat, log=log).run(in_batches(3, 3))) == [(1, 2)]
    assert chat.said("problem")[1] == "上一次的回答不符合格式"
    assert all("\n" not in line for line in log.lines)


def test_a_dead_model_is_not_asked_again() -> None:
    chat = ScriptedChat(in_turn({"starts": [2]}, ModelFailure("连不上", lasting=True)))
    log = RunLog()
    cuts = agent(chat, log=log).run(in_batches(12, 4))
    assert starts(cuts) == [(1, 2), (7,), (10,)]
    assert [cut.by_model for cut in cuts] == [True, False, False]
    assert len(chat.calls) == 2
    assert any("模型不可用" in line and "连不上" in line for line in log.lines)


def test_without_a_model_a_seam_is_a_start_only_where_the_detector_says_so() -> None:
    assert starts(agent(None).run(in_batches(10, 4))) == [(1, 4), (7,), (10,)]


def test_no_batches_are_no_cuts() -> None:
    assert agent(None).run([]) == ()


def test_feedback_goes_only_to_the_batches_its_paragraphs_touch() -> None:
    batches = in_batches(12, 4)
    previous = tuple(Cut(batch, (batch[0].number,), by_model=True) for batch in batches)
    issues = (Issue(2, 6, 7, "第二组把一句话切断了"),)
    chat = ScriptedChat(in_turn({"starts": [6]}))
    cuts = agent(chat).run(batches, previous, Review(ReviewState.FAILED, issues, "合并相邻的两组"))
    assert starts(cuts) == [(1,), (6,), (9,)]
    assert len(chat.calls) == 1
    (feedback,) = chat.said("feedback")
    assert "段落 6—7" in feedback
    assert "第二组把一句话切断了" in feedback
    assert "合并相邻的两组" in feedback
    assert "上一轮本批的起点：5" in feedback


def test_an_issue_across_a_seam_touches_both_batches_and_each_sees_only_its_own() -> None:
    batches = in_batches(12, 4)
    previous = tuple(Cut(batch, (batch[0].number,), by_model=True) for batch in batches)
    issues = (Issue(1, 3, 5, "跨批的问题"), Issue(3, 9, 12, "末批的问题"))
    chat = ScriptedChat(in_turn({"starts": []}, {"starts": []}, {"starts": []}))
    agent(chat).run(batches, previous, Review(ReviewState.FAILED, issues))
    told = chat.said("feedback")
    assert ["跨批的问题" in each for each in told] == [True, True, False]
    assert ["末批的问题" in each for each in told] == [False, False, True]
