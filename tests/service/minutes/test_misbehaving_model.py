"""A model that is dead, dies, or answers badly: the line ends with every paragraph and says what happened."""

import re

import pytest

from ingestion.minutes.segmentation import ReviewState, Segmentation
from tests.doubles import behaviours as be
from tests.doubles.behaviours import Behaviour
from tests.doubles.llm import LlmDouble, RecordedRequest
from tests.service.minutes import editing as ed
from tests.service.minutes.conftest import MODEL, Segment

MEETING = "\n".join(f"李经理：仓库搬迁第{number}步要排到周末。" for number in range(1, 13))
DETECTED = [(1, 5), (6, 10), (11, 12)]
LINE = re.compile(r"\[[\u4e00-\u9fff]+\([A-Za-z]+Agent\)\] \S.*")


def spans(result: Segmentation) -> list[tuple[int, int]]:
    return [(segment.start, segment.end) for segment in result.segments]


@pytest.fixture
def newsroom(llm_double: LlmDouble) -> ed.Newsroom:
    newsroom = ed.Newsroom()
    llm_double.answer_with(newsroom)
    return newsroom


@pytest.mark.parametrize(
    "behaviour", [be.status(503), be.status(401), be.html_page()], ids=["503", "401", "page"]
)
def test_a_dead_model_is_asked_once_and_the_offline_parts_do_all(
    llm_double: LlmDouble, segment: Segment, behaviour: Behaviour
) -> None:
    llm_double.answer_with(lambda request: behaviour)
    result = segment(MEETING)
    assert spans(result) == DETECTED
    assert (result.engine, result.review.state, result.rounds) == ("offline", ReviewState.NOT_REVIEWED, 1)
    assert all("搬迁" in each.described.topic for each in result.segments)
    assert len(llm_double.chats) == 1
    assert any("模型不可用" in line for line in result.run_log)
    assert any("由离线检测划分" in line for line in result.run_log)


def test_nobody_listening_is_a_dead_model_too(segment: Segment) -> None:
    with LlmDouble() as gone:
        address = gone.base_url
    result = segment(MEETING, base_url=address)
    assert (spans(result), result.engine) == (DETECTED, "offline")


def test_a_model_that_dies_after_the_cut_leaves_its_cut(newsroom: ed.Newsroom, segment: Segment) -> None:
    newsroom.boundary = lambda request: ed.starting_at(1, 8)
    newsroom.metadata = lambda request: be.status(503)
    result = segment(MEETING)
    assert spans(result) == [(1, 7), (8, 12)]
    assert result.engine == f"{MODEL}+offline"
    assert result.review.state is ReviewState.NOT_REVIEWED
    assert newsroom.asked["review"] == []


@pytest.mark.parametrize(
    "behaviour",
    [
        be.say("第 1 段和第 6 段开始了新议题。"),
        be.say("新议题见 [1]、[6]。"),
        be.bad_json(),
        be.empty(),
        be.wrong_language(),
        be.too_long_an_answer('{"starts": [1, 6]}'),
        be.say_json({"starts": [1, 13]}),
        be.say_json({"starts": [0]}),
        be.say_json({"starts": ["1", "6"]}),
        be.say_json({"starts": [1.5]}),
        be.say_json({"starts": [True]}),
        be.say_json({"starts": None}),
        be.say_json([1, 6]),
        be.say_json({"groups": [[1, 2, 3]]}),
        be.status(400),
    ],
    ids=lambda behaviour: behaviour.text[:24] or str(behaviour.status),
)
def test_what_is_no_list_of_starts_is_asked_for_again_and_then_detected(
    newsroom: ed.Newsroom, segment: Segment, behaviour: Behaviour
) -> None:
    newsroom.boundary = lambda request: behaviour
    result = segment(MEETING, retry=1)
    assert spans(result) == DETECTED
    assert result.engine == f"{MODEL}+offline"  # titles are the model's
    assert result.review.state is ReviewState.PASSED
    assert any("第 1/1 批（段落 1—12）由离线检测划分" in line for line in result.run_log)
    assert sum("策划编辑" in line and "第 2 次" in line for line in result.run_log) == 1


