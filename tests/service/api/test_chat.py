"""Chat over HTTP against the real service with the sample knowledge: stream, plain, history, resume."""

import json
import subprocess
from collections.abc import Iterator
from typing import Any

import httpx
import openai
import pytest

from tests.running import Running

QUESTION = "公章是谁在管？"
UNANSWERABLE = "公司在火星基地的宿舍怎么分配？"


@pytest.fixture
def client(running: Running) -> Iterator[httpx.Client]:
    with running.client() as client:
        yield client


def events_of(response: httpx.Response) -> list[tuple[int, str, Any]]:
    found, number, name = [], 0, ""
    for line in response.iter_lines():
        field, _, value = line.partition(": ")
        if field == "id":
            number = int(value)
        elif field == "event":
            name = value
        elif field == "data":
            found.append((number, name, json.loads(value)))
    return found


def ask(client: httpx.Client, message: str, **more: Any) -> dict[str, Any]:
    response = client.post("/api/v1/chat", json={"message": message, "stream": False, **more})
    assert response.status_code == 200, response.text
    answer: dict[str, Any] = response.json()
    return answer


def stream(client: httpx.Client, message: str, **more: Any) -> list[tuple[int, str, Any]]:
    with client.stream("POST", "/api/v1/chat", json={"message": message, **more}) as response:
        assert response.headers["content-type"].startswith("text/event-stream")
        return events_of(response)


def test_an_answer_cites_spans_of_the_canonical_text(client: httpx.Client) -> None:
    answer = ask(client, QUESTION)
    assert "赵颖" in answer["answer"]
    assert answer["engine"] == "offline"
    assert answer["citations"]
    for citation in answer["citations"]:
        path = f"/api/v1/documents/{citation['document_id']}/content"
        content = client.get(path, params={"revision": citation["revision_id"]}).json()
        text = "\n".join(block["text"] for block in content["blocks"])
        assert text[citation["char_start"] : citation["char_end"]] == citation["quote"]
        assert f"[{citation['n']}]" in answer["answer"]


def test_the_stream_tells_references_before_text_and_ends_with_done(client: httpx.Client) -> None:
    events = stream(client, QUESTION)
    names = [name for _number, name, _data in events]
    assert names[0] == "meta"
    assert names[-1] == "done"
    assert names.index("references") < names.index("delta") < names.index("citation")
    assert [number for number, _name, _data in events] == list(range(1, len(events) + 1))
    text = "".join(data["text"] for _number, name, data in events if name == "delta")
    assert text == events[-1][2]["answer"]


def test_plain_streamed_and_openai_answers_are_the_same(running: Running, client: httpx.Client) -> None:
    plain = ask(client, QUESTION)
    streamed = stream(client, QUESTION)[-1][2]
    stock = openai.OpenAI(base_url=f"{running.url}/v1", api_key="unused")
    whole = stock.chat.completions.create(model="zhixing", messages=[{"role": "user", "content": QUESTION}])
    parts = stock.chat.completions.create(
        model="zhixing", messages=[{"role": "user", "content": QUESTION}], stream=True
    )
    chunks = list(parts)
    text = "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices)
    stock.close()
    assert plain["answer"] == streamed["answer"] == whole.choices[0].message.content == text
    extra = (whole.model_extra or {})["zhixing"]
    last = (chunks[-1].model_extra or {})["zhixing"]
    assert plain["citations"] == streamed["citations"] == extra["citations"] == last["citations"]


def test_curl_shows_the_same_events(running: Running, client: httpx.Client) -> None:
    body = json.dumps({"message": QUESTION})
    command = [
        "curl",
        "-sN",
        f"{running.url}/api/v1/chat",
        "-H",
        "Content-Type: application/json",
        "-d",
        body,
    ]
    shown = subprocess.run(command, capture_output=True, timeout=60, check=True).stdout.decode()
    done = [line for line in shown.splitlines() if line.startswith("data: ")][-1]
    assert json.loads(done.removeprefix("data: "))["answer"] == ask(client, QUESTION)["answer"]


def test_what_is_not_covered_is_refused_without_citations(client: httpx.Client) -> None:
    answer = ask(client, UNANSWERABLE)
    assert answer["refusal"]["reason"] in {"nothing_found", "below_threshold"}
    assert "已知资料中未覆盖该问题" in answer["answer"]
    assert answer["citations"] == []
    assert answer["refusal"]["contact"]


