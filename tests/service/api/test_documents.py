"""Documents over HTTP: what goes in answers, what is withdrawn or deleted does not, at once."""

import time
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.running import Running, serving

RULE = """# 停车管理规定

## 第一章 总则

第一条 员工车辆凭电子通行证进入地下二层车库。

第二条 访客车辆每次停放不超过四小时，超过的按每小时十元收费。
"""
NEWER = RULE.replace("四小时", "六小时").replace("# 停车", "自2025年1月1日起施行。\n\n# 停车")


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with serving(tmp_path_factory.mktemp("documents") / "home") as running:
        yield running


@pytest.fixture
def client(service: Running) -> Iterator[httpx.Client]:
    with service.client() as client:
        yield client


def upload(client: httpx.Client, name: str, data: bytes, **form: str) -> dict[str, Any]:
    """Upload, wait for the task, and return it with the ids of the answer."""
    response = client.post("/api/v1/documents", files={"file": (name, data)}, data=form)
    assert response.status_code == 202, response.text
    accepted: dict[str, Any] = response.json()
    for _ in range(600):
        task = client.get(f"/api/v1/tasks/{accepted['task_id']}").json()
        if task["state"] != "running":
            return {**task, "accepted": accepted, "file": task["files"][0] if task["files"] else None}
        time.sleep(0.05)
    raise AssertionError("the task did not finish")


def ask(client: httpx.Client, message: str) -> dict[str, Any]:
    answer: dict[str, Any] = client.post("/api/v1/chat", json={"message": message, "stream": False}).json()
    return answer


def test_an_uploaded_file_answers_and_keeps_its_original(client: httpx.Client) -> None:
    task = upload(client, "停车管理规定.md", RULE.encode(), owner="行政部")
    assert task["state"] == "done"
    assert task["file"]["state"] == "parsed"
    document_id = task["file"]["document_id"]
    assert document_id == task["accepted"]["document_id"]
    answer = ask(client, "访客车辆每次停放不超过几小时？")
    assert "四小时" in answer["answer"]
    original = client.get(f"/api/v1/documents/{document_id}/original")
    assert original.content == RULE.encode()
    assert original.headers["content-disposition"].startswith("attachment")
    listed = client.get("/api/v1/documents", params={"search": "停车"}).json()
    assert [item["id"] for item in listed["items"]] == [document_id]
    assert listed["items"][0]["owner"] == "行政部"


def test_the_same_name_again_becomes_a_revision_and_only_the_newer_answers(client: httpx.Client) -> None:
    first = upload(client, "停车管理规定.md", RULE.encode())
    second = upload(client, "停车管理规定.md", NEWER.encode())
    assert second["file"]["document_id"] == first["file"]["document_id"]
    document = client.get(f"/api/v1/documents/{second['file']['document_id']}").json()
    assert [r["status"] for r in document["revisions"]] == ["active", "superseded"]
    answer = ask(client, "访客车辆每次停放不超过几小时？")
    assert "六小时" in answer["answer"]
    assert "四小时" not in answer["answer"]


def test_one_revision_is_deleted_and_the_one_before_answers_again(client: httpx.Client) -> None:
    name, old, new = "吸烟管理规定.md", RULE.replace("停车", "吸烟"), NEWER.replace("停车", "吸烟")
    upload(client, name, old.encode())
    document_id = upload(client, name, new.encode())["file"]["document_id"]
    path = f"/api/v1/documents/{document_id}"
    newer, older = (revision["id"] for revision in client.get(path).json()["revisions"])
    assert client.delete(f"{path}/revisions/{newer}").status_code == 204
    assert client.delete(f"{path}/revisions/{newer}").status_code == 404
    (left,) = client.get(path).json()["revisions"]
    assert (left["id"], left["status"]) == (older, "active")
    assert client.delete(f"{path}/revisions/{older}").status_code == 204
    assert client.get(path).status_code == 404


def test_unchanged_bytes_are_not_taken_again(client: httpx.Client) -> None:
    before = client.get("/metrics").text
    upload(client, "不变.md", RULE.replace("停车", "通行").encode())
    task = upload(client, "不变.md", RULE.replace("停车", "通行").encode())
    assert task["done"] == 1
    assert task["failed"] == 0
    assert client.get("/metrics").text != before


