"""The library 资料库: publish, withdraw and delete revisions, in SQL and index together.

Publishing records the revision as `publishing`, writes the original, upserts the points as staged, switches
in SQL, and only then tells the index. A crash at any point leaves either the old or the new revision
answering; `recover` finishes or rolls back what was interrupted. The record comes first, so that nothing
lies about that no row knows of.
"""

import hashlib
from collections.abc import Callable, Sequence, Set
from dataclasses import asdict, dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from ingestion.documents import Chunk, Document, RevisionStatus
from ingestion.index.keyword import KeywordEncoder
from ingestion.index.schema import STAGED, Index, Payload, Point, SparseVector, payload_of
from ingestion.protocols import Embedder, Vectors
from service import logs
from service.access import Principal
from service.errors import BadRequest, NotFound
from service.originals import Originals
from service.placement import may_revise
from service.precedence import Precedence
from service.store import audit, corrections, families, publishing
from service.store.catalogue import PUBLISHED, document_of
from service.store.corrections import Description, Revised
from service.store.database import Database
from service.store.models import DocumentRow, FileRow, RevisionRow
from service.store.publishing import Draft

log = logs.get(__name__)

UPSERT_BATCH = 256


@dataclass(frozen=True, slots=True)
class Published:
    document_id: str
    revision_id: str
    chunks: int


@dataclass(frozen=True, slots=True)
class Recovery:
    """What start-up found interrupted."""

    rolled_back: int
    deleted: int
    told_index: int


def _no_fault(_step: str) -> None:
    """The default for `reached`: tests put a process's death here."""


def _nobody_told(_document_ids: Set[str] | None) -> None:
    """The default for `on_change`."""


