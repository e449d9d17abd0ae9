"""What every embedder does before and after its model: make texts safe to embed, make rows unit vectors."""

import numpy as np

from ingestion.errors import EmbeddingError
from ingestion.protocols import Vectors

# Longest text handed to a model, in characters. Chunks have 500-800; what lies far beyond hardly moves a
# sentence vector and costs time (100,000 characters kept the built-in model busy for 11 s).
LONGEST = 4_000
EMPTY = "。"  # stands for a text without content: some endpoints refuse an empty string
PROBE = "知行"  # embedded once to learn a model's dimensions

SMALLEST_NORM = 1e-12


def prepared(text: str) -> str:
    """The text as a model gets it: no NUL, no lone surrogates, at most LONGEST characters, never empty."""
    safe = text[:LONGEST].encode("utf-8", "replace").decode("utf-8").replace("\0", " ")
    return safe if safe.strip() else EMPTY


def unit_rows(rows: Vectors, count: int, dimensions: int) -> Vectors:
    """Rows of norm 1, float32, shape (count, dimensions). Raises EmbeddingError when they cannot be made."""
    found = np.asarray(rows, dtype=np.float32)
    if found.shape != (count, dimensions):
        raise EmbeddingError(f"向量模型返回的形状为 {found.shape}，应为 {(count, dimensions)}。")
    norms = np.linalg.norm(found, axis=1, keepdims=True)
    if not np.isfinite(norms).all() or (norms < SMALLEST_NORM).any():
        raise EmbeddingError("向量模型返回了无效的向量（含非数字或全为零）。")
    return np.ascontiguousarray(found / norms, dtype=np.float32)
