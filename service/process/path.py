"""The process path in a conversation: reads the desk, takes a turn, keeps it, and tells it as events.

    desk -> hear -> pieces (grammar, a model adds) -> advance -> keep -> meta, delta, card, chips, done
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from enum import Enum
from threading import Lock
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

from pydantic import JsonValue, ValidationError
from starlette.concurrency import run_in_threadpool

from ingestion.analyzer import Analyzer
from rules.table import Process
from service import logs
from service.access import Principal
from service.citations import Citation, citation_json
from service.errors import ZhixingError
from service.llm.errors import LlmError
from service.process import model_extraction, wording
from service.process.acts import Acts
from service.process.card import StepCard, card_json, value_json
from service.process.case import Desk, Stage, desk_from_json, desk_to_json
from service.process.clauses import Clauses
from service.process.extraction import Piece
from service.process.guide import Guide, Profile, shown_values
from service.process.hearing import Heard
from service.process.published import Processes
from service.process.reply import Action, Reply
from service.process.status.desk import StatusDesk
from service.store.cases import CaseStore, StoredTurn
from service.store.decisions import DecisionStore
from service.streams import DONE, Emit, done
from service.telemetry import Telemetry

if TYPE_CHECKING:
    from service.llm.client import LanguageModel

log = logs.get(__name__)

OFFLINE = "offline"
_DECIDED = frozenset({Action.CARD, Action.NO_MATCH, Action.CONFLICT})
_REPLAYED = 50  # earlier messages of a caller that keeps its own history
NewId = Callable[[], str]


@dataclass(frozen=True, slots=True)
class Message:
    """`conversation_id` is empty for callers that keep their own history; `earlier` are the user's words
    before this message then, and the case is played again from them."""

    text: str
    conversation_id: str = ""
    earlier: tuple[str, ...] = ()
    ids: Mapping[str, str] = field(default_factory=dict)


class Standing(Enum):
    """Of a conversation: nothing is open; a case is, which can be corrected or gone on with; or a question
    was put to the user, and the message says something that belongs to it."""

    IDLE = "idle"
    OPEN = "open"
    ANSWERED = "answered"


@dataclass(frozen=True, slots=True)
class Turned:
    """A turn as it was taken. `taken_over`: the code of what kept the model from helping."""

    desk: Desk
    reply: Reply
    pieces: tuple[Piece, ...]
    engine: str
    taken_over: str = ""
    citations: tuple[Citation, ...] = ()
    text: str = ""
    chips: tuple[tuple[str, str], ...] = ()


class ProcessPath:
    def __init__(
        self,
        processes: Processes,
        cases: CaseStore,
        decisions: DecisionStore,
        status: StatusDesk,
        clauses: Clauses,
        acts: Acts,
        analyzer: Analyzer,
        model: "LanguageModel | None",
        telemetry: Telemetry,
        new_id: NewId,
    ) -> None:
        self._processes = processes
        self._cases = cases
        self._decisions = decisions
        self._status = status
        self._clauses = clauses
        self._acts = acts
        self._analyzer = analyzer
        self._model = model
        self._telemetry = telemetry
        self._new_id = new_id
        self._guide: tuple[Sequence[Process], date, Guide] | None = None
        self._making = Lock()
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def published(self) -> Sequence[Process]:
        return self._processes.on(date.today())

    def standing(self, message: Message) -> Standing:
        """How the process path stands before a message."""
        guide = self._guide_of_today()
        desk = self._desk_for(guide, message, Profile())
        collecting = desk.case is not None and desk.case.stage is Stage.COLLECTING
        if (collecting or desk.offered) and guide.concerns(desk, message.text):
            return Standing.ANSWERED
        return Standing.OPEN if desk.case or desk.aside or desk.offered else Standing.IDLE

    def card(self, conversation_id: str) -> StepCard | None:
        """The card of the case at hand, as it stands; None while something is open."""
        desk = self._desk(conversation_id)
        return self._guide_of_today().card(desk.case) if desk.case is not None else None

    async def answer(self, principal: Principal, message: Message, emit: Emit) -> None:
        """Emit the events of DESIGN section 7, `done` last."""
        with self._telemetry.stage("process"):
            async with self._one_at_a_time(message.conversation_id):
                turned = await self._turn(principal, message)
        await emit("meta", self._meta(message, turned))
        await emit("delta", {"text": turned.text})
        for citation in turned.citations:
            await emit("citation", citation_json(citation))
        reply = turned.reply
        if reply.card is not None and reply.case is not None:
            first = turned.citations[0].n if turned.citations else None
            await emit("card", card_json(reply.card, reply.case.id, first))
        if turned.chips:
            shown: list[JsonValue] = [{"label": label, "send": send} for label, send in turned.chips]
            await emit("chips", {"chips": shown})
        self._telemetry.answers.labels(turned.engine, reply.action.value).inc()
        said = done(
            message.ids,
            answer=turned.text,
            engine=turned.engine,
            citations=[citation_json(citation) for citation in turned.citations],
            taken_over=turned.taken_over or None,
            rerank_failed=False,
        )
        await emit(DONE, said)

    def _one_at_a_time(self, conversation_id: str) -> asyncio.Lock:
        """Two messages of one conversation would both begin from the same desk."""
        if not conversation_id:
            return asyncio.Lock()
        return self._locks.setdefault(conversation_id, asyncio.Lock())

    async def _turn(self, principal: Principal, message: Message) -> Turned:
        guide = await run_in_threadpool(self._guide_of_today)
        profile = Profile(principal.department)
        desk = await run_in_threadpool(self._desk_for, guide, message, profile)
        heard = guide.hear(desk, message.text)
        grammar = guide.pieces(heard, profile)
        pieces, engine, failure = await self._with_model(guide, heard, grammar)
        taken, reply = guide.advance(heard, pieces, profile)
        turned = Turned(taken, reply, pieces, engine, failure)
        return await run_in_threadpool(self._concluded, principal, message, turned)

    async def _with_model(
        self, guide: Guide, heard: Heard, grammar: tuple[Piece, ...]
    ) -> tuple[tuple[Piece, ...], str, str]:
        """The pieces with what a model adds, the engine, and the code of what kept it from helping."""
        if self._model is None or heard.process is None:
            return grammar, OFFLINE, ""
        case = heard.desk.case
        asked = heard.process.field(case.asked) if case and case.asked else None
        try:
            found = await model_extraction.extract(self._model, heard.message, heard.process, asked)
        except LlmError as error:
            log.warning("process.extracted_offline", reason=error.code)
            return grammar, OFFLINE, error.code
        more = guide.usable(heard.process, model_extraction.added(grammar, found.pieces))
        return (*grammar, *more), found.model, ""

    def _concluded(self, principal: Principal, message: Message, turned: Turned) -> Turned:
        """With the clause, the state of an application, and everything kept."""
        reply = turned.reply
        text, chips = reply.text, tuple((chip.label, chip.send) for chip in reply.chips)
        citations: tuple[Citation, ...] = ()
        if reply.action is Action.STATUS:
            text, chips = self._state(principal, message.text)
        elif reply.card is not None:
            citations = self._clauses.cite(reply.card.basis.source, principal.scopes(), date.today())
            text += "".join(f"[{citation.n}]" for citation in citations)
        self._keep(principal, message, turned)
        return Turned(
            turned.desk, reply, turned.pieces, turned.engine, turned.taken_over, citations, text, chips
        )

    def _state(self, principal: Principal, text: str) -> tuple[str, tuple[tuple[str, str], ...]]:
        words = {process.id: (process.name, *process.aliases) for process in self.published()}
        try:
            answer = self._status.answer(principal, text, words, date.today())
        except ZhixingError as error:
            return wording.status_failed(error.message), ()
        return answer.text, tuple((chip.label, chip.send) for chip in answer.chips)

    def _keep(self, principal: Principal, message: Message, turned: Turned) -> None:
        reply = turned.reply
        if reply.action in _DECIDED and reply.process is not None and reply.case is not None:
            self._decisions.record_decision(
                principal, reply.process, reply.case.values, reply.route, turned.engine, reply.action.value
            )
        if message.conversation_id:
            pieces: list[dict[str, str | int]] = [
                {"field": piece.field, "text": piece.text, "start": piece.start, "end": piece.end}
                for piece in turned.pieces
            ]
            stored = StoredTurn(
                message.text, pieces, reply.action.value, turned.engine, desk_to_json(turned.desk)
            )
            self._cases.save(message.conversation_id, stored)

    def _desk_for(self, guide: Guide, message: Message, profile: Profile) -> Desk:
        """The kept one, or the one that the user's earlier words lead to."""
        if message.conversation_id:
            return self._desk(message.conversation_id)
        desk = Desk()
        for words in message.earlier[-_REPLAYED:]:
            desk, _ = guide.turn(desk, words, profile)
        return desk

    def _desk(self, conversation_id: str) -> Desk:
        stored = self._cases.desk(conversation_id) if conversation_id else None
        if stored is None:
            return Desk()
        try:
            return desk_from_json(stored)
        except ValidationError:
            log.warning("process.desk_unreadable", conversation=conversation_id)
            return Desk()

    def _guide_of_today(self) -> Guide:
        """Made again when a process is published or a day begins."""
        day = date.today()
        processes = self._processes.on(day)
        with self._making:
            if self._guide is None or self._guide[0] is not processes or self._guide[1] != day:
                guide = Guide(
                    processes, self._acts, self._analyzer, day, self._new_id, self._processes.version
                )
                self._guide = (processes, day, guide)
            return self._guide[2]

    def _meta(self, message: Message, turned: Turned) -> dict[str, JsonValue]:
        reply = turned.reply
        named = reply.process.fields if reply.process else ()
        codes = {field.name: field.code for field in named}
        values = shown_values(reply.process, reply.case) if reply.process and reply.case else ()
        return {
            **message.ids,
            "engine": turned.engine,
            "steps": {"extract": turned.engine},
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
            "question": message.text,
            "topic": None,
            "as_of": None,
            "cached": False,
        }


