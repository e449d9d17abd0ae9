import re

import pytest

from service import fences


@pytest.mark.parametrize("free", "0123456789abcdef")
def test_mark_is_one_that_no_text_contains_in_any_spelling(
    monkeypatch: pytest.MonkeyPatch, free: str
) -> None:
    monkeypatch.setattr(fences, "_NONCE_LENGTH", 1)  # so that a guess would hit
    taken = "0123456789abcdef".replace(free, "")
    in_capitals, full_width = (
        taken[:8].upper(),
        taken[8:].translate({code: code + 0xFEE0 for code in range(33, 127)}),
    )
    text = fences.fenced({"b": in_capitals, "c": [full_width]})["b"]
    assert re.findall(r"</b-(.)>", text) == [free]


def test_all_blocks_of_one_prompt_share_a_mark() -> None:
    blocks = fences.fenced({"a": "甲", "b": ["乙"]})
    assert blocks["a"].partition("-")[2][:12] == blocks["b"].partition("-")[2][:12]
