"""`eval segmentation`: the figures of known cuts, the baselines beside them, and what a row must be."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from ingestion.minutes.detector import load_detector
from ingestion.minutes.transcript import Paragraph
from ingestion.segmenter import Segmenter
from service.cli.main import app
from service.evaluation.rows import read_rows
from service.evaluation.segmentation import SegmentationRow, evaluate_segmentation
from service.evaluation.segmentation_metrics import Cutting, figures_of, pk, window_diff
from service.newsroom import MINUTES_MODEL

SPEECH = "这件事我们可以先试一个月，看看效果再决定要不要推广到别的部门。"
REACH = {  # the specification's: Pk at most, boundary F1 at least
    "vcsum": (0.38, 0.30),
    "oh_minutes": (0.33, 0.55),
    "kdconv_ref": (0.30, 0.45),
}


class EverySecond:
    """A detector that begins a topic at every second paragraph."""

    def starts(self, paragraphs: Sequence[Paragraph]) -> list[int]:
        return [paragraph.number for paragraph in paragraphs[::2]]


def row(size: int, *boundaries: int) -> SegmentationRow:
    return SegmentationRow.model_validate(
        {"meeting_id": "甲", "paragraphs": [{"text": "好的。"}] * size, "boundaries": boundaries}
    )


@st.composite
def cuttings(draw: st.DrawFn) -> Cutting:
    size = draw(st.integers(min_value=2, max_value=30))
    numbers = st.frozensets(st.integers(min_value=2, max_value=size))
    return Cutting(size, draw(numbers), draw(numbers))


def test_figures_of_a_near_miss() -> None:
    """Ten paragraphs in two topics: k is 3. Said one paragraph late, 2 of the 7 windows are wrong."""
    late = Cutting(10, frozenset({6}), frozenset({7}))
    assert late.window == 3
    assert pk(late) == pytest.approx(2 / 7)
    assert window_diff(late) == pytest.approx(2 / 7)
    assert figures_of([late]).boundary_f1 == 0


def test_a_boundary_too_many_in_one_window_is_seen_by_window_diff_alone() -> None:
    twice = Cutting(12, frozenset({6}), frozenset({6, 7}))
    assert pk(twice) == pytest.approx(1 / 9)
    assert window_diff(twice) == pytest.approx(3 / 9)


@given(cuttings())
def test_figures_lie_between_nought_and_one_and_the_right_cut_is_faultless(cutting: Cutting) -> None:
    figures = figures_of([cutting])
    assert all(0 <= value <= 1 for value in (figures.pk, figures.window_diff, figures.boundary_f1))
    right = figures_of([Cutting(cutting.size, cutting.gold, cutting.gold)])
    assert (right.pk, right.window_diff, right.boundary_f1) == (0, 0, 1)


def test_the_baselines_stand_beside_the_detector() -> None:
    report = evaluate_segmentation([row(8, 5), row(1)], EverySecond())
    assert report["detector"] == {"pk": 0.6667, "window_diff": 0.6667, "boundary_f1": 0.5}
    assert report["none"] == {"pk": 0.3333, "window_diff": 0.3333, "boundary_f1": 0.0}
    assert report["every"] == {"pk": 0.6667, "window_diff": 1.0, "boundary_f1": 0.25}
    assert report["even"] == {"pk": 0.0, "window_diff": 0.0, "boundary_f1": 1.0}
    assert report["completeness"] == 1.0
    assert report["segments_per_10k_chars"] == {"min": 1666.67, "median": 1666.67, "max": 3333.33}


@pytest.mark.parametrize("boundaries", [[0], [4]])
def test_a_boundary_that_is_no_paragraph_is_refused_with_its_line(
    tmp_path: Path, boundaries: list[int]
) -> None:
    path = tmp_path / "rows.jsonl"
    line = {"meeting_id": "甲", "paragraphs": [{"text": "好"}] * 3, "boundaries": boundaries}
    path.write_text(json.dumps(line), encoding="utf-8")
    ran = CliRunner().invoke(app, ["eval", "segmentation", "--input", str(path)])
    assert ran.exit_code == 2
    assert "rows.jsonl 第 1 行" in ran.stderr


def test_the_command_reads_several_files_with_and_without_speakers(tmp_path: Path) -> None:
    lines = [
        {"meeting_id": "甲", "paragraphs": [{"text": SPEECH}] * 6, "boundaries": [1, 4]},
        {"meeting_id": "乙", "paragraphs": [{"speaker": "李四", "text": SPEECH}], "boundaries": []},
    ]
    inputs = []
    for at, line in enumerate(lines):
        path = tmp_path / f"{at}.jsonl"
        path.write_text(json.dumps(line), encoding="utf-8")
        inputs += ["--input", str(path)]
    report = json.loads(CliRunner().invoke(app, ["eval", "segmentation", *inputs, "--json"]).stdout)
    assert (report["meetings"], report["completeness"]) == (2, 1.0)
    assert report["characters"] == 7 * len(SPEECH)
    assert set(report["detector"]) == {"pk", "window_diff", "boundary_f1"}
    assert report["seconds_per_10k_chars"] > 0


@pytest.mark.data
@pytest.mark.parametrize("name", REACH)
def test_shipped_weights_keep_what_the_specification_asks(shared_data: Path, name: str) -> None:
    """On the data they were fitted to: a guard of the file and the code, no measure of what is unseen."""
    files = sorted(path for path in (shared_data / name).glob("*.jsonl") if path.stem != "questions")
    rows = [row for path in files for row in read_rows(path, SegmentationRow)]
    figures = evaluate_segmentation(rows, load_detector(MINUTES_MODEL, Segmenter()))["detector"]
    assert isinstance(figures, dict)
    most_pk, least_f1 = REACH[name]
    assert float(str(figures["pk"])) <= most_pk
    assert float(str(figures["boundary_f1"])) >= least_f1
