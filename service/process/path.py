"""The process path in a conversation: reads the desk, takes a turn, keeps it, and tells it as events.

    before (desk, what the message says) -> a model adds pieces -> advance -> keep -> tell

What is kept says after which turn it comes: when another turn came in between, at another replica or in
another tab, the message is taken again from the desk as it stands then.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date
from threading import Lock
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

from starlette.concurrency import run_in_threadpool

from ingestion.analyzer import Analyzer
from rules.table import Process
from service import logs
from service.access import Principal
from service.citations import Citation
from service.errors import ZhixingError
from service.llm.errors import LlmError
from service.process import model_extraction, wording
from service.process.acts import Acts
from service.process.card import OFFLINE, StepCard
from service.process.case import Desk, desk_from_json, desk_to_json
from service.process.clauses import Clauses
from service.process.events import Found, Turned, tell
from service.process.filling import Profile
from service.process.guide import Guide, Read
from service.process.published import Processes
from service.process.reply import Action, Reply
from service.process.standing import Before, CameHere, Message, always
from service.process.status.desk import StatusAnswer, StatusDesk
from service.store.cases import CaseStore, Overtaken, StoredDesk, StoredTurn
from service.store.decisions import DecisionStore
from service.streams import Emit
from service.telemetry import Telemetry

if TYPE_CHECKING:
    from service.llm.client import LanguageModel

log = logs.get(__name__)

_DECIDED = frozenset({Action.CARD, Action.NO_MATCH, Action.CONFLICT})
_REPLAYED = 50  # earlier messages of a caller that keeps its own history
_TRIES = 3  # times a message is taken while other turns of its conversation come in between
NewId = Callable[[], str]


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

    def card(self, conversation_id: str) -> StepCard | None:
        """The card of the case at hand, as it stands; None while something is open."""
        desk = _desk(self._cases.desk(conversation_id), conversation_id)
        found = self._guide_of_today().card(desk.case) if desk.case is not None else None
        return replace(found, forms=self._processes.forms(found.process_id)) if found else None

    def before(self, principal: Principal, message: Message, came_here: CameHere = always) -> Before:
        """What lies open now: as it was kept, or played again from those of the user's earlier words that
        `came_here` then, and did not go to another path."""
        guide, profile = self._guide_of_today(), Profile(principal.department)
        if message.conversation_id:
            stored = self._cases.desk(message.conversation_id)
            desk = _desk(stored, message.conversation_id)
            return Before(message.text, desk, stored.turns, guide, profile)
        desk = Desk()
        for words in message.earlier[-_REPLAYED:]:
            then = Before(words, desk, 0, guide, profile)
            if came_here(words, then.standing):
                desk, _ = guide.advance(then.read.heard, then.read.pieces, profile)
        return Before(message.text, desk, 0, guide, profile)

    async def answer(
        self, principal: Principal, message: Message, emit: Emit, before: Before | None = None
    ) -> None:
        """Take the turn and tell it. `before` is what routing went by, where it looked. Raises Overtaken when
        other turns of the conversation come in between again and again."""
        with self._telemetry.stage("process"):
            async with self._one_at_a_time(message.conversation_id):
                turned = await self._kept_turn(principal, message, before)
        self._telemetry.answers.labels(turned.found.engine, turned.reply.action.value).inc()
        await tell(turned, message.text, message.ids, emit)

    def _one_at_a_time(self, conversation_id: str) -> asyncio.Lock:
        """Spares two messages that come here at once the second try; those at another replica are seen when
        they are kept."""
        if not conversation_id:
            return asyncio.Lock()
        return self._locks.setdefault(conversation_id, asyncio.Lock())

    async def _kept_turn(self, principal: Principal, message: Message, before: Before | None) -> Turned:
        for tried in range(1, _TRIES + 1):
            if before is None:
                before = await run_in_threadpool(self.before, principal, message)
            turned = await self._turn(principal, message, before)
            try:
                await run_in_threadpool(self._keep, principal, message, before, turned)
                return turned
            except Overtaken:
                log.info("process.overtaken", conversation=message.conversation_id, tried=tried)
                before = None
        raise Overtaken

    async def _turn(self, principal: Principal, message: Message, before: Before) -> Turned:
        guide = before.guide
        read = await run_in_threadpool(lambda: before.read)
        found = await self._with_model(guide, read)
        desk, reply = guide.advance(read.heard, found.pieces, before.profile)
        if reply.card is not None:
            forms = self._processes.forms(reply.card.process_id)
            reply = replace(reply, card=replace(reply.card, engine=found.engine, forms=forms))
        return await run_in_threadpool(self._worded, principal, message, desk, reply, found)

    async def _with_model(self, guide: Guide, read: Read) -> Found:
        """The pieces of the grammar with what a model adds."""
        heard, grammar = read.heard, read.pieces
        if self._model is None or heard.process is None:
            return Found(grammar, OFFLINE)
        case = heard.desk.case
        asked = heard.process.field(case.asked) if case and case.asked else None
        try:
            said = await model_extraction.extract(self._model, heard.message, heard.process, asked)
        except LlmError as error:
            log.warning("process.extracted_offline", reason=error.code)
            return Found(grammar, OFFLINE, error.code)
        more = guide.usable(heard.process, model_extraction.added(grammar, said.pieces))
        return Found((*grammar, *more), said.model)

    def _worded(
        self, principal: Principal, message: Message, desk: Desk, reply: Reply, found: Found
    ) -> Turned:
        """With the clause behind the card, or with the state of the application that was asked for."""
        if reply.action is Action.STATUS:
            state = self._state(principal, message.text)
            return Turned(desk, reply, found, state.text, state.chips)
        citations: tuple[Citation, ...] = ()
        if reply.card is not None:
            citations = self._clauses.cite(reply.card.basis.source, principal.scopes(), date.today())
        marks = "".join(f"[{citation.n}]" for citation in citations)
        return Turned(desk, reply, found, f"{reply.text}{marks}", reply.chips, citations)

    def _state(self, principal: Principal, text: str) -> StatusAnswer:
        words = {process.id: (process.name, *process.aliases) for process in self.published()}
        try:
            return self._status.answer(principal, text, words, date.today())
        except ZhixingError as error:
            return StatusAnswer(wording.status_failed(error.message))

    def _keep(self, principal: Principal, message: Message, before: Before, turned: Turned) -> None:
        """The desk first: a turn that was overtaken decided nothing. Raises Overtaken."""
        reply, found = turned.reply, turned.found
        if message.conversation_id:
            pieces: list[dict[str, str | int]] = [
                {"field": piece.field, "text": piece.text, "start": piece.start, "end": piece.end}
                for piece in found.pieces
            ]
            stored = StoredTurn(
                message.text, pieces, reply.action.value, found.engine, desk_to_json(turned.desk)
            )
            self._cases.save(message.conversation_id, stored, before.turns)
        if reply.action in _DECIDED and reply.process is not None and reply.case is not None:
            self._decisions.record_decision(
                principal, reply.process, reply.case.values, reply.route, found.engine, reply.action.value
            )

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


def _desk(stored: StoredDesk, conversation_id: str) -> Desk:
    if not stored.turns:
        return Desk()
    try:
        return desk_from_json(stored.desk)
    except ValueError:
        log.warning("process.desk_unreadable", conversation=conversation_id)
        return Desk()
