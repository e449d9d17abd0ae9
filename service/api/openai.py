"""The OpenAI protocol over the same turn: any stock client can ask, streaming or not.

Citations and the rest travel in one extra field, `zhixing`, which stock clients carry along untouched.
"""

import json
from collections.abc import AsyncIterator
from time import time
from typing import Any

from fastapi import APIRouter, Depends
from pydantic import BaseModel, ConfigDict, Field, JsonValue
from starlette.responses import Response, StreamingResponse

from service.api.access import Caller, Service, principal_of
from service.api.chat import SSE_HEADERS
from service.api.errors import DOCUMENTED
from service.api.routing import Route
from service.errors import BadRequest, NotFound, Unavailable
from service.questions import check_question
from service.streams import Event
from service.turn.turns import Opened, TurnRequest


class ProblemOut(BaseModel):
    message: str
    type: str
    param: str | None
    code: str


class ProblemBody(BaseModel):
    """The body of an error in the OpenAI protocol."""

    error: ProblemOut


_DOCUMENTED: dict[int | str, dict[str, Any]] = {
    status: {**said, "model": ProblemBody} for status, said in DOCUMENTED.items()
}
router = APIRouter(prefix="/v1", tags=["openai"], route_class=Route, responses=_DOCUMENTED)

MODELS = ("zhixing", "zhixing-knowledge")  # both answer from the documents, which is all there is to ask


class TextPart(BaseModel):
    model_config = ConfigDict(extra="ignore")

    type: str
    text: str = ""


class MessageIn(BaseModel):
    model_config = ConfigDict(extra="ignore")

    role: str
    content: str | list[TextPart] | None = None

    @property
    def text(self) -> str:
        if isinstance(self.content, list):
            return "".join(part.text for part in self.content if part.type == "text")
        return self.content or ""


class StreamOptions(BaseModel):
    include_usage: bool = False


class CompletionIn(BaseModel):
    """Sampling parameters are accepted and ignored: how an answer is made is not a caller's choice."""

    model_config = ConfigDict(extra="ignore")

    model: str
    messages: list[MessageIn] = Field(min_length=1, max_length=500)
    stream: bool = False
    stream_options: StreamOptions | None = None


@router.get("/models")
def models(principal: Caller) -> dict[str, object]:
    items = [{"id": name, "object": "model", "created": 0, "owned_by": "zhixing"} for name in MODELS]
    return {"object": "list", "data": items}


@router.get("/models/{name}", dependencies=[Depends(principal_of)])
def model(name: str) -> dict[str, object]:
    _check_model(name)
    return {"id": name, "object": "model", "created": 0, "owned_by": "zhixing"}


@router.post("/chat/completions", response_model=None)
async def completions(
    service: Service, principal: Caller, body: CompletionIn
) -> Response | dict[str, JsonValue]:
    """Answers the last user message. Nothing is stored: such callers keep their own history, and a case is
    played again from the user's messages before it."""
    *earlier, question = ["", *(m.text for m in body.messages if m.role == "user")]
    if not question.strip():
        raise BadRequest("messages 里没有用户的文字")
    check_question(question)
    _check_model(body.model)
    request = TurnRequest(message=question, keep=False, earlier=tuple(filter(str.strip, earlier)))
    opened = await service.turns.open(principal, request)
    service.turns.start(opened)
    events = service.streams.follow(opened.message_id)
    if body.stream:
        with_usage = bool(body.stream_options and body.stream_options.include_usage)
        chunks = _chunks(events, body.model, opened, with_usage)
        return StreamingResponse(chunks, media_type="text/event-stream", headers=SSE_HEADERS)
    return await _completion(events, body.model, opened)


def _check_model(name: str) -> None:
    """Raises NotFound for a model that is not there."""
    if name not in MODELS:
        raise NotFound(f"没有名为 {name[:64]} 的模型，可用：{'、'.join(MODELS)}", code="model_not_found")


async def _completion(events: AsyncIterator[Event], name: str, opened: Opened) -> dict[str, JsonValue]:
    seen: dict[str, dict[str, JsonValue]] = {}
    async for event in events:
        seen[event.name] = event.data
    if "error" in seen:
        raise Unavailable(str(seen["error"]["message"]), code=str(seen["error"]["code"]))
    message: dict[str, JsonValue] = {"role": "assistant", "content": seen["done"]["answer"]}
    choice: dict[str, JsonValue] = {"index": 0, "message": message, "finish_reason": "stop"}
    return {
        "id": f"chatcmpl-{opened.message_id}",
        "object": "chat.completion",
        "created": int(time()),
        "model": name,
        "choices": [choice],
        "usage": _usage(seen),
        "zhixing": _extra(seen),
    }


async def _chunks(
    events: AsyncIterator[Event], name: str, opened: Opened, with_usage: bool
) -> AsyncIterator[str]:
    base: dict[str, JsonValue] = {
        "id": f"chatcmpl-{opened.message_id}",
        "object": "chat.completion.chunk",
        "created": int(time()),
        "model": name,
    }
    seen: dict[str, dict[str, JsonValue]] = {}
    yield _line({**base, "choices": [_choice({"role": "assistant", "content": ""})]})
    async for event in events:
        seen[event.name] = event.data
        if event.name == "delta":
            yield _line({**base, "choices": [_choice({"content": event.data["text"]})]})
        elif event.name == "refusal":
            yield _line({**base, "choices": [_choice({"content": event.data["message"]})]})
        elif event.name == "error":
            problem: dict[str, JsonValue] = {
                "message": event.data["message"],
                "type": "server_error",
                "param": None,
                "code": event.data["code"],
            }
            yield _line({"error": problem})
    if "done" in seen:
        yield _line({**base, "choices": [_choice({}, "stop")], "zhixing": _extra(seen)})
        if with_usage:
            yield _line({**base, "choices": [], "usage": _usage(seen)})
    yield "data: [DONE]\n\n"


def _choice(delta: dict[str, JsonValue], finish: str | None = None) -> dict[str, JsonValue]:
    return {"index": 0, "delta": delta, "finish_reason": finish}


def _extra(seen: dict[str, dict[str, JsonValue]]) -> dict[str, JsonValue]:
    meta, done = seen.get("meta", {}), seen.get("done", {})
    return {
        "citations": done.get("citations", []),
        "references": [] if "refusal" in seen else seen.get("references", {}).get("references", []),
        "refusal": seen.get("refusal"),
        "engine": done.get("engine"),
        "taken_over": done.get("taken_over"),
        "intent": meta.get("intent"),
        "as_of": meta.get("as_of"),
    }


def _usage(seen: dict[str, dict[str, JsonValue]]) -> dict[str, JsonValue]:
    usage = seen.get("usage", {})
    prompt, completion = usage.get("prompt_tokens", 0), usage.get("completion_tokens", 0)
    total = (prompt if isinstance(prompt, int) else 0) + (completion if isinstance(completion, int) else 0)
    return {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": total}


def _line(chunk: dict[str, JsonValue]) -> str:
    return f"data: {json.dumps(chunk, ensure_ascii=False)}\n\n"
