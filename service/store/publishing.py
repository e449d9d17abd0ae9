"""The SQL half of publishing, withdrawing and deleting; `service.library` runs it beside the index.

Each function is one step inside the caller's transaction. The steps that change what a query sees move
`index_version` in the same transaction.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date

from pydantic import TypeAdapter
from sqlalchemy import delete, func, select, update
from sqlalchemy.orm import Session

from ingestion.documents import (
    Anchor,
    Block,
    Chunk,
    Document,
    Metadata,
    Parsed,
    ParseReport,
    Revision,
    RevisionStatus,
)
from ingestion.index.schema import SparseVector
from service.store import term_stats
from service.store.catalogue import (
    INDEX_VERSION,
    PUBLISHED,
    PUBLISHED_CHUNKS,
    change_state,
    document_of,
    read_state,
    revision_of,
)
from service.store.models import (
    ChunkRow,
    DocumentRow,
    RepealRow,
    RevisionContentRow,
    RevisionRow,
    TermStatRow,
    now,
)

PUBLISHING = "publishing"
DELETING = "deleting"

BLOCKS: TypeAdapter[list[Block]] = TypeAdapter(list[Block])
ANCHORS: TypeAdapter[list[Anchor]] = TypeAdapter(list[Anchor])
REPORT: TypeAdapter[ParseReport] = TypeAdapter(ParseReport)
METADATA: TypeAdapter[Metadata] = TypeAdapter(Metadata)


@dataclass(frozen=True, slots=True)
class Draft:
    """A revision ready to be published, with everything SQL keeps of it."""

    document: Document
    title_key: str
    revision: Revision
    file_name: str
    size: int
    parsed: Parsed
    chunks: Sequence[Chunk]
    keywords: Sequence[SparseVector]
    repeals: tuple[str, ...] = ()  # title keys


def begin(session: Session, draft: Draft) -> None:
    """Record the revision as `publishing`; nothing of it is visible yet."""
    discard(session, draft.revision.id)
    _save_document(session, draft)
    revision = draft.revision
    session.add(
        RevisionRow(
            id=revision.id,
            document_id=draft.document.id,
            content_sha256=revision.content_sha256,
            file_name=draft.file_name,
            size=draft.size,
            label=revision.label,
            status=revision.status.value,
            effective_from=revision.effective_from,
            effective_to=revision.effective_to,
            supersedes=revision.supersedes,
            evidence_of_version=list(revision.evidence_of_version),
            phase=PUBLISHING,
            chunk_count=len(draft.chunks),
            keyword_stats=term_stats.pack(term_stats.count_terms(draft.keywords)),
        )
    )
    session.flush()
    session.add_all(RepealRow(revision_id=revision.id, title_key=key) for key in sorted(set(draft.repeals)))
    session.add(
        RevisionContentRow(
            revision_id=revision.id,
            text=draft.parsed.text,
            blocks=BLOCKS.dump_python(list(draft.parsed.blocks), mode="json", exclude_defaults=True),
            state=draft.parsed.state.value,
            report=REPORT.dump_python(draft.parsed.report, mode="json"),
            file_metadata=METADATA.dump_python(draft.parsed.metadata, mode="json", exclude_defaults=True),
        )
    )
    session.add_all(_chunk_row(chunk) for chunk in draft.chunks)


def switch(session: Session, revision_id: str) -> None:
    """Make the revision answer, and its predecessors step back, in one transaction."""
    row = _row(session, revision_id)
    row.phase = PUBLISHED
    row.published_at = now()
    session.flush()
    term_stats.add(session, term_stats.unpack(row.keyword_stats))
    change_state(session, PUBLISHED_CHUNKS, row.chunk_count)
    order_line(session, row.document_id)
    change_state(session, INDEX_VERSION, 1)


def order_line(session: Session, document_id: str) -> None:
    """Let every revision of a document end where the next begins; a person's decision stays as it is."""
    rows = session.scalars(
        select(RevisionRow).where(RevisionRow.document_id == document_id, RevisionRow.phase == PUBLISHED)
    ).all()
    line = sorted(
        (row for row in rows if RevisionStatus(row.status) in _ON_THE_LINE),
        key=lambda row: (row.effective_from or date.min, row.published_at or row.created_at),
    )
    for older, newer in zip(line, line[1:], strict=False):
        if newer.effective_from is None:
            newer.effective_from = (newer.published_at or now()).astimezone(UTC).date()
            newer.evidence_of_version = [*newer.evidence_of_version, "未注明施行日期，以入库日期为准"]
        newer.supersedes = older.id
        older.status = RevisionStatus.SUPERSEDED.value
        if older.effective_to is None or older.effective_to > newer.effective_from:
            older.effective_to = newer.effective_from
    if line and line[-1].status == RevisionStatus.SUPERSEDED.value:
        line[-1].status = RevisionStatus.ACTIVE.value
        line[-1].effective_to = None


_ON_THE_LINE = frozenset({RevisionStatus.ACTIVE, RevisionStatus.SUPERSEDED})


def set_status(session: Session, revision_id: str, status: RevisionStatus) -> None:
    """A person's decision; the line of revisions closes up around it."""
    row = _row(session, revision_id)
    row.status = status.value
    session.flush()
    order_line(session, row.document_id)
    change_state(session, INDEX_VERSION, 1)


def end(session: Session, revision_id: str, day: date, evidence: str) -> None:
    """The revision stops being in force on `day`: another document repeals it."""
    row = _row(session, revision_id)
    if row.effective_to is None or row.effective_to > day:
        row.effective_to = day
    row.evidence_of_version = [*row.evidence_of_version, evidence]
    change_state(session, INDEX_VERSION, 1)


