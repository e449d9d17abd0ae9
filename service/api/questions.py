"""What people asked, for the administrator: what got no answer, what did not help, what is asked often."""

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import BaseModel, ConfigDict

from service.api.access import Administrator, Service
from service.api.paging import PageNumber, PageSize
from service.api.routing import Route
from service.store.question_log import WINDOW_DAYS, Kind

router = APIRouter(prefix="/api/v1", tags=["questions"], route_class=Route)

MOST_DAYS = 3660


class AskedOut(BaseModel):
    """One question however often it was asked; `refused` of the `times` it got no answer."""

    model_config = ConfigDict(from_attributes=True)

    question: str
    times: int
    refused: int
    reason: str | None
    last_asked: datetime


class DislikedOut(BaseModel):
    """`by` is the id of who rated it, `name` empty where it is not known."""

    model_config = ConfigDict(from_attributes=True)

    message_id: str
    question: str
    answer: str
    reason: str | None
    comment: str
    by: str
    name: str
    at: datetime


class QuestionPage(BaseModel):
    """`disliked` has items of its own form."""

    items: list[AskedOut] | list[DislikedOut]
    total: int
    page: int
    page_size: int


@router.get("/questions")
def questions(
    service: Service,
    principal: Administrator,
    kind: Kind,
    days: Annotated[int, Query(ge=1, le=MOST_DAYS)] = WINDOW_DAYS,
    page: PageNumber = 1,
    page_size: PageSize = 50,
) -> QuestionPage:
    """Of the last `days`; what is asked over the OpenAI protocol is kept nowhere and not in here either."""
    log = service.questions
    if kind is Kind.DISLIKED:
        disliked, total = log.disliked(principal, page, page_size, days)
        items = [DislikedOut.model_validate(item) for item in disliked]
        return QuestionPage(items=items, total=total, page=page, page_size=page_size)
    listed = log.unanswered if kind is Kind.UNANSWERED else log.frequent
    asked, total = listed(principal, page, page_size, days)
    found = [AskedOut.model_validate(item) for item in asked]
    return QuestionPage(items=found, total=total, page=page, page_size=page_size)
