"""The embedded index: the Qdrant engine in this process, on disk under one folder.

Edge holds the GIL in every call and one shard has one opener, hence: one dedicated thread makes all calls,
one process holds the folder, and the graph is built in a child process on a copy (`optimise`).
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from threading import Event, Lock, RLock
from typing import Concatenate, ParamSpec, TypeVar

import qdrant_edge

from ingestion.errors import IndexMismatch, IndexUnavailable
from ingestion.index import edge_shard, layout
from ingestion.index.edge_home import NO_SHARD, IndexHome, Manifest
from ingestion.index.edge_shard import index_errors
from ingestion.index.optimiser import optimise_apart
from ingestion.index.schema import Filter, Hit, IndexStats, Payload, Point, SparseVector
from ingestion.protocols import Vectors

BATCH = 8  # points per write: questions wait in between. 8 hold the GIL for 1.3 ms; 32 cost a tenth less
READ_BATCH = 128  # points whose vectors one call reads, in 4 ms: no more than a question asks for
FLUSH_EVERY = 4_096  # points between two flushes of the segments; bounds what a start replays from the log

CLOSED = "索引已关闭。"

Shard = qdrant_edge.EdgeShard
Operation = qdrant_edge.UpdateOperation
Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")


def _at_once() -> None:
    """The default for `give_way`."""


class EdgeIndex:
    """`ingestion.index.schema.Index` on Qdrant Edge. Call it from any thread but an event loop's.

    `embedding` and `dimensions` name the vector space. Raises IndexLocked when another process has the
    folder open, IndexMismatch when it was built with another embedding or schema, IndexUnavailable when it
    is damaged. With `reset` what is stored is thrown away first: how a rebuild gets past the last two.
    `give_way` is called before every batch that is written, and may wait for who is in a hurry.
    """

    def __init__(
        self,
        folder: Path,
        embedding: str,
        dimensions: int,
        *,
        reset: bool = False,
        give_way: Callable[[], None] = _at_once,
    ) -> None:
        self._embedding = embedding
        self._dimensions = dimensions
        self._give_way = give_way
        self._writing = RLock()  # held by one writer at a time, and while a copy or a swap must see no writes
        self._optimising = Lock()
        self._given_up = Event()  # of the current optimise run
        self._journal: list[Operation] | None = None  # writes since the copy an optimise run works on
        self._unflushed = 0
        self._closed = False
        self._home = IndexHome(folder)
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="index")
        try:
            if reset:
                self._home.discard()
            self._name = self._live_shard()
            self._shard = self._call(edge_shard.load_shard, self._home.shard(self._name))
        except BaseException:
            self._thread.shutdown()
            self._home.release()
            raise
        self._home.clean(self._name)

    def upsert(self, points: Sequence[Point]) -> None:
        for point in points:
            self._check_size(point.dense)
        with self._writing:
            for start in range(0, len(points), BATCH):
                batch = points[start : start + BATCH]
                self._give_way()
                self._call(self._apply, edge_shard.upsert(batch))
                self._unflushed += len(batch)
            self._settle()

    def set_payload(self, revision_id: str, payload: Payload) -> None:
        self._write(edge_shard.replace_payload(revision_id, layout.stored_payload(payload)))

    def delete_revision(self, revision_id: str) -> None:
        self._write(edge_shard.delete_revision(revision_id))

    def delete_points(self, ids: Sequence[str]) -> None:
        with self._writing:
            for start in range(0, len(ids), BATCH):
                self._write(edge_shard.delete_points(ids[start : start + BATCH]))

    def search_dense(self, vector: Vectors, where: Filter, limit: int) -> list[Hit]:
        self._check_size(vector)
        request = edge_shard.dense_request(vector, where, limit)
        return [] if request is None else self._ask(edge_shard.search, request)

    def search_keyword(self, vector: SparseVector, where: Filter, limit: int) -> list[Hit]:
        request = edge_shard.keyword_request(vector, where, limit)
        return [] if request is None else self._ask(edge_shard.search, request)

    def vectors(self, ids: Sequence[str]) -> dict[str, Vectors]:
        found: dict[str, Vectors] = {}
        for start in range(0, len(ids), READ_BATCH):
            found |= self._ask(edge_shard.dense_vectors, ids[start : start + READ_BATCH])
        return found

    def ids(self) -> set[str]:
        found: set[str] = set()
        page = self._ask(edge_shard.page_of_ids, None)
        found.update(page.ids)
        while page.following is not None:
            page = self._ask(edge_shard.page_of_ids, page.following)
            found.update(page.ids)
        return found

    def stats(self) -> IndexStats:
        return self._ask(edge_shard.stats)

    def optimise(self) -> None:
        """Copy, optimise the copy in a child process, replay what was written meanwhile, swap.

        Searches go on throughout; writes wait while the files are copied and while the last of them are
        replayed. A run is given up without a trace when `clear` or `close` comes in between. Raises
        IndexUnavailable when the child fails; the index then stays as it was.
        """
        with self._optimising:
            name = self._home.new_shard()
            try:
                journal = self._copy_live(name)
                if optimise_apart(self._home.shard(name), self._given_up):
                    self._take_over(name, journal)
            finally:
                with self._writing:
                    self._journal = None  # nobody will replay it any more
                if self._name != name:
                    self._home.remove(name)

    def clear(self) -> None:
        with self._writing:
            self._given_up.set()
            name = self._create_shard()
            self._swap(name, self._call(edge_shard.load_shard, self._home.shard(name)))

    def close(self) -> None:
        """Flush and give the folder back; every later call raises IndexUnavailable. Safe to repeat.

        When the flush fails the folder is given back all the same.
        """
        with self._writing:
            if self._closed:
                return
            self._closed = True
            self._given_up.set()
        with self._optimising, self._writing, ExitStack() as ending:
            ending.callback(self._home.release)
            ending.callback(self._thread.shutdown)
            ending.callback(self._ask, edge_shard.close)
            self._call(self._flush)

    def _live_shard(self) -> str:
        """The shard the manifest names; in a new folder, a fresh one. Raises IndexMismatch."""
        manifest = self._home.manifest()
        if manifest is None:
            manifest = self._manifest(NO_SHARD)
            self._home.commit(manifest)
        if manifest != self._manifest(manifest.shard):
            raise IndexMismatch(
                f"索引由 {manifest.embedding}（{manifest.dimensions} 维，结构版本 {manifest.schema}）建立，"
                f"当前设置为 {self._embedding}（{self._dimensions} 维，结构版本 {layout.SCHEMA_VERSION}）。"
                "请恢复原来的设置，或运行 zhixing rebuild 重建索引。"
            )
        if manifest.shard != NO_SHARD:
            return manifest.shard
        name = self._create_shard()
        self._home.commit(self._manifest(name))
        return name

    def _create_shard(self) -> str:
        name = self._home.new_shard()
        self._call(edge_shard.create_shard, self._home.shard(name), self._dimensions)
        return name

    def _copy_live(self, name: str) -> list[Operation]:
        """A flushed copy of the live shard under `name`; the list that every later write is added to."""
        with self._writing:
            if self._closed:
                raise IndexUnavailable(CLOSED)
            self._call(self._flush)
            with index_errors():
                self._home.copy(self._name, name)
            self._given_up = Event()
            self._journal = []
            return self._journal

    def _take_over(self, name: str, journal: list[Operation]) -> None:
        fresh = self._call(edge_shard.load_shard, self._home.shard(name))
        try:
            replayed = self._replay(fresh, journal.copy())  # most of them, while writers go on
            with self._writing:
                if self._given_up.is_set():
                    return
                self._replay(fresh, journal[replayed:])
                self._call(edge_shard.flush, fresh)
                self._swap(name, fresh)
        finally:
            if self._shard is not fresh:
                self._call(edge_shard.close, fresh)

    def _replay(self, fresh: Shard, operations: list[Operation]) -> int:
        for operation in operations:
            self._give_way()
            self._call(edge_shard.update, fresh, operation)
        return len(operations)

    def _swap(self, name: str, shard: Shard) -> None:
        """Make `shard` the live one. The commit of the manifest is the step that counts."""
        with index_errors():
            self._home.commit(self._manifest(name))
        old_name, old = self._name, self._shard
        self._name, self._shard = name, shard
        self._journal = None
        self._unflushed = 0
        self._call(edge_shard.close, old)
        self._home.remove(old_name)

    def _write(self, operation: Operation) -> None:
        with self._writing:
            self._call(self._apply, operation)
            self._unflushed += 1
            self._settle()

    def _apply(self, operation: Operation) -> None:
        edge_shard.update(self._shard, operation)
        if self._journal is not None:
            self._journal.append(operation)

    def _settle(self) -> None:
        """Make the writes so far durable."""
        with index_errors():
            edge_shard.sync_log(self._home.shard(self._name))
        if self._unflushed >= FLUSH_EVERY:
            self._call(self._flush)

    def _flush(self) -> None:
        edge_shard.flush(self._shard)
        self._unflushed = 0

    def _ask(
        self,
        function: Callable[Concatenate[Shard, Parameters], Result],
        *args: Parameters.args,
        **kwargs: Parameters.kwargs,
    ) -> Result:
        """Run `function(live shard, …)` on the index thread; which shard is live is looked up there."""
        return self._call(lambda: function(self._shard, *args, **kwargs))

    def _call(
        self, function: Callable[Parameters, Result], *args: Parameters.args, **kwargs: Parameters.kwargs
    ) -> Result:
        try:
            future = self._thread.submit(function, *args, **kwargs)
        except RuntimeError as error:  # the thread was shut down
            raise IndexUnavailable(CLOSED) from error
        return future.result()

    def _manifest(self, shard: str) -> Manifest:
        return Manifest(layout.SCHEMA_VERSION, self._embedding, self._dimensions, shard)

    def _check_size(self, vector: Vectors) -> None:
        if vector.shape != (self._dimensions,):
            raise IndexMismatch(f"向量形状为 {vector.shape}，索引需要 {self._dimensions} 维。")
