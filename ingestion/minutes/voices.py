"""Voices 一段之中谁的话: written minutes let somebody speak in the middle of a paragraph.

「罗婉提出预算二十六万元。张总：再少四万。」 has words of nobody's and words of 张总's. Told apart are only known
names, at the beginning of a sentence and before a colon.
"""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import lru_cache

_MARKS = "。！？；!?;…\n"
_BEGINNING = rf"(?:(?<=[{_MARKS}])|(?<=[{_MARKS}][”’」』）)】\"']))"  # of a sentence, maybe after a quotation


@dataclass(frozen=True, slots=True)
class Voice:
    """`start` and `end` are offsets of the words in the text that was looked at; `speaker` may be empty."""

    start: int
    end: int
    speaker: str


def voices(text: str, speaker: str, names: Collection[str]) -> list[Voice]:
    """Who says what in a paragraph's words, in order; the first are `speaker`'s. Blank ones are left out."""
    found = list(_changes(text, frozenset(names)))
    starts = [(0, speaker), *((match.end(), match["name"]) for match in found)]
    ends = [*(match.start() for match in found), len(text)]
    split = (Voice(start, end, who) for (start, who), end in zip(starts, ends, strict=True))
    return [voice for voice in split if text[voice.start : voice.end].strip()]


def _changes(text: str, names: frozenset[str]) -> Iterator[re.Match[str]]:
    pattern = _pattern(names)
    if pattern is not None:
        yield from pattern.finditer(text)


@lru_cache(maxsize=64)
def _pattern(names: frozenset[str]) -> re.Pattern[str] | None:
    known = sorted((name for name in names if name), key=lambda name: (-len(name), name))
    if not known:
        return None
    return re.compile(rf"{_BEGINNING}\s*(?P<name>{'|'.join(map(re.escape, known))})\s*[:：]\s*")
