"""Questions that need the administrator, over HTTP: they come from real answers, and only they see them."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from service import bootstrap
from service.access import Role
from tests.service.api.keyed import People, keyed_parts

QUESTION = "火星基地的宿舍怎么分配？"


@pytest.fixture(scope="module")
def parts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[bootstrap.Parts]:
    folder: Path = tmp_path_factory.mktemp("questions") / "home"
    with keyed_parts(folder) as built:
        yield built


@pytest.fixture
def people(parts: bootstrap.Parts) -> People:
    return People(parts)


def test_what_was_refused_and_disliked_reaches_the_administrator(people: People) -> None:
    with people.client(Role.READER) as reader:
        for question in (QUESTION, "请问" + QUESTION):
            answer = reader.post("/api/v1/chat", json={"message": question, "stream": False}).json()
        path = f"/api/v1/messages/{answer['message_id']}/feedback"
        assert reader.post(path, json={"rating": "dislike", "comment": "应该有"}).status_code == 204
        assert reader.get("/api/v1/questions", params={"kind": "frequent"}).status_code == 403
    with people.client(Role.ADMIN) as admin:
        lists = {
            kind: admin.get("/api/v1/questions", params={"kind": kind}).json()
            for kind in ("unanswered", "frequent", "disliked")
        }
        assert admin.get("/api/v1/questions", params={"kind": "其他"}).status_code == 422
    for kind in ("unanswered", "frequent"):
        (item,) = lists[kind]["items"]
        assert (item["question"], item["times"], item["refused"]) == ("请问" + QUESTION, 2, 2)
        assert item["reason"] == answer["refusal"]["reason"]
        assert lists[kind]["total"] == 1
    (item,) = lists["disliked"]["items"]
    assert (item["question"], item["answer"]) == ("请问" + QUESTION, answer["answer"])
    assert (item["comment"], item["name"], item["message_id"]) == ("应该有", "某人", answer["message_id"])


def test_what_callers_with_a_history_of_their_own_ask_is_kept_nowhere(people: People) -> None:
    asked = {"model": "zhixing", "messages": [{"role": "user", "content": "月球基地的食堂几点开？"}]}
    with people.client(Role.ADMIN) as admin:
        assert admin.post("/v1/chat/completions", json=asked).status_code == 200
        listed = admin.get("/api/v1/questions", params={"kind": "unanswered"}).json()
    assert "月球" not in str(listed)
