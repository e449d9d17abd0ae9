"""Replies that need no path: a choice between two, and an answer to a greeting."""

from collections.abc import Mapping, Sequence

from pydantic import JsonValue

from service.citations import RefusalReason
from service.intent.cues import Intent
from service.intent.reader import Reading
from service.process.card import OFFLINE
from service.process.escaping import in_line
from service.streams import DONE, Emit, done
from service.turn.routing import Mode, Path

COURTESY = "您好，我是知行。您可以问公司的制度和办事规定，也可以直接说想办什么事"
_NOT_THERE = (RefusalReason.NOTHING_FOUND.value, RefusalReason.BELOW_THRESHOLD.value)
_ELSEWHERE = {Path.KNOWLEDGE: Intent.MINUTES, Path.MINUTES: Intent.KNOWLEDGE}
_LABELS = {
    Intent.KNOWLEDGE: ("查规定", Mode.KNOWLEDGE),
    Intent.MINUTES: ("查会议纪要", Mode.MINUTES),
    Intent.PROCESS: ("办这件事", Mode.PROCESS),
    Intent.STATUS: ("查我的申请", Mode.PROCESS),
}


async def choose(message: str, reading: Reading, ids: dict[str, str], emit: Emit) -> None:
    """Both paths as buttons; the message goes again with the path that is pressed."""
    chips: list[JsonValue] = [
        {"label": label, "send": message, "mode": mode.value}
        for label, mode in (_LABELS[intent] for intent in reading.either)
    ]
    named = [label for intent, (label, _) in _LABELS.items() if intent in reading.either]
    asked = f"您是想{'，还是要'.join(named)}？"
    await _say(asked, "unclear", message, ids, emit, chips)


async def offer_elsewhere(
    message: str, path: Path, last: Mapping[str, Mapping[str, JsonValue]], emit: Emit
) -> None:
    """What one archive does not hold, the other may: a button to look there. `last` are the events so far."""
    reason = last.get("refusal", {}).get("reason")
    if reason not in _NOT_THERE or path not in _ELSEWHERE:
        return
    label, mode = _LABELS[_ELSEWHERE[path]]
    await emit("chips", {"chips": [{"label": label, "send": message, "mode": mode.value}]})


async def greet(message: str, processes: Sequence[str], ids: dict[str, str], emit: Emit) -> None:
    """`processes` are the names of those that can be applied for; the first is the example."""
    example = f"，例如“办理{in_line(processes[0])}”" if processes else ""
    await _say(f"{COURTESY}{example}。", "other", message, ids, emit, [])


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
