"""`zhixing bench reading`: how fast files are read, and how fast what was read is embedded."""

from collections.abc import Callable, Sequence
from pathlib import Path
from time import perf_counter, process_time

from ingestion.chunking import chunk
from ingestion.documents import READABLE, Parsed
from ingestion.index.pool import EmbeddingPool
from ingestion.parsers import registry
from ingestion.protocols import Embedder
from service.evaluation.scale import Figures
from service.intake import Incoming, files_under

ENOUGH_CHUNKS = 600


def bench_reading(
    paths: Sequence[Path], build: Callable[[], Embedder], *, workers: int
) -> dict[str, Figures]:
    """Pages per second of processor time over the PDFs, chunks per second of wall time over all files."""
    read = [(item.path, *_read(item.path)) for item in files_under(paths, Incoming("", "")) if item.path]
    pages = sum(parsed.metadata.page_count or 0 for path, parsed, _ in read if path.suffix.lower() == ".pdf")
    seconds = sum(spent for path, _, spent in read if path.suffix.lower() == ".pdf")
    texts = [
        c.searched_text for _, parsed, _ in read if parsed.state in READABLE for c in chunk(parsed, "bench")
    ]
    found: dict[str, Figures] = {
        "pdf": {
            "pages": float(pages),
            "cpu_seconds": seconds,
            "pages_per_second": pages / max(seconds, 1e-9),
        },
    }
    if texts:
        repeated = (texts * (ENOUGH_CHUNKS // len(texts) + 1))[:ENOUGH_CHUNKS]
        found["embedding"] = _embed(repeated, build, workers)
    return found


def _read(path: Path) -> tuple[Parsed, float]:
    data = path.read_bytes()
    started = process_time()
    parsed = registry.parse(data, path.name)
    return parsed, process_time() - started


def _embed(texts: Sequence[str], build: Callable[[], Embedder], workers: int) -> Figures:
    pool = EmbeddingPool(build, workers)
    try:
        pool.embed_passages(texts[:128])  # the processes start and load the model
        started = perf_counter()
        pool.embed_passages(texts)
        seconds = perf_counter() - started
    finally:
        pool.close()
    return {
        "chunks": float(len(texts)),
        "seconds": seconds,
        "chunks_per_second": len(texts) / seconds,
        "workers": float(workers),
    }
