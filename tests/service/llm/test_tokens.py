import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.llm.tokens import count_tokens, truncate_to_tokens


@pytest.mark.parametrize(
    ("text", "tokens"),
    [("", 0), ("hello world", 2), ("<|endoftext|>", 7), ("资产申请", 2)],
)
def test_known_counts(text: str, tokens: int) -> None:
    assert count_tokens(text) == tokens


@given(st.text(max_size=80), st.integers(-2, 30))
def test_truncation_is_a_prefix_within_the_limit(text: str, limit: int) -> None:
    kept = truncate_to_tokens(text, limit)
    assert text.startswith(kept)
    assert count_tokens(kept) <= max(limit, 0)


@given(st.text(max_size=80))
def test_text_within_the_limit_is_unchanged(text: str) -> None:
    assert truncate_to_tokens(text, count_tokens(text)) == text


def test_truncation_uses_the_limit_and_never_splits_a_character() -> None:
    text = "𠮷野家" * 20
    kept = truncate_to_tokens(text, 10)
    assert 8 <= count_tokens(kept) <= 10
    assert "�" not in kept


def test_lone_surrogates_of_a_broken_document_do_not_break_counting() -> None:
    assert count_tokens("甲\ud800乙") > 0
    assert truncate_to_tokens("甲\ud800乙" * 9, 4).startswith("甲")


@pytest.mark.parametrize(
    ("text", "tokens"), [("啊" * 300_000, 300_000), ("a" * 1_100_000, 137_500), ("🧑" * 70_000, 210_000)]
)
def test_a_text_longer_than_the_library_takes_is_counted(text: str, tokens: int) -> None:
    assert count_tokens(text) == pytest.approx(tokens, rel=0.001)
    assert count_tokens(truncate_to_tokens(text, 1_000)) == pytest.approx(1_000, abs=3)
