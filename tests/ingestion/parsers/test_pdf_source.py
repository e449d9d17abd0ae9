"""What a PDF says about itself: dates, labels, the second count."""

from datetime import UTC, datetime

import pytest

from ingestion.documents import count_chars
from ingestion.parsers.pdf import parse
from ingestion.parsers.pdf_source import pdf_date, second_count
from tests.ingestion.parsers.drawn_pdf import Page, draw


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("D:20240101093000+08'00'", datetime(2024, 1, 1, 1, 30, tzinfo=UTC)),
        ("D:20231231235959Z", datetime(2023, 12, 31, 23, 59, 59, tzinfo=UTC)),
        ("D:20240229", datetime(2024, 2, 29, tzinfo=UTC)),
        ("2021", datetime(2021, 1, 1, tzinfo=UTC)),
        ("D:20230229", None),
        ("yesterday", None),
        ("", None),
    ],
)
def test_dates_are_utc_and_nonsense_is_none(text: str, wanted: datetime | None) -> None:
    assert pdf_date(text) == wanted


def on(sheet: Page) -> None:
    sheet.latin(72, 100, ["Twenty characters are here"], 12, 20)


def test_equal_counts_are_no_finding() -> None:
    assert second_count(draw(on, on), None, [count_chars("Twenty characters are here")] * 2) is None


def test_a_gap_over_two_percent_is_a_finding_that_names_the_page() -> None:
    finding = second_count(draw(on), None, [40])
    assert finding is not None
    assert "第 1 页" in finding
    assert "2%" in finding


def test_a_file_pypdf_cannot_read_is_a_finding_and_no_error() -> None:
    finding = second_count(b"%PDF-1.4 nothing", None, [10])
    assert finding is not None
    assert "pypdf" in finding


def test_metadata_has_the_page_count_and_the_creation_date() -> None:
    metadata = parse(draw(on, on)).metadata
    assert metadata.page_count == 2
    assert metadata.created is not None
