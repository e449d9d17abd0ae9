"""What time a question asks about: meetings of a time are told from times that meetings talked about."""

import json
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.minutes.periods import AskedPeriod, Days, read_period
from service.minutes.plain import plain
from tests.conftest import REPOSITORY

TODAY = date(2026, 11, 16)
LEAST_RIGHT = 0.95  # of all cases; the stub that never sees a period is right on half of them
SETS = ["periods.jsonl", "periods_held.jsonl"]


@dataclass(frozen=True)
class Case:
    """`period` as in the file: first, last, soft, words; None where a question has none."""

    question: str
    period: dict[str, object] | None


@lru_cache
def cases(file: str) -> tuple[Case, ...]:
    lines = (REPOSITORY / "tests" / "cases" / "minutes" / file).read_text(encoding="utf-8").splitlines()
    return tuple(Case(**json.loads(line)) for line in lines)


def shown(found: AskedPeriod | None) -> dict[str, object] | None:
    if found is None:
        return None
    first, last = (day.isoformat() if day else None for day in (found.first, found.last))
    return {"first": first, "last": last, "soft": found.soft, "words": found.words}


@pytest.mark.parametrize("file", SETS)
def test_periods_of_the_cases_are_read_as_a_reader_would(file: str) -> None:
    read = [(case.period, shown(read_period(case.question, TODAY))) for case in cases(file)]
    assert sum(expected == found for expected, found in read) / len(read) >= LEAST_RIGHT


@pytest.mark.parametrize("file", SETS)
def test_a_time_that_was_talked_about_never_excludes_a_meeting(file: str) -> None:
    none = [case.question for case in cases(file) if case.period is None]
    assert len(none) >= 40
    assert [q for q in none if (found := read_period(q, TODAY)) is not None and not found.soft] == []


@pytest.mark.parametrize("file", SETS)
def test_no_period_that_excludes_is_another_than_the_one_asked_for(file: str) -> None:
    """Worse than to miss a period is to look into the wrong one."""
    read = [(case, read_period(case.question, TODAY)) for case in cases(file)]
    hard = [(case, found) for case, found in read if found and not found.soft]
    wrong = [case.question for case, found in hard if shown(found) != case.period]
    assert len(hard) >= 30
    assert len(wrong) <= 1  # one question takes its first time back: 哦不


def test_compared_months_are_parts_of_one_period() -> None:
    found = read_period("澄目续不续约，八月和十一月说的一样吗", TODAY)
    assert found is not None
    assert found.parts == (
        Days(date(2026, 8, 1), date(2026, 8, 31)),
        Days(date(2026, 11, 1), date(2026, 11, 30)),
    )
    assert [found.holds(date(2026, month, 10)) for month in (8, 9, 11)] == [True, False, True]


def test_a_month_beside_one_of_a_year_is_of_that_year() -> None:
    found = read_period("2025年8月和11月的会上张总怎么说", TODAY)
    assert found is not None
    assert (found.first, found.last) == (date(2025, 8, 1), date(2025, 11, 30))


def test_the_last_of_february_beside_a_day_of_a_leap_year_is_that_day_alone() -> None:
    found = read_period("2024年2月1日和2月28日的会上怎么说", TODAY)
    assert found is not None
    assert found.parts[1] == Days(date(2024, 2, 28), date(2024, 2, 28))


@pytest.mark.parametrize(
    ("question", "today", "first"),
    [
        ("12月的会上说了什么", date(2026, 11, 16), date(2025, 12, 1)),
        ("12月的会上说了什么", date(2026, 12, 1), date(2026, 12, 1)),
        ("2月29日的会上说了什么", date(2026, 11, 16), date(2024, 2, 29)),
        ("年底的会上说了什么", date(2026, 3, 1), date(2025, 11, 1)),
        ("最近三个月的会上说了什么", date(2026, 5, 31), date(2026, 2, 28)),
        ("上个季度的会上说了什么", date(2026, 2, 1), date(2025, 10, 1)),
    ],
)
def test_a_time_without_a_year_is_the_last_that_has_begun(question: str, today: date, first: date) -> None:
    found = read_period(question, today)
    assert found is not None
    assert found.first == first


@pytest.mark.parametrize("question", ["2025年2月30日的会上说了什么", "2025年13月的会上说了什么"])
def test_a_day_that_no_calendar_has_bounds_nothing(question: str) -> None:
    found = read_period(question, TODAY)
    assert found is None or (found.first, found.last) == (date(2025, 1, 1), date(2025, 12, 31))


_PIECES = st.sampled_from(
    [
        "2025年", "去年", "今年", "25年", "11月", "6日", "十一月", "二〇二五年", "2025-11", "2025/2/30",
        "9999年", "0001年", "前年", "年底", "上半年", "三季度", "q4", "上个月", "上周二", "昨天", "最近",
        "三个月", "半年", "近", "从", "到", "至", "和", "、", "，", "起", "以来", "之前", "之后", "为止",
        "截至", "就是", "的", "会上", "张总", "说", "讨论", "怎么看", "收入目标", "施行", "的会", "①",
        "㊀", "İ", "ﬀ", "\ud83d",
    ]
)


@given(st.one_of(st.text(), st.lists(_PIECES).map("".join)), st.dates())
def test_any_question_on_any_day_is_read_and_its_spans_are_its_words(question: str, today: date) -> None:
    found = read_period(question, today)
    if found is None:
        return
    assert found.words == "、".join(question[start:end] for start, end in found.spans)
    assert all(0 <= start < end <= len(question) for start, end in found.spans)
    assert all(before[1] <= after[0] for before, after in zip(found.spans, found.spans[1:], strict=False))
    for part in found.parts:
        assert part.first is None or part.last is None or part.first <= part.last
    assert found.first is None or found.last is None or found.first <= found.last


@given(st.text())
def test_one_way_of_writing_keeps_every_offset(text: str) -> None:
    assert len(plain(text)) == len(text)


def test_full_width_and_traditional_forms_are_read_alike() -> None:
    assert plain("２０２５年張啟明說Ｑ３〇") == "2025年张启明说q3零"
