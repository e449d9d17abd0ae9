"""What retrieval reads from the record: who answers, how frequent terms are, and the text of hits."""

from collections.abc import Mapping, Sequence

from ingestion.documents import Chunk
from ingestion.index.keyword import TermStatistics
from service.store import term_stats
from service.store.catalogue import Catalogue, RevisionFacts
from service.store.database import Database
from service.store.publishing import chunks_of


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
        with self._database.session() as session:
            return chunks_of(session, ids)
