"""Figures of a segmentation. Boundaries are the numbers of paragraphs that begin a topic, except 1."""

from collections.abc import Sequence, Set
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

NARROWEST = 2  # paragraphs; with 1 the window measures would only count wrong gaps


@dataclass(frozen=True, slots=True)
class Cutting:
    """A record of `size` paragraphs, where its topics begin and where someone says they do."""

    size: int
    gold: Set[int]
    said: Set[int]

    @property
    def window(self) -> int:
        """k: half the mean gold segment, rounded half up, at least NARROWEST, and within the record."""
        half = int(self.size / (len(self.gold) + 1) / 2 + 0.5)
        return min(max(NARROWEST, half), self.size - 1)


@dataclass(frozen=True, slots=True)
class Figures:
    """`pk` and `window_diff` are means over the records with two and more paragraphs; `boundary_f1` is over
    all boundaries together, since a record without any has none.
    """

    pk: float
    window_diff: float
    boundary_f1: float


def figures_of(cuttings: Sequence[Cutting]) -> Figures:
    cut = [cutting for cutting in cuttings if cutting.size > 1]
    windows = _mean([window_diff(each) for each in cut])
    return Figures(_mean([pk(each) for each in cut]), windows, boundary_f1(cut))


def pk(cutting: Cutting) -> float:
    """Beeferman et al. 1999: how often two paragraphs k apart are wrongly said to be of one topic or two."""
    gold, said = _between(cutting, cutting.gold), _between(cutting, cutting.said)
    return float(np.mean((gold > 0) != (said > 0)))


def window_diff(cutting: Cutting) -> float:
    """Pevzner and Hearst 2002: how often the number of boundaries between two paragraphs k apart is wrong."""
    return float(np.mean(_between(cutting, cutting.gold) != _between(cutting, cutting.said)))


def boundary_f1(cuttings: Sequence[Cutting]) -> float:
    """Of boundaries at exactly the right paragraph; 1 when there are none and none are said."""
    right = sum(len(cutting.gold & cutting.said) for cutting in cuttings)
    named = sum(len(cutting.gold) + len(cutting.said) for cutting in cuttings)
    return 2 * right / named if named else 1.0


def _between(cutting: Cutting, boundaries: Set[int]) -> NDArray[np.int64]:
    """For each paragraph, the boundaries between it and the one k further on."""
    begun = np.zeros(cutting.size, dtype=np.int64)
    for number in boundaries:
        begun[number - 1] = 1
    upto = np.cumsum(begun)
    return upto[cutting.window :] - upto[: -cutting.window]


def _mean(values: Sequence[float]) -> float:
    return float(np.mean(values)) if values else 0.0
