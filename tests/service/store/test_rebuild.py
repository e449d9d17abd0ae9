"""Making the index again from SQL, while the library goes on living."""

from collections.abc import Sequence

import numpy as np

from ingestion.analyzer import Analyzer
from ingestion.index.keyword import KeywordEncoder, token_id
from ingestion.protocols import Vectors
from service.access import LOCAL
from service.store import publishing, term_stats
from tests.service.store.library_parts import (
    DIMENSIONS,
    LibraryParts,
    Paper,
    direction,
    key,
)

FIRST = Paper(document="差旅费管理办法", text="住宿 标准 三百\n交通 二等")
SECOND = Paper(document="请假制度", text="年假 五天")
THIRD = Paper(document="考勤制度", text="迟到 三次")


class Directions:
    """An embedder; `meanwhile` runs before it answers for the n-th time."""

    name = "test"
    dimensions = DIMENSIONS

    def __init__(self) -> None:
        self.meanwhile = lambda: None

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        self.meanwhile()
        self.meanwhile = lambda: None
        return np.array([direction(text) for text in texts], dtype=np.float32)

    embed_queries = embed_passages


class Blanks(Analyzer):
    """Cuts at blanks only."""

    def __init__(self) -> None:
        pass

    def tokens(self, text: str) -> list[str]:
        return text.split()


def rebuild(parts: LibraryParts, embedder: Directions) -> int:
    return parts.library.rebuild(LOCAL, embedder, KeywordEncoder(Blanks()))


def test_a_lost_index_is_made_again(parts: LibraryParts) -> None:
    parts.publish(FIRST, SECOND)
    before = parts.catalogue.snapshot().version
    parts.index.delete_points(sorted(parts.index.ids()))
    assert parts.answering() == set()
    assert rebuild(parts, Directions()) == 3
    assert parts.answering() == {FIRST.id, SECOND.id}
    assert parts.catalogue.snapshot().version > before
    parts.check()


def test_points_that_no_row_knows_are_dropped(parts: LibraryParts) -> None:
    parts.publish(FIRST)
    points = parts.index.ids()
    parts.publish(SECOND)
    with parts.database.session() as session:
        publishing.mark_deleting(session, [SECOND.id])
        publishing.discard(session, SECOND.id)
    rebuild(parts, Directions())
    assert parts.index.ids() == points


def test_documents_deleted_and_published_meanwhile_end_as_they_should(parts: LibraryParts) -> None:
    parts.publish(FIRST, SECOND)
    embedder = Directions()

    def meanwhile() -> None:
        parts.library.delete_document(LOCAL, key(FIRST.document))
        parts.library.delete_document(LOCAL, key(SECOND.document))
        parts.publish(THIRD)

    embedder.meanwhile = meanwhile
    rebuild(parts, embedder)
    assert parts.answering() == {THIRD.id}
    parts.check()


def test_a_new_tokeniser_changes_the_frequencies_with_the_vectors(parts: LibraryParts) -> None:
    parts.publish(FIRST)
    rebuild(parts, Directions())
    term = token_id("总则")  # the heading is searched as well, which the drafts of these tests leave out
    with parts.database.session() as session:
        assert term_stats.frequencies(session, [term]) == {term: 2}
    parts.check()
