"""Why a passage that is not in force does not answer: the status a person set goes before every date."""

from collections.abc import Iterator
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingestion.analyzer import Analyzer
from ingestion.documents import Document, Revision, RevisionStatus
from ingestion.index.embedding import BuiltinEmbedder
from ingestion.index.keyword import KeywordEncoder
from ingestion.terms import load_terms
from service.citations import RefusalReason
from service.config import ASSETS
from service.evaluation.rows import CorpusRow
from service.evaluation.workbench import Held, Workbench, workbench
from service.retrieval.calibration import load_calibration
from service.retrieval.protocols import Question
from service.retrieval.validity import reason_of

DAY = date(2026, 7, 1)
DATES = st.one_of(st.none(), st.dates(date(2015, 1, 1), date(2035, 1, 1)))
TEXT = "员工车位每月收费二百元"
PUT_ASIDE = (RevisionStatus.WITHDRAWN, RevisionStatus.ARCHIVED)


def held(status: RevisionStatus, starts: date | None, ends: date | None) -> Held:
    return Held(Document("d", "file:///d", "停车管理办法"), Revision("r", "d", "0", status, starts, ends))


@given(DATES, DATES)
def test_what_is_archived_is_never_said_to_start_or_end(starts: date | None, ends: date | None) -> None:
    source = held(RevisionStatus.ARCHIVED, starts, ends)
    assert reason_of(source, {"r": source}, DAY) is RefusalReason.ARCHIVED


@pytest.mark.parametrize(
    ("starts", "ends", "reason"),
    [
        (date(2027, 1, 1), None, RefusalReason.NOT_YET_IN_FORCE),
        (date(2020, 1, 1), date(2025, 1, 1), RefusalReason.REPEALED),
    ],
)
def test_dates_decide_for_what_nobody_put_aside(
    starts: date, ends: date | None, reason: RefusalReason
) -> None:
    source = held(RevisionStatus.ACTIVE, starts, ends)
    assert reason_of(source, {"r": source}, DAY) is reason


@pytest.fixture(scope="module", params=PUT_ASIDE)
def put_aside(request: pytest.FixtureRequest) -> Iterator[Workbench]:
    encoder = KeywordEncoder(Analyzer(load_terms(ASSETS / "data" / "terms")))
    calibration = load_calibration(ASSETS / "data" / "retrieval", "builtin")
    rows = [
        CorpusRow(doc_id="parking", title="停车管理办法", text=TEXT, status=request.param.value),
        CorpusRow(doc_id="canteen", title="食堂就餐须知", text="食堂早餐供应时间为七点半到九点。"),
    ]
    with workbench(rows, BuiltinEmbedder(), encoder, calibration) as built:
        yield built


def test_the_archived_is_told_of_and_the_withdrawn_is_not(put_aside: Workbench) -> None:
    (source,) = (s for s in put_aside.corpus.sources.values() if s.document.title == "停车管理办法")
    found = put_aside.retriever.retrieve(Question(f"是否仍规定“{TEXT}”？"), None, day=DAY)
    assert found.evidence == ()
    if source.revision.status is RevisionStatus.ARCHIVED:
        assert found.reason is RefusalReason.ARCHIVED and found.outdated is not None
    else:
        assert found.reason is RefusalReason.BELOW_THRESHOLD and found.outdated is None
