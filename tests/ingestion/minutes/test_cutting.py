"""The cut is the best of all, whatever the gains are."""

from itertools import combinations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ingestion.minutes.cutting import LONGEST, LengthPrior, best_cuts

PRIOR = LengthPrior(1.0, 0.5)
GAINS = st.lists(st.floats(min_value=-5, max_value=5), max_size=8)


def worth(gains: list[float], cuts: tuple[int, ...], prior: LengthPrior) -> float:
    edges = [0, *(cut + 1 for cut in cuts), len(gains) + 1]
    scores = prior.scores(len(gains) + 1)
    lengths = [scores[end - start - 1] for start, end in zip(edges, edges[1:], strict=False)]
    return float(sum(gains[cut] for cut in cuts) + sum(lengths))


@given(GAINS)
def test_no_other_cut_is_worth_more(gains: list[float]) -> None:
    every = [cuts for size in range(len(gains) + 1) for cuts in combinations(range(len(gains)), size)]
    best = max(worth(gains, cuts, PRIOR) for cuts in every)
    found = best_cuts(np.array(gains), PRIOR)
    assert abs(worth(gains, tuple(found), PRIOR) - best) < 1e-9
    assert found == sorted(set(found))


def test_a_gap_that_may_not_be_cut_is_not() -> None:
    assert best_cuts(np.array([-np.inf, 9.0, -np.inf]), PRIOR) == [1]


def test_segments_of_the_usual_length_are_preferred() -> None:
    assert best_cuts(np.zeros(5), LengthPrior(np.log(2), 0.5)) == [1, 3]


def test_a_record_beyond_the_longest_segment_is_cut_though_nothing_speaks_for_it() -> None:
    cuts = best_cuts(np.full(2 * LONGEST + 9, -3.0), LengthPrior(6.0, 0.5))
    edges = [0, *(cut + 1 for cut in cuts), 2 * LONGEST + 10]
    assert max(end - start for start, end in zip(edges, edges[1:], strict=False)) <= LONGEST
