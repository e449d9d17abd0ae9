"""Which texts another vocabulary cuts differently: those that are not touched are cut alike, always."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingestion.analyzer import Analyzer
from ingestion.terms import Terms

WORDS = ("云桌面", "云桌面终端", "报销单", "差旅", "的管理", "30日")
BASE = Analyzer(Terms(dictionary=(("云桌面", 0), ("报销单", 900_000)), stopwords=frozenset({"的"})))
OTHERS = [
    BASE.revised(Terms(dictionary=(("云桌面终端", 0), ("报销单", 900_000)), stopwords=frozenset({"的"}))),
    BASE.revised(Terms(dictionary=(("云桌面", 0), ("报销单", 3)), stopwords=frozenset({"的", "30日"}))),
    BASE.revised(Terms(dictionary=(("差旅", 1_000_000),))),
]
SAME = BASE.revised(Terms(dictionary=(("报销单", 900_000), ("云桌面", 0)), stopwords=frozenset({"的"})))
TEXT = st.lists(
    st.sampled_from([*WORDS, *"云桌面终端报销单差旅费管理的三十天日", "雲桌面", "OA系统", "，"]), max_size=12
)


@pytest.mark.parametrize("other", OTHERS)
@given(parts=TEXT)
def test_a_text_that_is_not_touched_is_cut_alike(other: Analyzer, parts: list[str]) -> None:
    text = "".join(parts)
    if not other.differences(BASE).touch(text):
        assert other.tokens(text) == BASE.tokens(text)


@given(parts=TEXT)
def test_a_vocabulary_of_the_same_words_touches_nothing(parts: list[str]) -> None:
    assert not SAME.differences(BASE).touch("".join(parts))


@pytest.mark.parametrize("text", ["新的雲桌面終端", "云桌面", "三十天内", "差旅费"])
def test_a_word_in_another_form_touches_too(text: str) -> None:
    differences = [other.differences(BASE) for other in OTHERS]
    assert any(one.touch(text) for one in differences)


def test_a_dictionary_that_stays_is_not_read_again() -> None:
    revised = BASE.revised(Terms(dictionary=(("云桌面", 0), ("报销单", 900_000))))
    assert revised.differences(BASE).words == {"的"}
    assert revised.tokens("云桌面的") == ["桌面", "云桌面", "的"]
