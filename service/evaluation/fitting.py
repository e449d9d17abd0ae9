"""Fitting the confidence model: logistic regression that holds false refusals equal between kinds of data.

    loss = sum over collections s of  u_s * [ mean over gold of -log p  +  mean over absent of -log(1 - p)
                                              + balance * 100 * (false_refusals_s - target)^2 ] + l2 * |w|^2

Without the last term the boundary would refuse hardly any fact question and a third of the lay questions;
with too much of it both kinds are told apart less well (balance 1 -> .3: at 8 % false refusals .914 -> .951
of the absent fact questions, .301 -> .312 of the lay ones). `false_refusals` is the share of answerable
questions whose best candidate falls below the boundary, made smooth by a logistic step of width `WIDTH`.
Minimised by Adam (Kingma and Ba 2015) with a falling step.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from service.retrieval.confidence import CONTEXT, ConfidenceModel, Matrix, columns_of, expand

WIDTH = 0.35  # logit
_RANGE = (0.005, 0.995)  # quantiles an input is clipped to


@dataclass(frozen=True)
class Examples:
    """Evidence rows of one collection: the best candidate of answerable questions, candidates that hold the
    answer, and the best candidate of questions whose answer was taken out."""

    best: Matrix
    gold: Matrix
    absent: Matrix


@dataclass(frozen=True, slots=True)
class FitOptions:
    target: float = 0.05  # share of answerable questions refused
    balance: float = 0.3
    l2: float = 1e-3
    steps: int = 1200
    rate: float = 0.05


def fit(
    examples: Mapping[str, Examples],
    shares: Mapping[str, float],
    names: Sequence[str],
    options: FitOptions = FitOptions(),
) -> ConfidenceModel:
    """A model over the evidence columns `names`; `shares` are the collections' weights."""
    rows = np.concatenate([part for e in examples.values() for part in (e.best, e.gold, e.absent)])
    used = columns_of(rows, (*names, *CONTEXT))
    low, high = np.quantile(used, _RANGE[0], axis=0), np.quantile(used, _RANGE[1], axis=0)
    design = expand(names, np.clip(used, low, high))
    spread = design.std(axis=0)
    scale = np.where(spread > 1e-9, spread, 1.0)
    centre = design.mean(axis=0)
    blank = ConfidenceModel(tuple(names), CONTEXT, low, high, centre, scale, np.zeros(0), 0.0)
    parts = [
        _Part(shares[name], *(_with_bias(blank.design(m)) for m in (e.best, e.gold, e.absent)))
        for name, e in examples.items()
    ]
    weights = _adam(parts, design.shape[1] + 1, options)
    return replace(blank, weights=weights[:-1], bias=float(weights[-1]))


@dataclass(frozen=True)
class _Part:
    share: float
    best: Matrix
    gold: Matrix
    absent: Matrix


def _with_bias(matrix: Matrix) -> Matrix:
    return np.column_stack([matrix, np.ones(len(matrix))])


def _sigmoid(values: Matrix) -> Matrix:
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(values, -30, 30))), dtype=np.float64)


def _gradient(parts: Sequence[_Part], weights: Matrix, options: FitOptions) -> Matrix:
    total = 2 * options.l2 * np.append(weights[:-1], 0.0)
    for part in parts:
        if len(part.gold):
            total += part.share * part.gold.T @ (_sigmoid(part.gold @ weights) - 1) / len(part.gold)
        if len(part.absent):
            total += part.share * part.absent.T @ _sigmoid(part.absent @ weights) / len(part.absent)
        refused = _sigmoid(-(part.best @ weights) / WIDTH)
        slope = -200 * options.balance * part.share * (refused.mean() - options.target)
        total += part.best.T @ (slope * refused * (1 - refused)) / WIDTH / len(part.best)
    return np.asarray(total, dtype=np.float64)


def _adam(parts: Sequence[_Part], size: int, options: FitOptions) -> Matrix:
    weights, first, second = np.zeros(size), np.zeros(size), np.zeros(size)
    for step in range(1, options.steps + 1):
        gradient = _gradient(parts, weights, options)
        first = 0.9 * first + 0.1 * gradient
        second = 0.999 * second + 0.001 * gradient**2
        rate = options.rate * (1 - step / (options.steps + 1))
        corrected = (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.999**step)) + 1e-8)
        weights = weights - rate * corrected
    return np.asarray(weights, dtype=np.float64)
