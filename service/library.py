"""The library 资料库: publish, withdraw and delete revisions, in SQL and index together.

Publishing writes the original, records the revision as `publishing`, upserts its points as staged, switches
in SQL, and only then tells the index. A crash at any point leaves either the old or the new revision
answering; `recover` finishes or rolls back what was interrupted.
"""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from threading import RLock

from sqlalchemy import select
from sqlalchemy.orm import Session

from ingestion.documents import Chunk, Document, Revision, RevisionStatus
from ingestion.index.keyword import KeywordEncoder
from ingestion.index.schema import STAGED, Index, Payload, Point, SparseVector
from ingestion.protocols import Embedder, Vectors
from service import logs
from service.access import Principal
from service.errors import NotFound
from service.originals import Originals
from service.store import audit, publishing
from service.store.catalogue import document_of, revision_of
from service.store.database import Database
from service.store.models import DocumentRow, RevisionRow
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


class Library:
    """Writes are serialised; queries never wait for them.

    `reached(step)` is called after each step of the protocol, so that a test can kill the process there.
    """

    def __init__(
        self,
        database: Database,
        index: Index,
        originals: Originals,
        reached: Callable[[str], None] = _no_fault,
    ) -> None:
        self._database = database
        self._index = index
        self._originals = originals
        self._reached = reached
        self._writing = RLock()

    def publish(self, principal: Principal, draft: Draft, vectors: Vectors, original: bytes) -> Published:
        """Make a revision answer. `vectors` has one row per chunk of the draft."""
        revision = draft.revision
        with self._writing:
            self._originals.put(original)
            self._reached("original")
            with self._database.session() as session:
                publishing.begin(session, draft)
            self._reached("publishing")
            staged = payload_of(draft.document, revision, status=STAGED)
            self._upsert(draft.chunks, vectors, draft.keywords, staged)
            self._reached("staged")
            with self._database.session() as session:
                publishing.switch(session, revision.id)
                audit.record(
                    session, principal, "document.publish", revision.document_id, {"revision": revision.id}
                )
            self._reached("published")
            self._tell_index(revision.document_id)
            self._reached("told")
        return Published(revision.document_id, revision.id, len(draft.chunks))

    def set_status(self, principal: Principal, revision_id: str, status: RevisionStatus) -> None:
        """Withdraw, archive, or put back in force; effective for the next query."""
        with self._writing:
            with self._database.session() as session:
                row = self._readable(session, principal, revision_id)
                before, document_id = row.status, row.document_id
                publishing.set_status(session, revision_id, status)
                audit.record(
                    session,
                    principal,
                    "revision.status",
                    document_id,
                    {"revision": revision_id, "from": before, "to": status.value},
                )
            self._tell_index(document_id)

    def end(self, principal: Principal, revision_id: str, day: date, evidence: str) -> None:
        """The revision is repealed by another document from `day` on."""
        with self._writing:
            with self._database.session() as session:
                document_id = self._readable(session, principal, revision_id).document_id
                publishing.end(session, revision_id, day, evidence)
                audit.record(session, principal, "revision.repeal", document_id, {"revision": revision_id})
            self._tell_index(document_id)

    def delete_document(self, principal: Principal, document_id: str) -> int:
        """Delete every revision of a document; returns how many. Raises NotFound."""
        with self._database.session() as session:
            ids = session.scalars(select(RevisionRow.id).where(RevisionRow.document_id == document_id)).all()
            for revision_id in ids:
                self._readable(session, principal, revision_id)
        if not ids:
            raise NotFound("文档不存在")
        for revision_id in ids:
            self.delete_revision(principal, revision_id)
        return len(ids)

    def delete_revision(self, principal: Principal, revision_id: str) -> None:
        """From the first commit on no query sees it; index, rows and original follow."""
        with self._writing:
            with self._database.session() as session:
                row = self._readable(session, principal, revision_id)
                document_id = row.document_id
                publishing.mark_deleting(session, revision_id)
                audit.record(session, principal, "revision.delete", document_id, {"revision": revision_id})
            self._reached("deleting")
            self._erase(revision_id)
            self._tell_index(document_id)

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
            ids = [row.id for row in publishing.published_rows(session)]
        kept: set[str] = set()
        for done, revision_id in enumerate(ids, 1):
            with self._writing:
                kept |= self._rebuild_one(revision_id, embedder, encoder)
            on_revision(done, len(ids))
        with self._writing:
            self._index.delete_points(sorted(self._index.ids() - kept - self._chunk_ids()))
            with self._database.session() as session:
                publishing.recount(session)
                audit.record(session, principal, "index.rebuild", "index", {"chunks": len(kept)})
        return len(kept)

    def _rebuild_one(self, revision_id: str, embedder: Embedder, encoder: KeywordEncoder) -> set[str]:
        with self._database.session() as session:
            found = publishing.published(session, revision_id)
        if found is None:  # deleted since the list was made
            return set()
        document, revision, chunks = found
        texts = [chunk.searched_text for chunk in chunks]
        vectors, keywords = embedder.embed_passages(texts), [encoder.document(text) for text in texts]
        payload = payload_of(document, revision)
        self._upsert(chunks, vectors, keywords, payload)
        with self._database.session() as session:
            publishing.replace_keywords(session, revision_id, keywords)
            publishing.told_index(session, revision_id, fingerprint(payload))
        return {chunk.id for chunk in chunks}

    def _chunk_ids(self) -> set[str]:
        with self._database.session() as session:
            return publishing.chunk_ids(session)

    def recover(self) -> Recovery:
        """Finish or roll back what a crash interrupted; run at start-up before anything is served."""
        rolled_back = deleted = 0
        with self._writing:
            with self._database.session() as session:
                unfinished = publishing.unfinished(session)
            for revision_id, phase in unfinished:
                self._erase(revision_id)
                rolled_back += phase == publishing.PUBLISHING
                deleted += phase == publishing.DELETING
            told = self._tell_index()
        recovery = Recovery(rolled_back, deleted, told)
        if unfinished or told:
            log.warning("library.recovered", rolled_back=rolled_back, deleted=deleted, told_index=told)
        return recovery

    def _upsert(
        self, chunks: Sequence[Chunk], vectors: Vectors, keywords: Sequence[SparseVector], payload: Payload
    ) -> None:
        points = [
            Point(chunk.id, vector, keyword, payload)
            for chunk, vector, keyword in zip(chunks, vectors, keywords, strict=True)
        ]
        for start in range(0, len(points), UPSERT_BATCH):
            self._index.upsert(points[start : start + UPSERT_BATCH])

    def _tell_index(self, document_id: str | None = None) -> int:
        """Bring the index's facts up to SQL's for one document, or for all of them."""
        with self._database.session() as session:
            stale = []
            for row in publishing.published_rows(session, document_id):
                document = session.get(DocumentRow, row.document_id)
                if document is None:
                    raise LookupError(f"revision {row.id} without a document")
                payload = payload_of(document_of(document), revision_of(row))
                facts = fingerprint(payload)
                if row.index_facts != facts:
                    stale.append((row.id, payload, facts))
        for revision_id, payload, facts in stale:
            self._index.set_payload(revision_id, payload)
            with self._database.session() as session:
                publishing.told_index(session, revision_id, facts)
        return len(stale)

    def _erase(self, revision_id: str) -> None:
        self._index.delete_revision(revision_id)
        self._reached("erased")
        with self._database.session() as session:
            row = session.get(RevisionRow, revision_id)
            if row is None:
                return
            digest = row.content_sha256
            publishing.discard(session, revision_id)
            shared = session.scalar(
                select(RevisionRow.id).where(RevisionRow.content_sha256 == digest).limit(1)
            )
        if shared is None:
            self._originals.remove(digest)

    @staticmethod
    def _readable(session: Session, principal: Principal, revision_id: str) -> RevisionRow:
        """A hidden revision and an absent one look the same."""
        row = session.get(RevisionRow, revision_id)
        document = session.get(DocumentRow, row.document_id) if row else None
        if row is None or document is None or not principal.may_read(tuple(document.labels)):
            raise NotFound("文档不存在")
        return row


def payload_of(document: Document, revision: Revision, status: str | None = None) -> Payload:
    """The facts of a revision that the index filters by."""
    updated = document.source_updated_at
    return Payload(
        revision_id=revision.id,
        document_id=document.id,
        knowledge_base=document.knowledge_base,
        status=status or revision.status.value,
        labels=document.labels,
        effective_from=revision.effective_from,
        effective_to=revision.effective_to,
        business_line=document.business_line,
        issuer=document.issuer,
        owner=document.owner,
        source_updated=updated.date() if updated else None,
    )


def fingerprint(payload: Payload) -> str:
    """Tells whether the index knows the same facts as SQL."""
    return hashlib.sha256(repr(payload).encode()).hexdigest()
