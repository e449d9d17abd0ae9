"""The switch: which revisions are published, and what is known of each. Read once per query.

A `Snapshot` is immutable and kept until `index_version` moves, so that a query costs one small read.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from threading import Lock
from types import MappingProxyType

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from ingestion.documents import Document, Kind, Revision, RevisionStatus
from service.access import Principal
from service.store.database import Database
from service.store.models import DocumentRow, RevisionRow, StateRow
from service.store.upserts import upsert

PUBLISHED = "published"
INDEX_VERSION = "index_version"
PUBLISHED_CHUNKS = "published_chunks"
_IN_LIMIT = 500


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
        scopes = principal.scopes()
        if scopes is None:
            return self.revisions
        mine = frozenset(scopes)
        return {
            key: facts for key, facts in self.revisions.items() if not mine.isdisjoint(facts.document.labels)
        }

    def visible(self, principal: Principal, revision_id: str) -> RevisionFacts | None:
        """One published revision, if `principal` may read it; hidden and absent look the same."""
        facts = self.revisions.get(revision_id)
        return facts if facts is not None and principal.may_read(facts.document.labels) else None


class Catalogue:
    """Hands out the current snapshot; thread-safe."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._lock = Lock()
        self._current: Snapshot | None = None

    def snapshot(self) -> Snapshot:
        """Reads only what changed since the last one: of 10,000 revisions a second whole, else some ms."""
        with self._database.consistent() as session:
            version = read_state(session, INDEX_VERSION)
            current = self._current
            if current is not None and current.version == version:
                return current
            fresh = _read(session, version, current)
        with self._lock:
            if self._current is None or self._current.version <= fresh.version:
                self._current = fresh
            return self._current


def read_state(session: Session, key: str) -> int:
    value = session.scalar(select(StateRow.value).where(StateRow.key == key))
    return value or 0


def change_state(session: Session, key: str, by: int) -> None:
    """Add `by` to a number of the store, creating it at zero. Runs inside the caller's transaction."""
    upsert(session, StateRow, [{"key": key, "value": by}], adding="value")


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
        kind=Kind(row.kind),
        meeting_date=row.meeting_date,
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
        evidence_of_version=(*row.evidence_of_version, *row.line_evidence),
    )


def _read(session: Session, version: int, known: Snapshot | None) -> Snapshot:
    """What `known` holds and has not changed since then is taken over.

    Every change leaves its version on the row, but a row that is gone leaves none: the count tells of it.
    """
    revisions = dict(known.revisions) if known else {}
    since = known.version if known else -1
    stamped = select(RevisionRow.id, RevisionRow.phase).where(RevisionRow.changed_in > since)
    changed = {key: phase == PUBLISHED for key, phase in session.execute(stamped)}
    for key in changed:
        revisions.pop(key, None)
    revisions |= _facts(session, [key for key, is_published in changed.items() if is_published])
    published = select(func.count()).select_from(RevisionRow).where(RevisionRow.phase == PUBLISHED)
    if session.scalar(published) != len(revisions):
        left = set(session.scalars(select(RevisionRow.id).where(RevisionRow.phase == PUBLISHED)))
        revisions = {key: facts for key, facts in revisions.items() if key in left}
    return Snapshot(version, read_state(session, PUBLISHED_CHUNKS), MappingProxyType(revisions))


def _facts(session: Session, ids: Sequence[str]) -> dict[str, RevisionFacts]:
    statement = select(RevisionRow, DocumentRow).join(DocumentRow, DocumentRow.id == RevisionRow.document_id)
    documents: dict[str, Document] = {}
    facts: dict[str, RevisionFacts] = {}
    for start in range(0, len(ids), _IN_LIMIT):
        batch = statement.where(RevisionRow.id.in_(ids[start : start + _IN_LIMIT]))
        for row, document_row in session.execute(batch):
            document = documents.setdefault(document_row.id, document_of(document_row))
            facts[row.id] = RevisionFacts(document, revision_of(row), row.file_name)
    return facts
