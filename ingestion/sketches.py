"""Sketches 文本指纹: a few hundred bytes by which texts are compared without being read again."""

import struct

import numpy as np
from datasketch import MinHash

from ingestion.versions import shingles

PERMUTATIONS = 64
"""The estimate is true to 1/sqrt(64) = .125, which is enough to choose what is compared in full."""
_HEAD = struct.Struct("<I")


def sketch(text: str) -> bytes:
    """The number of the text's shingles, then their MinHash: 4 + 4 * PERMUTATIONS bytes."""
    pieces = shingles(text)
    signature = MinHash(PERMUTATIONS)
    signature.update_batch([piece.encode() for piece in pieces])
    return _HEAD.pack(len(pieces)) + bytes(signature.hashvalues.astype("<u4").tobytes())


def likeness(one: bytes, other: bytes) -> float:
    """Estimated share of the shorter text that the other holds, 0..1, as `versions.overlap` measures it."""
    (first,), (second,) = _HEAD.unpack_from(one), _HEAD.unpack_from(other)
    ours, theirs = (np.frombuffer(each, "<u4", offset=_HEAD.size) for each in (one, other))
    return shared(float(np.mean(ours == theirs)), first, second)


def shared(jaccard: float, one: int, other: int) -> float:
    """The share of the smaller of two sets of these sizes that the larger holds, 0..1.

    From the Jaccard index J and the sizes a, b: the common part is J(a + b) / (1 + J).
    """
    smaller = min(one, other)
    return min(1.0, jaccard * (one + other) / (1 + jaccard) / smaller) if smaller else 0.0
