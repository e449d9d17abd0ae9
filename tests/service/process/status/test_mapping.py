"""The mapping file: strict, and an error names the key."""

from pathlib import Path
from typing import Any

import pytest

from service.process.status.errors import StatusMisconfigured
from service.process.status.mapping import Mapping, load_model
from tests.service.process.status.status_parts import DATA, written

LEAST = """
name = "OA"
[one]
url = "https://oa.example/api/{id}"
[own]
url = "https://oa.example/api?user={person}"
items = "data"
[fields]
id = "id"
applicant = "user"
"""


def load(folder: Path, text: str) -> Mapping:
    return load_model(written(folder, "mapping.toml", text), Mapping)


def test_least_mapping_is_enough(tmp_path: Path) -> None:
    mapping = load(tmp_path, LEAST)
    assert (mapping.one.method, mapping.own.days, mapping.time, mapping.zone) == ("GET", 90, "iso", "+08:00")


def test_json_is_as_good_as_toml(tmp_path: Path) -> None:
    text = (
        '{"name": "OA", "one": {"url": "https://oa.example/{id}"},'
        ' "own": {"url": "https://oa.example/", "items": "data"},'
        ' "fields": {"id": "id", "applicant": "user"}}'
    )
    assert load_model(written(tmp_path, "mapping.json", text), Mapping).name == "OA"


@pytest.mark.parametrize("path", sorted((DATA / "examples").glob("*.toml")), ids=lambda path: path.stem)
def test_example_is_a_mapping_without_a_secret_in_it(path: Path) -> None:
    mapping = load_model(path, Mapping)
    assert mapping.token is not None and mapping.one.url.startswith("https://")
    texts = [*mapping.token.query.values(), *map(str, (mapping.token.body or {}).values())]
    assert texts and all(text.startswith("{secret.") for text in texts)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({'id = "id"\n': ""}, "fields.id 没有写"),
        ({'applicant = "user"': 'applicant = "user"\nowner = "x"'}, "fields.owner 不认识这个键"),
        ({'id = "id"': 'id = "a[["'}, "fields.id 路径 'a\\[\\['"),
        ({'id = "id"': "id = 3"}, "fields.id 路径要写成文字"),
        ({'items = "data"': ""}, "own ids 与 items"),
        ({'items = "data"': 'items = "data"\nids = "x"'}, "own ids 与 items"),
        ({'name = "OA"': 'name = "OA"\nzone = "北京"'}, "zone 没有时区"),
        ({'name = "OA"': 'name = "OA"\ntimeout_s = 0'}, "timeout_s"),
        ({"https://oa.example/api/": "http://oa.example/api/"}, "plain_http"),
        ({"https://oa.example/api/": "ftp://oa.example/api/"}, "one.url 要写成 https"),
        ({"https://oa.example/api/": "https://{id}.example/"}, "one.url 主机名"),
        ({"https://oa.example/api/": "https://user:pw@oa.example/"}, "one.url 要写成"),
        ({'[fields]\n': '[[steps]]\nitems = "s"\nperson = "p"\n[fields]\n'}, "steps.0 outcome"),
        ({"[fields]": "[fields"}, "读不出来"),
        ({"api/{id}": "api/{person}"}, "one 里的 {person} 没有可以填的值"),
        ({"user={person}": "user={token}"}, "own 里的 {token} 没有可以填的值"),
        ({"[fields]": '[token]\nurl = "https://oa.example/{id}"\ntoken = "t"\n[fields]'}, "token 里的 {id}"),
    ],
)
def test_fault_is_told_with_its_key(change: dict[str, str], said: str, tmp_path: Path) -> None:
    text = LEAST
    for old, new in change.items():
        assert old in text
        text = text.replace(old, new, 1)
    with pytest.raises(StatusMisconfigured, match=said):
        load(tmp_path, text)


def test_fault_never_repeats_the_value(tmp_path: Path) -> None:
    text = LEAST.replace('id = "id"', 'id = "id"\nsecret_token = "hunter2"')
    with pytest.raises(StatusMisconfigured) as refusal:
        load(tmp_path, text)
    assert "hunter2" not in refusal.value.message


def test_unencrypted_address_must_be_wanted(tmp_path: Path) -> None:
    text = LEAST.replace("https:", "http:")
    assert load(tmp_path, text.replace('name = "OA"', 'name = "OA"\nplain_http = true')).plain_http
    assert load(tmp_path, text.replace("oa.example", "127.0.0.1:8080")).name == "OA"


@pytest.mark.parametrize("write", [None, b"\xff\xfe\x00"])
def test_file_that_cannot_be_read_is_told(write: Any, tmp_path: Path) -> None:
    path = tmp_path / "mapping.toml"
    if write is not None:
        path.write_bytes(write)
    with pytest.raises(StatusMisconfigured, match=str(path)):
        load_model(path, Mapping)
