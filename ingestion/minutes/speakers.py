"""Who speaks: which names before a colon or beside a time are speakers, judged over the whole meeting.

A colon alone proves little (注意：…). For a name speak: a time beside it, the list of those present, the
shape of a name, words that make a sentence behind it, and that it recurs where every line begins that way.
Against it: the words of `speakers.toml`, and function words inside it.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ingestion.minutes.lines import Line
from ingestion.minutes.names import (
    is_anonymous,
    is_chinese_name,
    is_group,
    is_label,
    is_latin_name,
    is_role,
    is_section,
    is_titled,
    without_role,
)
from ingestion.minutes.prefixes import COLONS, LONGEST_PREFIX, Prefix, candidate

SPOKEN_SHARE = 0.4  # of the lines begin with a recurring name: a record of who said what, no minutes
SENTENCE_CHARS = 10
LOOKED_AT = 400  # characters behind a name
LONGEST_NICKNAME = 8  # characters of a name of no known shape
_OPENING = re.compile(
    rf"[\W\d_]{{0,8}}(?P<name>[^\W\d_][^{COLONS}，,。；;！!？?、\n]{{0,30}}?)[\W_]{{0,4}}[{COLONS}]\s*(?=[^\s/])"
)
"""What may be a name that begins a line, also behind a number and inside brackets or quotation marks."""

_STATEMENT = re.compile(r"[。！？!?]|\.(?:\s|$)")
_SENTENCE = re.compile(r"[。！？!?，,；;]|\.(?:\s|$)")
_FUNCTION_WORDS = re.compile(r"[的了是要我你他她它这那在把被请会没不就也都很和与或及对从向将以为]")


@dataclass(frozen=True, slots=True)
class Spoken:
    """A line with who says it and when, both empty where nobody is known to."""

    text: str
    speaker: str
    time: str


@dataclass(slots=True)
class _Tally:
    timed: int = 0
    lines: int = 0
    sentences: int = 0  # words long enough and with a sign of punctuation
    statements: int = 0  # with one that ends a sentence: a list of names has none

    def count(self, prefix: Prefix, line: Line, below: str) -> None:
        said = line.text[prefix.end :] or below
        self.lines += 1
        self.timed += bool(prefix.time or line.time)
        self.sentences += len(said) >= SENTENCE_CHARS and _SENTENCE.search(said[:LOOKED_AT]) is not None
        self.statements += _STATEMENT.search(said[:LOOKED_AT]) is not None


def assign(lines: Sequence[Line], attendees: Sequence[str]) -> list[Spoken]:
    """One for each line, in order."""
    prefixes = [candidate(line.text) for line in lines]
    known = _Judgement(lines, prefixes, attendees)
    spoken: list[Spoken] = []
    current = _Turn()
    for line, prefix in zip(lines, prefixes, strict=True):
        current = current.after(line, prefix, known)
        spoken.append(Spoken(line.text, current.speaker, current.time))
    return spoken


class _Judgement:
    """Which of the meeting's names are speakers."""

    def __init__(
        self, lines: Sequence[Line], prefixes: Sequence[Prefix | None], attendees: Sequence[str]
    ) -> None:
        self._attendees = frozenset(attendees)
        self._tallies: dict[str, _Tally] = {}
        for place, (line, prefix) in enumerate(zip(lines, prefixes, strict=True)):
            last = place + 1 == len(lines)
            below = "" if last or prefixes[place + 1] is not None else lines[place + 1].text
            if prefix is not None and prefix.name and not (prefix.bare and not below):
                self._tallies.setdefault(prefix.name, _Tally()).count(prefix, line, below)
        counts = [
            tally.lines
            for name, tally in self._tallies.items()
            if not is_label(name) and (tally.lines > 1 or _shaped(name))
        ]
        self.spoken = len(counts) > 1 < max(counts) and sum(counts) >= SPOKEN_SHARE * len(lines)
        self._clocked = sum(t.timed > 0 and _shaped(name) for name, t in self._tallies.items()) > 1
        self._speakers = frozenset(name for name, tally in self._tallies.items() if self._speaks(name, tally))

    def __contains__(self, prefix: Prefix) -> bool:
        return prefix.voice or prefix.name in self._speakers

    def is_another(self, text: str) -> bool:
        """Whether 阿强：… may begin here, no speaker for sure, in a record of who said what."""
        if not self.spoken or self._clocked or (opening := _OPENING.match(text[:LONGEST_PREFIX])) is None:
            return False
        name = without_role(opening["name"])
        return _bearable(name) and not is_label(name)

    def _speaks(self, name: str, tally: _Tally) -> bool:
        if name in self._attendees or is_anonymous(name):
            return True
        if is_label(name):
            return False
        if is_role(name):
            return tally.timed > 0 or tally.statements > tally.lines / 2
        if is_titled(name):
            return True
        if tally.timed:
            return _shaped(name) or (tally.timed > 1 and _bearable(name))
        return self._speaks_without_time(name, tally)

    def _speaks_without_time(self, name: str, tally: _Tally) -> bool:
        if self._clocked:  # whoever speaks here has a time beside the name
            return False
        recurs = tally.lines > 1
        if is_chinese_name(name) or is_latin_name(name):
            sure = len(name) > 2 and tally.sentences > 0 and is_chinese_name(name)
            return sure or self.spoken or (recurs and tally.sentences > 0)
        if is_group(name):
            return tally.sentences > 0 and (recurs or self.spoken)
        return recurs and self.spoken and _bearable(name)


@dataclass(frozen=True, slots=True)
class _Turn:
    """Who speaks at a line. `goes_on`: the next lines are the same person's until something else begins."""

    speaker: str = ""
    time: str = ""
    goes_on: bool = False

    def after(self, line: Line, prefix: Prefix | None, known: _Judgement) -> "_Turn":
        if line.speaker:
            return _Turn(line.speaker, line.time, goes_on=True)
        if prefix is not None and prefix.name and prefix in known:
            alone = not line.text[prefix.end :].strip()
            return _Turn(prefix.name, prefix.time or line.time, alone or prefix.voice or known.spoken)
        if line.fresh or (prefix is not None and prefix.colon and is_section(prefix.name)):
            return _Turn("", line.time, goes_on=False)
        if self.goes_on and known.is_another(line.text):
            return _Turn("", line.time, goes_on=False)
        time = (prefix.time if prefix is not None else "") or line.time
        if not self.goes_on:
            return _Turn("", time)
        return _Turn(self.speaker, time or self.time, goes_on=True)


def _shaped(name: str) -> bool:
    tests = (is_chinese_name, is_latin_name, is_titled, is_group, is_anonymous)
    return any(test(name) for test in tests) and not is_label(name)


def _bearable(name: str) -> bool:
    """Whether a name of no known shape can be one: short, and no piece of a sentence."""
    if name.isascii():
        return len(name.split()) <= 4
    return len(name) <= LONGEST_NICKNAME and _FUNCTION_WORDS.search(name) is None
