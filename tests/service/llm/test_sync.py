"""The synchronous facade that ingestion's agents are given."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from pydantic import BaseModel

from ingestion.errors import ModelFailure
from ingestion.protocols import Chat
from service.llm.config import LlmConfig
from service.llm.errors import LlmNotConfigured, LlmRejected
from service.llm.sync import SyncChat
from service.prompts import PromptLibrary
from tests.doubles import behaviours as be
from tests.doubles.behaviours import Behaviour
from tests.doubles.llm import LlmDouble


class Understood(BaseModel):
    question: str
    search_terms: list[str]


STEP = "knowledge/understand"
ASKED = {"turns": [], "message": "怎么报销"}


def chat_for(double: LlmDouble, prompts: PromptLibrary) -> SyncChat:
    return SyncChat(LlmConfig(model="strong-double", base_url=double.base_url, retries=0), prompts)


def test_it_is_the_chat_of_ingestion(llm_double: LlmDouble, prompts: PromptLibrary) -> None:
    llm_double.script(be.say_json({"question": "怎么报销？", "search_terms": ["报销"]}))
    with chat_for(llm_double, prompts) as sync:
        chat: Chat = sync
        value = chat.run(STEP, ASKED, Understood)
        assert value == Understood(question="怎么报销？", search_terms=["报销"])
        assert sync.counters()["strong-double"].calls == 1
        assert sync.model_for(STEP) == "strong-double"


def test_model_and_usage_come_with_answer(llm_double: LlmDouble, prompts: PromptLibrary) -> None:
    llm_double.script(be.bad_json(), be.say_json({"question": "怎么报销？", "search_terms": []}))
    with chat_for(llm_double, prompts) as sync:
        answered = sync.answer(STEP, ASKED, Understood)
    assert (answered.model, answered.repaired, answered.usage.calls) == ("strong-double", True, 2)


def test_errors_reach_the_caller_typed(llm_double: LlmDouble, prompts: PromptLibrary) -> None:
    llm_double.answer_with(lambda request: be.status(403))
    with chat_for(llm_double, prompts) as sync:
        with pytest.raises(LlmRejected):
            sync.answer(STEP, ASKED, Understood)
        with pytest.raises(ModelFailure) as failed:
            sync.run(STEP, ASKED, Understood)
    assert isinstance(failed.value.__cause__, LlmRejected)


@pytest.mark.parametrize(
    ("behaviour", "lasting"),
    [
        (be.status(401), True),
        (be.status(429), True),
        (be.status(503), True),
        (be.status(400), False),
        (be.too_long_an_answer(), False),
        (be.say("我不知道"), False),
    ],
)
def test_ingestion_is_told_whether_the_next_call_may_succeed(
    llm_double: LlmDouble, prompts: PromptLibrary, behaviour: Behaviour, lasting: bool
) -> None:
    llm_double.answer_with(lambda request: behaviour)
    with chat_for(llm_double, prompts) as sync, pytest.raises(ModelFailure) as failed:
        sync.run(STEP, ASKED, Understood)
    assert failed.value.lasting is lasting


def test_threads_share_one_facade(llm_double: LlmDouble, prompts: PromptLibrary) -> None:
    llm_double.answer_with(lambda request: be.say('{"question": "问？", "search_terms": []}', before_s=0.1))
    with chat_for(llm_double, prompts) as sync, ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda _: sync.run(STEP, ASKED, Understood).question, range(8)))
    assert answers == ["问？"] * 8


def test_closing_ends_its_thread_and_may_be_repeated(llm_double: LlmDouble, prompts: PromptLibrary) -> None:
    sync = chat_for(llm_double, prompts)
    sync.close()
    sync.close()
    assert all(thread.name != "llm" for thread in threading.enumerate())


def test_without_a_model_there_is_no_facade(prompts: PromptLibrary) -> None:
    with pytest.raises(LlmNotConfigured):
        SyncChat(LlmConfig(), prompts)
