"""Whatever someone types, reading values from it neither fails nor takes long."""

import time
from collections.abc import Callable
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.mentions.amounts import read_amount, read_amounts
from rules.mentions.counts import read_counts
from rules.mentions.dates import read_day, read_days
from rules.mentions.durations import read_durations
from rules.mentions.quantities import read_integers
from rules.mentions.totals import read_total

BASE = date(2025, 6, 18)
LONGEST = 4_000  # characters of a question

READERS: dict[str, Callable[[str], object]] = {
    "amounts": lambda text: read_amounts(text, bare=True),
    "amount": read_amount,
    "total": lambda text: read_total(text, bare=True),
    "days": lambda text: read_days(text, BASE),
    "day": lambda text: read_day(text, BASE),
    "counts": lambda text: read_counts(text, ["人", "台"]),
    "integers": read_integers,
    "durations": read_durations,
}
WORDS = "0123456789.,万千百十亿元块角分一二两三五八九零半几台人个每到至-~约多来以上下内外不超过左右"
WORDS += "年月日号天周前后本昨今明星期初末底旬中第之、，。 　kKwW$¥美港币()（）"


@given(st.one_of(st.text(max_size=40), st.text(alphabet=WORDS, max_size=40)))
def test_any_text_is_read_and_never_fails(text: str) -> None:
    for read in READERS.values():
        read(text)


PARTS = [" ", "1k", "万", "一千", "1,", "3月5日", "每台8千", "上", "(含)", "农历", "不超过"]


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("part", PARTS)
def test_the_longest_question_is_read_in_less_than_a_second(reader: str, part: str) -> None:
    text = (part * LONGEST)[:LONGEST]
    started = time.process_time()
    READERS[reader](text)
    assert time.process_time() - started < 1
