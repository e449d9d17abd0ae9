"""Confidence 置信度: the probability that a passage contains the answer, mapped so that 0.55 separates.

A logistic model over both legs, the signals of the text, and the candidate's lead over its background (the
candidates ranked 4 to 10, which hardly ever hold the answer). Each piece of evidence is also multiplied with
facts about the question and passage (how many words, how rare, what is asked, how long) and with both legs,
since a lay question against a long official text reaches lower scores than a fact question. Inputs are
clipped to the range that calibration saw, so an unusual corpus cannot push the result beyond it. Fitted by
`service.evaluation.calibrate`.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from service.retrieval.fusion import Legs
from service.retrieval.probe import Probe
from service.retrieval.signals import Signals

Matrix = NDArray[np.float64]

THRESHOLD = 0.55
NAMED, QUOTED = 0.9, 0.8  # least confidence of what is asked for by its number, or by its very words
_VERBATIM = 0.85  # share of a quotation's character pairs that makes it the same text
_BACKGROUND = slice(3, 10)  # ranks 4 to 10

KEYWORD_EVIDENCE = ("keyword", "keyword_lead", "keyword_next", "keyword_behind")
VECTOR_EVIDENCE = ("vector", "vector_lead", "vector_next", "vector_behind", "vector_rank")
TEXT_EVIDENCE = (
    "coverage",
    "rare",
    "pairs",
    "sentence",
    "neighbours",
    "title",
    "exact",
    "quoted",
    "missing",
    "specific",
    "lacking",
    "order_lead",
)
CONTEXT = ("words", "rarity", "rarest", "unknown", "procedure", "fact", "length")
LEGS = ("keyword", "vector")
NAMES = KEYWORD_EVIDENCE + VECTOR_EVIDENCE + TEXT_EVIDENCE + CONTEXT


@dataclass(frozen=True, slots=True)
class Scored:
    """A candidate with everything known about it; `order` is `fusion`'s score."""

    legs: Legs
    signals: Signals
    order: float


def evidence_matrix(probe: Probe, ranked: Sequence[Scored]) -> Matrix:
    """One row per candidate (best first), columns as in `NAMES`."""
    keyword = np.array([c.legs.keyword for c in ranked], dtype=np.float64)
    vector = np.array([c.legs.vector for c in ranked], dtype=np.float64)
    order = np.array([c.order for c in ranked], dtype=np.float64)
    text = [[getattr(c.signals, name) for name in TEXT_EVIDENCE[:-1]] for c in ranked]
    count = len(ranked)
    context = np.array([_words(probe), *(float(getattr(probe, name)) for name in CONTEXT[1:-1])])
    columns = [
        keyword, _lead(keyword), _next(keyword), keyword.max(initial=0.0) - keyword,
        vector, _lead(vector), _next(vector), vector.max(initial=0.0) - vector, _inverse_rank(vector),
    ]  # fmt: skip
    return np.column_stack(
        [
            *columns,
            np.array(text, dtype=np.float64).reshape(count, len(TEXT_EVIDENCE) - 1),
            _lead(order),
            np.tile(context, (count, 1)),
            np.log1p([c.signals.length for c in ranked]),
        ]
    )


def least(probe: Probe, signals: Signals) -> float:
    """A floor that no calibration data can give: an article of a named document, a document number, a code.

    Such a question often shares no other word with the text, and needs none.
    """
    if signals.exact == 1.0 and (
        signals.title == 1.0 or not all(name.startswith("第") for name in probe.exact)
    ):
        return NAMED
    return QUOTED if signals.quoted >= _VERBATIM else 0.0


def _words(probe: Probe) -> float:
    return float(np.log1p(len(probe.words)))


def _lead(scores: Matrix) -> Matrix:
    """Over the mean of ranks 4 to 10; over zero when there are not so many candidates."""
    background = scores[_BACKGROUND]
    return scores - (background.mean() if background.size else 0.0)


def _next(scores: Matrix) -> Matrix:
    """Over the candidate ranked next; the last one over itself."""
    return scores - np.append(scores[1:], scores[-1:])


def _inverse_rank(scores: Matrix) -> Matrix:
    higher = (scores[None, :] > scores[:, None]).sum(axis=1)
    return np.asarray(1.0 / (1.0 + higher), dtype=np.float64)


@dataclass(frozen=True)
class ConfidenceModel:
    """`names` and `context` are the columns used, `low` and `high` the range of each of them (in that order);
    `centre`, `scale` and `weights` stand over the columns of `expand`."""

    names: tuple[str, ...]
    context: tuple[str, ...]
    low: Matrix
    high: Matrix
    centre: Matrix
    scale: Matrix
    weights: Matrix
    bias: float

    def score(self, evidence: Matrix) -> Matrix:
        """Confidence in 0..1 of each row of `evidence_matrix`; 0.55 separates."""
        return to_confidence(self.design(evidence) @ self.weights + self.bias)

    def design(self, evidence: Matrix) -> Matrix:
        used = np.clip(columns_of(evidence, (*self.names, *self.context)), self.low, self.high)
        return (expand(self.names, used) - self.centre) / self.scale


def columns_of(evidence: Matrix, names: Sequence[str]) -> Matrix:
    return evidence[:, [NAMES.index(name) for name in names]]


def expand(names: Sequence[str], used: Matrix) -> Matrix:
    """Evidence (`names`) and context as given, then the evidence times each of the context and the legs."""
    evidence = used[:, : len(names)]
    legs = [i for i, name in enumerate(names) if name in LEGS]
    factors = [*range(len(names), used.shape[1]), *legs]
    return np.concatenate([used, *(evidence * used[:, [i]] for i in factors)], axis=1)


_SHIFT = float(np.log(THRESHOLD / (1 - THRESHOLD)))


def to_confidence(logit: Matrix) -> Matrix:
    """A logistic curve that passes 0.55 at logit 0, where the calibration put the boundary."""
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(logit + _SHIFT, -30, 30))), dtype=np.float64)
