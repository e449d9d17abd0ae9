"""Values are shown as a spreadsheet shows them."""

from datetime import date, datetime, time, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingestion.parsers.number_format import CellValue, displayed, is_date_code, plain_number


@pytest.mark.parametrize(
    ("value", "code", "shown"),
    [
        (12.5, "General", "12.5"),
        (80.09999999999999, "General", "80.1"),
        (3.0, "General", "3"),
        (123456789012345.0, "General", "123456789012345"),
        (0.985, "0.0%", "98.5%"),
        (0.985, "0%", "99%"),
        (0.125, "0.00%", "12.50%"),
        (123, "00000", "00123"),
        (1234567.891, "#,##0.00", "1,234,567.89"),
        (1234567, "#,##0", "1,234,567"),
        (12345678, '0.0,,"百万"', "12.3百万"),
        (5, '0"元"', "5元"),
        (1280.5, "¥#,##0.00", "¥1,280.50"),
        (1280.5, "[$¥-804]#,##0.00", "¥1,280.50"),
        (-5, "0.00", "-5.00"),
        (-5, "#,##0;[Red](#,##0)", "(5)"),
        (0, '0;-0;"无"', "无"),
        (7, ";;;", "7"),
        (10**12, "0.00", "1000000000000.00"),
        (10**20, "yyyy/m/d", "100000000000000000000"),
        (1.5, "0.##", "1.5"),
        (1.5, "0." + "0" * 30, "1.5" + "0" * 29),
        (10**15 - 1, "0.000000000000000", "999999999999999.000000000000000"),
        (1.5, "0" + "%" * 700_000, "1.5"),
        (2.0, "0.##", "2"),
        (1.25, "# ?/?", "1.25"),
        (0.00001234, "0.00E+00", "0.00001234"),
        (2.5, "@", "2.5"),
        (True, "General", "TRUE"),
        ("00123", "@", "00123"),
        (date(2024, 3, 1), "yyyy/m/d", "2024/3/1"),
        (date(2024, 3, 1), 'yyyy"年"m"月"d"日"', "2024年3月1日"),
        (date(2024, 3, 1), "General", "2024-03-01"),
        (datetime(2024, 3, 1, 9, 5), "General", "2024-03-01 09:05"),
        (datetime(2024, 3, 1, 9, 5), "yyyy-mm-dd hh:mm", "2024-03-01 09:05"),
        (datetime(2024, 3, 1, 15, 5), "h:mm AM/PM", "3:05 PM"),
        (datetime(2024, 3, 1, 15, 5), "上午/下午h:mm", "下午3:05"),
        (date(2024, 3, 1), "[$-F800]dddd, mmmm dd, yyyy", "2024年3月1日"),
        (date(2024, 3, 4), "aaaa", "星期一"),
        (45352, "yyyy/m/d", "2024/3/1"),
        (time(12, 30), "h:mm", "12:30"),
        (timedelta(hours=30), "[h]:mm", "30:00"),
        (timedelta(minutes=90, seconds=5), "[h]:mm:ss", "1:30:05"),
    ],
)
def test_a_value_is_shown_as_its_format_says(value: CellValue, code: str, shown: str) -> None:
    assert displayed(value, code) == shown


def test_the_1904_epoch_shifts_serial_dates() -> None:
    assert displayed(0, "yyyy/m/d", epoch_1904=True) == "1904/1/1"


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("yyyy/m/d", True),
        ("h:mm", True),
        ("0.00", False),
        ("General", False),
        ('0"天"', False),
        ("[Red]0", False),
    ],
)
def test_date_codes_are_told_from_number_codes(code: str, expected: bool) -> None:
    assert is_date_code(code) is expected


@given(
    st.one_of(st.integers(-(10**15), 10**15), st.floats(-1e300, 1e300)),
    st.text(alphabet='#0,.%;"元E+-/?@[]$yYmdhs_* ()¥', max_size=14),
)
def test_no_code_ever_breaks_the_reading_of_a_number(value: float, code: str) -> None:
    assert isinstance(displayed(value, code), str)


@given(st.floats(-1e15, 1e15), st.integers(0, 80), st.integers(0, 40), st.integers(0, 9))
def test_no_number_of_places_or_percent_signs_ever_breaks_it(
    value: float, places: int, percents: int, thousands: int
) -> None:
    assert isinstance(displayed(value, f"0.{'0' * places}{',' * thousands}{'%' * percents}"), str)


@given(st.integers(-(10**14), 10**14))
def test_a_plain_integer_keeps_all_its_digits(value: int) -> None:
    assert plain_number(value) == str(value)
