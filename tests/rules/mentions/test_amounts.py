"""Amounts alone and in sentences, by the case files; what must hold for any text, by property."""

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.mentions.amounts import Amount, Op, read_amount, read_amounts
from tests.conftest import REPOSITORY

CASES = REPOSITORY / "tests" / "cases"
PIECES = st.sampled_from(
    list(
        "零一二两三五八九十百千万亿半多几来把块元角分点到至-~约近不超过以上下内左右，、。"
        "每台个wWkK¥$%年月日0123459.,（含）负 "
    )
    + ["美元", "万把", "左右", "单价", "预算", "之间", "８０", "萬", "捌", "仟", "\U0001f600", "é"]
)


def cases(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (CASES / name).read_text(encoding="utf-8").splitlines()]


def decimal(case: dict[str, Any], key: str) -> Decimal | None:
    return Decimal(str(case[key])) if key in case else None


def said(case: dict[str, Any]) -> tuple[object, ...]:
    """Op, values and currency as a case gives them; None where nothing is to be read."""
    currency = case.get("currency", "CNY")
    return case["op"], decimal(case, "value"), decimal(case, "low"), decimal(case, "high"), currency


def heard(amount: Amount) -> tuple[object, ...]:
    return amount.op.value, amount.value, amount.low, amount.high, amount.currency


@pytest.mark.parametrize("case", cases("amounts.jsonl"), ids=lambda case: case["text"])
def test_text_is_read_as_the_case_says(case: dict[str, Any]) -> None:
    amount = read_amount(case["text"])
    if case["op"] is None:
        assert amount is None
    else:
        assert amount is not None
        assert heard(amount) == said(case)


@pytest.mark.parametrize("case", cases("amount_sentences.jsonl"), ids=lambda case: case["text"])
def test_amounts_of_a_sentence_are_found_where_they_stand(case: dict[str, Any]) -> None:
    amounts = read_amounts(case["text"], bare=case.get("bare", False))
    assert [(a.text, a.per, heard(a)) for a in amounts] == [
        (expected["text"], expected.get("per"), said(expected)) for expected in case["amounts"]
    ]


def test_development_amounts_are_never_wrong_and_seldom_refused(shared_data: Path) -> None:
    path = shared_data / "process_utterances" / "amounts_dev.jsonl"
    if not path.is_file():
        pytest.skip("the development amounts are not beside this checkout")
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    read = [(row, read_amount(row["text"])) for row in rows]
    assert [row["text"] for row, amount in read if amount and heard(amount) != said(row)] == []
    assert sum(amount is not None for _, amount in read) >= 0.95 * len(rows)


@given(st.lists(PIECES, max_size=14).map("".join), st.booleans())
def test_spans_are_pieces_of_any_text_in_order(text: str, bare: bool) -> None:
    end = 0
    for amount in read_amounts(text, bare=bare):
        assert amount.text == text[amount.start : amount.end]
        assert end <= amount.start < amount.end
        end = amount.end


@given(st.text(max_size=60))
def test_any_text_is_read_without_an_error(text: str) -> None:
    for amount in read_amounts(text, bare=True):
        assert amount.text == text[amount.start : amount.end]
    read_amount(text)


@given(st.lists(PIECES, max_size=8).map("".join))
def test_a_value_is_given_exactly_when_the_op_is_no_range(text: str) -> None:
    amount = read_amount(text)
    if amount is not None and amount.op is Op.RANGE:
        assert amount.value is None
        assert amount.low is not None and amount.high is not None and amount.low < amount.high
    elif amount is not None:
        assert amount.value is not None and amount.low is None and amount.high is None


@given(
    st.integers(0, 10**10),
    st.sampled_from(["约{}元", "{}元左右", "不超过{}元", "{}元以上", "{}多元", "{}-{}9元", "{}美元"]),
)
def test_a_hedged_amount_is_never_taken_as_exact_money_of_ours(value: int, form: str) -> None:
    amount = read_amount(form.format(value, value))
    assert amount is None or amount.op is not Op.EXACT or amount.currency != "CNY"


def test_full_width_digits_are_found_in_the_original() -> None:
    text = "不是八万，是８０００块"
    first, second = read_amounts(text)
    assert (first.text, second.text) == ("八万", "８０００块")
    assert (second.start, second.end) == (6, 11)


def test_a_long_run_of_digits_is_read_quickly_and_refused() -> None:
    assert read_amounts("9" * 20_000, bare=True) == []
    assert read_amount("一" * 5_000) is None


@pytest.mark.parametrize(
    ("text", "value"),
    [("5万一共", 50000), ("八万五一共", 85000), ("3万一起", 30000), ("八千一", 8100), ("5万一", 51000)],
)
def test_a_word_that_begins_with_one_is_no_digit_of_the_amount(text: str, value: int) -> None:
    assert [amount.value for amount in read_amounts(text)] == [Decimal(value)]


@pytest.mark.parametrize("text", ["零、零万", "零还是5万", "零或8千元", "预算零、3万"])
def test_nothing_or_so_much_is_no_range_and_fails_nowhere(text: str) -> None:
    assert all(amount.op is Op.EXACT for amount in read_amounts(text))
