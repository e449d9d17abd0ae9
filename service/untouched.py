"""Records of meetings that are in the archive and were not touched since: told by size and time, unread.

An archive of thousands is offered again and again; the few new files should not wait for all the others.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from ingestion.documents import READABLE, Kind
from service import placement
from service.incoming import Incoming
from service.store.database import Database
from service.store.models import DocumentRow, RevisionRow
from service.store.tasks import FileRecord, FileStore

_SAME_MOMENT = 0.001  # seconds; a database may keep fewer digits than a file system
_IN_LIMIT = 500


@dataclass(frozen=True, slots=True)
class Sorted:
    """`standing` are as they were taken in; `left` have to be looked into."""

    standing: tuple[FileRecord, ...]
    left: tuple[Incoming, ...]


def sort_out(database: Database, files: FileStore, items: Sequence[Incoming]) -> Sorted:
    """Documents are always looked into: a rule that changed without a trace would go on being cited."""
    bases = {item.knowledge_base for item in items if item.kind is Kind.MINUTES}
    known = {
        (base, record.source_uri): record
        for base in bases
        for record in files.of_sources(base, [item.source_uri for item in items])
    }
    untouched: dict[str, FileRecord] = {}
    for item in items:
        record = known.get((item.knowledge_base, item.source_uri))
        if record is not None and item.kind is Kind.MINUTES and _is_untouched(record, item):
            untouched[item.source_uri] = record
    with database.session() as session:
        ids = [record.revision_id for record in untouched.values() if record.revision_id]
        _rows = _loaded(session, ids)  # held on to: the session itself forgets what nobody holds
        standing = {
            item.source_uri: untouched[item.source_uri]
            for item in items
            if item.source_uri in untouched and placement.stands(session, untouched[item.source_uri], item)
        }
    left = tuple(item for item in items if item.source_uri not in standing)
    return Sorted(tuple(standing.values()), left)


def _is_untouched(record: FileRecord, item: Incoming) -> bool:
    if item.path is None or item.modified_at is None or record.modified_at is None:
        return False
    if record.state not in READABLE or record.document_id is None or record.missing_since is not None:
        return False
    apart = abs((record.modified_at - item.modified_at).total_seconds())
    try:
        return apart < _SAME_MOMENT and record.size == item.size()
    except OSError:  # gone since it was listed: whoever reads it says so
        return False


def _loaded(session: Session, revision_ids: Sequence[str]) -> list[RevisionRow | DocumentRow]:
    """Revisions and their documents in the session, so that looking at each one asks the database no more."""
    rows: list[RevisionRow | DocumentRow] = []
    for start in range(0, len(revision_ids), _IN_LIMIT):
        some = RevisionRow.id.in_(revision_ids[start : start + _IN_LIMIT])
        rows += session.scalars(select(RevisionRow).where(some))
        of_them = select(RevisionRow.document_id).where(some)
        rows += session.scalars(select(DocumentRow).where(DocumentRow.id.in_(of_them)))
    return rows
