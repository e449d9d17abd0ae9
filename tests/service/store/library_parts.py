"""A library on real parts in one folder, and drafts small enough to read: a few words, one chunk a line."""

import hashlib
import shutil
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import NAMESPACE_OID, uuid5

import numpy as np
from sqlalchemy import select

from ingestion.documents import (
    Anchor,
    Block,
    BlockBuilder,
    BlockKind,
    Chunk,
    Document,
    Revision,
    RevisionStatus,
)
from ingestion.index.edge import EdgeIndex
from ingestion.index.schema import Filter, SparseVector
from ingestion.protocols import Vectors
from ingestion.sketches import sketch
from ingestion.versions import title_key
from service.access import LOCAL, Principal
from service.library import Library
from service.originals import Originals, sha256
from service.store import term_stats
from service.store.catalogue import Catalogue, Snapshot
from service.store.database import Database
from service.store.documents import DocumentStore
from service.store.models import Base, ChunkRow, RevisionRow, TermStatRow
from service.store.publishing import Draft, Repealed

DIMENSIONS = 8
TODAY = date(2025, 6, 1)


def key(name: str) -> str:
    return str(uuid5(NAMESPACE_OID, name))


@dataclass(frozen=True)
class Paper:
    """One revision in short: `text` has one chunk a line."""

    document: str = "差旅费管理办法"
    text: str = "住宿 标准 三百\n交通 标准 二等"
    starts: date | None = None
    ends: date | None = None
    status: RevisionStatus = RevisionStatus.ACTIVE
    replaces: str | None = None
    repeals: tuple[Repealed, ...] = ()
    labels: tuple[str, ...] = ("public",)
    title: str = ""
    source: str = ""

    @property
    def original(self) -> bytes:
        return self.text.encode()

    @property
    def id(self) -> str:
        return key(f"{self.source or self.document}\n{self.text}")

    @property
    def chunk_ids(self) -> set[str]:
        return {chunk.id for chunk in self.draft().chunks}

    def draft(self) -> Draft:
        builder = BlockBuilder()
        for line in self.text.splitlines():
            builder.add(Block(BlockKind.PARAGRAPH, line, Anchor(paragraph=len(builder) + 1)))
        parsed = builder.finish()
        title = self.title or self.document
        document_id = key(self.document)
        return Draft(
            document=Document(document_id, f"file:///{self.document}", title, labels=self.labels),
            title_key=title_key(title),
            revision=Revision(
                self.id,
                document_id,
                sha256(self.original),
                self.status,
                self.starts,
                self.ends,
                self.replaces,
            ),
            file_name=f"{self.source or title}.txt",
            size=len(self.original),
            parsed=parsed,
            chunks=[_chunk(self.id, number, block) for number, block in enumerate(parsed.blocks)],
            keywords=[words(block.text) for block in parsed.blocks],
            sketch=sketch(parsed.text),
            repeals=self.repeals,
        )


def words(text: str) -> SparseVector:
    ids = tuple(dict.fromkeys(zlib.crc32(word.encode()) for word in text.split()))
    return SparseVector(ids, (1.0,) * len(ids))


def vectors(draft: Draft) -> Vectors:
    rows = [direction(chunk.text) for chunk in draft.chunks]
    return np.array(rows, dtype=np.float32).reshape(-1, DIMENSIONS)


def direction(text: str) -> Vectors:
    raw = np.frombuffer(hashlib.sha256(text.encode()).digest(), dtype=np.uint8)[:DIMENSIONS]
    row = raw.astype(np.float32) + 1
    return row / np.linalg.norm(row)


def _chunk(revision_id: str, ordinal: int, block: Block) -> Chunk:
    start, end = block.anchor.char_start, block.anchor.char_end
    chunk_id = key(f"{revision_id}\n{ordinal}\n{block.text}")
    return Chunk(chunk_id, revision_id, ordinal, ("总则",), block.text, start, end, (block.anchor,))


