"""Processes over HTTP: everyone asks, process administrators publish, administrators see who asked."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import pytest
from starlette.testclient import TestClient

from service import bootstrap
from service.access import Role
from tests.service.api.keyed import People, keyed_parts
from tests.service.process.kept import FORM, ID, UNREADABLE, broken, workbook, zipped

BASE = "/api/v1/processes"
FACTS: dict[str, Any] = {"申领金额": "5000", "category": "书", "是否紧急": False}


@pytest.fixture(scope="module")
def parts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[bootstrap.Parts]:
    with keyed_parts(tmp_path_factory.mktemp("processes") / "home") as built:
        yield built


@pytest.fixture(scope="module")
def people(parts: bootstrap.Parts) -> People:
    return People(parts)


@pytest.fixture(scope="module")
def keeper(people: People) -> Iterator[TestClient]:
    with people.client(Role.PROCESS_ADMIN) as client:
        yield client


@pytest.fixture(scope="module")
def reader(people: People) -> Iterator[TestClient]:
    with people.client(Role.READER) as client:
        yield client


def draft(client: TestClient, data: bytes, process: str = ID, name: str = "表.xlsx") -> Any:
    response = client.post(f"{BASE}/{process}/drafts", files={"file": (name, data)})
    assert response.status_code == 201, response.text
    return response.json()


def publish(client: TestClient, data: bytes, process: str = ID, name: str = "表.xlsx") -> Any:
    response = client.post(
        f"{BASE}/{process}/publish", json={"draft_id": draft(client, data, process, name)["draft_id"]}
    )
    assert response.status_code == 200, response.text
    return response.json()


@pytest.fixture(scope="module")
def published(keeper: TestClient) -> str:
    """The digest of the version that serves, with its form."""
    bundle = zipped({"表.xlsx": workbook(), f"templates/{FORM}": b"form"})
    digest: str = publish(keeper, bundle, name="包.zip")["digest"]
    return digest


def test_what_is_published_is_listed_and_shown_as_it_is_written(reader: TestClient, published: str) -> None:
    items = reader.get(BASE).json()["items"]
    assert [(each["id"], each["digest"], each["in_force"]) for each in items] == [(ID, published, True)]
    shown = reader.get(f"{BASE}/{ID}").json()
    assert (shown["state"], shown["version"], shown["findings"]) == ("published", "1.0", [])
    table = shown["tables"][0]
    assert table["conditions"] == ["申领金额(元)", "物品类别", "是否紧急"]
    rule = table["rules"][2]
    assert (rule["id"], rule["row"]) == ("R03", 8)
    assert rule["conditions"] == ["5000以上且不满5万", "除 劳保用品 外", "任意"]
    assert rule["results"] == ["标准", "部门审批 > 行政审核 > 发放登记", "M01、M02", "3"]
    assert [each["code"] for each in shown["fields"]] == ["amount", "category", "urgent", "department"]
    assert shown["gaps"][0]["reason"] == "5 万元以上请走采购流程"
    assert len(shown["cases"]) == 5 and shown["changes"][0]["text"] == "首次编写"


def test_a_form_is_downloaded_under_its_own_name(reader: TestClient, published: str) -> None:
    materials = reader.get(f"{BASE}/{ID}").json()["materials"]
    template = materials[0]["template"]
    assert template["name"] == FORM and materials[1]["template"] is None
    got = reader.get(template["url"])
    assert got.content == b"form"
    assert got.headers["content-disposition"] == f"attachment; filename*=UTF-8''{quote(FORM)}"
    assert got.headers["content-security-policy"].startswith("sandbox")
    for name in ("没有.docx", "..%2F..%2Fzhixing.db", "%2e%2e"):
        assert reader.get(f"{BASE}/{ID}/templates/{name}").status_code == 404


def test_a_case_is_decided_and_the_decision_is_recorded(
    people: People, reader: TestClient, published: str
) -> None:
    found = reader.post(f"{BASE}/{ID}/evaluate", json={"facts": FACTS}).json()
    assert (found["status"], found["card"]["path"], found["digest"]) == ("matched", "标准", published)
    assert found["engine"] == "offline" and found["tables"][0]["hits"] == ["R03"]
    replay = {"facts": FACTS, "version": "1.0", "as_of": "2025-06-01"}
    assert reader.post(f"{BASE}/{ID}/evaluate", json=replay).json()["as_of"] == "2025-06-01"
    assert reader.get(f"{BASE}/{ID}/decisions").status_code == 403
    with people.client(Role.ADMIN) as admin:
        page = admin.get(f"{BASE}/{ID}/decisions").json()
    assert page["total"] == 1 and page["usage"]["by_action"] == {"card": 1}
    assert page["items"][0]["inputs"] == {"amount": "5000", "category": "图书", "urgent": "否"}
    assert page["items"][0]["matched"][0]["rules"] == ["R03"]


def test_numbers_may_be_numbers(reader: TestClient, published: str) -> None:
    for amount in (4999.5, 4999, "4999.50"):
        found = reader.post(f"{BASE}/{ID}/evaluate", json={"facts": {**FACTS, "申领金额": amount}}).json()
        assert found["card"]["path"] == "简易"


def test_a_value_that_cannot_be_used_is_named(reader: TestClient, published: str) -> None:
    response = reader.post(f"{BASE}/{ID}/evaluate", json={"facts": {"申领金额": "约五千", "颜色": "红"}})
    error = response.json()["error"]
    assert (response.status_code, error["code"]) == (400, "invalid_facts")
    assert [each["field"] for each in error["details"]["problems"]] == ["申领金额", "颜色"]


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"facts": {"申领金额": None}}, 422),
        ({"facts": {"申领金额": "9" * 1001}}, 422),
        ({"facts": {}, "asof": "2025-01-01"}, 422),
        ({"facts": {}, "version": "9.9"}, 404),
        ({"facts": {}, "as_of": "2024-12-31"}, 409),
        ({"facts": {"申领金额": 1e308}}, 400),
    ],
)
def test_a_wrong_question_is_refused(
    reader: TestClient, published: str, body: dict[str, Any], status: int
) -> None:
    assert reader.post(f"{BASE}/{ID}/evaluate", json=body).status_code == status


def test_a_faulty_draft_is_refused_with_its_findings_and_the_old_version_serves(
    keeper: TestClient, reader: TestClient, published: str
) -> None:
    made = draft(keeper, broken())
    assert not made["ok"] and made["findings"][0]["code"] == "blank_condition"
    response = keeper.post(f"{BASE}/{ID}/publish", json={"draft_id": made["draft_id"]})
    error = response.json()["error"]
    assert (response.status_code, error["code"]) == (409, "faulty_workbook")
    assert error["details"]["findings"] == made["findings"]
    assert reader.get(f"{BASE}/{ID}").json()["digest"] == published
    listed = keeper.get(f"{BASE}/{ID}/drafts").json()["items"]
    assert [each["draft_id"] for each in listed] == [made["draft_id"]]
    assert keeper.delete(f"{BASE}/{ID}/drafts/{made['draft_id']}").status_code == 204
    assert keeper.delete(f"{BASE}/{ID}/drafts/{made['draft_id']}").status_code == 404


def test_a_draft_is_looked_at_and_tried_by_its_keepers_only(
    keeper: TestClient, reader: TestClient, published: str
) -> None:
    made = draft(keeper, workbook("2.0"))
    query = {"draft": made["draft_id"]}
    shown = keeper.get(f"{BASE}/{ID}", params=query).json()
    assert (shown["state"], shown["version"]) == ("draft", "2.0")
    body = {"facts": FACTS}
    tried = keeper.post(f"{BASE}/{ID}/evaluate", params=query, json=body).json()
    assert tried["version"] == "2.0"
    assert keeper.get(f"{BASE}/{ID}/workbook", params=query).content == workbook("2.0")
    assert reader.get(f"{BASE}/{ID}", params=query).status_code == 403
    assert reader.post(f"{BASE}/{ID}/evaluate", params=query, json=body).status_code == 403
    assert reader.get(f"{BASE}/{ID}/workbook", params=query).status_code == 403
    assert reader.get(BASE).json()["items"][0]["drafts"] == 0
    assert keeper.get(BASE).json()["items"][0]["drafts"] == 1
    assert keeper.delete(f"{BASE}/{ID}/drafts/{made['draft_id']}").status_code == 204


def test_what_cannot_be_read_is_shown_with_the_reason_alone(keeper: TestClient, reader: TestClient) -> None:
    made = draft(keeper, UNREADABLE, "新流程")
    shown = keeper.get(f"{BASE}/新流程", params={"draft": made["draft_id"]}).json()
    assert shown["tables"] == [] and shown["findings"][0]["code"] == "unreadable"
    assert (
        keeper.post(
            f"{BASE}/新流程/evaluate", params={"draft": made["draft_id"]}, json={"facts": {}}
        ).status_code
        == 409
    )
    assert "新流程" in [each["id"] for each in keeper.get(BASE).json()["items"]]
    assert "新流程" not in [each["id"] for each in reader.get(BASE).json()["items"]]
    assert reader.get(f"{BASE}/新流程").status_code == 404
    keeper.delete(f"{BASE}/新流程/drafts/{made['draft_id']}")


def test_versions_are_published_downloaded_and_withdrawn(keeper: TestClient, reader: TestClient) -> None:
    process = {"流程信息_B1": "SEAL", "流程信息_B2": "用印"}
    first = publish(keeper, workbook("1.0", **process), "SEAL")
    second = publish(keeper, workbook("2.0", **process), "SEAL")
    assert second["changed"] and second["serving"]
    assert not publish(keeper, workbook("2.0", **process), "SEAL")["changed"]
    assert reader.get(f"{BASE}/SEAL").json()["version"] == "2.0"
    assert reader.get(f"{BASE}/SEAL/workbook", params={"version": "1.0"}).content == workbook(
        "1.0", **process
    )
    gone = f"{BASE}/SEAL/versions/{second['digest']}"
    assert reader.delete(gone).status_code == 403
    assert keeper.delete(gone).status_code == 204
    assert reader.get(f"{BASE}/SEAL").json()["digest"] == first["digest"]
    versions = reader.get(f"{BASE}/SEAL/versions").json()["items"]
    assert [(each["version"], each["state"], each["in_force"]) for each in versions] == [
        ("2.0", "withdrawn", False),
        ("1.0", "published", True),
    ]
    assert keeper.delete(f"{BASE}/SEAL/versions/{'0' * 64}").status_code == 404


@pytest.mark.parametrize("role", [Role.READER, Role.CONTRIBUTOR])
def test_others_change_nothing(people: People, published: str, role: Role) -> None:
    with people.client(role) as client:
        file = {"file": ("表.xlsx", workbook("6.0"))}
        assert client.post(f"{BASE}/{ID}/drafts", files=file).status_code == 403
        assert client.get(f"{BASE}/{ID}/drafts").status_code == 403
        assert client.post(f"{BASE}/{ID}/publish", json={"draft_id": "x"}).status_code == 403
        assert client.delete(f"{BASE}/{ID}/drafts/x").status_code == 403
        assert client.get(f"{BASE}/{ID}").json()["digest"] == published


def test_nobody_unknown_gets_in(parts: bootstrap.Parts, people: People) -> None:
    with people.client(Role.READER) as client:
        assert client.get(BASE, headers={"Authorization": "Bearer wrong"}).status_code == 401


@pytest.mark.parametrize(
    ("name", "data", "status"),
    [
        ("包.zip", zipped({"甲.xlsx": workbook(), "乙.xlsx": workbook()}), 400),
        ("表.xlsx", workbook(流程信息_B1="OTHER"), 400),
        ("大.xlsx", b"x" * 4_000_000, 413),
    ],
)
def test_an_upload_that_is_no_draft_of_the_process_is_refused(
    keeper: TestClient, name: str, data: bytes, status: int
) -> None:
    response = keeper.post(f"{BASE}/{ID}/drafts", files={"file": (name, data)})
    assert response.status_code == status
    assert response.json()["error"]["message"]


def test_a_process_nobody_published_is_not_there(reader: TestClient) -> None:
    for path in ("", "/versions", "/workbook", f"/templates/{FORM}"):
        assert reader.get(f"{BASE}/没有{path}").status_code == 404
    assert reader.post(f"{BASE}/没有/evaluate", json={"facts": {}}).status_code == 404
