"""Rows as bits."""

from hypothesis import given
from hypothesis import strategies as st

from rules.masks import bits


@given(st.sets(st.integers(0, 2_000)))
def test_the_bits_of_a_mask_always_come_back_lowest_first(places: set[int]) -> None:
    assert list(bits(sum(1 << place for place in places))) == sorted(places)