def mark_deleting(session: Session, revision_id: str) -> None:
    """From here on no query sees the revision; its points and rows may go at leisure."""
    row = _row(session, revision_id)
    if row.phase == PUBLISHED:
        term_stats.add(session, term_stats.unpack(row.keyword_stats), sign=-1)
        change_state(session, PUBLISHED_CHUNKS, -row.chunk_count)
    row.phase = DELETING
    session.flush()
    order_line(session, row.document_id)
    change_state(session, INDEX_VERSION, 1)


def discard(session: Session, revision_id: str) -> None:
    """Remove every row of a revision, and its document when that was the last one."""
    row = session.get(RevisionRow, revision_id)
    if row is None:
        return
    document_id = row.document_id
    for model in (ChunkRow, RevisionContentRow, RepealRow):
        session.execute(delete(model).where(model.revision_id == revision_id))
    session.execute(delete(RevisionRow).where(RevisionRow.id == revision_id))
    left = session.scalar(
        select(func.count()).select_from(RevisionRow).where(RevisionRow.document_id == document_id)
    )
    if not left:
        session.execute(delete(DocumentRow).where(DocumentRow.id == document_id))
    session.expire_all()


def unfinished(session: Session) -> list[tuple[str, str]]:
    """(revision id, phase) of everything a crash interrupted."""
    rows = session.execute(
        select(RevisionRow.id, RevisionRow.phase).where(RevisionRow.phase.in_((PUBLISHING, DELETING)))
    )
    return [(revision_id, phase) for revision_id, phase in rows]


def published_rows(session: Session, document_id: str | None = None) -> list[RevisionRow]:
    statement = select(RevisionRow).where(RevisionRow.phase == PUBLISHED)
    if document_id is not None:
        statement = statement.where(RevisionRow.document_id == document_id)
    return list(session.scalars(statement))


def published(session: Session, revision_id: str) -> tuple[Document, Revision, list[Chunk]] | None:
    """A published revision with its chunks in order; None when it is gone."""
    row = session.get(RevisionRow, revision_id)
    if row is None or row.phase != PUBLISHED:
        return None
    document = session.get(DocumentRow, row.document_id)
    if document is None:
        raise LookupError(f"revision {revision_id} without a document")
    statement = select(ChunkRow).where(ChunkRow.revision_id == revision_id).order_by(ChunkRow.ordinal)
    chunks = [chunk_of(chunk) for chunk in session.scalars(statement)]
    return document_of(document), revision_of(row), chunks


def replace_keywords(session: Session, revision_id: str, keywords: Sequence[SparseVector]) -> None:
    """The revision was tokenised anew; `recount` brings the sums up to it."""
    _row(session, revision_id).keyword_stats = term_stats.pack(term_stats.count_terms(keywords))


def recount(session: Session) -> None:
    """Sum the frequencies of all published revisions again, in one transaction."""
    session.execute(delete(TermStatRow))
    total: Counter[int] = Counter()
    chunks = 0
    rows = session.execute(
        select(RevisionRow.keyword_stats, RevisionRow.chunk_count).where(RevisionRow.phase == PUBLISHED)
    )
    for blob, count in rows:
        total.update(term_stats.unpack(blob))
        chunks += count
    term_stats.add(session, total)
    change_state(session, PUBLISHED_CHUNKS, chunks - read_state(session, PUBLISHED_CHUNKS))
    change_state(session, INDEX_VERSION, 1)


def chunk_ids(session: Session) -> set[str]:
    return set(session.scalars(select(ChunkRow.id)))


def told_index(session: Session, revision_id: str, facts: str) -> None:
    session.execute(update(RevisionRow).where(RevisionRow.id == revision_id).values(index_facts=facts))


def _save_document(session: Session, draft: Draft) -> None:
    document = draft.document
    row = session.get(DocumentRow, document.id) or DocumentRow(id=document.id, created_at=now())
    row.source_uri = document.source_uri
    row.title = document.title
    row.title_key = draft.title_key
    row.knowledge_base = document.knowledge_base
    row.media_type = document.media_type
    row.business_line = document.business_line
    row.issuer = document.issuer
    row.owner = document.owner
    row.labels = list(document.labels)
    row.source_updated_at = document.source_updated_at
    session.add(row)
    session.flush()


def chunk_of(row: ChunkRow) -> Chunk:
    return Chunk(
        id=row.id,
        revision_id=row.revision_id,
        ordinal=row.ordinal,
        heading_path=tuple(row.heading_path),
        text=row.text,
        char_start=row.char_start,
        char_end=row.char_end,
        anchors=tuple(ANCHORS.validate_python(row.anchors)),
        context=row.context,
    )


def _chunk_row(chunk: Chunk) -> ChunkRow:
    return ChunkRow(
        id=chunk.id,
        revision_id=chunk.revision_id,
        ordinal=chunk.ordinal,
        heading_path=list(chunk.heading_path),
        context=chunk.context,
        text=chunk.text,
        char_start=chunk.char_start,
        char_end=chunk.char_end,
        anchors=ANCHORS.dump_python(list(chunk.anchors), mode="json", exclude_defaults=True),
    )


def _row(session: Session, revision_id: str) -> RevisionRow:
    row = session.get(RevisionRow, revision_id)
    if row is None:
        raise LookupError(f"revision {revision_id} vanished during publishing")
    return row
