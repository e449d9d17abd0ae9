"""What the client learns from the refusals of servers that do not take everything."""

from collections.abc import Callable

import pytest
from pydantic import BaseModel

from service.llm.client import LanguageModel
from service.llm.errors import LlmRejected
from tests.doubles import behaviours as be
from tests.doubles.llm import LlmDouble

pytestmark = pytest.mark.anyio
MakeModel = Callable[..., LanguageModel]


class Understood(BaseModel):
    question: str
    search_terms: list[str]


STEP = "knowledge/understand"
ASKED = {"turns": ["差旅费怎么报销？"], "message": "那招待费呢"}
GOOD = {"question": "招待费怎么报销？", "search_terms": ["招待费"]}


async def test_refused_json_schema_falls_back_and_is_remembered(
    llm_double: LlmDouble, make_model: MakeModel
) -> None:
    llm_double.rejects = {"json_schema"}
    llm_double.answer_with(lambda request: be.say_json(GOOD))
    async with make_model() as model:
        first = await model.run(STEP, ASKED, Understood)
        second = await model.run(STEP, ASKED, Understood)
    modes = [each.json_mode for each in llm_double.chats]
    assert modes == ["json_schema", "json_object", "json_object"]
    assert first.value == second.value and not first.repaired


async def test_server_without_any_json_mode_is_asked_in_words(
    llm_double: LlmDouble, make_model: MakeModel
) -> None:
    llm_double.rejects = {"response_format"}
    llm_double.answer_with(lambda request: be.prose_around_json(GOOD))
    async with make_model() as model:
        answered = await model.run(STEP, ASKED, Understood)
    assert [each.json_mode for each in llm_double.chats] == ["json_schema", "json_object", "text"]
    assert '"search_terms"' in llm_double.chats[-1].user
    assert answered.value.question == GOOD["question"]


async def test_a_single_refusal_of_the_schema_is_got_round(
    llm_double: LlmDouble, make_model: MakeModel
) -> None:
    llm_double.script(be.refuse_json_schema(), be.say_json(GOOD))
    async with make_model() as model:
        assert (await model.run(STEP, ASKED, Understood)).value.question == GOOD["question"]


async def test_model_with_a_fixed_temperature_keeps_its_schema(
    llm_double: LlmDouble, make_model: MakeModel
) -> None:
    llm_double.rejects = {"temperature"}
    llm_double.answer_with(lambda request: be.say_json(GOOD))
    async with make_model() as model:
        await model.run(STEP, ASKED, Understood)
        await model.run(STEP, ASKED, Understood)
    sent = [("temperature" in each.body, each.json_mode) for each in llm_double.chats]
    assert sent == [(True, "json_schema"), (False, "json_schema"), (False, "json_schema")]


async def test_too_long_a_prompt_does_not_cost_the_schema(
    llm_double: LlmDouble, make_model: MakeModel
) -> None:
    llm_double.script(be.status(400, message="context_length_exceeded: 9000 tokens"), be.say_json(GOOD))
    async with make_model() as model:
        with pytest.raises(LlmRejected):
            await model.run(STEP, ASKED, Understood)
        await model.run(STEP, ASKED, Understood)
    assert [each.json_mode for each in llm_double.chats] == ["json_schema", "json_schema"]
