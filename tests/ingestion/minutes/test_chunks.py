"""A meeting's chunks: every paragraph once, cut where a speech ends, with who speaks in each."""

from datetime import date
from time import perf_counter

from hypothesis import given, settings
from hypothesis import strategies as st

from ingestion.chunking import MAXIMUM
from ingestion.minutes.chunks import canonical, chunks_of
from ingestion.minutes.segmentation import Completeness, Described, Review, ReviewState, Segment, Segmentation
from ingestion.minutes.transcript import Paragraph, Transcript

words = st.text("价格是不变，。一二三 a\t", min_size=1, max_size=900)
texts = st.lists(
    st.tuples(st.sampled_from(["张总", "李总", ""]), words),
    min_size=1,
    max_size=30,
)


def segmentation(said: list[tuple[str, str]], starts: set[int], topic: str = "定价") -> Segmentation:
    paragraphs = tuple(
        Paragraph(number, f"x{text}x", speaker) for number, (speaker, text) in enumerate(said, 1)
    )
    firsts = sorted({1, *(start for start in starts if start <= len(paragraphs))})
    lasts = [*(first - 1 for first in firsts[1:]), len(paragraphs)]
    described = Described(topic, ("价格", "折扣"), ("报价",))
    segments = tuple(
        Segment(index, first, last, described)
        for index, (first, last) in enumerate(zip(firsts, lasts, strict=True), 1)
    )
    transcript = Transcript("定价会", date(2025, 7, 8), (), paragraphs, {}, 0)
    count = transcript.kept_chars
    whole = Completeness(True, len(paragraphs), 0, count, count, 0)
    return Segmentation(transcript, segments, whole, Review(ReviewState.SKIPPED), 1, 1, "offline", ())


@settings(max_examples=60, deadline=None)
@given(texts, st.sets(st.integers(1, 30)))
def test_chunks_hold_every_character_once_and_never_two_segments(
    said: list[tuple[str, str]], starts: set[int]
) -> None:
    found = segmentation(said, starts)
    text = canonical(found.transcript).text
    chunks = chunks_of(found, text, "r")
    assert all(text[chunk.char_start : chunk.char_end] == chunk.text for chunk in chunks)
    assert [chunk.ordinal for chunk in chunks] == list(range(len(chunks)))
    assert len({chunk.id for chunk in chunks}) == len(chunks)
    covered = [place for chunk in chunks for place in range(chunk.char_start, chunk.char_end)]
    assert len(covered) == len(set(covered))
    assert not "".join(text[place] for place in sorted(set(range(len(text))) - set(covered))).strip()
    assert all(len(chunk.text) <= MAXIMUM for chunk in chunks)
    firsts = {segment.start for segment in found.segments}
    for chunk in chunks:
        numbers = [anchor.paragraph for anchor in chunk.anchors]
        assert not firsts & set(numbers[1:])


def test_a_chunk_names_those_who_speak_in_it_and_nobody_else() -> None:
    long = "我们先看价格。" * 100
    found = segmentation([("张总", long), ("李总", long), ("", "散会")], {3})
    chunks = chunks_of(found, canonical(found.transcript).text, "r")
    assert {chunk.speakers for chunk in chunks} == {("张总",), ("李总",), ()}


def test_one_endless_paragraph_is_cut_in_a_moment() -> None:
    """It is in each of its thousands of chunks, and is read through once: seconds otherwise, and minutes
    for two million characters."""
    found = segmentation([("张总", "啊" * 400_000)], set())
    started = perf_counter()
    chunks = chunks_of(found, canonical(found.transcript).text, "r")
    assert perf_counter() - started < 2
    assert {chunk.speakers for chunk in chunks} == {("张总",)}


def test_what_is_searched_has_the_meeting_its_day_the_topic_the_keywords_and_the_synonyms() -> None:
    found = segmentation([("张总", "一分钱不降。")], set())
    chunk = chunks_of(found, canonical(found.transcript).text, "r")[0]
    assert chunk.searched_text == "定价会 2025-07-08 > 定价\n价格、折扣、报价\nx一分钱不降。x"
    assert [anchor.paragraph for anchor in chunk.anchors] == [1]
