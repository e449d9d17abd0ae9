"""Segmentation data as the fit sees it: a table of gaps for each record, and where its topics begin."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ingestion.minutes.cues import Columns, Cue, Vector
from ingestion.minutes.cutting import LengthPrior, best_cuts
from ingestion.minutes.detector import uncut
from ingestion.minutes.features import gap_columns, gap_words, gaps_of
from ingestion.minutes.units import Style, style_of, units_of
from ingestion.segmenter import Segmenter
from service.evaluation.segmentation import SegmentationRow
from service.evaluation.segmentation_metrics import Cutting


@dataclass(frozen=True, slots=True)
class Sample:
    """A record of two units and more. `labels`: 1 for gaps before a topic; `uncut`: 1 for those never cut."""

    source: str  # of which file
    row: SegmentationRow
    style: Style
    starts: tuple[int, ...]  # paragraph number of each unit
    columns: Columns
    words: tuple[frozenset[str], ...]
    labels: Vector
    uncut: Vector

    @property
    def topic_lengths(self) -> Vector:
        """In units."""
        ends = np.flatnonzero(self.labels) + 1
        return np.diff(np.concatenate([[0], ends, [len(self.starts)]])).astype(np.float64)

    def cut(self, gains: Vector, length: LengthPrior) -> Cutting:
        """What a detector with these gains would cut."""
        cuts = best_cuts(np.where(self.uncut, -np.inf, gains), length)
        said = frozenset(self.starts[gap + 1] for gap in cuts)
        return Cutting(len(self.row.paragraphs), self.row.gold, said)


def samples_of(
    source: str, rows: Sequence[SegmentationRow], cues: Sequence[Cue], segmenter: Segmenter
) -> list[Sample]:
    """Records of a single unit teach nothing and are left out."""
    samples = []
    for row in rows:
        units = units_of(row.as_paragraphs())
        if len(units) > 1:
            samples.append(
                Sample(
                    source,
                    row,
                    style_of(units),
                    tuple(unit.start for unit in units),
                    gap_columns(units, cues, segmenter),
                    tuple(frozenset(near) for near in gap_words(gaps_of(units), segmenter)),
                    np.array([unit.start in row.gold for unit in units[1:]], dtype=np.float64),
                    uncut(units),
                )
            )
    return samples
