"""Voices 一段之中谁的话: written minutes let somebody speak in the middle of a paragraph.

「罗婉提出预算二十六万元。张总：再少四万。」 has words of nobody's and words of 张总's. Told apart are only
known names, at the beginning of a sentence and before a colon.
"""

import re
from collections.abc import Collection
from dataclasses import dataclass

_LONGEST_NAME = 160  # characters, as in the prefixes of a paragraph
_MARKS = "。！？；!?;…\n"
_CLOSING = "”’」』）)】\"'"
_BEGINNING = rf"(?:(?<=[{_MARKS}])|(?<=[{_MARKS}][{_CLOSING}]))"  # of a sentence, maybe after a quotation
# Possessive, and no name is part of it: a long text is read once, however many people there are.
_CHANGE = re.compile(
    rf"{_BEGINNING}\s*+(?![{_CLOSING}])(?P<name>[^{_MARKS}:：]{{1,{_LONGEST_NAME}}}+)\s*+[:：]\s*+"
)


@dataclass(frozen=True, slots=True)
class Voice:
    """`start` and `end` are offsets of the words in the text that was looked at; `speaker` may be empty."""

    start: int
    end: int
    speaker: str


def voices(text: str, speaker: str, names: Collection[str]) -> list[Voice]:
    """Who says what in a paragraph's words, in order; the first are `speaker`'s. Blank ones are left out.

    `names` is asked at each beginning of a sentence: a set is quick.
    """
    found = [match for match in _CHANGE.finditer(text) if match["name"].rstrip() in names]
    starts = [(0, speaker), *((match.end(), match["name"].rstrip()) for match in found)]
    ends = [*(match.start() for match in found), len(text)]
    split = (Voice(start, end, who) for (start, who), end in zip(starts, ends, strict=True))
    return [voice for voice in split if text[voice.start : voice.end].strip()]
