"""How a meeting was cut, as its page tells it: locks, account, review, log."""

from dataclasses import replace

import pytest

from ingestion.minutes.segmentation import Issue, Review, ReviewState
from ingestion.minutes.transcript import Drop
from service.store.meetings import MeetingRecord, Said
from service.ui.minutes_account import locks_of, show_account
from service.ui.minutes_speakers import shares_of
from tests.ui.drawn import drawing
from tests.ui.meetings import recorded, stored

WHOLE = recorded(5, (1, 2), (3, 5))


@pytest.mark.parametrize(
    ("record", "holds", "texts"),
    [
        (WHOLE, (True, True), ("段落 5/5，次序与重复一致", "字符差 0")),
        (recorded(5, (1, 2), (4, 5), char_diff=-3, missing=1), (False, False), ("段落 4/5", "字符差 -3")),
        (recorded(5, (3, 5), (1, 2)), (False, True), ("段落 5/5，次序或重复不一致", "字符差 0")),
        (recorded(5, (1, 3), (3, 5), char_diff=3), (False, False), ("段落 5/5，次序或重复", "字符差 3")),
        (recorded(5, (1, 5), char_diff=4), (True, False), ("段落 5/5，次序与重复一致", "字符差 4")),
        (recorded(5, (1, 6)), (False, True), ("段落 5/5，次序或重复不一致", "字符差 0")),
    ],
    ids=["whole", "a gap", "out of order", "one twice", "only characters differ", "one that is not there"],
)
def test_a_lock_is_open_exactly_where_something_differs(
    record: MeetingRecord, holds: tuple[bool, bool], texts: tuple[str, str]
) -> None:
    locks = locks_of(record)
    assert tuple(lock.holds for lock in locks) == holds
    assert all(lock.text.startswith(text) for lock, text in zip(locks, texts, strict=True))


def test_the_account_adds_up_the_kinds_that_there_are() -> None:
    with drawing() as drawn:
        show_account(stored(WHOLE))
        assert drawn.texts("th")[2:] == ["段落里", "去掉：换行", "原文共"]
        assert drawn.texts("td") == ["15", "5", "20"]
        assert "账目不平" not in drawn.all_text()


def test_an_account_that_does_not_add_up_is_told() -> None:
    drops = WHOLE.drops | {Drop.MARKUP: 1}
    with drawing() as drawn:
        show_account(stored(replace(WHOLE, drops=drops)))
        assert "去掉：字幕编号与排版标记" in drawn.texts("th")
        assert "账目不平" in drawn.all_text()


def test_a_review_tells_each_issue_with_the_way_to_its_place() -> None:
    review = Review(ReviewState.FAILED, (Issue(2, 3, 4, "第 4 段说的是 <b>别的事"),), "从第 4 段分开")
    with drawing() as drawn:
        show_account(stored(replace(WHOLE, review=review, rounds=5, kept_round=2, engine="qwen+offline")))
        text = drawn.all_text()
        assert drawn.properties("href", "a") == ["/app/minutes/d1?at=8-15"]
    for said in ("审稿有意见", "第 4 段说的是 <b>别的事", "审稿建议：从第 4 段分开", "5 轮，采用第 2 轮"):
        assert said in text
    assert "引擎：qwen + 离线引擎" in text


@pytest.mark.parametrize(
    ("state", "told"),
    [
        (ReviewState.PASSED, "审稿通过"),
        (ReviewState.NOT_REVIEWED, "没有另一双眼睛看过"),
        (ReviewState.SKIPPED, "按设置未审稿"),
    ],
)
def test_a_review_that_was_none_is_not_told_as_passed(state: ReviewState, told: str) -> None:
    with drawing() as drawn:
        show_account(stored(replace(WHOLE, review=Review(state))))
        assert told in drawn.all_text()
        assert ("审稿通过" in drawn.all_text()) == (state is ReviewState.PASSED)


def test_the_log_and_the_findings_stand_as_they_were_written() -> None:
    log = ("[录入员(PreprocessAgent)] 开始预处理，文本长度=9", "[核稿员(CompletenessValidationAgent)] 通过")
    with drawing() as drawn:
        show_account(stored(replace(WHOLE, run_log=log, findings=("编码是猜的",))))
        assert drawn.texts("pre") == ["\n".join(log)]
        assert drawn.texts("li") == ["编码是猜的"]


def test_speakers_are_counted_without_their_prefixes_and_nobody_comes_last() -> None:
    said = [
        Said(1, 0, 10, 0),
        Said(2, 11, 20, 14, "甲"),
        Said(3, 21, 40, 24, "乙"),
        Said(4, 41, 44, 41, "甲"),
    ]
    assert [(share.speaker, share.paragraphs, share.chars) for share in shares_of(said)] == [
        ("乙", 1, 16),
        ("甲", 2, 9),
        ("", 1, 10),
    ]