def test_history_keeps_the_answer_as_it_was_shown(client: httpx.Client) -> None:
    answer = ask(client, QUESTION)
    again = ask(client, "年假能留到什么时候？", conversation_id=answer["conversation_id"])
    assert again["conversation_id"] == answer["conversation_id"]
    path = f"/api/v1/conversations/{answer['conversation_id']}/messages"
    items = client.get(path).json()["items"]
    assert [item["role"] for item in items] == ["user", "assistant", "user", "assistant"]
    assert items[0]["text"] == QUESTION
    assert items[1]["text"] == answer["answer"]
    assert items[1]["citations"] == answer["citations"]
    assert items[1]["references"] == answer["references"]
    listed = client.get("/api/v1/conversations").json()["items"]
    assert answer["conversation_id"] in {item["id"] for item in listed}


def test_a_dropped_stream_goes_on_after_the_last_event_seen(client: httpx.Client) -> None:
    events = stream(client, QUESTION)
    message_id = events[0][2]["message_id"]
    seen = events[2][0]
    with client.stream(
        "GET", f"/api/v1/messages/{message_id}/events", headers={"Last-Event-ID": str(seen)}
    ) as response:
        rest = events_of(response)
    assert rest == events[3:]


def test_feedback_is_kept_with_the_message_and_the_last_one_counts(client: httpx.Client) -> None:
    answer = ask(client, QUESTION)
    path = f"/api/v1/messages/{answer['message_id']}/feedback"
    for rating in ("like", "dislike"):
        assert client.post(path, json={"rating": rating, "comment": "试试"}).status_code == 204
    items = client.get(f"/api/v1/conversations/{answer['conversation_id']}/messages").json()["items"]
    assert items[1]["feedback"] == "dislike"


def test_a_deleted_conversation_is_gone(client: httpx.Client) -> None:
    conversation = ask(client, QUESTION)["conversation_id"]
    assert client.delete(f"/api/v1/conversations/{conversation}").status_code == 204
    assert client.get(f"/api/v1/conversations/{conversation}/messages").status_code == 404


def test_a_question_about_then_is_answered_from_the_revision_of_then(client: httpx.Client) -> None:
    asked = ask(client, "2023年的时候，固定资产是指单价在多少元以上的资产？")
    assert asked["as_of"] == "2023-12-31"
    assert "1,000元" in asked["answer"]
    given = ask(client, "单价多少钱以上算固定资产？", as_of="2023-06-01")
    assert "1,000元" in given["answer"]
    today = ask(client, "单价多少钱以上算固定资产？")
    assert "2,000元" in today["answer"]
    assert "1,000元" not in today["answer"]


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"message": "   "}, 400, "bad_request"),
        ({"message": "x" * 4001}, 422, "invalid_request"),
        ({"message": "问", "mode": "未知"}, 422, "invalid_request"),
        ({"message": "问", "conversation_id": "不存在"}, 404, "not_found"),
        ({"message": "问", "filters": {"unknown": 1}}, 422, "invalid_request"),
        ({}, 422, "invalid_request"),
    ],
)
def test_bad_requests_say_what_is_wrong(
    client: httpx.Client, body: dict[str, Any], status: int, code: str
) -> None:
    response = client.post("/api/v1/chat", json=body)
    assert response.status_code == status
    error = response.json()["error"]
    assert error["code"] == code
    assert error["message"]
    assert error["request_id"] == response.headers["X-Request-Id"]


def test_openai_errors_come_in_openais_shape(running: Running) -> None:
    stock = openai.OpenAI(base_url=f"{running.url}/v1", api_key="unused", max_retries=0)
    with pytest.raises(openai.NotFoundError) as raised:
        stock.chat.completions.create(model="gpt-4", messages=[{"role": "user", "content": "你好"}])
    assert raised.value.code == "model_not_found"
    assert [model.id for model in stock.models.list()] == ["zhixing", "zhixing-knowledge"]
    stock.close()


def test_unknown_paths_under_api_stay_json(client: httpx.Client) -> None:
    response = client.get("/api/v1/nothing-here")
    assert response.status_code == 404
    assert response.json()["error"]["code"] == "not_found"


@pytest.mark.parametrize(
    "message", ["？", "a", "\u200b问", "🙂🙂", "公" * 4000, "<script>alert(1)</script>", "%_'\";--"]
)
def test_odd_questions_get_an_answer_a_refusal_or_a_choice(client: httpx.Client, message: str) -> None:
    answer = ask(client, message)
    assert answer["answer"]
    asked_back = answer["intent"] == "unclear"
    assert bool(answer["citations"]) + bool(answer["refusal"]) + asked_back == 1


def test_other_sites_cannot_post_to_an_unprotected_service(running: Running) -> None:
    with httpx.Client(base_url=running.url, trust_env=False) as outside:
        body = {"message": QUESTION, "stream": False}
        foreign = outside.post("/api/v1/chat", json=body, headers={"Origin": "http://evil.example"})
        rebound = outside.post("/api/v1/chat", json=body, headers={"Host": "evil.example"})
    assert foreign.status_code == rebound.status_code == 421
