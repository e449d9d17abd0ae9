"""Intake 入库: files come in, and each ends in exactly one state with a reason.

    skip what is unchanged -> read in a sandbox -> find its document -> embed -> publish -> record

Several files are worked on at once; each has its own sandbox process, and embedding has its own pool. The
files in a zip 压缩包 are taken each as a file of its own, `<zip>!/<name>`; the zip itself is recorded last,
so that a run that was cut short begins with it again.
"""

import mimetypes
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from queue import SimpleQueue
from threading import Lock
from urllib.parse import quote
from uuid import NAMESPACE_URL, uuid5

from ingestion.documents import (
    Document,
    FailureReason,
    FileState,
    Parsed,
    Revision,
    RevisionStatus,
)
from ingestion.errors import IngestionError, ParseFailure
from ingestion.parsers import registry
from ingestion.parsers.sandbox import Limits, Sandbox
from ingestion.pipeline import Preparation, Prepared, Source
from ingestion.protocols import Embedder
from ingestion.versions import same_document, title_key
from service import logs
from service.access import PUBLIC, Principal
from service.errors import ZhixingError
from service.library import Library
from service.originals import sha256
from service.store import families
from service.store.database import Database
from service.store.publishing import REPORT, Draft, Repealed
from service.store.tasks import DONE, DONE_WITH_FAILURES, FileRecord, FileStore, TaskStore
from service.telemetry import Telemetry

log = logs.get(__name__)

READABLE = frozenset({FileState.PARSED.value, FileState.PARSED_PARTLY.value})
MEGABYTE = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Incoming:
    """A file offered for intake: `data`, or the `path` it is read from when its turn comes."""

    source_uri: str
    file_name: str
    data: bytes | None = None
    path: Path | None = None
    knowledge_base: str = "default"
    labels: tuple[str, ...] = (PUBLIC,)
    owner: str = ""
    business_line: str = ""
    issuer: str = ""
    password: str | None = None
    modified_at: datetime | None = None
    in_bundle: bool = False  # came out of a zip: if it is one again, it is not opened

    def read(self) -> bytes:
        if self.data is not None:
            return self.data
        if self.path is None:
            raise ValueError("an incoming file needs data or a path")
        return self.path.read_bytes()

    def revision_id(self, digest: str) -> str:
        """The same bytes from the same source are the same revision, whenever they come."""
        return str(uuid5(NAMESPACE_URL, f"{self.knowledge_base}\n{self.source_uri}\n{digest}"))

    def member(self, name: str, file_name: str, data: bytes) -> "Incoming":
        """A file inside this zip; what was said about the zip holds for it."""
        uri = f"{self.source_uri}!/{quote(name, safe='/!')}"
        return replace(self, source_uri=uri, file_name=file_name, data=data, path=None, in_bundle=True)

    def new_document_id(self) -> str:
        return str(uuid5(NAMESPACE_URL, f"{self.knowledge_base}\n{self.source_uri}"))

    @classmethod
    def of_path(cls, path: Path, like: "Incoming | None" = None) -> "Incoming":
        """A file on disk; knowledge base, labels and the like are taken from `like`."""
        found = path.resolve()
        modified = datetime.fromtimestamp(found.stat().st_mtime, UTC)
        template = like or cls("", "")
        return replace(
            template, source_uri=found.as_uri(), file_name=found.name, path=found, modified_at=modified
        )


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


