"""Finding the document a new file belongs to, and what repeals what. Reads only."""

from dataclasses import dataclass
from datetime import date

from sqlalchemy import Select, select, update
from sqlalchemy.orm import Session

from ingestion.documents import NEVER_IN_FORCE, Document, Kind, RevisionStatus
from ingestion.sketches import sketch
from ingestion.versions import Ending
from service.access import covers
from service.store.catalogue import PUBLISHED, document_of
from service.store.models import DocumentRow, FileRow, RepealRow, RevisionContentRow, RevisionRow


@dataclass(frozen=True, slots=True)
class Candidate:
    """A revision of a document of the same title, by the sketch of its text."""

    document: Document
    revision_id: str
    sketch: bytes


def document(session: Session, document_id: str) -> Document | None:
    row = session.get(DocumentRow, document_id)
    return document_of(row) if row else None


def candidates(session: Session, knowledge_base: str, title_key: str) -> list[Candidate]:
    """The published revisions of this title in one knowledge base: the oldest document first, of each its
    newest revision. What was published before there were sketches gets one now."""
    statement = (
        select(DocumentRow, RevisionRow.id, RevisionRow.sketch)
        .join(RevisionRow, RevisionRow.document_id == DocumentRow.id)
        .where(
            DocumentRow.knowledge_base == knowledge_base,
            DocumentRow.title_key == title_key,
            RevisionRow.phase == PUBLISHED,
        )
        .order_by(DocumentRow.created_at, RevisionRow.created_at.desc())
    )
    return [
        Candidate(document_of(row), key, kept if kept is not None else _sketched(session, key))
        for row, key, kept in session.execute(statement).all()
    ]


def holding(session: Session, knowledge_base: str, kind: Kind, digest: str) -> list[tuple[Document, str]]:
    """Documents of that kind with a published revision of these bytes and its id, the oldest first. What a
    later revision took the place of is found by nobody, and so holds nothing."""
    statement = (
        select(DocumentRow, RevisionRow.id)
        .join(RevisionRow, RevisionRow.document_id == DocumentRow.id)
        .where(
            RevisionRow.content_sha256 == digest,
            RevisionRow.phase == PUBLISHED,
            RevisionRow.status != RevisionStatus.SUPERSEDED.value,
            DocumentRow.knowledge_base == knowledge_base,
            DocumentRow.kind == kind.value,
        )
        .order_by(DocumentRow.created_at, RevisionRow.created_at)
    )
    return [(document_of(row), key) for row, key in session.execute(statement)]


def is_only_source(session: Session, document: Document, source_uri: str) -> bool:
    """Whether no other file that is still there stands for the document."""
    others = select(FileRow.id).where(
        FileRow.document_id == document.id,
        FileRow.source_uri != source_uri,
        FileRow.missing_since.is_(None),
    )
    return session.scalar(others.limit(1)) is None


def text_of(session: Session, revision_id: str) -> str:
    statement = select(RevisionContentRow.text).where(RevisionContentRow.revision_id == revision_id)
    return session.scalars(statement).one()


def _sketched(session: Session, revision_id: str) -> bytes:
    made = sketch(text_of(session, revision_id))
    session.execute(update(RevisionRow).where(RevisionRow.id == revision_id).values(sketch=made))
    return made


def endings(session: Session, document: DocumentRow) -> list[Ending]:
    """What other published documents of the knowledge base say about the end of this one.

    Drafts and withdrawn revisions repeal nothing. Nor does what some reader of this document may not read:
    nobody ends a rule for others by a file of his own, and none learns of a file that is hidden from him.
    """
    found = []
    for begins, effective_on, title, labels in session.execute(_repealing(document)):
        day = effective_on or begins
        if day is not None and covers(labels, document.labels):
            found.append(Ending(day, f"《{title}》规定自 {day.isoformat()} 起废止"))
    return found


def _repealing(document: DocumentRow) -> Select[date | None, date | None, str, list[str]]:
    return (
        select(RevisionRow.stated_from, RepealRow.effective_on, DocumentRow.title, DocumentRow.labels)
        .join(RepealRow, RepealRow.revision_id == RevisionRow.id)
        .join(DocumentRow, DocumentRow.id == RevisionRow.document_id)
        .where(
            RepealRow.title_key == document.title_key,
            DocumentRow.knowledge_base == document.knowledge_base,
            DocumentRow.id != document.id,
            RevisionRow.phase == PUBLISHED,
            RevisionRow.stated_status.not_in([status.value for status in NEVER_IN_FORCE]),
        )
    )


def repeals_in_vain(session: Session, revision_id: str) -> list[str]:
    """Ids of the documents that a revision declares repealed and cannot end: see `endings`."""
    statement = (
        select(DocumentRow.labels)
        .join(RevisionRow, RevisionRow.document_id == DocumentRow.id)
        .where(RevisionRow.id == revision_id)
    )
    labels = session.scalars(statement).one()
    named = [session.get_one(DocumentRow, key) for key in repealed_by(session, revision_id)]
    return [document.id for document in named if not covers(labels, document.labels)]


def repealed_by(session: Session, revision_id: str) -> list[str]:
    """Ids of the documents that a revision declares repealed."""
    repealing = (
        select(RepealRow.title_key, DocumentRow.knowledge_base, DocumentRow.id)
        .join(RevisionRow, RevisionRow.id == RepealRow.revision_id)
        .join(DocumentRow, DocumentRow.id == RevisionRow.document_id)
        .where(RepealRow.revision_id == revision_id)
        .subquery()
    )
    statement = (
        select(DocumentRow.id)
        .join(
            repealing,
            (repealing.c.title_key == DocumentRow.title_key)
            & (repealing.c.knowledge_base == DocumentRow.knowledge_base),
        )
        .where(DocumentRow.id != repealing.c.id)
    )
    return list(session.scalars(statement))
