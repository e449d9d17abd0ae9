"""Chat: one question in, an answer with citations out, as a stream of events or in one piece."""

import json
from collections.abc import AsyncIterator
from datetime import date, datetime
from typing import Any, Literal

from fastapi import APIRouter
from pydantic import BaseModel, Field, JsonValue
from sse_starlette import EventSourceResponse, ServerSentEvent
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from service.access import Principal
from service.api.access import Caller, Service
from service.api.filters import FiltersIn
from service.api.paging import LastEventId, PageNumber, PageSize
from service.api.routing import Route
from service.bootstrap import Parts
from service.errors import Unavailable
from service.questions import MAX_QUESTION, check_question
from service.streams import ENDINGS, ERROR, Event, failure
from service.turn.routing import Mode
from service.turn.turns import Opened, TurnRequest

router = APIRouter(prefix="/api/v1", tags=["chat"], route_class=Route)

PING_SECONDS = 15
STREAM: dict[int | str, dict[str, Any]] = {200: {"content": {"text/event-stream": {}}}}
INTERRUPTED = "服务在写这条回答时中断过，回答没有写完；请重新提问"
SSE_HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}


class ChatIn(BaseModel):
    message: str = Field(max_length=MAX_QUESTION, description="用户的话，原样")
    conversation_id: str | None = Field(None, description="缺省则新开会话")
    mode: Mode = Field(
        Mode.AUTO, description="由谁作答：auto 由意图决定，knowledge 问资料，process 办事，minutes 问会议"
    )
    filters: FiltersIn | None = None
    as_of: date | None = Field(None, description="按这一天有效的版本回答")
    stream: bool = True


class ChatOut(BaseModel):
    """The whole answer; the same content as the events of the stream."""

    message_id: str
    conversation_id: str
    answer: str
    engine: str
    taken_over: str | None
    stopped: bool
    cached: bool = False
    intent: str
    question: str
    as_of: date | None
    citations: list[JsonValue]
    references: list[JsonValue]
    refusal: JsonValue
    card: JsonValue = None
    chips: list[JsonValue] = []
    usage: JsonValue


class ConversationOut(BaseModel):
    id: str
    title: str
    updated_at: datetime


class ConversationPage(BaseModel):
    items: list[ConversationOut]
    total: int
    page: int
    page_size: int


class MessageOut(BaseModel):
    id: str
    role: str
    text: str
    state: str
    engine: str
    created_at: datetime
    citations: list[JsonValue] = []
    references: list[JsonValue] = []
    refusal: JsonValue = None
    as_of: JsonValue = None
    intent: str = ""
    card: JsonValue = None
    chips: list[JsonValue] = []
    feedback: str | None = None


class MessageList(BaseModel):
    items: list[MessageOut]


class FeedbackIn(BaseModel):
    rating: Literal["like", "dislike"]
    comment: str = Field("", max_length=2000)


class Suggestions(BaseModel):
    questions: list[str]


@router.post("/chat", response_model=ChatOut, responses=STREAM)
async def chat(service: Service, principal: Caller, body: ChatIn) -> Response | ChatOut:
    """With `stream` the events of DESIGN section 7, else one object. Either way the message is kept."""
    check_question(body.message)
    request = TurnRequest(
        message=body.message,
        conversation_id=body.conversation_id,
        filters=body.filters.to_filter() if body.filters else None,
        as_of=body.as_of,
        mode=body.mode,
    )
    opened = await service.turns.open(principal, request)
    service.turns.start(opened)
    if body.stream:
        response = _stream(service, principal, opened.message_id, 0)
        response.headers["X-Message-Id"] = opened.message_id  # to resume by, should no event arrive
        return response
    return await _whole(service, principal, opened)


@router.get("/messages/{message_id}/events", response_class=EventSourceResponse, responses=STREAM)
async def resume(
    service: Service,
    principal: Caller,
    message_id: str,
    last_event_id: LastEventId = 0,
) -> Response:
    """Go on with a stream after its event `Last-Event-ID`; finished ones are replayed from the store."""
    await run_in_threadpool(service.conversations.message, principal, message_id)
    return _stream(service, principal, message_id, last_event_id)