@dataclass(frozen=True, slots=True)
class _Placement:
    document: Document
    evidence: tuple[str, ...] = field(default=())


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
        limits: Limits,
        max_bytes: int,
        workers: int,
    ) -> None:
        self._database = database
        self._library = library
        self._files = files
        self._tasks = tasks
        self._embedder = embedder
        self._telemetry = telemetry
        self._max_bytes = max_bytes
        self._workers = workers
        self._placing = Lock()
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
        """Take every file, several at once; the task's counts move as they finish."""

        def one(incoming: Incoming) -> Taken:
            taken = self.take(principal, incoming, task_id=task_id, retry_failed=retry_failed)
            for item in (*taken.members, taken):
                self._tasks.advance(task_id, done=1, failed=int(not item.published))
                if on_file is not None:
                    on_file(item)
            return taken

        with ThreadPoolExecutor(self._workers, thread_name_prefix="intake") as pool:
            taken = list(pool.map(one, items))
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
        """Bring one file to its state. Never raises for a bad file; the reason is in the record."""
        blank = FileRecord(
            knowledge_base=incoming.knowledge_base,
            source_uri=incoming.source_uri,
            file_name=incoming.file_name,
            content_sha256="",
            size=0,
            state=FileState.FAILED.value,
            modified_at=incoming.modified_at,
            task_id=task_id,
            labels=incoming.labels,
        )
        try:
            data = incoming.read()
        except OSError as error:
            message = f"文件无法读取：{error.strerror or error}"
            return self._ended(replace(blank, reason=FailureReason.CORRUPT.value, message=message))
        digest = sha256(data)
        blank = replace(blank, content_sha256=digest, size=len(data))
        known = self._files.find(incoming.knowledge_base, incoming.source_uri)
        # A zip has no document of its own; to retry what failed in it, it is opened again.
        settled = known is not None and known.state in READABLE and known.document_id is not None
        if known and known.content_sha256 == digest and (settled or not retry_failed):
            self._files.record(replace(known, task_id=task_id))
            return Taken(known, unchanged=True)
        if known is not None:  # the revision that answers goes on answering, also when this one fails
            blank = replace(blank, document_id=known.document_id, revision_id=known.revision_id)
        try:
            return self._take(principal, incoming, data, blank, known, retry_failed)
        except ParseFailure as failure:
            return self._ended(_with(blank, registry.failed(failure)))
        except (ZhixingError, IngestionError) as error:
            # Not the file's fault: without its hash on record the next run takes it up by itself.
            log.error("intake.failed", file=incoming.file_name, code=error.code, reason=error.message)
            return self._ended(replace(blank, content_sha256="", message=error.message))

    def prepare(self, incoming: Incoming, revision_id: str = "") -> Prepared:
        """Read and cut a file without publishing anything: `zhixing parse` and samples."""
        return self._prepare(Source(incoming.read(), incoming.file_name, revision_id, incoming.password))

    def close(self) -> None:
        for sandbox in self._all:
            sandbox.close()

    def _take(
        self,
        principal: Principal,
        incoming: Incoming,
        data: bytes,
        blank: FileRecord,
        known: FileRecord | None,
        retry_failed: bool,
    ) -> Taken:
        if len(data) > self._max_bytes:
            raise ParseFailure(
                FailureReason.TOO_LARGE, f"文件超过 {self._max_bytes // MEGABYTE} MB 上限；请拆分后再导入"
            )
        revision_id = incoming.revision_id(blank.content_sha256)
        opens = not incoming.in_bundle
        source = Source(data, incoming.file_name, revision_id, incoming.password, opens_bundles=opens)
        with self._telemetry.stage("read"):
            prepared = self._prepare(source)
        record = _with(blank, prepared.parsed)
        if prepared.members:
            return self._take_members(principal, incoming, prepared, record, retry_failed)
        if record.state not in READABLE:
            return self._ended(record)
        with self._telemetry.stage("embed"):
            vectors = self._embedder.embed_passages([piece.searched_text for piece in prepared.chunks])
        # One at a time: two revisions of one document that come in together must find each other.
        with self._placing, self._telemetry.stage("publish"):
            placement = self._place(principal, incoming, prepared, known)
            draft = _draft(incoming, prepared, placement, revision_id, record, known)
            published = self._library.publish(principal, draft, vectors, data)
        record = replace(record, document_id=published.document_id, revision_id=published.revision_id)
        return self._ended(record, published.chunks, placement.evidence)

    def _take_members(
        self,
        principal: Principal,
        incoming: Incoming,
        prepared: Prepared,
        record: FileRecord,
        retry_failed: bool,
    ) -> Taken:
        """Every file of a zip; the sandboxes, which this one has given back, bound how many run at once."""
        items = [incoming.member(item.name, item.file_name, item.data) for item in prepared.members]
        if record.task_id is not None:
            self._tasks.advance(record.task_id, more=len(items))

        def one(item: Incoming) -> Taken:
            return self.take(principal, item, task_id=record.task_id, retry_failed=retry_failed)

        with ThreadPoolExecutor(self._workers, thread_name_prefix="intake-zip") as pool:
            members = tuple(pool.map(one, items))
        return replace(self._ended(record), members=members)

    def _prepare(self, source: Source) -> Prepared:
        sandbox = self._sandboxes.get()
        try:
            return sandbox.run(source)
        finally:
            self._sandboxes.put(sandbox)

    def _place(
        self, principal: Principal, incoming: Incoming, prepared: Prepared, known: FileRecord | None
    ) -> _Placement:
        """The document this file is a revision of: the one its source had, one of the same title, or new."""
        title = prepared.description.title
        key = title_key(title)
        with self._database.session() as session:
            if known and known.document_id:
                document = families.document(session, known.document_id)
                if document and principal.may_read(document.labels):
                    same = replace(document, title=title, source_updated_at=incoming.modified_at)
                    return _Placement(same, ("与同名来源的上一份文件相同来源",))
            for candidate in families.candidates(session, incoming.knowledge_base, key):
                readable = principal.may_read(candidate.document.labels)
                if readable and same_document(candidate.text, prepared.parsed.text):
                    return _Placement(
                        candidate.document, (f"标题与内容同《{candidate.document.title}》一致",)
                    )
        return _Placement(
            Document(
                id=incoming.new_document_id(),
                source_uri=incoming.source_uri,
                title=title,
                knowledge_base=incoming.knowledge_base,
                media_type=mimetypes.guess_type(incoming.file_name)[0] or "application/octet-stream",
                business_line=incoming.business_line,
                issuer=incoming.issuer or prepared.description.issuer,
                owner=incoming.owner,
                labels=incoming.labels,
                source_updated_at=incoming.modified_at,
            )
        )

    def _ended(self, record: FileRecord, chunks: int = 0, evidence: tuple[str, ...] = ()) -> Taken:
        self._files.record(record)
        self._telemetry.files.labels(record.state).inc()
        return Taken(record, chunks=chunks, evidence=evidence)


