"""Which day a question asks about."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.knowledge.understanding import asked_day

TODAY = date(2026, 3, 15)


@pytest.mark.parametrize(
    ("question", "day"),
    [
        ("2021年的时候差旅费怎么规定", date(2021, 12, 31)),
        ("２０２１年是怎么规定的", date(2021, 12, 31)),
        ("2021年初的时候住宿费多少", date(2021, 1, 1)),
        ("2021年年底的时候住宿费多少", date(2021, 12, 31)),
        ("2021年2月的时候", date(2021, 2, 28)),
        ("2021年3月初的时候", date(2021, 3, 1)),
        ("2021年5月1日时的规定", date(2021, 5, 1)),
        ("2021年5月1日之前的规定", date(2021, 4, 30)),
        ("2021年以前的规定是什么", date(2020, 12, 31)),
        ("截至2022年6月30日有效的制度", date(2022, 6, 30)),
        ("按2022年6月30日的标准", date(2022, 6, 30)),
        ("2021年版的考勤制度", date(2021, 12, 31)),
        ("去年是怎么规定的", date(2025, 12, 31)),
        ("去年年底的时候", date(2025, 12, 31)),
        ("前年的时候", date(2024, 12, 31)),
        ("2026年的时候怎么规定", TODAY),  # the year is not over: rules that are still to come do not count
        ("2026年3月怎么规定", TODAY),
    ],
)
def test_a_question_about_another_time_names_its_day(question: str, day: date) -> None:
    found = asked_day(question, TODAY)
    assert found is not None and found.day == day


@pytest.mark.parametrize(
    "question",
    [
        "",
        "年",
        "住宿费标准是多少",
        "2024年春节怎么安排",
        "2021年时间安排",
        "去年发的通知现在还有效吗",
        "2024年2月30日的时候",
        "编号2021的文件",
    ],
)
def test_a_question_about_today_names_none(question: str) -> None:
    assert asked_day(question, TODAY) is None


@given(st.text("年月日时候去前以版怎么规定初底0123456789 ", max_size=30), st.dates(date(2000, 1, 1)))
def test_no_words_make_it_fail(question: str, today: date) -> None:
    found = asked_day(question, today)
    assert found is None or found.words
