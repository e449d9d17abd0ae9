"""Intake 入库: files come in, and each ends in exactly one state with a reason.

    skip what is unchanged -> read in a sandbox -> find its document -> embed -> publish -> record

Several files are worked on at once; each has its own sandbox process, and embedding has its own pool. The
files in a zip 压缩包 are taken each as a file of its own, `<zip>!/<name>`; the zip itself is recorded last,
so that a run that was cut short begins with it again.
"""

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from queue import SimpleQueue
from threading import Event, Lock

from pydantic import JsonValue

from ingestion.documents import READABLE, FailureReason, FileState, Kind, Parsed
from ingestion.errors import IngestionError, ParseFailure
from ingestion.index.keyword import KeywordEncoder
from ingestion.minutes.meeting import why_no_record
from ingestion.parsers import registry
from ingestion.parsers.sandbox import Limits, Sandbox
from ingestion.pipeline import Preparation, Prepared, Source
from ingestion.protocols import Embedder
from ingestion.terms import Terms
from service import logs, placement
from service.access import Principal
from service.config import MEGABYTE
from service.errors import ZhixingError
from service.incoming import Incoming as Incoming
from service.incoming import files_under as files_under
from service.labels import labels_after
from service.lanes import Stopped
from service.library import Library
from service.meeting_files import MeetingFiles
from service.originals import sha256
from service.store.database import Database
from service.store.meetings import FIGURES, figures_of
from service.store.publishing import REPORT
from service.store.tasks import DONE, DONE_WITH_FAILURES, FileRecord, FileStore, TaskStore
from service.system_errors import told
from service.telemetry import Telemetry
from service.untouched import sort_out

log = logs.get(__name__)

MEETING = "meeting"  # where a file's report has its `MeetingFigures`


@dataclass(frozen=True, slots=True)
class Taken:
    """What became of one file."""

    record: FileRecord
    unchanged: bool = False
    chunks: int = 0
    evidence: tuple[str, ...] = ()  # why it was placed where it is
    members: tuple["Taken", ...] = ()  # the files of a zip

    @property
    def published(self) -> bool:
        return self.record.state in READABLE


