"""Storing the line of revisions: who is in force when is decided in `ingestion.versions`, kept here."""

from collections.abc import Iterable

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from ingestion.documents import RevisionStatus
from ingestion.versions import Stated, line_up
from service.store import families
from service.store.catalogue import INDEX_VERSION, PUBLISHED, change_state, read_state
from service.store.models import DocumentRow, RevisionRow


def settle(session: Session, document_ids: Iterable[str]) -> None:
    """Line up the published revisions of these documents, and let queries see it: a new index version."""
    session.flush()
    documents = sorted(set(document_ids))
    for document_id in documents:
        _line_up(session, document_id)
    session.flush()
    change_state(session, INDEX_VERSION, 1)
    session.execute(
        update(RevisionRow)
        .where(RevisionRow.document_id.in_(documents))
        .values(changed_in=read_state(session, INDEX_VERSION))
    )


def _line_up(session: Session, document_id: str) -> None:
    document = session.get(DocumentRow, document_id)
    if document is None:
        raise LookupError(f"document {document_id} vanished during publishing")
    statement = select(RevisionRow).where(
        RevisionRow.document_id == document_id, RevisionRow.phase == PUBLISHED
    )
    rows = {row.id: row for row in session.scalars(statement)}
    places = line_up((_stated(row) for row in rows.values()), families.endings(session, document))
    for place in places:
        row = rows[place.id]
        row.status = place.status.value
        row.effective_from = place.effective_from
        row.effective_to = place.effective_to
        row.supersedes = place.supersedes
        row.line_evidence = list(place.evidence)


def _stated(row: RevisionRow) -> Stated:
    return Stated(
        id=row.id,
        loaded=row.published_at or row.created_at,
        status=RevisionStatus(row.stated_status),
        starts=row.stated_from,
        ends=row.stated_to,
        replaces=row.replaces,
        ends_by_hand="effective_to" in row.by_hand,
    )
