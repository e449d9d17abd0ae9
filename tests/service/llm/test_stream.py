"""`stream`: prose as it is written, against a real server that may stop in the middle."""

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress

import pytest

from service.llm.breaker import Circuit
from service.llm.client import LanguageModel
from service.llm.errors import (
    LlmCutOff,
    LlmInvalidOutput,
    LlmOpenCircuit,
    LlmRateLimited,
    LlmRejected,
    LlmTimeout,
    LlmUnavailable,
)
from tests.doubles import behaviours as be
from tests.doubles.llm import LlmDouble, RecordedRequest

pytestmark = pytest.mark.anyio
MakeModel = Callable[..., LanguageModel]

STEP = "knowledge/answer"
ASKED = {
    "day": "2024-05-01",
    "constraints": "",
    "passages": ["十个工作日内提交报销单"],
    "question": "多久报销？",
}


async def read(model: LanguageModel, parts: list[str] | None = None) -> list[str]:
    parts = [] if parts is None else parts
    async with model.stream(STEP, ASKED) as stream:
        async for part in stream:
            parts.append(part)
    return parts


async def hung_up(request: RecordedRequest) -> bool:
    return await asyncio.to_thread(request.dropped.wait, 5)


async def test_text_arrives_in_parts_and_usage_at_the_end(
    llm_double: LlmDouble, make_model: MakeModel
) -> None:
    llm_double.script(be.say(be.LONG_TEXT))
    async with make_model() as model:
        async with model.stream(STEP, ASKED) as stream:
            assert stream.model == "strong-double"
            parts = [part async for part in stream]
        assert model.counters()["strong-double"].calls == 1
    assert "".join(parts) == be.LONG_TEXT and len(parts) > 5
    assert (stream.usage.completion_tokens, stream.usage.estimated) == (len(be.LONG_TEXT), False)


async def test_first_part_is_handed_on_before_the_last_is_written(
    llm_double: LlmDouble, make_model: MakeModel
) -> None:
    llm_double.script(be.drip(0.02))
    arrivals = []
    async with make_model() as model, model.stream(STEP, ASKED) as stream:
        async for _ in stream:
            arrivals.append(time.perf_counter())
    assert arrivals[-1] - arrivals[0] > 0.3


async def test_text_collects_the_stream(llm_double: LlmDouble, make_model: MakeModel) -> None:
    llm_double.script(be.say("十个工作日内[1]。"))
    async with make_model() as model:
        answered = await model.text(STEP, ASKED)
    assert (answered.value, answered.model, answered.usage.calls) == ("十个工作日内[1]。", "strong-double", 1)


@pytest.mark.parametrize("failure", [be.status(500), be.status(429), be.cut_stream(0)])
async def test_failure_before_the_first_word_is_retried_unseen(
    llm_double: LlmDouble, make_model: MakeModel, failure: be.Behaviour
) -> None:
    llm_double.script(failure, be.say("好。"))
    async with make_model() as model:
        assert await read(model) == ["好。"]
        assert model.counters()["strong-double"].retries == 1


async def test_cut_stream_keeps_what_was_read_and_ends_as_cut_off(
    llm_double: LlmDouble, make_model: MakeModel
) -> None:
    llm_double.script(be.cut_stream(3))
    parts: list[str] = []
    async with make_model() as model:
        with pytest.raises(LlmCutOff) as caught:
            await read(model, parts)
        assert model.counters()["strong-double"].failed == 1
    assert caught.value.reason == "connection"
    assert be.LONG_TEXT.startswith("".join(parts)) and parts
    assert len(llm_double.chats) == 1


async def test_stream_that_ends_politely_without_an_end_is_cut_off(
    llm_double: LlmDouble, make_model: MakeModel
) -> None:
    llm_double.script(be.say("只有一半", finish_reason=None))
    async with make_model() as model:
        with pytest.raises(LlmCutOff):
            await read(model)


async def test_stream_at_the_token_limit_says_so(llm_double: LlmDouble, make_model: MakeModel) -> None:
    llm_double.script(be.too_long_an_answer())
    async with make_model() as model:
        with pytest.raises(LlmCutOff) as caught:
            await read(model)
        assert model.circuits()["strong-double"] is Circuit.CLOSED
    assert caught.value.reason == "length"


async def test_streams_that_keep_breaking_open_the_circuit(
    llm_double: LlmDouble, make_model: MakeModel
) -> None:
    """At the limit that is shipped: text that came first makes no stream a success."""
    llm_double.answer_with(lambda request: be.cut_stream(2))
    async with make_model() as model:
        for seen in [Circuit.CLOSED] * 4 + [Circuit.OPEN]:
            with pytest.raises(LlmCutOff):
                await read(model)
            assert model.circuits()["strong-double"] is seen
        with pytest.raises(LlmOpenCircuit):
            await read(model)


async def test_a_stream_that_ends_well_starts_the_count_of_failures_again(
    llm_double: LlmDouble, make_model: MakeModel
) -> None:
    async with make_model(breaker_failures=2) as model:
        for behaviour in (be.cut_stream(2), be.say("好。"), be.cut_stream(2)):
            llm_double.script(behaviour)
            with suppress(LlmCutOff):
                await read(model)
        assert model.circuits()["strong-double"] is Circuit.CLOSED


