"""No secret and no personal number gets into a log, wherever in a line it stands."""

import json
import logging
from collections.abc import Iterator

import pytest
import structlog
from hypothesis import given
from hypothesis import strategies as st

from service import logs


@pytest.fixture(autouse=True)
def restored() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = root.handlers, root.level
    yield
    root.handlers = handlers
    root.setLevel(level)
    structlog.reset_defaults()


def read(capsys: pytest.CaptureFixture[str]) -> list[dict[str, object]]:
    return [json.loads(line) for line in capsys.readouterr().err.splitlines()]


def test_secrets_are_blanked_at_any_depth(capsys: pytest.CaptureFixture[str]) -> None:
    logs.configure("INFO", "json")
    logs.get("t").info(
        "asked",
        api_key="sk-aaaaaaaaaaaaaaaaaaaa",
        headers={"Authorization": "Bearer abc", "X-API-Key": "zx-1"},
        tried=["Bearer topsecret", "zx-" + "b" * 43],
        tokens="12",
        keywords="差旅",
    )
    (line,) = read(capsys)
    text = json.dumps(line, ensure_ascii=False)
    assert "aaaa" not in text and "abc" not in text and "topsecret" not in text and "bbbb" not in text
    assert (line["tokens"], line["keywords"]) == ("12", "差旅")


@pytest.mark.parametrize(
    "number", ["13912345678", "+8613912345678", "86-139-1234-5678", "139 1234 5678", "11010519900307123X"]
)
def test_personal_numbers_keep_their_ends_only(capsys: pytest.CaptureFixture[str], number: str) -> None:
    logs.configure("INFO", "json")
    logs.get("t").info("asked", question=f"我的号码是{number}，请问")
    logging.getLogger("httpx.other").error("号码 %s", number)
    ours, theirs = read(capsys)
    for line in (ours, theirs):
        assert number not in json.dumps(line, ensure_ascii=False)
    assert "****" in str(ours["question"]) and str(ours["question"]).endswith(f"{number[-4:]}，请问")


def test_a_traceback_is_masked_too(capsys: pytest.CaptureFixture[str]) -> None:
    logs.configure("INFO", "json")
    try:
        raise ValueError("客户 13912345678 的密钥 sk-cccccccccccccccccccc")
    except ValueError:
        logs.get("t").exception("crashed")
    (line,) = read(capsys)
    assert "ValueError" in str(line["exception"])
    assert "13912345678" not in str(line) and "cccc" not in str(line)


@given(st.integers(1, 10**9) | st.floats(allow_nan=False) | st.none() | st.booleans())
def test_numbers_are_left_alone(value: object) -> None:
    assert logs.mask(None, "info", {"ms": value}) == {"ms": value}


def test_the_request_id_is_in_every_line(capsys: pytest.CaptureFixture[str]) -> None:
    logs.configure("INFO", "json")
    with structlog.contextvars.bound_contextvars(request_id="r-1"):
        assert logs.request_id() == "r-1"
        logs.get("t").info("one")
        logging.getLogger("anything").warning("two")
    assert [line["request_id"] for line in read(capsys)] == ["r-1", "r-1"]
    assert logs.request_id() == ""
