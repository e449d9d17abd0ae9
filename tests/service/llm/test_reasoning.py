import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.llm.reasoning import ReasoningFilter, without_reasoning


def streamed(pieces: list[str]) -> str:
    held = ReasoningFilter()
    return "".join([held.feed(piece) for piece in pieces] + [held.finish()])


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("<think>先想想</think>\n\n答案[1]。", "答案[1]。"),
        ("\n<think>想</think>答案", "答案"),
        ("<think>没有想完", ""),
        ("没有思考", "没有思考"),
        ("<th", "<th"),
        ("<thin 不是标签", "<thin 不是标签"),
        ("答案在后<think>这里是正文</think>", "答案在后<think>这里是正文</think>"),
    ],
)
def test_leading_reasoning_is_hidden_and_nothing_else(text: str, shown: str) -> None:
    assert without_reasoning(text) == shown
    assert streamed(list(text)) == shown
    assert streamed([text]) == shown


@given(st.text(alphabet="<think>/ 甲\n", max_size=40), st.integers(1, 5))
def test_a_stream_shows_what_the_whole_would(text: str, size: int) -> None:
    pieces = [text[start : start + size] for start in range(0, len(text), size)]
    assert streamed(pieces) == without_reasoning(text)
