"""Utterances 发言: the words of a meeting one voice at a time, with what was said around them."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from ingestion.analyzer import fold
from ingestion.minutes.outcome import Outcome, OutcomeKind
from ingestion.minutes.segmentation import Segment
from ingestion.minutes.voices import voices
from service.store.meetings import MeetingRecord, StoredMeeting

BEFORE = 2  # utterances that say what is talked about; an answer seldom repeats it
WIDE_BEFORE, WIDE_AFTER = 5, 2

_SPELT = re.compile(r"[〇零○一二三四五六七八九]{3,}(?![十百千万亿])|[〇零一二三四五六七八九]{2}(?=年)")
_DIGITS = str.maketrans("〇零○一二三四五六七八九", "000123456789")


def readable(text: str) -> str:
    """As words are matched: folded, and numbers spelt digit by digit in digits, 二五零七批 as 2507批."""
    return _SPELT.sub(lambda found: found.group().translate(_DIGITS), fold(text))


@dataclass(frozen=True)
class Utterance:
    """`start` and `end` are the place of its words in the meeting's canonical text; `place` counts the
    meeting's utterances from 0.
    """

    meeting: StoredMeeting
    place: int
    segment: Segment
    paragraph: int
    start: int
    end: int
    label: str
    time: str
    outcomes: frozenset[OutcomeKind]

    @property
    def text(self) -> str:
        return self.meeting.text[self.start : self.end]

    @cached_property
    def folded(self) -> str:
        return readable(self.text)


@dataclass(frozen=True, slots=True)
class Around:
    """Folded texts: the utterance's own, with those just before it, with more of its segment, and what the
    meeting and the segment are called.
    """

    own: str
    near: str
    wide: str
    head: str
    after: str = ""  # what is said next


class Heard:
    """A meeting's utterances in order. `called`: how people are named beside what the record itself says."""

    def __init__(self, meeting: StoredMeeting, called: Collection[str] = ()) -> None:
        self.meeting = meeting
        self.utterances = tuple(_utterances(meeting, called))
        self._by_paragraph: dict[int, list[Utterance]] = {}
        for each in self.utterances:
            self._by_paragraph.setdefault(each.paragraph, []).append(each)
        self._heads = {each.index: _head(meeting.record, each) for each in meeting.record.segments}

    def of_paragraphs(self, numbers: Sequence[int]) -> list[Utterance]:
        return [each for number in numbers for each in self._by_paragraph.get(number, ())]

    def around(self, utterance: Utterance) -> Around:
        """Context ends where the segment does."""
        place = utterance.place
        return Around(
            own=utterance.folded,
            near=self._joined(utterance, place - BEFORE, place),
            wide=self._joined(utterance, place - WIDE_BEFORE, place + WIDE_AFTER),
            head=self._heads[utterance.segment.index],
            after=self._joined(utterance, place + 1, place + 1),
        )

    def _joined(self, utterance: Utterance, first: int, last: int) -> str:
        window = self.utterances[max(0, first) : last + 1]
        return "\n".join(each.folded for each in window if each.segment is utterance.segment)


def _utterances(meeting: StoredMeeting, called: Collection[str]) -> Iterator[Utterance]:
    record = meeting.record
    names = frozenset((*record.attendees, *record.speakers, *called))
    outcomes: dict[int, list[Outcome]] = {}
    for each in record.outcomes:
        outcomes.setdefault(each.paragraph, []).append(each)
    place = 0
    for segment in record.segments:
        for said in record.paragraphs[segment.start - 1 : segment.end]:
            for voice in voices(meeting.text[said.words : said.end], said.speaker, names):
                start, end = said.words + voice.start, said.words + voice.end
                yield Utterance(
                    meeting=meeting,
                    place=place,
                    segment=segment,
                    paragraph=said.number,
                    start=start,
                    end=end,
                    label=voice.speaker,
                    time=said.time,
                    outcomes=_kinds(outcomes.get(said.number, ()), start - said.start, end - said.start),
                )
                place += 1


def _kinds(outcomes: Sequence[Outcome], start: int, end: int) -> frozenset[OutcomeKind]:
    """Of those that share a character with the paragraph's text from `start` to `end`."""
    return frozenset(each.kind for each in outcomes if start < each.end and each.start < end)


def _head(record: MeetingRecord, segment: Segment) -> str:
    described = segment.described
    return readable(" ".join((record.title, described.topic, *described.keywords, *described.synonyms)))