class Intake:
    def __init__(
        self,
        database: Database,
        library: Library,
        files: FileStore,
        tasks: TaskStore,
        embedder: Embedder,
        preparation: Preparation,
        telemetry: Telemetry,
        *,
        encoder: KeywordEncoder,
        limits: Limits,
        max_bytes: int,
        workers: int,
        meeting_files: MeetingFiles,
        minutes_seconds: float | None = None,
    ) -> None:
        """`minutes_seconds` is how long a meeting may take; None: as long as any file."""
        self._database = database
        self._library = library
        self._files = files
        self._tasks = tasks
        self._embedder = embedder
        self._preparation = preparation
        self._encoder = encoder
        self._telemetry = telemetry
        self._max_bytes = max_bytes
        self._workers = workers
        self._meeting_files = meeting_files
        self._minutes_seconds = minutes_seconds
        self._placing = Lock()
        self._stopping = Event()
        self._sandboxes: SimpleQueue[Sandbox[Source, Prepared]] = SimpleQueue()
        self._all = [Sandbox(preparation, limits) for _ in range(workers)]
        for sandbox in self._all:
            self._sandboxes.put(sandbox)

    def run(
        self,
        principal: Principal,
        task_id: str,
        items: Iterable[Incoming],
        *,
        retry_failed: bool = False,
        on_file: Callable[[Taken], None] | None = None,
    ) -> list[Taken]:
        """Take every file, several at once; the task's counts move as they finish. Raises Stopped.

        Records of meetings that were not touched since they were taken in are told at once, and first.
        """

        def one(incoming: Incoming) -> Taken:
            taken = self.take(principal, incoming, task_id=task_id, retry_failed=retry_failed)
            for item in (*taken.members, taken):
                self._tasks.advance(task_id, done=1, failed=int(not item.published))
                if on_file is not None:
                    on_file(item)
            return taken

        untouched, left = self._sort_out(task_id, list(items), on_file)
        with ThreadPoolExecutor(self._workers, thread_name_prefix="intake") as pool:
            taken = [*untouched, *pool.map(one, left)]
        every = [item for outer in taken for item in (outer, *outer.members)]
        failed = sum(not item.published for item in every)
        unchanged = sum(item.unchanged for item in every)
        state = DONE_WITH_FAILURES if failed else DONE
        self._tasks.finish(task_id, state, result={"unchanged": unchanged})
        return taken

    def take(
        self,
        principal: Principal,
        incoming: Incoming,
        *,
        task_id: str | None = None,
        retry_failed: bool = False,
    ) -> Taken:
        """Bring one file to its state. Never raises for a bad file; the reason is in the record.

        Raises Stopped when the service is ending: the file is in no state then.
        """
        known = self._files.find(incoming.knowledge_base, incoming.source_uri)
        blank = unread(incoming, known, task_id)
        try:
            blank = replace(blank, size=incoming.size())
            if blank.size > self._max_bytes:
                raise self._too_large()
            data = incoming.read()
        except OSError as error:
            message = f"文件无法读取：{told(error)}"
            return self._ended(replace(blank, reason=FailureReason.CORRUPT.value, message=message))
        except ParseFailure as failure:
            return self._ended(_failed(blank, failure))
        blank = replace(blank, content_sha256=sha256(data), size=len(data))
        if known and self._unchanged(known, incoming, blank.content_sha256, retry_failed):
            moment = incoming.modified_at or known.modified_at
            self._files.record(replace(known, task_id=task_id, modified_at=moment))
            self._restore(known, incoming)
            return Taken(known, unchanged=True)
        if incoming.kind is Kind.MINUTES and (copied := self._copied(principal, incoming, blank)):
            return self._ended(copied)
        try:
            return self._take(principal, incoming, data, blank, retry_failed)
        except Exception as error:  # the boundary: whatever happened, the file ends in a state
            if self._stopping.is_set():
                raise Stopped("intake") from error
            return self._ended(_failed(blank, error))

    def use(self, terms: Terms) -> None:
        """Cut by another vocabulary. When this returns, nothing cut by the former one is published any more;
        the encoder has to be told before."""
        with self._placing:
            self._preparation = replace(self._preparation, terms=terms)

    def stop(self) -> None:
        """Give up what is being read or waits to be embedded; what is being published is finished."""
        self._stopping.set()
        for sandbox in self._all:
            sandbox.interrupt()

    def close(self) -> None:
        for sandbox in self._all:
            sandbox.close()

    def _take(
        self,
        principal: Principal,
        incoming: Incoming,
        data: bytes,
        blank: FileRecord,
        retry_failed: bool,
    ) -> Taken:
        if incoming.damage:
            raise ParseFailure(FailureReason.CORRUPT, incoming.damage)
        if len(data) > self._max_bytes:  # it grew while it was read
            raise self._too_large()
        revision_id = incoming.revision_id(blank.content_sha256)
        opens = not incoming.in_bundle
        source = Source(
            data, incoming.file_name, revision_id, incoming.password, opens_bundles=opens, kind=incoming.kind
        )
        preparation = self._preparation
        with self._telemetry.stage("read"):
            prepared = self._prepare(source, preparation)
        record = _with(blank, prepared.parsed)
        if prepared.members:
            return self._take_members(principal, incoming, prepared, record, retry_failed)
        if record.state not in READABLE:
            return self._ended(record)
        with self._telemetry.stage("embed"):
            vectors = self._embedder.embed_passages([piece.searched_text for piece in prepared.chunks])
        # One at a time: two revisions of one document that come in together must find each other.
        with self._placing, self._telemetry.stage("publish"):
            if preparation is not self._preparation:  # the vocabulary has changed since it was read
                prepared = self._cut_anew(prepared)
            known = self._files.find(incoming.knowledge_base, incoming.source_uri)
            with self._database.session() as session:
                digest = blank.content_sha256
                place = placement.place(session, principal, incoming, prepared, known, digest)
            draft = placement.draft(incoming, prepared, place, record, known)
            published = self._library.publish(principal, draft, vectors, data)
            record = replace(
                record,
                document_id=published.document_id,
                revision_id=published.revision_id,
                labels=place.document.labels,
            )
            if draft.meeting is not None:
                figures: JsonValue = FIGURES.dump_python(figures_of(draft.meeting), mode="json")
                record = replace(record, report={**record.report, MEETING: figures})
            return self._ended(record, published.chunks, place.evidence)

    def _sort_out(
        self, task_id: str, items: Sequence[Incoming], on_file: Callable[[Taken], None] | None
    ) -> tuple[list[Taken], Sequence[Incoming]]:
        found = sort_out(self._database, self._files, items)
        untouched = [Taken(record, unchanged=True) for record in found.standing]
        if untouched:
            self._files.offered_again(found.standing, task_id)
            self._tasks.advance(task_id, done=len(untouched))
        for one in untouched:
            self._meeting_files.restore(one.record.document_id or "")
            if on_file is not None:
                on_file(one)
        return untouched, found.left

    def _copied(self, principal: Principal, incoming: Incoming, blank: FileRecord) -> FileRecord | None:
        """The end of a new file with a meeting's record that is there already: it is not read again."""
        if blank.document_id is not None or why_no_record(incoming.file_name):
            return None
        with self._database.session() as session:
            found = placement.copy_of(session, principal, incoming, blank.content_sha256)
        if found is None:
            return None
        alike = self._files.of_document(found.document.id)
        report = next((each.report for each in alike if each.content_sha256 == blank.content_sha256), {})
        self._meeting_files.restore(found.document.id)
        return replace(
            blank,
            state=FileState.PARSED.value,
            message=f"与《{found.document.title}》是同一份记录",
            document_id=found.document.id,
            revision_id=found.revision_id,
            labels=found.document.labels,
            report=report,
        )

    def _restore(self, known: FileRecord, incoming: Incoming) -> None:
        if incoming.kind is Kind.MINUTES and known.document_id is not None:
            self._meeting_files.restore(known.document_id)

    def _too_large(self) -> ParseFailure:
        most = self._max_bytes // MEGABYTE
        return ParseFailure(FailureReason.TOO_LARGE, f"文件超过 {most} MB 上限；请拆分后再导入")

    def _unchanged(self, known: FileRecord, incoming: Incoming, digest: str, retry_failed: bool) -> bool:
        """Whether this very file ended before, for the same readers, and what came of it is there."""
        if known.content_sha256 != digest:
            return False
        if known.state not in READABLE or known.document_id is None:
            # A zip has no document of its own; to retry what failed in it, it is opened again.
            return not retry_failed and self._members_stand(known, incoming)
        with self._database.session() as session:
            return placement.stands(session, known, incoming)

    def _members_stand(self, known: FileRecord, incoming: Incoming) -> bool:
        """Whether a file without a document, and all that came out of it if it is a zip, is for the readers
        that are named now. A member that was deleted left the zip without its hash."""
        if labels_after(known.labels, incoming.labels) != known.labels:
            return False
        inside = self._files.inside_zip(known)
        with self._database.session() as session:
            return all(placement.stands(session, one, incoming) for one in inside if one.state in READABLE)

    def _take_members(
        self,
        principal: Principal,
        incoming: Incoming,
        prepared: Prepared,
        record: FileRecord,
        retry_failed: bool,
    ) -> Taken:
        """Every file of a zip; the sandboxes, which this one has given back, bound how many run at once."""
        items = [incoming.member(item) for item in prepared.members]
        if record.task_id is not None:
            self._tasks.advance(record.task_id, more=len(items))

        def one(item: Incoming) -> Taken:
            return self.take(principal, item, task_id=record.task_id, retry_failed=retry_failed)

        with ThreadPoolExecutor(self._workers, thread_name_prefix="intake-zip") as pool:
            members = tuple(pool.map(one, items))
        return replace(self._ended(record), members=members)

    def _cut_anew(self, prepared: Prepared) -> Prepared:
        keywords = tuple(self._encoder.document(piece.searched_text) for piece in prepared.chunks)
        return replace(prepared, keywords=keywords)

    def _prepare(self, source: Source, preparation: Preparation) -> Prepared:
        sandbox = self._sandboxes.get()
        try:
            if self._stopping.is_set():
                raise Stopped("intake")
            sandbox.use(preparation)
            return sandbox.run(source, self._minutes_seconds if source.kind is Kind.MINUTES else None)
        finally:
            self._sandboxes.put(sandbox)

    def _ended(self, record: FileRecord, chunks: int = 0, evidence: tuple[str, ...] = ()) -> Taken:
        self._files.record(record)
        self._telemetry.files.labels(record.state).inc()
        return Taken(record, chunks=chunks, evidence=evidence)


