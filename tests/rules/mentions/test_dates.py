"""Days, lengths and counts by example; what must hold for any text and any base day, by property."""

from datetime import date, timedelta
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.mentions.dates import read_day, read_days
from rules.mentions.durations import read_durations
from rules.mentions.quantities import read_integers, read_quantities

BASE = date(2025, 12, 10)  # a Wednesday
PIECES = st.sampled_from(
    list("零一二三四五六七八九十两半几个年月日号天周前后上下这本初底末旬到至-/.,0123456789 多约内")
    + ["星期", "礼拜", "昨天", "农历", "季度", "国庆", "之前", "２０２５", "\U0001f600"]
)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2025年3月5日", date(2025, 3, 5)),
        ("二〇二五年三月五号", date(2025, 3, 5)),
        ("25年3月5日", date(2025, 3, 5)),
        ("2025-03-05", date(2025, 3, 5)),
        ("2025/3/5", date(2025, 3, 5)),
        ("２０２５.３.５", date(2025, 3, 5)),
        ("20250305", date(2025, 3, 5)),
        ("12月5号", date(2025, 12, 5)),
        ("去年12月5日", date(2024, 12, 5)),
        ("8号", date(2025, 12, 8)),
        ("上个月5号", date(2025, 11, 5)),
        ("下月3日", date(2026, 1, 3)),
        ("今天", BASE),
        ("昨天", date(2025, 12, 9)),
        ("前天回来的", date(2025, 12, 8)),
        ("大前天", date(2025, 12, 7)),
        ("大后天", date(2025, 12, 13)),
        ("3天前", date(2025, 12, 7)),
        ("三天以前", date(2025, 12, 7)),
        ("两天后", date(2025, 12, 12)),
        ("上周五", date(2025, 12, 5)),
        ("上个礼拜天", date(2025, 12, 7)),
        ("这周三", date(2025, 12, 10)),
        ("下下周日", date(2025, 12, 28)),
        ("周五", date(2025, 12, 12)),
        ("12月5日（周五）", date(2025, 12, 5)),
    ],
)
def test_a_day_said_for_certain_is_that_day(text: str, day: date) -> None:
    found = read_day(text, BASE)
    assert found is not None
    assert (found.value, found.precise, found.low, found.high) == (day, True, day, day)


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("上周", date(2025, 12, 1), date(2025, 12, 7)),
        ("上个月", date(2025, 11, 1), date(2025, 11, 30)),
        ("前几天", date(2025, 11, 30), BASE),
        ("年底", date(2025, 11, 1), date(2025, 12, 31)),
        ("月底", date(2025, 12, 25), date(2025, 12, 31)),
        ("上个月底", date(2025, 11, 25), date(2025, 11, 30)),
        ("3月上旬", date(2025, 3, 1), date(2025, 3, 10)),
        ("一季度", date(2025, 1, 1), date(2025, 3, 31)),
        ("2024年2月", date(2024, 2, 1), date(2024, 2, 29)),
        ("五六天前", date(2025, 12, 4), date(2025, 12, 5)),
        ("3月5日到8日", date(2025, 3, 5), date(2025, 3, 8)),
        ("上周三至本周五", date(2025, 12, 3), date(2025, 12, 12)),
        ("12月5日之前", None, date(2025, 12, 5)),
        ("12月5日起", date(2025, 12, 5), None),
        ("3/5", date(2025, 3, 5), date(2025, 3, 5)),
        ("28号", date(2025, 12, 28), date(2025, 12, 28)),
        ("3月5日", date(2025, 3, 5), date(2025, 3, 5)),
        ("2月30日", None, None),
        ("农历三月五日", None, None),
        ("国庆", None, None),
    ],
)
def test_what_is_no_certain_day_has_bounds_and_no_value(
    text: str, low: date | None, high: date | None
) -> None:
    found = read_day(text, BASE)
    assert found is not None
    assert (found.value, found.precise, found.low, found.high) == (None, False, low, high)


