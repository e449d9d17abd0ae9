"""Meetings 会议 in the archive: how each was cut into topics, and who may see it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from pydantic import TypeAdapter
from sqlalchemy import Row, Select, select
from sqlalchemy.orm import undefer

from ingestion.documents import Document, Kind, Parsed
from ingestion.minutes.meeting import Meeting
from ingestion.minutes.outcome import Outcome
from ingestion.minutes.prefixes import speech
from ingestion.minutes.segmentation import Completeness, Review, Segment
from ingestion.minutes.transcript import Drop
from service.access import Principal
from service.errors import NotFound
from service.store.catalogue import PUBLISHED, document_of
from service.store.database import Database
from service.store.models import DocumentRow, MeetingRow, RevisionContentRow, RevisionRow


@dataclass(frozen=True, slots=True)
class Said:
    """A paragraph: `start` and `end` are its place in the revision's canonical text; its words without the
    speaker's and the time's prefix begin at `words`.
    """

    number: int  # from 1
    start: int
    end: int
    words: int
    speaker: str = ""
    time: str = ""


@dataclass(frozen=True, slots=True)
class MeetingRecord:
    """All that is kept of a meeting beside its text. `drops`: characters of the raw text in no paragraph."""

    title: str
    day: date | None
    attendees: tuple[str, ...]
    paragraphs: tuple[Said, ...]
    segments: tuple[Segment, ...]
    outcomes: tuple[Outcome, ...]
    completeness: Completeness
    raw_chars: int
    drops: dict[Drop, int]
    review: Review
    rounds: int
    kept_round: int
    engine: str
    run_log: tuple[str, ...]
    findings: tuple[str, ...]  # what reading the file had to remark
    seconds: float

    @property
    def speakers(self) -> tuple[str, ...]:
        """The names that the record uses, each once, in order."""
        return tuple(dict.fromkeys(said.speaker for said in self.paragraphs if said.speaker))

    @property
    def segments_per_10k_chars(self) -> float:
        """One segment for everything passes the locks and is still a failure: this shows it."""
        chars = self.completeness.original_chars
        return round(len(self.segments) * 10_000 / chars, 2) if chars else 0.0


@dataclass(frozen=True, slots=True)
class MeetingFigures:
    """A meeting's line in the report of an import. `difference` is in characters and has to be 0."""

    paragraphs: int
    characters: int
    difference: int
    segments: int
    segments_per_10k_chars: float
    rounds: int
    engine: str
    seconds: float
    findings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StoredMeeting:
    """`text` is the canonical text that the record's places point into; its title is the document's."""

    document: Document
    revision_id: str
    file_name: str
    text: str
    record: MeetingRecord


@dataclass(frozen=True, slots=True)
class MeetingLine:
    """A meeting in a list."""

    document: Document
    revision_id: str
    file_name: str
    speakers: tuple[str, ...]
    engine: str
    paragraphs: int
    segments: int


RECORD: TypeAdapter[MeetingRecord] = TypeAdapter(MeetingRecord)
FIGURES: TypeAdapter[MeetingFigures] = TypeAdapter(MeetingFigures)


def recorded(meeting: Meeting, parsed: Parsed) -> MeetingRecord:
    """`parsed` is the transcript's canonical text, a block for each paragraph."""
    found = meeting.segmentation
    transcript = found.transcript
    paragraphs = tuple(
        Said(
            number=paragraph.number,
            start=block.anchor.char_start,
            end=block.anchor.char_end,
            words=block.anchor.char_end - len(speech(paragraph)),
            speaker=paragraph.speaker,
            time=paragraph.time,
        )
        for paragraph, block in zip(transcript.paragraphs, parsed.blocks, strict=True)
    )
    return MeetingRecord(
        title=transcript.title,
        day=transcript.day,
        attendees=transcript.attendees,
        paragraphs=paragraphs,
        segments=found.segments,
        outcomes=meeting.outcomes,
        completeness=found.completeness,
        raw_chars=transcript.raw_chars,
        drops=dict(transcript.drops),
        review=found.review,
        rounds=found.rounds,
        kept_round=found.kept_round,
        engine=found.engine,
        run_log=found.run_log,
        findings=meeting.findings,
        seconds=round(meeting.seconds, 3),
    )