def in_force(snapshot: Snapshot, day: date, principal: Principal) -> set[str]:
    """Ids of the revisions `principal` may read that are in force on `day`."""
    return {key for key, facts in snapshot.readable(principal).items() if facts.revision.in_force(day)}


@dataclass
class LibraryParts:
    folder: Path
    reached: Callable[[str], None] = lambda _step: None
    url: str = ""
    database: Database = field(init=False)
    index: EdgeIndex = field(init=False)

    def __post_init__(self) -> None:
        self.database = Database(self.url or f"sqlite:///{self.folder / 'zhixing.db'}")
        self.database.migrate()
        self.index = EdgeIndex(self.folder / "index", "test", DIMENSIONS)
        self._assemble()

    def _assemble(self) -> None:
        self.originals = Originals(self.folder / "originals")
        self.catalogue = Catalogue(self.database)
        self.documents = DocumentStore(self.database, self.catalogue)
        self.library = Library(self.database, self.index, self.originals, self.reached)

    def publish(self, *papers: Paper, principal: Principal = LOCAL) -> None:
        for paper in papers:
            draft = paper.draft()
            self.library.publish(principal, draft, vectors(draft), paper.original)

    def answering(self, day: date = TODAY, principal: Principal = LOCAL) -> set[str]:
        """Revisions a question on `day` finds: hits of the index that SQL lets through."""
        live = in_force(self.catalogue.snapshot(), day, principal)  # first, as retrieval does
        return self.found(Filter(), principal) & live

    def found(self, where: Filter, principal: Principal = LOCAL) -> set[str]:
        """Revisions whose chunks the index finds and SQL knows."""
        hits = self.index.search_dense(direction("问题"), where, 10_000)
        chunks = self.documents.chunks(principal, [hit.id for hit in hits])
        return {chunk.revision_id for chunk in chunks.values()}

    def original_digests(self) -> set[str]:
        files = (self.folder / "originals").rglob("*")
        return {path.parent.name + path.name for path in files if path.is_file()}

    def check(self) -> None:
        """What holds whenever no write is under way: index, frequencies and originals agree with SQL."""
        with self.database.session() as session:
            rows = list(session.scalars(select(RevisionRow)))
            chunk_ids = set(session.scalars(select(ChunkRow.id)))
            sums = {row.term: row.chunks for row in session.scalars(select(TermStatRow))}
            packed = [session.get_one(RevisionRow, row.id).keyword_stats for row in rows]
        expected: dict[int, int] = {}
        for blob in packed:
            for term, count in term_stats.unpack(blob).items():
                expected[term] = expected.get(term, 0) + count
        assert {row.phase for row in rows} <= {"published"}
        assert self.index.ids() == chunk_ids
        assert sums == expected
        assert self.original_digests() == {row.content_sha256 for row in rows}
        assert self.catalogue.snapshot().chunks == len(chunk_ids)
        day = in_force(self.catalogue.snapshot(), TODAY, LOCAL)
        assert self.found(Filter(in_force_on=TODAY, statuses=("active", "superseded"))) >= day

    def empty(self) -> None:
        """As new, but quicker than making a new index."""
        self.index.delete_points(sorted(self.index.ids()))
        with self.database.session() as session:
            for table in reversed(Base.metadata.sorted_tables):
                session.execute(table.delete())
        shutil.rmtree(self.folder / "originals", ignore_errors=True)
        self.reached = lambda _step: None
        self._assemble()

    def close(self) -> None:
        self.index.close()
        self.database.close()


@contextmanager
def quick_folder() -> Iterator[Path]:
    """In memory where there is room: an index has many files, each synced with every write."""
    memory = Path("/dev/shm")
    roomy = memory.is_dir() and shutil.disk_usage(memory).free > 500_000_000
    with TemporaryDirectory(prefix="zhixing-library-", dir=memory if roomy else None) as name:
        yield Path(name)
