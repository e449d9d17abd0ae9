"""A meeting as it was written down: numbered paragraphs, and an account of what did not become one."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from enum import StrEnum


class Drop(StrEnum):
    """Why characters of the raw text are in no paragraph."""

    LINE_END = "line_end"
    BLANK = "blank"  # blank lines, and white space around a paragraph
    ZERO_WIDTH = "zero_width"  # but the joiner inside an emoji, which is kept
    MARKUP = "markup"  # cue numbers and settings of vtt and srt, Markdown signs


@dataclass(frozen=True, slots=True)
class Paragraph:
    """`text` is everything that stands there, a speaker's or time prefix included."""

    number: int  # from 1
    text: str
    speaker: str = ""  # read from the prefix, or from the paragraph it continues
    time: str = ""  # as written: 00:12:03


@dataclass(frozen=True, slots=True)
class Transcript:
    """`raw_chars` = the characters of all paragraphs + all drops, always. Characters are code points of the
    decoded file.
    """

    title: str
    day: date | None
    attendees: tuple[str, ...]
    paragraphs: tuple[Paragraph, ...]
    drops: Mapping[Drop, int]  # characters
    raw_chars: int

    @property
    def kept_chars(self) -> int:
        return sum(len(paragraph.text) for paragraph in self.paragraphs)
