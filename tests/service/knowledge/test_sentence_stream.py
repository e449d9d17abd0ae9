from hypothesis import given
from hypothesis import strategies as st

from service.knowledge.sentence_stream import SentenceStream

TEXT = "提交报销单[2]。超过的按每小时收费。[1][3] 另外：\n- 甲[1]；\n\n- 乙“好。”[2]\n完了"
WHOLE = [
    "提交报销单[2]。",
    "超过的按每小时收费。[1][3]",
    " 另外：\n",
    "- 甲[1]；",
    "\n\n- 乙“好。”[2]",
    "\n完了",
]


def cut(pieces: list[str]) -> list[str]:
    stream = SentenceStream()
    return [s for piece in pieces for s in stream.feed(piece)] + [stream.finish()]


@given(st.lists(st.integers(0, len(TEXT)), max_size=12))
def test_sentences_are_the_same_wherever_the_pieces_break(cuts: list[int]) -> None:
    edges = [0, *sorted(cuts), len(TEXT)]
    pieces = [TEXT[start:end] for start, end in zip(edges, edges[1:], strict=False)]
    assert cut(pieces) == WHOLE


@given(st.lists(st.text("甲。！?；[]12”\n 」a", max_size=6), max_size=20))
def test_nothing_is_lost_or_added(pieces: list[str]) -> None:
    assert "".join(cut(pieces)) == "".join(pieces)