class Library:
    """Writes are serialised; queries never wait for them.

    `reached(step)` is called after each step of the protocol, so that a test can kill the process there.
    `on_change` gets the ids of documents that changed or went, and None at the start, when any may have gone;
    it must not raise.
    """

    def __init__(
        self,
        database: Database,
        index: Index,
        originals: Originals,
        reached: Callable[[str], None] = _no_fault,
        precedence: Precedence | None = None,
        on_change: Callable[[Set[str] | None], None] = _nobody_told,
    ) -> None:
        self._on_change = on_change
        self._precedence = precedence or Precedence()
        self._database = database
        self._index = index
        self._originals = originals
        self._reached = reached

    def publish(self, principal: Principal, draft: Draft, vectors: Vectors, original: bytes) -> Published:
        """Make a revision answer. `vectors` has one row per chunk of the draft.

        Content that the document holds already is not published twice: the result names the revision it is.
        Raises NotFound when the document exists and is hidden from the principal.
        """
        if len(vectors) != len(draft.chunks):
            raise ValueError(f"{len(draft.chunks)} chunks with {len(vectors)} vectors")
        revision = draft.revision
        with self._database.writing():
            same = self._same_content(principal, draft)
            if same is not None:
                return self._renew(principal, same, draft)
            self._precedence.give_way()
            with self._database.session() as session:
                publishing.begin(session, draft)
            self._reached("publishing")
            self._originals.put(original)
            self._reached("original")
            staged = payload_of(draft.document, revision, status=STAGED)
            self._upsert(draft.chunks, vectors, draft.keywords, staged)
            self._reached("staged")
            self._precedence.give_way()
            with self._database.session() as session:
                changed = publishing.switch(session, draft)
                audit.record(
                    session, principal, "document.publish", revision.document_id, {"revision": revision.id}
                )
                _record_vain_repeals(session, principal, revision.id)
            self._reached("published")
            self._tell_index(changed)
            self._reached("told")
        return Published(revision.document_id, revision.id, len(draft.chunks))

    def set_status(self, principal: Principal, revision_id: str, status: RevisionStatus) -> None:
        """Withdraw, archive, or put back in force; effective for the next query."""
        if status is RevisionStatus.SUPERSEDED:
            raise BadRequest("「被取代」由后一版本的施行日期决定，不能直接设置；可改为作废或归档")
        with self._database.writing():
            with self._database.session() as session:
                row = self._readable(session, principal, revision_id)
                if row.phase != PUBLISHED:
                    raise NotFound("文档不存在")
                details = {"revision": revision_id, "from": row.status, "to": status.value}
                changed = publishing.set_status(session, revision_id, status)
                audit.record(session, principal, "revision.status", row.document_id, details)
            self._reached("status")
            self._tell_index(changed)

    def describe(self, principal: Principal, document_id: str, given: Description) -> None:
        """Correct facts of a document; see `store.corrections`."""
        self._correct(lambda session: corrections.describe(session, principal, document_id, given))

    def revise(self, principal: Principal, revision_id: str, given: Revised) -> None:
        """Set days of a revision by hand, or the document that it belongs to."""
        self._correct(lambda session: corrections.revise(session, principal, revision_id, given))

    def _correct(self, correct: Callable[[Session], Set[str]]) -> None:
        with self._database.writing():
            with self._database.session() as session:
                changed = correct(session)
            self._reached("corrected")
            self._tell_index(changed)

    def delete_document(self, principal: Principal, document_id: str) -> int:
        """Delete every revision of a document at once; returns how many. Raises NotFound.

        The files it came from count as never seen, so that they can be loaded again.
        """
        with self._database.writing():
            with self._database.session() as session:
                statement = select(RevisionRow.id).where(RevisionRow.document_id == document_id)
                ids = list(session.scalars(statement))
                for revision_id in ids:
                    self._readable(session, principal, revision_id)
                if not ids:
                    raise NotFound("文档不存在")
                changed = publishing.mark_deleting(session, ids)
                publishing.forget_files(session, FileRow.document_id == document_id)
                details = {"revisions": len(ids)}
                audit.record(session, principal, "document.delete", document_id, details)
            self._finish_deleting(ids, changed)
        return len(ids)

    def delete_revision(self, principal: Principal, revision_id: str) -> None:
        """From the first commit on no query sees it; index, original and rows follow. Raises NotFound."""
        with self._database.writing():
            with self._database.session() as session:
                row = self._readable(session, principal, revision_id)
                changed = publishing.mark_deleting(session, [revision_id])
                details = {"revision": revision_id}
                audit.record(session, principal, "revision.delete", row.document_id, details)
            self._finish_deleting([revision_id], changed)

    def _same_content(self, principal: Principal, draft: Draft) -> str | None:
        """The published revision that is this content already. What a failed attempt left is cleared away."""
        with self._database.session() as session:
            document = session.get(DocumentRow, draft.document.id)
            if document is not None and not may_revise(principal, document_of(document)):
                raise NotFound("文档不存在")
            found = [(row.id, row.phase) for row in publishing.same_content(session, draft)]
            for revision_id, _phase in found:
                self._revisable(session, principal, revision_id)
        for revision_id, phase in found:
            if phase != PUBLISHED:
                self._erase(revision_id)
        return next((revision_id for revision_id, phase in found if phase == PUBLISHED), None)

    def _renew(self, principal: Principal, revision_id: str, draft: Draft) -> Published:
        with self._database.session() as session:
            changed = publishing.renew(session, revision_id, draft)
            row = self._revisable(session, principal, revision_id)
            published = Published(row.document_id, row.id, row.chunk_count)
            audit.record(session, principal, "document.renew", row.document_id, {"revision": revision_id})
        self._tell_index(changed)
        return published

    def _finish_deleting(self, revision_ids: Sequence[str], changed: Set[str]) -> None:
        self._reached("deleting")
        self._tell_index(changed)  # first of all: an older revision may be in force again
        for revision_id in revision_ids:
            self._erase(revision_id)

    def rebuild(
        self,
        principal: Principal,
        embedder: Embedder,
        encoder: KeywordEncoder,
        on_revision: Callable[[int, int], None] = lambda _done, _total: None,
    ) -> int:
        """Make every point again from SQL, then drop what SQL does not know; returns the chunks written.

        Questions are answered meanwhile: a point is replaced in place, so nothing goes missing on the way.
        """
        with self._database.session() as session:
            ids = publishing.published_ids(session)
        written = 0
        for done, revision_id in enumerate(ids, 1):
            written += self._rebuild_one(revision_id, embedder, encoder)
            on_revision(done, len(ids))
        with self._database.writing():
            with self._database.session() as session:
                known = publishing.chunk_ids(session)
            self._index.delete_points(sorted(self._index.ids() - known))
            with self._database.session() as session:
                publishing.recount(session)
                audit.record(session, principal, "index.rebuild", "index", {"chunks": written})
        return written

    def _rebuild_one(self, revision_id: str, embedder: Embedder, encoder: KeywordEncoder) -> int:
        """Embedding holds up no other writer; what it was made for may be gone or changed afterwards."""
        with self._database.session() as session:
            found = publishing.published(session, revision_id)
        if found is None:
            return 0
        chunks = found[2]
        texts = [chunk.searched_text for chunk in chunks]
        vectors, keywords = embedder.embed_passages(texts), [encoder.document(text) for text in texts]
        with self._database.writing():
            with self._database.session() as session:
                found = publishing.published(session, revision_id)
            if found is None:
                return 0
            document, revision, chunks = found
            payload = payload_of(document, revision)
            self._upsert(chunks, vectors, keywords, payload)
            with self._database.session() as session:
                publishing.replace_keywords(session, revision_id, keywords)
                publishing.told_index(session, {revision_id: fingerprint(payload)})
        return len(chunks)

    def recover(self) -> Recovery:
        """Finish or roll back what a crash interrupted; run at start-up before anything is served."""
        with self._database.writing():
            with self._database.session() as session:
                unfinished = publishing.unfinished(session)
            for revision_id, _phase in unfinished:
                self._erase(revision_id)
            told = self._tell_index()
        phases = [phase for _revision_id, phase in unfinished]
        recovery = Recovery(phases.count(publishing.PUBLISHING), phases.count(publishing.DELETING), told)
        if unfinished or told:
            log.warning("library.recovered", **asdict(recovery))
        return recovery

    def _upsert(
        self, chunks: Sequence[Chunk], vectors: Vectors, keywords: Sequence[SparseVector], payload: Payload
    ) -> None:
        points = [
            Point(chunk.id, vector, keyword, payload, chunk.speakers)
            for chunk, vector, keyword in zip(chunks, vectors, keywords, strict=True)
        ]
        for start in range(0, len(points), UPSERT_BATCH):
            self._index.upsert(points[start : start + UPSERT_BATCH])

    def _tell_index(self, document_ids: Set[str] | None = None) -> int:
        """Bring the index's facts up to SQL's, for these documents or for all; returns how many revisions.

        Whoever else follows the documents is told, too.
        """
        with self._database.session() as session:
            stale = {}
            for document, revision, told in publishing.told_facts(session, document_ids):
                payload = payload_of(document, revision)
                if told != fingerprint(payload):
                    stale[revision.id] = payload
        for revision_id, payload in stale.items():
            self._index.set_payload(revision_id, payload)
        if document_ids is None:
            self._on_change(None)
            document_ids = {payload.document_id for payload in stale.values()}
        self._on_change(document_ids)  # before SQL remembers: whom a crash keeps from it is told at the start
        with self._database.session() as session:
            publishing.told_index(session, {key: fingerprint(payload) for key, payload in stale.items()})
        return len(stale)

    def _erase(self, revision_id: str) -> None:
        """Points, original and rows of a revision no query sees. The rows go last: they say what is left."""
        self._index.delete_revision(revision_id)
        self._reached("erased")
        with self._database.session() as session:
            unshared = publishing.original_of(session, revision_id)
        if unshared is not None:
            self._originals.remove(unshared)
        self._reached("removed")
        with self._database.session() as session:
            publishing.discard(session, revision_id)

    @staticmethod
    def _readable(session: Session, principal: Principal, revision_id: str) -> RevisionRow:
        return _permitted(session, revision_id, lambda document: principal.may_read(document.labels))

    @staticmethod
    def _revisable(session: Session, principal: Principal, revision_id: str) -> RevisionRow:
        return _permitted(session, revision_id, lambda document: may_revise(principal, document))


def _permitted(session: Session, revision_id: str, allowed: Callable[[Document], bool]) -> RevisionRow:
    """A hidden revision and an absent one look the same. Raises NotFound."""
    row = session.get(RevisionRow, revision_id)
    document = session.get(DocumentRow, row.document_id) if row else None
    if row is None or document is None or not allowed(document_of(document)):
        raise NotFound("文档不存在")
    return row


def _record_vain_repeals(session: Session, principal: Principal, revision_id: str) -> None:
    """For administrators only: a reader of either document need not know of the other."""
    for document_id in families.repeals_in_vain(session, revision_id):
        log.warning("library.repeal_not_readable", revision=revision_id, document=document_id)
        audit.record(session, principal, "document.repeal_ignored", document_id, {"revision": revision_id})


def fingerprint(payload: Payload) -> str:
    """Tells whether the index knows the same facts as SQL."""
    return hashlib.sha256(repr(payload).encode()).hexdigest()
