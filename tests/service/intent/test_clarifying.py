"""The small model settles unclear readings; failing, slow or nonsensical, it leaves the choice as it was."""

import pytest

from service.config import ASSETS
from service.intent.clarifying import STEP, clarify
from service.intent.cues import Intent
from service.intent.reader import Reading
from service.llm.client import LanguageModel
from service.llm.config import LlmConfig
from service.llm.retry import Backoff
from service.prompts import PromptLibrary
from tests.doubles.behaviours import Behaviour, bad_json, say, say_json, slow, status
from tests.doubles.llm import LlmDouble

UNCLEAR = Reading(Intent.KNOWLEDGE, (Intent.KNOWLEDGE, Intent.PROCESS))
TEXT = "住宿超标了怎么办"


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def model_for(double: LlmDouble) -> LanguageModel:
    config = LlmConfig(
        model="strong-double", small_model="small-double", base_url=double.base_url, retries=0, timeout_s=5.0
    )
    return LanguageModel(config, PromptLibrary(ASSETS / "prompts"), backoff=Backoff(0, 0.0, 0.0))


async def settled(
    double: LlmDouble, *behaviours: Behaviour, reading: Reading = UNCLEAR, patience: float = 3
) -> Reading:
    double.script(*behaviours)
    async with model_for(double) as model:
        return await clarify(reading, TEXT, model, patience=patience)


@pytest.mark.anyio
@pytest.mark.parametrize("chosen", [Intent.KNOWLEDGE, Intent.PROCESS])
async def test_one_of_the_two_settles_it_by_the_small_model(llm_double: LlmDouble, chosen: Intent) -> None:
    reading = await settled(llm_double, say_json({"intent": chosen.value}))
    assert (reading.intent, reading.either, reading.model) == (chosen, (), "small-double")
    (request,) = llm_double.chats
    assert (request.step, request.model) == (STEP, "small-double")
    assert TEXT in request.user
    assert TEXT not in request.system


@pytest.mark.anyio
@pytest.mark.parametrize("said", ["unclear", "status", "other"])
async def test_what_is_none_of_the_two_leaves_the_choice(llm_double: LlmDouble, said: str) -> None:
    assert await settled(llm_double, say_json({"intent": said})) == UNCLEAR


@pytest.mark.anyio
@pytest.mark.parametrize(
    "nonsense",
    [
        say("我觉得是流程"),
        say(""),
        bad_json(),
        say_json({"intent": "approve"}),
        say_json({"path": "process"}),
        say_json(["process"]),
    ],
)
async def test_nonsense_twice_leaves_the_choice(llm_double: LlmDouble, nonsense: Behaviour) -> None:
    assert await settled(llm_double, nonsense, nonsense) == UNCLEAR


@pytest.mark.anyio
async def test_nonsense_once_is_repaired(llm_double: LlmDouble) -> None:
    reading = await settled(llm_double, say("嗯"), say_json({"intent": "process"}))
    assert (reading.intent, reading.either) == (Intent.PROCESS, ())


@pytest.mark.anyio
@pytest.mark.parametrize("failing", [status(500), status(401), status(429)])
async def test_a_failing_server_leaves_the_choice(llm_double: LlmDouble, failing: Behaviour) -> None:
    assert await settled(llm_double, failing) == UNCLEAR


@pytest.mark.anyio
async def test_a_slow_server_leaves_the_choice_when_patience_ends(llm_double: LlmDouble) -> None:
    late = slow(2.0, '{"intent": "process"}')
    assert await settled(llm_double, late, patience=0.2) == UNCLEAR


@pytest.mark.anyio
async def test_a_clear_reading_costs_no_call(llm_double: LlmDouble) -> None:
    clear = Reading(Intent.STATUS)
    assert await settled(llm_double, reading=clear) is clear
    assert llm_double.chats == []
