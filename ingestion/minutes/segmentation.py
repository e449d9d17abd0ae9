"""A transcript cut into topics: segments, the two completeness locks, the review, and how it came about."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from ingestion.minutes.transcript import Paragraph, Transcript

OFFLINE = "offline"


@dataclass(frozen=True, slots=True)
class Described:
    """What a segment is about. All empty when nobody could say: then `flagged` is set."""

    topic: str = ""  # at most 15 characters
    keywords: tuple[str, ...] = ()  # 3 to 5
    synonyms: tuple[str, ...] = ()  # 2 to 4; offline none are made up
    flagged: bool = False


@dataclass(frozen=True, slots=True)
class Segment:
    """Paragraphs `start` to `end`, both included, by their numbers."""

    index: int  # from 1
    start: int
    end: int
    described: Described


@dataclass(frozen=True, slots=True)
class Completeness:
    """Passed when the segments' paragraphs are the transcript's, in order and multiplicity, and no character
    differs.
    """

    passed: bool
    total_paragraphs: int
    missing_count: int
    original_chars: int
    covered_chars: int
    char_diff: int


class ReviewState(StrEnum):
    PASSED = "passed"
    FAILED = "failed"  # with issues
    NOT_REVIEWED = "not_reviewed"  # no model, or an invalid, failed or contradictory answer
    SKIPPED = "skipped"  # the settings say so


@dataclass(frozen=True, slots=True)
class Issue:
    """What a reviewer objects to, at paragraphs `start` to `end`."""

    segment: int
    start: int
    end: int
    issue: str


@dataclass(frozen=True, slots=True)
class Review:
    state: ReviewState
    issues: tuple[Issue, ...] = ()
    suggestion: str = ""


@dataclass(frozen=True, slots=True)
class Segmentation:
    """`engine`: a model's name, `offline`, or both joined by + where the detector took some batches.

    `kept_round` is the round of the `rounds` that this is: not the last where a later one had more issues.
    """

    transcript: Transcript
    segments: tuple[Segment, ...]
    completeness: Completeness
    review: Review
    rounds: int
    kept_round: int
    engine: str
    run_log: tuple[str, ...]


class BoundaryDetector(Protocol):
    """Cuts without a model."""

    def starts(self, paragraphs: Sequence[Paragraph]) -> list[int]:
        """Numbers of the paragraphs that begin a topic, ascending, the first paragraph's among them; empty
        for no paragraphs.
        """
        ...
