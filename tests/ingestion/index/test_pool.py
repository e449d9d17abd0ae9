"""The embedding pool with real worker processes."""

import os
import signal
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from ingestion.errors import EmbeddingError
from ingestion.index.embedding import BuiltinEmbedder, build_embedder
from ingestion.index.pool import BATCH, SMALL_JOB, EmbeddingPool
from ingestion.protocols import Vectors

TEXTS = [f"第{number}条 员工出差应当事先填写申请表。" for number in range(SMALL_JOB + BATCH + 3)]


class FragileEmbedder:
    """Kills its own worker process as long as the file named `lives` holds something to take."""

    name = "fragile"
    dimensions = 2

    def __init__(self, lives: Path) -> None:
        self._lives = lives

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        if lives := self._lives.read_text():
            self._lives.write_text(lives[1:])
            os.kill(os.getpid(), signal.SIGKILL)
        return np.array([[len(text), 1] for text in texts], dtype=np.float32)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        return self.embed_passages(texts)


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


def test_small_jobs_and_questions_start_no_process() -> None:
    pool = EmbeddingPool(partial(build_embedder, "builtin"), 2)
    assert pool.embed_passages(TEXTS[:SMALL_JOB]).shape == (SMALL_JOB, 512)
    assert pool.embed_queries(TEXTS[:1]).shape == (1, 512)
    assert pool.embed_passages([]).shape == (0, 512)
    assert pool._processes is None


def test_a_killed_worker_costs_a_repeat_and_no_row(tmp_path: Path) -> None:
    lives = tmp_path / "lives"
    lives.write_text("x")
    pool = EmbeddingPool(partial(FragileEmbedder, lives), 2)
    try:
        rows = pool.embed_passages(TEXTS)
        assert rows[:, 0].tolist() == [len(text) for text in TEXTS]
        assert lives.read_text() == ""
    finally:
        pool.close()


def test_workers_that_keep_dying_are_an_error(tmp_path: Path) -> None:
    lives = tmp_path / "lives"
    lives.write_text("x" * 100)
    pool = EmbeddingPool(partial(FragileEmbedder, lives), 2)
    try:
        with pytest.raises(EmbeddingError, match="两次"):
            pool.embed_passages(TEXTS)
    finally:
        pool.close()
