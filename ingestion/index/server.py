"""The index on a Qdrant server or cluster, through `qdrant-client`. Same layout as `edge`.

What the collection was built with is kept in the collection's metadata, which Qdrant has since 1.16.
"""

import time
from collections.abc import Callable, Sequence
from threading import Lock
from typing import ParamSpec, TypeVar

import httpx
from qdrant_client import QdrantClient, models
from qdrant_client.http.exceptions import ApiException, ResponseHandlingException, UnexpectedResponse

from ingestion.errors import IndexMismatch, IndexUnavailable
from ingestion.index import layout, server_points
from ingestion.index.schema import Filter, Hit, IndexStats, Payload, Point, SparseVector
from ingestion.protocols import Vectors

COLLECTION = "zhixing"
BATCH = 256  # points per request: about 1.5 MB of JSON at 512 dimensions
PAGE = 2_000  # ids per scroll request
RETRY_AFTER = 0.5  # seconds before the one retry
OPTIMISE_LIMIT = 1_800.0  # seconds `optimise` waits for the server's own optimiser
LOOK_EVERY = 1.0  # seconds between two looks at the optimiser

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")


def connect(location: str, api_key: str | None = None, timeout: int = 10) -> QdrantClient:
    """A client for a URL. `:memory:` and a folder path open qdrant-client's own brute-force engine, which is
    for tests and small trials only. `timeout` is in seconds per request."""
    if location == ":memory:":
        return QdrantClient(":memory:", force_disable_check_same_thread=True)
    if "://" not in location:
        return QdrantClient(path=location, force_disable_check_same_thread=True)
    return QdrantClient(url=location, api_key=api_key, timeout=timeout, check_compatibility=False)


