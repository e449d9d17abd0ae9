"""The lines of a raw transcript, and the layouts it can be written in. Reading a layout is in `formats`."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum


class Layout(StrEnum):
    """How the decoded text is laid out: what in it is not speech."""

    TEXT = "text"  # also a Word file, one line a paragraph
    MARKDOWN = "markdown"
    CUES = "cues"  # vtt and srt
    JSON = "json"


@dataclass(frozen=True, slots=True)
class Raw:
    """A decoded file. `findings` tell a person what was doubtful about it, in Chinese."""

    name: str
    text: str
    layout: Layout = Layout.TEXT
    findings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Line:
    """One line without its end. `speaker` and `time` are set where the layout itself names them.

    `fresh`: whoever spoke before no longer does (a heading, a new cue).
    """

    text: str
    speaker: str = ""
    time: str = ""
    fresh: bool = False


@dataclass(frozen=True, slots=True)
class Lines:
    """characters of the text = those of all `lines` + `line_ends` + `markup`, always."""

    lines: tuple[Line, ...]
    line_ends: int
    markup: int = 0


_LINE_END = re.compile("\r\n|[\n\r\x0b\x0c\x85\u2028\u2029]")


def split(text: str) -> Lines:
    """Every kind of line end, form feeds and Unicode's separators among them, ends a line."""
    lines = tuple(Line(line) for line in _LINE_END.split(text))
    return Lines(lines, len(text) - sum(len(line.text) for line in lines))


class LineBuilder:
    """Collects what is kept of some lines; what is not, is markup."""

    def __init__(self, source: Lines) -> None:
        self._source = source
        self._kept: list[Line] = []

    def __iter__(self) -> Iterator[Line]:
        return iter(self._source.lines)

    def keep(self, line: Line, text: str | None = None) -> None:
        """Keep `line`, or only `text` of it."""
        self._kept.append(line if text is None else replace(line, text=text))

    def finish(self) -> Lines:
        markup = sum(len(line.text) for line in self._source.lines) - sum(len(k.text) for k in self._kept)
        return Lines(tuple(self._kept), self._source.line_ends, self._source.markup + markup)