@pytest.mark.parametrize(
    "text", ["3号楼", "第3条", "5天", "8万", "每周五例会", "目前天气", "今日头条", "1/3%", "回来第5天"]
)
def test_what_is_no_day_is_not_read(text: str) -> None:
    assert [day for day in read_days(text, BASE) if day.precise] == []


@given(st.dates(date(1990, 1, 1), date(2099, 12, 31)), st.dates(date(2000, 1, 1), date(2090, 1, 1)))
def test_every_written_date_comes_back_whatever_the_base(day: date, base: date) -> None:
    for text in (
        f"{day.year}年{day.month}月{day.day}日",
        day.isoformat(),
        f"{day:%Y/%m/%d}",
        f"{day:%Y%m%d}",
    ):
        found = read_day(text, base)
        assert found is not None and found.value == day


@given(st.integers(0, 400), st.dates(date(2000, 1, 1), date(2090, 1, 1)))
def test_days_ago_are_counted_from_the_base(days: int, base: date) -> None:
    found = read_day(f"{days}天前", base)
    assert found is not None and found.value == base - timedelta(days=days)


@given(st.lists(PIECES, max_size=12).map("".join), st.dates())
def test_any_text_has_days_and_lengths_in_place_for_any_base(text: str, base: date) -> None:
    for day in read_days(text, base):
        assert day.text == text[day.start : day.end] != ""
        assert (day.value is not None) == day.precise
        assert day.low is None or day.high is None or day.low <= day.high
    for length in read_durations(text):
        assert length.text == text[length.start : length.end] != ""
        assert length.days is not None or not length.precise


@given(st.text(max_size=40))
def test_any_text_is_counted_without_an_error(text: str) -> None:
    for found in read_integers(text):
        assert found.text == text[found.start : found.end] != ""
    assert read_quantities(text) == [found for found in read_integers(text) if found.measure]


@pytest.mark.parametrize(
    ("text", "days", "precise"),
    [
        ("回来5天了", "5", True),
        ("两周", "14", True),
        ("一个星期", "7", True),
        ("半天", "0.5", True),
        ("半个月", "15", False),
        ("一个月", "30", False),
        ("三个半月", "105", False),
        ("5天左右", "5", False),
        ("不到5天", "5", False),
        ("三五天", None, False),
        ("20多天", None, False),
    ],
)
def test_lengths_are_precise_only_where_they_are_said_so(text: str, days: str | None, precise: bool) -> None:
    (found,) = read_durations(text)
    assert (found.days, found.precise) == (None if days is None else Decimal(days), precise)


@pytest.mark.parametrize("text", ["5天前", "2025年", "3月5日", "第5天", "25年3月", "上半年"])
def test_points_in_time_are_no_lengths(text: str) -> None:
    assert read_durations(text) == []


def test_working_days_are_marked() -> None:
    (found,) = read_durations("3个工作日")
    assert (found.days, found.working, found.precise) == (3, True, False)


@pytest.mark.parametrize(
    ("text", "counted"),
    [
        ("3台服务器", [(3, "台")]),
        ("两份，一式三份", [(2, "份"), (3, "份")]),
        ("两三台", [(None, "台")]),
        ("3-5台", [(None, "台")]),
        ("大约3台", [(None, "台")]),
        ("五千一台", [(1, "台")]),
        ("R750服务器2台", [(2, "台")]),
        ("买了10把椅子", [(10, "把")]),
        ("六台式机", []),
        ("一共、一下、一般", []),
        ("1200元，3%，2025年3月5日，第3条", []),
    ],
)
def test_counts_are_read_with_their_measure(text: str, counted: list[tuple[int | None, str]]) -> None:
    assert [(found.count, found.measure) for found in read_quantities(text)] == counted


@pytest.mark.parametrize(
    ("text", "count"), [("3", 3), ("三", 3), ("就3个吧", 3), ("份数：12", 12), ("两", 2)]
)
def test_an_answer_that_is_a_count_is_one_integer(text: str, count: int) -> None:
    assert [found.count for found in read_integers(text)] == [count]
