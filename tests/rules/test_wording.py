"""Conditions come out as people write them, and mean the same when read again."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.cells.reading import read_condition
from rules.conditions import Condition, Interval, Within, meets
from rules.wording import said, typed
from tests.rules.building import AMOUNT, DAYS, KIND, START, column
from tests.rules.drawn import AMOUNTS, CHOICE, conditions, representatives


@pytest.mark.parametrize(
    ("field", "cell"),
    [
        (AMOUNT, "4.5万(含)~5万(不含)"),
        (AMOUNT, "5万以上"),
        (AMOUNT, "超过5万"),
        (AMOUNT, "不满5000"),
        (AMOUNT, "不超过12.5"),
        (DAYS, "31~90"),
        (START, "2025-01-01~2025-03-31"),
        (KIND, "服务器、车辆"),
        (KIND, "除 车辆 外"),
        (KIND, "任意"),
    ],
)
def test_a_condition_is_told_as_it_is_written(field: object, cell: str) -> None:
    known = next(each for each in (AMOUNT, DAYS, START, KIND) if each is field)
    condition = read_condition(cell, column(known))
    assert said(condition, known.options, counted=known is DAYS) == cell


def test_a_number_is_typed_without_needless_zeros_or_powers_of_ten() -> None:
    assert [typed(Decimal(text)) for text in ("4.70E+4", "0.50", "100")] == ["47000", "0.5", "100"]


def writable(condition: Condition) -> bool:
    """Whether a cell can say it: one interval that holds something, or words that leave something out."""
    if not isinstance(condition, Within):
        return said(condition, CHOICE.options) != "除 甲、乙、丙 外"
    return not condition.negated and len(condition.intervals) == 1 and _ordered(condition.intervals[0])


def _ordered(interval: Interval) -> bool:
    low, high = interval.low, interval.high
    if not isinstance(low, Decimal) or not isinstance(high, Decimal):
        return low is not None or high is not None
    return low < high or (low == high and interval.low_closed and interval.high_closed)


@given(st.one_of(conditions(AMOUNTS), conditions(CHOICE)).filter(writable))
def test_a_condition_that_is_told_is_always_read_back_with_the_same_meaning(condition: Condition) -> None:
    field = AMOUNTS if isinstance(condition, Within) else CHOICE
    read = read_condition(said(condition, field.options), column(field))
    for value in representatives(field):
        assert meets(read, value) is meets(condition, value)
