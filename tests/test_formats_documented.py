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
OVERVIEW = PAGE[PAGE.index("## 一览") : PAGE.index("## 状态与原因")]
TABLE = [
    [cell.strip() for cell in row.strip("|").split("|")]
    for row in OVERVIEW.splitlines()
    if row.startswith("|") and not row.startswith(("| 格式 |", "|---"))
]
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


@pytest.mark.parametrize("extension", sorted(BY_EXTENSION))
def test_extension_stands_in_one_row_that_says_whether_it_is_read(extension: str) -> None:
    rows = [cells for cells in TABLE if extension in cells[1].split()]
    assert len(rows) == 1
    assert rows[0][2].startswith("否") is (BY_EXTENSION[extension] not in PARSERS)


def test_every_extension_of_the_table_is_known_to_the_code() -> None:
    listed = {extension for cells in TABLE for extension in cells[1].split()}
    assert listed == set(BY_EXTENSION)
