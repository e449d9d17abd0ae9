"""`eval outcomes`: what counts as the same item, the stub beside the finder, and what a row must be."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from ingestion.minutes.outcomes import load_outcomes
from service.cli.main import app
from service.evaluation.outcomes import RecordRow, Tally, evaluate_outcomes, matched, normal
from service.evaluation.rows import read_rows
from service.newsroom import MINUTES_MODEL

RAW = "1. 更换打印机\n\n会议结论：\n1、同意更换三台打印机。\n2、旧机报废。\n遗留问题：\n* 库存盘点\n"
ROW = {
    "meeting_id": "甲",
    "raw": RAW,
    "topics": [{"decisions": ["同意更换三台打印机", "旧机报废。"], "open_items": [{"text": "库存盘点"}]}],
}
REACH = {"decisions": 0.85, "open_items": 0.75}  # the specification's F1


def test_the_stub_takes_every_line_of_a_list() -> None:
    report = evaluate_outcomes([RecordRow.model_validate(ROW)], load_outcomes(MINUTES_MODEL))
    assert report["decisions"] == {"precision": 1.0, "recall": 1.0, "f1": 1.0}
    assert report["open_items"] == {"precision": 1.0, "recall": 1.0, "f1": 1.0}
    assert report["stub"] == {
        "decisions": {"precision": 0.5, "recall": 1.0, "f1": 0.6667},
        "open_items": {"precision": 0.25, "recall": 1.0, "f1": 0.4},
    }


def test_one_found_item_is_the_match_of_one_only() -> None:
    assert matched(["同意采购。", "同意采购。"], ["1、同意采购。"]) == 1
    assert matched(["同意采购"], ["同意采购", "同意采购"]) == 1


def test_an_equal_item_goes_before_an_alike_one() -> None:
    """Taken in order alone, the first would use up the equal match of the second."""
    long = "同意在下一个季度把三台打印机全部换成新的型号"
    assert matched([f"{long}。", long], [long, f"{long}！"]) == 2


@pytest.mark.parametrize(
    "written", ["1、同意 采购", "（2）同意采购", "* **同意**采购", "同意<br>采购", "３．同意采购"]
)
def test_numbering_signs_and_white_space_make_no_difference(written: str) -> None:
    assert normal(written) == "同意采购"


@given(st.lists(st.text(max_size=12), max_size=6), st.lists(st.text(max_size=12), max_size=6))
def test_no_more_are_matched_than_there_are(gold: list[str], found: list[str]) -> None:
    assert 0 <= matched(gold, found) <= min(len(gold), len(found))
    assert matched(gold, gold) == len(gold)


def test_nothing_found_and_nothing_to_find_is_nought() -> None:
    assert Tally(0, 0, 0).shown() == {"precision": 0.0, "recall": 0.0, "f1": 0.0}


def test_the_command_reads_several_files(tmp_path: Path) -> None:
    inputs = []
    for name in ("one", "two"):
        path = tmp_path / f"{name}.jsonl"
        path.write_text(json.dumps(ROW), encoding="utf-8")
        inputs += ["--input", str(path)]
    report = json.loads(CliRunner().invoke(app, ["eval", "outcomes", *inputs, "--json"]).stdout)
    assert report["meetings"] == 2
    assert report["decisions"]["f1"] == 1.0


def test_a_row_without_its_record_is_refused_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text(json.dumps({"meeting_id": "甲", "topics": []}), encoding="utf-8")
    ran = CliRunner().invoke(app, ["eval", "outcomes", "--input", str(path)])
    assert ran.exit_code == 2
    assert "rows.jsonl 第 1 行" in ran.stderr


@pytest.mark.data
def test_real_minutes_keep_what_the_specification_asks(shared_data: Path) -> None:
    files = sorted((shared_data / "oh_minutes").glob("*.jsonl"))
    rows = [row for path in files for row in read_rows(path, RecordRow)]
    report = evaluate_outcomes(rows, load_outcomes(MINUTES_MODEL))
    for name, least in REACH.items():
        figures = report[name]
        assert isinstance(figures, dict)
        assert float(str(figures["f1"])) >= least
