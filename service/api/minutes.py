"""Meetings: take one in, list them, read one as it was cut into topics. Deleting is for documents."""

from datetime import date
from typing import Annotated

from fastapi import APIRouter, File, Form, UploadFile
from pydantic import BaseModel
from starlette.concurrency import run_in_threadpool

from ingestion.documents import Kind
from service.api.access import Caller, Contributor, Service
from service.api.documents import Accepted, accept
from service.api.paging import PageNumber, PageSize
from service.api.routing import Route
from service.incoming import MINUTES_BASE, Incoming, upload_name, upload_source
from service.labels import checked_labels
from service.meetings import SegmentationOut, shown
from service.storable import storable
from service.store.meetings import MeetingLine

router = APIRouter(prefix="/api/v1/minutes", tags=["minutes"], route_class=Route)


class MeetingLineOut(BaseModel):
    id: str
    revision_id: str
    title: str
    date: date | None
    file_name: str
    speakers: list[str]
    labels: list[str]
    paragraphs: int
    segments: int
    engine: str


class MeetingPage(BaseModel):
    items: list[MeetingLineOut]
    total: int
    page: int
    page_size: int


class StoredMeetingOut(SegmentationOut):
    """`seconds` that reading and cutting took; `run_log` has a line for each step of an agent."""

    id: str
    revision_id: str
    file_name: str
    labels: tuple[str, ...]
    run_log: tuple[str, ...]
    seconds: float


@router.post("", status_code=202)
async def upload(
    service: Service,
    principal: Contributor,
    file: Annotated[UploadFile, File()],
    knowledge_base: Annotated[str, Form(max_length=64)] = MINUTES_BASE,
    labels: Annotated[list[str] | None, Form()] = None,
    owner: Annotated[str, Form(max_length=200)] = "",
    password: Annotated[str | None, Form(max_length=1000)] = None,
) -> Accepted:
    """Take a meeting's record in; the work goes on in the background.

    The same name again becomes a new revision; a record that is there already, under whatever name, is that
    meeting: the task's file names its document.
    """
    name = upload_name(file.filename or "")
    incoming = Incoming(
        source_uri=upload_source(principal, name),
        file_name=name,
        knowledge_base=storable(knowledge_base).strip() or MINUTES_BASE,
        labels=None if labels is None else checked_labels(labels),
        owner=storable(owner) or principal.name,
        password=password,
        kind=Kind.MINUTES,
    )
    return await run_in_threadpool(accept, service, principal, incoming, file.file)


@router.get("")
def list_meetings(
    service: Service, principal: Caller, page: PageNumber = 1, page_size: PageSize = 20
) -> MeetingPage:
    """The latest first; those whose day is not known last."""
    found = service.meetings.lines(principal)
    first = (page - 1) * page_size
    items = [_line(each) for each in found[first : first + page_size]]
    return MeetingPage(items=items, total=len(found), page=page, page_size=page_size)


@router.get("/{document_id}")
def get_meeting(service: Service, principal: Caller, document_id: str) -> StoredMeetingOut:
    """The whole meeting by topics, with what came of it, and how it was cut."""
    found = service.meetings.get(principal, document_id)
    return StoredMeetingOut(
        **dict(shown(found.record, found.text)),
        id=found.document.id,
        revision_id=found.revision_id,
        file_name=found.file_name,
        labels=found.document.labels,
        run_log=found.record.run_log,
        seconds=found.record.seconds,
    )


def _line(found: MeetingLine) -> MeetingLineOut:
    document = found.document
    return MeetingLineOut(
        id=document.id,
        revision_id=found.revision_id,
        title=document.title,
        date=document.meeting_date,
        file_name=found.file_name,
        speakers=list(found.speakers),
        labels=list(document.labels),
        paragraphs=found.paragraphs,
        segments=found.segments,
        engine=found.engine,
    )
