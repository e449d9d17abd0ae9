"""`zhixing minutes segment`: JSON on the output, the run log beside it, nothing lost of the file."""

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from service.cli.main import app
from tests.conftest import REPOSITORY

SAMPLES = REPOSITORY / "data" / "minutes"
FILES = sorted(path for path in SAMPLES.iterdir() if path.suffix in {".txt", ".vtt", ".srt", ".docx"})


@pytest.fixture(autouse=True)
def _no_model(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("ZHIXING_LLM_MODEL", "ZHIXING_TERMS_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("ZHIXING_HOME", str(tmp_path / "home"))


@pytest.mark.parametrize("path", FILES[::6], ids=lambda path: path.name)
def test_a_meeting_is_cut_into_topics_with_nothing_lost(path: Path) -> None:
    ran = CliRunner().invoke(app, ["minutes", "segment", str(path)])
    assert ran.exit_code == 0, ran.stderr
    found = json.loads(ran.stdout)
    numbers = [paragraph["n"] for segment in found["segments"] for paragraph in segment["paragraphs"]]
    assert numbers == list(range(1, found["completeness"]["total_paragraphs"] + 1))
    assert found["completeness"]["passed"] and found["completeness"]["char_diff"] == 0
    kept = sum(len(paragraph["text"]) for segment in found["segments"] for paragraph in segment["paragraphs"])
    assert kept + sum(drop["count"] for drop in found["dropped"]) == found["raw_chars"]
    assert len(found["segments"]) > 1
    assert all(segment["topic"] and len(segment["topic"]) <= 15 for segment in found["segments"])
    assert (found["engine"], found["review"]["state"]) == ("offline", "not_reviewed")
    assert all(re.match(r"\[.+\(\w+\)\] ", line) for line in ran.stderr.splitlines())


def test_a_file_of_another_kind_is_told(tmp_path: Path) -> None:
    path = tmp_path / "会议.xlsx"
    path.write_bytes(b"PK")
    ran = CliRunner().invoke(app, ["minutes", "segment", str(path)])
    assert ran.exit_code == 2 and "不支持 .xlsx 格式的会议记录" in ran.stderr


def test_an_empty_file_is_no_meeting_and_no_failure(tmp_path: Path) -> None:
    path = tmp_path / "空.txt"
    path.write_bytes(b"")
    ran = CliRunner().invoke(app, ["minutes", "segment", str(path)])
    assert ran.exit_code == 0 and json.loads(ran.stdout)["segments"] == []
