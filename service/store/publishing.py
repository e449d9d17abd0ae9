"""The SQL half of publishing, withdrawing and deleting; `service.library` runs it beside the index.

Each function is one step inside the caller's transaction. The steps that change what a query sees work out
the line of revisions anew, move `index_version` in the same transaction and return the ids of the documents
that changed: the one itself, and those that it repeals.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import date

from pydantic import TypeAdapter
from sqlalchemy import ColumnElement, delete, select, update
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
from service.store import families, lines, term_stats
from service.store.catalogue import (
    INDEX_VERSION,
    PUBLISHED,
    PUBLISHED_CHUNKS,
    change_state,
    document_of,
    read_state,
    revision_of,
)
from service.store.meetings import MeetingRecord, meeting_row
from service.store.models import (
    ChunkRow,
    DocumentRow,
    FileRow,
    RepealRow,
    RevisionContentRow,
    RevisionRow,
    TermStatRow,
    now,
)

_IN_LIMIT = 500
PUBLISHING = "publishing"
DELETING = "deleting"

BLOCKS: TypeAdapter[list[Block]] = TypeAdapter(list[Block])
ANCHORS: TypeAdapter[list[Anchor]] = TypeAdapter(list[Anchor])
REPORT: TypeAdapter[ParseReport] = TypeAdapter(ParseReport)
METADATA: TypeAdapter[Metadata] = TypeAdapter(Metadata)


@dataclass(frozen=True, slots=True)
class Repealed:
    """A document declared repealed 废止, from that day or else from the start of the declaring revision."""

    title_key: str
    effective_on: date | None = None


@dataclass(frozen=True, slots=True)
class Draft:
    """A revision ready to be published, with everything SQL keeps of it.

    `revision.supersedes` names the revision that the same source held before, if there was one.
    """

    document: Document
    title_key: str
    revision: Revision
    file_name: str
    size: int
    parsed: Parsed
    chunks: Sequence[Chunk]
    keywords: Sequence[SparseVector]
    repeals: tuple[Repealed, ...] = ()
    sketch: bytes | None = None  # made when the first file of the same title comes, if it is not given
    meeting: MeetingRecord | None = None  # of minutes, and of nothing else


def begin(session: Session, draft: Draft) -> None:
    """Record the revision as `publishing`; nothing of it is visible yet, nor of new facts of its document."""
    if session.get(DocumentRow, draft.document.id) is None:
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
            stated_status=revision.status.value,
            stated_from=revision.effective_from,
            stated_to=revision.effective_to,
            replaces=revision.supersedes,
            status=revision.status.value,
            effective_from=revision.effective_from,
            effective_to=revision.effective_to,
            evidence_of_version=list(revision.evidence_of_version),
            phase=PUBLISHING,
            chunk_count=len(draft.chunks),
            keyword_stats=term_stats.pack(term_stats.count_terms(draft.keywords)),
            sketch=draft.sketch,
        )
    )
    session.flush()
    repeals = {item.title_key: item.effective_on for item in draft.repeals if item.title_key}
    session.add_all(
        RepealRow(revision_id=revision.id, title_key=key, effective_on=day) for key, day in repeals.items()
    )
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
    if draft.meeting is not None:
        session.add(meeting_row(revision.id, draft.meeting))


def switch(session: Session, draft: Draft) -> set[str]:
    """Make the revision answer, and its predecessors step back, in one transaction."""
    row = _row(session, draft.revision.id)
    _save_document(session, draft)
    row.phase = PUBLISHED
    row.published_at = now()
    term_stats.add(session, term_stats.unpack(row.keyword_stats))
    change_state(session, PUBLISHED_CHUNKS, row.chunk_count)
    return _settle(session, row)


def renew(session: Session, revision_id: str, draft: Draft) -> set[str]:
    """The same content comes again. From its own source it is the newest there once more; from another
    source it is a copy, which changes nothing but the evidence."""
    row = _row(session, revision_id)
    if revision_id == draft.revision.id:
        _save_document(session, draft)
        row.published_at = now()
        row.replaces = draft.revision.supersedes
    else:
        note = f"内容相同的另一份文件：{draft.file_name}"
        row.evidence_of_version = list(dict.fromkeys([*row.evidence_of_version, note]))
    return _settle(session, row)


def set_status(session: Session, revision_id: str, status: RevisionStatus) -> set[str]:
    """A person's decision; the line of revisions closes up around it."""
    row = _row(session, revision_id)
    row.stated_status = status.value
    return _settle(session, row)


def mark_deleting(session: Session, revision_ids: Sequence[str]) -> set[str]:
    """From here on no query sees the revisions; their points and rows may go at leisure.

    What their files came from is forgotten with them, so that the same files can be loaded again.
    """
    changed: set[str] = set()
    for revision_id in revision_ids:
        row = _row(session, revision_id)
        if row.phase == PUBLISHED:
            term_stats.add(session, term_stats.unpack(row.keyword_stats), sign=-1)
            change_state(session, PUBLISHED_CHUNKS, -row.chunk_count)
        row.phase = DELETING
        forget_files(session, FileRow.revision_id == revision_id)
        changed |= _settle(session, row)
    return changed


def forget_files(session: Session, which: ColumnElement[bool]) -> None:
    """These files count as never seen, and a zip that one of them came out of as not taken whole."""
    gone = session.execute(delete(FileRow).where(which).returning(FileRow.knowledge_base, FileRow.source_uri))
    zips = {(base, uri.partition("!/")[0]) for base, uri in gone if "!/" in uri}
    for base, uri in sorted(zips):
        outer = (FileRow.knowledge_base == base) & (FileRow.source_uri == uri)
        session.execute(update(FileRow).where(outer).values(content_sha256=""))


