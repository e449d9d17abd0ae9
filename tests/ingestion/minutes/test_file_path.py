"""Real meetings, written as files of every format and read back, are what they were."""

import io
import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import docx
import pytest

from ingestion.minutes.agent import RunLog
from ingestion.minutes.formats import read
from ingestion.minutes.lines import Layout
from ingestion.minutes.prefixes import speech
from ingestion.minutes.preprocess import PreprocessAgent
from ingestion.minutes.transcript import Drop, Transcript
from tests.ingestion.minutes.test_nothing_lost import assert_account

pytestmark = pytest.mark.data


@dataclass(frozen=True)
class Turn:
    speaker: str
    text: str


@lru_cache
def meetings(folder: Path) -> tuple[tuple[str, tuple[Turn, ...], str], ...]:
    """Id, turns and (where there is one) the raw Markdown of every meeting of the three sets."""
    found = []
    for name in ("vcsum", "oh_minutes", "qmsum_en"):
        for file in sorted((folder / name).glob("*.jsonl")):
            for line in file.read_text(encoding="utf-8").splitlines():
                row = json.loads(line)
                turns = (_turn(paragraph, name) for paragraph in row["paragraphs"])
                kept = tuple(turn for turn in turns if turn.text)
                found.append((row["meeting_id"], kept, row.get("raw", "")))
    return tuple(found)


def _turn(paragraph: dict[str, str], name: str) -> Turn:
    """What is invisible or blank is dropped on purpose, and so from what is compared."""
    speaker = paragraph.get("speaker") or ""
    words = " ".join(paragraph["text"].replace("\u200b", "").split())
    return Turn(f"发言人{speaker}" if name == "vcsum" else speaker, words)


def as_text(turns: tuple[Turn, ...]) -> bytes:
    return "\n".join(_line(turn) for turn in turns).encode()


def as_word(turns: tuple[Turn, ...]) -> bytes:
    document = docx.Document()
    for turn in turns:
        document.add_paragraph(_line(turn))
    file = io.BytesIO()
    document.save(file)
    return file.getvalue()


def as_subtitles(turns: tuple[Turn, ...]) -> bytes:
    cues = ["WEBVTT", ""]
    for number, turn in enumerate(turns):
        start = f"{number // 3600:02}:{number // 60 % 60:02}:{number % 60:02}"
        words = turn.text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        voice = f"<v {turn.speaker}>" if turn.speaker else ""
        cues += [str(number + 1), f"{start}.000 --> {start}.900", f"{voice}{words}", ""]
    return "\n".join(cues).encode()


def _line(turn: Turn) -> str:
    return f"{turn.speaker}：{turn.text}" if turn.speaker else turn.text


WRITERS: dict[str, Callable[[tuple[Turn, ...]], bytes]] = {
    ".txt": as_text,
    ".docx": as_word,
    ".vtt": as_subtitles,
}


def transcript(name: str, data: bytes) -> Transcript:
    raw = read(name, data)
    found = PreprocessAgent(RunLog()).run(raw.text, raw.name, raw.layout)
    assert_account(found, raw.text)
    return found


@pytest.mark.parametrize("suffix", sorted(WRITERS))
def test_every_meeting_comes_back_from_its_file(shared_data: Path, suffix: str) -> None:
    for meeting, turns, _ in meetings(shared_data):
        found = transcript(meeting + suffix, WRITERS[suffix](turns))
        assert len(found.paragraphs) == len(turns), meeting
        for paragraph, turn in zip(found.paragraphs, turns, strict=True):
            assert paragraph.text.endswith(turn.text), meeting
            if turn.speaker:
                assert turn.speaker.startswith(paragraph.speaker) and paragraph.speaker, meeting
                assert speech(paragraph) == turn.text, meeting


def test_the_markdown_of_real_minutes_loses_only_signs(shared_data: Path) -> None:
    for meeting, _, raw in meetings(shared_data):
        if not raw:
            continue
        assert read(f"{meeting}.md", raw.encode()).layout is Layout.MARKDOWN
        found = transcript(f"{meeting}.md", raw.encode())
        kept = "".join(p.text for p in found.paragraphs)
        assert _words(kept) == _words(raw.replace("\u200b", "").replace("\ufeff", "")), meeting
        assert found.drops[Drop.MARKUP] < len(raw) / 3, meeting


def _words(text: str) -> str:
    """Without the signs of Markdown, spoken or not, and without white space."""
    return "".join(char for char in text if char not in "#*`|-+>=_:~" and not char.isspace())
