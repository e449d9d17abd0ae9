"""A meeting as the command line, the API and the file in the home print it."""

from collections.abc import Sequence
from datetime import date

from pydantic import BaseModel, ConfigDict

from ingestion.minutes.outcome import Outcome
from ingestion.minutes.segmentation import Segment
from service.store.meetings import MeetingRecord, Said


class _Shown(BaseModel):
    model_config = ConfigDict(frozen=True, from_attributes=True)


class MeetingOut(_Shown):
    title: str
    date: date | None
    attendees: tuple[str, ...]


class ParagraphOut(_Shown):
    n: int
    speaker: str
    time: str
    text: str


class SegmentOut(_Shown):
    """`flagged`: nobody could say what it is about."""

    index: int
    start: int
    end: int
    topic: str
    keywords: tuple[str, ...]
    synonyms: tuple[str, ...]
    flagged: bool
    paragraphs: tuple[ParagraphOut, ...]


class OutcomeOut(_Shown):
    """`kind` is decision or action; `text` stands so in paragraph number `paragraph`."""

    kind: str
    text: str
    speaker: str
    owner: str
    due: str
    due_day: date | None
    paragraph: int


class CompletenessOut(_Shown):
    passed: bool
    total_paragraphs: int
    missing_count: int
    original_chars: int
    covered_chars: int
    char_diff: int


class DroppedOut(_Shown):
    kind: str
    count: int


class IssueOut(_Shown):
    segment: int
    start: int
    end: int
    issue: str


class ReviewOut(_Shown):
    state: str
    issues: tuple[IssueOut, ...]
    suggestion: str


class SegmentationOut(_Shown):
    """`dropped`: characters of the raw text in no paragraph, by kind; with the paragraphs they make up
    `raw_chars`. `kept_round` is the one of the `rounds` whose segments these are.
    """

    meeting: MeetingOut
    segments: tuple[SegmentOut, ...]
    outcomes: tuple[OutcomeOut, ...]
    completeness: CompletenessOut
    segments_per_10k_chars: float
    raw_chars: int
    dropped: tuple[DroppedOut, ...]
    review: ReviewOut
    rounds: int
    kept_round: int
    engine: str
    findings: tuple[str, ...]


def shown(record: MeetingRecord, text: str) -> SegmentationOut:
    """`text` is the canonical text that the record's places point into."""
    return SegmentationOut(
        meeting=MeetingOut(title=record.title, date=record.day, attendees=record.attendees),
        segments=tuple(_segment(segment, record.paragraphs, text) for segment in record.segments),
        outcomes=tuple(_outcome(outcome) for outcome in record.outcomes),
        completeness=CompletenessOut.model_validate(record.completeness),
        segments_per_10k_chars=record.segments_per_10k_chars,
        raw_chars=record.raw_chars,
        dropped=tuple(
            DroppedOut(kind=kind.value, count=count) for kind, count in record.drops.items() if count
        ),
        review=ReviewOut.model_validate(record.review),
        rounds=record.rounds,
        kept_round=record.kept_round,
        engine=record.engine,
        findings=record.findings,
    )


def _segment(segment: Segment, paragraphs: Sequence[Said], text: str) -> SegmentOut:
    described = segment.described
    return SegmentOut(
        index=segment.index,
        start=segment.start,
        end=segment.end,
        topic=described.topic,
        keywords=described.keywords,
        synonyms=described.synonyms,
        flagged=described.flagged,
        paragraphs=tuple(
            ParagraphOut(
                n=said.number, speaker=said.speaker, time=said.time, text=text[said.start : said.end]
            )
            for said in paragraphs[segment.start - 1 : segment.end]
        ),
    )


def _outcome(outcome: Outcome) -> OutcomeOut:
    return OutcomeOut(
        kind=outcome.kind.value,
        text=outcome.quote,
        speaker=outcome.speaker,
        owner=outcome.owner,
        due=outcome.due,
        due_day=outcome.due_day,
        paragraph=outcome.paragraph,
    )