def files_under(paths: Sequence[Path], like: Incoming) -> list[Incoming]:
    """Every file named or inside a named folder, in a stable order; hidden ones and office lock files not."""
    found: dict[Path, None] = {}
    for path in paths:
        candidates = sorted(path.rglob("*")) if path.is_dir() else [path]
        for candidate in candidates:
            inside = candidate.relative_to(path).parts if path.is_dir() else (candidate.name,)
            if candidate.is_file() and not any(part.startswith((".", "~$")) for part in inside):
                found[candidate.resolve()] = None
    return [Incoming.of_path(path, like) for path in found]


def _draft(
    incoming: Incoming,
    prepared: Prepared,
    placement: _Placement,
    revision_id: str,
    record: FileRecord,
    known: FileRecord | None,
) -> Draft:
    said = prepared.description
    before = known.revision_id if known and known.document_id == placement.document.id else None
    return Draft(
        document=placement.document,
        title_key=title_key(said.title),
        revision=Revision(
            id=revision_id,
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
        repeals=tuple(Repealed(title_key(repeal.title), repeal.effective_on) for repeal in said.repeals),
    )


def _with(record: FileRecord, parsed: Parsed) -> FileRecord:
    return replace(
        record,
        state=parsed.state.value,
        reason=parsed.reason.value if parsed.reason else None,
        message=parsed.message,
        report=REPORT.dump_python(parsed.report, mode="json"),
    )
