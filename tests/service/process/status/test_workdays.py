"""Working days, with the holidays and made-up days of the shipped list."""

from datetime import date, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.process.status.errors import StatusMisconfigured
from service.process.status.workdays import WorkDays, load_workdays
from tests.service.process.status.status_parts import SHIPPED_DAYS, written

DAYS = st.dates(date(2026, 1, 1), date(2027, 12, 31))


@pytest.mark.parametrize(
    ("since", "until", "count"),
    [
        (date(2026, 11, 12), date(2026, 11, 16), 2),  # Thursday to Monday
        (date(2026, 11, 13), date(2026, 11, 15), 0),  # a weekend
        (date(2026, 11, 16), date(2026, 11, 16), 0),
        (date(2026, 11, 17), date(2026, 11, 16), 0),
        (date(2026, 9, 30), date(2026, 10, 10), 3),  # the 8th, the 9th and the made-up 10th
        (date(2026, 2, 13), date(2026, 2, 24), 2),  # the made-up 14th and the 24th
    ],
)
def test_days_between(since: date, until: date, count: int) -> None:
    assert SHIPPED_DAYS.between(since, until) == count


@given(DAYS, DAYS, DAYS)
def test_stretches_add_up(first: date, second: date, third: date) -> None:
    low, middle, high = sorted([first, second, third])
    days = SHIPPED_DAYS
    assert days.between(low, high) == days.between(low, middle) + days.between(middle, high)


@given(DAYS)
def test_week_without_a_list_has_five_working_days(day: date) -> None:
    assert WorkDays().between(day, day + timedelta(days=7)) == 5


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("日期,上班\n2026-13-01,否\n", "第 2 行的日期"),
        ("日期,上班\n2026-01-01,休\n", "第 2 行的“上班”"),
        ("day,work\n2026-01-01,是\n", "第 2 行的日期"),
    ],
)
def test_faulty_list_is_refused_with_its_row(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(StatusMisconfigured, match=said):
        load_workdays(written(tmp_path, "workdays.csv", text))


def test_list_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StatusMisconfigured, match="读不出来"):
        load_workdays(tmp_path / "absent.csv")
