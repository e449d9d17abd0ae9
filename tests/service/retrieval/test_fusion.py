"""The order of candidates: absolute, never relative to the best of the same question."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.retrieval.fusion import Legs, OrderWeights, fuse
from service.retrieval.signals import Signals

SHARE = st.floats(0, 1)
LEGS = st.lists(st.builds(Legs, SHARE, st.floats(-1, 1)), max_size=6)
WEIGHTS = st.builds(OrderWeights, SHARE, SHARE, SHARE, SHARE, SHARE, SHARE, st.booleans())


@given(WEIGHTS, LEGS)
def test_order_scores_are_always_between_zero_and_one(weights: OrderWeights, legs: list[Legs]) -> None:
    full = Signals(neighbours=1.0, title=1.0, exact=1.0, quoted=1.0)
    assert all(0 <= score <= 1 + 1e-9 for score in fuse(weights, legs))
    assert all(0 <= score <= 1 + 1e-9 for score in fuse(weights, legs, [full] * len(legs)))


def test_a_poor_best_hit_is_not_scaled_up() -> None:
    assert fuse(OrderWeights(0.3, 0.7), [Legs(0.1, 0.2), Legs(0.0, 0.1)])[0] < 0.2


def test_a_question_whose_words_are_found_trusts_the_vectors_less() -> None:
    weights = OrderWeights(1.0, 0.8, adaptive=True)
    found = fuse(weights, [Legs(0.9, 0.1), Legs(0.85, 0.9)])
    lay = fuse(weights, [Legs(0.2, 0.1), Legs(0.15, 0.9)])
    assert found[1] - found[0] < lay[1] - lay[0]


def test_an_article_asked_by_number_outweighs_a_similar_text() -> None:
    weights = OrderWeights(1.0, 0.8, text=0.2, exact=0.5, adaptive=True)
    named, similar = Signals(neighbours=0.4, exact=1.0), Signals(neighbours=0.6)
    scores = fuse(weights, [Legs(0.3, 0.3), Legs(0.4, 0.4)], [named, similar])
    assert scores[0] > scores[1]


@given(WEIGHTS, st.floats(0, 1), st.floats(0.01, 1))
def test_sharing_out_the_legs_leaves_every_other_part(
    weights: OrderWeights, keyword: float, vector: float
) -> None:
    shared = weights.with_legs(keyword, vector)
    assert shared.total == pytest.approx(weights.total)
    assert shared.keyword * vector == pytest.approx(shared.vector * keyword)
    assert replace(shared, keyword=weights.keyword, vector=weights.vector) == weights
