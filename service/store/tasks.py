"""Background work a person can follow: tasks, and the files an ingest task works through."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from uuid import NAMESPACE_URL, uuid4, uuid5

from pydantic import JsonValue
from sqlalchemy import delete, func, select, update

from service.access import Principal, Role
from service.errors import NotFound
from service.store import audit
from service.store.database import Database
from service.store.models import DocumentRow, FileRow, RevisionRow, TaskRow, now
from service.store.readable import narrowed
from service.store.upserts import upsert

_IN_LIMIT = 500
RUNNING = "running"
DONE = "done"
DONE_WITH_FAILURES = "done_with_failures"
FAILED = "failed"
INTERRUPTED = "interrupted"


@dataclass(frozen=True, slots=True)
class Task:
    id: str
    kind: str
    state: str
    principal_id: str
    total: int
    done: int
    failed: int
    message: str
    result: Mapping[str, JsonValue]
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class FileRecord:
    """How one file ended. `state` is DESIGN's file state; `reason` a failure code.

    `missing_since`: gone from a followed folder, and with it the revisions in `withdrawn`.
    """

    knowledge_base: str
    source_uri: str
    file_name: str
    content_sha256: str
    size: int
    state: str
    reason: str | None = None
    message: str = ""
    modified_at: datetime | None = None
    document_id: str | None = None
    revision_id: str | None = None
    task_id: str | None = None
    report: Mapping[str, JsonValue] = field(default_factory=dict)
    labels: tuple[str, ...] = ("public",)
    missing_since: datetime | None = None
    withdrawn: tuple[str, ...] = ()
    updated_at: datetime | None = None


class TaskStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    def create(self, principal: Principal, kind: str, total: int = 0) -> Task:
        with self._database.session() as session:
            row = TaskRow(id=str(uuid4()), kind=kind, state=RUNNING, principal_id=principal.id, total=total)
            session.add(row)
            session.flush()
            return _task(row)

    def advance(self, task_id: str, *, done: int = 0, failed: int = 0, more: int = 0) -> None:
        """Count what was finished; `more` is work that came up on the way, e.g. the files in a zip."""
        self._change(
            task_id,
            done=TaskRow.done + done,
            failed=TaskRow.failed + failed,
            total=TaskRow.total + more,
            updated_at=now(),
        )

    def progress(self, task_id: str, done: int, total: int) -> None:
        """Where a task stands that counts by itself."""
        self._change(task_id, done=done, total=total, updated_at=now())

    def finish(
        self, task_id: str, state: str, message: str = "", result: Mapping[str, JsonValue] | None = None
    ) -> None:
        self._change(task_id, state=state, message=message, result=dict(result or {}), updated_at=now())

    def fail(self, task_id: str, message: str) -> None:
        """End a task whose job broke off; one that has ended already stays as it ended."""
        running = update(TaskRow).where(TaskRow.id == task_id, TaskRow.state == RUNNING)
        with self._database.session() as session:
            session.execute(running.values(state=FAILED, message=message, updated_at=now()))

    def resume(self, task_id: str) -> None:
        """Begin the task anew, after a restart."""
        self._change(task_id, state=RUNNING, done=0, failed=0, total=1, updated_at=now())

    def get(self, principal: Principal, task_id: str) -> Task:
        """Raises NotFound for tasks of others, unless the principal is an administrator."""
        with self._database.session() as session:
            row = session.get(TaskRow, task_id)
            if row is None or not (principal.allows(Role.ADMIN) or row.principal_id == principal.id):
                raise NotFound("任务不存在")
            return _task(row)

    def interrupt_running(self) -> int:
        """At start-up: what a crash left running is marked, to be resumed by the same command."""
        statement = update(TaskRow).where(TaskRow.state == RUNNING).returning(TaskRow.id)
        with self._database.session() as session:
            marked = session.scalars(statement.values(state=INTERRUPTED, updated_at=now())).all()
        return len(marked)

    def _change(self, task_id: str, **values: object) -> None:
        with self._database.session() as session:
            session.execute(update(TaskRow).where(TaskRow.id == task_id).values(**values))


class FileStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    def record(self, record: FileRecord) -> None:
        """Insert or replace what is known of (knowledge base, source)."""
        row = {
            "id": _file_id(record.knowledge_base, record.source_uri),
            "knowledge_base": record.knowledge_base,
            "source_uri": record.source_uri,
            "file_name": record.file_name,
            "content_sha256": record.content_sha256,
            "size": record.size,
            "modified_at": record.modified_at,
            "state": record.state,
            "reason": record.reason,
            "message": record.message,
            "report": dict(record.report),
            "document_id": record.document_id,
            "revision_id": record.revision_id,
            "task_id": record.task_id,
            "labels": list(record.labels),
            "missing_since": record.missing_since,
            "withdrawn": list(record.withdrawn),
            "updated_at": now(),
        }
        with self._database.session() as session:
            upsert(session, FileRow, [row])

    def find(self, knowledge_base: str, source_uri: str) -> FileRecord | None:
        with self._database.session() as session:
            row = session.get(FileRow, _file_id(knowledge_base, source_uri))
            return _file(row) if row else None

    def under(self, knowledge_base: str, source_uri: str) -> list[FileRecord]:
        """What is known of this source and of all below it: files of a folder, and those in their zips."""
        inside = FileRow.source_uri.startswith(f"{source_uri.rstrip('/')}/", autoescape=True)
        in_zip = FileRow.source_uri.startswith(f"{source_uri}!/", autoescape=True)
        statement = select(FileRow).where(
            FileRow.knowledge_base == knowledge_base, (FileRow.source_uri == source_uri) | inside | in_zip
        )
        with self._database.session() as session:
            return [_file(row) for row in session.scalars(statement.order_by(FileRow.source_uri))]

    def of_sources(self, knowledge_base: str, source_uris: Sequence[str]) -> list[FileRecord]:
        """What is known of these sources; those never seen are absent."""
        ids = [_file_id(knowledge_base, uri) for uri in source_uris]
        with self._database.session() as session:
            found: list[FileRecord] = []
            for start in range(0, len(ids), _IN_LIMIT):
                some = FileRow.id.in_(ids[start : start + _IN_LIMIT])
                found += [_file(row) for row in session.scalars(select(FileRow).where(some))]
            return found

    def offered_again(self, records: Sequence[FileRecord], task_id: str) -> None:
        """They belong to this task now, and are as they were."""
        ids = [_file_id(record.knowledge_base, record.source_uri) for record in records]
        with self._database.session() as session:
            for start in range(0, len(ids), _IN_LIMIT):
                some = FileRow.id.in_(ids[start : start + _IN_LIMIT])
                session.execute(update(FileRow).where(some).values(task_id=task_id, updated_at=now()))

    def inside_zip(self, outer: FileRecord) -> list[FileRecord]:
        """The files that came out of this one, those of zips inside it included."""
        statement = select(FileRow).where(
            FileRow.knowledge_base == outer.knowledge_base,
            FileRow.source_uri.startswith(f"{outer.source_uri}!/", autoescape=True),
        )
        with self._database.session() as session:
            return [_file(row) for row in session.scalars(statement)]

    def of_document(self, document_id: str) -> list[FileRecord]:
        """The files a document came from, those that are gone included."""
        with self._database.session() as session:
            rows = session.scalars(select(FileRow).where(FileRow.document_id == document_id))
            return [_file(row) for row in rows]

    def move(self, principal: Principal, record: FileRecord, source_uri: str, file_name: str) -> FileRecord:
        """The same file has another place: its document and its history go with it."""
        moved = replace(record, source_uri=source_uri, file_name=file_name)
        with self._database.session() as session:
            old = _file_id(record.knowledge_base, record.source_uri)
            session.execute(delete(FileRow).where(FileRow.id == old))
            document = session.get(DocumentRow, record.document_id) if record.document_id else None
            if document is not None and document.source_uri == record.source_uri:
                document.source_uri = source_uri
            revision = session.get(RevisionRow, record.revision_id) if record.revision_id else None
            if revision is not None and revision.file_name == record.file_name:
                revision.file_name = file_name
            details = {"from": record.source_uri, "to": source_uri}
            audit.record(session, principal, "source.move", record.document_id or source_uri, details)
        self.record(moved)
        return moved

    def page(
        self,
        principal: Principal,
        *,
        states: Sequence[str] = (),
        task_id: str | None = None,
        number: int = 1,
        page_size: int = 50,
    ) -> tuple[list[FileRecord], int]:
        """Files the principal may read, the latest first: as the document they belong to, if there is one."""
        labels = func.coalesce(DocumentRow.labels, FileRow.labels, type_=FileRow.labels.type)
        statement = select(FileRow.id)
        if principal.scopes() is not None:
            statement = statement.outerjoin(DocumentRow, DocumentRow.id == FileRow.document_id)
        if states:
            statement = statement.where(FileRow.state.in_(states))
        if task_id:
            statement = statement.where(FileRow.task_id == task_id)
        with self._database.session() as session:
            statement = narrowed(session, principal, statement, labels)
            total = session.scalar(select(func.count()).select_from(statement.subquery())) or 0
            latest = statement.order_by(FileRow.updated_at.desc(), FileRow.id)
            shown = list(session.scalars(latest.limit(page_size).offset((number - 1) * page_size)))
            rows = {row.id: row for row in session.scalars(select(FileRow).where(FileRow.id.in_(shown)))}
        return [_file(rows[key]) for key in shown if key in rows], total


def _file_id(knowledge_base: str, source_uri: str) -> str:
    return str(uuid5(NAMESPACE_URL, f"{knowledge_base}\n{source_uri}"))


def _task(row: TaskRow) -> Task:
    return Task(
        row.id,
        row.kind,
        row.state,
        row.principal_id,
        row.total,
        row.done,
        row.failed,
        row.message,
        row.result,
        row.created_at,
        row.updated_at,
    )


def _file(row: FileRow) -> FileRecord:
    return FileRecord(
        knowledge_base=row.knowledge_base,
        source_uri=row.source_uri,
        file_name=row.file_name,
        content_sha256=row.content_sha256,
        size=row.size,
        state=row.state,
        reason=row.reason,
        message=row.message,
        modified_at=row.modified_at,
        document_id=row.document_id,
        revision_id=row.revision_id,
        task_id=row.task_id,
        report=row.report,
        labels=tuple(row.labels),
        missing_since=row.missing_since,
        withdrawn=tuple(row.withdrawn),
        updated_at=row.updated_at,
    )
