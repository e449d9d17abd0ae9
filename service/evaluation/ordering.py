"""Choosing the order's weights: a small grid, judged by how far it stays above the better leg everywhere."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from service.evaluation.bench import Candidates
from service.evaluation.metrics import Ranking, ranking_figures
from service.retrieval.fusion import OrderWeights

KEYS = ("hit@1", "hit@k", "ndcg@10")
KEY_SHARES = np.array([0.25, 0.5, 0.25])
# An article, document number or code that is asked for, and a quotation, decide between passages that are
# alike otherwise. Not in the grid, since law_versions alone asks so (exact .2 -> .5: rank 1 from .92 to .98).
EXACT, QUOTED = 0.5, 0.3


@dataclass(frozen=True, slots=True)
class Measured:
    """Figures per collection, the least lead over the better leg, and the mean lead.

    `hit@k` counts twice in the mean: what is not among the k passages can never be answered from.
    """

    weights: OrderWeights
    figures: Mapping[str, Mapping[str, float]]
    least_lead: float
    mean_lead: float


def grid() -> list[OrderWeights]:
    return [
        OrderWeights(1.0, vector, text, title, EXACT, QUOTED, adaptive=True)
        for vector, text, title in product(
            (0.5, 0.65, 0.8, 1.0), (0.0, 0.1, 0.15, 0.2), (0.0, 0.05, 0.1, 0.15)
        )
    ]


def figures(found: Sequence[Candidates], weights: OrderWeights) -> dict[str, float]:
    rankings = []
    for one in found:
        documents, _ = one.ranked(weights)
        rankings.append(
            Ranking(tuple(map(str, documents)), frozenset(str(document) for document in one.relevant))
        )
    return ranking_figures(rankings)


def measure(
    collections: Mapping[str, Sequence[Candidates]],
    legs: Mapping[str, Mapping[str, float]],
    weights: OrderWeights,
) -> Measured:
    measured = {name: figures(found, weights) for name, found in collections.items()}
    leads = [[measured[name][key] - legs[name][key] for key in KEYS] for name in measured]
    return Measured(weights, measured, float(np.min(leads)), float(np.average(leads, axis=0) @ KEY_SHARES))


def best_legs(collections: Mapping[str, Sequence[Candidates]]) -> dict[str, dict[str, float]]:
    """The better of the two legs alone, figure by figure."""
    found = {}
    for name, candidates in collections.items():
        keyword = figures(candidates, OrderWeights(1.0, 0.0))
        vector = figures(candidates, OrderWeights(0.0, 1.0))
        found[name] = {key: max(keyword[key], vector[key]) for key in KEYS}
    return found


def choose(collections: Mapping[str, Sequence[Candidates]]) -> Measured:
    """Of the weights that lose to no leg anywhere the best on average, else those that lose least."""
    legs = best_legs(collections)
    tried = [measure(collections, legs, weights) for weights in grid()]
    safe = [one for one in tried if one.least_lead >= 0]
    if safe:
        return max(safe, key=lambda one: one.mean_lead)
    return max(tried, key=lambda one: (one.least_lead, one.mean_lead))
