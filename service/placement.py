"""Placing a read file: which document it is a revision of, and the draft to be published of it."""

import mimetypes
from dataclasses import dataclass, replace
from datetime import date

from sqlalchemy.orm import Session

from ingestion.documents import Document, Kind, Revision, RevisionStatus
from ingestion.pipeline import Prepared
from ingestion.sketches import likeness
from ingestion.versions import same_document, title_key
from service.access import Principal
from service.incoming import Incoming, is_own_upload
from service.labels import labels_after
from service.store import families
from service.store.catalogue import PUBLISHED, document_of
from service.store.meetings import recorded
from service.store.models import DocumentRow, RevisionRow
from service.store.publishing import Draft, Repealed
from service.store.tasks import FileRecord

_SAID = ("owner", "business_line", "issuer")  # facts of a document that may be said with a file
COMPARED = 5  # revisions of one title that are read in full; sketches, true to .13, tell which


@dataclass(frozen=True, slots=True)
class Placement:
    """`evidence` says why the file belongs to this document; nothing for a new one."""

    document: Document
    evidence: tuple[str, ...] = ()


def place(
    session: Session,
    principal: Principal,
    incoming: Incoming,
    prepared: Prepared,
    known: FileRecord | None,
    digest: str,
) -> Placement:
    """The document that the source had before, one of the same title and content, or a new one.

    Two meetings may have the same title and much the same words: they are one only where every byte is the
    same. `digest` is the file's.
    """
    before = _document_before(session, incoming, known)
    if before is not None and may_revise(principal, before):
        labels = labels_after(before.labels, incoming.labels)
        document = _revised(replace(before, labels=labels), incoming, prepared)
        return Placement(document, ("与同名来源的上一份文件相同来源", *_kept(incoming, labels)))
    if incoming.kind is Kind.MINUTES:
        copied = copy_of(session, principal, incoming, digest)
        if copied is not None:
            return Placement(copied.document, (f"与《{copied.document.title}》是同一份记录",))
        return Placement(_new_document(incoming, prepared))
    for candidate in _likeliest(session, principal, incoming, prepared):
        if same_document(families.text_of(session, candidate.revision_id), prepared.parsed.text):
            document = candidate.document
            joined = _revised(document, incoming, prepared) if _is_newer(incoming, document) else document
            return Placement(joined, (f"标题与内容同《{document.title}》一致",))
    return Placement(_new_document(incoming, prepared))


@dataclass(frozen=True, slots=True)
class Copied:
    """A published revision with the very bytes of another file."""

    document: Document
    revision_id: str


def copy_of(session: Session, principal: Principal, incoming: Incoming, digest: str) -> Copied | None:
    """The meeting that this record was taken in for already, from whatever place; None if it is new."""
    for document, revision_id in families.holding(session, incoming.knowledge_base, incoming.kind, digest):
        if _may_join(principal, incoming, document):
            return Copied(document, revision_id)
    return None


def _document_before(session: Session, incoming: Incoming, known: FileRecord | None) -> Document | None:
    """What the source was taken for. A copy of another meeting's record that was changed since is that
    meeting no longer: the file it was copied from stands for it."""
    before = families.document(session, known.document_id) if known and known.document_id else None
    if known is None or before is None or before.kind is not incoming.kind:
        return None
    if before.kind is Kind.DOCUMENT or before.source_uri == incoming.source_uri:
        return before
    row = session.get(RevisionRow, known.revision_id) if known.revision_id else None
    if row is not None and _is_left_behind(row, known, incoming):
        return None
    return before if families.is_only_source(session, before, incoming.source_uri) else None


def _likeliest(
    session: Session, principal: Principal, incoming: Incoming, prepared: Prepared
) -> list[families.Candidate]:
    """The few revisions of this title that are worth reading: every department has its 「工作总结」."""
    found = families.candidates(session, incoming.knowledge_base, title_key(prepared.description.title))
    open_to_it = [
        each
        for each in found
        if each.document.kind is incoming.kind and _may_join(principal, incoming, each.document)
    ]
    open_to_it.sort(key=lambda each: -likeness(each.sketch, prepared.sketch))
    return open_to_it[:COMPARED]


def _may_join(principal: Principal, incoming: Incoming, document: Document) -> bool:
    """Who says another audience means another document: joining it would show the file to others."""
    meant = incoming.labels is None or set(incoming.labels) == set(document.labels)
    return meant and principal.may_read(document.labels)


