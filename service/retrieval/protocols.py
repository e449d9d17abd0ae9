"""What retrieval needs from outside: the corpus behind the index, and a reranker if there is one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from ingestion.documents import Chunk, Document, Revision
from ingestion.index.keyword import TermStatistics


class Source(Protocol):
    """A published revision and its document."""

    @property
    def document(self) -> Document: ...

    @property
    def revision(self) -> Revision: ...


class Corpus(Protocol):
    """The record. Only what `live` names may be shown, whatever the index returns."""

    def live(self) -> Mapping[str, Source]:
        """Every published revision by its id, as one consistent snapshot. Called once per question."""
        ...

    def statistics(self, terms: Sequence[int]) -> TermStatistics:
        """Document frequencies of these token ids over all published chunks."""
        ...

    def chunks(self, ids: Sequence[str]) -> Mapping[str, Chunk]:
        """The chunks with these ids; unknown ids are absent."""
        ...


class Reranker(Protocol):
    def score(self, question: str, texts: Sequence[str]) -> list[float]:
        """One score per text, higher is better, on any scale. Raises RerankFailure."""
        ...


class RerankFailure(Exception):
    """The reranker was too slow or broken; the fused order stands."""


@dataclass(frozen=True, slots=True)
class Question:
    """`text` as asked; `standalone` the same question made independent of the conversation, if it differs."""

    text: str
    standalone: str = ""

    @property
    def wordings(self) -> tuple[str, ...]:
        """What is searched, without repeats."""
        return tuple(dict.fromkeys(part for part in (self.standalone.strip(), self.text.strip()) if part))
