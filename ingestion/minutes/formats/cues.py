"""Subtitle files, WebVTT and SubRip: numbers, times and settings of cues are markup, their words stay.

A voice tag that begins a line, `<v 张三>`, is a speaker's prefix and stays. Source: W3C WebVTT, 4.1.
"""

import re

from ingestion.minutes.lines import Line, LineBuilder, Lines, split

_CLOCK = r"(?:\d+:)?\d{1,2}:\d{2}[.,]\d{1,3}"
_TIMING = re.compile(rf"\s*(?P<start>{_CLOCK})\s*-->\s*{_CLOCK}.*")
_HEADER = re.compile(r"\ufeff?WEBVTT(?:[ \t]+(?:-[ \t]*)?|$)")
_SETTING = re.compile(r"[A-Za-z][\w-]*\s?[:=][\x20-\x7e]*")  # Kind: captions, Confidence: 0.91
_NOTE = re.compile(r"NOTE(?:[ \t]+|$)")
_BLOCK = re.compile(r"(?:STYLE|REGION)\s*")
_TAG = re.compile(r"</?(?:c|i|b|u|ruby|rt|lang|font)(?:[.\s][^<>]*)?>|</v>|<(?:\d+:)?\d{2}:\d{2}\.\d{3}>")
_ENTITY = re.compile(r"&(amp|lt|gt);")
_ENTITIES = {"amp": "&", "lt": "<", "gt": ">"}


def is_cues(text: str) -> bool:
    """Whether the text begins as a WebVTT file, or as SubRip: a number and a timing line."""
    head = [line.text.strip() for line in split(text[:2_000]).lines if line.text.strip()][:2]
    if head and _HEADER.match(head[0]):
        return True
    return any(_TIMING.fullmatch(line) for line in head) and (len(head) < 2 or head[0].isdecimal())


def read_cues(text: str) -> Lines:
    """Each cue's lines carry its time; whoever spoke in the cue before speaks in no other."""
    reader = _Reader(LineBuilder(split(text)))
    return reader.read()


class _Reader:
    def __init__(self, builder: LineBuilder) -> None:
        self._builder = builder
        self._lines = list(builder)
        self._time = ""
        self._fresh = True
        self._in_head = bool(self._lines) and _HEADER.match(self._lines[0].text) is not None

    def read(self) -> Lines:
        in_block = False
        for place, line in enumerate(self._lines):
            text = line.text
            if not text.strip():
                self._builder.keep(line)
                self._fresh, self._time, self._in_head, in_block = True, "", False, False
            elif self._is_markup(place) or in_block:
                continue
            elif self._fresh and _BLOCK.fullmatch(text):
                in_block = True
            else:
                self._keep(place, text)
        return self._builder.finish()

    def _is_markup(self, place: int) -> bool:
        """A timing line, the name of a cue in front of one, or a setting of the head."""
        text = self._lines[place].text
        if timing := _TIMING.fullmatch(text):
            self._time, self._fresh = re.split("[.,]", timing["start"])[0], True
            return True
        following = self._lines[place + 1].text if place + 1 < len(self._lines) else ""
        if _TIMING.fullmatch(following) and self._is_cue_name(place):
            return True
        return self._in_head and place > 0 and _SETTING.fullmatch(text) is not None

    def _is_cue_name(self, place: int) -> bool:
        """SubRip numbers its cues; WebVTT allows any word. Words of a sentence are kept to be safe."""
        text = self._lines[place].text.strip()
        first = place == 0 or not self._lines[place - 1].text.strip()
        return text.isdecimal() or (first and text.isascii() and " " not in text)

    def _keep(self, place: int, text: str) -> None:
        if place == 0 and (header := _HEADER.match(text)):
            text = text[header.end() :]
        elif self._fresh and not self._time and (note := _NOTE.match(text)):
            rest = text[note.end() :]
            text = "" if _SETTING.fullmatch(rest) else rest
        words = _ENTITY.sub(lambda found: _ENTITIES[found[1]], _TAG.sub("", text))
        self._builder.keep(Line(words, time=self._time, fresh=self._fresh))
        self._fresh = False
