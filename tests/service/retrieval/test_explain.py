"""The condition that took a passage out is one by which the index leaves it out, and no other is named."""

from collections.abc import Iterator
from datetime import UTC, date, datetime

import numpy as np
import pytest

from ingestion.documents import Document, Revision
from ingestion.index.edge import EdgeIndex
from ingestion.index.schema import Filter, Point, SparseVector, payload_of
from service.evaluation.workbench import Held
from service.retrieval.explain import removed_by

DAY = date(2026, 7, 1)
EVERYWHERE = np.ones(4, dtype=np.float32) / 2


def held(key: str, updated: datetime | None, starts: date | None, **facts: str) -> Held:
    document = Document(key, f"file:///{key}", key, source_updated_at=updated, **facts)  # type: ignore[arg-type]
    return Held(document, Revision(f"r-{key}", key, "0", effective_from=starts))


HELD = {
    each.revision.id: each
    for each in (
        held("dated", datetime(2025, 3, 1, tzinfo=UTC), date(2025, 1, 1), owner="王五", issuer="总经办"),
        held("undated", None, None, business_line="行政"),
        held("other", datetime(2024, 3, 1, tzinfo=UTC), date(2024, 1, 1), knowledge_base="别的库"),
    )
}
SPEAKING = {"r-dated": ("王五", "赵六")}
FILTERS = {
    "knowledge_bases": Filter(knowledge_bases=("default",)),
    "kinds": Filter(kinds=("minutes",)),
    "document_ids": Filter(document_ids=("dated",)),
    "revision_ids": Filter(revision_ids=()),
    "business_lines": Filter(business_lines=("行政",)),
    "issuers": Filter(issuers=("总经办",)),
    "owners": Filter(owners=("王五", "赵六")),
    "speakers": Filter(speakers=("王五",)),
    "meetings": Filter(meetings=("周会",)),
    "meeting_from": Filter(meeting_from=date(2020, 1, 1)),
    "meeting_to": Filter(meeting_to=date(2030, 1, 1)),
    "source_updated_from": Filter(source_updated_from=date(2025, 1, 1)),
    "source_updated_to": Filter(source_updated_to=date(2025, 1, 1)),
    "effective_since": Filter(effective_since=date(2025, 1, 1)),
}


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EdgeIndex]:
    opened = EdgeIndex(tmp_path_factory.mktemp("explain") / "index", "test", 4)
    points = [
        Point(
            f"00000000-0000-0000-0000-00000000000{n}",
            EVERYWHERE,
            SparseVector((1,), (1.0,)),
            payload_of(each.document, each.revision),
            SPEAKING.get(key, ()),
        )
        for n, (key, each) in enumerate(HELD.items())
    ]
    opened.upsert(points)
    yield opened
    opened.close()


@pytest.mark.parametrize("name", FILTERS)
def test_what_the_index_leaves_out_is_named_with_the_condition(index: EdgeIndex, name: str) -> None:
    found = {hit.revision_id for hit in index.search_dense(EVERYWHERE, FILTERS[name], 10)}
    told = {key: removed_by(each, FILTERS[name], DAY, SPEAKING.get(key, ())) for key, each in HELD.items()}
    assert told == {key: "" if key in found else name for key in HELD}
    assert len(found) < len(HELD)


def test_who_speaks_is_no_reason_against_a_passage_that_was_not_read() -> None:
    assert removed_by(HELD["r-dated"], FILTERS["speakers"], DAY) == ""


def test_what_passes_every_condition_fails_by_its_day_alone() -> None:
    assert removed_by(HELD["r-dated"], Filter(), date(2024, 12, 31)) == "in_force_on"
    assert removed_by(HELD["r-dated"], Filter(), DAY) == ""
