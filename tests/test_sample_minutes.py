"""The sample minutes are whole, and every golden quote was said by the person and in the meeting named."""

import re
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path
from typing import Literal, get_args

import pytest
from docx import Document
from pydantic import BaseModel, ConfigDict, Field

DATA = Path(__file__).resolve().parent.parent / "data"
MINUTES = DATA / "minutes"
HALVES = ("minutes.jsonl", "minutes_held.jsonl")
STORY = (date(2024, 11, 1), date(2026, 11, 16))  # data/company.md: the story's "today" is the last day
LEFT_THE_COMPANY = ("陆鸣", date(2025, 12, 31))
CHARACTERS = range(2_000, 6_001)  # of one meeting, with names and times
Kind = Literal["fact", "speaker", "period", "change", "decision", "action", "never_said", "as_speaker"]
Absence = Literal["nobody", "other_speaker", "other_time", "undecided"]

_NOT_A_SPEAKER = {"会议主题", "会议时间", "参会人", "开始时间", "地点", "参与人", "时间"}
_NAME = r"([\u4e00-\u9fff]{2,8})"
_INLINE = re.compile(rf"^(?:\[\d\d:\d\d:\d\d\] )?{_NAME}(?:\(\d\d:\d\d:\d\d\): |：|: )(.*)$")
_VOICE = re.compile(rf"^<v {_NAME}>(.*)</v>$")
_HEADED = re.compile(rf"^(?:\[{_NAME}\] \d\d:\d\d:\d\d|{_NAME} (?:\d\d:)?\d\d:\d\d)$")