def test_withdrawing_is_immediate_and_can_be_undone(client: httpx.Client) -> None:
    text = "# 健身房使用须知\n\n健身房每天六点至二十二点开放，须穿运动鞋入场。\n"
    document_id = upload(client, "健身房.md", text.encode())["file"]["document_id"]
    question = "健身房几点开放？"
    assert "六点" in ask(client, question)["answer"]
    path = f"/api/v1/documents/{document_id}"
    assert client.patch(path, json={"status": "withdrawn"}).json()["revisions"][0]["status"] == "withdrawn"
    refused = ask(client, question)
    assert refused["refusal"] is not None
    assert refused["citations"] == []
    client.patch(path, json={"status": "active"})
    assert "六点" in ask(client, question)["answer"]


def test_a_deleted_document_is_not_retrievable_within_a_second(client: httpx.Client) -> None:
    text = "# 母婴室说明\n\n母婴室在三层东侧，钥匙向前台领取，每次使用不超过四十分钟。\n"
    document_id = upload(client, "母婴室.md", text.encode())["file"]["document_id"]
    question = "母婴室的钥匙在哪里领？"
    assert "前台" in ask(client, question)["answer"]
    assert client.delete(f"/api/v1/documents/{document_id}").status_code == 204
    started = time.monotonic()
    found = client.post("/api/v1/retrieval", json={"query": question}).json()
    assert time.monotonic() - started < 1
    assert document_id not in {item["document_id"] for item in found["evidence"]}
    assert client.get(f"/api/v1/documents/{document_id}").status_code == 404
    assert client.get(f"/api/v1/documents/{document_id}/original").status_code == 404
    again = upload(client, "母婴室.md", text.encode())
    assert again["file"]["state"] == "parsed"


@pytest.mark.parametrize(
    ("name", "data", "state", "reason"),
    [
        ("空.docx", b"", "failed", "empty"),
        ("坏.pdf", b"%PDF-1.7\nnot really", "failed", "corrupt"),
        ("程序.exe", b"MZ" + bytes(200), "unsupported", "unsupported"),
    ],
)
def test_a_file_that_cannot_be_read_ends_in_a_state_with_a_reason(
    client: httpx.Client, name: str, data: bytes, state: str, reason: str
) -> None:
    task = upload(client, name, data)
    assert task["state"] == "done_with_failures"
    assert (task["file"]["state"], task["file"]["reason"]) == (state, reason)
    assert task["file"]["message"]
    listed = client.get("/api/v1/files", params={"state": state, "page_size": 200}).json()
    assert name in {item["file_name"] for item in listed["items"]}


def test_file_names_with_paths_lose_them(client: httpx.Client) -> None:
    task = upload(client, "../../etc/停车.md", RULE.replace("停车", "班车").encode())
    assert task["file"]["file_name"] == "停车.md"


def test_the_account_of_every_file_balances(client: httpx.Client) -> None:
    for item in client.get("/api/v1/files", params={"page_size": 200}).json()["items"]:
        report = item["report"]
        if report:
            dropped = sum(entry["chars"] for entry in report["dropped"])
            assert report["chars_kept"] + dropped == report["chars_in"], item["file_name"]


@pytest.mark.parametrize("path", ["content", "original", ""])
def test_unknown_documents_are_not_found(client: httpx.Client, path: str) -> None:
    response = client.get(f"/api/v1/documents/nothing/{path}".rstrip("/"))
    assert response.status_code == 404
    assert response.json()["error"]["code"] == "not_found"


def test_a_revision_of_another_document_is_not_found_wherever_it_is_named(client: httpx.Client) -> None:
    one = upload(client, "消防规定.md", "# 消防规定\n\n灭火器每月检查一次。\n".encode())["file"]
    other = upload(client, "绿化规定.md", "# 绿化规定\n\n盆栽每周浇水一次。\n".encode())["file"]
    path, asked = f"/api/v1/documents/{one['document_id']}", {"revision": other["revision_id"]}
    answers = [client.get(f"{path}/{what}", params=asked) for what in ("content", "chunks", "original")]
    answers.append(client.patch(path, json={"status": "withdrawn", **asked}))
    assert [answer.status_code for answer in answers] == [404] * 4
    assert {answer.json()["error"]["message"] for answer in answers} == {"这份文档没有该版本"}
    there = client.get(f"/api/v1/documents/{other['document_id']}").json()
    assert there["revisions"][0]["status"] == "active"


def test_health_readiness_and_metrics_answer(client: httpx.Client) -> None:
    assert client.get("/healthz").json()["status"] == "ok"
    ready = client.get("/readyz")
    assert ready.status_code == 200, ready.text
    assert ready.json()["checks"] == {"database": "ok", "index": "ok"}
    metrics = client.get("/metrics").text
    for name in ("zhixing_http_requests_total", "zhixing_stage_seconds", "zhixing_ingested_files_total"):
        assert name in metrics
