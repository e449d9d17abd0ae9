"""By when: which words are a deadline, and which day they name, seen from Thursday, 5 March 2026."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingestion.minutes.due import find_due, resolve

DAY = date(2026, 3, 5)
DAYS = st.dates(min_value=date(2000, 1, 1), max_value=date(2090, 12, 31))


@pytest.mark.parametrize(
    ("said", "day"),
    [
        ("六月三十号之前", date(2026, 6, 30)),
        ("9月5日前", date(2026, 9, 5)),
        ("12/31", date(2026, 12, 31)),
        ("明年三月一号", date(2027, 3, 1)),
        ("二月一号之前", date(2027, 2, 1)),
        ("2026年4月2日之前", date(2026, 4, 2)),
        ("二〇二六年二月一号", date(2026, 2, 1)),
        ("2022年7月", date(2022, 7, 31)),
        ("下周五", date(2026, 3, 13)),
        ("下下周三之前", date(2026, 3, 18)),
        ("本周五前", date(2026, 3, 6)),
        ("周三", date(2026, 3, 11)),
        ("这礼拜五之前", date(2026, 3, 6)),
        ("月底", date(2026, 3, 31)),
        ("四月底前", date(2026, 4, 30)),
        ("九月之前", date(2026, 8, 31)),
        ("2027年3月前", date(2027, 2, 28)),
        ("九月内", date(2026, 9, 30)),
        ("下个月十号前", date(2026, 4, 10)),
        ("三十号之前", date(2026, 3, 30)),
        ("三号之前", date(2026, 4, 3)),
        ("年底前", date(2026, 12, 31)),
        ("明年年底前", date(2027, 12, 31)),
        ("一季度末", date(2026, 3, 31)),
        ("今年一季度末", date(2026, 3, 31)),
        ("两周内", date(2026, 3, 19)),
        ("三天内", date(2026, 3, 8)),
        ("三个月内", date(2026, 6, 5)),
        ("后天", date(2026, 3, 7)),
        ("明天下班前", date(2026, 3, 6)),
        ("下次会议前", None),
        ("六月中旬", None),
        ("三个工作日内", None),
        ("2月30日前", None),
        ("会后", None),
    ],
)
def test_what_is_said_is_a_day(said: str, day: date | None) -> None:
    due = find_due(f"材料{said}发出来")
    assert due is not None and due.text == said
    assert resolve(said, DAY) == day


@pytest.mark.parametrize(
    "text", ["3/5的客户", "二五零七批", "以前的办法", "会议内容", "三天前", "这个前提不成立"]
)
def test_other_numbers_are_no_deadline(text: str) -> None:
    assert find_due(text, strict=True) is None


def test_without_the_meetings_day_only_whole_dates_are_days() -> None:
    assert resolve("下周五", None) is None
    assert resolve("2026年4月2日之前", None) == date(2026, 4, 2)


@given(DAYS, DAYS)
def test_a_day_without_a_year_is_ahead_and_not_further_than_a_year(meeting: date, due: date) -> None:
    day = resolve(f"{due.month}月{due.day}日前", meeting)
    if (due.month, due.day) != (2, 29):
        assert day is not None and meeting <= day <= meeting + timedelta(days=366)
        assert (day.month, day.day) == (due.month, due.day)


@given(DAYS, st.sampled_from("一二三四"))
def test_a_quarter_without_a_year_is_ahead(meeting: date, quarter: str) -> None:
    day = resolve(f"{quarter}季度末", meeting)
    assert day is not None and meeting <= day <= meeting + timedelta(days=366)
    assert resolve(f"今年{quarter}季度末", meeting) == day.replace(year=meeting.year)


@given(DAYS, st.text(alphabet="0123456789一二三十月日号周年底前内明下/天", max_size=12))
def test_any_words_are_a_day_or_none(meeting: date, words: str) -> None:
    day = resolve(words, meeting)
    assert day is None or isinstance(day, date)
