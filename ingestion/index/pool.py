"""Embedding on several processor cores: a pool of processes with one model and one BLAS thread each."""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from multiprocessing import get_context, parent_process
from threading import Lock, Thread

import numpy as np

from ingestion.errors import EmbeddingError
from ingestion.protocols import Embedder, Vectors

BATCH = 32  # texts per task: about half a second of work for the built-in model on chunks
BATCHES_AHEAD = 2  # of each job, for each worker: the workers never wait, other jobs only this long
SMALL_JOB = 2 * BATCH  # up to here the calling process embeds by itself: no start-up, no copying
FEW = 8 * SMALL_JOB  # texts of small jobs, after which it is a bulk load and they go to the processes as well
NICENESS = 10  # of a worker: questions, which the serving process embeds, come first

# Read by OpenMP and torch when a worker loads them; numpy is limited by the built-in embedder itself.
ONE_THREAD = {"OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "TOKENIZERS_PARALLELISM": "false"}

_worker_embedder: Embedder | None = None  # in a worker process only


class EmbeddingPool:
    """An `Embedder` that spreads large jobs of passages over `workers` processes, in order.

    `build` makes the embedder and must be picklable, e.g. `partial(build_embedder, "builtin")`; each worker
    calls it once. A pool that loses a worker (killed, out of memory) is replaced once per job and its
    unfinished batches are repeated. Threads may share one: each has a few batches in the queue at a time, so
    that a small job does not wait until a large one is over. The processes start with the first large job or
    after many small ones, and end with the process that started them, even when that one is killed.
    """

    def __init__(self, build: Callable[[], Embedder], workers: int) -> None:
        self._build = build
        self._embedder = build()
        self._workers = workers
        self._processes: ProcessPoolExecutor | None = None
        self._starting = Lock()
        self._embedded_here = 0

    @property
    def name(self) -> str:
        return self._embedder.name

    @property
    def dimensions(self) -> int:
        return self._embedder.dimensions

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        return self._embedder.embed_queries(texts)

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        if self._workers < 2 or (len(texts) <= SMALL_JOB and self._are_few(len(texts))):
            return self._embedder.embed_passages(texts)
        batches = [list(texts[start : start + BATCH]) for start in range(0, len(texts), BATCH)]
        rows: dict[int, Vectors] = {}
        if not self._embed_into(rows, batches) and not self._embed_into(rows, batches):
            raise EmbeddingError("向量计算进程两次意外退出，可能是内存不足；请减少并行进程数后重试。")
        return np.concatenate([rows[number] for number in range(len(batches))])

    def close(self) -> None:
        """End the worker processes; a later large job starts new ones."""
        with self._starting:
            processes, self._processes = self._processes, None
        if processes is not None:
            processes.shutdown(cancel_futures=True)

    def _are_few(self, texts: int) -> bool:
        with self._starting:
            self._embedded_here += texts
            return self._processes is None and self._embedded_here <= FEW

    def _embed_into(self, rows: dict[int, Vectors], batches: list[list[str]]) -> bool:
        """Embed the batches that have no rows yet; False when the pool broke and some are still missing."""
        processes = self._pool()
        missing = iter([number for number in range(len(batches)) if number not in rows])
        waiting: dict[int, Future[Vectors]] = {}

        def submit(count: int) -> None:
            for number in islice(missing, count):
                waiting[number] = processes.submit(_embed, batches[number])

        try:
            submit(BATCHES_AHEAD * self._workers)
            while waiting:
                number = next(iter(waiting))
                rows[number] = waiting[number].result()
                del waiting[number]
                submit(1)
        except BrokenProcessPool:
            self._replace(processes)
            return False
        finally:
            for future in waiting.values():
                future.cancel()
        return True

    def _pool(self) -> ProcessPoolExecutor:
        with self._starting:
            if self._processes is None:
                self._processes = ProcessPoolExecutor(
                    self._workers, get_context("spawn"), _start_worker, (self._build,)
                )
            return self._processes

    def _replace(self, broken: ProcessPoolExecutor) -> None:
        with self._starting:
            if self._processes is broken:
                self._processes = None
        broken.shutdown(wait=False)


def _start_worker(build: Callable[[], Embedder]) -> None:
    global _worker_embedder
    Thread(target=_end_with_parent, daemon=True).start()
    os.environ.update(ONE_THREAD)
    os.nice(NICENESS)
    _worker_embedder = build()


def _end_with_parent() -> None:
    """A worker whose parent was killed would wait for work for ever, with a model in memory."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _embed(texts: list[str]) -> Vectors:
    if _worker_embedder is None:
        raise EmbeddingError("向量计算进程没有初始化。")
    return _worker_embedder.embed_passages(texts)
