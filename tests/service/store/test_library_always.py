"""Whatever is published, withdrawn and deleted, and in what order: the library is as made of what is left."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ingestion.documents import RevisionStatus
from service.access import LOCAL
from service.errors import NotFound
from service.store.publishing import Repealed
from tests.service.store.library_parts import TODAY, LibraryParts, Paper, key

PAPERS = [
    Paper(document=document, text=f"{document} 第 {number} 版", starts=starts, ends=ends, repeals=repeals)
    for document, repeals in (("甲", ()), ("乙", (Repealed("甲", date(2024, 1, 1)),)))
    for number, (starts, ends) in enumerate(
        [
            (None, None),
            (date(2020, 1, 1), date(2021, 1, 1)),
            (date(2022, 1, 1), None),
            (TODAY + timedelta(days=1), None),
        ]
    )
]
DAYS = [
    date(2019, 1, 1),
    date(2020, 6, 1),
    date(2021, 6, 1),
    date(2023, 1, 1),
    TODAY,
    TODAY + timedelta(days=1),
]
STATUSES = [RevisionStatus.ACTIVE, RevisionStatus.WITHDRAWN, RevisionStatus.ARCHIVED, RevisionStatus.DRAFT]


@dataclass(frozen=True)
class Act:
    kind: str
    paper: Paper
    status: RevisionStatus = RevisionStatus.ACTIVE

    def on(self, parts: LibraryParts) -> None:
        if self.kind == "publish":
            parts.publish(self.paper)
        elif self.kind == "status":
            parts.library.set_status(LOCAL, self.paper.id, self.status)
        elif self.kind == "delete revision":
            parts.library.delete_revision(LOCAL, self.paper.id)
        else:
            parts.library.delete_document(LOCAL, key(self.paper.document))


acts = st.builds(
    Act,
    st.sampled_from(["publish", "publish", "publish", "status", "delete revision", "delete document"]),
    st.sampled_from(PAPERS),
    st.sampled_from(STATUSES),
)


def perform(parts: LibraryParts, sequence: Sequence[Act]) -> dict[Paper, RevisionStatus]:
    """What is left at the end, with the status a person gave it, in the order of publishing."""
    left: dict[Paper, RevisionStatus] = {}
    for act in sequence:
        try:
            act.on(parts)
        except NotFound:
            assert act.paper not in left or act.kind == "delete document"
            continue
        if act.kind == "publish":
            left[act.paper] = left.pop(act.paper, RevisionStatus.ACTIVE)
        elif act.kind == "status":
            left[act.paper] = act.status
        elif act.kind == "delete revision":
            del left[act.paper]
        else:
            left = {paper: status for paper, status in left.items() if paper.document != act.paper.document}
    return left


def answers(parts: LibraryParts) -> list[set[str]]:
    return [parts.answering(day) for day in DAYS]


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(sequence=st.lists(acts, min_size=1, max_size=10))
def test_history_leaves_no_trace(parts: LibraryParts, sequence: list[Act]) -> None:
    parts.empty()
    left = perform(parts, sequence)
    parts.check()
    through_history = answers(parts)
    for found in through_history:
        documents = [parts.catalogue.snapshot().revisions[one].document.id for one in found]
        assert len(documents) == len(set(documents))
    parts.empty()
    for paper, status in left.items():
        parts.publish(paper)
        parts.library.set_status(LOCAL, paper.id, status)
    assert answers(parts) == through_history
