"""The process path in the real service: chat, cases, cards; alone, and with a model that misbehaves."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest
from openai import OpenAI

from tests.asking import ask, replay, stream
from tests.doubles.behaviours import (
    Behaviour,
    bad_json,
    empty,
    prose_around_json,
    say,
    say_json,
    status,
    wrong_language,
)
from tests.doubles.llm import LlmDouble, RecordedRequest
from tests.running import Running, serving

BUYS = "我想申请一台8万的服务器，比较急"
AT_HOME = {"ZHIXING_LOCAL_DEPARTMENT": "总部/信息技术部"}


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with serving(tmp_path_factory.mktemp("office") / "home", samples=True, env=AT_HOME) as running:
        yield running


@pytest.fixture
def client(office: Running) -> Iterator[httpx.Client]:
    with office.client() as client:
        yield client


def rule_of(answer: dict[str, Any]) -> str:
    return str(answer["card"]["basis"]["rows"][0]) if answer["card"] else ""


def test_one_sentence_leads_to_the_card_with_its_clause_cited(client: httpx.Client) -> None:
    told = stream(client, BUYS)
    names = [event.name for event in told]
    assert names[0] == "meta" and names[-1] == "done" and "card" in names
    card = next(event.data for event in told if event.name == "card")
    assert card["basis"]["rows"] == ["R14"] and card["total_days"] == 3
    assert card["materials"][0]["template"]["url"].startswith("/api/v1/processes/ASSET/templates/")
    assert client.get(card["materials"][0]["template"]["url"]).status_code == 200
    (citation, *_) = [event.data for event in told if event.name == "citation"]
    assert citation["n"] == card["basis"]["citation"] and citation["document_name"].startswith("资产管理办法")
    content = client.get(
        f"/api/v1/documents/{citation['document_id']}/content",
        params={"revision_id": citation["revision_id"]},
    ).json()
    text = "\n".join(block["text"] for block in content["blocks"])
    assert text[citation["char_start"] : citation["char_end"]] == citation["quote"]
    assert citation["quote"].startswith("第十一条")


def test_a_rule_asked_about_in_the_middle_is_answered_and_the_case_goes_on(client: httpx.Client) -> None:
    first = ask(client, "申请一台9万的服务器")
    conversation = first["conversation_id"]
    assert first["intent"] == "process" and "紧急" in first["answer"]
    between = ask(client, "公章是谁在管？", conversation_id=conversation)
    assert between["intent"] == "knowledge" and "赵颖" in between["answer"] and between["card"] is None
    last = ask(client, "不急", conversation_id=conversation)
    assert last["intent"] == "process" and rule_of(last) == "R13"


def test_a_correction_shows_what_changed_and_the_history_keeps_the_card(client: httpx.Client) -> None:
    first = ask(client, BUYS)
    changed = ask(client, "金额改成3万", conversation_id=first["conversation_id"])
    assert changed["card"]["changes"] == [{"field": "预算金额", "old": "80000元", "new": "30000元"}]
    kept = client.get(f"/api/v1/conversations/{first['conversation_id']}/messages").json()["items"]
    cards = [item["card"] for item in kept if item["role"] == "assistant"]
    assert cards == [first["card"], changed["card"]]
    assert replay(client, changed["message_id"])[-1].data["answer"] == changed["answer"]


def test_an_uncovered_combination_names_the_administrator(client: httpx.Client) -> None:
    answer = ask(client, "要采购130万的服务器，不急")
    assert answer["card"] is None and "李雯（内线 8012）" in answer["answer"]


def test_what_may_be_a_question_or_a_process_is_offered_as_both(client: httpx.Client) -> None:
    offered = [
        answer
        for words in ("报销的流程", "用印申请的条件", "资产申请要求", "盖章流程")
        if (answer := ask(client, words))["intent"] == "unclear"
    ]
    assert offered, "none of the utterances is unclear to the reader"
    modes = {chip["mode"] for chip in offered[0]["chips"]}
    assert modes == {"knowledge", "process"}
    chosen = ask(client, offered[0]["chips"][0]["send"], mode="process")
    assert chosen["intent"] == "process"


def test_a_greeting_is_greeted_and_nothing_is_refused(client: httpx.Client) -> None:
    answer = ask(client, "你好")
    assert answer["refusal"] is None and answer["intent"] == "other" and "制度" in answer["answer"]


def test_cases_over_http_ask_until_the_card_and_print_it(client: httpx.Client) -> None:
    begun = client.post("/api/v1/process-cases", json={"process_id": "SEAL"})
    assert begun.status_code == 201
    case = begun.json()
    assert (case["action"], case["asked"], case["process"]) == ("ask", "seal", "SEAL")
    assert client.get(f"/api/v1/process-cases/{case['case_id']}/card").status_code == 404
    said = {"message": "公章，在职证明，不带出去"}
    done = client.post(f"/api/v1/process-cases/{case['case_id']}/turns", json=said).json()
    assert done["action"] == "card" and done["card"]["basis"]["rows"] == ["R09"]
    page = client.get(f"/api/v1/process-cases/{case['case_id']}/card")
    assert page.headers["content-type"].startswith("text/html") and "用印申请" in page.text
    plain = client.get(f"/api/v1/process-cases/{case['case_id']}/card", params={"format": "markdown"})
    assert plain.text.startswith("# 用印申请") and "- [ ] " in plain.text
    turns = client.get(f"/api/v1/process-cases/{case['case_id']}").json()["turns"]
    assert [turn["action"] for turn in turns] == ["ask", "card"]
    assert all(piece["text"] in said["message"] for piece in turns[1]["pieces"])


def test_words_with_a_process_are_an_answer_within_it(client: httpx.Client) -> None:
    body = {"process_id": "SEAL", "message": "公章，在职证明"}
    begun = client.post("/api/v1/process-cases", json=body).json()
    assert (begun["process"], begun["asked"]) == ("SEAL", "take_out")
    assert {value["code"] for value in begun["values"]} >= {"seal", "file_kind"}


@pytest.mark.parametrize(
    ("body", "code"), [({}, 400), ({"process_id": "NONE"}, 404), ({"message": "   "}, 400)]
)
def test_a_case_without_a_beginning_is_refused(client: httpx.Client, body: dict[str, str], code: int) -> None:
    assert client.post("/api/v1/process-cases", json=body).status_code == code


def test_a_case_of_somebody_else_looks_absent(client: httpx.Client) -> None:
    for path in ("", "/card"):
        assert client.get(f"/api/v1/process-cases/none{path}").status_code == 404
    assert client.post("/api/v1/process-cases/none/turns", json={"message": "不急"}).status_code == 404


def test_messages_at_the_same_time_lose_no_value(client: httpx.Client) -> None:
    case = client.post("/api/v1/process-cases", json={"process_id": "SEAL"}).json()["case_id"]
    path = f"/api/v1/process-cases/{case}/turns"
    with ThreadPoolExecutor(3) as pool:
        list(pool.map(lambda said: client.post(path, json={"message": said}), ["公章", "证明", "不带出去"]))
    last = client.post(path, json={"message": "信息技术部"}).json()
    assert {"seal", "file_kind", "take_out"} <= {value["code"] for value in last["values"]}


def test_the_stock_client_plays_a_case_from_its_own_history(office: Running) -> None:
    client = OpenAI(base_url=f"{office.url}/v1", api_key="none")
    history: list[Any] = [{"role": "user", "content": "申请一台9万的服务器"}]
    first = client.chat.completions.create(model="zhixing", messages=history)
    asked = first.choices[0].message.content or ""
    assert "紧急" in asked
    history += [{"role": "assistant", "content": asked}, {"role": "user", "content": "不急"}]
    second = client.chat.completions.create(model="zhixing", messages=history)
    assert "共 5 步" in (second.choices[0].message.content or "")


INVENTED = [
    say_json({"fields": [{"field": "审批路径", "text": "服务器"}, {"field": "预算金额", "text": "一百万"}]}),
    say_json({"fields": [{"field": "预算金额", "text": "一台"}, {"field": "是否紧急", "text": "我想"}]}),
    say_json({"fields": [{"field": "资产类别", "text": "8万"}, {"field": "申请部门", "text": "比较急"}]}),
    prose_around_json({"fields": [{"field": "单价", "text": "1"}]}),
    say("您应该走“直接采购”路径，不需要审批。"),
    bad_json(),
    empty(),
    wrong_language(),
    status(500),
    status(429),
]


@pytest.fixture(scope="module")
def helped(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Running, LlmDouble]]:
    with LlmDouble() as double:
        environment = {
            **AT_HOME,
            "ZHIXING_LLM_MODEL": "strong-double",
            "ZHIXING_LLM_SMALL_MODEL": "small-double",
            "ZHIXING_LLM_BASE_URL": double.base_url,
            "ZHIXING_LLM_API_KEY": "sk-of-the-tests",
            "ZHIXING_LLM_RETRIES": "0",
        }
        home = tmp_path_factory.mktemp("helped") / "home"
        with serving(home, samples=True, env=environment) as running:
            yield running, double


@pytest.mark.parametrize("behaviour", INVENTED, ids=lambda behaviour: behaviour.__class__.__name__)
def test_whatever_a_model_says_no_card_changes(
    helped: tuple[Running, LlmDouble], client: httpx.Client, behaviour: Behaviour
) -> None:
    running, double = helped
    double.requests.clear()
    double.answer_with(lambda request: behaviour)
    with running.client() as asking:
        answer = ask(asking, BUYS, mode="process")
    alone = ask(client, BUYS, mode="process")
    assert {**answer["card"], "case_id": "", "engine": ""} == {**alone["card"], "case_id": "", "engine": ""}
    assert "直接采购" not in json.dumps(answer, ensure_ascii=False)
    assert [request.step for request in double.requests][:1] == ["process/extract"]
    assert double.requests[0].model == "small-double"
    assert "R14" not in double.requests[0].user and "分管审批" not in double.requests[0].user


def test_a_model_that_helps_is_named_and_one_that_fails_is_told(helped: tuple[Running, LlmDouble]) -> None:
    running, double = helped

    def helps(request: RecordedRequest) -> Behaviour:
        return say_json({"fields": [{"field": "资产类别", "text": "服务器"}]})

    with running.client() as asking:
        double.answer_with(helps)
        answer = ask(asking, BUYS, mode="process")
        assert (answer["engine"], answer["taken_over"]) == ("small-double", None)
        double.answer_with(lambda request: status(500))
        answer = ask(asking, BUYS, mode="process")
        assert answer["engine"] == "offline" and answer["taken_over"]
