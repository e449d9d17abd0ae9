"""Which utterance answers best, and whether it answers at all: two small linear models over `evidence`.

Fitted by `service.evaluation.minutes_fit` to labelled questions; the weights are data. Their logits are told
as they are: `answers` says yes from 0 on.
"""

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from service.errors import Unavailable
from service.minutes.evidence import NAMES, Features

HEAD = ("model", "feature", "mean", "spread", "weight")
BIAS = "bias"
MOST = ("own", "near", "wide", "pairs_own", "pairs_near", "like_own", "like_near", "vector")
LEAST = ("missing_near", "lacking_near")

Vector = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Linear:
    """logit = bias + sum(weight * (value - mean) / spread); arrays in the order of `names`."""

    names: tuple[str, ...]
    mean: Vector
    spread: Vector
    weights: Vector
    bias: float = 0.0

    def logits(self, rows: Vector) -> Vector:
        """Shape (n, features) to (n,)."""
        found: Vector = (rows - self.mean) / self.spread @ self.weights + self.bias
        return found


RANK_NAMES = NAMES
ANSWER_NAMES = (
    *NAMES,
    "rank_logit",
    *(f"most_{name}" for name in MOST),
    *(f"least_{name}" for name in LEAST),
)


@dataclass(frozen=True, slots=True)
class AskingModel:
    rank: Linear
    answer: Linear

    def order(self, found: Sequence[Features]) -> Vector:
        """How well each utterance answers, by itself; shape (n,). Only their order and distance count."""
        return self.rank.logits(rank_rows(found))

    def answers(self, found: Sequence[Features], order: Vector) -> float:
        """Whether the best of them answers: the logit."""
        return float(self.answer.logits(answer_row(found, order)[np.newaxis])[0])


def rank_rows(found: Sequence[Features]) -> Vector:
    return np.array([[each[name] for name in RANK_NAMES] for each in found], dtype=np.float64)


def answer_row(found: Sequence[Features], order: Vector) -> Vector:
    """The best utterance's features, its logit, and the extremes over all of them."""
    best = int(order.argmax())
    most = [max(each[name] for each in found) for name in MOST]
    least = [min(each[name] for each in found) for name in LEAST]
    return np.array([*rank_rows([found[best]])[0], order[best], *most, *least], dtype=np.float64)


def load_asking(path: Path) -> AskingModel:
    """Raises Unavailable for a file that is not there or damaged."""
    try:
        with path.open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        return AskingModel(_linear(rows, "rank", RANK_NAMES), _linear(rows, "answer", ANSWER_NAMES))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise Unavailable(f"会议问答的权重 {path.name} 无法读取：{error}") from error


def _linear(rows: Sequence[Mapping[str, str]], model: str, names: tuple[str, ...]) -> Linear:
    """Raises KeyError for a feature that has no row, ValueError for what is no number."""
    known = {row["feature"]: row for row in rows if row["model"] == model}
    mean, spread, weights = (
        np.array([float(known[name][column]) for name in names]) for column in ("mean", "spread", "weight")
    )
    return Linear(names, mean, spread, weights, float(known[BIAS]["weight"]))
