"""Citation marks as models write them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.knowledge.marks import normalised, numbers_in, without, without_marks
from service.knowledge.sentence_stream import SentenceStream


@pytest.mark.parametrize(
    ("written", "numbers"),
    [
        ("好[1]。", (1,)),
        ("好[1][3]。", (1, 3)),
        ("好[3, 1]。", (3, 1)),
        ("好【2】。", (2,)),
        ("好［2］。", (2,)),
        ("好[资料2、资料4]。", (2, 4)),
        ("好[02][2]。", (2,)),
        ("好[注]。数组[i]。", ()),
        ("好。", ()),
    ],
)
def test_marks_are_read_in_every_form(written: str, numbers: tuple[int, ...]) -> None:
    assert numbers_in(written) == numbers
    assert numbers_in(normalised(written)) == numbers
    assert numbers_in(without_marks(written)) == ()


def test_single_marks_can_be_taken_out() -> None:
    assert without(normalised("好[1,12]。"), (1,)) == "好[12]。"


@given(st.lists(st.integers(0, 40), max_size=8))
def test_a_mark_is_never_cut_by_the_pieces_of_a_stream(cuts: list[int]) -> None:
    text = "第一句。【资料1、2】第二句［3］。\n第三句。[4, 5] 完。"
    edges = [0, *sorted(min(cut, len(text)) for cut in cuts), len(text)]
    stream = SentenceStream()
    parts = [s for a, b in zip(edges, edges[1:], strict=False) for s in stream.feed(text[a:b])]
    parts.append(stream.finish())
    assert parts == ["第一句。【资料1、2】", "第二句［3］。\n"[:-1], "\n第三句。[4, 5]", " 完。"]
