"""docs/architecture.md draws the layers that `test_layers` asserts, and points at files that exist."""

import re
from pathlib import Path

import pytest

from tests.conftest import REPOSITORY
from tests.test_layers import LAYERS

DOCS = REPOSITORY / "docs"
PAGE = (DOCS / "architecture.md").read_text(encoding="utf-8")
PAGES = [REPOSITORY / "README.md", REPOSITORY / "CONTRIBUTING.md", *sorted(DOCS.rglob("*.md"))]
LINK = re.compile(r"!?\[[^\]]*\]\(<?([^)#>\s]+)>?(?:#[^)]*)?\)")


def test_table_of_layers_is_the_one_that_is_asserted() -> None:
    rows = re.findall(r"^\| \d+ \| (.+) \|$", PAGE, re.M)
    assert [set(re.findall(r"`([a-z.]+)`", row)) for row in rows] == LAYERS


@pytest.mark.parametrize(
    "path", sorted(set(re.findall(r"`((?:service|ingestion|prompts|data)/[\w/.]*)`", PAGE)))
)
def test_path_named_in_the_page_exists(path: str) -> None:
    assert (REPOSITORY / path).exists()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(REPOSITORY)))
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    targets = [link for link in LINK.findall(page.read_text(encoding="utf-8")) if "://" not in link]
    assert [link for link in targets if not (page.parent / link).exists()] == []
