"""`zhixing minutes ask`, against the service with the sample archive."""

import json

import pytest
from typer.testing import CliRunner

from service.cli import printing
from service.cli.main import app
from tests.running import Running

WIDE = 400  # columns: a text that is wrapped is harder to find


@pytest.fixture(autouse=True)
def _wide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(printing.out, "_width", WIDE)


def run(running: Running, *arguments: str) -> str:
    environment = {"ZHIXING_HOME": str(running.home)}
    done = CliRunner().invoke(app, ["minutes", "ask", *arguments], env=environment)
    assert done.exit_code == 0, done.output
    return done.stdout


def test_a_speaker_and_days_bound_what_is_quoted_and_quotes_stand_in_the_record(running: Running) -> None:
    arguments = ["G200的价格", "--speaker", "张总", "--from", "2024-12-01", "--to", "2025-12-31", "--json"]
    answer = json.loads(run(running, *arguments))
    assert answer["understood"]["as_speaker"] == "张启明"
    assert bool(answer["quotes"]) is (answer["refusal"] is None)
    with running.client() as client:
        for quote in answer["quotes"]:
            assert quote["speaker"] == "张启明" and "2024-12-01" <= quote["day"] <= "2025-12-31"
            meeting = client.get(f"/api/v1/minutes/{quote['document_id']}").json()
            said = {p["n"]: p["text"] for segment in meeting["segments"] for p in segment["paragraphs"]}
            assert quote["text"] in said[quote["paragraph"]]


def test_what_was_read_from_the_words_is_told(running: Running) -> None:
    said = run(running, "张总对算法自研的看法有变化吗")
    assert "只看：张启明" in said and "引擎：离线引擎" in said


def test_an_ambiguous_and_an_unknown_person_are_told(running: Running) -> None:
    assert "曹建业、曹敏" in run(running, "备件仓", "--speaker", "曹经理")
    assert "王总" in run(running, "王总怎么看备件仓")


def test_an_empty_question_is_told_as_a_mistake(running: Running) -> None:
    environment = {"ZHIXING_HOME": str(running.home)}
    done = CliRunner().invoke(app, ["minutes", "ask", "  "], env=environment)
    assert done.exit_code != 0 and "问题是空的" in done.stderr
