"""`zhixing bench retrieval`: our own time per stage at a given size, beside rank_bm25 and brute-force cosine.

Everything runs in one process on one home of its own, so that the figures compare as ratios on a noisy
machine. The text and passage vectors are synthetic, the question's embedding is real.
"""

import multiprocessing
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import date
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, sleep

import numpy as np

from ingestion.analyzer import Analyzer
from ingestion.index.edge import EdgeIndex
from ingestion.index.keyword import KeywordEncoder
from ingestion.index.pool import NICENESS
from ingestion.protocols import Embedder, Vectors
from service.access import LOCAL, PUBLIC
from service.evaluation.synthetic import CHUNKS_PER_DOCUMENT, SyntheticCorpus, SyntheticDocument
from service.lanes import share_fairly
from service.library import Library
from service.maintenance import Maintenance
from service.originals import Originals
from service.precedence import Precedence
from service.retrieval.calibration import Calibration
from service.retrieval.protocols import Question
from service.retrieval.retriever import Retriever
from service.retrieval.search import POOL
from service.store.catalogue import Catalogue
from service.store.corpus import StoredCorpus
from service.store.database import Database
from service.store.publishing import Draft

SCOPES = (PUBLIC, "user:bench", "department:总部")  # filters on, as for any reader
ARRIVING = 120.0  # chunks a second while questions are asked
PACE_SECONDS = 0.1  # between two questions while documents come in
REFERENCES = 20  # questions the slow references are asked

Figures = dict[str, float]
Tell = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Rig:
    """The real parts over one temporary home."""

    index: EdgeIndex
    library: Library
    retriever: Retriever
    encoder: KeywordEncoder

    def publish(self, ready: "Ready") -> None:
        self.library.publish(LOCAL, ready.draft, ready.vectors, ready.draft.document.id.encode())

    def ask(self, question: str) -> Figures:
        started = perf_counter()
        found = self.retriever.retrieve(Question(question), SCOPES, day=date.today())
        total = (perf_counter() - started) * 1000
        times = found.timings
        return {"embed": times.embed_ms, "search": times.search_ms, "rank": times.rank_ms, "total": total}


@dataclass(frozen=True, slots=True)
class Ready:
    """A document read and embedded: what the service's workers hand over to be published."""

    draft: Draft
    vectors: Vectors


def _ready(found: SyntheticDocument, encoder: KeywordEncoder) -> Ready:
    keywords = [encoder.encode(tokens) for tokens in found.tokens]
    document, name = found.document, "合成.txt"
    draft = Draft(
        document, document.title, found.revision, name, 0, found.parsed, found.chunks, keywords
    )
    return Ready(draft, found.vectors)


