"""One turn of a conversation: the single place that decides which path answers, and keeps what it said.

open     find or start the conversation, keep the person's words, make room for the answer
start    let the path run as a stream of events that outlives the connection
dispatch intent -> path; every path gets the same `emit`
finish   keep the events and the message, whatever happened
"""

import asyncio
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass
from datetime import date
from uuid import uuid4

from pydantic import JsonValue
from starlette.concurrency import run_in_threadpool

from ingestion.errors import IngestionError
from ingestion.index.schema import Filter
from service import logs
from service.access import Principal
from service.errors import ZhixingError
from service.knowledge.ask import Knowledge, Question
from service.minutes.asking import Minutes
from service.minutes.sought import MinutesQuestion
from service.minutes.streaming import answer_in_chat
from service.process.path import ProcessPath
from service.process.standing import Message
from service.store.conversations import ConversationStore, StoredEvent
from service.streams import DONE, ENDINGS, ERROR, Emit, Streams, done, failure
from service.telemetry import Telemetry
from service.turn.replies import choose, greet, offer_elsewhere
from service.turn.routing import Mode, Path, Router

log = logs.get(__name__)


@dataclass(frozen=True, slots=True)
class TurnRequest:
    """What came in."""

    message: str
    conversation_id: str | None = None
    filters: Filter | None = None
    as_of: date | None = None
    keep: bool = True  # False: nothing is stored, for callers that keep their own history
    mode: Mode = Mode.AUTO
    earlier: tuple[str, ...] = ()  # the user's words before this message, from callers that keep them


@dataclass(frozen=True, slots=True)
class Opened:
    principal: Principal
    request: TurnRequest
    conversation_id: str
    message_id: str


class Turns:
    def __init__(
        self,
        conversations: ConversationStore,
        streams: Streams,
        knowledge: Knowledge,
        process: ProcessPath,
        minutes: Minutes,
        router: Router,
        telemetry: Telemetry,
    ) -> None:
        self._conversations = conversations
        self._streams = streams
        self._knowledge = knowledge
        self._process = process
        self._minutes = minutes
        self._router = router
        self._telemetry = telemetry

    async def open(self, principal: Principal, request: TurnRequest) -> Opened:
        """Raises NotFound when the named conversation is not this principal's."""
        if request.keep:
            return await run_in_threadpool(self._open, principal, request)
        return Opened(principal, request, "", str(uuid4()))

    def start(self, opened: Opened) -> None:
        async def work(emit: Emit) -> None:
            await self._run(opened, _Recorder(emit))

        self._streams.start(opened.message_id, work)

    async def ahead(self, principal: Principal, questions: Sequence[str]) -> int:
        """Answer questions before they are asked, so that the cache has them; returns how many it could."""
        return sum([await self._can_answer(principal, text) for text in questions])

    async def _can_answer(self, principal: Principal, text: str) -> bool:
        refused = False

        async def note(name: str, _data: dict[str, JsonValue]) -> None:
            nonlocal refused
            refused = refused or name == "refusal"

        await self._knowledge.ask(principal, Question(text=text), note)
        return not refused

    def _open(self, principal: Principal, request: TurnRequest) -> Opened:
        conversation = self._conversations.open(principal, request.conversation_id, request.message)
        self._conversations.add(principal, conversation.id, "user", request.message)
        answer = self._conversations.add(principal, conversation.id, "assistant", "", state="streaming")
        return Opened(principal, request, conversation.id, answer.id)

    async def _run(self, opened: Opened, recorder: "_Recorder") -> None:
        state = "failed"
        try:
            await self._dispatch(opened, recorder)
            state = "done"
        except asyncio.CancelledError:
            state = "stopped"
            await recorder.emit(DONE, recorder.stopped(_ids(opened)))
            raise
        except (ZhixingError, IngestionError) as error:
            await recorder.emit(ERROR, failure(error.code, error.message))
        except Exception:
            log.exception("turn.crashed", message=opened.message_id)
            await recorder.emit(ERROR, failure("internal_error", "回答时服务内部出错，已记录；请重试"))
        finally:
            await _undisturbed(self._close(opened, recorder, state))

    async def _dispatch(self, opened: Opened, recorder: "_Recorder") -> None:
        request, ids = opened.request, _ids(opened)
        with self._telemetry.stage("turn"):
            message = Message(request.message, opened.conversation_id, request.earlier, ids)
            routed = await self._router.route(opened.principal, message, request.mode)
            if routed.path is Path.UNCLEAR and routed.reading is not None:
                await choose(request.message, routed.reading, ids, recorder.emit)
            elif routed.path is Path.COURTESY:
                names = [process.name for process in self._process.published()]
                await greet(request.message, names, ids, recorder.emit)
            elif routed.path is Path.PROCESS:
                await self._process.answer(opened.principal, message, recorder.emit, routed.before)
            elif routed.path is Path.MINUTES:
                asked = _to_minutes(request)
                await answer_in_chat(self._minutes, opened.principal, asked, ids, recorder.emit)
            else:
                question = Question(request.message, request.filters or Filter(), request.as_of, ids)
                await self._knowledge.ask(opened.principal, question, recorder.emit)
            if request.mode is Mode.AUTO:
                await offer_elsewhere(request.message, routed.path, recorder.last, recorder.emit)

    async def _close(self, opened: Opened, recorder: "_Recorder", state: str) -> None:
        """Keep the message, then let its last event go. What could not be kept ends in an error."""
        recorder.settle()
        if opened.request.keep:
            try:
                await run_in_threadpool(self._finish, opened, recorder, state)
            except Exception:
                log.exception("turn.not_kept", message=opened.message_id)
                recorder.fail("not_kept", "回答没有存下来，已记录；请重试")
        await recorder.release()

    def _finish(self, opened: Opened, recorder: "_Recorder", state: str) -> None:
        self._conversations.save_events(opened.message_id, recorder.events)
        last = recorder.last
        said = last.get(DONE, {})
        body: dict[str, JsonValue] = {
            "question": opened.request.message,
            "citations": said.get("citations", []),
            "references": [] if "refusal" in last else last.get("references", {}).get("references", []),
            "refusal": last.get("refusal"),
            "as_of": last.get("meta", {}).get("as_of"),
            "intent": last.get("meta", {}).get("intent", ""),
            "card": last.get("card"),
            "chips": last.get("chips", {}).get("chips", []),
        }
        text = str(said.get("answer", recorder.text))
        engine = str(said.get("engine", last.get("meta", {}).get("engine", "")))
        self._conversations.finish(opened.message_id, text, state, engine, body)


