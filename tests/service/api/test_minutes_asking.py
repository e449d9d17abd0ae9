"""The archive is asked over HTTP and in the chat; a hidden meeting is absent; odd questions break nothing."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from starlette.testclient import TestClient

from service import bootstrap
from service.access import Role
from tests.service.api.keyed import People
from tests.service.minutes.asked import MEETINGS, NEVER, SECRET, filled, opened

QUESTION = "罗婉怎么看藤椅降价"
KEYS = {"question", "understood", "told", "answer", "quotes", "shifts", "meetings", "refusal", "engine"}


@dataclass(frozen=True)
class Scene:
    parts: bootstrap.Parts
    admin: TestClient
    reader: TestClient


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    with opened(tmp_path_factory.mktemp("asking"), knobs={"auth": "keys"}) as parts:
        filled(parts)
        people = People(parts)
        with people.client(Role.ADMIN) as admin, people.client(Role.READER, "总部/生产部") as reader:
            yield Scene(parts, admin, reader)


@pytest.fixture
def refusing(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> Scene:
    monkeypatch.setattr(scene.parts.minutes, "_asking", NEVER)
    return scene


def ask(client: TestClient, question: str, **more: str) -> dict[str, Any]:
    got = client.post("/api/v1/minutes/ask", json={"question": question, **more})
    assert got.status_code == 200, got.text
    answer: dict[str, Any] = got.json()
    return answer


def chat(client: TestClient, message: str, mode: str) -> list[str]:
    """The names of the events."""
    got = client.post("/api/v1/chat", json={"message": message, "mode": mode})
    assert got.status_code == 200
    return [line.removeprefix("event: ") for line in got.text.splitlines() if line.startswith("event: ")]


def test_an_answer_has_quotes_that_open_at_their_place(scene: Scene) -> None:
    answer = ask(scene.reader, QUESTION)
    assert set(answer) == KEYS and answer["refusal"] is None
    assert answer["understood"]["persons"] == ["罗婉"]
    for quote in answer["quotes"]:
        assert quote["speaker"] == quote["label"] == "罗婉"
        assert quote["text"] in MEETINGS[quote["file_name"]]
        meeting = scene.reader.get(f"/api/v1/minutes/{quote['document_id']}").json()
        said = {p["n"]: p["text"] for segment in meeting["segments"] for p in segment["paragraphs"]}
        assert quote["text"] in said[quote["paragraph"]]


def test_a_speaker_and_days_of_the_caller_bound_the_answer(scene: Scene) -> None:
    days = {"from": "2025-06-10", "to": "2025-09-02"}
    answer = ask(scene.reader, "藤椅降价", speaker=" 张总 ", **days)
    assert {quote["speaker"] for quote in answer["quotes"]} == {"张启明"}
    assert {quote["day"] for quote in answer["quotes"]} == set(days.values())
    assert answer["understood"] == {
        "persons": ["张启明"], "as_speaker": "张启明", "period": "", **days
    }  # fmt: skip


def test_a_hidden_meeting_shows_nowhere(scene: Scene, refusing: Scene) -> None:
    for question in ("奖金名单", "秦怀玉怎么看奖金", "藤椅降价的奖金每人多少"):
        got = scene.reader.post("/api/v1/minutes/ask", json={"question": question})
        assert SECRET not in got.text and "八千元" not in got.text and "薪酬会" not in got.text
    assert "秦怀玉" not in scene.reader.get("/api/v1/minutes/persons").json()["items"]
    assert "秦怀玉" in scene.admin.get("/api/v1/minutes/persons").json()["items"]


def test_persons_are_found_by_a_part_of_the_name(scene: Scene) -> None:
    found = scene.reader.get("/api/v1/minutes/persons", params={"search": "曹"}).json()["items"]
    assert found == ["曹建业", "曹敏"]


@pytest.mark.parametrize(
    "body",
    [
        {"question": ""},
        {"question": "　 \n"},
        {"question": "问" * 4_001},
        {"question": "问", "from": "2025-02-02", "to": "2025-02-01"},
        {"question": "问", "from": "2025-02-30"},
        {"question": "问", "speaker": "名" * 61},
        {"question": None},
        {},
    ],
)
def test_what_cannot_be_asked_is_refused_with_a_reason(scene: Scene, body: dict[str, object]) -> None:
    got = scene.reader.post("/api/v1/minutes/ask", json=body)
    assert got.status_code in (400, 422)
    assert got.json()["error"]["message"]


# as JSON has them
ODD = ["😀", "的吗呢", "a\\u0000藤椅", "\\ud800藤椅", "藤椅降價", "Ｇ２００", "问" * 4_000]


@pytest.mark.parametrize("question", ODD, ids=lambda text: text[:9])
@pytest.mark.parametrize("speaker", ["", "\\u0000", "\\udfff张总", "張總"])
def test_odd_questions_are_answered_refused_or_told_wrong(scene: Scene, question: str, speaker: str) -> None:
    body = f'{{"question": "{question}", "speaker": "{speaker}"}}'
    headers = {"Content-Type": "application/json"}
    got = scene.reader.post("/api/v1/minutes/ask", content=body, headers=headers)
    assert got.status_code in (200, 400, 422), got.text
    assert got.json()["answer"] if got.status_code == 200 else got.json()["error"]["message"]


def test_who_is_nobody_may_not_ask(scene: Scene) -> None:
    got = scene.reader.post(
        "/api/v1/minutes/ask", json={"question": "藤椅"}, headers={"Authorization": "Bearer no"}
    )
    assert got.status_code == 401


def test_the_chats_events_of_an_answer_come_in_order(scene: Scene) -> None:
    names = chat(scene.reader, QUESTION, "minutes")
    assert names[:3] == ["meta", "references", "delta"] and names[-1] == "done"
    assert set(names[3:-1]) == {"citation"}


@pytest.mark.parametrize(("mode", "between"), [("minutes", []), ("auto", ["chips"])])
def test_the_chats_events_of_a_refusal_come_in_order(refusing: Scene, mode: str, between: list[str]) -> None:
    assert chat(refusing.reader, QUESTION, mode) == ["meta", "refusal", *between, "done"]


def test_the_callers_days_bound_the_meetings_of_a_chat(scene: Scene) -> None:
    body = {"message": QUESTION, "mode": "minutes", "stream": False}
    bounds = {"meeting_from": "1990-01-01", "meeting_to": "1990-12-31"}
    assert scene.reader.post("/api/v1/chat", json={**body, "filters": bounds}).json()["refusal"] is not None
    assert scene.reader.post("/api/v1/chat", json=body).json()["refusal"] is None


def test_a_stored_answer_is_read_again_with_its_citations(scene: Scene) -> None:
    body = {"message": QUESTION, "mode": "minutes", "stream": False}
    said = scene.reader.post("/api/v1/chat", json=body).json()
    assert said["citations"] and said["engine"] == "offline"
    path = f"/api/v1/conversations/{said['conversation_id']}/messages"
    kept = scene.reader.get(path).json()["items"][-1]
    assert kept["citations"] == said["citations"] and kept["intent"] == "minutes"
    for citation in kept["citations"]:
        assert f"“{citation['quote']}”[{citation['n']}]" in kept["text"]
