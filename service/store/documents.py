"""Reading documents, revisions and chunks, each time as one principal sees them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from ingestion.documents import Block, Chunk, Document, Metadata, ParseReport, Revision
from service.access import Principal
from service.errors import NotFound
from service.store.catalogue import PUBLISHED, Catalogue, document_of, revision_of
from service.store.database import Database
from service.store.models import ChunkRow, DocumentRow, RevisionContentRow, RevisionRow
from service.store.publishing import BLOCKS, METADATA, REPORT, chunk_of

_IN_LIMIT = 500


@dataclass(frozen=True, slots=True)
class StoredRevision:
    revision: Revision
    file_name: str
    size: int
    chunk_count: int
    phase: str
    published_at: datetime | None


@dataclass(frozen=True, slots=True)
class StoredDocument:
    document: Document
    revisions: tuple[StoredRevision, ...]  # newest first

    @property
    def current(self) -> StoredRevision:
        return self.revisions[0]


@dataclass(frozen=True, slots=True)
class Content:
    """The canonical text of one revision, with the account of how it was read."""

    document: Document
    revision: Revision
    file_name: str
    text: str
    blocks: tuple[Block, ...]
    state: str
    report: ParseReport
    metadata: Metadata


@dataclass(frozen=True, slots=True)
class Page:
    items: tuple[StoredDocument, ...]
    total: int


class DocumentStore:
    def __init__(self, database: Database, catalogue: Catalogue) -> None:
        self._database = database
        self._catalogue = catalogue

    def page(
        self,
        principal: Principal,
        *,
        knowledge_base: str | None = None,
        status: str | None = None,
        owner: str | None = None,
        search: str = "",
        number: int = 1,
        page_size: int = 20,
    ) -> Page:
        """Documents with a published revision (of that status), newest first; labels before counting."""
        published = select(RevisionRow.document_id).where(RevisionRow.phase == PUBLISHED)
        if status:
            published = published.where(RevisionRow.status == status)
        statement = select(DocumentRow).where(DocumentRow.id.in_(published))
        if knowledge_base:
            statement = statement.where(DocumentRow.knowledge_base == knowledge_base)
        if owner:
            statement = statement.where(DocumentRow.owner == owner)
        if search:
            statement = statement.where(DocumentRow.title.contains(search, autoescape=True))
        start = (number - 1) * page_size
        with self._database.session() as session:
            rows = session.scalars(statement.order_by(DocumentRow.created_at.desc(), DocumentRow.id))
            visible = [row for row in rows if principal.may_read(tuple(row.labels))]
            items = tuple(_stored(session, row) for row in visible[start : start + page_size])
        return Page(items, len(visible))

    def get(self, principal: Principal, document_id: str) -> StoredDocument:
        """Raises NotFound, also when the document is hidden from the principal."""
        with self._database.session() as session:
            row = session.get(DocumentRow, document_id)
            if row is None or not principal.may_read(tuple(row.labels)):
                raise NotFound("文档不存在")
            stored = _stored(session, row)
        if not stored.revisions:
            raise NotFound("文档不存在")
        return stored

    def content(self, principal: Principal, document_id: str, revision_id: str | None = None) -> Content:
        """One revision's text; the newest when none is named."""
        stored = self.get(principal, document_id)
        wanted = revision_id or stored.current.revision.id
        for item in stored.revisions:
            if item.revision.id == wanted:
                break
        else:
            raise NotFound("该版本不存在")
        with self._database.session() as session:
            row = session.get(RevisionContentRow, wanted)
            if row is None:
                raise NotFound("该版本不存在")
            return Content(
                document=stored.document,
                revision=item.revision,
                file_name=item.file_name,
                text=row.text,
                blocks=tuple(BLOCKS.validate_python(row.blocks)),
                state=row.state,
                report=REPORT.validate_python(row.report),
                metadata=METADATA.validate_python(row.file_metadata),
            )

    def chunks(self, principal: Principal, ids: Sequence[str]) -> dict[str, Chunk]:
        """The readable, published chunks among `ids`."""
        readable = self._catalogue.snapshot().readable(principal)
        found: dict[str, Chunk] = {}
        with self._database.session() as session:
            for start in range(0, len(ids), _IN_LIMIT):
                batch = ids[start : start + _IN_LIMIT]
                for row in session.scalars(select(ChunkRow).where(ChunkRow.id.in_(batch))):
                    if row.revision_id in readable:
                        found[row.id] = chunk_of(row)
        return found

    def section(self, principal: Principal, revision_id: str, first: int, last: int) -> tuple[Chunk, ...]:
        """Chunks of a revision by ordinal, both ends included."""
        if revision_id not in self._catalogue.snapshot().readable(principal):
            return ()
        statement = (
            select(ChunkRow)
            .where(ChunkRow.revision_id == revision_id, ChunkRow.ordinal >= first, ChunkRow.ordinal <= last)
            .order_by(ChunkRow.ordinal)
        )
        with self._database.session() as session:
            return tuple(chunk_of(row) for row in session.scalars(statement))

    def knowledge_bases(self, principal: Principal) -> tuple[str, ...]:
        facts = self._catalogue.snapshot().readable(principal).values()
        return tuple(sorted({f.document.knowledge_base for f in facts}))

    def totals(self) -> tuple[int, int]:
        """(documents, chunks) published, whoever may read them: for metrics only."""
        with self._database.session() as session:
            documents = session.scalar(
                select(func.count(func.distinct(RevisionRow.document_id))).where(
                    RevisionRow.phase == PUBLISHED
                )
            )
        return documents or 0, self._catalogue.snapshot().chunks


def _stored(session: Session, row: DocumentRow) -> StoredDocument:
    revisions = session.scalars(
        select(RevisionRow)
        .where(RevisionRow.document_id == row.id, RevisionRow.phase == PUBLISHED)
        .order_by(RevisionRow.effective_from.desc(), RevisionRow.published_at.desc())
    )
    return StoredDocument(
        document_of(row),
        tuple(
            StoredRevision(
                revision_of(item), item.file_name, item.size, item.chunk_count, item.phase, item.published_at
            )
            for item in revisions
        ),
    )
