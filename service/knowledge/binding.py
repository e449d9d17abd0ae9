"""Numbers for passages, and citations bound to spans of the canonical text while an answer is made."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ingestion.documents import Anchor, Chunk
from service.citations import Citation, Reference
from service.retrieval.results import Evidence
from service.retrieval.sentences import Span

SNIPPET = 160  # characters of a reference shown without a click


@dataclass(frozen=True, slots=True)
class Bound:
    """Passages by the number an answer cites them with: the rank they were found at."""

    by_number: Mapping[int, Evidence]

    @property
    def references(self) -> tuple[Reference, ...]:
        return tuple(reference(n, evidence) for n, evidence in self.by_number.items())

    def headings(self, n: int) -> str:
        evidence = self.by_number[n]
        where = " > ".join(evidence.chunk.heading_path)
        return "\n".join(part for part in (evidence.document.title, where, evidence.chunk.context) if part)


def number(evidence: Sequence[Evidence]) -> Bound:
    return Bound({item.rank: item for item in evidence})


def reference(n: int, evidence: Evidence) -> Reference:
    chunk, revision = evidence.chunk, evidence.revision
    return Reference(
        n=n,
        document_id=evidence.document.id,
        document_name=evidence.document.title,
        revision_id=revision.id,
        revision=revision.label,
        effective_from=revision.effective_from,
        effective_to=revision.effective_to,
        status=revision.status.value,
        chunk_id=chunk.id,
        heading_path=chunk.heading_path,
        snippet=chunk.text[:SNIPPET],
        score=round(evidence.score, 4),
        issuer=evidence.document.issuer,
    )


def bind(bound: Bound, n: int, span: Span) -> Citation:
    """The citation of `span` (offsets into passage `n`'s text). Its quote is verbatim by construction."""
    evidence = bound.by_number[n]
    chunk, revision = evidence.chunk, evidence.revision
    return Citation(
        n=n,
        document_id=evidence.document.id,
        document_name=evidence.document.title,
        revision_id=revision.id,
        revision=revision.label,
        effective_from=revision.effective_from,
        effective_to=revision.effective_to,
        status=revision.status.value,
        chunk_id=chunk.id,
        heading_path=chunk.heading_path,
        anchor=anchor_of(chunk, span),
        quote=chunk.text[span.start : span.end],
        char_start=chunk.char_start + span.start,
        char_end=chunk.char_start + span.end,
        score=round(evidence.score, 4),
        verified=True,
    )


def anchor_of(chunk: Chunk, span: Span) -> Anchor:
    """Where in the file the span begins: the anchor of the block that holds its first character."""
    start = chunk.char_start + span.start
    holding = [anchor for anchor in chunk.anchors if anchor.char_start <= start < anchor.char_end]
    return holding[0] if holding else next(iter(chunk.anchors), Anchor(chunk.char_start, chunk.char_end))
