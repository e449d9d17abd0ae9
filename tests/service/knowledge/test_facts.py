"""Numbers, dates and bounds as an answer and its source may write them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingestion.analyzer import fold
from service.knowledge.facts import Bound, facts


def read(text: str) -> list[tuple[str, str, str]]:
    return [(fact.value, fact.unit, fact.bound.value) for fact in facts(fold(text))]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("三个工作日内", [("3", "工作日", "<=")]),
        ("3个工作日以上", [("3", "工作日", ">=")]),
        ("5万元以上、不满20万元", [("50000", "元", ">="), ("200000", "元", "<")]),
        ("单价超过２，０００元", [("2000", "元", ">")]),
        ("三家、两位、七类", [("3", "家", ""), ("2", "位", ""), ("7", "类", "")]),
        ("三至五天", [("3", "日", ""), ("5", "日", "")]),
        ("3—5个工作日", [("3", "工作日", ""), ("5", "工作日", "")]),
        ("9:30—17:00", [("9:30", "", ""), ("17:00", "", "")]),
        ("三分之一", [("1/3", "", "")]),
        ("百分之三十", [("30%", "", "")]),
        ("半年", [("0.5", "年", "")]),
        ("3天以内（含3天）", [("3", "日", "<="), ("3", "日", "")]),
        ("二等座", [("2", "等座", "")]),
        ("内线8015，A座3层内线", [("8015", "", ""), ("3", "层", "")]),
        ("7.共2份", [("2", "份", "")]),
        ("每周三上午", [("周三", "星期", ""), ("上午", "时段", "")]),
        ("星期天晚间", [("周日", "星期", ""), ("晚上", "时段", "")]),
        ("每周三次", [("每周", "周期", ""), ("3", "次", "")]),
        ("按月", [("每月", "周期", "")]),
        ("每季度一次", [("每季", "周期", ""), ("1", "次", "")]),
        ("按日工资", []),
        ("上限500元", [("500", "元", "<=")]),
        ("至少提前3天", [("3", "日", ">=")]),
        ("3天以上午休", [("3", "日", ""), ("上午", "时段", "")]),
        ("统一、一般、同一份、十分重要、万一", []),
        ("", []),
    ],
)
def test_a_number_is_read_with_its_unit_and_bound(text: str, expected: list[tuple[str, str, str]]) -> None:
    assert read(text) == expected


@pytest.mark.parametrize("bound", ["最多5天", "不超过5天", "不得超过5天", "5天以内", "5天内", "至多5天"])
def test_bounds_that_mean_the_same_are_one(bound: str) -> None:
    (fact,) = facts(fold(bound))
    assert fact.bound is Bound.AT_MOST


@pytest.mark.parametrize(
    ("source", "answer", "says"),
    [
        ("二〇二五年七月一日", "2025年7月1日", True),
        ("2025-07-01", "7月1日", True),
        ("2025年7月1日", "2025年", True),
        ("2025年7月", "2025年7月1日", False),
        ("限额为600", "600元", True),
        ("600元", "600天", False),
        ("5天以上", "超过5天", False),
        ("5天以上", "5天", False),
        ("超过5天", "5天", False),
        ("5天以内", "5天", False),
        ("5天", "5天以上", True),
        ("每周三", "周三", True),
        ("每周三", "周五", False),
        ("星期日", "周天", True),
        ("14:00", "下午", True),
        ("9:30", "下午", False),
        ("不满5天", "5天以上", False),
    ],
)
def test_what_a_source_says_of_a_number(source: str, answer: str, says: bool) -> None:
    (theirs,), (ours,) = facts(fold(source)), facts(fold(answer))
    assert theirs.says(ours) is says


@pytest.mark.parametrize(
    ("source", "answer", "says"),
    [
        ("每天100元", "每日100元", True),
        ("每天100元", "100元/天", True),
        ("每天100元", "100元", True),
        ("100元", "每天100元", True),
        ("每天100元", "每月100元", False),
        ("每月不超过100元", "每年不超过100元", False),
    ],
)
def test_a_number_is_told_for_its_period(source: str, answer: str, says: bool) -> None:
    (theirs,) = (fact for fact in facts(fold(source)) if fact.unit == "元")
    (ours,) = (fact for fact in facts(fold(answer)) if fact.unit == "元")
    assert theirs.says(ours) is says


@given(
    st.text(
        "每周星期按/上下午晚限一二三十百万半两第年月日天元个工作%不满超过以上内0123456789.,:：—至~（）含",
        max_size=30,
    )
)
def test_facts_stand_where_they_say_and_do_not_overlap(text: str) -> None:
    folded = fold(text)
    found = facts(folded)
    assert all(0 <= fact.start < fact.end <= len(folded) for fact in found)
    assert all(folded[fact.start : fact.end] == fact.written for fact in found)
    assert all(one.end <= other.start for one, other in zip(found, found[1:], strict=False))