def _to_minutes(request: TurnRequest) -> MinutesQuestion:
    """The days that the caller's filters bound; who speaks is read from the words."""
    where = request.filters or Filter()
    return MinutesQuestion(
        request.message, first=where.meeting_from, last=where.meeting_to, asked_on=request.as_of
    )


class _Recorder:
    """Passes events on and remembers them for the store. The last event waits until the message is kept:
    who has seen `done` finds it in the history."""

    def __init__(self, emit: Emit) -> None:
        self._emit = emit
        self._held: tuple[str, dict[str, JsonValue]] | None = None
        self.events: list[StoredEvent] = []
        self.last: dict[str, dict[str, JsonValue]] = {}
        self.text = ""

    async def emit(self, name: str, data: dict[str, JsonValue]) -> None:
        self.last[name] = data
        if name in ENDINGS:
            self._held = (name, data)
            return
        self._note(name, data)
        if name == "delta":
            self.text += str(data["text"])
        await self._emit(name, data)

    def settle(self) -> None:
        """Nothing follows any more: the event that was held back is the last."""
        if self._held is not None:
            self._note(*self._held)

    def _note(self, name: str, data: dict[str, JsonValue]) -> None:
        self.events.append(StoredEvent(len(self.events) + 1, name, data))

    async def release(self) -> None:
        if self._held is not None:
            await self._emit(*self._held)

    def fail(self, code: str, message: str) -> None:
        """Replace the last event by an error."""
        self._held = (ERROR, failure(code, message))

    def stopped(self, ids: dict[str, str]) -> dict[str, JsonValue]:
        """The `done` of an answer that a person stopped: what was said until then."""
        engine = self.last.get("meta", {}).get("engine", "")
        citations: list[JsonValue] = [dict(e.data) for e in self.events if e.event == "citation"]
        return done(ids, answer=self.text, engine=str(engine), citations=citations, stopped=True)


async def _undisturbed(work: Coroutine[None, None, None]) -> None:
    """Wait for `work` to its end, also when a cancellation comes meanwhile, which is passed on after it."""
    task = asyncio.ensure_future(work)
    cancelled: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.shield(task)
        except asyncio.CancelledError as error:
            cancelled = error
    if cancelled is not None:
        raise cancelled


def _ids(opened: Opened) -> dict[str, str]:
    return {"message_id": opened.message_id, "conversation_id": opened.conversation_id}
