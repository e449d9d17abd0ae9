"""Every character of a transcript is in a paragraph or in a counted drop, whatever the file looks like."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ingestion.minutes.agent import RunLog
from ingestion.minutes.completeness import CompletenessValidationAgent
from ingestion.minutes.formats import read
from ingestion.minutes.lines import Layout
from ingestion.minutes.preprocess import PreprocessAgent
from ingestion.minutes.segmentation import Described, Segment
from ingestion.minutes.transcript import Drop, Transcript
from tests.ingestion.minutes.hostile import COUNT, hostile_files

SIGNS = ["张总：", "00:12 ", "[00:01:02] ", "<v 李四>", "</v>", "\n", "\r\n", "\r", "\f", " "]
SIGNS += ["\u200b", "\u200d"]
SIGNS += ["WEBVTT", "00:00:01.000 --> 00:00:02.000", "NOTE ", "1", "|", "---", "```", "#", "**", "&lt;", "，"]
SIGNS += ["\U0001f468\u200d\U0001f469", "\ud800", "好"]
PIECES = st.sampled_from(SIGNS)
INVISIBLE = {"\u180e", "\ufeff", *map(chr, (*range(0x200B, 0x2010), *range(0x202A, 0x202F)))}
INVISIBLE |= set(map(chr, (*range(0x2060, 0x2065), *range(0x2066, 0x206A))))
TEXTS = st.one_of(
    st.text(st.characters(exclude_categories=())), st.lists(PIECES, max_size=60).map("".join)
)


def preprocess(text: str, name: str = "", layout: Layout = Layout.TEXT) -> Transcript:
    return PreprocessAgent(RunLog()).run(text, name, layout)


def assert_account(transcript: Transcript, text: str) -> None:
    assert transcript.raw_chars == len(text)
    assert transcript.kept_chars + sum(transcript.drops.values()) == transcript.raw_chars
    assert all(count >= 0 for count in transcript.drops.values())
    assert [p.number for p in transcript.paragraphs] == list(range(1, len(transcript.paragraphs) + 1))
    assert all(p.text == p.text.strip() != "" for p in transcript.paragraphs)
    stored = "".join(p.text + p.speaker + p.time for p in transcript.paragraphs)
    assert stored.encode().decode() == stored  # no lone surrogate: it could not be stored
    whole = [Segment(1, 1, len(transcript.paragraphs), Described())] if transcript.paragraphs else []
    assert CompletenessValidationAgent(RunLog()).run(whole, transcript).passed


@pytest.mark.parametrize("layout", [Layout.TEXT, Layout.MARKDOWN, Layout.CUES])
@given(text=TEXTS)
@settings(max_examples=150, deadline=None)
def test_kept_and_dropped_are_the_raw_text_for_any_text(layout: Layout, text: str) -> None:
    assert_account(preprocess(text, layout=layout), text)


@given(text=TEXTS)
@settings(max_examples=150, deadline=None)
def test_every_visible_character_of_a_text_file_stays_in_order(text: str) -> None:
    def visible(text: str) -> str:
        return "".join(char for char in text if not char.isspace() and char not in INVISIBLE)

    kept = "\n".join(p.text for p in preprocess(text).paragraphs)
    assert visible(kept) == re.sub("[\ud800-\udfff]", "\ufffd", visible(text))


@pytest.fixture(scope="module")
def hostile() -> list[tuple[str, bytes]]:
    return list(hostile_files())


def test_the_hostile_files_are_two_hundred_and_the_same_each_time(hostile: list[tuple[str, bytes]]) -> None:
    assert len(hostile) == COUNT
    assert list(hostile_files(count=30)) == hostile[:30]


def test_no_hostile_file_loses_a_character(hostile: list[tuple[str, bytes]]) -> None:
    for name, data in hostile:
        raw = read(name, data)
        assert_account(preprocess(raw.text, name, raw.layout), raw.text)


def test_repeated_lines_stay_as_often_as_they_stand() -> None:
    transcript = preprocess("张总：好\n" * 300)
    assert len(transcript.paragraphs) == 300


def test_the_joiner_stays_inside_an_emoji_only() -> None:
    transcript = preprocess("一家\U0001f468\u200d\U0001f469\u200d\U0001f467人\u200d都来")
    assert transcript.paragraphs[0].text == "一家\U0001f468\u200d\U0001f469\u200d\U0001f467人都来"
    assert transcript.drops[Drop.ZERO_WIDTH] == 1


def test_each_kind_of_drop_is_counted() -> None:
    timing = "00:00:01.000 --> 00:00:02.000"
    transcript = preprocess(f"WEBVTT\r\n\r\n{timing}\r\n  <v 张三>你\u200b好</v>", layout=Layout.CUES)
    assert dict(transcript.drops) == {
        Drop.LINE_END: 6,
        Drop.BLANK: 2,
        Drop.ZERO_WIDTH: 1,
        Drop.MARKUP: len("WEBVTT") + len(timing) + len("</v>"),
    }
    assert [p.text for p in transcript.paragraphs] == ["<v 张三>你好"]


def test_lines_are_told_apart_by_any_line_end() -> None:
    transcript = preprocess("一\r\n二\r三\n四\f五\u2028六\x85七")
    assert [p.text for p in transcript.paragraphs] == list("一二三四五六七")
