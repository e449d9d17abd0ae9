"""The labelled dialogues: figures and their stub, on the samples and on a process never seen before."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from service.cli.main import app
from service.config import ASSETS
from service.errors import BadRequest
from service.evaluation.process import Dialogue, evaluate_process, load_processes
from service.evaluation.rows import read_rows
from tests.conftest import REPOSITORY
from tests.service.process.cases import FOURTH, TODAY, acts, analyzer

DIALOGUES = [FOURTH / "dialogues_dev.jsonl", FOURTH / "dialogues_more.jsonl"]


@pytest.mark.parametrize("path", DIALOGUES, ids=lambda path: path.stem)
def test_the_dialogues_reach_the_figures_and_no_card_is_wrong(path: Path) -> None:
    tables = [*load_processes(ASSETS / "data" / "processes"), *load_processes(FOURTH)]
    report = evaluate_process(tables, read_rows(path, Dialogue), acts(), analyzer(), TODAY)
    assert report["wrong_cards"] == 0
    for name in ("action", "slots", "route", "materials", "intent"):
        figure = report[name]
        assert isinstance(figure, float) and figure >= 0.95, (name, report["failures"])
    stub = report["stub_always_asks"]
    assert isinstance(stub, dict) and isinstance(stub["action"], float) and stub["action"] < 0.5


def test_the_shared_dialogues_reach_the_figures(shared_data: Path) -> None:
    tables = shared_data / "process_tables"
    if not tables.is_dir():
        pytest.skip("no shared process tables")
    rows = read_rows(shared_data / "process_utterances" / "dev.jsonl", Dialogue)
    report = evaluate_process(load_processes(tables), rows, acts(), analyzer(), TODAY)
    assert report["wrong_cards"] == 0 and report["action"] == 1.0


def test_a_wrong_card_is_counted_and_told(tmp_path: Path) -> None:
    row = {
        "id": "x",
        "turns": [
            {
                "user": "我想申请一台8万的服务器，比较急，信息技术部",
                "expect": {"process": "ASSET", "action": "ask", "first_ask": "urgent", "slots": {}},
            }
        ],
    }
    path = tmp_path / "d.jsonl"
    path.write_text(json.dumps(row, ensure_ascii=False), encoding="utf-8")
    tables = load_processes(ASSETS / "data" / "processes")
    report = evaluate_process(tables, read_rows(path, Dialogue), acts(), analyzer(), TODAY)
    assert (report["wrong_cards"], report["action"]) == (1, 0.0)
    failures = report["failures"]
    assert isinstance(failures, list) and isinstance(failures[0], dict)
    assert failures[0]["action"] == {"expected": "ask", "got": "card"}


def test_the_command_prints_the_figures() -> None:
    command = ["eval", "process", "--tables", str(REPOSITORY / "data" / "processes"), "--tables", str(FOURTH)]
    done = CliRunner().invoke(app, [*command, "--input", str(DIALOGUES[0]), "--date", "2026-11-16", "--json"])
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["turns"] == 132


def test_a_folder_without_workbooks_is_told(tmp_path: Path) -> None:
    with pytest.raises(BadRequest, match="没有流程表"):
        load_processes(tmp_path)
