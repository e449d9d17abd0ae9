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
        ("2021年的规定是什么", date(2021, 12, 31)),
        ("按2021年的规定，住宿费多少", date(2021, 12, 31)),
        ("去年的规定", date(2025, 12, 31)),
        ("上一年的制度怎么说", date(2025, 12, 31)),
        ("2021-03-01的规定", date(2021, 3, 1)),
        ("截至2021/3/1有效的制度", date(2021, 3, 1)),
        ("2021.03.01时的规定", date(2021, 3, 1)),
        ("2021-03的规定", date(2021, 3, 31)),
        ("二〇二一年的时候怎么规定", date(2021, 12, 31)),
        ("二零二一年三月十二日的规定", date(2021, 3, 12)),
        ("二○二一年十一月的规定", date(2021, 11, 30)),
        ("2021 年度规定", date(2021, 12, 31)),
        ("2021年度的标准是多少", date(2021, 12, 31)),
        ("2021版的考勤制度", date(2021, 12, 31)),
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
        "2021年入职的员工年假几天",
        "2021年的时候入职的员工年假几天",
        "去年入职的员工年假几天",
        "2021年发布的规定有哪些",
        "2021年的规定现在还有效吗",
        "2021年的规定废止了吗",
        "2021年的规定和2024年的规定有什么不同",
        "2021年的制度建设工作谁负责",
        "2021年的标准化工作谁负责",
        "二〇二一年十三月的规定",
        "版本2021.3.1.4的规定",
        "从2021年起的规定",
    ],
)
def test_a_question_about_today_names_none(question: str) -> None:
    assert asked_day(question, TODAY) is None


@given(
    st.text("年月日时候去前以版怎么规定初底的二〇零一十-/.0123456789 ", max_size=30),
    st.dates(date(2000, 1, 1)),
)
def test_words_that_name_no_year_name_no_day(question: str, today: date) -> None:
    found = asked_day(question, today)
    years = [str(year) for year in range(1900, 2100)]
    if found is None:
        assert not any(f"{year}年的时候" in question for year in years)
    else:
        assert any(year in found.words for year in (*years, "去年", "前年"))


@given(st.dates(date(1900, 1, 1), date(2099, 12, 31)), st.dates(date(2000, 1, 1)))
def test_a_day_means_itself_however_it_is_written(day: date, today: date) -> None:
    digits = "".join("〇一二三四五六七八九"[int(c)] for c in str(day.year))
    for written in (
        f"{day:%Y-%m-%d}",
        f"{day.year}年{day.month}月{day.day}日",
        f"{digits}年{day.month}月{day.day}号",
    ):
        found = asked_day(f"按{written}的规定，住宿费多少", today)
        assert found is not None and found.day == day