def stands(session: Session, known: FileRecord, incoming: Incoming) -> bool:
    """Whether what this source was taken for is published still, and as it is described now.

    What a person has corrected by hand stands, whatever is said with the file.
    """
    row = session.get(RevisionRow, known.revision_id) if known.revision_id else None
    stored = session.get(DocumentRow, row.document_id) if row else None
    if row is None or stored is None or row.phase != PUBLISHED:
        return False
    document = document_of(stored)
    if document.kind is not incoming.kind:
        return False
    if document.kind is Kind.MINUTES and _is_left_behind(row, known, incoming):
        return False
    given = _described(document, incoming)
    changed = (name for name in _SAID if getattr(given, name) != getattr(document, name))
    return labels_after(document.labels, incoming.labels) == document.labels and all(
        name in stored.by_hand for name in changed
    )


def _is_left_behind(row: RevisionRow, known: FileRecord, incoming: Incoming) -> bool:
    """Whether `row` is another file's record that this one was a copy of, and that file holds another by now:
    the copy is a meeting of its own then, or its words could not be found any more."""
    is_copy = row.id != incoming.revision_id(known.content_sha256)
    return is_copy and row.status == RevisionStatus.SUPERSEDED.value


def may_revise(principal: Principal, document: Document) -> bool:
    """Who may read a document, and who uploaded it, also for readers that he is none of."""
    return principal.may_read(document.labels) or is_own_upload(principal, document.source_uri)


def _described(document: Document, incoming: Incoming) -> Document:
    """With what was said of the file; what was not said stays."""
    said = {name: getattr(incoming, name) or getattr(document, name) for name in _SAID}
    return replace(document, **said)


def _revised(document: Document, incoming: Incoming, prepared: Prepared) -> Document:
    said = _described(document, incoming)
    return replace(
        said,
        title=prepared.description.title,
        issuer=said.issuer or prepared.description.issuer,
        source_updated_at=incoming.modified_at,
        meeting_date=_day_of(prepared),
    )


def _day_of(prepared: Prepared) -> date | None:
    return prepared.meeting.segmentation.transcript.day if prepared.meeting else None


def _is_newer(incoming: Incoming, document: Document) -> bool:
    """A file from another source tells how a document is now if it was not changed before it was."""
    known = document.source_updated_at
    return known is None or (incoming.modified_at is not None and incoming.modified_at >= known)


def draft(
    incoming: Incoming,
    prepared: Prepared,
    placement: Placement,
    record: FileRecord,
    known: FileRecord | None,
) -> Draft:
    """What is published; `record` has the hash and the size of the file. Minutes have no title key: nothing
    is joined to them by their title, and nothing repeals them."""
    said = prepared.description
    meeting = prepared.meeting
    before = known.revision_id if known and known.document_id == placement.document.id else None
    return Draft(
        document=placement.document,
        title_key=title_key(said.title) if meeting is None else "",
        revision=Revision(
            id=incoming.revision_id(record.content_sha256),
            document_id=placement.document.id,
            content_sha256=record.content_sha256,
            status=RevisionStatus.DRAFT if said.is_draft else RevisionStatus.ACTIVE,
            effective_from=said.effective_from,
            effective_to=said.effective_to,
            supersedes=before,
            label=said.version,
            evidence_of_version=(*said.evidence, *placement.evidence),
        ),
        file_name=incoming.file_name,
        size=record.size,
        parsed=prepared.parsed,
        chunks=prepared.chunks,
        keywords=prepared.keywords,
        sketch=prepared.sketch,
        repeals=tuple(Repealed(title_key(repeal.title), repeal.effective_on) for repeal in said.repeals),
        meeting=recorded(meeting, prepared.parsed) if meeting is not None else None,
    )


def _kept(incoming: Incoming, labels: tuple[str, ...]) -> tuple[str, ...]:
    ignored = incoming.labels is not None and incoming.labels != labels
    return (f"可见范围沿用 {'、'.join(labels)}：新版本不会把受限的文档改为公开",) if ignored else ()


def _new_document(incoming: Incoming, prepared: Prepared) -> Document:
    return Document(
        id=incoming.new_document_id(),
        source_uri=incoming.source_uri,
        title=prepared.description.title,
        knowledge_base=incoming.knowledge_base,
        media_type=mimetypes.guess_type(incoming.file_name)[0] or "application/octet-stream",
        business_line=incoming.business_line,
        issuer=incoming.issuer or prepared.description.issuer,
        owner=incoming.owner,
        labels=incoming.first_labels,
        source_updated_at=incoming.modified_at,
        kind=incoming.kind,
        meeting_date=_day_of(prepared),
    )
