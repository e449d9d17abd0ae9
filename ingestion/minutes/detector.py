"""Where topics begin, without a model: a small linear model over the gaps, then the best cut of the whole.

`units` says what lies between two gaps and of what style the record is, `features` what is looked at,
`weights` how much each counts, `cutting` how the cuts are chosen together.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from ingestion.errors import IngestionError
from ingestion.minutes.cues import Cue, Vector, read_cues
from ingestion.minutes.cutting import best_cuts
from ingestion.minutes.features import gap_columns, gap_words, gaps_of
from ingestion.minutes.transcript import Paragraph
from ingestion.minutes.turns import same_speaker
from ingestion.minutes.units import Style, Unit, style_of, units_of
from ingestion.minutes.weights import Weights, read_weights
from ingestion.segmenter import Segmenter

CUES, WEIGHTS = "cues.csv", "weights.csv"
LONG_TURN = 500  # characters; a shorter uninterrupted turn is never cut
_PROBE = (Unit(1, "甲", "一"), Unit(2, "乙", "二"))  # any units have all columns


class DetectorDamaged(IngestionError):
    """Its data files are missing, or not of their form."""

    code = "detector_damaged"


class OfflineDetector:
    """The `BoundaryDetector` of the offline engine. Thread-safe; the same paragraphs give the same starts."""

    def __init__(
        self, weights: Mapping[Style, Weights], cues: Sequence[Cue], segmenter: Segmenter
    ) -> None:
        self._weights = weights
        self._cues = cues
        self._segmenter = segmenter

    def starts(self, paragraphs: Sequence[Paragraph]) -> list[int]:
        """Numbers of the paragraphs that begin a topic, ascending, the first paragraph's among them."""
        units = units_of(paragraphs)
        if not units:
            return []
        weights = self._weights[style_of(units)]
        cuts = best_cuts(self._gains(units, weights), weights.length) if len(units) > 1 else []
        return [units[0].start, *(units[gap + 1].start for gap in cuts)]

    def _gains(self, units: Sequence[Unit], weights: Weights) -> Vector:
        columns = gap_columns(units, self._cues, self._segmenter)
        gains = weights.gains(columns, gap_words(gaps_of(units), self._segmenter))
        return np.where(uncut(units), -np.inf, gains)


def uncut(units: Sequence[Unit]) -> Vector:
    """1 for the gaps inside one speaker's uninterrupted turn, unless it is long."""
    inside = same_speaker(units)
    turn_chars = np.zeros(len(units))
    start = 0
    for i in range(1, len(units) + 1):
        if i == len(units) or not inside[i - 1]:
            turn_chars[start:i] = sum(len(unit.text) for unit in units[start:i])
            start = i
    return inside * (turn_chars[1:] < LONG_TURN)


def load_detector(folder: Path, segmenter: Segmenter) -> OfflineDetector:
    """From `cues.csv` and `weights.csv` in `folder`. Raises DetectorDamaged naming the file and the line."""
    try:
        cues = read_cues(folder / CUES)
    except (OSError, ValueError) as error:
        raise DetectorDamaged(f"议题检测的数据 {CUES} 无法读取：{error}") from error
    known = gap_columns(_PROBE, cues, segmenter).keys()
    try:
        weights = read_weights(folder / WEIGHTS)
        for style, each in weights.items():
            if unknown := each.columns.keys() ^ known:
                raise ValueError(f"{style} 一列多出或缺少 {'、'.join(sorted(unknown))}")
    except (OSError, ValueError) as error:
        raise DetectorDamaged(f"议题检测的数据 {WEIGHTS} 无法读取：{error}") from error
    return OfflineDetector(weights, cues, segmenter)