def test_context_numbers_are_never_starts(newsroom: ed.Newsroom, segment: Segment) -> None:
    def naming_context(request: RecordedRequest) -> Behaviour:
        return ed.starting_at(*ed.context(request)[-1:], ed.judged(request)[-1])

    newsroom.boundary = naming_context
    result = segment(MEETING, max_tokens_per_batch=90, retry=1)
    first, *later = newsroom.asked["boundary"]
    assert later
    assert any("由离线检测划分" in line for line in result.run_log)
    assert "起点不在本批段落之内" in later[1].user
    starts = {start for start, _ in spans(result)}
    assert starts == {1, ed.judged(first)[-1]} | {n for n in (6, 11) if n not in ed.judged(first)}


def test_a_good_second_answer_counts(newsroom: ed.Newsroom, segment: Segment) -> None:
    answers = iter([ed.starting_at(99), ed.starting_at(1, 4)])
    newsroom.boundary = lambda request: next(answers)
    result = segment(MEETING)
    assert (spans(result), result.engine) == ([(1, 3), (4, 12)], MODEL)


@pytest.mark.parametrize(
    "behaviour",
    [ed.described(4), ed.described(0), be.bad_json(), be.say("主题是搬迁。"), be.say_json([ed.DESCRIPTION])],
    ids=["too many", "none", "bad json", "prose", "no object"],
)
def test_descriptions_that_never_fit_are_left_empty_and_flagged_and_block_nothing(
    newsroom: ed.Newsroom, segment: Segment, behaviour: Behaviour
) -> None:
    newsroom.boundary = lambda request: ed.starting_at(1, 5, 9)
    newsroom.metadata = lambda request: behaviour
    result = segment(MEETING)
    assert spans(result) == [(1, 4), (5, 8), (9, 12)]
    assert all(each.described.flagged and each.described.topic == "" for each in result.segments)
    assert (result.engine, result.review.state) == (MODEL, ReviewState.PASSED)
    assert any("3 组没有主题，已标记" in line for line in result.run_log)


def test_a_wrong_count_is_tried_three_more_times(newsroom: ed.Newsroom, segment: Segment) -> None:
    newsroom.metadata = lambda request: ed.described(2)
    segment(MEETING)
    problems = [request.user for request in newsroom.asked["metadata"]]
    assert len(problems) == 4
    assert all("应有 1 项，实有 2 项" in user for user in problems[1:])


@pytest.mark.parametrize(
    "behaviour",
    [
        be.say_json({"passed": False, "issues": [], "suggestion": "再看看"}),
        be.say_json({"passed": True, "issues": [{"semantics_index": 1, "issue": "切断"}], "suggestion": ""}),
        ed.objecting({9: "没有这个模块"}),
        be.say_json({"passed": "true", "issues": [], "suggestion": "OK"}),
        be.say("通过。"),
        be.bad_json(),
        be.status(503),
    ],
    ids=["failed, no issue", "passed, issue", "no such module", "word", "prose", "bad json", "down"],
)
def test_a_review_that_is_none_never_passes(
    newsroom: ed.Newsroom, segment: Segment, behaviour: Behaviour
) -> None:
    newsroom.review = lambda request: behaviour
    result = segment(MEETING)
    assert (result.review.state, result.rounds) == (ReviewState.NOT_REVIEWED, 1)
    assert result.review.issues == ()
    assert result.run_log[-1].endswith("审稿：未审")


def test_every_line_of_the_log_is_a_name_and_a_message(newsroom: ed.Newsroom, segment: Segment) -> None:
    newsroom.boundary = lambda request: be.say_json({"starts": ["一\n二"], "more": {"a": 1}})
    newsroom.review = lambda request: ed.objecting({1: "第一行\n第二行"}, "建议\n换行")
    result = segment(MEETING, retry=0, max_iterations=2)
    assert [line for line in result.run_log if not LINE.fullmatch(line)] == []
    names = {line.split("]")[0] + "]" for line in result.run_log}
    assert names == {
        "[录入员(PreprocessAgent)]",
        "[排期员(BatchingAgent)]",
        "[策划编辑(BoundaryDetectionAgent)]",
        "[归档员(GroupingAgent)]",
        "[文案编辑(MetadataAgent)]",
        "[审稿编辑(SemanticValidationAgent)]",
        "[核稿员(CompletenessValidationAgent)]",
        "[总编辑(OrchestratorAgent)]",
    }
