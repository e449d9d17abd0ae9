"""`zhixing eval segmentation`: where a detector begins topics, beside three cuts that look at no word."""

from collections.abc import Callable, Sequence
from dataclasses import asdict
from time import perf_counter
from typing import Self

from pydantic import Field, JsonValue, model_validator

from ingestion.minutes.agent import RunLog
from ingestion.minutes.grouping import GroupingAgent
from ingestion.minutes.segmentation import BoundaryDetector
from ingestion.minutes.transcript import Paragraph
from service.evaluation.rows import Row
from service.evaluation.segmentation_metrics import Cutting, Figures, figures_of

Cut = Callable[["SegmentationRow"], frozenset[int]]
_DIGITS = 4


class ParagraphRow(Row):
    text: str
    speaker: str | None = None


class SegmentationRow(Row):
    """`boundaries`: 1-based numbers of paragraphs where a topic begins; the first one may be left out."""

    meeting_id: str = ""
    paragraphs: tuple[ParagraphRow, ...] = Field(min_length=1)
    boundaries: tuple[int, ...]

    @model_validator(mode="after")
    def _boundaries_are_paragraphs(self) -> Self:
        foreign = [number for number in self.boundaries if not 1 <= number <= len(self.paragraphs)]
        if foreign:
            raise ValueError(f"boundaries 里的 {foreign[0]} 不是段落编号（1 到 {len(self.paragraphs)}）")
        return self

    @property
    def gold(self) -> frozenset[int]:
        return frozenset(self.boundaries) - {1}

    def as_paragraphs(self) -> list[Paragraph]:
        return [
            Paragraph(number, row.text, row.speaker or "") for number, row in enumerate(self.paragraphs, 1)
        ]


def evaluate_segmentation(
    rows: Sequence[SegmentationRow], detector: BoundaryDetector
) -> dict[str, JsonValue]:
    """`even` knows how many topics there are and makes them equally long. `completeness` is the share of
    paragraphs that the groups of the detector's starts give back in their place.
    """
    seconds, kept = 0.0, 0
    starts: dict[int, frozenset[int]] = {}
    for at, row in enumerate(rows):
        paragraphs = row.as_paragraphs()
        began = perf_counter()
        found = detector.starts(paragraphs)
        seconds += perf_counter() - began
        kept += _kept(paragraphs, found)
        starts[at] = frozenset(found) - {1}
    detected = [Cutting(len(row.paragraphs), row.gold, starts[at]) for at, row in enumerate(rows)]
    chars = sum(len(paragraph.text) for row in rows for paragraph in row.paragraphs)
    total = sum(len(row.paragraphs) for row in rows)
    return {
        "detector": shown(figures_of(detected)),
        **{name: shown(figures_of(cuttings(rows, cut))) for name, cut in BASELINES.items()},
        "completeness": kept / total if total else 1.0,
        "seconds_per_10k_chars": round(seconds / chars * 10_000, 6) if chars else None,
        "chars_per_second": round(chars / seconds) if seconds else None,
        "segments_per_10k_chars": _density(rows, starts),
        "meetings": len(rows),
        "characters": chars,
    }


def cuttings(rows: Sequence[SegmentationRow], cut: Cut) -> list[Cutting]:
    return [Cutting(len(row.paragraphs), row.gold, cut(row)) for row in rows]


def shown(figures: Figures) -> dict[str, JsonValue]:
    return {name: round(value, _DIGITS) for name, value in asdict(figures).items()}


def _none(_: SegmentationRow) -> frozenset[int]:
    return frozenset()


def _every(row: SegmentationRow) -> frozenset[int]:
    return frozenset(range(2, len(row.paragraphs) + 1))


def _even(row: SegmentationRow) -> frozenset[int]:
    size, topics = len(row.paragraphs), len(row.gold) + 1
    return frozenset(1 + round(size * at / topics) for at in range(1, topics)) - {1}


BASELINES: dict[str, Cut] = {"none": _none, "every": _every, "even": _even}


def _kept(paragraphs: Sequence[Paragraph], starts: Sequence[int]) -> int:
    groups = GroupingAgent(RunLog()).run(paragraphs, starts)
    back = [paragraph for group in groups for paragraph in group]
    return sum(one == other for one, other in zip(paragraphs, back, strict=False))


def _density(rows: Sequence[SegmentationRow], starts: dict[int, frozenset[int]]) -> JsonValue:
    """Over the meetings: one segment for everything would pass the locks and still be of no use."""
    lengths = [sum(len(paragraph.text) for paragraph in row.paragraphs) for row in rows]
    found = sorted(
        (len(starts[at]) + 1) / length * 10_000 for at, length in enumerate(lengths) if length
    )
    if not found:
        return None
    return {name: round(found[int(at * (len(found) - 1))], 2) for name, at in _QUANTILES.items()}


_QUANTILES = {"min": 0.0, "median": 0.5, "max": 1.0}
