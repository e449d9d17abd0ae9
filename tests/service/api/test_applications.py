"""Applications over HTTP: one's own, one by its id, and nothing of other people's."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from service import bootstrap
from service.access import Role
from service.app import create_app
from service.config import Settings
from service.home import Home
from service.process.status.desk import StatusDesk
from service.process.status.file_connector import FileConnector
from service.process.status.people import People
from service.process.status.records import Words
from service.process.status.telling import Teller
from service.process.status.workdays import WorkDays
from service.store.database import Database
from service.store.keys import KeyStore
from tests.conftest import REPOSITORY

DATA = REPOSITORY / "data" / "status"
TELLER = Teller(WorkDays(), "李雯")


@dataclass(frozen=True)
class Office:
    """The application with the sample's applications, and a key for each of some people."""

    parts: bootstrap.Parts
    client: TestClient
    keys: dict[str, str]

    def headers(self, person: str) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.keys[person]}", "X-Request-Id": "r"}

    def get(self, person: str, path: str, **params: str | int) -> "Answer":
        headers = self.headers(person)
        response = self.client.get(f"/api/v1/applications{path}", headers=headers, params=params)
        return Answer(response.status_code, response.content, response.json())


@dataclass(frozen=True)
class Answer:
    status: int
    content: bytes
    json: dict  # type: ignore[type-arg]


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Office]:
    folder: Path = tmp_path_factory.mktemp("applications")
    people = folder / "people.csv"
    settings = Settings(
        home=folder / "home",
        auth="keys",
        ingest_workers=1,
        status_source=f"file:{DATA / 'applications.csv'}",
        status_people=people,
        _env_file=None,
    )
    with Home(settings.home) as home:
        database = Database(settings.sql_url)
        database.migrate()
        store = KeyStore(database)
        made = {
            "wenting": store.create("温婷", Role.READER),
            "hewen": store.create("贺文", Role.READER),
            "qiuyan": store.create("邱岩", Role.READER),
            "stranger": store.create("某人", Role.PROCESS_ADMIN),
            "admin": store.create("管理员", Role.ADMIN),
        }
        database.close()
        known = [name for name in made if name not in ("stranger", "admin")]
        rows = "".join(f"key:{made[name][0]},{name},\n" for name in known)
        people.write_text(f"账号,人员编号,姓名\n{rows}", encoding="utf-8")
        parts = bootstrap.build(settings, home)
        keys = {name: key for name, (_, key) in made.items()}
        with TestClient(create_app(parts, with_console=False), raise_server_exceptions=False) as client:
            yield Office(parts, client, keys)
        parts.close()


def test_own_ones_are_listed_newest_first(office: Office) -> None:
    answer = office.get("wenting", "")
    assert answer.status == 200
    ids = [item["id"] for item in answer.json["items"]]
    assert ids[0] == "YY20261112-03"
    assert all(item["applicant"] == {"id": "wenting", "name": "温婷"} for item in answer.json["items"])
    moments = [item["submitted_at"] for item in answer.json["items"]]
    assert moments == sorted(moments, reverse=True)
    assert answer.json["total"] == len(ids) == 5


def test_list_is_cut_into_pages_and_narrowed_to_a_process(office: Office) -> None:
    second = office.get("wenting", "", page=2, page_size=2).json
    assert (len(second["items"]), second["total"], second["page"]) == (2, 5, 2)
    seals = office.get("wenting", "", process="SEAL").json
    assert {item["process_id"] for item in seals["items"]} == {"SEAL"}
    assert seals["total"] == 3
    assert office.get("wenting", "", process="ASSET").json["items"] == []


def test_one_has_every_field_of_the_contract(office: Office) -> None:
    found = office.get("wenting", "/YY20261112-03").json
    assert found["status"] == "running"
    assert found["current_node"] == "法务审核"
    assert found["approvers"] == [{"id": "hewen", "name": "贺文"}]
    assert found["since"] == "2026-11-12T16:05:00+08:00"
    assert [step["outcome"] for step in found["timeline"]] == ["submitted", "approved"]


@pytest.mark.parametrize("person", ["wenting", "hewen", "qiuyan", "admin"])
def test_the_involved_and_administrators_see_it(person: str, office: Office) -> None:
    assert office.get(person, "/YY20261112-03").status == 200


def test_approver_owns_nothing_of_it(office: Office) -> None:
    assert office.get("hewen", "").json["items"] == []
    assert office.get("stranger", "").json["items"] == []


@pytest.mark.parametrize("person", ["stranger", "wenting"])
def test_hidden_and_absent_are_the_same_bytes(person: str, office: Office) -> None:
    hidden = office.get(person, "/ZC20261103-07")
    assert hidden.status == 404
    assert hidden.json["error"]["code"] == "not_found"
    for absent in ("/ZC29990101-99", "/x", "/%20", "/%E4%B8%AD"):
        assert office.get(person, absent).content == hidden.content


def test_nobody_without_a_key(office: Office) -> None:
    assert office.client.get("/api/v1/applications").status_code == 401
    assert office.client.get("/api/v1/applications/YY20261112-03").status_code == 401


def test_data_that_cannot_be_read_says_when_to_come_back(
    office: Office, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    absent = FileConnector(tmp_path / "absent.csv", Words({}, {}), UTC)
    monkeypatch.setattr(office.parts, "status", StatusDesk(absent, People(None, {}), TELLER))
    for path in ("", "/A-1"):
        response = office.client.get(f"/api/v1/applications{path}", headers=office.headers("wenting"))
        assert response.status_code == 503
        assert response.headers["Retry-After"] == "60"
        assert response.json()["error"]["code"] == "status_unavailable"


def test_without_an_approval_system_it_says_so(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(office.parts, "status", StatusDesk(None, People(None, {}), TELLER))
    for path in ("", "/A-1"):
        answer = office.get("wenting", path)
        assert answer.status == 503
        assert answer.json["error"]["code"] == "status_not_connected"
        assert "李雯" in answer.json["error"]["message"]
