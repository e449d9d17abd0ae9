"""Corrections by hand 手工更正: what a person says of a document or revision, against what was read from it.

Each function is one step inside the caller's transaction. It writes the audit line itself, works out the
lines of revisions anew, and returns the ids of the documents that changed.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from uuid import uuid4

from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session

from ingestion.documents import Kind
from ingestion.versions import title_key
from service.access import Principal
from service.errors import BadRequest, Conflict, NotFound
from service.store import audit, families, lines
from service.store.catalogue import PUBLISHED
from service.store.models import DocumentRow, FileRow, RevisionRow, now


class Fact(StrEnum):
    """What can be corrected of a document beside its labels; the names of the columns."""

    TITLE = "title"
    OWNER = "owner"
    BUSINESS_LINE = "business_line"
    ISSUER = "issuer"


class Bound(StrEnum):
    """The two days of a revision."""

    START = "effective_from"
    END = "effective_to"


BOUNDS = {Bound.START: "施行日期", Bound.END: "失效日期"}


@dataclass(frozen=True, slots=True)
class Description:
    """The facts to be corrected; `labels` None leaves the readers as they are."""

    facts: Mapping[Fact, str]
    labels: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Belonging:
    """The document that a revision belongs to; None: a new one of its own."""

    document_id: str | None


@dataclass(frozen=True, slots=True)
class Revised:
    """What is to be corrected of a revision: the days that are given, and where it belongs unless None."""

    days: Mapping[Bound, date | None] = field(default_factory=dict)
    belongs: Belonging | None = None


def describe(session: Session, principal: Principal, document_id: str, given: Description) -> set[str]:
    """From here on no later revision of the document changes these facts back; its labels it may.

    Raises NotFound, and BadRequest for an empty title.
    """
    row = _document(session, principal, document_id)
    before = {fact.value: getattr(row, fact) for fact in given.facts}
    for fact, text in given.facts.items():
        setattr(row, fact, text)
    if not row.title.strip():
        raise BadRequest("题名不能是空的")
    row.title_key = title_key(row.title) if row.kind == Kind.DOCUMENT.value else ""
    row.by_hand = sorted({*row.by_hand, *given.facts})
    details = {f"{name}_from": text for name, text in before.items()}
    details |= {f"{fact}_to": text for fact, text in given.facts.items()}
    if given.labels is not None:
        details |= {"labels_from": " ".join(row.labels), "labels_to": " ".join(given.labels)}
        row.labels = list(given.labels)
    audit.record(session, principal, "document.correct", document_id, details)
    return _settle(session, {document_id}, _revisions(session, document_id))


def revise(session: Session, principal: Principal, revision_id: str, given: Revised) -> set[str]:
    """Raises what `set_term` and `move` raise."""
    changed: set[str] = set()
    if given.days:
        changed |= set_term(session, principal, revision_id, given.days)
    if given.belongs is not None:
        changed |= move(session, principal, revision_id, given.belongs.document_id)
    return changed


def set_term(
    session: Session, principal: Principal, revision_id: str, days: Mapping[Bound, date | None]
) -> set[str]:
    """The days hold against those read from the text. A given end, "none" included, also holds against what
    another document says about it; the next revision still takes over on its day.

    Raises NotFound, and BadRequest for an end that is not after the start.
    """
    row = _revision(session, principal, revision_id)
    row.stated_from = days.get(Bound.START, row.stated_from)
    row.stated_to = days.get(Bound.END, row.stated_to)
    if row.stated_from and row.stated_to and row.stated_to <= row.stated_from:
        raise BadRequest("失效日期要晚于施行日期")
    for bound, day in days.items():
        said = f"手工指定为 {day.isoformat()}" if day else "手工指定为没有"
        _note(row, f"{BOUNDS[bound]}由", f"{_by(principal)}{said}")
    row.by_hand = sorted({*row.by_hand, *days})
    details = {bound.value: day.isoformat() if day else None for bound, day in days.items()}
    audit.record(session, principal, "revision.term", row.document_id, {"revision": revision_id, **details})
    return _settle(session, {row.document_id}, [revision_id])


def move(session: Session, principal: Principal, revision_id: str, target_id: str | None) -> set[str]:
    """The revision belongs to the document `target_id`, or to a new one of its own. A document without
    revisions is gone, and is among those that changed all the same.

    Raises NotFound, and Conflict where it cannot belong.
    """
    row = _revision(session, principal, revision_id)
    source = _document(session, principal, row.document_id)
    alone = _revisions(session, source.id) == [revision_id]
    target = (
        _new_document(session, source, row) if target_id is None else _document(session, principal, target_id)
    )
    if target_id is None and alone:
        raise Conflict("这份文档只有这一个版本，不用另立")
    if target_id == source.id:
        raise Conflict("这个版本已经属于这份文档")
    if target.kind != source.kind:
        raise Conflict("会议纪要与文档不能归在一起")
    if target.knowledge_base != source.knowledge_base:
        raise Conflict("两份文档不在同一个知识库")
    if _holds(session, target.id, row.content_sha256):
        raise Conflict("那份文档已经有内容相同的版本")
    touched = set(families.repealed_by(session, revision_id))
    row.document_id, row.replaces = target.id, None
    session.execute(update(FileRow).where(FileRow.revision_id == revision_id).values(document_id=target.id))
    where = "另立为单独的文档" if target_id is None else f"归入《{target.title}》"
    _note(row, "归属由", f"{_by(principal)}手工指定：{where}")
    details = {"revision": revision_id, "from": source.id, "to": target.id}
    audit.record(session, principal, "revision.move", target.id, details)
    session.flush()
    left = select(RevisionRow.id).where(RevisionRow.document_id == source.id)
    if session.scalar(left.limit(1)) is None:
        session.execute(delete(DocumentRow).where(DocumentRow.id == source.id))
        touched.discard(source.id)
    else:
        touched.add(source.id)
    return _settle(session, touched | {target.id}, [revision_id]) | {source.id}


def _settle(session: Session, documents: set[str], revisions: Iterable[str]) -> set[str]:
    """These documents, and all that their revisions repeal: who may be named and what is meant can change."""
    session.flush()
    changed = documents.union(*(families.repealed_by(session, revision_id) for revision_id in revisions))
    lines.settle(session, changed)
    return changed


def _document(session: Session, principal: Principal, document_id: str) -> DocumentRow:
    """Raises NotFound: hidden, absent, and without a published revision look the same."""
    row = session.get(DocumentRow, document_id)
    if row is None or not principal.may_read(tuple(row.labels)) or not _revisions(session, document_id):
        raise NotFound("文档不存在")
    return row


def _revision(session: Session, principal: Principal, revision_id: str) -> RevisionRow:
    row = session.get(RevisionRow, revision_id)
    if row is None or row.phase != PUBLISHED:
        raise NotFound("文档不存在")
    _document(session, principal, row.document_id)
    return row


def _revisions(session: Session, document_id: str) -> list[str]:
    statement = select(RevisionRow.id).where(
        RevisionRow.document_id == document_id, RevisionRow.phase == PUBLISHED
    )
    return list(session.scalars(statement))


def _holds(session: Session, document_id: str, digest: str) -> bool:
    same = select(RevisionRow.id).where(
        RevisionRow.document_id == document_id, RevisionRow.content_sha256 == digest
    )
    return session.scalar(same.limit(1)) is not None


def _new_document(session: Session, like: DocumentRow, revision: RevisionRow) -> DocumentRow:
    """A document of the same facts, from the source that the revision's file came from."""
    statement = select(FileRow.source_uri).where(FileRow.revision_id == revision.id).limit(1)
    row = DocumentRow(
        id=str(uuid4()),
        source_uri=session.scalar(statement) or like.source_uri,
        title=like.title,
        title_key=like.title_key,
        knowledge_base=like.knowledge_base,
        media_type=like.media_type,
        business_line=like.business_line,
        issuer=like.issuer,
        owner=like.owner,
        labels=list(like.labels),
        source_updated_at=like.source_updated_at,
        kind=like.kind,
        meeting_date=like.meeting_date,
        created_at=now(),
    )
    session.add(row)
    session.flush()
    return row


def _note(row: RevisionRow, beginning: str, said: str) -> None:
    """The latest word of a person on a matter stands in place of the one before."""
    kept = [line for line in row.evidence_of_version if not line.startswith(beginning)]
    row.evidence_of_version = [*kept, beginning + said]


def _by(principal: Principal) -> str:
    return f" {principal.name or principal.id} 于 {date.today().isoformat()} "
