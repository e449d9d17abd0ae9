"""The answer cache 答案缓存: who asks the same, under the same conditions, gets the same answer.

The conditions are the version of the index, what the reader may see, the day whose rules are asked for, the
filters and the engine; any publishing, withdrawal or deletion makes a new version, with which every older
answer dies. Sameness of questions is `sameness`'s to judge; nearness of meaning must agree.
"""

import hashlib
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from threading import Lock

from pydantic import JsonValue

from ingestion.analyzer import Analyzer, simplify
from ingestion.index.schema import Filter
from ingestion.protocols import Embedder
from service.sameness import Asked, Reader, same
from service.store.answers import AnswerStore, Kept

_SCOPES = 64  # whose questions are held in memory


@dataclass(frozen=True, slots=True)
class Conditions:
    """All an answer is true under but its question; `readable` are labels of documents, sorted."""

    index_version: int
    readable: tuple[str, ...]
    day: date
    day_is_named: bool  # an answer for a named day says so
    filters: Filter
    engine: str

    @property
    def digest(self) -> str:
        day = (self.day.isoformat(), self.day_is_named)
        facts = (self.index_version, self.readable, day, self.filters, self.engine)
        return hashlib.sha256(repr(facts).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class _Entry:
    kept: Kept
    asked: Asked


class AnswerCache:
    """Thread-safe. `similarity` is the least cosine of two questions, calibrated per embedding."""

    def __init__(self, store: AnswerStore, reader: Reader, embedder: Embedder, similarity: float) -> None:
        self._store = store
        self._reader = reader
        self._embedder = embedder
        self._similarity = similarity
        self._held: OrderedDict[str, list[_Entry]] = OrderedDict()
        self._lock = Lock()

    def read_with(self, analyzer: Analyzer, equivalents: Mapping[str, str] | None = None) -> None:
        """Judge by another vocabulary, None for the same equivalents as before. Answers judged by the former
        one must be of older conditions."""
        self._reader = self._reader.revised(analyzer, equivalents)

    def find(self, conditions: Conditions, question: str) -> Mapping[str, JsonValue] | None:
        """The answer given to this question, or to one that asks the same; None when there is none."""
        asked = self._reader.read(question)
        alike = [entry for entry in self._entries(conditions.digest) if same(asked, entry.asked)]
        if not alike:
            return None
        vector = self._embedder.embed_queries([simplify(question)])[0]
        nearest = max(alike, key=lambda entry: float(entry.kept.vector @ vector))
        if float(nearest.kept.vector @ vector) < self._similarity or not self._store.used(nearest.kept.id):
            return None
        return nearest.kept.answer

    def keep(self, conditions: Conditions, question: str, answer: Mapping[str, JsonValue]) -> None:
        vector = self._embedder.embed_queries([simplify(question)])[0]
        digest = conditions.digest
        entries = self._entries(digest)
        kept = self._store.keep(digest, conditions.index_version, question, vector, answer)
        entry = _Entry(kept, self._reader.read(question))
        with self._lock:
            self._held[digest] = [*(e for e in entries if e.kept.id != kept.id), entry]

    def clear(self) -> int:
        with self._lock:
            self._held.clear()
        return self._store.clear()

    def _entries(self, digest: str) -> list[_Entry]:
        """What is held of these conditions; what another replica has kept since is found after a restart."""
        with self._lock:
            held = self._held.get(digest)
            if held is not None:
                self._held.move_to_end(digest)
                return held
        loaded = [_Entry(kept, self._reader.read(kept.question)) for kept in self._store.of_scope(digest)]
        with self._lock:
            self._held.setdefault(digest, loaded)
            while len(self._held) > _SCOPES:
                self._held.popitem(last=False)
            return self._held.get(digest, loaded)
