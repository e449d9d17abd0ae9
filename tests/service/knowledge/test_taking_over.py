"""When the model fails, is stopped or nobody listens: who answers, what is said about it, what is kept."""

import json
import time
from collections.abc import Iterator

import httpx
import openai
import pytest

from tests.asking import Told, ask, replay, stream
from tests.doubles.behaviours import (
    Behaviour,
    cut_stream,
    drip,
    empty,
    html_page,
    say,
    slow,
    status,
    too_long_an_answer,
)
from tests.doubles.llm import LlmDouble
from tests.running import Running
from tests.service.knowledge.conftest import TRIP, number_of

FIRST = "出差人员应当自返回之日起10个工作日内提交报销单[{n}]。"
REST = "住宿费在限额以内凭票据实报销[{n}]。超过限额的部分，经分管领导批准后可以报销50%[{n}]。"


@pytest.fixture
def number(client: httpx.Client, llm: LlmDouble) -> int:
    """The number the travel rules are cited by when TRIP is asked."""
    llm.script(say("已知资料中未覆盖该问题。"))
    ask(client, TRIP)
    (request,) = llm.chats
    llm.requests.clear()
    return number_of(request, "报销单")


def engine_of(events: list[Told]) -> tuple[str, str | None]:
    return events[-1].data["engine"], events[-1].data["taken_over"]