def discard(session: Session, revision_id: str) -> None:
    """Remove every row of a revision, and its document when that was the last one."""
    row = session.get(RevisionRow, revision_id)
    if row is None:
        return
    document_id = row.document_id
    session.execute(delete(RevisionRow).where(RevisionRow.id == revision_id))  # its parts cascade
    left = session.scalar(select(RevisionRow.id).where(RevisionRow.document_id == document_id).limit(1))
    if left is None:
        session.execute(delete(DocumentRow).where(DocumentRow.id == document_id))
    session.expire_all()


def same_content(session: Session, draft: Draft) -> list[RevisionRow]:
    """Revisions that stand where the draft would: its own id, or its bytes in the same document."""
    in_document = (RevisionRow.document_id == draft.document.id) & (
        RevisionRow.content_sha256 == draft.revision.content_sha256
    )
    statement = select(RevisionRow).where((RevisionRow.id == draft.revision.id) | in_document)
    return list(session.scalars(statement))


def _settle(session: Session, row: RevisionRow) -> set[str]:
    session.flush()
    # Also by its other revisions: who may read the document decides whether they repeal anything.
    own = session.scalars(select(RevisionRow.id).where(RevisionRow.document_id == row.document_id))
    documents = {row.document_id}.union(*(families.repealed_by(session, key) for key in own.all()))
    lines.settle(session, documents)
    return documents


def unfinished(session: Session) -> list[tuple[str, str]]:
    """(revision id, phase) of everything a crash interrupted."""
    rows = session.execute(
        select(RevisionRow.id, RevisionRow.phase).where(RevisionRow.phase.in_((PUBLISHING, DELETING)))
    )
    return [(revision_id, phase) for revision_id, phase in rows]


def published_ids(session: Session) -> list[str]:
    return list(session.scalars(select(RevisionRow.id).where(RevisionRow.phase == PUBLISHED)))


def told_facts(
    session: Session, document_ids: Set[str] | None = None
) -> Iterator[tuple[Document, Revision, str]]:
    """Published revisions with the fingerprint of what the index was last told of each."""
    statement = (
        select(RevisionRow, DocumentRow)
        .join(DocumentRow, DocumentRow.id == RevisionRow.document_id)
        .where(RevisionRow.phase == PUBLISHED)
    )
    if document_ids is not None:
        statement = statement.where(RevisionRow.document_id.in_(sorted(document_ids)))
    for row, document in session.execute(statement):
        yield document_of(document), revision_of(row), row.index_facts


def original_of(session: Session, revision_id: str) -> str | None:
    """The digest of a revision's original, unless another revision has the same one."""
    digest = session.scalar(select(RevisionRow.content_sha256).where(RevisionRow.id == revision_id))
    shared = select(RevisionRow.id).where(RevisionRow.content_sha256 == digest, RevisionRow.id != revision_id)
    return digest if session.scalar(shared.limit(1)) is None else None


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
    """The revision was tokenised anew: its own frequencies and the sums change together."""
    row = _row(session, revision_id)
    before, after = term_stats.unpack(row.keyword_stats), term_stats.count_terms(keywords)
    if before != after:
        term_stats.add(session, after)
        term_stats.add(session, before, sign=-1)
        row.keyword_stats = term_stats.pack(after)


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


def told_index(session: Session, facts: Mapping[str, str]) -> None:
    """Remember what the index knows: fingerprints by revision id."""
    for revision_id, fingerprint in facts.items():
        session.execute(
            update(RevisionRow).where(RevisionRow.id == revision_id).values(index_facts=fingerprint)
        )


def _save_document(session: Session, draft: Draft) -> None:
    document = draft.document
    row = session.get(DocumentRow, document.id) or DocumentRow(id=document.id, created_at=now(), by_hand=[])
    row.source_uri = document.source_uri
    row.knowledge_base = document.knowledge_base
    row.media_type = document.media_type
    if "title" not in row.by_hand:
        row.title, row.title_key = document.title, draft.title_key
    for fact in ("business_line", "issuer", "owner"):
        if fact not in row.by_hand:
            setattr(row, fact, getattr(document, fact))
    row.labels = list(document.labels)
    row.source_updated_at = document.source_updated_at
    row.kind = document.kind.value
    row.meeting_date = document.meeting_date
    session.add(row)
    session.flush()


def chunks_of(session: Session, ids: Sequence[str]) -> dict[str, Chunk]:
    """The chunks with these ids; unknown ids are absent."""
    found: dict[str, Chunk] = {}
    for start in range(0, len(ids), _IN_LIMIT):
        rows = session.scalars(select(ChunkRow).where(ChunkRow.id.in_(ids[start : start + _IN_LIMIT])))
        found.update((row.id, chunk_of(row)) for row in rows)
    return found


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
        speakers=tuple(row.speakers),
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
        speakers=list(chunk.speakers),
        anchors=ANCHORS.dump_python(list(chunk.anchors), mode="json", exclude_defaults=True),
    )


def _row(session: Session, revision_id: str) -> RevisionRow:
    row = session.get(RevisionRow, revision_id)
    if row is None:
        raise LookupError(f"revision {revision_id} vanished during publishing")
    return row
