"""How a revision stands on a day; the filter of the list says the same as the word beside each revision."""

from dataclasses import dataclass
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingestion.documents import Revision, RevisionStatus
from service.standing import Standing, standing_of

DAY = date(2026, 6, 1)
days = st.none() | st.integers(-3, 3).map(lambda offset: DAY + timedelta(days=offset))
revisions = st.builds(
    Revision,
    id=st.just("r"),
    document_id=st.just("d"),
    content_sha256=st.just("0"),
    status=st.sampled_from(RevisionStatus),
    effective_from=days,
    effective_to=days,
)


@given(revisions)
def test_in_force_is_always_what_the_revision_itself_says(revision: Revision) -> None:
    assert (standing_of(revision, DAY) is Standing.IN_FORCE) is revision.in_force(DAY)


@dataclass(frozen=True)
class Case:
    status: RevisionStatus
    since: int | None
    until: int | None
    standing: Standing


@pytest.mark.parametrize(
    "case",
    [
        Case(RevisionStatus.ACTIVE, None, None, Standing.IN_FORCE),
        Case(RevisionStatus.ACTIVE, 0, None, Standing.IN_FORCE),
        Case(RevisionStatus.ACTIVE, 1, None, Standing.FUTURE),
        Case(RevisionStatus.SUPERSEDED, None, 1, Standing.IN_FORCE),
        Case(RevisionStatus.SUPERSEDED, None, 0, Standing.ENDED),
        Case(RevisionStatus.ACTIVE, -9, -1, Standing.ENDED),
        Case(RevisionStatus.WITHDRAWN, None, None, Standing.WITHDRAWN),
        Case(RevisionStatus.DRAFT, 1, None, Standing.DRAFT),
        Case(RevisionStatus.ARCHIVED, None, 0, Standing.ARCHIVED),
    ],
)
def test_dates_decide_and_a_status_that_is_never_in_force(case: Case) -> None:
    def on(offset: int | None) -> date | None:
        return None if offset is None else DAY + timedelta(days=offset)

    revision = Revision("r", "d", "0", case.status, on(case.since), on(case.until))
    assert standing_of(revision, DAY) is case.standing
