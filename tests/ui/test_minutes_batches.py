"""A text in portions: nothing is left out, nothing is there twice, and a portion stays bearable."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from service.store.meetings import Said
from service.ui.minutes_addresses import Place, paragraph_of, place_of
from service.ui.minutes_batches import (
    CHARACTERS,
    PARAGRAPHS,
    Batch,
    batches_of,
    parts_of,
    pieces_of,
    position_of,
)
from tests.ui.meetings import paragraphs, segments

LENGTHS = st.lists(st.sampled_from((1, 40, 400, 30_000, 70_000)), max_size=450)


@given(LENGTHS)
def test_batches_hold_every_paragraph_once_in_order(lengths: list[int]) -> None:
    said = paragraphs(lengths)
    batches = batches_of(said)
    assert [at for batch in batches for at in range(batch.first, batch.end)] == list(range(len(said)))


@given(LENGTHS)
def test_a_batch_is_bounded_unless_one_paragraph_is_longer(lengths: list[int]) -> None:
    for batch in batches_of(paragraphs(lengths)):
        held = lengths[batch.first : batch.end]
        assert 1 <= len(held) <= PARAGRAPHS
        assert sum(held) <= CHARACTERS or len(held) == 1


@given(st.integers(1, 60), st.sets(st.integers(1, 60)), st.data())
def test_parts_hold_every_paragraph_of_their_batch_once(
    count: int, cuts: set[int], data: st.DataObject
) -> None:
    said = paragraphs([3] * count)
    starts = sorted({1, *(cut for cut in cuts if cut <= count)})
    ends = [*(start - 1 for start in starts[1:]), count]
    found = segments(*zip(starts, ends, strict=True))
    first = data.draw(st.integers(0, count - 1))
    batch = Batch(first, data.draw(st.integers(first + 1, count)))
    parts = parts_of(batch, said, found)
    assert [at for part in parts for at in range(part.first, part.end)] == list(range(batch.first, batch.end))
    for part in parts:
        assert part.segment is not None
        assert part.segment.start <= said[part.first].number <= said[part.end - 1].number <= part.segment.end
        assert part.begins == (said[part.first].number == part.segment.start)


def test_paragraphs_of_no_segment_are_shown_as_such() -> None:
    parts = parts_of(Batch(0, 6), paragraphs([3] * 6), segments((1, 2), (5, 6)))
    assert [(part.segment and part.segment.index, part.first, part.end) for part in parts] == [
        (1, 0, 2),
        (None, 2, 4),
        (2, 4, 6),
    ]


@given(st.text(min_size=1, max_size=30), st.data())
def test_pieces_are_the_paragraph_again_and_marked_where_the_place_is(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    words = data.draw(st.integers(start, end))
    low = data.draw(st.integers(0, len(text) - 1))
    place = Place(low, data.draw(st.integers(low + 1, len(text))))
    pieces = pieces_of(text, Said(1, start, end, words), place)
    assert "".join(piece.text for piece in pieces) == text[start:end]
    assert "".join(piece.text for piece in pieces if piece.prefix) == text[start:words]
    shared = range(max(start, place.start), min(end, place.end))
    assert "".join(piece.text for piece in pieces if piece.marked) == "".join(text[at] for at in shared)
    assert all(piece.text for piece in pieces)


def test_the_paragraph_of_a_place_is_the_first_it_reaches() -> None:
    said = paragraphs([10, 10, 10])
    assert position_of(said, Place(12, 25)) == 1
    assert position_of(said, Place(10, 11)) is None  # the line end between two
    assert [said[at].start for at in range(3)] == [0, 11, 22]


def test_addresses_say_where() -> None:
    assert place_of("123-160") == Place(123, 160)
    assert [place_of(bad) for bad in ("", "7", "9-9", "9-3", "a-b", "1-2-3", "-1-4", "１-２ ")] == [None] * 8
    assert (paragraph_of("#p12"), paragraph_of("#q12"), paragraph_of("")) == (12, None, None)


def test_batches_follow_one_another() -> None:
    batches = batches_of(paragraphs([5] * (2 * PARAGRAPHS + 1)))
    assert [batch.end for batch in batches] == [PARAGRAPHS, 2 * PARAGRAPHS, 2 * PARAGRAPHS + 1]
    assert all(before.end == after.first for before, after in pairwise(batches))
