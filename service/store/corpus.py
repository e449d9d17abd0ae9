"""What retrieval reads from the record: who answers, how frequent terms are, and the text of hits."""

from collections.abc import Mapping, Sequence

from sqlalchemy import select

from ingestion.documents import Chunk
from ingestion.index.keyword import TermStatistics
from service.store import term_stats
from service.store.catalogue import Catalogue, RevisionFacts
from service.store.database import Database
from service.store.models import ChunkRow
from service.store.publishing import chunk_of

_IN_LIMIT = 500


class StoredCorpus:
    """`service.retrieval.protocols.Corpus` over SQL. Who may see what is decided by retrieval."""

    def __init__(self, database: Database, catalogue: Catalogue) -> None:
        self._database = database
        self._catalogue = catalogue

    def live(self) -> Mapping[str, RevisionFacts]:
        return self._catalogue.snapshot().revisions

    def statistics(self, terms: Sequence[int]) -> TermStatistics:
        with self._database.session() as session:
            frequencies = term_stats.frequencies(session, terms)
        return TermStatistics(self._catalogue.snapshot().chunks, frequencies)

    def chunks(self, ids: Sequence[str]) -> Mapping[str, Chunk]:
        found: dict[str, Chunk] = {}
        with self._database.session() as session:
            for start in range(0, len(ids), _IN_LIMIT):
                batch = ids[start : start + _IN_LIMIT]
                rows = session.scalars(select(ChunkRow).where(ChunkRow.id.in_(batch)))
                found.update((row.id, chunk_of(row)) for row in rows)
        return found
