"""Replies that need no path: a choice between two, and an answer to a greeting."""

from pydantic import JsonValue

from service.intent.cues import Intent
from service.intent.reader import Reading
from service.streams import DONE, Emit, done
from service.turn.routing import Mode

OFFLINE = "offline"
UNCLEAR = "您是想查规定，还是要办这件事？"
COURTESY = "您好，我是知行。您可以问公司的制度和办事规定，也可以直接说想办什么事，例如“我想申请一台电脑”。"
_LABELS = {
    Intent.KNOWLEDGE: ("查规定", Mode.KNOWLEDGE),
    Intent.MINUTES: ("查会议纪要", Mode.KNOWLEDGE),
    Intent.PROCESS: ("办这件事", Mode.PROCESS),
    Intent.STATUS: ("查我的申请", Mode.PROCESS),
}


async def choose(message: str, reading: Reading, ids: dict[str, str], emit: Emit) -> None:
    """Both paths as buttons; the message goes again with the path that is pressed."""
    chips: list[JsonValue] = [
        {"label": label, "send": message, "mode": mode.value}
        for label, mode in (_LABELS[intent] for intent in reading.either)
    ]
    await _say(UNCLEAR, "unclear", message, ids, emit, chips)


async def greet(message: str, ids: dict[str, str], emit: Emit) -> None:
    await _say(COURTESY, "other", message, ids, emit, [])


async def _say(
    text: str, intent: str, message: str, ids: dict[str, str], emit: Emit, chips: list[JsonValue]
) -> None:
    meta: dict[str, JsonValue] = {
        **ids,
        "engine": OFFLINE,
        "steps": {},
        "intent": intent,
        "question": message,
        "topic": None,
        "as_of": None,
        "cached": False,
    }
    await emit("meta", meta)
    await emit("delta", {"text": text})
    if chips:
        await emit("chips", {"chips": chips})
    await emit(DONE, done(ids, answer=text, engine=OFFLINE, citations=[], rerank_failed=False))
