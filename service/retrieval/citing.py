"""From a piece of evidence to the citation that people open: where in which revision its words stand."""

from ingestion.documents import Anchor, Chunk
from service.citations import Citation
from service.retrieval.results import Evidence
from service.retrieval.sentences import Span


def cite(n: int, evidence: Evidence, span: Span, quote: str | None = None) -> Citation:
    """`span` lies in the text of the evidence's chunk. `quote` when it goes on in the chunks that follow."""
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
        quote=chunk.text[span.start : span.end] if quote is None else quote,
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
