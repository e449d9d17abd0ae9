"""Our schema in the words of Qdrant Edge: creating a shard, operations on it, searches in it.

Every function that touches a shard runs on the index thread (see `edge`). Edge raises bare `Exception`s and
Rust panics; `index_errors` is the one place where they become errors of this package.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import qdrant_edge as edge

from ingestion import durable
from ingestion.errors import IndexFailure, IndexLocked, IndexUnavailable
from ingestion.index import layout
from ingestion.index.edge_home import damaged, held
from ingestion.index.schema import Filter, Hit, IndexStats, Point, SparseVector
from ingestion.protocols import Vectors

PAGE = 2_000  # ids per scroll call: about 3 ms on the index thread


@dataclass(frozen=True, slots=True)
class Page:
    """Up to PAGE ids in id order; `following` begins the next page and is `None` on the last."""

    ids: tuple[str, ...]
    following: str | None


def create_shard(path: Path, dimensions: int) -> None:
    """A new empty shard with its field indexes, on disk and closed when this returns.

    Field indexes that are mapped and not read opened 100,000 points in 0.4 s instead of 1.0 s, which is also
    how long questions wait when an optimised copy takes over; searches were as fast.
    """
    index_field = edge.UpdateOperation.create_field_index
    config = edge.EdgeConfig(
        vectors={layout.DENSE: edge.EdgeVectorParams(dimensions, edge.Distance.Cosine)},
        sparse_vectors={layout.KEYWORD: edge.EdgeSparseVectorParams()},
    )
    with index_errors():
        shard = edge.EdgeShard.create(str(path), config)
        for field in layout.KEYWORD_FIELDS:
            shard.update(index_field(field, edge.KeywordIndexParams(on_disk=True)))
        for field in layout.INTEGER_FIELDS:
            shard.update(index_field(field, edge.IntegerIndexParams(on_disk=True)))
        shard.flush()
        shard.close()


def load_shard(path: Path) -> edge.EdgeShard:
    """Open a shard. Raises IndexLocked when it is open elsewhere, IndexUnavailable when it is damaged."""
    try:
        with index_errors():
            return edge.EdgeShard.load(str(path))
    except IndexUnavailable as failure:
        detail = str(failure.__cause__)
        if "WouldBlock" in detail:  # the write-ahead log's own lock
            raise IndexLocked(held("")) from failure
        raise IndexUnavailable(damaged(detail)) from failure


def sync_log(path: Path) -> None:
    """Force the shard's write-ahead log to the disk.

    This alone makes acknowledged writes survive a power cut (0.5 ms, without the GIL); `flush` also writes
    the segments but holds the GIL for 30-40 ms, so it is left to every few thousand points.

    The engine prepares the log's next file under a passing name and renames it in a thread of its own; a file
    that is gone when its turn comes is found under its last name by looking again.
    """
    synced: set[Path] = set()
    while fresh := [file for file in (path / "wal").iterdir() if file not in synced]:
        for file in fresh:
            synced.add(file)
            with suppress(FileNotFoundError):
                durable.sync(file)


def upsert(points: Sequence[Point]) -> edge.UpdateOperation:
    return edge.UpdateOperation.upsert_points([_stored_point(point) for point in points])


def replace_payload(revision_id: str, fields: dict[str, layout.StoredValue]) -> edge.UpdateOperation:
    return edge.UpdateOperation.set_payload_by_filter(_of_revision(revision_id), fields)


def delete_revision(revision_id: str) -> edge.UpdateOperation:
    return edge.UpdateOperation.delete_points_by_filter(_of_revision(revision_id))


def delete_points(ids: Sequence[str]) -> edge.UpdateOperation:
    return edge.UpdateOperation.delete_points(list(ids))


def dense_request(vector: Vectors, where: Filter, limit: int) -> edge.SearchRequest | None:
    """`None` when nothing can be found: an impossible filter or no results wanted."""
    query = edge.Query.Nearest(vector.tolist(), layout.DENSE)
    return _request(query, where, limit)


def keyword_request(vector: SparseVector, where: Filter, limit: int) -> edge.SearchRequest | None:
    """`None` when nothing can be found: as `dense_request`, or a query without tokens."""
    if not vector.indices:
        return None
    stored = edge.SparseVector(list(vector.indices), list(vector.values))
    return _request(edge.Query.Nearest(stored, layout.KEYWORD), where, limit)


def search(shard: edge.EdgeShard, request: edge.SearchRequest) -> list[Hit]:
    with index_errors():
        found = shard.search(request)
    return [_hit(point) for point in found]


def page_of_ids(shard: edge.EdgeShard, first: str | None) -> Page:
    request = edge.ScrollRequest(offset=first, limit=PAGE, with_payload=False)
    with index_errors():
        records, following = shard.scroll(request)
    return Page(tuple(str(record.id) for record in records), None if following is None else str(following))


def dense_vectors(shard: edge.EdgeShard, ids: Sequence[str]) -> dict[str, Vectors]:
    with index_errors():
        records = shard.retrieve(list(ids), with_payload=False, with_vector=[layout.DENSE])
    return {str(record.id): _dense(record.vector) for record in records}


def stats(shard: edge.EdgeShard) -> IndexStats:
    """Edge counts an indexed point once per vector, and every sparse vector counts as indexed: what remains
    after those is under an HNSW graph.
    """
    has_keyword = edge.Filter(must=[edge.HasVectorCondition(layout.KEYWORD)])
    with index_errors():
        info = shard.info()
        sparse = shard.count(edge.CountRequest(True, has_keyword))
    indexed = max(0, info.indexed_vectors_count - sparse)
    extra = {"engine": "qdrant-edge", "segments": str(info.segments_count)}
    return IndexStats(info.points_count, indexed, extra)


def update(shard: edge.EdgeShard, operation: edge.UpdateOperation) -> None:
    with index_errors():
        shard.update(operation)


def flush(shard: edge.EdgeShard) -> None:
    with index_errors():
        shard.flush()


def close(shard: edge.EdgeShard) -> None:
    with index_errors():
        shard.close()


@contextmanager
def index_errors() -> Iterator[None]:
    """Translate what Edge and the disk raise into IndexUnavailable, with the original as its cause."""
    try:
        yield
    except IndexFailure:
        raise
    except Exception as error:
        raise IndexUnavailable(f"索引操作失败：{error}") from error
    except BaseException as error:
        if type(error).__name__ != "PanicException":  # pyo3 derives a Rust panic from BaseException
            raise
        raise IndexUnavailable(f"索引操作失败：{error}") from error


def _stored_point(point: Point) -> edge.Point:
    keyword = edge.SparseVector(list(point.keyword.indices), list(point.keyword.values))
    vectors: dict[str, edge.NamedVector] = {layout.DENSE: point.dense.tolist(), layout.KEYWORD: keyword}
    return edge.Point(point.id, vectors, layout.stored_point(point))


def _request(query: edge.Query, where: Filter, limit: int) -> edge.SearchRequest | None:
    found = layout.conditions(where)
    if found is None or limit <= 0:
        return None
    must: list[edge.ConditionType] = [_condition(condition) for condition in found]
    return edge.SearchRequest(
        query,
        limit,
        filter=edge.Filter(must=must) if must else None,
        with_payload=list(layout.HIT_FIELDS),
    )


def _condition(condition: layout.Condition) -> edge.FieldCondition:
    match condition:
        case layout.AnyOf(field, values):
            return edge.FieldCondition(field, match=edge.MatchAny(list(values)))
        case layout.Within(field, at_least, at_most):
            return edge.FieldCondition(field, range=edge.RangeFloat(gte=at_least, lte=at_most))


def _of_revision(revision_id: str) -> edge.Filter:
    return edge.Filter(must=[edge.FieldCondition("revision_id", match=edge.MatchValue(revision_id))])


def _hit(point: edge.ScoredPoint) -> Hit:
    payload = point.payload or {}
    return Hit(str(point.id), point.score, str(payload["revision_id"]), str(payload["document_id"]))


def _dense(vector: object) -> Vectors:
    if not isinstance(vector, dict):
        raise IndexUnavailable(damaged("向量缺失"))
    return np.asarray(vector[layout.DENSE], dtype=np.float32)