@router.post("/messages/{message_id}/stop", status_code=202)
async def stop(service: Service, principal: Caller, message_id: str) -> dict[str, bool]:
    """Stop an answer that is being written; what is there already stays."""
    await run_in_threadpool(service.conversations.message, principal, message_id)
    return {"stopped": service.streams.stop(message_id)}


@router.post("/messages/{message_id}/feedback", status_code=204)
def feedback(service: Service, principal: Caller, message_id: str, body: FeedbackIn) -> None:
    service.conversations.rate(principal, message_id, body.rating, body.comment)


@router.get("/conversations")
def conversations(
    service: Service,
    principal: Caller,
    page: PageNumber = 1,
    page_size: PageSize = 50,
) -> ConversationPage:
    items, total = service.conversations.recent(principal, page, page_size)
    return ConversationPage(
        items=[ConversationOut(id=item.id, title=item.title, updated_at=item.updated_at) for item in items],
        total=total,
        page=page,
        page_size=page_size,
    )


@router.get("/conversations/{conversation_id}/messages")
def messages(service: Service, principal: Caller, conversation_id: str) -> MessageList:
    found = service.conversations.messages(principal, conversation_id)
    return MessageList(
        items=[
            MessageOut.model_validate(
                {
                    "id": item.id,
                    "role": item.role,
                    "text": item.text,
                    "state": item.state,
                    "engine": item.engine,
                    "created_at": item.created_at,
                    "feedback": item.feedback,
                    **item.body,
                }
            )
            for item in found
        ]
    )


@router.delete("/conversations/{conversation_id}", status_code=204)
def delete_conversation(service: Service, principal: Caller, conversation_id: str) -> None:
    service.conversations.delete(principal, conversation_id)


@router.get("/suggestions")
def suggestions(service: Service, principal: Caller) -> Suggestions:
    """Three questions to try on an empty page."""
    return Suggestions(questions=service.suggestions())


def _stream(service: Parts, principal: Principal, message_id: str, after: int) -> EventSourceResponse:
    return EventSourceResponse(
        _events(service, principal, message_id, after), ping=PING_SECONDS, headers=SSE_HEADERS
    )


async def _events(
    service: Parts, principal: Principal, message_id: str, after: int
) -> AsyncIterator[ServerSentEvent]:
    async for event in follow(service, principal, message_id, after):
        data = json.dumps(event.data, ensure_ascii=False)
        yield ServerSentEvent(data, event=event.name, id=str(event.number))


async def follow(
    service: Parts, principal: Principal, message_id: str, after: int = 0
) -> AsyncIterator[Event]:
    """The rest of a stream: from the running one, and from the store once it is over.

    What nobody ended, since the service was killed while it wrote, ends in an error here.
    """
    ended = False
    async for event in service.streams.follow(message_id, after):
        after, ended = event.number, event.name in ENDINGS
        yield event
    if ended:
        return
    stored = await run_in_threadpool(service.conversations.events, principal, message_id, 0)
    for item in stored:
        if item.number > after:
            yield Event(item.number, item.event, dict(item.data))
    if not any(item.event in ENDINGS for item in stored):
        number = max((after, *(item.number for item in stored))) + 1
        yield Event(number, ERROR, failure("interrupted", INTERRUPTED))


async def _whole(service: Parts, principal: Principal, opened: Opened) -> ChatOut:
    found: dict[str, dict[str, JsonValue]] = {}
    async for event in follow(service, principal, opened.message_id):
        found[event.name] = event.data
    if "error" in found:
        raise Unavailable(str(found["error"]["message"]), code=str(found["error"]["code"]))
    meta, done = found.get("meta", {}), found["done"]
    return ChatOut.model_validate(
        {
            "message_id": opened.message_id,
            "conversation_id": opened.conversation_id,
            "answer": done["answer"],
            "engine": done["engine"],
            "taken_over": done["taken_over"],
            "stopped": done["stopped"],
            "cached": done.get("cached", False),
            "intent": meta.get("intent", ""),  # an answer can be stopped before it began
            "question": meta.get("question", opened.request.message),
            "as_of": meta.get("as_of"),
            "citations": done["citations"],
            "references": [] if "refusal" in found else found.get("references", {}).get("references", []),
            "refusal": found.get("refusal"),
            "card": found.get("card"),
            "chips": found.get("chips", {}).get("chips", []),
            "usage": found.get("usage"),
        }
    )
