"""The best cut of a whole record: a global optimum over all segmentations, by dynamic programming."""

from dataclasses import dataclass

import numpy as np

from ingestion.minutes.cues import Vector

LONGEST = 1000  # units of a segment; what is longer is cut wherever that costs least
STRENGTH = 0.5  # of the length prior against the gaps; of 0, .25, .5 and 1 the best over all three styles


@dataclass(frozen=True, slots=True)
class LengthPrior:
    """Lengths of segments are log-normal: mean and deviation of ln(units)."""

    mean: float
    deviation: float

    def scores(self, longest: int) -> Vector:
        """For the lengths 1 to `longest`, at most 0."""
        away = (np.log(np.arange(1, longest + 1)) - self.mean) / self.deviation
        return -STRENGTH / 2 * away**2


def best_cuts(gains: Vector, prior: LengthPrior) -> list[int]:
    """Which gaps to cut, ascending. Gap i lies before unit i + 1; `gains[i]` is what cutting it brings.

    Maximises the gains of the cuts plus the prior's score of every segment between them. A gain of minus
    infinity is never cut. Quadratic in the number of units up to LONGEST, then linear.
    """
    size = len(gains) + 1
    longest = min(size, LONGEST)
    lengths = prior.scores(longest)[::-1]
    opened = np.concatenate([[0.0], gains])  # what a segment that begins at a unit has to build on
    begins = np.zeros(size + 1, dtype=np.int64)
    for end in range(1, size + 1):
        start = max(0, end - longest)
        totals = opened[start:end] + lengths[longest - (end - start) :]
        choice = int(np.argmax(totals))
        begins[end] = start + choice
        if end < size:
            opened[end] += totals[choice]
    return _cuts_back_from(size, begins.tolist())


def _cuts_back_from(end: int, begins: list[int]) -> list[int]:
    cuts: list[int] = []
    while (end := begins[end]) > 0:
        cuts.append(end - 1)
    return cuts[::-1]
