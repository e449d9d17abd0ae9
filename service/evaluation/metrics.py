"""Figures of a ranking and of an answer. All are means over questions, in 0..1."""

import math
import unicodedata
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Ranking:
    """One question's ranked document ids (best first, each once) and the relevant ones."""

    ranked: tuple[str, ...]
    relevant: frozenset[str]


def ranking_figures(rankings: Sequence[Ranking], k: int = 8) -> dict[str, float]:
    """`hit@1 hit@k recall@k mrr@10 ndcg@10`; questions without a relevant document are left out."""
    judged = [ranking for ranking in rankings if ranking.relevant]
    count = len(judged) or 1
    return {
        "hit@1": sum(_hit(r, 1) for r in judged) / count,
        "hit@k": sum(_hit(r, k) for r in judged) / count,
        "recall@k": sum(len(r.relevant & set(r.ranked[:k])) / len(r.relevant) for r in judged) / count,
        "mrr@10": sum(_reciprocal_rank(r, 10) for r in judged) / count,
        "ndcg@10": sum(_ndcg(r, 10) for r in judged) / count,
    }


def _hit(ranking: Ranking, k: int) -> bool:
    return not ranking.relevant.isdisjoint(ranking.ranked[:k])


def _reciprocal_rank(ranking: Ranking, k: int) -> float:
    ranks = (rank for rank, found in enumerate(ranking.ranked[:k], 1) if found in ranking.relevant)
    first = next(ranks, None)
    return 1 / first if first else 0.0


def _ndcg(ranking: Ranking, k: int) -> float:
    """Binary gains (Järvelin and Kekäläinen 2002)."""
    gained = sum(
        1 / math.log2(rank + 1)
        for rank, found in enumerate(ranking.ranked[:k], 1)
        if found in ranking.relevant
    )
    ideal = sum(1 / math.log2(rank + 1) for rank in range(1, min(len(ranking.relevant), k) + 1))
    return gained / ideal


def comparable(text: str) -> str:
    """NFKC, lower case, letters and digits only: how answers are compared."""
    folded = unicodedata.normalize("NFKC", text).lower()
    return "".join(char for char in folded if char.isalnum())


def contains_gold(answer: str, gold: Collection[str]) -> bool:
    said = comparable(answer)
    return any(comparable(expected) in said for expected in gold if comparable(expected))


def char_f1(answer: str, gold: Collection[str]) -> float:
    """Character-level F1 against the best of the gold answers, as CMRC 2018 scores spans."""
    return max((_overlap(comparable(answer), comparable(expected)) for expected in gold), default=0.0)


def _overlap(said: str, expected: str) -> float:
    shared = (Counter(said) & Counter(expected)).total()
    if not shared:
        return 0.0
    precision, recall = shared / len(said), shared / len(expected)
    return 2 * precision * recall / (precision + recall)
