"""Texts filled in: what is filled in leads nowhere else."""

from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.process.status.errors import StatusMisconfigured
from service.process.status.templates import filled, filled_json, filled_url, names_in, secrets_among

URL = "https://oa.example/api/instances/{id}/detail?user={person}"


@given(st.text(st.characters(exclude_categories=["Cs"])), st.text(st.characters(exclude_categories=["Cs"])))
def test_address_keeps_its_host_its_path_and_its_query(application: str, person: str) -> None:
    parts = urlsplit(filled_url(URL, {"id": application, "person": person}))
    assert (parts.scheme, parts.netloc, parts.fragment) == ("https", "oa.example", "")
    assert parts.path.count("/") == 4
    assert parse_qs(parts.query, keep_blank_values=True) == {"user": [person]}


def test_body_keeps_its_form_and_numbers_are_numbers() -> None:
    body = {"start": "{from_ms:number}", "user": "u-{person}", "size": 20, "filters": [{"value": "{person}"}]}
    values = {"from_ms": "1700000000000", "person": 'a"b'}
    assert filled_json(body, values) == {
        "start": 1700000000000,
        "user": 'u-a"b',
        "size": 20,
        "filters": [{"value": 'a"b'}],
    }


def test_value_is_never_filled_in_again() -> None:
    assert filled("{person}", {"person": "{secret.key}", "secret.key": "s"}) == "{secret.key}"


def test_name_without_a_value_is_told_but_no_value_is() -> None:
    with pytest.raises(StatusMisconfigured, match=r"\{secret.other\}") as refusal:
        filled("{secret.other}", {"secret.key": "hunter2"})
    assert "ZHIXING_STATUS_SECRETS" in refusal.value.message
    assert "hunter2" not in refusal.value.message


def test_number_that_is_none_is_told() -> None:
    with pytest.raises(StatusMisconfigured, match="要填一个数"):
        filled_json("{cursor:number}", {"cursor": "next"})


def test_names_are_found_wherever_they_are_used() -> None:
    request = ["https://oa/{secret.a}", {"X": "Bearer {secret.b}"}, [{"deep": "{secret.c} {id}"}], 3]
    assert names_in(request) == {"secret.a", "secret.b", "secret.c", "id"}
    assert secrets_among(names_in(request)) == {"a", "b", "c"}