def figures_of(record: MeetingRecord) -> MeetingFigures:
    return MeetingFigures(
        paragraphs=len(record.paragraphs),
        characters=record.completeness.original_chars,
        difference=record.completeness.char_diff,
        segments=len(record.segments),
        segments_per_10k_chars=record.segments_per_10k_chars,
        rounds=record.rounds,
        engine=record.engine,
        seconds=record.seconds,
        findings=record.findings,
    )


def meeting_row(revision_id: str, record: MeetingRecord) -> MeetingRow:
    return MeetingRow(
        revision_id=revision_id,
        speakers=list(record.speakers),
        engine=record.engine,
        paragraphs=len(record.paragraphs),
        segments=len(record.segments),
        record=RECORD.dump_python(record, mode="json"),
    )


class MeetingStore:
    """Reads what is published. A meeting that is hidden from the principal is as one that is not there."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def get(self, principal: Principal, document_id: str) -> StoredMeeting:
        """The meeting's newest published revision. Raises NotFound."""
        statement = (
            _published()
            .add_columns(RevisionContentRow.text)
            .join(RevisionContentRow, RevisionContentRow.revision_id == RevisionRow.id)
            .where(DocumentRow.id == document_id)
            .order_by(RevisionRow.published_at.desc())
            .options(undefer(MeetingRow.record))
            .limit(1)
        )
        with self._database.session() as session:
            row = session.execute(statement).first()
            if row is None or not principal.may_read(tuple(row.DocumentRow.labels)):
                raise NotFound("没有这份会议纪要")
            return _stored(row)

    def ids(self) -> set[str]:
        """Of every published meeting's document, whoever may read it."""
        with self._database.session() as session:
            return set(session.scalars(_published().with_only_columns(DocumentRow.id)))

    def meetings(self, revision_ids: Sequence[str]) -> dict[str, StoredMeeting]:
        """As `records`, with the text."""
        statement = (
            _published()
            .add_columns(RevisionContentRow.text)
            .join(RevisionContentRow, RevisionContentRow.revision_id == RevisionRow.id)
            .where(RevisionRow.id.in_(revision_ids))
            .options(undefer(MeetingRow.record))
        )
        with self._database.session() as session:
            return {row.RevisionRow.id: _stored(row) for row in session.execute(statement)}

    def records(self, revision_ids: Sequence[str]) -> dict[str, MeetingRecord]:
        """By revision id; those that are no meetings are absent. Who may read is the caller's business."""
        statement = (
            select(MeetingRow)
            .where(MeetingRow.revision_id.in_(revision_ids))
            .options(undefer(MeetingRow.record))
        )
        with self._database.session() as session:
            return {row.revision_id: RECORD.validate_python(row.record) for row in session.scalars(statement)}

    def lines(self, principal: Principal) -> list[MeetingLine]:
        """Every meeting that the principal may read, the latest first; those without a day last."""
        latest = (DocumentRow.meeting_date.is_(None), DocumentRow.meeting_date.desc(), DocumentRow.title)
        statement = _published().order_by(*latest, RevisionRow.published_at.desc())
        found: dict[str, MeetingLine] = {}
        with self._database.session() as session:
            for revision, document, meeting in session.execute(statement):
                if document.id not in found and principal.may_read(tuple(document.labels)):
                    found[document.id] = _line(revision, document, meeting)
        return list(found.values())


def _stored(row: Row[RevisionRow, DocumentRow, MeetingRow, str]) -> StoredMeeting:
    revision, document, meeting, text = row
    record = replace(RECORD.validate_python(meeting.record), title=document.title)  # may be corrected by hand
    return StoredMeeting(document_of(document), revision.id, revision.file_name, text, record)


def _published() -> Select[RevisionRow, DocumentRow, MeetingRow]:
    return (
        select(RevisionRow, DocumentRow, MeetingRow)
        .join(DocumentRow, DocumentRow.id == RevisionRow.document_id)
        .join(MeetingRow, MeetingRow.revision_id == RevisionRow.id)
        .where(RevisionRow.phase == PUBLISHED, DocumentRow.kind == Kind.MINUTES.value)
    )


def _line(revision: RevisionRow, document: DocumentRow, meeting: MeetingRow) -> MeetingLine:
    return MeetingLine(
        document_of(document),
        revision.id,
        revision.file_name,
        tuple(meeting.speakers),
        meeting.engine,
        meeting.paragraphs,
        meeting.segments,
    )