class ServerIndex:
    """`ingestion.index.schema.Index` on a Qdrant collection, created when it does not exist yet.

    Raises IndexMismatch when the collection was built with another embedding or schema, and IndexUnavailable
    from any call when the server cannot be reached. A failing request is repeated once. With `reset` an
    existing collection is dropped first.
    """

    def __init__(
        self,
        client: QdrantClient,
        embedding: str,
        dimensions: int,
        *,
        collection: str = COLLECTION,
        reset: bool = False,
    ) -> None:
        self._client = client
        self._embedding = embedding
        self._dimensions = dimensions
        self._collection = collection
        options = client.init_options
        self._local = options.get("location") == ":memory:" or options.get("path") is not None
        self._one_at_a_time = Lock()  # the local engine is not thread-safe
        if reset:
            self._request(client.delete_collection, collection)
        if not self._request(client.collection_exists, collection):
            self._create()
        self._check_collection()
        self._create_field_indexes()

    def upsert(self, points: Sequence[Point]) -> None:
        for point in points:
            self._check_size(point.dense)
        for start in range(0, len(points), BATCH):
            batch = [server_points.stored_point(point) for point in points[start : start + BATCH]]
            self._request(self._client.upsert, self._collection, batch, wait=True)

    def set_payload(self, revision_id: str, payload: Payload) -> None:
        where = server_points.of_revision(revision_id)
        stored = layout.stored_payload(payload)
        self._request(self._client.set_payload, self._collection, stored, where, wait=True)

    def delete_revision(self, revision_id: str) -> None:
        where = models.FilterSelector(filter=server_points.of_revision(revision_id))
        self._request(self._client.delete, self._collection, where, wait=True)

    def delete_points(self, ids: Sequence[str]) -> None:
        if ids:
            selector = models.PointIdsList(points=list(ids))
            self._request(self._client.delete, self._collection, selector, wait=True)

    def search_dense(self, vector: Vectors, where: Filter, limit: int) -> list[Hit]:
        self._check_size(vector)
        return self._search(vector.tolist(), layout.DENSE, where, limit)

    def search_keyword(self, vector: SparseVector, where: Filter, limit: int) -> list[Hit]:
        if not vector.indices:
            return []
        return self._search(server_points.sparse(vector), layout.KEYWORD, where, limit)

    def vectors(self, ids: Sequence[str]) -> dict[str, Vectors]:
        found: dict[str, Vectors] = {}
        for start in range(0, len(ids), BATCH):
            records = self._request(
                self._client.retrieve,
                self._collection,
                list(ids[start : start + BATCH]),
                with_payload=False,
                with_vectors=[layout.DENSE],
            )
            found |= {str(record.id): server_points.dense_vector(record) for record in records}
        return found

    def ids(self) -> set[str]:
        records, following = self._page(None)
        found = {str(record.id) for record in records}
        while following is not None:
            records, following = self._page(following)
            found.update(str(record.id) for record in records)
        return found

    def stats(self) -> IndexStats:
        info = self._info()
        has_keyword = models.Filter(must=[models.HasVectorCondition(has_vector=layout.KEYWORD)])
        sparse = self._request(self._client.count, self._collection, has_keyword, exact=True).count
        indexed = max(0, (info.indexed_vectors_count or 0) - sparse)  # sparse vectors always count
        extra = {"engine": "qdrant", "collection": self._collection, "status": str(info.status.value)}
        return IndexStats(info.points_count or 0, indexed, extra)

    def optimise(self) -> None:
        """The server optimises by itself; this waits until it has nothing left to do.

        Raises IndexUnavailable when it reports a failure or takes longer than OPTIMISE_LIMIT.
        """
        end = time.monotonic() + OPTIMISE_LIMIT
        while (status := self._info().status) is not models.CollectionStatus.GREEN:
            if status is models.CollectionStatus.RED or time.monotonic() > end:
                raise IndexUnavailable(f"Qdrant 未能完成索引优化，集合状态为 {status.value}。")
            time.sleep(LOOK_EVERY)

    def clear(self) -> None:
        self._request(self._client.delete_collection, self._collection)
        self._create()
        self._create_field_indexes()

    def close(self) -> None:
        self._client.close()

    def _create(self) -> None:
        dense = models.VectorParams(size=self._dimensions, distance=models.Distance.COSINE)
        try:
            self._request(
                self._client.create_collection,
                self._collection,
                vectors_config={layout.DENSE: dense},
                sparse_vectors_config={layout.KEYWORD: models.SparseVectorParams()},
                metadata=self._identity(),
            )
        except IndexUnavailable as failure:
            if not _conflict(failure.__cause__):  # another replica was quicker
                raise

    def _create_field_indexes(self) -> None:
        """Those that are missing: whoever created the collection may have been cut off, or be older."""
        if self._local:  # the local engine has no field indexes and warns about them
            return
        kinds = dict.fromkeys(layout.KEYWORD_FIELDS, models.PayloadSchemaType.KEYWORD)
        kinds |= dict.fromkeys(layout.INTEGER_FIELDS, models.PayloadSchemaType.INTEGER)
        present = self._info().payload_schema
        for field, kind in kinds.items():
            if field not in present:
                self._request(self._client.create_payload_index, self._collection, field, kind, wait=True)

    def _check_collection(self) -> None:
        metadata = self._info().config.metadata
        if metadata is None:
            raise IndexMismatch(
                f"Qdrant 集合 {self._collection} 没有知行的元数据：它由别的程序建立，或服务器低于 1.16 版。"
                "请换用别的集合或升级服务器。"
            )
        found = {key: metadata.get(key) for key in self._identity()}
        if found != self._identity():
            raise IndexMismatch(
                f"索引由 {found['embedding']}（{found['dimensions']} 维，结构版本 {found['schema']}）建立，"
                f"当前设置为 {self._embedding}（{self._dimensions} 维，结构版本 {layout.SCHEMA_VERSION}）。"
                "请恢复原来的设置，或运行 zhixing rebuild 重建索引。"
            )

    def _identity(self) -> dict[str, str | int]:
        return {
            "schema": layout.SCHEMA_VERSION,
            "embedding": self._embedding,
            "dimensions": self._dimensions,
        }

    def _info(self) -> models.CollectionInfo:
        return self._request(self._client.get_collection, self._collection)

    def _page(
        self, first: models.ExtendedPointId | None
    ) -> tuple[list[models.Record], models.ExtendedPointId | None]:
        return self._request(
            self._client.scroll,
            self._collection,
            limit=PAGE,
            offset=first,
            with_payload=False,
            with_vectors=False,
        )

    def _search(
        self, query: list[float] | models.SparseVector, using: str, where: Filter, limit: int
    ) -> list[Hit]:
        conditions = layout.conditions(where)
        if conditions is None or limit <= 0:
            return []
        response = self._request(
            self._client.query_points,
            self._collection,
            query=query,
            using=using,
            query_filter=server_points.filter_of(conditions),
            limit=limit,
            with_payload=list(layout.HIT_FIELDS),
        )
        return [server_points.hit(point) for point in response.points]

    def _request(
        self, call: Callable[Parameters, Result], *args: Parameters.args, **kwargs: Parameters.kwargs
    ) -> Result:
        """Send a request, once more when it failed in a way that may pass. Raises IndexUnavailable."""
        try:
            return self._attempt(call, *args, **kwargs)
        except (ApiException, httpx.HTTPError) as error:
            if not _may_pass(error):
                raise _unavailable(error) from error
        time.sleep(RETRY_AFTER)
        try:
            return self._attempt(call, *args, **kwargs)
        except (ApiException, httpx.HTTPError) as error:
            raise _unavailable(error) from error

    def _attempt(
        self, call: Callable[Parameters, Result], *args: Parameters.args, **kwargs: Parameters.kwargs
    ) -> Result:
        if not self._local:
            return call(*args, **kwargs)
        with self._one_at_a_time:
            return call(*args, **kwargs)

    def _check_size(self, vector: Vectors) -> None:
        if vector.shape != (self._dimensions,):
            raise IndexMismatch(f"向量形状为 {vector.shape}，索引需要 {self._dimensions} 维。")


def _may_pass(error: Exception) -> bool:
    if isinstance(error, UnexpectedResponse):
        return error.status_code == 429 or (error.status_code or 0) >= 500
    return isinstance(error, ResponseHandlingException | httpx.HTTPError)


def _conflict(error: BaseException | None) -> bool:
    return isinstance(error, UnexpectedResponse) and error.status_code == 409


def _unavailable(error: Exception) -> IndexUnavailable:
    if isinstance(error, UnexpectedResponse) and error.status_code in (401, 403):
        return IndexUnavailable("Qdrant 服务器拒绝访问，请检查 ZHIXING_QDRANT_API_KEY。")
    return IndexUnavailable(f"Qdrant 服务器不可用：{error}。请检查 ZHIXING_QDRANT_URL 与服务器状态。")
