"""The vocabulary over HTTP: what is put is what is got, faults name their line."""

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

from service import bootstrap
from service.access import Role
from tests.service.api.keyed import People, keyed_parts

WORD = st.text(st.sampled_from("领电脑设备申请，,\"'#aA1-_ "), min_size=1, max_size=6)
LISTS: dict[str, st.SearchStrategy[list[object]]] = {
    "synonyms": st.lists(st.builds(lambda lay, standard: {"lay": lay, "standard": standard}, WORD, WORD)),
    "dictionary": st.lists(
        st.builds(
            lambda word, frequency: {"word": word, "frequency": frequency},
            WORD,
            st.none() | st.integers(1, 1_000_000),
        ),
        max_size=4,
    ),
    "stopwords": st.lists(WORD, max_size=4),
    "equivalents": st.lists(st.lists(WORD, min_size=2, max_size=4)),
    "suggestions": st.lists(WORD),
}


@pytest.fixture(scope="module")
def parts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[bootstrap.Parts]:
    with keyed_parts(tmp_path_factory.mktemp("terms") / "home") as built:
        yield built


@pytest.fixture(scope="module")
def client(parts: bootstrap.Parts) -> Iterator[TestClient]:
    with People(parts).client(Role.ADMIN) as opened:
        yield opened


@pytest.mark.parametrize("kind", LISTS)
def test_what_is_put_is_what_is_got(client: TestClient, kind: str) -> None:
    taken = 0
    examples = 5 if kind == "dictionary" else 15  # to read a dictionary takes a second

    @given(items=LISTS[kind])
    @settings(max_examples=examples, deadline=None, suppress_health_check=list(HealthCheck))
    def check(items: list[object]) -> None:
        nonlocal taken
        before = client.get("/api/v1/terms").json()
        response = client.put(f"/api/v1/terms/{kind}", json=items)
        if response.status_code == 200:
            taken += 1
            assert response.json()[kind] == items
            shown = client.get("/api/v1/terms").json()
            assert {**shown, "task": None} == {**before, kind: items, "task": None}
        else:
            assert response.status_code == 400
            assert client.get("/api/v1/terms").json()[kind] == before[kind]

    check()
    assert taken


def test_a_list_in_force_is_shown_as_it_was_shipped(client: TestClient) -> None:
    shown = client.get("/api/v1/terms").json()
    assert set(shown) == {"synonyms", "dictionary", "stopwords", "equivalents", "suggestions", "task"}


def test_every_faulty_line_is_named(client: TestClient) -> None:
    items = [{"lay": "甲", "standard": "乙"}, {"lay": "", "standard": "乙"}, {"lay": "甲", "standard": "乙"}]
    response = client.put("/api/v1/terms/synonyms", json=items)
    assert response.status_code == 400
    error = response.json()["error"]
    assert error["code"] == "faulty_terms"
    assert "第 2 条" in error["message"] and "第 3 条" in error["message"]
    assert [problem["line"] for problem in error["details"]["problems"]] == [2, 3]


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("synonyms", {"lay": "甲", "standard": "乙"}),
        ("synonyms", [{"lay": "甲"}]),
        ("synonyms", [{"lay": "甲", "standard": "乙", "note": "丙"}]),
        ("dictionary", [{"word": "甲", "frequency": 0}]),
        ("dictionary", ["甲"]),
        ("stopwords", [1]),
        ("equivalents", ["甲"]),
        ("suggestions", None),
    ],
)
def test_what_has_another_form_is_refused(client: TestClient, kind: str, body: object) -> None:
    assert client.put(f"/api/v1/terms/{kind}", json=body).status_code == 422


def test_there_are_no_other_lists(client: TestClient) -> None:
    assert client.put("/api/v1/terms/intent", json=[]).status_code == 404


def test_suggestions_are_offered_at_once(client: TestClient) -> None:
    client.put("/api/v1/terms/suggestions", json=["食堂几点开饭？"])
    assert client.get("/api/v1/suggestions").json() == {"questions": ["食堂几点开饭？"]}


def test_without_refused_questions_there_are_no_candidates(client: TestClient) -> None:
    assert client.get("/api/v1/terms/candidates").json() == {"items": []}
