"""What is said of a text that is not in force on the asked day."""

from datetime import date, timedelta

import pytest

from ingestion.documents import Chunk, Document, Revision, RevisionStatus
from service.citations import RefusalReason
from service.knowledge.refusing import refuse
from service.retrieval.results import Evidence, Retrieval

TODAY = date.today()
THEN = date(2021, 12, 31)


def said(reason: RefusalReason, day: date, revision: Revision) -> str:
    chunk = Chunk("c", revision.id, 0, (), "车位每月二百元。", 0, 8)
    old = Evidence(chunk, Document("d", "file:///d", "停车管理办法"), revision, 0.9, 0.5, 0.5, 1)
    return refuse(Retrieval((), (), reason, outdated=old, day=day), reason, "行政部").message


def revision(
    starts: date | None, ends: date | None = None, status: RevisionStatus = RevisionStatus.ACTIVE
) -> Revision:
    return Revision("r", "d", "0", status, starts, ends)


def test_a_rule_in_force_today_was_not_in_force_on_the_asked_day() -> None:
    message = said(RefusalReason.NOT_YET_IN_FORCE, THEN, revision(date(2024, 1, 1)))
    assert message.startswith("《停车管理办法》自 2024-01-01 起施行，2021-12-31 时尚未生效")
    assert "现在" not in message and "现行" not in message


@pytest.mark.parametrize(
    ("reason", "ends"),
    [(RefusalReason.REPEALED, date(2020, 1, 1)), (RefusalReason.ONLY_SUPERSEDED, date(2020, 1, 1))],
)
def test_what_had_ended_by_the_asked_day_is_told_of_that_day(reason: RefusalReason, ends: date) -> None:
    message = said(reason, THEN, revision(date(2019, 1, 1), ends))
    assert "2020-01-01" in message and "2021-12-31 有效的" in message and "现行" not in message


def test_today_is_told_of_as_now() -> None:
    today = date.today()  # not TODAY: a run may pass midnight
    message = said(RefusalReason.NOT_YET_IN_FORCE, today, revision(today + timedelta(days=30)))
    assert "现在尚未生效" in message and "现行规定中没有" in message


def test_what_is_archived_is_told_of_without_a_date() -> None:
    aside = revision(date(2027, 1, 1), date(2030, 12, 31), RevisionStatus.ARCHIVED)
    message = said(RefusalReason.ARCHIVED, TODAY, aside)
    assert message.startswith("《停车管理办法》已归档")
    assert "2027" not in message and "2030" not in message and "废止" not in message
