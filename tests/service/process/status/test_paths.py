"""The path language: what it reads, and that it reads anything without raising."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from service.process.status.paths import JsonPath, Reach

ANSWER: JsonValue = {
    "code": 0,
    "data": {
        "tasks": [{"node": "部门初审", "users": ["a", "b"]}, {"node": "法务审核", "users": []}],
        "a.b": 1,
        "done": True,
        "empty": "  ",
        "0": "zero",
    },
}

NAMES = st.text("abc0", min_size=1, max_size=2)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda under: st.lists(under, max_size=4) | st.dictionaries(NAMES, under, max_size=4),
    max_leaves=20,
)
SEGMENTS = st.sampled_from(["[]", "[0]", "[-1]", "[999999999]"]) | NAMES.map(lambda name: f".{name}")
PATHS = st.lists(SEGMENTS, max_size=5).map(lambda parts: "".join(parts).removeprefix("."))


@pytest.mark.parametrize(
    ("path", "texts"),
    [
        ("code", ["0"]),
        ("data.done", ["true"]),
        ("data.tasks[0].node", ["部门初审"]),
        ("data.tasks[-1].node", ["法务审核"]),
        ("data.tasks[].node", ["部门初审", "法务审核"]),
        ("data.tasks[].users", ["a", "b"]),
        ("data.tasks[].users[]", ["a", "b"]),
        ("data.tasks[9].node", []),
        ("data.tasks.node", []),
        ("data.nothing.under", []),
        ("data.empty", []),
        ("data", []),
        ("/data/tasks/1/node", ["法务审核"]),
        ("/data/a.b", ["1"]),
        ("/data/0", ["zero"]),
    ],
)
def test_path_leads_to_texts(path: str, texts: list[str]) -> None:
    assert JsonPath.parse(path).texts(ANSWER) == texts


def test_empty_path_is_the_value_itself() -> None:
    assert JsonPath.parse("").first(ANSWER) == ANSWER


@pytest.mark.parametrize("text", [".a", "a..b", "a[", "a]", "a[x]", "a[1", "a."])
def test_path_written_wrongly_is_refused_and_quoted(text: str) -> None:
    with pytest.raises(ValueError, match="写法不对"):
        JsonPath.parse(text)


def test_reach_with_a_caret_is_into_the_node() -> None:
    node, item = {"name": "法务审核"}, {"name": "贺文"}
    assert Reach.parse("^name").text_of(node, item) == "法务审核"
    assert Reach.parse("name").text_of(node, item) == "贺文"


@given(PATHS, JSON)
def test_reading_never_raises_and_yields_only_what_is_there(path: str, value: JsonValue) -> None:
    read = JsonPath.parse(path)
    found = read.all(value)
    assert all(json.dumps(each) in json.dumps(value) for each in found)
    texts = read.texts(value)
    assert all(text == text.strip() and text for text in texts)
    assert read.text_of(value) == (texts[0] if texts else "")


@given(st.text(max_size=12), JSON)
def test_any_text_is_a_path_or_refused_with_a_value_error(text: str, value: JsonValue) -> None:
    try:
        path = JsonPath.parse(text)
    except ValueError:
        return
    assert path.text == text
    assert path.first(value) is None or path.all(value)
