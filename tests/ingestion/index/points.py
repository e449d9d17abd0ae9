"""Points that are easy to tell apart, for the tests of the index adapters."""

import uuid

import numpy as np

from ingestion.index.schema import Payload, Point, SparseVector
from ingestion.protocols import Vectors

DIMENSIONS = 8
EMBEDDING = "test"


def point_id(name: object) -> str:
    return str(uuid.uuid5(uuid.NAMESPACE_OID, str(name)))


def direction(number: int, dimensions: int = DIMENSIONS) -> Vectors:
    """A unit vector that depends on the number only."""
    vector = np.random.default_rng(number).normal(size=dimensions).astype(np.float32)
    return vector / np.linalg.norm(vector)


def point(
    name: object,
    payload: Payload | None = None,
    *,
    dense: Vectors | None = None,
    keyword: SparseVector | None = None,
    speakers: tuple[str, ...] = (),
) -> Point:
    return Point(
        point_id(name),
        direction(0) if dense is None else dense,
        SparseVector((1,), (1.0,)) if keyword is None else keyword,
        Payload(f"revision-{name}", f"document-{name}") if payload is None else payload,
        speakers,
    )
