"""A text that is longer than a page may hold: a stretch of it without gaps, wherever the reader goes."""

import asyncio
from dataclasses import replace

from service.store.meetings import StoredMeeting
from service.ui.minutes_addresses import Place
from service.ui.minutes_batches import CHARACTERS
from service.ui.minutes_text import MOST_BATCHES, TextView
from tests.ui.drawn import Drawn, drawing
from tests.ui.meetings import paragraphs, recorded, segments, stored

BATCHES = MOST_BATCHES + 3  # of two paragraphs each


def long_meeting() -> StoredMeeting:
    said = paragraphs([CHARACTERS // 2] * (2 * BATCHES))
    meeting = stored(recorded(1, (1, 1)))
    topics = segments((1, 5), (6, 2 * BATCHES))
    record = replace(meeting.record, paragraphs=tuple(said), segments=tuple(topics))
    return replace(meeting, record=record, text="甲" * said[-1].end)


def numbers(drawn: Drawn) -> list[int]:
    return [int(number) for number in drawn.texts("a", "said-number")]


def test_going_on_to_the_end_keeps_a_bounded_stretch_without_gaps() -> None:
    with drawing() as drawn:
        view = TextView(long_meeting(), None)
        view.show()
        while max(numbers(drawn)) < 2 * BATCHES:
            asyncio.run(view.later())
            assert numbers(drawn) == list(range(min(numbers(drawn)), max(numbers(drawn)) + 1))
            assert len(numbers(drawn)) <= 2 * MOST_BATCHES
        assert drawn.texts("button") == ["接着显示前面 2 段"]
        while min(numbers(drawn)) > 1:
            asyncio.run(view.earlier())
            assert len(numbers(drawn)) <= 2 * MOST_BATCHES
        assert sorted(numbers(drawn)) == list(range(1, 2 * MOST_BATCHES + 1))
        assert drawn.texts("button") == ["接着显示后面 2 段"]


def test_a_topic_that_is_not_shown_is_brought_in() -> None:
    meeting = long_meeting()
    with drawing() as drawn:
        view = TextView(meeting, Place(len(meeting.text) - 5, len(meeting.text)))
        view.show()
        assert 6 not in numbers(drawn)
        asyncio.run(view.open_segment(meeting.record.segments[1]))
        assert 6 in numbers(drawn)


def test_a_record_without_paragraphs_says_so() -> None:
    with drawing() as drawn:
        TextView(stored(recorded(0)), None).show()
        assert "这份记录里没有文字。" in drawn.texts("p")
