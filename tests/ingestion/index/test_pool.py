"""The embedding pool with real worker processes."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from ingestion.errors import EmbeddingError
from ingestion.index.embedding import BuiltinEmbedder, build_embedder
from ingestion.index.pool import BATCH, FEW, NICENESS, SMALL_JOB, EmbeddingPool
from ingestion.protocols import Vectors

TEXTS = [f"第{number}条 员工出差应当事先填写申请表。" for number in range(SMALL_JOB + BATCH + 3)]


class FragileEmbedder:
    """Kills its own worker process as long as the folder `lives` holds a file to take.

    Taking is one atomic unlink, since the workers of a pool die side by side.
    """

    name = "fragile"
    dimensions = 2

    def __init__(self, lives: Path) -> None:
        self._lives = lives

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        if self._take_life():
            os.kill(os.getpid(), signal.SIGKILL)
        return np.array([[len(text), 1] for text in texts], dtype=np.float32)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        return self.embed_passages(texts)

    def _take_life(self) -> bool:
        for life in self._lives.iterdir():
            with suppress(FileNotFoundError):
                life.unlink()
                return True
        return False


def folder_of(lives: Path, count: int) -> Path:
    lives.mkdir()
    for number in range(count):
        (lives / str(number)).touch()
    return lives


@pytest.fixture(scope="module")
def expected() -> Vectors:
    return BuiltinEmbedder().embed_passages(TEXTS)


def test_a_large_job_gives_the_rows_of_one_process_in_order(expected: Vectors) -> None:
    pool = EmbeddingPool(partial(build_embedder, "builtin"), 2)
    try:
        np.testing.assert_allclose(pool.embed_passages(TEXTS), expected, atol=1e-5)
        assert (pool.name, pool.dimensions) == ("builtin", 512)
        assert pool._processes is not None
    finally:
        pool.close()


class Countless:
    """Embeds in no time, and tells of the process it does so in."""

    name = "countless"
    dimensions = 2

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        return np.array([[os.getpid(), os.nice(0)]] * len(texts), dtype=np.float32).reshape(-1, 2)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        return self.embed_passages(texts)


def test_many_small_jobs_are_a_bulk_load_for_processes_that_give_way_to_questions() -> None:
    pool = EmbeddingPool(Countless, 2)
    here = float(np.float32(os.getpid()))
    try:
        jobs = [pool.embed_passages(TEXTS[:SMALL_JOB]) for _ in range(FEW // SMALL_JOB + 1)]
        assert {row[0] for job in jobs[:-1] for row in job} == {here}
        assert here not in {row[0] for row in jobs[-1]}
        assert {row[1] for row in jobs[-1]} == {os.nice(0) + NICENESS}
        assert pool.embed_queries(TEXTS[:1])[0][0] == here
    finally:
        pool.close()


def test_small_jobs_and_questions_start_no_process() -> None:
    pool = EmbeddingPool(partial(build_embedder, "builtin"), 2)
    assert pool.embed_passages(TEXTS[:SMALL_JOB]).shape == (SMALL_JOB, 512)
    assert pool.embed_queries(TEXTS[:1]).shape == (1, 512)
    assert pool.embed_passages([]).shape == (0, 512)
    assert pool._processes is None


def test_a_killed_worker_costs_a_repeat_and_no_row(tmp_path: Path) -> None:
    lives = folder_of(tmp_path / "lives", 1)
    pool = EmbeddingPool(partial(FragileEmbedder, lives), 2)
    try:
        rows = pool.embed_passages(TEXTS)
        assert rows[:, 0].tolist() == [len(text) for text in TEXTS]
        assert not list(lives.iterdir())
    finally:
        pool.close()


def test_workers_that_keep_dying_are_an_error(tmp_path: Path) -> None:
    lives = folder_of(tmp_path / "lives", 100)
    pool = EmbeddingPool(partial(FragileEmbedder, lives), 2)
    try:
        with pytest.raises(EmbeddingError, match="两次"):
            pool.embed_passages(TEXTS)
    finally:
        pool.close()


class SlowEmbedder:
    """Takes ten milliseconds for each call."""

    name = "slow"
    dimensions = 1

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        time.sleep(0.01)
        return np.zeros((len(texts), 1), dtype=np.float32)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        return self.embed_passages(texts)


def test_a_small_job_does_not_wait_until_a_large_one_is_over() -> None:
    pool = EmbeddingPool(SlowEmbedder, 2)
    small, large = ["甲"] * (SMALL_JOB + 1), ["乙"] * (BATCH * 300)
    try:
        pool.embed_passages(small)  # the processes are there
        with ThreadPoolExecutor(1) as beside:
            long = beside.submit(pool.embed_passages, large)
            time.sleep(0.05)
            assert pool.embed_passages(small).shape == (len(small), 1)
            assert not long.done()
            assert long.result().shape == (len(large), 1)
    finally:
        pool.close()


KILLED = """
import os, signal
from tests.ingestion.index.test_pool import BATCH, SlowEmbedder
from ingestion.index.pool import EmbeddingPool

if __name__ == "__main__":
    pool = EmbeddingPool(SlowEmbedder, 2)
    pool.embed_passages(["x"] * BATCH * 8)
    print(*pool._processes._processes, flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_workers_end_with_a_parent_that_was_killed(tmp_path: Path) -> None:
    script = tmp_path / "killed.py"
    script.write_text(KILLED)
    run = subprocess.run(
        [sys.executable, str(script)],
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": os.getcwd()},
    )
    workers = [Path(f"/proc/{pid}/cmdline") for pid in run.stdout.split()]
    assert run.returncode == -signal.SIGKILL and len(workers) == 2
    deadline = time.monotonic() + 10
    while any(worker.exists() and worker.read_bytes() for worker in workers):
        assert time.monotonic() < deadline, "workers outlived their parent"
        time.sleep(0.05)
