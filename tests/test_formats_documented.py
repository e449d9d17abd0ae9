"""docs/formats.md names every format that is read, every state and reason, and everything that is dropped."""

import re

import pytest

from ingestion.cleaning import Noise
from ingestion.documents import FailureReason, FileState
from ingestion.parsers.detect import BY_EXTENSION
from ingestion.parsers.html_page import BOILERPLATE
from ingestion.parsers.registry import PARSERS
from tests.conftest import REPOSITORY

PAGE = (REPOSITORY / "docs" / "formats.md").read_text(encoding="utf-8")
BOOKED = re.compile(r"(?:\bdrop|leave_out|LeftOut)\((?:[^()]|\([^()]*\))*?\"(?P<reason>[a-z]+(?:_[a-z]+)*)\"")


def reasons_in_the_code() -> set[str]:
    """The enumerated reasons, and those a parser gives as a plain word."""
    sources = (REPOSITORY / "ingestion").rglob("*.py")
    code = "\n".join(path.read_text(encoding="utf-8") for path in sources)
    found = {match["reason"] for match in BOOKED.finditer(code)}
    return found | set(Noise) | set(BOILERPLATE.values())


def test_the_search_for_reasons_finds_those_of_each_format() -> None:
    assert {"tracked_deletion", "hidden_sheet", "front_matter", "unread"} <= reasons_in_the_code()


@pytest.mark.parametrize("reason", sorted(reasons_in_the_code()))
def test_reason_for_dropping_text_is_explained(reason: str) -> None:
    assert f"`{reason}`" in PAGE


@pytest.mark.parametrize("code", [*FileState, *FailureReason])
def test_state_and_reason_of_a_file_are_explained(code: str) -> None:
    assert f"| `{code}` |" in PAGE


@pytest.mark.parametrize("extension", sorted(ext for ext, kind in BY_EXTENSION.items() if kind in PARSERS))
def test_extension_that_is_read_stands_in_a_row_that_says_so(extension: str) -> None:
    rows = [row for row in PAGE.splitlines() if re.search(rf"\| [a-z ]*\b{extension}\b[a-z ]* \| 是", row)]
    assert len(rows) == 1


@pytest.mark.parametrize("extension", ["pptx", "doc", "ppt", "eml", "msg", "ofd", "rtf"])
def test_extension_that_is_not_read_stands_in_a_row_that_says_so(extension: str) -> None:
    is_read = BY_EXTENSION[extension] in PARSERS
    rows = [row for row in PAGE.splitlines() if row.startswith("|")]
    row = next(row for row in rows if re.search(rf"\b{extension}\b", row))
    assert ("| 否" in row) is not is_read
