"""From hits to ranked candidates of one wording: read the texts, fuse, drop copies, score."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ingestion.documents import Chunk, Document
from service.retrieval.calibration import Calibration, Mode
from service.retrieval.confidence import Scored, evidence_matrix, least
from service.retrieval.fusion import Legs, OrderWeights, fuse
from service.retrieval.probe import Probe
from service.retrieval.protocols import Corpus, Source
from service.retrieval.search import Found
from service.retrieval.signals import Passage, Signals, read_signals

POOL = 24  # candidates whose text is read


@dataclass(frozen=True, slots=True)
class Ranked:
    """A candidate in its place; `confidence` is its own, whatever stands above it."""

    chunk: Chunk
    source: Source
    legs: Legs
    signals: Signals
    order: float
    confidence: float


@dataclass(frozen=True, slots=True)
class Ranking:
    """`ranked` best first; `repeated` have the text of a better one; `unread` were beyond the pool."""

    ranked: tuple[Ranked, ...]
    repeated: tuple[Ranked, ...] = ()
    unread: tuple[Found, ...] = ()


def title_of(chunk: Chunk, document: Document) -> str:
    """Title and headings of a chunk as one line of text."""
    return " ".join(dict.fromkeys((document.title, *chunk.heading_path)))


def headings_of(chunk: Chunk, source: Source) -> tuple[str, ...]:
    """The document's title above the chunk's own headings and table header, each once."""
    context = (chunk.context,) if chunk.context else ()
    return tuple(dict.fromkeys((source.document.title, *chunk.heading_path, *context)))


class Ranker:
    def __init__(self, corpus: Corpus, calibration: Calibration, weights: OrderWeights | None = None) -> None:
        self._corpus = corpus
        self._calibration = calibration
        self._weights = weights or calibration.order

    def rank(self, probe: Probe, found: Sequence[Found], live: Mapping[str, Source], mode: Mode) -> Ranking:
        weights = _of_mode(self._weights, mode)
        rough = fuse(weights, [hit.legs for hit in found])
        by_rank = sorted(range(len(found)), key=lambda i: (-rough[i], found[i].id))
        read = [found[i] for i in by_rank[:POOL]]
        chunks = self._corpus.chunks([hit.id for hit in read])
        read = [hit for hit in read if hit.id in chunks]  # deleted between the two reads
        passages = [_passage(chunks[hit.id], live[hit.revision_id]) for hit in read]
        signals = [read_signals(probe, passage) for passage in passages]
        order = fuse(weights, [hit.legs for hit in read], signals)
        named = [mode is Mode.HYBRID and signals[i].named for i in range(len(read))]
        places = sorted(range(len(read)), key=lambda i: (not named[i], -order[i], read[i].id))
        first, repeated = _split_repeated(places, passages)
        ranked = self._scored(probe, [Scored(read[i].legs, signals[i], order[i]) for i in first], mode)

        def build(i: int, confidence: float) -> Ranked:
            hit = read[i]
            return Ranked(chunks[hit.id], live[hit.revision_id], hit.legs, signals[i], order[i], confidence)

        return Ranking(
            tuple(build(i, confidence) for i, confidence in zip(first, ranked, strict=True)),
            tuple(build(i, 0.0) for i in repeated),
            tuple(found[i] for i in by_rank[POOL:]),
        )

    def _scored(self, probe: Probe, scored: list[Scored], mode: Mode) -> list[float]:
        if not scored or not probe.words:
            return [0.0] * len(scored)
        scores = self._calibration.model(mode).score(evidence_matrix(probe, scored))
        return [
            max(float(score), least(probe, one.signals)) for score, one in zip(scores, scored, strict=True)
        ]


def _passage(chunk: Chunk, source: Source) -> Passage:
    return Passage.of(headings_of(chunk, source), chunk.text)


def _of_mode(weights: OrderWeights, mode: Mode) -> OrderWeights:
    """One leg alone ranks by that leg's score and nothing else."""
    if mode is Mode.KEYWORD:
        return OrderWeights(1.0, 0.0)
    return OrderWeights(0.0, 1.0) if mode is Mode.VECTOR else weights


def _split_repeated(places: Sequence[int], passages: Sequence[Passage]) -> tuple[list[int], list[int]]:
    """Only an equal text under equal headings is a repeat, as copies of one file have it.

    Two rows that differ in one number are two facts, and one wording in two laws is two provisions.
    """
    seen: set[str] = set()
    first: list[int] = []
    repeated: list[int] = []
    for i in places:
        text = "".join("\n".join((*passages[i].headings, passages[i].text)).split())
        (repeated if text in seen else first).append(i)
        seen.add(text)
    return first, repeated
