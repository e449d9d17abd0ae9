"""Meetings over HTTP: uploaded, listed, read whole, and as if absent to those who may not read them."""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

import pytest
from starlette.testclient import TestClient

from service import bootstrap
from service.access import Role
from tests.service.api.keyed import People, keyed_parts

TALK = """会议主题：{title}
会议时间：{day}

张总：我们先看返点的事，华东区今年压货太多。
李四：{words}那边我下周五之前给出方案。
张总：那就这么定，返点统一降到百分之三。
王敏：下一个议题，班车。早班车改到七点。
"""
ABSENT = "00000000-0000-5000-8000-000000000000"


@pytest.fixture(scope="module")
def parts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[bootstrap.Parts]:
    with keyed_parts(tmp_path_factory.mktemp("minutes") / "home") as built:
        yield built


@dataclass(frozen=True)
class Clients:
    admin: TestClient
    finance: TestClient
    personnel: TestClient
    contributors: tuple[TestClient, TestClient]


@pytest.fixture(scope="module")
def clients(parts: bootstrap.Parts) -> Iterator[Clients]:
    """All open until the end: the first that closes stops the service."""
    people = People(parts)
    with ExitStack() as stack:
        yield Clients(
            stack.enter_context(people.client(Role.ADMIN)),
            stack.enter_context(people.client(Role.READER, "总部/财务部")),
            stack.enter_context(people.client(Role.CONTRIBUTOR, "总部/人事部")),
            (
                stack.enter_context(people.client(Role.CONTRIBUTOR)),
                stack.enter_context(people.client(Role.CONTRIBUTOR)),
            ),
        )


@pytest.fixture(scope="module")
def admin(clients: Clients) -> TestClient:
    return clients.admin


def talk(title: str = "渠道例会", day: str = "2026-03-05", words: str = "经销商") -> bytes:
    return TALK.format(title=title, day=day, words=words).encode()


def upload(client: TestClient, name: str, data: bytes, **form: str) -> dict[str, Any]:
    """Upload, wait, and return the file's record beside what was promised."""
    accepted = client.post("/api/v1/minutes", files={"file": (name, data)}, data=form)
    assert accepted.status_code == 202, accepted.text
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        task = client.get(f"/api/v1/tasks/{accepted.json()['task_id']}").json()
        if task["state"] != "running":
            return {**task["files"][0], "accepted": accepted.json()}
        time.sleep(0.05)
    raise AssertionError("the task did not finish")


def titles(client: TestClient) -> list[str]:
    return [item["title"] for item in client.get("/api/v1/minutes").json()["items"]]


def test_an_upload_can_be_read_as_it_was_cut(admin: TestClient) -> None:
    record = upload(admin, "渠道.txt", talk())
    assert record["document_id"] == record["accepted"]["document_id"]
    assert record["revision_id"] == record["accepted"]["revision_id"]
    meeting = admin.get(f"/api/v1/minutes/{record['document_id']}").json()
    assert meeting["meeting"]["title"] == "渠道例会" and meeting["meeting"]["date"] == "2026-03-05"
    numbers = [paragraph["n"] for segment in meeting["segments"] for paragraph in segment["paragraphs"]]
    assert numbers == list(range(1, meeting["completeness"]["total_paragraphs"] + 1))
    assert meeting["completeness"]["passed"] and meeting["completeness"]["char_diff"] == 0
    assert {outcome["kind"] for outcome in meeting["outcomes"]} >= {"action"}
    texts = {p["n"]: p["text"] for segment in meeting["segments"] for p in segment["paragraphs"]}
    assert all(outcome["text"] in texts[outcome["paragraph"]] for outcome in meeting["outcomes"])
    assert meeting["engine"] == "offline" and meeting["seconds"] >= 0
    assert all(line.startswith("[") for line in meeting["run_log"]) and len(meeting["run_log"]) > 5
    (line,) = [item for item in admin.get("/api/v1/minutes").json()["items"] if item["title"] == "渠道例会"]
    assert line["speakers"] == ["张总", "李四", "王敏"]
    assert (line["date"], line["segments"]) == ("2026-03-05", len(meeting["segments"]))