async def test_leaving_a_probing_stream_early_lets_the_next_call_probe(
    llm_double: LlmDouble, make_model: MakeModel
) -> None:
    async with make_model(breaker_failures=1, breaker_reset_s=0.0) as model:
        llm_double.script(be.cut_stream(2))
        with pytest.raises(LlmCutOff):
            await read(model)
        assert model.circuits()["strong-double"] is Circuit.HALF_OPEN
        llm_double.script(be.drip(0.02, text="啊" * 1000))
        async with model.stream(STEP, ASKED) as stream:
            assert await anext(stream)
            llm_double.script(be.say("好。"))
            with pytest.raises(LlmOpenCircuit):
                await read(model)
        assert await read(model) == ["好。"]
        assert model.circuits()["strong-double"] is Circuit.CLOSED


async def test_a_break_inside_visible_reasoning_is_retried_unseen(
    llm_double: LlmDouble, make_model: MakeModel
) -> None:
    thinking = be.say("<think>先看资料，再看", chunk_size=3, finish_reason=None)
    llm_double.script(thinking, be.say("十个工作日内[1]。", chunk_size=50))
    async with make_model() as model:
        assert await read(model) == ["十个工作日内[1]。"]
        assert model.counters()["strong-double"].retries == 1


async def test_empty_stream_is_an_invalid_output(llm_double: LlmDouble, make_model: MakeModel) -> None:
    llm_double.script(be.empty())
    async with make_model() as model:
        with pytest.raises(LlmInvalidOutput, match="空"):
            await read(model)


async def test_wrong_language_passes_through_for_the_caller_to_judge(
    llm_double: LlmDouble, make_model: MakeModel
) -> None:
    llm_double.script(be.wrong_language())
    async with make_model() as model:
        assert "".join(await read(model)).startswith("Please submit")


async def test_silence_before_the_first_token_is_bounded(
    llm_double: LlmDouble, make_model: MakeModel
) -> None:
    llm_double.script(be.slow(5))
    begun = time.perf_counter()
    async with make_model(first_token_timeout_s=0.2) as model:
        with pytest.raises(LlmTimeout):
            await read(model)
    assert time.perf_counter() - begun < 2


async def test_silence_in_the_middle_is_bounded(llm_double: LlmDouble, make_model: MakeModel) -> None:
    llm_double.script(be.drip(0.5))
    async with make_model(first_token_timeout_s=0.2) as model:
        with pytest.raises(LlmTimeout):
            await read(model)
    assert await hung_up(llm_double.chats[0])


async def test_a_stream_that_never_ends_is_bounded(llm_double: LlmDouble, make_model: MakeModel) -> None:
    llm_double.script(be.drip(0.05, text="啊" * 200))
    parts: list[str] = []
    async with make_model(timeout_s=0.5) as model:
        with pytest.raises(LlmTimeout):
            await read(model, parts)
    assert 2 < len(parts) < 12


async def test_cancelling_the_reader_closes_the_connection(
    llm_double: LlmDouble, make_model: MakeModel
) -> None:
    llm_double.script(be.drip(0.02, text="啊" * 1000))
    parts: list[str] = []
    async with make_model() as model:
        reader = asyncio.create_task(read(model, parts))
        while len(parts) < 2:
            await asyncio.sleep(0.01)
        reader.cancel()
        with pytest.raises(asyncio.CancelledError):
            await reader
        assert await hung_up(llm_double.chats[0])
        assert model.circuits()["strong-double"] is Circuit.CLOSED


async def test_leaving_a_stream_early_closes_the_connection(
    llm_double: LlmDouble, make_model: MakeModel
) -> None:
    llm_double.script(be.drip(0.02, text="啊" * 1000))
    async with make_model() as model:
        async with model.stream(STEP, ASKED) as stream:
            assert await anext(stream)
        assert await hung_up(llm_double.chats[0])


async def test_a_stream_nobody_reads_sends_nothing(llm_double: LlmDouble, make_model: MakeModel) -> None:
    async with make_model() as model, model.stream(STEP, ASKED):
        pass
    assert llm_double.requests == []


async def test_server_without_stream_options_still_streams_and_we_count(
    llm_double: LlmDouble, make_model: MakeModel
) -> None:
    llm_double.rejects = {"stream_options"}
    llm_double.answer_with(lambda request: be.say("十个工作日内[1]。"))
    async with make_model() as model:
        answered = await model.text(STEP, ASKED)
        await model.text(STEP, ASKED)
    assert answered.usage.estimated and answered.usage.completion_tokens > 0
    assert ["stream_options" in each.body for each in llm_double.chats] == [True, False, False]


async def test_visible_reasoning_is_not_part_of_the_answer(
    llm_double: LlmDouble, make_model: MakeModel
) -> None:
    llm_double.script(be.say("<think>先看资料</think>\n\n十个工作日内[1]。", chunk_size=3))
    async with make_model() as model:
        assert "".join(await read(model)) == "十个工作日内[1]。"


@pytest.mark.parametrize(
    ("failure", "error"),
    [
        (be.status(503), LlmUnavailable),
        (be.status(429, retry_after=99), LlmRateLimited),
        (be.status(401), LlmRejected),
        (be.html_page(), LlmUnavailable),
    ],
)
async def test_lasting_failure_is_the_same_typed_error_as_without_streaming(
    llm_double: LlmDouble, make_model: MakeModel, failure: be.Behaviour, error: type[Exception]
) -> None:
    llm_double.answer_with(lambda request: failure)
    async with make_model() as model:
        with pytest.raises(error) as caught:
            await read(model)
    assert type(caught.value) is error
