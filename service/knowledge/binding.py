"""Numbers for passages, and citations bound to spans of the canonical text while an answer is made."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ingestion.documents import Chunk
from service.citations import Citation, Reference
from service.knowledge.verification import Passage
from service.retrieval.citing import cite
from service.retrieval.results import Evidence
from service.retrieval.sentences import Span

SNIPPET = 160  # characters of a reference shown without a click


@dataclass(frozen=True, slots=True)
class Part:
    """One chunk of a joined passage: where its text begins there, and the number it was found under."""

    start: int
    n: int


@dataclass(frozen=True, slots=True)
class Joined:
    """Neighbouring chunks of one section, as one passage; most are of one chunk only."""

    text: str
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Bound:
    """Passages by the number an answer cites them with: the rank they were found at.

    `joined` is what a model is shown: chunks that follow each other stand as one passage under the best of
    their numbers.
    """

    by_number: Mapping[int, Evidence]
    joined: Mapping[int, Joined]

    @property
    def references(self) -> tuple[Reference, ...]:
        return tuple(reference(n, evidence) for n, evidence in self.by_number.items())

    @property
    def passages(self) -> dict[int, Passage]:
        return {n: Passage(joined.text, self.headings(n)) for n, joined in self.joined.items()}

    def headings(self, n: int) -> str:
        evidence = self.by_number[n]
        where = " > ".join(evidence.chunk.heading_path)
        return "\n".join(part for part in (evidence.document.title, where, evidence.chunk.context) if part)


def number(evidence: Sequence[Evidence]) -> Bound:
    return Bound({item.rank: item for item in evidence}, _joined(evidence))


def _joined(evidence: Sequence[Evidence]) -> dict[int, Joined]:
    runs: list[list[Evidence]] = []
    for item in sorted(evidence, key=lambda item: (item.revision.id, item.chunk.ordinal)):
        if runs and _follows(item.chunk, runs[-1][-1].chunk):
            runs[-1].append(item)
        else:
            runs.append([item])
    return {_best(run): _as_one(run) for run in sorted(runs, key=_best)}


def _best(run: Sequence[Evidence]) -> int:
    return min(item.rank for item in run)


def _follows(later: Chunk, earlier: Chunk) -> bool:
    """Of one section and under one table header, with nothing between them but a line's end."""
    same = (later.revision_id, later.heading_path, later.context, later.ordinal) == (
        earlier.revision_id,
        earlier.heading_path,
        earlier.context,
        earlier.ordinal + 1,
    )
    return same and later.char_start - earlier.char_end in (0, 1)


def _as_one(run: Sequence[Evidence]) -> Joined:
    begin = run[0].chunk.char_start
    text, parts = "", []
    for item in run:
        start = item.chunk.char_start - begin
        text = text.ljust(start, "\n") + item.chunk.text
        parts.append(Part(start, item.rank))
    return Joined(text, tuple(parts))


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
    """The citation of `span` (offsets into the text of chunk `n`). Its quote is verbatim by construction."""
    return cite(n, bound.by_number[n], span)


def bind_joined(bound: Bound, n: int, span: Span) -> Citation:
    """The citation of `span` (offsets into the joined passage `n`), located in the chunk where it begins."""
    joined = bound.joined[n]
    part = max((part for part in joined.parts if part.start <= span.start), key=lambda part: part.start)
    within = Span(span.start - part.start, span.end - part.start)
    return cite(n, bound.by_number[part.n], within, joined.text[span.start : span.end])
