"""A turn always ends with one last event, and what was said is kept before that event goes out."""

import asyncio
import threading
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime

import pytest
from pydantic import JsonValue

from ingestion.errors import EmbeddingError, IndexUnavailable
from service.access import Principal
from service.errors import Unavailable
from service.knowledge.ask import Question
from service.store.conversations import Conversation, Json, Message, StoredEvent
from service.streams import Emit, Event, Streams, done
from service.telemetry import Telemetry
from service.turn.routing import Mode, Routed
from service.turn.routing import Path as Route
from service.turn.turns import Opened, TurnRequest, Turns

pytestmark = pytest.mark.anyio

Answering = Callable[[Emit], Awaitable[None]]
WHOLE = done({}, answer="好", engine="offline", citations=[])


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


class Conversations:
    """Keeps what it is given; `broken` makes keeping fail, as a full disk would, `may_keep` makes it wait."""

    def __init__(self, broken: bool = False) -> None:
        self.broken = broken
        self.keeping, self.may_keep = threading.Event(), threading.Event()
        self.may_keep.set()
        self.events: list[StoredEvent] = []
        self.kept: list[tuple[str, str]] = []

    def open(self, principal: Principal, conversation_id: str | None, first_words: str) -> Conversation:
        return Conversation("c", first_words, datetime.now(UTC))

    def add(
        self, principal: Principal, conversation_id: str, role: str, text: str, state: str = ""
    ) -> Message:
        return Message(f"m-{role}", conversation_id, role, text, state, "", datetime.now(UTC))

    def save_events(self, message_id: str, events: list[StoredEvent]) -> None:
        self.keeping.set()
        self.may_keep.wait(5)
        if self.broken:
            raise Unavailable("磁盘满了")
        self.events = list(events)

    def finish(self, message_id: str, text: str, state: str, engine: str, body: Json) -> None:
        self.kept.append((state, text))


class Path:
    """A path that answers as it is told."""

    def __init__(self, answering: Answering) -> None:
        self._answering = answering

    async def ask(self, principal: Principal, question: Question, emit: Emit) -> None:
        await self._answering(emit)


class Questions:
    """Routes every message to knowledge."""

    async def route(self, principal: Principal, message: object, mode: Mode) -> Routed:
        return Routed(Route.KNOWLEDGE)


async def says(emit: Emit) -> None:
    await emit("meta", {"engine": "offline"})
    await emit("delta", {"text": "好"})
    await emit("done", WHOLE)


async def begin(turns: Turns) -> Opened:
    opened = await turns.open(Principal("u"), TurnRequest("问"))
    turns.start(opened)
    return opened


def parts(answering: Answering, broken: bool = False) -> tuple[Turns, Streams, Conversations]:
    streams, conversations = Streams(), Conversations(broken)
    path = Path(answering)
    turns = Turns(conversations, streams, path, path, path, Questions(), Telemetry())  # type: ignore[arg-type]
    return turns, streams, conversations


async def heard(streams: Streams, opened: Opened) -> list[Event]:
    async def listen() -> list[Event]:
        return [event async for event in streams.follow(opened.message_id)]

    return await asyncio.wait_for(listen(), 5)


async def test_the_message_is_kept_before_its_last_event_is_heard() -> None:
    turns, streams, conversations = parts(says)
    opened = await begin(turns)
    async for event in streams.follow(opened.message_id):
        if event.name == "done":
            assert conversations.kept == [("done", "好")]
    assert [event.event for event in conversations.events] == ["meta", "delta", "done"]


async def refuses(emit: Emit) -> None:
    await emit("meta", {"engine": "offline"})
    await emit("refusal", {"reason": "below_threshold"})
    await emit("done", WHOLE)


async def test_what_the_documents_do_not_hold_is_offered_to_be_looked_for_in_the_minutes() -> None:
    turns, streams, conversations = parts(refuses)
    events = await heard(streams, await begin(turns))
    assert [event.name for event in events] == ["meta", "refusal", "chips", "done"]
    assert events[2].data["chips"] == [{"label": "查会议纪要", "send": "问", "mode": "minutes"}]
    assert [(event.number, event.event) for event in conversations.events] == [
        (event.number, event.name) for event in events
    ], "a resumed stream ends where the first one did"


async def test_what_could_not_be_kept_ends_in_an_error() -> None:
    turns, streams, _conversations = parts(says, broken=True)
    events = await heard(streams, await begin(turns))
    assert [event.name for event in events] == ["meta", "delta", "error"]
    assert events[-1].data["code"] == "not_kept"


@pytest.mark.parametrize(
    ("raised", "code"),
    [
        (Unavailable("停了", code="llm_x"), "llm_x"),
        (EmbeddingError("向量服务没有回应"), "embedding_failed"),
        (IndexUnavailable("索引打不开"), "index_unavailable"),
        (KeyError("x"), "internal_error"),
    ],
)
async def test_a_path_that_fails_ends_in_an_error_and_keeps_what_was_said(
    raised: Exception, code: str
) -> None:
    async def fails(emit: Emit) -> None:
        await emit("delta", {"text": "半句"})
        raise raised

    turns, streams, conversations = parts(fails)
    events = await heard(streams, await begin(turns))
    assert [(event.name, event.data.get("code")) for event in events] == [("delta", None), ("error", code)]
    assert conversations.kept == [("failed", "半句")]


@pytest.mark.parametrize("stops", [1, 3])
@pytest.mark.parametrize("late", [False, True])
async def test_a_stopped_answer_keeps_what_was_said_however_often_it_is_stopped(
    stops: int, late: bool
) -> None:
    citation: dict[str, JsonValue] = {"n": 1}
    said = asyncio.Event()

    async def slowly(emit: Emit) -> None:
        try:
            await emit("meta", {"engine": "m"})
            await emit("delta", {"text": "一句[1]"})
            said.set()
            await asyncio.sleep(30)
        except asyncio.CancelledError:
            await emit("citation", citation)
            raise

    turns, streams, conversations = parts(slowly)
    opened = await begin(turns)
    if late:
        await said.wait()
    listening = asyncio.create_task(heard(streams, opened))
    await asyncio.sleep(0)
    for _ in range(stops):
        assert streams.stop(opened.message_id)
        await asyncio.sleep(0)
    events = await listening
    last = events[-1]
    assert last.name == "done"
    assert last.data["stopped"] is True
    assert last.data["message_id"] == "m-assistant"
    assert last.data["conversation_id"] == "c"
    assert conversations.kept == [("stopped", last.data["answer"])]
    assert last.data.keys() - {"message_id", "conversation_id"} == WHOLE.keys()
    if late:
        assert (last.data["answer"], last.data["citations"]) == ("一句[1]", [citation])


async def test_a_stop_that_comes_while_the_message_is_kept_changes_nothing() -> None:
    turns, streams, conversations = parts(says)
    conversations.may_keep.clear()
    opened = await begin(turns)
    listening = asyncio.create_task(heard(streams, opened))
    assert await asyncio.to_thread(conversations.keeping.wait, 5)
    streams.stop(opened.message_id)
    await asyncio.sleep(0.01)
    conversations.may_keep.set()
    events = await listening
    assert events[-1].name == "done"
    assert events[-1].data["stopped"] is False
    assert conversations.kept == [("done", "好")]
