"""Fusion 融合: the order of candidates. What the order is worth, in 0..1, is `confidence`'s business.

    order = keyword * K + vector * (1 - K of the best) * V + text * S + title * T + exact * E + quoted * Q

K and V are the legs' absolute scores. A question whose words are found needs the vectors less, so their
weight falls as the best keyword score of the question rises (`adaptive`); with fixed weights either a fact
question loses to its keyword leg or a lay question to its vectors. S is the best two
sentences' share of character pairs; it, T, E and Q (see `signals`) settle close calls.
No score is ever divided by the best of its own question: that would make every nonsense question score 1.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from service.retrieval.signals import Signals


@dataclass(frozen=True, slots=True)
class OrderWeights:
    """Calibrated per embedding, see `calibration`. Only their ratios matter."""

    keyword: float
    vector: float
    text: float = 0.0
    title: float = 0.0
    exact: float = 0.0
    quoted: float = 0.0
    adaptive: bool = False

    @property
    def total(self) -> float:
        return self.keyword + self.vector + self.text + self.title + self.exact + self.quoted


    def with_legs(self, keyword: float, vector: float) -> "OrderWeights":
        """The legs' part shared out in this ratio; what the text says keeps its own part."""
        part = (self.keyword + self.vector) / (keyword + vector)
        return replace(self, keyword=keyword * part, vector=vector * part)


@dataclass(frozen=True, slots=True)
class Legs:
    """One candidate's scores: `keyword` in 0..1 (see `KeywordEncoder.absolute`), `vector` a cosine."""

    keyword: float = 0.0
    vector: float = 0.0


def fuse(
    weights: OrderWeights, legs: Sequence[Legs], signals: Sequence[Signals] | None = None
) -> list[float]:
    """Order scores of the candidates of one question, 0..1. Without signals only the legs count."""
    best = max((candidate.keyword for candidate in legs), default=0.0)
    trust = 1.0 - best if weights.adaptive else 1.0
    scores = []
    for position, candidate in enumerate(legs):
        score = weights.keyword * candidate.keyword + weights.vector * trust * max(candidate.vector, 0.0)
        if signals is not None:
            score += _from_text(weights, signals[position])
        scores.append(score / weights.total if weights.total > 0 else 0.0)
    return scores


def _from_text(weights: OrderWeights, found: Signals) -> float:
    return (
        weights.text * found.neighbours
        + weights.title * found.title
        + weights.exact * found.exact
        + weights.quoted * found.quoted
    )
