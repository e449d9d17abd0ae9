"""A document of another department: to those who may not read it, everything looks as if it did not exist."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from starlette.testclient import TestClient

from service import bootstrap
from service.access import Role
from tests.service.api.keyed import People, keyed_parts, upload

SECRET = """# 彩虹计划奖金分配办法

第一条 彩虹计划的奖金总额为三百七十万元，由财务部王建国掌管。

第二条 彩虹计划项目经理的奖金比例为百分之十八。
"""
PUBLIC = """# 图书借阅规定

第一条 每人每次可以借阅图书三册，期限三十天。

第二条 逾期不还的，每册每天收取一元。
"""
QUESTIONS = ["彩虹计划项目经理的奖金比例是多少？", "彩虹计划的奖金由谁掌管？", "图书可以借几册？"]
ABSENT = "00000000-0000-5000-8000-000000000000"


@dataclass(frozen=True)
class Scene:
    """`before`: what the colleague of another department saw before the document came."""

    admin: TestClient
    finance: TestClient
    personnel: TestClient
    hidden: dict[str, Any]
    before: dict[str, Any]


@pytest.fixture(scope="module")
def parts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[bootstrap.Parts]:
    with keyed_parts(tmp_path_factory.mktemp("hidden") / "home") as built:
        yield built


@pytest.fixture(scope="module")
def scene(parts: bootstrap.Parts) -> Iterator[Scene]:
    people = People(parts)
    with (
        people.client(Role.ADMIN) as admin,
        people.client(Role.READER, "总部/财务部") as finance,
        people.client(Role.CONTRIBUTOR, "总部/人事部") as personnel,
    ):
        upload(admin, "图书借阅规定.md", PUBLIC)
        before = {question: seen(personnel, question) for question in QUESTIONS}
        hidden = upload(admin, "彩虹计划.md", SECRET, labels="department:总部/财务部")
        assert hidden["state"] == "parsed"
        yield Scene(admin, finance, personnel, hidden, before)


def answer(client: TestClient, question: str) -> dict[str, Any]:
    found: dict[str, Any] = client.post("/api/v1/chat", json={"message": question, "stream": False}).json()
    return found


def retrieval(client: TestClient, question: str) -> dict[str, Any]:
    asked = {"query": question, "explain": True, "similarity_threshold": 0, "top_k": 50}
    found: dict[str, Any] = client.post("/api/v1/retrieval", json=asked).json()
    return found


def seen(client: TestClient, question: str) -> dict[str, Any]:
    """What a question shows, without ids and times that are new with each. Scores are left out: how rare a
    word is, is counted over all documents."""
    said, found = answer(client, question), retrieval(client, question)
    refusal = said["refusal"] or {}
    return {
        "answer": said["answer"],
        "cited": [(item["n"], item["quote"]) for item in said["citations"]],
        "references": [item["chunk_id"] for item in said["references"]],
        "refusal": (refusal.get("reason"), refusal.get("message")),
        "evidence": [item["chunk_id"] for item in found["evidence"]],
        "candidates": sorted((item["chunk_id"], tuple(item["matched"])) for item in found["candidates"]),
        "reason": found["reason"],
    }


def test_its_own_department_reads_it(scene: Scene) -> None:
    document_id = scene.hidden["document_id"]
    assert scene.finance.get(f"/api/v1/documents/{document_id}").status_code == 200
    found = retrieval(scene.finance, QUESTIONS[0])
    assert document_id in {item["document_id"] for item in found["evidence"]}


@pytest.mark.parametrize("question", QUESTIONS)
def test_questions_are_answered_as_before_it_came(scene: Scene, question: str) -> None:
    assert seen(scene.personnel, question) == scene.before[question]


@pytest.mark.parametrize("question", QUESTIONS)
def test_no_word_of_it_comes_out_of_any_question(scene: Scene, question: str) -> None:
    asked = {"message": question, "filters": {"document_ids": [scene.hidden["document_id"]]}}
    texts = [
        scene.personnel.post("/api/v1/chat", json={**asked, "stream": True}).text,
        scene.personnel.post("/api/v1/retrieval", json={"query": question, "explain": True}).text,
        scene.personnel.post(
            "/v1/chat/completions",
            json={"model": "zhixing", "messages": [{"role": "user", "content": question}]},
        ).text,
    ]
    for text in texts:
        for word in ("三百七十万", "王建国", "百分之十八", scene.hidden["document_id"]):
            assert word not in text


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/api/v1/documents/{}"),
        ("GET", "/api/v1/documents/{}/content"),
        ("GET", "/api/v1/documents/{}/chunks"),
        ("GET", "/api/v1/documents/{}/original"),
        ("GET", "/api/v1/documents/{}/content?revision=REVISION"),
        ("GET", "/api/v1/documents/{}/chunks?revision=REVISION"),
        ("GET", "/api/v1/documents/{}/original?revision=REVISION"),
        ("GET", "/api/v1/documents/{}/comparison"),
        ("GET", "/api/v1/documents/{}/comparison?left=REVISION&right=REVISION"),
        ("PATCH", "/api/v1/documents/{}"),
        ("DELETE", "/api/v1/documents/{}"),
    ],
)
def test_its_address_answers_byte_for_byte_like_one_of_nothing(scene: Scene, method: str, path: str) -> None:
    body = {"status": "withdrawn"} if method == "PATCH" else None
    path = path.replace("REVISION", scene.hidden["revision_id"])
    hidden, absent = (
        scene.personnel.request(method, path.format(document_id), json=body)
        for document_id in (scene.hidden["document_id"], ABSENT)
    )
    assert hidden.status_code == 404
    assert (hidden.status_code, hidden.headers, hidden.content) == (404, absent.headers, absent.content)


def test_lists_and_counts_leave_it_out(scene: Scene) -> None:
    for parameters in ({}, {"search": "彩虹"}, {"knowledge_base": "default"}, {"page_size": 1}):
        listed = scene.personnel.get("/api/v1/documents", params=parameters).json()
        assert scene.hidden["document_id"] not in {item["id"] for item in listed["items"]}
        assert listed["total"] == (0 if "search" in parameters else 1)
    task = {"task_id": scene.hidden["task_id"]}
    for parameters in ({}, task, {"state": "parsed"}):
        files = scene.personnel.get("/api/v1/files", params=parameters).json()
        assert "彩虹计划.md" not in {item["file_name"] for item in files["items"]}


def test_tasks_and_history_of_others_look_like_none(scene: Scene) -> None:
    said = answer(scene.finance, QUESTIONS[0])
    for path, value in (
        ("/api/v1/tasks/{}", scene.hidden["task_id"]),
        ("/api/v1/conversations/{}/messages", said["conversation_id"]),
        ("/api/v1/messages/{}/events", said["message_id"]),
    ):
        theirs, none = (scene.personnel.get(path.format(key)) for key in (value, ABSENT))
        assert (theirs.status_code, theirs.content) == (404, none.content)
    assert scene.personnel.get("/api/v1/conversations").json()["items"] != []
    ids = {item["id"] for item in scene.personnel.get("/api/v1/conversations").json()["items"]}
    assert said["conversation_id"] not in ids
    continued = {"message": "奖金呢？", "conversation_id": said["conversation_id"], "stream": False}
    assert scene.personnel.post("/api/v1/chat", json=continued).status_code == 404


def test_the_same_file_of_a_colleague_is_a_document_of_their_own(scene: Scene) -> None:
    """Neither what they get nor what becomes of the hidden one tells that it is there."""
    own = upload(scene.personnel, "彩虹计划.md", SECRET)
    assert own["document_id"] != scene.hidden["document_id"]
    found = scene.personnel.get(f"/api/v1/documents/{own['document_id']}").json()
    assert not any("一致" in reason for reason in found["revisions"][0]["evidence_of_version"])
    assert scene.personnel.delete(f"/api/v1/documents/{own['document_id']}").status_code == 204
    path = f"/api/v1/documents/{scene.hidden['document_id']}/original"
    assert scene.finance.get(path).content == SECRET.encode()


def test_a_revision_never_opens_a_document_to_everybody(scene: Scene) -> None:
    first = upload(
        scene.admin, "薪级.md", "# 薪级表\n\n一级为每月八千元。\n", labels="department:总部/财务部"
    )
    path = f"/api/v1/documents/{first['document_id']}"
    for form in ({}, {"labels": "public"}):
        text = f"# 薪级表\n\n一级为每月九千元，附注{len(form)}。\n"
        again = upload(scene.admin, "薪级.md", text, **form)
        assert again["document_id"] == first["document_id"]
        assert scene.admin.get(path).json()["labels"] == ["department:总部/财务部"]
        assert scene.personnel.get(path).status_code == 404


def test_a_revision_can_close_a_document_and_the_same_bytes_can(scene: Scene) -> None:
    text = "# 食堂补贴说明\n\n食堂补贴每人每天十八元。\n"
    first = upload(scene.admin, "补贴.md", text)
    path = f"/api/v1/documents/{first['document_id']}"
    assert scene.personnel.get(path).status_code == 200
    upload(scene.admin, "补贴.md", text, labels=["group:食堂", "department:/总部/财务部/"])
    assert scene.personnel.get(path).status_code == 404
    assert scene.finance.get(path).json()["labels"] == ["group:食堂", "department:总部/财务部"]
    assert "十八元" not in answer(scene.personnel, "食堂补贴每天多少？")["answer"]
    listed = scene.personnel.get("/api/v1/files", params={"page_size": 200}).json()["items"]
    assert "补贴.md" not in {item["file_name"] for item in listed}


def test_a_restricted_copy_does_not_join_the_public_document(scene: Scene) -> None:
    restricted = PUBLIC + "\n第三条 内部图书每册押金五十元。\n"
    copy = upload(scene.admin, "图书借阅规定（内部）.md", restricted, labels="department:总部/财务部")
    assert scene.personnel.get(f"/api/v1/documents/{copy['document_id']}").status_code == 404
    assert "五十元" not in answer(scene.personnel, "内部图书每册押金是多少？")["answer"]
