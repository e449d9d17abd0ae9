"""The record of the processes: versions, drafts, followed files. Bytes and facts; no workbook is read here.

Publishing and withdrawing move `GENERATION`, by which another service on the same database sees that there
is something new.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from typing import TypedDict

from sqlalchemy import delete, select
from sqlalchemy.orm import Session, undefer

from rules.findings import FindingJson, Severity
from rules.table import Change
from service.access import Principal
from service.errors import NotFound
from service.store import audit
from service.store.catalogue import change_state, read_state
from service.store.database import Database
from service.store.models import now
from service.store.process_models import ProcessDraftRow, ProcessSourceRow, ProcessVersionRow
from service.store.upserts import upsert

GENERATION = "process_generation"


class VersionState(StrEnum):
    PUBLISHED = "published"
    WITHDRAWN = "withdrawn"


@dataclass(frozen=True, slots=True)
class Template:
    """A form to fill in; `digest` is its SHA-256 among the originals, `size` in bytes."""

    name: str
    digest: str
    size: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Filed:
    """What the record holds of any workbook: of which process it is, its forms, what was found in it."""

    process_id: str
    digest: str
    name: str
    version: str
    file_name: str
    templates: tuple[Template, ...]
    findings: tuple[FindingJson, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Publication(Filed):
    """A workbook that is good to serve, as it goes into the record."""

    effective_from: date | None
    effective_to: date | None
    workbook: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Version(Filed):
    """A published or withdrawn workbook without its bytes; `ordinal` grows with every publishing."""

    effective_from: date | None
    effective_to: date | None
    state: VersionState
    ordinal: int
    published_at: datetime
    published_by: str
    withdrawn_at: datetime | None
    withdrawn_by: str

    def in_force(self, day: date) -> bool:
        """Published, and effective_from <= day < effective_to."""
        if self.state is not VersionState.PUBLISHED:
            return False
        started = self.effective_from is None or self.effective_from <= day
        return started and (self.effective_to is None or day < self.effective_to)


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft(Filed):
    """A workbook that can be tried. `source` is where it came from: upload:<principal>, folder:<path>."""

    id: str
    source: str
    created_at: datetime
    created_by: str

    @property
    def ok(self) -> bool:
        """Whether it may be published."""
        return bool(self.digest) and all(each["severity"] != Severity.ERROR for each in self.findings)


@dataclass(frozen=True, slots=True)
class Source:
    """A followed file as it was when it was last dealt with, and the process it held."""

    name: str
    fingerprint: str = ""
    process_id: str = ""


class ProcessStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    def generation(self) -> int:
        with self._database.session() as session:
            return read_state(session, GENERATION)

    def versions(self) -> tuple[int, list[Version]]:
        """The generation and every version at that moment, those published last first."""
        with self._database.consistent() as session:
            rows = session.scalars(select(ProcessVersionRow).order_by(ProcessVersionRow.ordinal.desc()))
            return read_state(session, GENERATION), [_version(row) for row in rows]

    def workbook(self, process_id: str, digest: str) -> bytes:
        """Raises NotFound."""
        with self._database.session() as session:
            with_bytes = [undefer(ProcessVersionRow.workbook)]
            row = session.get(ProcessVersionRow, (process_id, digest), options=with_bytes)
            if row is None:
                raise NotFound("没有这个流程版本")
            return row.workbook

    def publish(
        self, principal: Principal, new: Publication, changes: Sequence[Change], draft_id: str | None = None
    ) -> bool:
        """Make it the one published last, in one transaction with its audit; whether anything changed.

        `changes` are lines of its own record of changes that the audit does not have yet. A draft that it was
        goes; raises NotFound where it has gone already: published once more it would come before what was
        published since.
        """
        with self._database.writing(), self._database.session() as session:
            if draft_id is not None:
                session.delete(_draft_row(session, draft_id))
            row = session.get(ProcessVersionRow, (new.process_id, new.digest))
            if row is not None and _is_last(session, row) and _templates(row.templates) == new.templates:
                return False
            change_state(session, GENERATION, 1)
            ordinal = read_state(session, GENERATION)
            if row is None:
                row = ProcessVersionRow(process_id=new.process_id, digest=new.digest)
            _fill(row, new, principal, ordinal)
            session.add(row)
            details = {"digest": new.digest, "version": new.version, "file": new.file_name}
            audit.record(session, principal, "process.publish", new.process_id, details)
            for change in changes:
                told = _change(change, new.digest)
                audit.record(session, principal, "process.change", new.process_id, told)
            return True

    def withdraw(self, principal: Principal, process_id: str, digest: str) -> None:
        """It serves no longer. Raises NotFound; one that is withdrawn already stays as it is."""
        with self._database.writing(), self._database.session() as session:
            row = session.get(ProcessVersionRow, (process_id, digest))
            if row is None:
                raise NotFound("没有这个流程版本")
            if row.state == VersionState.WITHDRAWN.value:
                return
            change_state(session, GENERATION, 1)
            row.state = VersionState.WITHDRAWN.value
            row.withdrawn_at, row.withdrawn_by = now(), principal.id
            details = {"digest": digest, "version": row.version}
            audit.record(session, principal, "process.withdraw", process_id, details)

    def drafts(self, process_id: str | None = None) -> list[Draft]:
        """The newest first."""
        statement = select(ProcessDraftRow).order_by(ProcessDraftRow.created_at.desc(), ProcessDraftRow.id)
        if process_id is not None:
            statement = statement.where(ProcessDraftRow.process_id == process_id)
        with self._database.session() as session:
            return [_draft(row) for row in session.scalars(statement)]

    def draft(self, draft_id: str) -> tuple[Draft, bytes]:
        """With its workbook. Raises NotFound."""
        statement = select(ProcessDraftRow).where(ProcessDraftRow.id == draft_id)
        with self._database.session() as session:
            row = session.scalar(statement.options(undefer(ProcessDraftRow.workbook)))
            if row is None:
                raise NotFound("没有这份草稿")
            return _draft(row), row.workbook

    def put_draft(self, principal: Principal, draft: Draft, workbook: bytes, *, alone: bool) -> None:
        """`alone`: it takes the place of what came from the same source before."""
        with self._database.writing(), self._database.session() as session:
            if alone:
                session.execute(delete(ProcessDraftRow).where(ProcessDraftRow.source == draft.source))
            session.add(
                ProcessDraftRow(
                    id=draft.id,
                    process_id=draft.process_id,
                    name=draft.name,
                    version=draft.version,
                    digest=draft.digest,
                    source=draft.source,
                    file_name=draft.file_name,
                    workbook=workbook,
                    templates=_plain(draft.templates),
                    findings=list(draft.findings),
                    created_at=draft.created_at,
                    created_by=draft.created_by,
                )
            )
            details = {"digest": draft.digest, "file": draft.file_name, "draft": draft.id}
            audit.record(session, principal, "process.draft", draft.process_id, details)

    def discard_draft(self, principal: Principal, draft_id: str) -> None:
        """Raises NotFound."""
        with self._database.writing(), self._database.session() as session:
            row = _draft_row(session, draft_id)
            session.delete(row)
            audit.record(session, principal, "process.discard", row.process_id, {"draft": draft_id})

    def source(self, name: str) -> Source:
        """Of a followed file; of an unknown one all is empty."""
        with self._database.session() as session:
            row = session.get(ProcessSourceRow, name)
            return Source(name, row.fingerprint, row.process_id) if row else Source(name)

    def dealt_with(self, source: Source, *, good: bool) -> None:
        """A good one leaves no draft of itself behind."""
        columns = {
            "source": source.name,
            "fingerprint": source.fingerprint,
            "process_id": source.process_id,
        }
        with self._database.writing(), self._database.session() as session:
            upsert(session, ProcessSourceRow, [columns])
            if good:
                session.execute(delete(ProcessDraftRow).where(ProcessDraftRow.source == source.name))


def _draft_row(session: Session, draft_id: str) -> ProcessDraftRow:
    row = session.get(ProcessDraftRow, draft_id)
    if row is None:
        raise NotFound("没有这份草稿")
    return row


def _is_last(session: Session, row: ProcessVersionRow) -> bool:
    """Whether it is the one published last among those of its process that are not withdrawn."""
    last = (
        select(ProcessVersionRow.digest)
        .where(ProcessVersionRow.process_id == row.process_id)
        .where(ProcessVersionRow.state == VersionState.PUBLISHED.value)
        .order_by(ProcessVersionRow.ordinal.desc())
        .limit(1)
    )
    return session.scalar(last) == row.digest


def _fill(row: ProcessVersionRow, new: Publication, principal: Principal, ordinal: int) -> None:
    row.name, row.version = new.name, new.version
    row.effective_from, row.effective_to = new.effective_from, new.effective_to
    row.state, row.ordinal = VersionState.PUBLISHED.value, ordinal
    row.file_name, row.workbook = new.file_name, new.workbook
    row.templates, row.findings = _plain(new.templates), list(new.findings)
    row.published_at, row.published_by = now(), principal.id
    row.withdrawn_at, row.withdrawn_by = None, ""


def _change(change: Change, digest: str) -> dict[str, str | None]:
    return {
        "digest": digest,
        "day": change.day.isoformat() if change.day else None,
        "version": change.version,
        "author": change.author,
        "text": change.text,
    }


def _plain(templates: Sequence[Template]) -> list[dict[str, str | int]]:
    return [{"name": each.name, "digest": each.digest, "size": each.size} for each in templates]


def _templates(stored: Sequence[dict[str, object]]) -> tuple[Template, ...]:
    return tuple(Template(str(each["name"]), str(each["digest"]), int(str(each["size"]))) for each in stored)


class _Columns(TypedDict):
    """Those of `Filed`."""

    process_id: str
    digest: str
    name: str
    version: str
    file_name: str
    templates: tuple[Template, ...]
    findings: tuple[FindingJson, ...]


def _columns(row: ProcessVersionRow | ProcessDraftRow) -> _Columns:
    return {
        "process_id": row.process_id,
        "digest": row.digest,
        "name": row.name,
        "version": row.version,
        "file_name": row.file_name,
        "templates": _templates(row.templates),
        "findings": tuple(row.findings),
    }


def _version(row: ProcessVersionRow) -> Version:
    return Version(
        **_columns(row),
        effective_from=row.effective_from,
        effective_to=row.effective_to,
        state=VersionState(row.state),
        ordinal=row.ordinal,
        published_at=row.published_at,
        published_by=row.published_by,
        withdrawn_at=row.withdrawn_at,
        withdrawn_by=row.withdrawn_by,
    )


def _draft(row: ProcessDraftRow) -> Draft:
    return Draft(
        **_columns(row),
        id=row.id,
        source=row.source,
        created_at=row.created_at,
        created_by=row.created_by,
    )
