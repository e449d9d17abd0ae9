"""A turn of the process path as the events of DESIGN section 7: meta, delta, citation, card, chips, done."""

from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import JsonValue

from service.citations import Citation, citation_json
from service.process.card import card_json, value_json
from service.process.case import Desk
from service.process.extraction import Piece
from service.process.filling import shown_values
from service.process.reply import Action, Chip, Reply
from service.streams import DONE, Emit, done


@dataclass(frozen=True, slots=True)
class Found:
    """Pieces of a message and the `engine` that found them; `taken_over` is the code of what kept the model
    from helping, empty where nothing did."""

    pieces: tuple[Piece, ...]
    engine: str
    taken_over: str = ""


@dataclass(frozen=True, slots=True)
class Turned:
    """A turn as it was taken. `text` and `chips` are the reply's, or the approval system's where the state of
    an application was asked for."""

    desk: Desk
    reply: Reply
    found: Found
    text: str
    chips: tuple[Chip, ...]
    citations: tuple[Citation, ...] = ()


async def tell(turned: Turned, question: str, ids: Mapping[str, str], emit: Emit) -> None:
    """`done` comes last."""
    reply, cited = turned.reply, [citation_json(citation) for citation in turned.citations]
    await emit("meta", {**ids, **_meta(turned), "question": question})
    await emit("delta", {"text": turned.text})
    for citation in cited:
        await emit("citation", citation)
    if reply.card is not None and reply.case is not None:
        first = turned.citations[0].n if turned.citations else None
        await emit("card", card_json(reply.card, reply.case.id, first))
    if turned.chips:
        chips: list[JsonValue] = [{"label": chip.label, "send": chip.send} for chip in turned.chips]
        await emit("chips", {"chips": chips})
    found = turned.found
    said = done(
        ids,
        answer=turned.text,
        engine=found.engine,
        citations=cited,
        taken_over=found.taken_over or None,
        rerank_failed=False,
    )
    await emit(DONE, said)


def _meta(turned: Turned) -> dict[str, JsonValue]:
    reply, engine = turned.reply, turned.found.engine
    values = shown_values(reply.process, reply.case) if reply.process and reply.case else ()
    codes = {field.name: field.code for field in reply.process.fields} if reply.process else {}
    return {
        "engine": engine,
        "steps": {"extract": engine},
        "intent": "status" if reply.action is Action.STATUS else "process",
        "action": reply.action.value,
        "process": reply.process.id if reply.process else None,
        "asked": reply.asked.code if reply.asked else None,
        "missing": [field.code for field in reply.missing],
        "refused": [
            {"field": codes.get(one.field, one.field), "reason": one.reason.value, "text": one.text}
            for one in reply.refused
        ],
        "values": [value_json(value) for value in values],
        "topic": None,
        "as_of": None,
        "cached": False,
    }
