"""The switch: which revisions are published, and what is known of each. Read once per query.

A `Snapshot` is immutable and kept until `index_version` moves, so that a query costs one small read.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from threading import Lock
from types import MappingProxyType

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from ingestion.documents import Document, Revision, RevisionStatus
from service.access import Principal
from service.store.database import Database
from service.store.models import DocumentRow, RevisionRow, StateRow

PUBLISHED = "published"
INDEX_VERSION = "index_version"
PUBLISHED_CHUNKS = "published_chunks"


@dataclass(frozen=True, slots=True)
class RevisionFacts:
    document: Document
    revision: Revision
    file_name: str = ""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Every published revision, at one version of the index."""

    version: int
    chunks: int
    revisions: Mapping[str, RevisionFacts]

    def readable(self, principal: Principal) -> Mapping[str, RevisionFacts]:
        if principal.scopes() is None:
            return self.revisions
        return {
            key: facts for key, facts in self.revisions.items() if principal.may_read(facts.document.labels)
        }

    def in_force(self, day: date, principal: Principal) -> frozenset[str]:
        """Ids of the revisions `principal` may read that are in force on `day`."""
        return frozenset(
            key for key, facts in self.readable(principal).items() if facts.revision.in_force(day)
        )

    def of_document(self, document_id: str) -> tuple[RevisionFacts, ...]:
        """A document's published revisions, oldest first."""
        found = [facts for facts in self.revisions.values() if facts.document.id == document_id]
        return tuple(sorted(found, key=lambda f: (f.revision.effective_from or date.min, f.revision.id)))


class Catalogue:
    """Hands out the current snapshot; thread-safe."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._lock = Lock()
        self._current: Snapshot | None = None

    def snapshot(self) -> Snapshot:
        with self._database.session() as session:
            version = read_state(session, INDEX_VERSION)
            current = self._current
            if current is not None and current.version == version:
                return current
            fresh = _read(session, version)
        with self._lock:
            if self._current is None or self._current.version <= fresh.version:
                self._current = fresh
            return self._current


def read_state(session: Session, key: str) -> int:
    value = session.scalar(select(StateRow.value).where(StateRow.key == key))
    return value or 0


def change_state(session: Session, key: str, by: int) -> None:
    """Add `by` to a number of the store, creating it at zero. Runs inside the caller's transaction."""
    changed = session.execute(update(StateRow).where(StateRow.key == key).values(value=StateRow.value + by))
    if changed.rowcount == 0:  # type: ignore[attr-defined]
        session.add(StateRow(key=key, value=by))
        session.flush()


def document_of(row: DocumentRow) -> Document:
    return Document(
        id=row.id,
        source_uri=row.source_uri,
        title=row.title,
        knowledge_base=row.knowledge_base,
        media_type=row.media_type,
        business_line=row.business_line,
        issuer=row.issuer,
        owner=row.owner,
        labels=tuple(row.labels),
        source_updated_at=row.source_updated_at,
    )


def revision_of(row: RevisionRow) -> Revision:
    return Revision(
        id=row.id,
        document_id=row.document_id,
        content_sha256=row.content_sha256,
        status=RevisionStatus(row.status),
        effective_from=row.effective_from,
        effective_to=row.effective_to,
        supersedes=row.supersedes,
        label=row.label,
        evidence_of_version=tuple(row.evidence_of_version),
    )


def _read(session: Session, version: int) -> Snapshot:
    columns = (RevisionRow, DocumentRow)
    statement = (
        select(*columns)
        .join(DocumentRow, DocumentRow.id == RevisionRow.document_id)
        .where(RevisionRow.phase == PUBLISHED)
    )
    documents: dict[str, Document] = {}
    revisions: dict[str, RevisionFacts] = {}
    for revision_row, document_row in session.execute(statement):
        document = documents.setdefault(document_row.id, document_of(document_row))
        facts = RevisionFacts(document, revision_of(revision_row), revision_row.file_name)
        revisions[revision_row.id] = facts
    return Snapshot(version, read_state(session, PUBLISHED_CHUNKS), MappingProxyType(revisions))
