"""Streams of events that outlive a connection: each answer runs on its own and clients follow it.

A client that dropped reconnects with the number of the last event it saw; one that never comes back does
not stop the answer. Finished streams are replayed from the store by the caller.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field

from pydantic import JsonValue

from service import logs

log = logs.get(__name__)

DONE, ERROR = "done", "error"
ENDINGS = frozenset({DONE, ERROR})  # one of these is the last event of every answer


@dataclass(frozen=True, slots=True)
class Event:
    """One event of a stream; `number` counts from 1 within its stream."""

    number: int
    name: str
    data: dict[str, JsonValue]


@dataclass(slots=True)
class _Stream:
    events: list[Event] = field(default_factory=list)
    begun: bool = False
    stopping: bool = False
    finished: bool = False
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    task: asyncio.Task[None] | None = None

    def tell(self) -> None:
        """Wake every follower; without awaiting, so that no cancellation can come in between."""
        self.changed.set()
        self.changed = asyncio.Event()

    def cancel(self) -> bool:
        """Cancel the work once, inside of its own code: a task cancelled before it began would run none of
        it, and one cancelled again could not say its last words."""
        if self.task is None or self.finished:
            return False
        if self.begun and not self.stopping:
            self.task.cancel()
        self.stopping = True
        return True


Emit = Callable[[str, dict[str, JsonValue]], Awaitable[None]]


def done(
    ids: Mapping[str, str],
    *,
    answer: str,
    engine: str,
    citations: Sequence[JsonValue],
    taken_over: str | None = None,
    rerank_failed: bool | None = None,
    stopped: bool = False,
    cached: bool = False,
) -> dict[str, JsonValue]:
    """The data of a `done` event, of an answer that was stopped as of a whole one.

    `taken_over` is the error code for which the offline engine took over. `rerank_failed` is None where the
    answer was stopped, before anybody could say. `cached`: the answer was given before, to the same question.
    """
    return {
        **ids,
        "answer": answer,
        "engine": engine,
        "citations": list(citations),
        "taken_over": taken_over,
        "rerank_failed": rerank_failed,
        "stopped": stopped,
        "cached": cached,
    }


def failure(code: str, message: str) -> dict[str, JsonValue]:
    """The data of an `error` event."""
    return {"code": code, "message": message, "request_id": logs.request_id()}


class Streams:
    """Running streams by id. Lives in the event loop it was first used in."""

    def __init__(self) -> None:
        self._running: dict[str, _Stream] = {}

    def start(self, stream_id: str, work: Callable[[Emit], Awaitable[None]]) -> None:
        """Run `work` as a task of its own; every `emit` becomes the stream's next event."""
        stream = _Stream()
        self._running[stream_id] = stream
        stream.task = asyncio.create_task(self._run(stream_id, stream, work), name=f"stream {stream_id}")

    def follow(self, stream_id: str, after: int = 0) -> AsyncIterator[Event]:
        """Events numbered above `after`, as they come, until the stream ends; none when it is over already.

        The stream is looked up now, so what ends between this call and the first event is not missed.
        """
        return _follow(self._running.get(stream_id), after)

    def running(self, stream_id: str) -> bool:
        return stream_id in self._running

    def stop(self, stream_id: str) -> bool:
        """A person pressed stop. The work sees a cancellation and may emit its last events."""
        stream = self._running.get(stream_id)
        return stream is not None and stream.cancel()

    async def drain(self, seconds: float) -> None:
        """At shutdown: let running answers finish, then cancel what is left."""
        tasks = {stream.task: stream for stream in self._running.values() if stream.task}
        if not tasks:
            return
        _done, late = await asyncio.wait(tasks, timeout=seconds)
        for task in late:
            tasks[task].cancel()
        await asyncio.gather(*late, return_exceptions=True)

    async def _run(self, stream_id: str, stream: _Stream, work: Callable[[Emit], Awaitable[None]]) -> None:
        async def emit(name: str, data: dict[str, JsonValue]) -> None:
            stream.events.append(Event(len(stream.events) + 1, name, data))
            stream.tell()

        stream.begun = True
        if stream.stopping and stream.task is not None:
            stream.task.cancel()
        try:
            await work(emit)
        except asyncio.CancelledError:
            log.info("stream.stopped", stream=stream_id)
        finally:
            stream.finished = True
            stream.tell()
            self._running.pop(stream_id, None)


async def _follow(stream: _Stream | None, after: int) -> AsyncIterator[Event]:
    after = max(after, 0)
    while stream is not None:
        while not stream.finished and len(stream.events) <= after:
            await stream.changed.wait()
        fresh, finished = stream.events[after:], stream.finished
        for event in fresh:
            yield event
        after += len(fresh)
        if finished:
            return