@contextmanager
def _made_apart(corpus: SyntheticCorpus, size: int, first: int = 0) -> Iterator[Iterator[Ready]]:
    """The documents made in a process of their own at low priority, as files are read and embedded: in this
    one they would take the time of the questions that are measured."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    maker = context.Process(target=_make, args=(theirs, corpus.dimensions, size, first), daemon=True)
    maker.start()
    theirs.close()
    try:
        yield (ours.recv() for _ in range(size // CHUNKS_PER_DOCUMENT))
    finally:
        ours.close()
        maker.kill()
        maker.join()


def _make(pipe: Connection, dimensions: int, size: int, first: int) -> None:
    os.nice(NICENESS)
    encoder = KeywordEncoder(Analyzer())
    with suppress(BrokenPipeError):
        for found in SyntheticCorpus(dimensions).documents(size, first):
            pipe.send(_ready(found, encoder))


def bench_retrieval(
    sizes: Sequence[int],
    encoder: KeywordEncoder,
    embedder: Embedder,
    calibration: Calibration,
    *,
    questions: int,
    ingest_meanwhile: bool,
    tell: Tell,
) -> dict[str, dict[str, Figures]]:
    """Per size: figures in milliseconds by stage (p50, p95), rates per second, seconds to open.

    A size is rounded up to whole documents.
    """
    corpus = SyntheticCorpus(embedder.dimensions)
    whole = [-(-size // CHUNKS_PER_DOCUMENT) * CHUNKS_PER_DOCUMENT for size in sizes]
    return {
        str(size): _one_size(size, corpus, encoder, embedder, calibration, questions, ingest_meanwhile, tell)
        for size in whole
    }


def _one_size(
    size: int,
    corpus: SyntheticCorpus,
    encoder: KeywordEncoder,
    embedder: Embedder,
    calibration: Calibration,
    questions: int,
    ingest_meanwhile: bool,
    tell: Tell,
) -> dict[str, Figures]:
    share_fairly()
    with TemporaryDirectory(prefix="zhixing-bench-") as name:
        folder = Path(name)
        database = Database(f"sqlite:///{folder / 'zhixing.db'}")
        database.migrate()
        precedence = Precedence()
        index = EdgeIndex(
            folder / "index", embedder.name, embedder.dimensions, give_way=precedence.give_way
        )
        try:
            catalogue = Catalogue(database)
            stored = StoredCorpus(database, catalogue)
            retriever = Retriever(index, stored, encoder, embedder, calibration, precedence=precedence)
            library = Library(database, index, Originals(folder / "originals"), precedence=precedence)
            rig = Rig(index, library, retriever, encoder)
            found = _measure(rig, size, corpus, questions, ingest_meanwhile, tell)
        finally:
            index.close()
            database.close()
        return found | {"open": _opening(folder / "index", embedder)}


def _opening(folder: Path, embedder: Embedder) -> Figures:
    """What a service that starts waits for the index; with what came in meanwhile it holds twice the size."""
    started = perf_counter()
    index = EdgeIndex(folder, embedder.name, embedder.dimensions)
    seconds = perf_counter() - started
    points = index.stats().points
    index.close()
    return {"seconds": seconds, "points": float(points)}


def _measure(
    rig: Rig, size: int, corpus: SyntheticCorpus, questions: int, ingest_meanwhile: bool, tell: Tell
) -> dict[str, Figures]:
    found: dict[str, Figures] = {}
    tell(f"{size} 个切片：写入")
    started = perf_counter()
    with _made_apart(corpus, size) as documents:
        for ready in documents:
            rig.publish(ready)
    seconds = perf_counter() - started
    found["publish"] = {"seconds": seconds, "chunks_per_second": size / seconds}
    tell(f"{size} 个切片：优化索引")
    started = perf_counter()
    rig.index.optimise()
    found["optimise"] = {"seconds": perf_counter() - started}
    asked = corpus.questions(questions, size // CHUNKS_PER_DOCUMENT)
    for question in asked[:10]:
        rig.ask(question)
    tell(f"{size} 个切片：检索")
    quiet = [rig.ask(question) for question in asked]
    found |= {stage: spread([figures[stage] for figures in quiet]) for stage in quiet[0]}
    tell(f"{size} 个切片：对照 rank_bm25 与逐条余弦")
    found |= _references(rig, size, corpus, asked[:REFERENCES], tell)
    if ingest_meanwhile:
        tell(f"{size} 个切片：边写入边检索")
        found |= _while_ingesting(rig, size, corpus, asked)
    return found


def spread(values: Sequence[float]) -> Figures:
    return {"p50": float(np.percentile(values, 50)), "p95": float(np.percentile(values, 95))}


def _references(
    rig: Rig, size: int, corpus: SyntheticCorpus, asked: Sequence[str], tell: Tell
) -> dict[str, Figures]:
    """What the same search costs done plainly: every document scored in Python, every vector multiplied."""
    documents = list(corpus.documents(size))
    vectors = np.concatenate([document.vectors for document in documents])
    most = min(POOL, len(vectors) - 1)
    cosine = [_milliseconds(lambda: np.argpartition(-(vectors @ vectors[0]), most)) for _ in asked]
    found = {"brute_force_cosine": spread(cosine)}
    try:
        from rank_bm25 import BM25Okapi
    except ImportError:
        tell("没有安装 rank-bm25（附加项 dev），略去这项对照")
        return found
    plain = BM25Okapi([list(tokens) for document in documents for tokens in document.tokens])
    split = [rig.encoder.analyzer.tokens(question) for question in asked]
    return {"rank_bm25": spread([_milliseconds(partial(plain.get_scores, t)) for t in split]), **found}


def _milliseconds(work: Callable[[], object]) -> float:
    started = perf_counter()
    work()
    return (perf_counter() - started) * 1000


def _asked_until(rig: Rig, asked: Sequence[str], over: "Future[None]") -> list[float]:
    """Milliseconds of questions asked in turn until that is over. Raises what it raises."""
    totals: list[float] = []
    while not over.done() or not totals:
        totals.append(rig.ask(asked[len(totals) % len(asked)])["total"])
        wait([over], timeout=max(0.0, PACE_SECONDS - totals[-1] / 1000))
    over.result()
    return totals


def _while_ingesting(
    rig: Rig, size: int, corpus: SyntheticCorpus, asked: Sequence[str]
) -> dict[str, Figures]:
    """Ask ten questions a second, first with nothing else to do, then while as many chunks again come in and
    the index is kept up as in the service. At this pace a question finds the processor's caches cold, busy or
    not.

    Reading and embedding are left out; the chunks come twice as fast as two cores embed them.
    """
    upkeep = Maintenance(rig.index)

    def write() -> None:
        started = perf_counter()
        with _made_apart(corpus, size, first=size // CHUNKS_PER_DOCUMENT) as documents:
            for number, ready in enumerate(documents):
                sleep(max(0.0, number * CHUNKS_PER_DOCUMENT / ARRIVING - (perf_counter() - started)))
                rig.publish(ready)
        rig.index.optimise()

    with ThreadPoolExecutor(1, "bench writer") as pool:
        quiet = spread(_asked_until(rig, asked, pool.submit(sleep, PACE_SECONDS * len(asked))))
        upkeep.start()
        try:
            totals = _asked_until(rig, asked, pool.submit(write))
        finally:
            upkeep.stop()
    busy = spread(totals)
    ratio = busy["p95"] / quiet["p95"] if quiet["p95"] else 0.0
    return {
        "before_ingesting": quiet,
        "while_ingesting": {
            **busy,
            "p95_ratio": ratio,
            "questions": float(len(totals)),
            "longest": max(totals),
        },
    }
