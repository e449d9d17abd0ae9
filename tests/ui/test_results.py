"""Matched words are marked in the text, and the text stays what it is."""

from hypothesis import given
from hypothesis import strategies as st

from service.ui.results import pieces


@given(st.text(), st.lists(st.text(max_size=4), max_size=5))
def test_pieces_are_always_the_text_again(text: str, matched: list[str]) -> None:
    assert "".join(part for part, _hit in pieces(text, matched)) == text


def test_the_longest_word_is_marked_whole_whatever_its_case() -> None:
    assert pieces("VPN 的住宿费", ["住宿", "住宿费", "vpn"]) == [
        ("VPN", True),
        (" 的", False),
        ("住宿费", True),
    ]


def test_signs_in_a_word_are_meant_literally() -> None:
    assert pieces("a.c abc", ["a.c"]) == [("a.c", True), (" abc", False)]
