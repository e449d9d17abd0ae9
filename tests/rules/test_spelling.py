"""One spelling for what looks alike, and the nearest known word."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.spelling import SEARCHED, closest, plain, steps, visible


@pytest.mark.parametrize(
    ("written", "same"),
    [
        ("５０００", "5000"),
        ("财务部\u200b", "财务部"),
        ("\ufeff财务部\u00ad", "财务部"),
        ("财务\u00a0 部\u3000", "财务 部"),
        ("财务\n部", "财务 部"),
        ("\x01财务部\x7f", "财务部"),
    ],
)
def test_words_that_look_alike_have_one_spelling(written: str, same: str) -> None:
    assert plain(written) == same


@given(st.text())
def test_a_spelling_is_always_visible_and_its_own(text: str) -> None:
    assert plain(plain(text)) == plain(text)
    plain(text).encode()
    visible(text).encode()


def test_lines_and_tabs_stay_visible() -> None:
    assert visible("甲\n乙\t丙") == "甲\n乙\t丙"


def test_the_nearest_word_is_looked_for_among_the_first_of_many() -> None:
    assert closest("网路设备", ["图书", "网络设备"]) == "网络设备"
    assert closest("网路设备", [*(f"{at}号" for at in range(SEARCHED)), "网络设备"]) is None


@pytest.mark.parametrize("written", ["甲>乙>丙", "甲 → 乙->丙", "＞甲＞＞乙⇒丙 "])
def test_steps_are_parted_by_arrows_of_any_kind(written: str) -> None:
    assert steps(written) == ("甲", "乙", "丙")
