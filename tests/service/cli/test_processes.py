"""`zhixing process` for a person who keeps a table: begin, check, try, publish, list."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from rules.loader import load
from service.cli.main import app
from tests.service.process.kept import FORM, ID, UNREADABLE, broken, workbook

FACTS = json.dumps({"申领金额": 5000, "category": "图书", "是否紧急": False}, ensure_ascii=False)


def run(*arguments: str, home: Path | None = None) -> Result:
    env = {"ZHIXING_HOME": str(home) if home else "/nonexistent/zhixing", "COLUMNS": "300"}
    return CliRunner().invoke(app, ["process", *arguments], env=env)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "申领.xlsx"
    path.write_bytes(workbook())
    return path


def test_a_workbook_to_begin_with_passes_and_is_never_written_over(tmp_path: Path) -> None:
    path = tmp_path / "新.xlsx"
    made = run("init", "会议室借用", "--out", str(path), "--json")
    assert made.exit_code == 0 and json.loads(made.stdout)["file"] == str(path)
    process = load(path).process
    assert process is not None and process.name == "会议室借用"
    assert run("check", str(path)).exit_code == 0
    before = path.read_bytes()
    assert run("init", "别的", "--out", str(path)).exit_code == 2
    assert path.read_bytes() == before


def test_a_good_workbook_is_ok(file: Path) -> None:
    done = run("check", str(file), "--json")
    assert done.exit_code == 0
    assert json.loads(done.stdout) == {"file": str(file), "ok": True, "findings": []}


def test_a_broken_one_is_told_row_by_row_and_ends_with_one(tmp_path: Path, file: Path) -> None:
    bad = tmp_path / "坏.xlsx"
    bad.write_bytes(broken())
    done = run("check", str(bad), "--json")
    found: dict[str, Any] = json.loads(done.stdout)
    assert done.exit_code == 1 and set(found) == {"file", "ok", "findings"} and not found["ok"]
    keys = {"severity", "code", "sheet", "rules", "column", "value", "witness", "message", "mend"}
    assert keys <= set(found["findings"][0])
    both = run("check", str(file), str(bad), "--json")
    assert both.exit_code == 1 and [each["ok"] for each in json.loads(both.stdout)] == [True, False]
    shown = run("check", str(bad)).stdout
    assert "决策表 第 6 行" in shown and "错误" in shown


def test_what_is_no_workbook_is_a_finding_and_what_is_not_there_is_wrong_use(tmp_path: Path) -> None:
    path = tmp_path / "表.xlsx"
    path.write_bytes(UNREADABLE)
    done = run("check", str(path), "--json")
    assert done.exit_code == 1 and json.loads(done.stdout)["findings"][0]["code"] == "unreadable"
    assert run("check", str(tmp_path / "没有.xlsx")).exit_code == 2


def test_a_form_is_missed_only_where_there_is_a_folder_of_forms(file: Path) -> None:
    folder = file.parent / "templates"
    folder.mkdir()
    found = json.loads(run("check", str(file), "--json").stdout)
    assert found["ok"] and [each["code"] for each in found["findings"]] == ["missing_template"]
    (folder / FORM).write_bytes(b"form")
    assert json.loads(run("check", str(file), "--json").stdout)["findings"] == []


def test_a_case_is_tried_offline(file: Path) -> None:
    done = run("evaluate", str(file), "--facts", FACTS, "--as-of", "2026-01-01", "--json")
    told = json.loads(done.stdout)
    assert done.exit_code == 0 and told["card"]["path"] == "标准" and told["as_of"] == "2026-01-01"
    shown = run("evaluate", str(file), "--facts", FACTS, "--matrix")
    assert shown.exit_code == 0 and "✓ R03" in shown.stdout and "✗ R04" in shown.stdout
    early = run("evaluate", str(file), "--facts", FACTS, "--as-of", "2024-01-01")
    assert "有效期" in early.stderr


@pytest.mark.parametrize(
    "facts", ["{", "[]", "[" * 20_000, '{"申领金额": null}', '{"申领金额": "很多"}', '{"颜色": "红"}']
)
def test_facts_that_cannot_be_used_are_wrong_use(file: Path, facts: str) -> None:
    assert run("evaluate", str(file), "--facts", facts).exit_code == 2


def test_a_workbook_is_published_with_its_forms_and_listed(tmp_path: Path, file: Path) -> None:
    home = tmp_path / "home"
    (file.parent / "templates").mkdir()
    (file.parent / "templates" / FORM).write_bytes(b"form")
    done = run("publish", str(file), "--json", home=home)
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert told["changed"] and told["serving"] and told["findings"] == []
    file.write_bytes(broken())
    refused = run("publish", str(file), home=home)
    assert refused.exit_code == 1 and "决策表 第 6 行" in refused.stdout
    listed = run("list", "--json", home=home)
    items = json.loads(listed.stdout)
    assert [(each["id"], each["version"], each["in_force"]) for each in items] == [(ID, "1.0", True)]
