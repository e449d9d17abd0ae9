"""Cases over HTTP: begin one, answer its questions, print its card. The chat takes the same turns."""

from enum import StrEnum
from typing import Any

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field, JsonValue
from starlette.concurrency import run_in_threadpool
from starlette.responses import HTMLResponse, PlainTextResponse, Response

from service.access import Principal
from service.api.access import Caller, Service
from service.api.chat import follow
from service.api.routing import Route
from service.bootstrap import Parts
from service.errors import BadRequest, NotFound, Unavailable
from service.process.printing import html, markdown
from service.questions import MAX_QUESTION, check_question
from service.turn.routing import Mode
from service.turn.turns import TurnRequest

router = APIRouter(prefix="/api/v1", tags=["processes"], route_class=Route)

PRINTED: dict[int | str, dict[str, Any]] = {200: {"content": {"text/html": {}, "text/markdown": {}}}}


class CaseIn(BaseModel):
    """Either is enough: a process begins with its first question, words with what they say. With both, the
    words are an answer within that process."""

    message: str = Field("", max_length=MAX_QUESTION, description="申请人的话，原样")
    process_id: str | None = Field(None, description="流程编号；缺省由话里的意思决定")


class TurnIn(BaseModel):
    message: str = Field(max_length=MAX_QUESTION)


class CaseTurnOut(BaseModel):
    """`case_id` is also the id of the conversation that the turns are kept in."""

    case_id: str
    message_id: str
    action: str
    process: str | None
    answer: str
    engine: str
    taken_over: str | None
    asked: str | None
    missing: list[str]
    refused: list[JsonValue]
    values: list[JsonValue]
    card: JsonValue = None
    chips: list[JsonValue] = []
    citations: list[JsonValue] = []


class CaseTurn(BaseModel):
    message: str
    action: str
    engine: str
    pieces: list[JsonValue]


class CaseOut(BaseModel):
    """Every turn, enough to play the case again."""

    case_id: str
    turns: list[CaseTurn]


class CardFormat(StrEnum):
    HTML = "html"
    MARKDOWN = "markdown"


@router.post("/process-cases", status_code=201)
async def begin(service: Service, principal: Caller, body: CaseIn) -> CaseTurnOut:
    """Open a case. Raises NotFound for a process that is not published."""
    says = bool(body.message.strip())
    if body.process_id is None:
        if not says:
            raise BadRequest("请说想办什么事，或给出流程编号 process_id")
        return await _turn(service, principal, TurnRequest(body.message, mode=Mode.PROCESS))
    named = {process.id: process.name for process in service.path.published()}
    if body.process_id not in named:
        raise NotFound(f"没有编号为 {body.process_id} 的流程，或者它今天不在有效期")
    begun = await _turn(service, principal, TurnRequest(f"办理{named[body.process_id]}", mode=Mode.PROCESS))
    if not says:
        return begun
    return await _turn(service, principal, TurnRequest(body.message, begun.case_id, mode=Mode.PROCESS))


@router.post("/process-cases/{case_id}/turns")
async def answer(service: Service, principal: Caller, case_id: str, body: TurnIn) -> CaseTurnOut:
    """Say something more. Raises NotFound for a case of somebody else's."""
    check_question(body.message)
    return await _turn(service, principal, TurnRequest(body.message, case_id, mode=Mode.PROCESS))


@router.get("/process-cases/{case_id}")
def case(service: Service, principal: Caller, case_id: str) -> CaseOut:
    service.conversations.messages(principal, case_id, limit=1)
    turns = service.cases.turns(case_id)
    return CaseOut(
        case_id=case_id,
        turns=[
            CaseTurn(message=t.message, action=t.action, engine=t.engine, pieces=[dict(p) for p in t.pieces])
            for t in turns
        ],
    )


@router.get("/process-cases/{case_id}/card", response_class=Response, responses=PRINTED)
def card(
    service: Service,
    principal: Caller,
    case_id: str,
    form: CardFormat = Query(CardFormat.HTML, alias="format"),
) -> Response:
    """The card as the case stands, to print. Raises NotFound while there is none."""
    service.conversations.messages(principal, case_id, limit=1)
    found = service.path.card(case_id)
    if found is None:
        raise NotFound("这件事还没有步骤卡")
    if form is CardFormat.MARKDOWN:
        return PlainTextResponse(markdown(found), media_type="text/markdown; charset=utf-8")
    return HTMLResponse(html(found))


async def _turn(service: Parts, principal: Principal, request: TurnRequest) -> CaseTurnOut:
    opened = await service.turns.open(principal, request)
    service.turns.start(opened)
    found: dict[str, dict[str, JsonValue]] = {}
    async for event in follow(service, principal, opened.message_id):
        found[event.name] = event.data
    if "error" in found:
        raise Unavailable(str(found["error"]["message"]), code=str(found["error"]["code"]))
    meta, done = found.get("meta", {}), found["done"]
    return await run_in_threadpool(
        CaseTurnOut.model_validate,
        {
            "case_id": opened.conversation_id,
            "message_id": opened.message_id,
            "action": meta.get("action", ""),
            "process": meta.get("process"),
            "answer": done["answer"],
            "engine": done["engine"],
            "taken_over": done["taken_over"],
            "asked": meta.get("asked"),
            "missing": meta.get("missing", []),
            "refused": meta.get("refused", []),
            "values": meta.get("values", []),
            "card": found.get("card"),
            "chips": found.get("chips", {}).get("chips", []),
            "citations": done["citations"],
        },
    )