class Golden(BaseModel):
    """One line of `data/golden/minutes*.jsonl`; the fields are described in the README there."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)

    id: str
    question: str
    kind: Kind
    speaker: str | None = None
    from_: date | None = Field(default=None, alias="from")
    to: date | None = None
    meetings: tuple[str, ...]
    quotes: tuple[str, ...]
    answerable: bool
    absence: Absence | None = None
    note: str = ""


@dataclass(frozen=True)
class Said:
    """One utterance, or one cue of it, as a plain reader sees it."""

    speaker: str
    text: str


@cache
def golden(half: str) -> tuple[Golden, ...]:
    lines = (DATA / "golden" / half).read_text(encoding="utf-8").splitlines()
    return tuple(Golden.model_validate_json(line) for line in lines)


@cache
def meetings() -> dict[str, str]:
    """The text of every meeting by file name."""
    return {path.name: _text(path) for path in sorted(MINUTES.glob("20*"))}


def _text(path: Path) -> str:
    if path.suffix == ".docx":
        return "\n".join(paragraph.text for paragraph in Document(str(path)).paragraphs)
    raw = path.read_bytes()
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return raw.decode("gb18030")


def held_on(meeting: str) -> date:
    return date.fromisoformat(meeting[:10])


def said_in(meeting: str) -> list[Said]:
    """What was said, with full names; read apart from the readers of `ingestion.minutes`."""
    lines = meetings()[meeting].splitlines()
    return _under_names(lines) if any(map(_HEADED.match, lines)) else _after_names(lines)


def _under_names(lines: list[str]) -> list[Said]:
    """A line with name and time, what was said on the lines below it."""
    said, speaker = [], ""
    for line in lines:
        if headed := _HEADED.match(line):
            speaker = headed[1] or headed[2]
        elif line and speaker:
            said.append(Said(speaker, line))
    return said


def _after_names(lines: list[str]) -> list[Said]:
    """Name and words on one line."""
    matches = filter(None, (_VOICE.match(line) or _INLINE.match(line) for line in lines))
    return [Said(titles().get(m[1], m[1]), m[2]) for m in matches if m[1] not in _NOT_A_SPEAKER]


@cache
def company() -> str:
    return (DATA / "company.md").read_text(encoding="utf-8")


@cache
def titles() -> dict[str, str]:
    """张总 -> 张启明, of the table of leaders."""
    rows: list[tuple[str, str]] = re.findall(r"^\| (\S{2,3}) \| [^|]+ \| (\S总) \|", company(), re.M)
    return {title: name for name, title in rows}


def test_the_archive_has_about_thirty_meetings_of_the_asked_length() -> None:
    lengths = {name: len(text) for name, text in meetings().items()}
    assert 28 <= len(lengths) <= 36
    assert {name: length for name, length in lengths.items() if length not in CHARACTERS} == {}


def test_meetings_fall_on_working_days_inside_the_story() -> None:
    days = [held_on(name) for name in meetings()]
    assert [day for day in days if not STORY[0] <= day <= STORY[1] or day.weekday() > 4] == []
    assert len(set(days)) == len(days)


def test_the_archive_is_kept_in_many_formats() -> None:
    assert {Path(name).suffix for name in meetings()} == {".txt", ".md", ".vtt", ".srt", ".docx"}
    raw = {path.name: path.read_bytes() for path in MINUTES.glob("20*.txt")}
    assert any(content.startswith(b"\xef\xbb\xbf") and b"\r\n" in content for content in raw.values())
    assert [name[:10] for name, content in raw.items() if not _is_utf8(content)] == ["2025-03-25"]


def _is_utf8(content: bytes) -> bool:
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def test_a_rebuild_gives_the_committed_docx_bytes(tmp_path: Path) -> None:
    script = [sys.executable, str(DATA / "minutes_source" / "make.py"), str(tmp_path)]
    subprocess.run(script, check=True, timeout=60, capture_output=True)
    built = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert set(built) == {path.name for path in MINUTES.glob("*.docx")}
    assert [name for name, content in built.items() if content != (MINUTES / name).read_bytes()] == []


@pytest.mark.parametrize("meeting", meetings())
def test_every_speaker_is_a_person_of_the_company_or_a_meeting_room(meeting: str) -> None:
    speakers = {said.speaker for said in said_in(meeting)}
    assert len(speakers) >= 4
    assert {name for name in speakers if name not in company() and not name.endswith("会议室")} == set()


def test_nobody_speaks_after_leaving_the_company() -> None:
    name, last_day = LEFT_THE_COMPANY
    spoke = [held_on(meeting) for meeting in meetings() if name in {s.speaker for s in said_in(meeting)}]
    assert spoke
    assert max(spoke) <= last_day


@pytest.mark.parametrize("half", HALVES)
def test_every_quote_stands_in_a_named_meeting_and_every_named_meeting_has_one(half: str) -> None:
    astray, idle = [], []
    for item in golden(half):
        texts = {name: meetings()[name] for name in item.meetings}
        astray += [(item.id, quote) for quote in item.quotes if not any(quote in t for t in texts.values())]
        idle += [(item.id, name) for name, t in texts.items() if not any(quote in t for quote in item.quotes)]
    assert astray == []
    assert idle == []


@pytest.mark.parametrize("half", HALVES)
def test_a_quote_of_a_named_speaker_is_in_that_speakers_own_words(half: str) -> None:
    foreign = []
    for item in golden(half):
        said = [s for name in item.meetings for s in said_in(name) if s.speaker == item.speaker]
        if item.speaker:
            foreign += [(item.id, q) for q in item.quotes if not any(q in s.text for s in said)]
    assert foreign == []


@pytest.mark.parametrize("half", HALVES)
def test_named_meetings_fall_into_the_period_of_the_question(half: str) -> None:
    dated = [item for item in golden(half) if item.from_ and item.to]
    outside = [
        (item.id, name)
        for item in dated
        for name in item.meetings
        if item.from_ and item.to and not item.from_ <= held_on(name) <= item.to
    ]
    assert [item.id for item in golden(half) if (item.from_ is None) != (item.to is None)] == []
    assert len(dated) >= 5
    assert outside == []


@pytest.mark.parametrize("half", HALVES)
def test_only_an_answerable_question_has_meetings_and_only_another_has_a_kind_of_absence(half: str) -> None:
    wrong = [
        item.id
        for item in golden(half)
        if {bool(item.meetings), bool(item.quotes), item.absence is None} != {item.answerable}
    ]
    assert wrong == []
    refused = [item for item in golden(half) if not item.answerable]
    assert {item.kind for item in refused} == {"never_said", "as_speaker"}
    assert [i.id for i in golden(half) if i.kind == "never_said" and i not in refused] == []


@pytest.mark.parametrize("half", HALVES)
def test_a_change_is_told_by_more_than_one_meeting_in_the_order_of_time(half: str) -> None:
    changes = [item for item in golden(half) if item.kind == "change"]
    assert [item.id for item in changes if len(item.meetings) < 2] == []
    assert [item.id for item in golden(half) if list(item.meetings) != sorted(item.meetings)] == []


@pytest.mark.parametrize("half", HALVES)
def test_each_half_has_every_kind_and_every_absence(half: str) -> None:
    kinds = Counter(item.kind for item in golden(half))
    assert set(kinds) == set(get_args(Kind))
    assert {item.absence for item in golden(half) if item.absence} == set(get_args(Absence))
    assert len(golden(half)) >= 42
    assert kinds["never_said"] >= 12
    assert kinds["as_speaker"] >= 7


def test_the_halves_together_are_large_enough_and_share_no_question() -> None:
    dev, held = (golden(half) for half in HALVES)
    every = [*dev, *held]
    assert len({item.id for item in every}) == len({item.question for item in every}) == len(every) >= 84
    assert sum(item.kind == "as_speaker" for item in every) >= 15


def test_a_speaker_asked_for_is_a_person_of_the_company() -> None:
    asked = {item.speaker for half in HALVES for item in golden(half) if item.speaker}
    assert len(asked) >= 12
    assert {name for name in asked if name not in company()} == set()
