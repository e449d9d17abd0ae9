"""Processes over HTTP: what serves, one case put to it, drafts, publishing, versions, templates, decisions.

Everyone may read and ask; process administrators change; administrators see who asked what.
"""

from datetime import date
from typing import Annotated

from fastapi import APIRouter, File, Query, UploadFile
from fastapi.responses import Response
from pydantic import JsonValue
from starlette.concurrency import run_in_threadpool

from rules.table import Process
from service.access import Principal, Role
from service.api.access import Administrator, Caller, ProcessAdmin, Service
from service.api.downloads import ATTACHMENT, attachment
from service.api.paging import PageNumber, PageSize
from service.api.process_shapes import (
    DecisionOut,
    DecisionPage,
    DraftList,
    DraftOut,
    EvaluateIn,
    ProcessItem,
    ProcessOut,
    ProcessPage,
    PublishedOut,
    PublishIn,
    UsageOut,
    VersionList,
)
from service.api.process_views import draft_out, findings_out, item_out, process_out, version_out
from service.api.routing import Route
from service.bootstrap import Parts
from service.errors import Conflict
from service.incoming import upload_name
from service.process.card import OFFLINE
from service.process.evaluating import evaluated, evaluation_json, read_facts
from service.process.offered import offered_upload
from service.store.decisions import WINDOW_DAYS, Origin
from service.store.processes import Draft, Version

router = APIRouter(prefix="/api/v1/processes", tags=["processes"], route_class=Route)

MOST_DAYS = 3660

OneVersion = Annotated[str | None, Query(max_length=200)]
OneDraft = Annotated[str | None, Query(max_length=64)]


@router.get("")
def list_processes(
    service: Service,
    principal: Caller,
    as_of: date | None = None,
    page: PageNumber = 1,
    page_size: PageSize = 50,
) -> ProcessPage:
    """All processes in the order of their names; those without a version in force too."""
    found = sorted(_items(service, principal, as_of or date.today()), key=lambda item: (item.name, item.id))
    start = (page - 1) * page_size
    return ProcessPage(
        items=found[start : start + page_size], total=len(found), page=page, page_size=page_size
    )


@router.get("/{process_id}")
def get_process(
    service: Service,
    principal: Caller,
    process_id: str,
    as_of: date | None = None,
    version: OneVersion = None,
    draft: OneDraft = None,
) -> ProcessOut:
    """A workbook as it is written, with its findings: of the version asked for, of a draft, else of the one
    in force."""
    if draft is not None:
        tried = service.publishing.tried(principal, process_id, draft)
        return process_out(tried.draft, tried.process)
    shown = _named(service, process_id, version, as_of or date.today())
    return process_out(shown, service.processes.process(shown))


@router.post("/{process_id}/evaluate")
def evaluate(
    service: Service, principal: Caller, process_id: str, body: EvaluateIn, draft: OneDraft = None
) -> dict[str, JsonValue]:
    """Which row decides, and why; on a draft nothing is recorded."""
    day = body.as_of or date.today()
    if draft is not None:
        process = _whole(service.publishing.tried(principal, process_id, draft).process)
    else:
        process = _process(service, process_id, body.version, day)
    found = evaluated(process, read_facts(process, body.texts()), day, matrix=body.matrix)
    if draft is None and body.version is None:
        service.decisions.record_decision(
            principal, process, found.facts, found.route, OFFLINE, found.action, origin=Origin.EVALUATE
        )
    return {**evaluation_json(found), "engine": OFFLINE}


@router.post("/{process_id}/drafts", status_code=201)
async def upload_draft(
    service: Service, principal: ProcessAdmin, process_id: str, file: Annotated[UploadFile, File()]
) -> DraftOut:
    """A workbook, or a zip of it with its templates, to be tried and then published."""
    name = upload_name(file.filename or "")
    return await run_in_threadpool(_offer, service, principal, process_id, name, file)


@router.get("/{process_id}/drafts")
def list_drafts(service: Service, principal: ProcessAdmin, process_id: str) -> DraftList:
    """Also what a followed folder holds that could not be published, with the reasons."""
    found = service.publishing.drafts(principal, process_id)
    if not found:
        service.processes.versions(process_id)  # which tells whether there is such a process
    return DraftList(items=[draft_out(each) for each in found])


@router.delete("/{process_id}/drafts/{draft_id}", status_code=204)
def discard_draft(service: Service, principal: ProcessAdmin, process_id: str, draft_id: str) -> None:
    service.publishing.discard(principal, process_id, draft_id)


