"""Cutting anew 重新切词: after a change of the dictionary or the stop words, in the index and in SQL.

Only keywords change; the vectors of a chunk, and who may find it, stay as they are.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from ingestion.documents import Chunk
from ingestion.index.keyword import KeywordEncoder
from ingestion.index.schema import Index, Payload, Point, SparseVector, payload_of
from service.library import UPSERT_BATCH
from service.store import publishing
from service.store.catalogue import INDEX_VERSION, change_state
from service.store.database import Database


@dataclass(frozen=True, slots=True)
class Retokenised:
    """`missing` chunks have no point in the index: only a rebuild brings them back."""

    chunks: int = 0
    missing: int = 0

    def __add__(self, other: "Retokenised") -> "Retokenised":
        return Retokenised(self.chunks + other.chunks, self.missing + other.missing)


def _no_fault(_step: str) -> None:
    """The default for `reached`: tests put a process's death here."""


class Retokeniser:
    """Doing it twice changes nothing, so what was interrupted is simply done again."""

    def __init__(
        self,
        database: Database,
        index: Index,
        encoder: KeywordEncoder,
        reached: Callable[[str], None] = _no_fault,
    ) -> None:
        self._database = database
        self._index = index
        self._encoder = encoder
        self._reached = reached

    def run(self, touched: Callable[[str], bool], on_revision: Callable[[int, int], None]) -> Retokenised:
        """Cut the chunks anew whose searched text is `touched`, revision by revision.

        Questions are answered meanwhile. Raises what the index and the database raise; what is done by then
        stays done.
        """
        with self._database.session() as session:
            ids = publishing.published_ids(session)
        total = Retokenised()
        for done, revision_id in enumerate(ids, 1):
            total += self._revision(revision_id, touched)
            on_revision(done, len(ids))
        with self._database.writing(), self._database.session() as session:
            change_state(session, INDEX_VERSION, 1)  # answers found on the way count no more
        return total

    def _revision(self, revision_id: str, touched: Callable[[str], bool]) -> Retokenised:
        """The revision's sums are made of all its chunks; in the index only the touched ones change.

        Cutting holds up no other writer; what it was done for may be gone or changed afterwards.
        """
        with self._database.session() as session:
            found = publishing.published(session, revision_id)
        chunks = found[2] if found else []
        affected = [chunk for chunk in chunks if touched(chunk.searched_text)]
        if not affected:
            return Retokenised()
        keywords = {chunk.id: self._encoder.document(chunk.searched_text) for chunk in chunks}
        with self._database.writing():
            with self._database.session() as session:
                found = publishing.published(session, revision_id)
            if found is None:
                return Retokenised()
            written = self._write(payload_of(found[0], found[1]), affected, keywords)
            self._reached("written")
            with self._database.session() as session:
                publishing.replace_keywords(session, revision_id, list(keywords.values()))
        self._reached("counted")
        return written

    def _write(
        self, payload: Payload, chunks: Sequence[Chunk], keywords: Mapping[str, SparseVector]
    ) -> Retokenised:
        vectors = self._index.vectors([chunk.id for chunk in chunks])
        points = [
            Point(chunk.id, vectors[chunk.id], keywords[chunk.id], payload, chunk.speakers)
            for chunk in chunks
            if chunk.id in vectors
        ]
        for start in range(0, len(points), UPSERT_BATCH):
            self._index.upsert(points[start : start + UPSERT_BATCH])
        return Retokenised(len(points), len(chunks) - len(points))
