"""Documents: upload, list, read, download, delete; and the tasks that work on them."""

from dataclasses import asdict
from datetime import date, datetime
from functools import partial
from typing import Annotated, BinaryIO

from fastapi import APIRouter, File, Form, Query, UploadFile
from fastapi.responses import Response
from pydantic import BaseModel, JsonValue, TypeAdapter
from starlette.concurrency import run_in_threadpool

from ingestion.documents import Block, Document, Kind, ParseReport, Revision
from service.access import Principal
from service.api.access import Administrator, Caller, Contributor, Service
from service.api.downloads import ATTACHMENT, attachment
from service.api.paging import PageNumber, PageSize
from service.api.routing import Route
from service.bootstrap import Parts
from service.incoming import Incoming, upload_name, upload_source
from service.labels import checked_labels
from service.lanes import ending
from service.storable import storable
from service.store.documents import StoredDocument, StoredRevision
from service.store.tasks import FileRecord, Task

router = APIRouter(prefix="/api/v1", tags=["documents"], route_class=Route)

MOST_CHUNKS = 100_000
_BLOCKS: TypeAdapter[list[Block]] = TypeAdapter(list[Block])


class RevisionOut(BaseModel):
    id: str
    label: str
    status: str
    effective_from: date | None
    effective_to: date | None
    supersedes: str | None
    in_force: bool
    evidence_of_version: list[str]
    file_name: str = ""
    size: int = 0
    chunk_count: int = 0
    published_at: datetime | None = None


class DocumentOut(BaseModel):
    id: str
    title: str
    knowledge_base: str
    media_type: str
    business_line: str
    issuer: str
    owner: str
    labels: list[str]
    source_uri: str
    source_updated_at: datetime | None
    kind: Kind
    meeting_date: date | None
    revisions: list[RevisionOut]


class DocumentPage(BaseModel):
    items: list[DocumentOut]
    total: int
    page: int
    page_size: int


class Accepted(BaseModel):
    """The task tells when it is done. A file of the same title as another may join that document then."""

    document_id: str | None
    revision_id: str | None
    task_id: str


class ContentOut(BaseModel):
    document: DocumentOut
    revision: RevisionOut
    blocks: list[JsonValue]
    state: str
    report: ParseReport


class ChunkOut(BaseModel):
    id: str
    ordinal: int
    heading_path: list[str]
    context: str
    text: str
    char_start: int
    char_end: int


class ChunkList(BaseModel):
    items: list[ChunkOut]


class FilePage(BaseModel):
    items: list[FileRecord]
    total: int
    page: int
    page_size: int


class TaskOut(BaseModel):
    id: str
    kind: str
    state: str
    total: int
    done: int
    failed: int
    message: str
    unchanged: int
    files: list[FileRecord]
    created_at: datetime
    updated_at: datetime


@router.post("/documents", status_code=202)
async def upload(
    service: Service,
    principal: Contributor,
    file: Annotated[UploadFile, File()],
    knowledge_base: Annotated[str, Form(max_length=64)] = "default",
    labels: Annotated[list[str] | None, Form()] = None,
    owner: Annotated[str, Form(max_length=200)] = "",
    business_line: Annotated[str, Form(max_length=200)] = "",
    issuer: Annotated[str, Form(max_length=200)] = "",
    password: Annotated[str | None, Form(max_length=1000)] = None,
) -> Accepted:
    """Take a file in; the work goes on in the background. The same name again becomes a new revision."""
    name = upload_name(file.filename or "")
    incoming = Incoming(
        source_uri=upload_source(principal, name),
        file_name=name,
        knowledge_base=storable(knowledge_base).strip() or "default",
        labels=None if labels is None else checked_labels(labels),
        owner=storable(owner) or principal.name,
        business_line=storable(business_line),
        issuer=storable(issuer),
        password=password,
    )
    return await run_in_threadpool(accept, service, principal, incoming, file.file)


def accept(service: Parts, principal: Principal, incoming: Incoming, content: BinaryIO) -> Accepted:
    """From here on the file is not lost; a task works on it."""
    known = service.files.find(incoming.knowledge_base, incoming.source_uri)
    accepted = service.uploads.accept(principal, incoming, content)
    return Accepted(
        document_id=(known and known.document_id) or incoming.new_document_id(),
        revision_id=incoming.revision_id(accepted.digest),
        task_id=accepted.task_id,
    )


@router.get("/documents")
def list_documents(
    service: Service,
    principal: Caller,
    knowledge_base: str | None = None,
    status: str | None = None,
    owner: str | None = None,
    search: Annotated[str, Query(max_length=200)] = "",
    page: PageNumber = 1,
    page_size: PageSize = 20,
) -> DocumentPage:
    found = service.documents.page(
        principal,
        knowledge_base=knowledge_base,
        status=status,
        owner=owner,
        search=search,
        number=page,
        page_size=page_size,
    )
    items = [document_out(item) for item in found.items]
    return DocumentPage(items=items, total=found.total, page=page, page_size=page_size)


@router.get("/documents/{document_id}")
def get_document(service: Service, principal: Caller, document_id: str) -> DocumentOut:
    return document_out(service.documents.get(principal, document_id))


