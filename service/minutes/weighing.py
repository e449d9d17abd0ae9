"""Which utterance answers best, and whether it answers at all.

The first is a linear model over `evidence`. The second compares the best utterance with those of labelled
questions, near ones counting most (kernel logistic regression): what tells an answer from words on the same
matter is seldom one number, but how a few of them stand together. Both are fitted by
`service.evaluation.minutes_fit`; the weights are data. `answers` says yes from 0 on.
"""

import csv
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from service.errors import Unavailable
from service.minutes.evidence import NAMES, Features

RANK_FILE, ANSWER_FILE = "asking.csv", "answering.csv"
MEAN, SPREAD, BIAS = "mean", "spread", "bias"  # rows of the answer file that are no example
_MOST = "own near wide pairs_own pairs_near soft_own soft_near like_own like_near vector"
MOST = tuple(_MOST.split())
LEAST = ("missing_near", "lacking_near", "far_near")
RANK_NAMES = NAMES
ANSWER_NAMES = (
    *NAMES,
    "rank_logit",
    *(f"most_{name}" for name in MOST),
    *(f"least_{name}" for name in LEAST),
)
FOREIGN, HALF_SAID = 0.7, 0.5  # cost 3 in a thousand of the answerable labelled questions
FURTHEST = 4.0  # spreads from the mean; what lies beyond says no more

Vector = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Scale:
    """Standardises features; arrays in the order of their names."""

    mean: Vector
    spread: Vector

    def __call__(self, rows: Vector) -> Vector:
        scaled: Vector = np.clip((rows - self.mean) / self.spread, -FURTHEST, FURTHEST)
        return scaled


@dataclass(frozen=True, slots=True)
class Linear:
    """logit = bias + sum(weight * standardised feature)."""

    scale: Scale
    weights: Vector

    def logits(self, rows: Vector) -> Vector:
        """Shape (n, features) to (n,)."""
        found: Vector = self.scale(rows) @ self.weights
        return found


@dataclass(frozen=True, slots=True)
class Nearness:
    """logit = bias + sum over examples of weight * exp(-|row - example|^2 / features); `examples` are
    standardised, shape (m, features), `weights` (m,).
    """

    scale: Scale
    examples: Vector
    weights: Vector
    bias: float

    def logits(self, rows: Vector) -> Vector:
        """Shape (n, features) to (n,)."""
        found: Vector = nearness(self.scale(rows), self.examples) @ self.weights + self.bias
        return found


def nearness(rows: Vector, examples: Vector) -> Vector:
    """The kernel: shapes (n, f) and (m, f) to (n, m), values in 0..1."""
    squares = (rows**2).sum(axis=1)[:, np.newaxis] + (examples**2).sum(axis=1) - 2 * rows @ examples.T
    found: Vector = np.exp(-np.maximum(squares, 0.0) / rows.shape[1])
    return found


@dataclass(frozen=True, slots=True)
class AskingModel:
    rank: Linear
    answer: Nearness

    def order(self, found: Sequence[Features]) -> Vector:
        """How well each utterance answers, by itself; shape (n,). Only their order and distance count."""
        return self.rank.logits(rank_rows(found))

    def answers(self, found: Sequence[Features], order: Vector) -> float:
        """Whether the best of them answers: the logit; minus infinity where most of what is asked for stands
        nowhere in the archive, and little of the rest here. No labelled question is about another world.
        """
        best = found[int(order.argmax())]
        if best["unknown"] > FOREIGN and best["soft_near"] < HALF_SAID:
            return -np.inf
        return float(self.answer.logits(answer_row(found, order)[np.newaxis])[0])


def rank_rows(found: Sequence[Features]) -> Vector:
    return np.array([[each[name] for name in RANK_NAMES] for each in found], dtype=np.float64)


def answer_row(found: Sequence[Features], order: Vector) -> Vector:
    """The best utterance's features, its logit, and the extremes over all of them."""
    best = int(order.argmax())
    most = [max(each[name] for each in found) for name in MOST]
    least = [min(each[name] for each in found) for name in LEAST]
    return np.array([*rank_rows([found[best]])[0], order[best], *most, *least], dtype=np.float64)


def load_asking(folder: Path) -> AskingModel:
    """Raises Unavailable for a file that is not there or damaged."""
    try:
        return AskingModel(_read_rank(folder / RANK_FILE), _read_answer(folder / ANSWER_FILE))
    except (OSError, ValueError, KeyError, TypeError, csv.Error) as error:
        raise Unavailable(f"会议问答的权重 {folder} 无法读取：{error}") from error


def _read_rank(path: Path) -> Linear:
    rows = {row["feature"]: row for row in _rows(path)}
    mean, spread, weights = (
        np.array([_number(rows[name][column]) for name in RANK_NAMES]) for column in (MEAN, SPREAD, "weight")
    )
    return Linear(_scale(mean, spread), weights)


def _read_answer(path: Path) -> Nearness:
    rows = _rows(path)
    named = {row["weight"]: row for row in rows if row["weight"] in (MEAN, SPREAD, BIAS)}
    examples = [row for row in rows if row["weight"] not in named]
    if not examples:
        raise ValueError(f"{path.name} has no examples")
    return Nearness(
        scale=_scale(_values(named[MEAN]), _values(named[SPREAD])),
        examples=np.array([_values(row) for row in examples]),
        weights=np.array([_number(row["weight"]) for row in examples]),
        bias=_number(named[BIAS][ANSWER_NAMES[0]]),
    )


def _scale(mean: Vector, spread: Vector) -> Scale:
    if not (spread > 0).all():
        raise ValueError("a spread is not positive")
    return Scale(mean, spread)


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _values(row: Mapping[str, str]) -> Vector:
    return np.array([_number(row[name]) for name in ANSWER_NAMES])


def _number(written: str) -> float:
    """`nan` and `inf` are numbers to `float`; to whoever adds them up they are damage."""
    number = float(written)
    if not math.isfinite(number):
        raise ValueError(f"{written} is no weight")
    return number
