"""Reading documents, revisions and chunks, each time as one principal sees them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime

from sqlalchemy import ColumnElement, and_, func, or_, select
from sqlalchemy.orm import Session

from ingestion.documents import NEVER_IN_FORCE, Block, Chunk, Document, Metadata, ParseReport, Revision
from service.access import Principal
from service.errors import NotFound
from service.standing import Standing
from service.store.catalogue import PUBLISHED, Catalogue, document_of, revision_of
from service.store.database import Database
from service.store.models import ChunkRow, DocumentRow, RevisionContentRow, RevisionRow
from service.store.publishing import BLOCKS, METADATA, REPORT, chunk_of, chunks_of
from service.store.readable import narrowed

_LONG_AGO = datetime.min.replace(tzinfo=UTC)


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
        """The one in force today; the newest where none is: one that waits for its day is not meant by
        whoever names none."""
        today = date.today()
        return next((item for item in self.revisions if item.revision.in_force(today)), self.revisions[0])

    def revision(self, revision_id: str | None) -> StoredRevision:
        """The one of this id, the current one when none is named. Raises NotFound."""
        if revision_id is None:
            return self.current
        found = next((item for item in self.revisions if item.revision.id == revision_id), None)
        if found is None:
            raise NotFound("这份文档没有该版本")
        return found

    def before(self, item: StoredRevision) -> StoredRevision | None:
        """The one that `item` superseded, the next older one where that is not known; None for the first."""
        named = (one for one in self.revisions if one.revision.id == item.revision.supersedes)
        older = self.revisions[self.revisions.index(item) + 1 :]
        return next(named, older[0] if older else None)


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
        standing: Standing | None = None,
        day: date | None = None,
        owner: str | None = None,
        search: str = "",
        number: int = 1,
        page_size: int = 20,
    ) -> Page:
        """Documents with a published revision, newest first; labels before counting.

        `status` is what a revision is recorded as, `standing` how one stands on `day` (today if not given).
        """
        published = select(RevisionRow.document_id).where(RevisionRow.phase == PUBLISHED)
        if status:
            published = published.where(RevisionRow.status == status)
        if standing:
            published = published.where(_stands(standing, day or date.today()))
        statement = select(DocumentRow.id).where(DocumentRow.id.in_(published))
        if knowledge_base:
            statement = statement.where(DocumentRow.knowledge_base == knowledge_base)
        if owner:
            statement = statement.where(DocumentRow.owner == owner)
        if search:
            statement = statement.where(DocumentRow.title.icontains(search, autoescape=True))
        with self._database.session() as session:
            statement = narrowed(session, principal, statement, DocumentRow.labels)
            total = session.scalar(select(func.count()).select_from(statement.subquery())) or 0
            newest = statement.order_by(DocumentRow.created_at.desc(), DocumentRow.id)
            shown = session.scalars(newest.limit(page_size).offset((number - 1) * page_size))
            items = _stored(session, list(shown))
        return Page(items, total)

    def get(self, principal: Principal, document_id: str) -> StoredDocument:
        """Raises NotFound, also when it is hidden from the principal or has no published revision."""
        with self._database.session() as session:
            found = _stored(session, [document_id])
        if not found or not principal.may_read(found[0].document.labels):
            raise NotFound("文档不存在")
        return found[0]

    def of_revision(self, principal: Principal, revision_id: str) -> StoredDocument:
        """The document that a revision belongs to. Raises NotFound."""
        with self._database.session() as session:
            row = session.get(RevisionRow, revision_id)
        return self.get(principal, row.document_id if row else "")

    def content(self, principal: Principal, document_id: str, revision_id: str | None = None) -> Content:
        """One revision's text; the current one's when none is named."""
        stored = self.get(principal, document_id)
        item = stored.revision(revision_id)
        with self._database.session() as session:
            row = session.get(RevisionContentRow, item.revision.id)
            if row is None:
                raise NotFound("这份文档没有该版本")
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
        snapshot = self._catalogue.snapshot()
        with self._database.session() as session:
            found = chunks_of(session, ids)
        return {key: chunk for key, chunk in found.items() if snapshot.visible(principal, chunk.revision_id)}

    def section(self, principal: Principal, revision_id: str, first: int, last: int) -> tuple[Chunk, ...]:
        """Chunks of a revision by ordinal, both ends included."""
        if self._catalogue.snapshot().visible(principal, revision_id) is None:
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


def _stands(standing: Standing, day: date) -> ColumnElement[bool]:
    """`standing_of` as a condition, so that a filtered page is counted where the rows are."""
    row = RevisionRow
    if standing.value in NEVER_IN_FORCE:
        return row.status == standing.value
    started = or_(row.effective_from.is_(None), row.effective_from <= day)
    ended = and_(row.effective_to.is_not(None), row.effective_to <= day)
    by_dates = {
        Standing.IN_FORCE: and_(started, ~ended),
        Standing.ENDED: ended,
        Standing.FUTURE: and_(~started, ~ended),
    }
    return and_(row.status.not_in(sorted(NEVER_IN_FORCE)), by_dates[standing])


def _stored(session: Session, ids: Sequence[str]) -> tuple[StoredDocument, ...]:
    """These documents in this order, those without a published revision left out."""
    statement = (
        select(RevisionRow, DocumentRow)
        .join(DocumentRow, DocumentRow.id == RevisionRow.document_id)
        .where(RevisionRow.document_id.in_(ids), RevisionRow.phase == PUBLISHED)
    )
    revisions: dict[str, list[StoredRevision]] = {}
    documents: dict[str, Document] = {}
    for row, document in session.execute(statement):
        documents[row.document_id] = document_of(document)
        revisions.setdefault(row.document_id, []).append(
            StoredRevision(
                revision_of(row), row.file_name, row.size, row.chunk_count, row.phase, row.published_at
            )
        )
    for items in revisions.values():
        items.sort(key=_by_time, reverse=True)
    return tuple(StoredDocument(documents[key], tuple(revisions[key])) for key in ids if key in documents)


def _by_time(item: StoredRevision) -> tuple[date, datetime]:
    return item.revision.effective_from or date.min, item.published_at or _LONG_AGO
