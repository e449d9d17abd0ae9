"""Bounds are read from a row or an item and held against the amounts of a question."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingestion.analyzer import fold
from service.knowledge.bounds import amounts, bounds, fits


@pytest.mark.parametrize(
    ("question", "stated", "unit", "verdict"),
    [
        ("正好两万块", "20,000元以上、不满1,000,000元", "", True),
        ("19999元", "20,000元以上、不满1,000,000元", "", False),
        ("一百万的采购", "不满1,000,000", "元", False),
        ("一百万的采购", "1,000,000以上", "元", True),
        ("3.5万元", "5万元以下", "", True),
        ("出差六天", "国内出差超过5天", "", True),
        ("出差五天", "国内出差5天以内", "", True),
        ("出差五天", "国内出差超过5天", "", False),
        ("工龄十年", "满10年不满20年", "", True),
        ("六天", "5,000元以上", "", None),
        ("六天", "由部门经理审批", "", None),
        ("怎么办理", "5,000元以上", "", None),
    ],
)
def test_an_amount_is_within_outside_or_not_comparable(
    question: str, stated: str, unit: str, verdict: bool | None
) -> None:
    assert fits(amounts(fold(question)), bounds(fold(stated), unit)) is verdict


@pytest.mark.parametrize("question", ["第5条", "2023年5月1日", "编号PS-200", ""])
def test_articles_dates_and_codes_are_no_amounts(question: str) -> None:
    assert amounts(fold(question)) == ()


@given(st.integers(1, 10**7), st.integers(1, 10**7))
def test_ranges_that_meet_at_a_number_always_share_every_amount_out_exactly_once(
    asked: int, limit: int
) -> None:
    amount = amounts(f"{asked}元")
    assert amount[0].value == Decimal(asked)
    below, above = fits(amount, bounds(f"不满{limit}元")), fits(amount, bounds(f"{limit}元以上"))
    assert {below, above} == {True, False}
