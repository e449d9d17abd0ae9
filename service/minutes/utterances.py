"""Utterances 发言: the words of a meeting one voice at a time, with what was said around them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from ingestion.analyzer import fold
from ingestion.minutes.outcome import OutcomeKind
from ingestion.minutes.segmentation import Segment
from ingestion.minutes.voices import voices
from service.store.meetings import MeetingRecord, Said, StoredMeeting

BEFORE = 2  # utterances that say what is talked about; an answer seldom repeats it
WIDE_BEFORE, WIDE_AFTER = 5, 2


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
        return fold(self.text)


@dataclass(frozen=True, slots=True)
class Around:
    """Folded texts: the utterance's own, with those just before it, with more of its segment, and what the
    meeting and the segment are called.
    """

    own: str
    near: str
    wide: str
    head: str


class Heard:
    """A meeting's utterances in order."""

    def __init__(self, meeting: StoredMeeting) -> None:
        self.meeting = meeting
        self.utterances = tuple(_utterances(meeting))
        self._heads = {each.index: _head(meeting.record, each) for each in meeting.record.segments}

    def of_paragraphs(self, numbers: Sequence[int]) -> list[Utterance]:
        wanted = frozenset(numbers)
        return [each for each in self.utterances if each.paragraph in wanted]

    def around(self, utterance: Utterance) -> Around:
        """Context ends where the segment does."""
        place = utterance.place
        return Around(
            own=utterance.folded,
            near=self._joined(utterance, place - BEFORE, place),
            wide=self._joined(utterance, place - WIDE_BEFORE, place + WIDE_AFTER),
            head=self._heads[utterance.segment.index],
        )

    def _joined(self, utterance: Utterance, first: int, last: int) -> str:
        window = self.utterances[max(0, first) : last + 1]
        return "\n".join(each.folded for each in window if each.segment is utterance.segment)


def _utterances(meeting: StoredMeeting) -> Iterator[Utterance]:
    record = meeting.record
    names = frozenset((*record.attendees, *record.speakers))
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
                    outcomes=_outcomes(record, said, start, end),
                )
                place += 1


def _outcomes(record: MeetingRecord, said: Said, start: int, end: int) -> frozenset[OutcomeKind]:
    return frozenset(
        each.kind
        for each in record.outcomes
        if each.paragraph == said.number and start < said.start + each.end and said.start + each.start < end
    )


def _head(record: MeetingRecord, segment: Segment) -> str:
    described = segment.described
    return fold(" ".join((record.title, described.topic, *described.keywords, *described.synonyms)))
