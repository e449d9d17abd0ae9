"""A segmentation as the command line and the API print it."""

from datetime import date

from pydantic import BaseModel, ConfigDict

from ingestion.minutes.segmentation import Segment, Segmentation
from ingestion.minutes.transcript import Paragraph


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
    completeness: CompletenessOut
    raw_chars: int
    dropped: tuple[DroppedOut, ...]
    review: ReviewOut
    rounds: int
    kept_round: int
    engine: str
    findings: tuple[str, ...]


def shown(found: Segmentation, findings: tuple[str, ...] = ()) -> SegmentationOut:
    """`findings`: what reading the file had to remark."""
    transcript = found.transcript
    return SegmentationOut(
        meeting=MeetingOut(title=transcript.title, date=transcript.day, attendees=transcript.attendees),
        segments=tuple(_segment(segment, transcript.paragraphs) for segment in found.segments),
        completeness=CompletenessOut.model_validate(found.completeness),
        raw_chars=transcript.raw_chars,
        dropped=tuple(
            DroppedOut(kind=kind, count=count) for kind, count in transcript.drops.items() if count
        ),
        review=ReviewOut.model_validate(found.review),
        rounds=found.rounds,
        kept_round=found.kept_round,
        engine=found.engine,
        findings=findings,
    )


def _segment(segment: Segment, paragraphs: tuple[Paragraph, ...]) -> SegmentOut:
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
            ParagraphOut(n=each.number, speaker=each.speaker, time=each.time, text=each.text)
            for each in paragraphs[segment.start - 1 : segment.end]
        ),
    )
