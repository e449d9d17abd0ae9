"""Where applications stand, over HTTP: by id, or one's own. What is hidden looks like what is absent."""

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import BaseModel, ConfigDict

from service.api.access import Caller, Service
from service.api.paging import PageNumber, PageSize
from service.api.routing import Route
from service.process.status.applications import Application, Outcome, Status

router = APIRouter(prefix="/api/v1", tags=["applications"], route_class=Route)


class PersonOut(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    id: str
    name: str


class StepOut(BaseModel):
    """`word` is the approval system's own for the outcome."""

    model_config = ConfigDict(from_attributes=True)

    node: str
    outcome: Outcome
    word: str
    person: PersonOut | None
    at: datetime | None
    comment: str


class ApplicationOut(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    id: str
    number: str
    process_id: str
    process: str
    title: str
    applicant: PersonOut
    status: Status
    status_word: str
    submitted_at: datetime | None
    current_node: str
    approvers: list[PersonOut]
    since: datetime | None
    timeline: list[StepOut]


class ApplicationPage(BaseModel):
    items: list[ApplicationOut]
    total: int
    page: int
    page_size: int


@router.get("/applications")
def own_applications(
    service: Service,
    principal: Caller,
    process: Annotated[str, Query(max_length=100)] = "",
    page: PageNumber = 1,
    page_size: PageSize = 50,
) -> ApplicationPage:
    """What the caller has handed in, newest first; `process` is a process's id."""
    found = [each for each in service.status.own(principal) if process in ("", each.process_id)]
    shown = found[(page - 1) * page_size : page * page_size]
    return ApplicationPage(
        items=[_shown(each) for each in shown], total=len(found), page=page, page_size=page_size
    )


@router.get("/applications/{application_id}")
def application(service: Service, principal: Caller, application_id: str) -> ApplicationOut:
    """For its applicant, who decides or has decided a step of it, and administrators."""
    return _shown(service.status.one(principal, application_id))


def _shown(found: Application) -> ApplicationOut:
    return ApplicationOut.model_validate(found)
