"""Figures agree with counting by hand."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.evaluation.metrics import Ranking, char_f1, contains_gold, ranking_figures


def test_a_ranking_is_counted_as_by_hand() -> None:
    first = Ranking(("a", "b", "c"), frozenset({"b", "z"}))
    second = Ranking(("a", "b"), frozenset({"a"}))
    unjudged = Ranking(("a",), frozenset())
    figures = ranking_figures([first, second, unjudged], k=2)
    ideal = 1 + 1 / math.log2(3)
    assert figures == pytest.approx(
        {
            "hit@1": 0.5,
            "hit@k": 1.0,
            "recall@k": 0.75,
            "mrr@10": 0.75,
            "ndcg@10": ((1 / math.log2(3)) / ideal + 1) / 2,
        }
    )


@given(st.lists(st.sampled_from("abcdefghijkl"), unique=True), st.frozensets(st.sampled_from("abcdef")))
def test_figures_are_always_shares(ranked: list[str], relevant: frozenset[str]) -> None:
    figures = ranking_figures([Ranking(tuple(ranked), relevant)])
    assert all(0 <= value <= 1 + 1e-9 for value in figures.values())


def test_answers_are_compared_without_punctuation_and_width() -> None:
    assert contains_gold("限额为５００ 元。", ["500元"])
    assert not contains_gold("限额为五百元", ["500元"]) and not contains_gold("随便", [""])
    assert char_f1("五百元", ["五百元", "别的"]) == 1.0
    assert char_f1("", ["五百元"]) == 0.0
    assert char_f1("五百", ["五百元整"]) == pytest.approx(2 / 3)
