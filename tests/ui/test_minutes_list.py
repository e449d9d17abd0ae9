"""What is looked for in the list of meetings."""

from datetime import date

import pytest

from service.ui.minutes_list import Wanted, fitting
from tests.ui.meetings import line

SPRING = line("预算会 2026 Q1", date(2026, 3, 2), "张总", "李四")
AUTUMN = line("定价会", date(2026, 9, 1), "王芳")
UNDATED = line("茶话会", None)
ALL = [AUTUMN, SPRING, UNDATED]


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        (Wanted(), ALL),
        (Wanted("预算"), [SPRING]),
        (Wanted("王芳"), [AUTUMN]),
        (Wanted("q1 张总"), [SPRING]),
        (Wanted("预算 王芳"), []),
        (Wanted(first=date(2026, 3, 2)), [AUTUMN, SPRING]),
        (Wanted(last=date(2026, 3, 2)), [SPRING]),
        (Wanted(first=date(2026, 3, 3), last=date(2026, 8, 31)), []),
    ],
    ids=["all", "title", "speaker", "both", "not in one", "from", "until", "between"],
)
def test_every_word_and_both_days_have_to_fit(wanted: Wanted, found: list[object]) -> None:
    assert fitting(ALL, wanted) == found
