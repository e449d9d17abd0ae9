"""`eval intent`: choices count right only for unclear rows, and the figures stand beside the stub's."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from service.cli.main import app
from service.config import ASSETS
from service.evaluation.intent import IntentRow, evaluate_intent
from service.intent.cues import load_cues
from service.intent.reader import IntentReader
from tests.conftest import REPOSITORY

READER = IntentReader(load_cues(ASSETS / "data" / "terms" / "intent.csv"))


def row(text: str, intent: str, *either: str, open_case: bool = False) -> IntentRow:
    return IntentRow.model_validate(
        {
            "text": text,
            "intent": intent,
            "either": either,
            "open_case": open_case,
            "profile": {"department": "a"},
        }
    )


ROWS = [
    row("试用期几个月", "knowledge"),
    row("年假有几天", "process"),  # the row is wrong: taken for knowledge
    row("我要提个申请", "process"),
    row("我要请年假", "unclear", "process", "knowledge"),
    row("我要请年假", "unclear", "status", "knowledge"),  # offered are others
    row("我要请年假", "process"),  # clear, and offered among two
]


def test_only_an_unclear_row_is_right_by_a_choice_and_by_both_of_its_paths() -> None:
    report = evaluate_intent(ROWS, READER)
    assert report["accuracy"] == 0.5
    assert report["unclear_offered"] == 0.5
    assert report["clear_offered"] == 0.25
    assert report["process_as_knowledge"] == round(1 / 3, 4)
    assert report["knowledge_as_process"] == 0.0
    assert report["confusion"] == {
        "knowledge": {"knowledge": 1},
        "process": {"knowledge": 1, "process": 1, "unclear": 1},
        "unclear": {"unclear": 2},
    }


def test_a_failure_tells_what_was_seen() -> None:
    failures = evaluate_intent(ROWS[:2], READER)["failures"]
    assert isinstance(failures, list)
    (failure,) = failures
    assert isinstance(failure, dict)
    assert (failure["expected"], failure["got"]) == ("process", "knowledge")
    assert failure["cues"]


def test_always_naming_the_most_frequent_stands_beside() -> None:
    assert evaluate_intent(ROWS, READER)["always_the_most_frequent"] == {
        "says": "process",
        "accuracy": 0.5,
        "unclear_offered": 0.0,
        "process_as_knowledge": 0.0,
        "knowledge_as_process": 1.0,
    }


def test_a_row_may_say_that_a_case_is_open() -> None:
    said = [row("八万", "process", open_case=True), row("谢谢", "other")]
    assert evaluate_intent(said, READER)["accuracy"] == 1.0


def test_an_empty_file_has_no_shares() -> None:
    report = evaluate_intent([], READER)
    assert (report["accuracy"], report["latency_ms"]) == (None, {"p50": None, "p95": None, "max": None})


@pytest.mark.parametrize(
    "fields",
    [
        {"intent": "apply"},
        {"intent": "unclear"},
        {"intent": "unclear", "either": ["process", "process"]},
        {"intent": "process", "either": ["process", "knowledge"]},
    ],
)
def test_a_row_of_another_form_is_refused_with_its_line(tmp_path: Path, fields: dict[str, object]) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text(json.dumps({"text": "好", **fields}), encoding="utf-8")
    ran = CliRunner().invoke(app, ["eval", "intent", "--input", str(path)])
    assert ran.exit_code == 2
    assert "rows.jsonl 第 1 行" in ran.stderr


def test_the_command_measures_with_the_processes_it_is_given(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text(json.dumps({"text": "报告厅，2小时，没外人", "intent": "other"}), encoding="utf-8")
    tables = ["--tables", str(REPOSITORY / "tests/cases/process/场地借用.xlsx")]
    reports = [
        json.loads(CliRunner().invoke(app, ["eval", "intent", "--input", str(path), *more, "--json"]).stdout)
        for more in ([], tables)
    ]
    without, given = ([cue for row in report["failures"] for cue in row["cues"]] for report in reports)
    assert "{选项}" in given and "{选项}" not in without


def test_a_workbook_that_cannot_serve_is_told(tmp_path: Path) -> None:
    rows, book = tmp_path / "rows.jsonl", tmp_path / "坏.xlsx"
    rows.write_text("", encoding="utf-8")
    book.write_bytes(b"no workbook")
    ran = CliRunner().invoke(app, ["eval", "intent", "--input", str(rows), "--tables", str(book)])
    assert ran.exit_code == 2
    assert "坏.xlsx" in ran.stderr
