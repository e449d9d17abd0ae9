"""Corrections over HTTP: what is put right counts for the next question, and only administrators may."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from service.access import Role
from tests.service.api.keyed import People, keyed_parts, upload

PARKING = "# 停车规定\n\n第一条 访客车辆每次停放不超过四小时。\n\n第二条 员工凭证入库。\n"


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[TestClient, TestClient]]:
    """An administrator and a contributor; the service stops when either leaves."""
    folder: Path = tmp_path_factory.mktemp("corrections") / "home"
    with keyed_parts(folder) as parts:
        people = People(parts)
        with people.client(Role.ADMIN) as admin, people.client(Role.CONTRIBUTOR) as contributor:
            yield admin, contributor


@pytest.fixture
def admin(people: tuple[TestClient, TestClient]) -> TestClient:
    return people[0]


@pytest.fixture
def contributor(people: tuple[TestClient, TestClient]) -> TestClient:
    return people[1]


def put(client: TestClient, title: str) -> dict[str, Any]:
    return upload(client, f"{title}.md", PARKING.replace("停车规定", title).replace("访客", title))


def owners_found(client: TestClient, owner: str) -> set[str]:
    body = {"query": "车辆停放几小时", "explain": True, "metadata_condition": {"owners": [owner]}}
    found = client.post("/api/v1/retrieval", json=body).json()
    return {item["document_name"] for item in found["candidates"] if item["cut"] != "filter"}


def test_corrected_facts_are_shown_and_filtered_by(admin: TestClient) -> None:
    record = put(admin, "旧题名")
    path = f"/api/v1/documents/{record['document_id']}"
    facts = {"title": " 新题名 ", "owner": "行政部", "business_line": "后勤", "issuer": "公司"}
    changed = admin.patch(path, json={**facts, "labels": ["department: 总部 "]}).json()
    expected = {**facts, "title": "新题名", "labels": ["department:总部"]}
    assert {name: changed[name] for name in expected} == expected
    assert owners_found(admin, "行政部") == {"新题名"}


def test_a_contributor_changes_a_status_and_no_fact(admin: TestClient, contributor: TestClient) -> None:
    path = f"/api/v1/documents/{put(admin, '仓库规定')['document_id']}"
    assert contributor.patch(path, json={"status": "archived"}).status_code == 200
    assert contributor.patch(path, json={"status": "active", "owner": "我"}).status_code == 403
    revision = admin.get(path).json()["revisions"][0]
    days = contributor.patch(f"{path}/revisions/{revision['id']}", json={"effective_to": None})
    assert days.status_code == 403
    assert (revision["status"], admin.get(path).json()["owner"]) == ("archived", "某人")


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({}, 400),
        ({"revision": "x"}, 400),
        ({"title": "  "}, 422),
        ({"labels": []}, 400),
        ({"labels": ["财务部"]}, 400),
        ({"onwer": "行政部"}, 422),
        ({"status": "superseded"}, 400),
    ],
)
def test_a_change_that_means_nothing_is_told(admin: TestClient, change: dict[str, Any], status: int) -> None:
    path = f"/api/v1/documents/{put(admin, '空改规定')['document_id']}"
    before = admin.get(path).json()
    assert admin.patch(path, json=change).status_code == status
    assert admin.get(path).json() == before


def test_days_and_the_document_of_a_revision_are_set_by_hand(admin: TestClient) -> None:
    one, other = put(admin, "甲规定"), put(admin, "乙规定")
    path = f"/api/v1/documents/{one['document_id']}/revisions/{one['revision_id']}"
    dated = admin.patch(path, json={"effective_from": "2020-01-01", "effective_to": "2021-01-01"}).json()
    (revision,) = dated["revisions"]
    assert (revision["effective_from"], revision["in_force"]) == ("2020-01-01", False)
    assert any("某人" in line and "手工指定" in line for line in revision["evidence_of_version"])
    assert admin.patch(path, json={"effective_from": "2022-01-01"}).status_code == 400
    opened = admin.patch(path, json={"effective_to": None}).json()["revisions"][0]
    assert (opened["effective_from"], opened["effective_to"]) == ("2020-01-01", None)
    moved = admin.patch(path, json={"document_id": other["document_id"]}).json()
    assert moved["id"] == other["document_id"]
    assert {item["id"] for item in moved["revisions"]} == {one["revision_id"], other["revision_id"]}
    assert admin.get(f"/api/v1/documents/{one['document_id']}").status_code == 404
    path = f"/api/v1/documents/{other['document_id']}/revisions/{one['revision_id']}"
    own = admin.patch(path, json={"document_id": None}).json()
    assert [item["id"] for item in own["revisions"]] == [one["revision_id"]]
    assert own["id"] not in (one["document_id"], other["document_id"])
    assert admin.patch(path, json={"document_id": None}).status_code == 404


def test_what_was_moved_is_found_there_when_it_is_loaded_again(admin: TestClient) -> None:
    one, other = put(admin, "丙规定"), put(admin, "丁规定")
    path = f"/api/v1/documents/{one['document_id']}/revisions/{one['revision_id']}"
    admin.patch(path, json={"document_id": other["document_id"]})
    assert put(admin, "丙规定")["document_id"] == other["document_id"]
    newer = upload(admin, "丙规定.md", PARKING.replace("四小时", "六小时"))
    assert newer["document_id"] == other["document_id"]
