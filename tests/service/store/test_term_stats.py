"""Frequencies: packed and unpacked, added and taken away, always the sum of what is published."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import func, select

from ingestion.documents import RevisionStatus
from ingestion.index.schema import SparseVector
from service.access import LOCAL
from service.errors import NotFound
from service.store import publishing, term_stats
from service.store.database import Database
from service.store.models import TermStatRow
from tests.service.store.library_parts import LibraryParts, Paper, key, words

terms = st.dictionaries(st.integers(0, 2**32 - 1), st.integers(1, 10_000), max_size=30)


@given(terms)
def test_counts_survive_packing(counts: dict[int, int]) -> None:
    assert term_stats.unpack(term_stats.pack(counts)) == counts


def test_no_counts_are_no_counts() -> None:
    assert term_stats.unpack(None) == term_stats.unpack(b"") == {}


def test_a_term_counts_once_a_chunk() -> None:
    counts = term_stats.count_terms([SparseVector((1, 2), (3.0, 1.0)), SparseVector((2,), (9.0,))])
    assert counts == {1: 1, 2: 2}


def test_what_is_added_can_be_taken_away_without_a_trace(database: Database) -> None:
    first = dict.fromkeys(range(2**31, 2**31 + 2_000), 2)
    second = dict.fromkeys(range(2**31 + 1_000, 2**31 + 3_000), 1)
    with database.session() as session:
        term_stats.add(session, first)
        term_stats.add(session, second)
        found = term_stats.frequencies(session, [2**31, 2**31 + 1_500, 2**31 + 2_500, 7, 7])
        assert found == {2**31: 2, 2**31 + 1_500: 3, 2**31 + 2_500: 1}
        term_stats.add(session, first, sign=-1)
        term_stats.add(session, second, sign=-1)
        assert session.scalar(select(func.count()).select_from(TermStatRow)) == 0


def test_every_published_revision_counts_also_one_not_in_force(parts: LibraryParts) -> None:
    draft = Paper(text="住宿 三百", status=RevisionStatus.DRAFT)
    parts.publish(draft, Paper(document="别的", text="住宿 五百\n餐费"))
    (term,) = words("住宿").indices
    with parts.database.session() as session:
        assert term_stats.frequencies(session, [term]) == {term: 2}
    parts.library.delete_document(LOCAL, key(draft.document))
    with parts.database.session() as session:
        assert term_stats.frequencies(session, [term]) == {term: 1}


def test_a_recount_heals_what_drifted(parts: LibraryParts) -> None:
    parts.publish(Paper())
    with parts.database.session() as session:
        term_stats.add(session, {1: 5})
        publishing.recount(session)
    parts.check()


def test_new_keywords_change_the_sums_with_them(parts: LibraryParts) -> None:
    paper = Paper(text="住宿 三百\n住宿 五百")
    parts.publish(paper)
    with parts.database.session() as session:
        publishing.replace_keywords(session, paper.id, [words("出差 住宿"), words("出差")])
    parts.check()
    parts.library.delete_document(LOCAL, key(paper.document))
    parts.check()
    with pytest.raises(NotFound):
        parts.library.delete_document(LOCAL, key(paper.document))
