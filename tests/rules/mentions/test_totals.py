"""A total needs one exact price and one exact count of the same measure."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.mentions.totals import read_total


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("三台每台八千", 24000),
        ("要3台服务器，每台4万，加急", 120000),
        ("打印机八千一台，买两台", 16000),
        ("100本，15元/本", 1500),
        ("单价2,300元，共5套", 11500),
        ("服务器3台×8000元", 24000),
        ("椅子500块一把，买10把，合计5000块", 5000),
        ("每人1000，20个人", 20000),
    ],
)
def test_price_and_count_give_the_total(text: str, value: int) -> None:
    total = read_total(text, bare=True)
    assert total is not None
    assert total.value == Decimal(value)


@pytest.mark.parametrize(
    "text",
    [
        "8万",
        "每台8000",
        "三台一共8万",
        "三台每台大概八千",
        "两三台每台八千",
        "三台每台八千到一万",
        "三台每台八千，五台每台六千",
        "三台服务器五台电脑每台八千",
        "三箱每台八千",
        "三台每台八千，一共三万",
        "八千一台",
    ],
)
def test_anything_missing_inexact_doubled_or_contradicting_gives_none(text: str) -> None:
    assert read_total(text, bare=True) is None


@given(
    st.integers(2, 999),
    st.integers(1, 10**7),
    st.sampled_from(["{n}台，每台{p}元", "{p}元一台，要{n}台", "{n}台×{p}元"]),
)
def test_the_total_is_the_exact_product(count: int, price: int, form: str) -> None:
    total = read_total(form.format(n=count, p=price))
    assert total is not None
    assert total.value == count * price
