"""Asking the archive of minutes: quotes with speaker, meeting and day, or a refusal."""

from datetime import date
from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import BaseModel, ConfigDict, Field

from service.api.access import Caller, Service
from service.api.routing import Route
from service.citations import Reference
from service.minutes.sought import MinutesQuestion
from service.questions import MAX_QUESTION, check_days, check_question
from service.storable import storable

router = APIRouter(prefix="/api/v1", tags=["minutes"], route_class=Route)

LONGEST_NAME = 60


class MinutesAskIn(BaseModel):
    """`from` and `to` bound the meetings' days, both included; they win over what the question says."""

    question: str = Field(max_length=MAX_QUESTION)
    speaker: str = Field("", max_length=LONGEST_NAME, description="只用此人的原话：姓名或称呼")
    first: date | None = Field(None, alias="from")
    last: date | None = Field(None, alias="to")


class _Out(BaseModel):
    model_config = ConfigDict(from_attributes=True)


class UnderstoodOut(_Out):
    persons: list[str]
    as_speaker: str
    first: date | None = Field(serialization_alias="from")
    last: date | None = Field(serialization_alias="to")
    period: str


class QuoteOut(_Out):
    n: int
    document_id: str
    revision_id: str
    meeting: str
    day: date | None
    file_name: str
    segment: int
    topic: str
    paragraph: int
    time: str
    speaker: str
    label: str
    text: str
    char_start: int
    char_end: int
    outcome: str


class ShiftOut(_Out):
    person: str
    before: int
    after: int


class MeetingFoundOut(_Out):
    document_id: str
    title: str
    day: date | None
    file_name: str
    score: float


class RefusalOut(_Out):
    reason: str
    message: str
    nearest: list[Reference]
    contact: str


class MinutesAnswerOut(_Out):
    question: str
    understood: UnderstoodOut
    told: str
    answer: str = Field(validation_alias="text")
    quotes: list[QuoteOut]
    shifts: list[ShiftOut]
    meetings: list[MeetingFoundOut]
    refusal: RefusalOut | None
    engine: str


class PersonList(BaseModel):
    items: list[str]


@router.post("/minutes/ask")
async def ask(service: Service, principal: Caller, body: MinutesAskIn) -> MinutesAnswerOut:
    """Several meetings are told in the order of time; a changed position is among `shifts`."""
    check_question(body.question)
    check_days(body.first, body.last)
    question = MinutesQuestion(body.question, storable(body.speaker).strip(), body.first, body.last)
    return MinutesAnswerOut.model_validate(await service.minutes.ask(principal, question))


@router.get("/minutes/persons")
def persons(
    service: Service, principal: Caller, search: Annotated[str, Query(max_length=LONGEST_NAME)] = ""
) -> PersonList:
    """Whose own words can be asked for: everybody who speaks in what the caller may read."""
    return PersonList(items=[name for name in service.minutes.persons(principal) if search in name])