@router.get("/documents/{document_id}/content")
def get_content(
    service: Service, principal: Caller, document_id: str, revision: str | None = None
) -> ContentOut:
    """The canonical text as blocks whose offsets citations point into."""
    content = service.documents.content(principal, document_id, revision)
    stored = service.documents.get(principal, document_id)
    blocks: list[JsonValue] = [
        {
            "kind": block.kind.value,
            "level": block.level,
            "text": block.text,
            "char_start": block.anchor.char_start,
            "char_end": block.anchor.char_end,
            "anchor": anchor,
        }
        for block, anchor in zip(content.blocks, _anchors(content.blocks), strict=True)
    ]
    return ContentOut(
        document=document_out(stored),
        revision=_revision(content.revision, content.file_name),
        blocks=blocks,
        state=content.state,
        report=content.report,
    )


@router.get("/documents/{document_id}/chunks")
def get_chunks(
    service: Service, principal: Caller, document_id: str, revision: str | None = None
) -> ChunkList:
    """How a revision was cut, in order."""
    stored = service.documents.get(principal, document_id)
    wanted = stored.revision(revision).revision
    chunks = service.documents.section(principal, wanted.id, 0, MOST_CHUNKS)
    return ChunkList(items=[ChunkOut.model_validate(chunk, from_attributes=True) for chunk in chunks])


@router.get("/documents/{document_id}/original", response_class=Response, responses=ATTACHMENT)
def get_original(
    service: Service, principal: Caller, document_id: str, revision: str | None = None
) -> Response:
    """The original file, always as a download: nothing of it runs in our origin."""
    content = service.documents.content(principal, document_id, revision)
    return attachment(service.originals.read(content.revision.content_sha256), content.file_name)


@router.delete("/documents/{document_id}", status_code=204)
def delete_document(service: Service, principal: Contributor, document_id: str) -> None:
    service.library.delete_document(principal, document_id)


@router.delete("/documents/{document_id}/revisions/{revision_id}", status_code=204)
def delete_revision(service: Service, principal: Contributor, document_id: str, revision_id: str) -> None:
    """One revision; the line of the others closes up over it, and with the last the document goes."""
    wanted = service.documents.get(principal, document_id).revision(revision_id).revision
    service.library.delete_revision(principal, wanted.id)


@router.get("/files")
def list_files(
    service: Service,
    principal: Contributor,
    state: Annotated[list[str] | None, Query()] = None,
    task_id: str | None = None,
    page: PageNumber = 1,
    page_size: PageSize = 50,
) -> FilePage:
    """Every file ever offered, with the state it ended in and why."""
    items, total = service.files.page(
        principal, states=state or (), task_id=task_id, number=page, page_size=page_size
    )
    return FilePage(items=items, total=total, page=page, page_size=page_size)


@router.get("/tasks/{task_id}")
def get_task(service: Service, principal: Caller, task_id: str) -> TaskOut:
    task = service.tasks.get(principal, task_id)
    files, _total = service.files.page(principal, task_id=task_id, page_size=100)
    return _task(task, files)


@router.post("/index/rebuild", status_code=202)
async def rebuild(service: Service, principal: Administrator) -> Accepted:
    """Build the index again from SQL and the originals."""
    task = await run_in_threadpool(service.tasks.create, principal, "rebuild", 0)
    job = partial(service.rebuild, principal, task.id)
    service.lanes.submit("rebuild", ending(service.tasks, task.id, job))
    return Accepted(document_id=None, revision_id=None, task_id=task.id)


def document_out(stored: StoredDocument) -> DocumentOut:
    document: Document = stored.document
    return DocumentOut(
        **{**asdict(document), "labels": list(document.labels)},
        revisions=[revision_out(item) for item in stored.revisions],
    )


def revision_out(item: StoredRevision) -> RevisionOut:
    return _revision(item.revision, item.file_name, item.size, item.chunk_count, item.published_at)


def _revision(
    revision: Revision,
    file_name: str,
    size: int = 0,
    chunk_count: int = 0,
    published_at: datetime | None = None,
) -> RevisionOut:
    return RevisionOut(
        id=revision.id,
        label=revision.label,
        status=revision.status.value,
        effective_from=revision.effective_from,
        effective_to=revision.effective_to,
        supersedes=revision.supersedes,
        in_force=revision.in_force(date.today()),
        evidence_of_version=list(revision.evidence_of_version),
        file_name=file_name,
        size=size,
        chunk_count=chunk_count,
        published_at=published_at,
    )


def _anchors(blocks: tuple[Block, ...]) -> list[JsonValue]:
    dumped = _BLOCKS.dump_python(list(blocks), mode="json", include={"__all__": {"anchor"}})
    return [block["anchor"] for block in dumped]


def _task(task: Task, files: list[FileRecord]) -> TaskOut:
    return TaskOut(
        id=task.id,
        kind=task.kind,
        state=task.state,
        total=task.total,
        done=task.done,
        failed=task.failed,
        message=task.message,
        unchanged=int(str(task.result.get("unchanged", 0))),
        files=files,
        created_at=task.created_at,
        updated_at=task.updated_at,
    )
