"""Streams outlive their readers, can be followed from any event, and always end."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from service.streams import Emit, Event, Streams

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def counting(
    numbers: int, pause: Callable[[], Awaitable[None]] | None = None
) -> Callable[[Emit], Awaitable[None]]:
    async def work(emit: Emit) -> None:
        for number in range(numbers):
            await emit("delta", {"n": number})
            if pause is not None:
                await pause()

    return work


async def follow(streams: Streams, after: int = 0) -> list[Event]:
    return [event async for event in streams.follow("s", after)]


async def test_every_follower_gets_every_event_after_the_one_it_saw() -> None:
    streams = Streams()
    streams.start("s", counting(50, lambda: asyncio.sleep(0)))
    results = await asyncio.gather(*(follow(streams, after) for after in (0, 0, 10, 49, 50, 99, -3)))
    numbers = [[event.number for event in events] for events in results]
    whole = list(range(1, 51))
    assert numbers == [whole, whole, whole[10:], [50], [], [], whole]
    assert not streams.running("s")
    assert await follow(streams) == []


async def test_a_reader_that_goes_away_does_not_stop_the_answer() -> None:
    streams, done = Streams(), asyncio.Event()

    async def work(emit: Emit) -> None:
        await counting(5, lambda: asyncio.sleep(0))(emit)
        done.set()

    streams.start("s", work)
    reader = asyncio.create_task(follow(streams))
    await asyncio.sleep(0)
    reader.cancel()
    await asyncio.wait_for(done.wait(), 5)


async def test_a_stopped_answer_may_say_its_last_words() -> None:
    streams, begun = Streams(), asyncio.Event()

    async def work(emit: Emit) -> None:
        try:
            begun.set()
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            await emit("done", {"stopped": True})
            raise

    streams.start("s", work)
    events = asyncio.create_task(follow(streams))
    await begun.wait()
    assert streams.stop("s")
    assert [event.name for event in await asyncio.wait_for(events, 5)] == ["done"]
    assert not streams.stop("s")


async def test_an_answer_stopped_before_it_began_still_ends_its_stream() -> None:
    streams, seen = Streams(), []

    async def work(emit: Emit) -> None:
        try:
            await asyncio.sleep(60)
        finally:
            seen.append("ended")

    streams.start("s", work)
    assert streams.stop("s")
    assert await asyncio.wait_for(follow(streams), 5) == []
    assert seen == ["ended"]


async def test_draining_waits_and_then_cancels() -> None:
    streams = Streams()
    streams.start("quick", counting(3, lambda: asyncio.sleep(0)))
    streams.start("s", counting(10_000, lambda: asyncio.sleep(1)))
    events = asyncio.create_task(follow(streams))
    await asyncio.wait_for(streams.drain(0.05), 5)
    assert len(await asyncio.wait_for(events, 5)) == 1
    assert not streams.running("quick") and not streams.running("s")
    await streams.drain(1)


async def test_work_that_fails_ends_its_stream() -> None:
    streams = Streams()

    async def work(emit: Emit) -> None:
        await emit("delta", {})
        raise ZeroDivisionError

    streams.start("s", work)
    task = streams._running["s"].task
    followed = streams.follow("s")
    assert [event.name async for event in followed] == ["delta"]
    assert task is not None
    with pytest.raises(ZeroDivisionError):
        await task


async def test_an_answer_stopped_again_and_again_may_still_say_its_last_words() -> None:
    streams, begun = Streams(), asyncio.Event()

    async def work(emit: Emit) -> None:
        try:
            begun.set()
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            await asyncio.sleep(0.01)
            await emit("done", {"stopped": True})
            raise

    streams.start("s", work)
    events = asyncio.create_task(follow(streams))
    await begun.wait()
    for _ in range(3):
        assert streams.stop("s")
        await asyncio.sleep(0)
    assert [event.name for event in await asyncio.wait_for(events, 5)] == ["done"]