def unread(incoming: Incoming, known: FileRecord | None, task_id: str | None) -> FileRecord:
    """The record of a file that has ended in no state yet. The revision that answers goes on answering, also
    when this one fails."""
    blank = FileRecord(
        knowledge_base=incoming.knowledge_base,
        source_uri=incoming.source_uri,
        file_name=incoming.file_name,
        content_sha256="",
        size=0,
        state=FileState.FAILED.value,
        modified_at=incoming.modified_at,
        task_id=task_id,
        labels=incoming.first_labels,
    )
    if known is None:
        return blank
    return replace(
        blank,
        document_id=known.document_id,
        revision_id=known.revision_id,
        labels=labels_after(known.labels, incoming.labels),
    )


def _with(record: FileRecord, parsed: Parsed) -> FileRecord:
    return replace(
        record,
        state=parsed.state.value,
        reason=parsed.reason.value if parsed.reason else None,
        message=parsed.message,
        report=REPORT.dump_python(parsed.report, mode="json"),
    )


def _failed(blank: FileRecord, error: Exception) -> FileRecord:
    """How a file ends that could not be taken. Where that is not its own fault its hash is not recorded, so
    that the next run takes it up by itself."""
    if isinstance(error, ParseFailure):
        return _with(blank, registry.failed(error))
    if isinstance(error, ZhixingError | IngestionError):
        log.error("intake.failed", file=blank.file_name, code=error.code, reason=error.message)
        return replace(blank, content_sha256="", message=error.message)
    log.error("intake.crashed", file=blank.file_name, exc_info=error)
    return replace(blank, content_sha256="", message="处理这个文件时服务内部出错，已记录；请联系管理员")
