"""Sentences are spans of the text they come from, and leave nothing but blanks out."""

from hypothesis import given
from hypothesis import strategies as st

from service.retrieval.sentences import sentences


def cut(text: str) -> list[str]:
    return [text[span.start : span.end] for span in sentences(text)]


def test_marks_line_ends_and_closing_quotes_end_a_sentence() -> None:
    assert cut("他说：“可以。”然后走了。\n费用为3.5元；不含税") == [
        "他说：“可以。”",
        "然后走了。",
        "费用为3.5元；",
        "不含税",
    ]


@given(st.text(alphabet="报销。！？；\n ”abc3.", max_size=60))
def test_sentences_are_in_order_and_hold_every_letter(text: str) -> None:
    spans = list(sentences(text))
    assert all(left.end <= right.start for left, right in zip(spans, spans[1:], strict=False))
    kept = "".join(text[span.start : span.end] for span in spans)
    assert "".join(kept.split()) == "".join(text.split())
