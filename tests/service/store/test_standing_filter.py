"""The list filtered by standing holds exactly the documents with a revision that is called so."""

from datetime import date, timedelta

import pytest

from ingestion.documents import RevisionStatus
from service.access import LOCAL
from service.standing import Standing, standing_of
from tests.service.store.library_parts import LibraryParts, Paper

DAY = date(2026, 6, 1)
LATER = DAY + timedelta(days=1)


@pytest.fixture
def filled(parts: LibraryParts) -> LibraryParts:
    parts.publish(
        Paper(document="换版", text="旧 换版", starts=date(2020, 1, 1)),
        Paper(document="换版", text="新 换版", starts=DAY),
        Paper(document="待换", text="旧 待换"),
        Paper(document="待换", text="新 待换", starts=LATER),
        Paper(document="常设", text="常设 制度"),
    )
    for number, status in enumerate((RevisionStatus.WITHDRAWN, RevisionStatus.ARCHIVED)):
        paper = Paper(document=f"停用{number}", text=f"停用 {number}")
        parts.publish(paper)
        parts.library.set_status(LOCAL, paper.id, status)
    return parts


@pytest.mark.parametrize("day", [date(2019, 1, 1), DAY - timedelta(days=1), DAY, LATER])
@pytest.mark.parametrize("standing", Standing)
def test_the_filter_and_the_word_agree_on_every_day(
    filled: LibraryParts, standing: Standing, day: date
) -> None:
    everything = filled.documents.page(LOCAL).items
    expected = {
        stored.document.title
        for stored in everything
        if any(standing_of(item.revision, day) is standing for item in stored.revisions)
    }
    found = filled.documents.page(LOCAL, standing=standing, day=day)
    assert {stored.document.title for stored in found.items} == expected
    assert found.total == len(expected)


def test_a_superseded_revision_that_is_still_in_force_is_found_as_such(filled: LibraryParts) -> None:
    found = filled.documents.page(LOCAL, standing=Standing.IN_FORCE, day=DAY).items
    assert {stored.document.title for stored in found} == {"换版", "待换", "常设"}
