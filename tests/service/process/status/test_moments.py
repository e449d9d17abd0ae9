"""Times as approval systems write them."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.process.status.moments import read_moment, zone_of
from tests.service.process.status.status_parts import CHINA, at

NOON = at("2026-11-12 12:00")


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("2026-11-12 12:00", "iso"),
        ("2026-11-12T12:00:00", "iso"),
        ("2026-11-12T04:00:00+00:00", "iso"),
        ("2026-11-12T04:00:00Z", "iso"),
        ("2026/11/12 12:00", "iso"),
        ("2026/11/12 12:00:00", "iso"),
        ("1794456000", "epoch_s"),
        ("1794456000000", "epoch_ms"),
        ("12.11.2026 12h", "%d.%m.%Y %Hh"),
    ],
)
def test_noon_is_read_in_every_form(text: str, form: str) -> None:
    assert read_moment(text, form, CHINA) == NOON


@pytest.mark.parametrize("form", ["iso", "epoch_s", "epoch_ms", "%Y"])
@pytest.mark.parametrize("text", ["", " ", "0"])
def test_nothing_and_zero_are_no_time(text: str, form: str) -> None:
    assert read_moment(text, form, CHINA) is None


def test_day_alone_is_its_midnight() -> None:
    assert read_moment("2026/11/12", "iso", CHINA) == at("2026-11-12 00:00")


@pytest.mark.parametrize("form", ["iso", "epoch_s", "epoch_ms", "%Y-%m-%d"])
@given(text=st.text(max_size=25) | st.floats().map(str) | st.integers().map(str))
def test_anything_else_is_a_value_error_and_nothing_worse(form: str, text: str) -> None:
    try:
        moment = read_moment(text, form, CHINA)
    except ValueError:
        return
    assert moment is None or moment.tzinfo is not None


@given(st.datetimes(datetime(1990, 1, 1), datetime(2100, 1, 1)))
def test_milliseconds_go_there_and_back(moment: datetime) -> None:
    known = moment.replace(microsecond=0, tzinfo=UTC)
    written = str(int(known.timestamp() * 1000))
    assert read_moment(written, "epoch_ms", CHINA) == known


def test_zone_is_an_offset_or_a_name() -> None:
    assert NOON.replace(tzinfo=zone_of("+08:00")).utcoffset() == timedelta(hours=8)
    assert NOON.replace(tzinfo=zone_of("Asia/Shanghai")).utcoffset() == timedelta(hours=8)


@pytest.mark.parametrize("text", ["", "北京", "+25", "../etc", "/etc/passwd"])
def test_zone_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        zone_of(text)