@router.post("/{process_id}/publish")
def publish(service: Service, principal: ProcessAdmin, process_id: str, body: PublishIn) -> PublishedOut:
    """The draft serves from now on; with errors it is refused, and what served goes on serving."""
    done = service.publishing.publish_draft(principal, process_id, body.draft_id)
    return PublishedOut(
        process_id=done.process_id,
        digest=done.digest,
        version=done.version,
        changed=done.changed,
        serving=done.serving,
        findings=findings_out(done.findings),
    )


@router.get("/{process_id}/versions")
def list_versions(service: Service, principal: Caller, process_id: str) -> VersionList:
    """Those published last first."""
    return VersionList(items=[version_out(each) for each in service.processes.versions(process_id)])


@router.delete("/{process_id}/versions/{digest}", status_code=204)
def withdraw(service: Service, principal: ProcessAdmin, process_id: str, digest: str) -> None:
    """It serves no longer; the one published before it does, if it is in force."""
    service.publishing.withdraw(principal, process_id, digest)


@router.get("/{process_id}/workbook", response_class=Response, responses=ATTACHMENT)
def download_workbook(
    service: Service,
    principal: Caller,
    process_id: str,
    version: OneVersion = None,
    draft: OneDraft = None,
) -> Response:
    """The file as it was handed in."""
    if draft is not None:
        data = service.publishing.draft_workbook(principal, process_id, draft)
        return attachment(data, service.publishing.tried(principal, process_id, draft).draft.file_name)
    shown = _named(service, process_id, version, date.today())
    return attachment(service.processes.workbook(shown), shown.file_name)


@router.get("/{process_id}/templates/{name}", response_class=Response, responses=ATTACHMENT)
def download_template(service: Service, principal: Caller, process_id: str, name: str) -> Response:
    """A form of the version in force, else of the last published one that has it."""
    return attachment(service.processes.form(process_id, name, date.today()), name)


@router.get("/{process_id}/decisions")
def list_decisions(
    service: Service,
    principal: Administrator,
    process_id: str,
    days: Annotated[int, Query(ge=1, le=MOST_DAYS)] = WINDOW_DAYS,
    page: PageNumber = 1,
    page_size: PageSize = 50,
) -> DecisionPage:
    """Who was told what by which rows, and how often each row was used."""
    service.processes.versions(process_id)  # which tells whether there is such a process
    items, total = service.decisions.page(principal, process_id, page, page_size)
    return DecisionPage(
        items=[DecisionOut.model_validate(each) for each in items],
        total=total,
        page=page,
        page_size=page_size,
        usage=UsageOut.model_validate(service.decisions.usage(principal, process_id, days)),
    )


def _offer(service: Parts, principal: Principal, process_id: str, name: str, file: UploadFile) -> DraftOut:
    offered = offered_upload(file.file.read(), name)
    return draft_out(service.publishing.offer(principal, offered, process_id))


def _items(service: Parts, principal: Principal, day: date) -> list[ProcessItem]:
    drafts: dict[str, list[Draft]] = {}
    if principal.allows(Role.PROCESS_ADMIN):
        for draft in service.publishing.drafts(principal):
            drafts.setdefault(draft.process_id, []).append(draft)
    library = service.processes
    found = []
    for process_id in library.ids():
        shown, versions = library.shown(process_id, day), library.versions(process_id)
        own = drafts.pop(process_id, [])
        found.append(item_out(shown, library.process(shown), day, len(versions), len(own)))
    return found + [
        ProcessItem(id=process_id, name=own[0].name, version=own[0].version, drafts=len(own))
        for process_id, own in drafts.items()
    ]


def _named(service: Parts, process_id: str, version: str | None, day: date) -> Version:
    """The version asked for, else the one to show on the day. Raises NotFound."""
    if version is not None:
        return service.processes.find(process_id, version)
    return service.processes.shown(process_id, day)


def _process(service: Parts, process_id: str, version: str | None, day: date) -> Process:
    """What is to be evaluated. Raises NotFound, and Conflict when nothing is in force."""
    if version is not None:
        return _whole(service.processes.process(service.processes.find(process_id, version)))
    serving = service.processes.serving(process_id, day)
    if serving is None:
        raise Conflict(f"这个流程在 {day} 没有有效的版本", code="not_in_force")
    return _whole(service.processes.process(serving))


def _whole(process: Process | None) -> Process:
    if process is None:
        raise Conflict("这个工作簿读不成流程，请先按发现的问题改正", code="faulty_workbook")
    return process
