"""Finding the document a new file belongs to, and what repeals what. Reads only."""

from dataclasses import dataclass
from datetime import date

from sqlalchemy import Select, select
from sqlalchemy.orm import Session

from ingestion.documents import Document
from service.store.catalogue import PUBLISHED, document_of
from service.store.models import DocumentRow, RepealRow, RevisionContentRow, RevisionRow


@dataclass(frozen=True, slots=True)
class Candidate:
    """A document of the same title, with the text of one of its revisions."""

    document: Document
    text: str


@dataclass(frozen=True, slots=True)
class Repeal:
    """`repealed` stops being in force on `day` because `by` says so."""

    repealed: str  # revision id
    by: str  # title of the repealing document
    day: date


def document(session: Session, document_id: str) -> Document | None:
    row = session.get(DocumentRow, document_id)
    return document_of(row) if row else None


def candidates(session: Session, knowledge_base: str, title_key: str) -> list[Candidate]:
    """Published documents of this title in one knowledge base, each revision's text."""
    statement = (
        select(DocumentRow, RevisionContentRow.text)
        .join(RevisionRow, RevisionRow.document_id == DocumentRow.id)
        .join(RevisionContentRow, RevisionContentRow.revision_id == RevisionRow.id)
        .where(
            DocumentRow.knowledge_base == knowledge_base,
            DocumentRow.title_key == title_key,
            RevisionRow.phase == PUBLISHED,
        )
        .order_by(DocumentRow.created_at, RevisionRow.created_at.desc())
    )
    return [Candidate(document_of(row), text) for row, text in session.execute(statement)]


def repeals_touching(session: Session, revision_id: str) -> list[Repeal]:
    """What the revision repeals, and what repeals it: either file may have come first."""
    mine = session.execute(_facts().where(RevisionRow.id == revision_id)).one_or_none()
    if mine is None:
        return []
    revision, document_row = mine
    others = _facts().where(
        DocumentRow.knowledge_base == document_row.knowledge_base, DocumentRow.id != document_row.id
    )
    repealed = select(RepealRow.title_key).where(RepealRow.revision_id == revision_id)
    repealing = select(RepealRow.revision_id).where(RepealRow.title_key == document_row.title_key)
    found = []
    for target, _document in session.execute(others.where(DocumentRow.title_key.in_(repealed))):
        found += _repeal(target, revision, document_row.title)
    for source, source_document in session.execute(others.where(RevisionRow.id.in_(repealing))):
        found += _repeal(revision, source, source_document.title)
    return found


def _repeal(target: RevisionRow, source: RevisionRow, title: str) -> list[Repeal]:
    """Nothing when the source names no day, or the target came into force after it."""
    day = source.effective_from
    if day is None or (target.effective_from is not None and target.effective_from >= day):
        return []
    return [Repeal(target.id, title, day)]


def _facts() -> "Select[RevisionRow, DocumentRow]":
    return (
        select(RevisionRow, DocumentRow)
        .join(DocumentRow, DocumentRow.id == RevisionRow.document_id)
        .where(RevisionRow.phase == PUBLISHED)
    )