@pytest.mark.parametrize(
    ("behaviours", "code"),
    [
        ((slow(4),), "llm_timeout"),
        ((status(429), status(429)), "llm_rate_limited"),
        ((status(429, retry_after=3600),), "llm_rate_limited"),
        ((status(500), status(503)), "llm_unavailable"),
        ((status(401),), "llm_rejected"),
        ((empty(),), "llm_invalid_output"),
        ((html_page(), html_page()), "llm_unavailable"),
        ((cut_stream(0), cut_stream(0)), "llm_unavailable"),
        ((cut_stream(2),), "llm_cut_off"),  # in the middle of the first sentence
        ((too_long_an_answer("出差人员应当自返回之日起"),), "llm_cut_off"),
        ((say("报销要七天[1]。"), status(500), status(500)), "llm_unavailable"),  # the repair fails
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_a_model_that_fails_before_its_first_sentence_is_replaced(
    client: httpx.Client, llm: LlmDouble, behaviours: tuple[Behaviour, ...], code: str
) -> None:
    llm.script(*behaviours)
    events = stream(client, TRIP)
    assert engine_of(events) == ("offline", code)
    assert "十个工作日" in events[-1].data["answer"]
    assert events[-1].data["citations"]
    deltas = [event.data["text"] for event in events if event.name == "delta"]
    assert "".join(deltas) == events[-1].data["answer"]
    plain = client.get(f"/api/v1/conversations/{events[0].data['conversation_id']}/messages").json()
    assert plain["items"][1]["engine"] == "offline"


def test_a_failure_that_passes_is_tried_again_unseen(
    client: httpx.Client, llm: LlmDouble, number: int
) -> None:
    llm.script(status(500), say(FIRST.format(n=number)))
    answer = ask(client, TRIP)
    assert (answer["engine"], answer["taken_over"]) == ("strong-double", None)


def test_an_answer_cut_off_after_a_sentence_is_completed_and_says_so(
    client: httpx.Client, llm: LlmDouble, number: int
) -> None:
    text = (FIRST + REST).format(n=number)
    llm.script(cut_stream(9, text))  # in the middle of the second sentence
    events = stream(client, TRIP)
    done = events[-1].data
    assert engine_of(events) == ("strong-double+offline", "llm_cut_off")
    assert done["answer"].startswith(FIRST.format(n=number))
    assert "模型的回答中断" in done["answer"]
    assert done["answer"].partition("\n（")[0] == FIRST.format(n=number)
    assert "".join(e.data["text"] for e in events if e.name == "delta") == done["answer"]
    assert done["citations"]
    assert next(e for e in events if e.name == "usage").data["completion_tokens"] > 0


def test_openai_streams_end_with_done_also_when_the_model_fails(running: Running, llm: LlmDouble) -> None:
    llm.script(status(500), status(500))
    body = {"model": "zhixing", "stream": True, "messages": [{"role": "user", "content": TRIP}]}
    with (
        httpx.Client(trust_env=False, timeout=60) as client,
        client.stream("POST", f"{running.url}/v1/chat/completions", json=body) as response,
    ):
        lines = [line for line in response.iter_lines() if line]
    assert lines[-1] == "data: [DONE]"
    chunks = [json.loads(line.removeprefix("data: ")) for line in lines[:-1]]
    assert chunks[-1]["choices"][0]["finish_reason"] == "stop"
    assert chunks[-1]["zhixing"]["engine"] == "offline"
    assert chunks[-1]["zhixing"]["taken_over"] == "llm_unavailable"


def test_openai_clients_read_a_refusal_streamed_or_not(running: Running, llm: LlmDouble) -> None:
    question: list[openai.types.chat.ChatCompletionMessageParam] = [
        {"role": "user", "content": "火星基地的氧气配额怎么算？"}
    ]
    with openai.OpenAI(base_url=f"{running.url}/v1", api_key="unused") as stock:
        whole = stock.chat.completions.create(model="zhixing", messages=question)
        chunks = list(stock.chat.completions.create(model="zhixing", messages=question, stream=True))
    text = "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices)
    assert "已知资料中未覆盖该问题" in text
    assert text == whole.choices[0].message.content
    assert (chunks[-1].model_extra or {})["zhixing"]["refusal"]["reason"]


def test_stopping_keeps_what_was_said_with_its_citations_and_hangs_up_on_the_model(
    client: httpx.Client, llm: LlmDouble, number: int
) -> None:
    llm.script(drip(0.05, (FIRST + REST * 20).format(n=number), chunk_size=8))
    seen = stream(client, TRIP, stop_at="delta")
    ids = seen[0].data
    message = ids["message_id"]
    for _ in range(2):  # an impatient person
        response = client.post(f"/api/v1/messages/{message}/stop")
        assert response.status_code == 202
    rest = replay(client, message, after=seen[-1].number)
    assert [event.name for event in rest if event.name != "delta"] == ["citation", "usage", "done"]
    done = rest[-1].data
    assert done["stopped"] is True
    assert done["conversation_id"] == ids["conversation_id"]
    assert done["answer"].startswith(FIRST.format(n=number))
    assert len(done["answer"]) < len(FIRST + REST * 20)
    assert done["citations"] == [event.data for event in rest if event.name == "citation"]
    assert llm.chats[0].dropped.wait(5), "the model's connection is still open"
    items = client.get(f"/api/v1/conversations/{ids['conversation_id']}/messages").json()["items"]
    assert (items[1]["state"], items[1]["text"]) == ("stopped", done["answer"])
    assert items[1]["citations"] == done["citations"]
    assert client.post(f"/api/v1/messages/{message}/stop").json() == {"stopped": False}


def test_a_client_that_goes_away_does_not_stop_the_answer_and_gets_the_rest_later(
    client: httpx.Client, llm: LlmDouble, number: int
) -> None:
    llm.script(drip(0.02, (FIRST + REST).format(n=number), chunk_size=4))
    seen = stream(client, TRIP, stop_at="delta")
    message = seen[0].data["message_id"]
    rest = replay(client, message, after=seen[-1].number)
    assert [event.number for event in (*seen, *rest)] == list(range(1, len(seen) + len(rest) + 1))
    done = rest[-1]
    assert done.name == "done"
    assert done.data["answer"] == (FIRST + REST).format(n=number)
    assert done.data["stopped"] is False
    assert replay(client, message) == [*seen, *rest]  # from the store, once it is over
    assert replay(client, message, after=done.number) == []
    assert not llm.chats[0].dropped.is_set()


@pytest.fixture
def fragile(running: Running) -> Iterator[httpx.Client]:
    """A client that does not wait long."""
    with httpx.Client(base_url=running.url, trust_env=False, timeout=0.7) as client:
        yield client


def test_an_answer_nobody_waited_for_is_kept(
    client: httpx.Client, fragile: httpx.Client, llm: LlmDouble, number: int
) -> None:
    llm.script(drip(0.3, FIRST.format(n=number), chunk_size=8))
    with pytest.raises(httpx.ReadTimeout):
        fragile.post("/api/v1/chat", json={"message": f"{TRIP}没有人等", "stream": False})
    conversation = client.get("/api/v1/conversations").json()["items"][0]["id"]
    for _ in range(100):
        item = client.get(f"/api/v1/conversations/{conversation}/messages").json()["items"][1]
        if item["state"] != "streaming":
            break
        time.sleep(0.1)
    assert (item["state"], item["text"]) == ("done", FIRST.format(n=number))


def test_metrics_count_who_answered_and_why_the_offline_engine_took_over(
    running: Running, client: httpx.Client, llm: LlmDouble
) -> None:
    llm.script(status(500), status(500))
    ask(client, TRIP)
    text = httpx.get(f"{running.url}/metrics", trust_env=False).text
    assert 'zhixing_engine_fallbacks_total{reason="llm_unavailable"}' in text
    assert 'zhixing_answers_total{engine="offline",outcome="answered"}' in text
