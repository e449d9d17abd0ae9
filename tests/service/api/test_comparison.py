"""GET …/comparison: two revisions of one document, for those who may read it."""

from collections.abc import Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient

from service.access import Role
from tests.service.api.keyed import People, keyed_parts, upload

OLD = "# 停车管理规定\n\n第一条 车辆凭证进入。\n\n第二条 每次停放不超过四小时。\n\n第三条 夜间闭库。\n"
NEW = OLD.replace("四小时", "六小时").replace("第三条 夜间闭库。", "自2025年1月1日起施行。")


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with keyed_parts(tmp_path_factory.mktemp("comparison") / "home") as parts:
        people = People(parts)
        with people.client(Role.ADMIN) as admin, people.client(Role.READER) as reader:
            upload(admin, "停车.md", OLD)
            upload(admin, "停车.md", NEW)
            upload(admin, "绿化.md", "# 绿化规定\n\n盆栽每周浇水一次。\n")
            yield reader


def document(client: TestClient, title: str) -> dict[str, Any]:
    found: dict[str, Any] = client.get("/api/v1/documents", params={"search": title}).json()["items"][0]
    return found


def compared(client: TestClient, path: str, **asked: str) -> Any:
    return client.get(f"/api/v1/documents/{path}/comparison", params=asked)


def test_the_current_revision_is_compared_with_the_one_before_when_none_is_named(reader: TestClient) -> None:
    parking = document(reader, "停车")
    newer, older = (revision["id"] for revision in parking["revisions"])
    found = compared(reader, parking["id"]).json()
    assert (found["left"]["id"], found["right"]["id"]) == (older, newer)
    assert found == compared(reader, parking["id"], left=older, right=newer).json()
    assert found["note"] == ""
    assert sum(found["counts"].values()) == len(found["rows"])


def test_a_changed_block_comes_with_both_texts_their_places_and_the_changed_words(reader: TestClient) -> None:
    rows = compared(reader, document(reader, "停车")["id"]).json()["rows"]
    (changed,) = (row for row in rows if row["kind"] == "changed")
    for side, word in (("left", "四"), ("right", "六")):
        text, (mark,) = changed[side]["text"], changed[side]["marks"]
        assert text[mark["start"] : mark["end"]] == word
        assert changed[side]["anchor"]["char_end"] - changed[side]["anchor"]["char_start"] == len(text)
    (removed,) = (row for row in rows if row["kind"] == "removed")
    assert "夜间闭库" in removed["left"]["text"] and removed["right"] is None


def test_the_same_revision_twice_has_no_changes(reader: TestClient) -> None:
    parking = document(reader, "停车")
    one = parking["revisions"][1]["id"]
    counts = compared(reader, parking["id"], left=one, right=one).json()["counts"]
    assert (counts["changed"], counts["added"], counts["removed"]) == (0, 0, 0)


def test_the_first_revision_has_none_before_it(reader: TestClient) -> None:
    parking = document(reader, "停车")
    for path, asked in (
        (document(reader, "绿化")["id"], {}),
        (parking["id"], {"right": parking["revisions"][1]["id"]}),
    ):
        answer = compared(reader, path, **asked)
        assert answer.status_code == 404
        assert answer.json()["error"]["message"] == "这一版之前没有别的版本"


@pytest.mark.parametrize("side", ["left", "right"])
def test_a_revision_of_another_document_is_not_found(reader: TestClient, side: str) -> None:
    other = document(reader, "绿化")["revisions"][0]["id"]
    for named in (other, "", "\x00", "x" * 5000):
        answer = compared(reader, document(reader, "停车")["id"], **{side: named})
        assert answer.status_code == 404
        assert answer.json()["error"]["message"] == "这份文档没有该版本"
