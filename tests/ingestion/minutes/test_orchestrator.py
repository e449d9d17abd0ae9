"""The whole line: rounds, what is kept of them, and that nothing is ever lost."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ingestion.errors import ModelFailure
from ingestion.minutes.agent import RunLog
from ingestion.minutes.orchestrator import Equipment, Model, OrchestratorAgent
from ingestion.minutes.segmentation import ReviewState, Segmentation
from ingestion.minutes.settings import MinutesSettings
from tests.ingestion.minutes.stand_ins import EveryNth, FirstWords, ScriptedChat

LINE = re.compile(r"\[[\u4e00-\u9fff]+\([A-Za-z]+Agent\)\] .+")
MEETING = "\n".join(f"说到第{number}件事情了。" for number in range(1, 13))
PER_BATCH = 4 * len("[1] 说到第1件事情了。\n") + 8
TITLE = {"topic": "返点调整", "keywords": ["返点", "经销商", "华东"], "synonyms": ["折扣", "渠道返利"]}
PASSED: dict[str, object] = {"passed": True, "issues": [], "suggestion": "OK"}


@dataclass
class Editors:
    """A model that names the starts it is told, describes well, and objects to the segments it is told."""

    starts: Mapping[int, list[int]] = field(default_factory=dict)  # by the batch's first paragraph
    objections: list[list[int]] = field(default_factory=list)  # indexes by round; none: passed
    reviews: int = 0

    def __call__(self, step: str, variables: Mapping[str, object]) -> Mapping[str, object]:
        if step == "minutes/boundary":
            return {"starts": self.starts.get(int(str(variables["first"])), [])}
        if step == "minutes/metadata":
            return {"groups": [TITLE] * int(str(variables["count"]))}
        self.reviews += 1
        return self._verdict(self.objections.pop(0) if self.objections else [])

    def _verdict(self, indexes: list[int]) -> Mapping[str, object]:
        issues = [{"semantics_index": index, "issue": f"第 {index} 组不对"} for index in indexes]
        return {"passed": not issues, "issues": issues, "suggestion": "OK"}


def segmented(
    text: str, chat: ScriptedChat | None, knobs: MinutesSettings | None = None
) -> Segmentation:
    model = Model("模型甲", chat) if chat else None
    equipment = Equipment(EveryNth(5), FirstWords(), len, knobs or MinutesSettings(), model)
    return OrchestratorAgent(RunLog(), equipment).run(text)


def spans(result: Segmentation) -> list[tuple[int, int]]:
    return [(segment.start, segment.end) for segment in result.segments]


def test_without_a_model_the_detector_cuts_and_nothing_claims_a_review() -> None:
    result = segmented(MEETING, None)
    assert spans(result) == [(1, 5), (6, 10), (11, 12)]
    assert [segment.described.keywords for segment in result.segments] == [("离线",)] * 3
    assert (result.engine, result.review.state, result.rounds) == ("offline", ReviewState.NOT_REVIEWED, 1)
    assert result.completeness.passed


def test_a_first_round_that_passes_is_the_only_one() -> None:
    chat = ScriptedChat(Editors({1: [1, 3], 5: [7], 9: [9]}))
    result = segmented(MEETING, chat, MinutesSettings(max_tokens_per_batch=PER_BATCH))
    assert spans(result) == [(1, 2), (3, 6), (7, 8), (9, 12)]
    assert (result.engine, result.review.state, result.rounds) == ("模型甲", ReviewState.PASSED, 1)
    assert result.kept_round == 1
    assert [segment.described.topic for segment in result.segments] == ["返点调整"] * 4


def test_preprocessing_and_batching_happen_once_over_all_rounds() -> None:
    chat = ScriptedChat(Editors(objections=[[1], [1]]))
    lines = segmented(MEETING, chat).run_log
    assert sum(line.startswith("[排期员") for line in lines) == 1
    assert sum("开始预处理" in line for line in lines) == 1
    assert sum(line.startswith("[总编辑(OrchestratorAgent)] 第 ") and "/5 轮" in line for line in lines) == 3


def test_the_best_round_is_kept_when_the_last_still_fails() -> None:
    chat = ScriptedChat(Editors({1: [1, 7]}, objections=[[1, 2], [2], [1, 2]]))
    result = segmented(MEETING, chat, MinutesSettings(max_iterations=3))
    assert (result.rounds, result.kept_round) == (3, 2)
    assert result.review.state is ReviewState.FAILED
    assert [issue.segment for issue in result.review.issues] == [2]
    assert "[总编辑(OrchestratorAgent)] 3 轮后仍未通过，保留问题最少的第 2 轮（1 处）" in result.run_log


def test_of_equal_rounds_the_later_one_is_kept() -> None:
    chat = ScriptedChat(Editors(objections=[[1], [1]]))
    assert segmented(MEETING, chat, MinutesSettings(max_iterations=2)).kept_round == 2


def test_a_round_that_nobody_reviewed_never_replaces_one_that_was() -> None:
    answered = Editors({1: [1, 7]}, objections=[[2]])

    def answer(step: str, variables: Mapping[str, object]) -> Mapping[str, object]:
        if step == "minutes/review" and answered.reviews:
            raise ModelFailure("格式不对")
        return answered(step, variables)

    result = segmented(MEETING, ScriptedChat(answer))
    assert (result.rounds, result.kept_round, result.review.state) == (2, 1, ReviewState.FAILED)


def test_a_model_that_dies_while_cutting_again_leaves_the_round_before() -> None:
    answered = Editors({1: [1, 7]}, objections=[[2]])

    def answer(step: str, variables: Mapping[str, object]) -> Mapping[str, object]:
        if answered.reviews:
            raise ModelFailure("连不上", lasting=True)
        return answered(step, variables)

    chat = ScriptedChat(answer)
    result = segmented(MEETING, chat)
    assert spans(result) == [(1, 6), (7, 12)]
    assert (result.kept_round, result.engine) == (1, "模型甲")
    assert len(chat.calls) == 4
    assert any("模型不可用" in line for line in result.run_log)


def test_titles_of_segments_that_stand_are_not_written_again() -> None:
    chat = ScriptedChat(Editors({1: [1, 5, 9]}, objections=[[2]]))
    segmented(MEETING, chat)
    asked = [str(variables["groups"]) for step, variables in chat.calls if step == "minutes/metadata"]
    assert [text.count("===") // 2 for text in asked] == [3, 1]
    assert "[5]" in asked[1]


def test_the_review_can_be_left_out() -> None:
    editors = Editors(objections=[[1]])
    result = segmented(MEETING, ScriptedChat(editors), MinutesSettings(skip_semantic_validate=True))
    assert (result.review.state, result.rounds, editors.reviews) == (ReviewState.SKIPPED, 1, 0)


def test_batches_that_fell_to_the_detector_are_told_in_the_engine() -> None:
    chat = ScriptedChat(Editors({1: [1], 5: [99]}))
    result = segmented(MEETING, chat, MinutesSettings(max_tokens_per_batch=PER_BATCH))
    assert result.engine == "模型甲+offline"
    assert spans(result) == [(1, 5), (6, 12)]


def test_an_empty_meeting_has_no_segments_and_nothing_missing() -> None:
    result = segmented(" \n\u200b\n", ScriptedChat(Editors()))
    assert result.segments == ()
    assert result.completeness.passed
    assert (result.review.state, result.engine) == (ReviewState.NOT_REVIEWED, "offline")


@pytest.mark.parametrize(
    "wrong",
    [{"max_tokens_per_batch": 0}, {"overlap": -1}, {"retry": -1}, {"max_iterations": 0}],
    ids=str,
)
def test_settings_that_no_run_could_work_with_are_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="至少为 1|不能为负"):
        MinutesSettings(**wrong)  # type: ignore[arg-type]


FAILURES = st.builds(ModelFailure, st.text(max_size=9), lasting=st.booleans())
STARTS = st.fixed_dictionaries({"starts": st.lists(st.integers(-2, 14), max_size=6)})
DESCRIPTIONS = st.fixed_dictionaries(
    {"groups": st.lists(st.just(TITLE) | st.just(TITLE | {"topic": ""}), max_size=6)}
)
OBJECTION = st.fixed_dictionaries({"semantics_index": st.integers(0, 5), "issue": st.text(max_size=4)})
VERDICTS = st.fixed_dictionaries(
    {"passed": st.booleans(), "issues": st.lists(OBJECTION, max_size=3), "suggestion": st.text(max_size=4)}
)
ANSWERS: Mapping[str, st.SearchStrategy[object]] = {
    "minutes/boundary": STARTS | STARTS | FAILURES,
    "minutes/metadata": DESCRIPTIONS | FAILURES,
    "minutes/review": VERDICTS | st.just(PASSED) | FAILURES,
}
KNOBS = st.builds(
    MinutesSettings,
    max_tokens_per_batch=st.integers(1, 120),
    overlap=st.integers(0, 3),
    metadata_batch_size=st.integers(1, 3),
    retry=st.integers(0, 1),
    max_iterations=st.integers(1, 3),
)


@settings(max_examples=150, deadline=None)
@given(st.data(), st.lists(st.text(max_size=12), max_size=12).map("\n".join), KNOBS)
def test_whatever_a_model_answers_every_paragraph_is_in_one_segment_in_order(
    data: st.DataObject, text: str, knobs: MinutesSettings
) -> None:
    def answer(step: str, variables: Mapping[str, object]) -> Mapping[str, object]:
        given = data.draw(ANSWERS[step])
        if isinstance(given, ModelFailure):
            raise given
        assert isinstance(given, Mapping)
        return given

    result = segmented(text, ScriptedChat(answer), knobs)
    numbers = [number for start, end in spans(result) for number in range(start, end + 1)]
    assert numbers == [paragraph.number for paragraph in result.transcript.paragraphs]
    assert all(start <= end for start, end in spans(result))
    assert result.completeness.passed
    assert result.completeness.char_diff == 0
    assert 1 <= result.kept_round <= result.rounds <= knobs.max_iterations
    assert (result.review.state is ReviewState.FAILED) <= bool(result.review.issues)
    assert not (result.review.state is ReviewState.PASSED and result.review.issues)
    assert all(LINE.fullmatch(line) for line in result.run_log)
