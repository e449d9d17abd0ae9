"""Numerals written by an independent writer come back as the number they were."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.mentions.amounts import read_amount
from rules.numerals import read_digits, read_numeral

PLAIN, FORMAL = "零一二三四五六七八九", "零壹贰叁肆伍陆柒捌玖"


def four_digits(number: int, digits: str, units: str) -> str:
    """1 to 9999, with 零 wherever a unit is leapt within it."""
    written, leapt = "", False
    for place, unit in zip((1000, 100, 10, 1), [*units, ""], strict=True):
        digit = number // place % 10
        if digit:
            written += ("零" if leapt and written else "") + digits[digit] + unit
            leapt = False
        else:
            leapt = True
    return written


def write(number: int, digits: str = PLAIN, units: str = "千百十") -> str:
    """By the rules of 大写: groups of four, 零 where the group before ends early or this one begins late."""
    if number == 0:
        return digits[0]
    written = ""
    for exponent, unit in ((8, "亿"), (4, "万"), (0, "")):
        group = number // 10**exponent % 10**4
        if not group:
            continue
        late = written and (group < 1000 or not written.endswith(("亿" if exponent == 4 else "万",)))
        written += ("零" if late else "") + four_digits(group, digits, units) + unit
    return written


@given(st.integers(0, 10**12 - 1))
def test_every_number_below_a_million_million_comes_back(number: int) -> None:
    assert read_numeral(write(number)) == number
    assert read_numeral(write(number, FORMAL, "仟佰拾")) == number


@given(st.integers(0, 10**12 - 1), st.integers(0, 9), st.integers(0, 9))
def test_formal_money_comes_back_to_the_cent(number: int, tenths: int, cents: int) -> None:
    end = (f"{FORMAL[tenths]}角" if tenths else "") + (f"{FORMAL[cents]}分" if cents else "") or "整"
    zero = "零" if cents and not tenths else ""
    amount = read_amount(f"{write(number, FORMAL, '仟佰拾')}元{zero}{end}")
    assert amount is not None
    assert amount.value == Decimal(number) + Decimal(tenths) / 10 + Decimal(cents) / 100


@given(st.decimals(0, 10**11, allow_nan=False, places=2))
def test_digits_with_and_without_commas_are_exact(value: Decimal) -> None:
    assert read_numeral(f"{value:,.2f}") == value
    assert read_numeral(f"{value:.2f}") == value


@given(st.text(alphabet="零一二两三五九十百千万亿点半12305.,负-", max_size=12))
def test_any_numeral_is_read_as_a_finite_number_or_not_at_all(text: str) -> None:
    value = read_numeral(text)
    assert value is None or value.is_finite()


@given(st.integers(1, 9), st.integers(1, 9), st.sampled_from("百千万亿"))
def test_a_last_digit_stands_for_the_unit_below(first: int, last: int, unit: str) -> None:
    size = {"百": 10**2, "千": 10**3, "万": 10**4, "亿": 10**8}[unit]
    assert read_numeral(f"{PLAIN[first]}{unit}{PLAIN[last]}") == first * size + last * size // 10
    assert read_numeral(f"{PLAIN[first]}{unit}零{PLAIN[last]}") == first * size + last


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("八万五", "85000"),
        ("八万零五", "80005"),
        ("八万零五百", "80500"),
        ("一万五千六", "15600"),
        ("两万半", "25000"),
        ("万八", "18000"),
        ("十五", "15"),
        ("一百十五", "115"),
        ("12万5", "125000"),
        ("3万4000", "34000"),
        ("5亿1万4千6百", "500014600"),
        ("二十万亿", "20000000000000"),
        ("八点五万", "85000"),
        ("负三点一四", "-3.14"),
        ("1.2亿", "120000000"),
    ],
)
def test_office_numerals(text: str, value: str) -> None:
    assert read_numeral(text) == Decimal(value)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "一二",
        "八万五十五百",
        "一百五三",
        "12万50",
        "8.5万5",
        "一百万五",
        "1,2000",
        "12,5",
        "一亿五千",
        "两百两",
        "十点",
        "1.2.3",
    ],
)
def test_what_could_be_two_numbers_is_none(text: str) -> None:
    assert read_numeral(text) is None


def test_years_are_read_digit_by_digit() -> None:
    assert read_digits("二〇二五".replace("〇", "零")) == 2025
    assert read_digits("2025") == 2025
    assert read_digits("二千") is None


@pytest.mark.parametrize("text", ["八万五", "1.2亿", "半万", "三到五万", "十来万", "一千到两千万"])
def test_values_are_written_without_an_exponent(text: str) -> None:
    amount = read_amount(text)
    assert amount is not None
    assert not any("E" in str(value) for value in (amount.value, amount.low, amount.high))


def test_more_digits_than_decimals_keep_are_not_read() -> None:
    assert read_numeral("1" * 16) is None
    assert read_numeral("1." + "1" * 30) is None
    assert read_numeral("123456789012345万亿") == Decimal("123456789012345000000000000")


@pytest.mark.parametrize(
    "text", ["万" * 1000, "一" + "万" * 14, "一千" * 600, "负" * 900, "一百二十" * 300, "零" * 5000]
)
def test_numerals_that_nobody_writes_are_no_number_and_never_fail(text: str) -> None:
    assert read_numeral(text) is None
    assert read_amount(text) is None


def test_ten_thousand_times_ten_thousand_is_the_most_that_is_stacked() -> None:
    assert read_numeral("一万万") == 10**8
    assert read_numeral("一万万亿") == 10**16
    assert read_numeral("一万万万") is None