def test_meetings_are_listed_by_pages_the_latest_first(admin: TestClient) -> None:
    for month in ("2025-01", "2025-07"):
        upload(admin, f"{month}.txt", talk(title=f"{month}月会", day=f"{month}-11", words=month))
    whole = admin.get("/api/v1/minutes").json()
    dates = [item["date"] for item in whole["items"]]
    assert dates == sorted(dates, reverse=True)
    second = admin.get("/api/v1/minutes", params={"page": 2, "page_size": 1}).json()
    assert second["items"] == whole["items"][1:2] and second["total"] == whole["total"]


def test_a_meeting_of_another_department_is_as_absent(clients: Clients) -> None:
    finance, personnel = clients.finance, clients.personnel
    data = talk(title="奖金例会", words="奖金")
    record = upload(clients.admin, "奖金.txt", data, labels="department:总部/财务部")
    path = f"/api/v1/minutes/{record['document_id']}"
    assert finance.get(path).status_code == 200 and "奖金例会" in titles(finance)
    hidden, absent = personnel.get(path), personnel.get(f"/api/v1/minutes/{ABSENT}")
    assert hidden.status_code == absent.status_code == 404
    assert hidden.json() == absent.json()
    assert "奖金例会" not in titles(personnel)
    assert personnel.delete(f"/api/v1/documents/{record['document_id']}").status_code == 404
    own = upload(personnel, "奖金.txt", data)
    assert own["document_id"] != record["document_id"], "the same words do not open a hidden meeting"
    assert titles(personnel).count("奖金例会") == 1


def test_one_file_uploaded_many_times_at_once_is_one_meeting(clients: Clients) -> None:
    data = talk(title="抢传例会", words="抢传")
    one, other = clients.contributors
    senders = [(one, "甲.txt"), (other, "乙.txt"), (one, "丙.txt"), (other, "甲.txt")]
    with ThreadPoolExecutor(len(senders)) as pool:
        records = list(pool.map(lambda sender: upload(sender[0], sender[1], data), senders))
    assert len({record["document_id"] for record in records}) == 1
    assert all(record["state"] == "parsed" for record in records)
    assert titles(one).count("抢传例会") == 1


def test_a_deleted_meeting_is_gone_from_everywhere(admin: TestClient, parts: bootstrap.Parts) -> None:
    record = upload(admin, "作废.txt", talk(title="作废例会", words="作废"))
    written = parts.settings.home / "minutes" / f"{record['document_id']}.json"
    assert written.exists()
    assert admin.delete(f"/api/v1/documents/{record['document_id']}").status_code == 204
    assert admin.get(f"/api/v1/minutes/{record['document_id']}").status_code == 404
    assert "作废例会" not in titles(admin) and not written.exists()


@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [("README.md", talk(), "unsupported"), ("空.txt", b"\n\n", "empty"), ("表.xlsx", b"PK", "unsupported")],
)
def test_what_is_no_meeting_is_told_in_the_task(
    admin: TestClient, name: str, data: bytes, reason: str
) -> None:
    record = upload(admin, name, data)
    assert (record["reason"], record["document_id"]) == (reason, None)
    assert record["message"]


def test_knowledge_is_not_answered_from_what_was_said_in_a_meeting(admin: TestClient) -> None:
    upload(admin, "门禁.txt", talk(title="门禁例会", words="门禁卡补办工本费二十元，门禁卡"))
    asked = {"message": "门禁卡补办工本费多少钱？", "mode": "knowledge", "stream": False}
    before = admin.post("/api/v1/chat", json=asked).json()
    assert before["citations"] == [] and before["refusal"] is not None
    assert all(one["document_name"] != "门禁例会" for one in before["refusal"]["nearest"])
    query = {"query": "门禁卡补办工本费", "similarity_threshold": 0}
    found = admin.post("/api/v1/retrieval", json=query).json()
    assert "门禁例会" in {one["document_name"] for one in found["evidence"]}
