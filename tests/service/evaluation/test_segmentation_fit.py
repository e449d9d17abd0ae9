"""The fit learns what goes with boundaries, keeps a prior where nothing is said, and tells unseen figures."""

import json
from pathlib import Path

import numpy as np
import pytest

from ingestion.minutes.cues import Cue, read_cues
from ingestion.minutes.detector import CUES, WEIGHTS, load_detector
from ingestion.minutes.units import Style
from ingestion.segmenter import Segmenter
from service.evaluation.segmentation import SegmentationRow
from service.evaluation.segmentation_fit import fit, main
from service.evaluation.segmentation_samples import Sample, samples_of
from tests.conftest import REPOSITORY

MODEL = REPOSITORY / "data" / "minutes_model"
OPENING, FOLLOWING = "同意采购两台设备", "补充三家供应商的报价"


def notes(topics: int, lines: int) -> SegmentationRow:
    texts = [text for _ in range(topics) for text in [OPENING, *[FOLLOWING] * lines]]
    begins = range(1 + lines + 1, len(texts) + 1, lines + 1)
    return SegmentationRow.model_validate(
        {"paragraphs": [{"text": text} for text in texts], "boundaries": list(begins)}
    )


def samples(cues: tuple[Cue, ...]) -> list[Sample]:
    rng = np.random.default_rng(5)
    rows = [notes(int(rng.integers(2, 6)), int(rng.integers(1, 4))) for _ in range(200)]
    return samples_of("made/up.jsonl", rows, cues, Segmenter())


@pytest.fixture(scope="module")
def cues() -> tuple[Cue, ...]:
    return read_cues(MODEL / CUES)


def test_words_and_cues_before_a_topic_weigh_for_it(cues: tuple[Cue, ...]) -> None:
    made = samples(cues)
    weights = fit(made, {cue.name: cue.prior for cue in cues})
    assert weights.columns["resolves"] > 0 > weights.columns["tasks"]
    assert weights.words["after:同意"] > 0 > weights.words["after:补充"]
    found = [sample.cut(weights.gains(sample.columns, sample.words), weights.length) for sample in made]
    assert all(cutting.said == cutting.gold for cutting in found)


def test_a_cue_that_never_stood_there_keeps_its_prior(cues: tuple[Cue, ...]) -> None:
    weights = fit(samples(cues), {"announced": 3.0})
    assert weights.columns["announced"] == pytest.approx(3.0)
    assert weights.columns["greets"] == pytest.approx(0.0)


def test_a_record_of_one_unit_teaches_nothing(cues: tuple[Cue, ...]) -> None:
    alone = SegmentationRow.model_validate({"paragraphs": [{"text": "好"}], "boundaries": []})
    assert samples_of("made/up.jsonl", [alone], cues, Segmenter()) == []


def test_the_command_needs_records_of_every_style(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = tmp_path / "rows.jsonl"
    data.write_text(notes(2, 2).model_dump_json() + "\n", encoding="utf-8")
    (tmp_path / CUES).write_bytes((MODEL / CUES).read_bytes())
    with pytest.raises(SystemExit):
        main([str(data), "--out", str(tmp_path)])
    assert f"{Style.MEETING}, {Style.TALK}" in capsys.readouterr().err


def test_the_command_writes_weights_that_the_detector_reads(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    speech = "这件事我们先试一个月，看看效果再决定要不要推广到别的部门，大家觉得怎么样。" * 3
    styles = {
        "notes": [("", OPENING), ("", FOLLOWING), ("", OPENING), ("", FOLLOWING)],
        "talk": [("甲", "知道香山吗？"), ("乙", "知道。"), ("甲", "颐和园呢？"), ("乙", "去过。")],
        "meeting": [("主持", speech), ("甲", speech), ("主持", f"好，下一个议题。{speech}"), ("乙", speech)],
    }
    data = tmp_path / "rows.jsonl"
    lines = [
        {"paragraphs": [{"speaker": who, "text": text} for who, text in told], "boundaries": [3]}
        for told in styles.values()
        for _ in range(12)
    ]
    data.write_text("\n".join(json.dumps(line) for line in lines), encoding="utf-8")
    (tmp_path / CUES).write_bytes((MODEL / CUES).read_bytes())
    assert main([str(data), "--validate", "--out", str(tmp_path)]) == 0
    told_figures = json.loads(capsys.readouterr().out)
    (figures,) = told_figures.values()
    assert figures["pk"] == 0
    assert (tmp_path / WEIGHTS).is_file()
    detector = load_detector(tmp_path, Segmenter())
    row = SegmentationRow.model_validate(lines[-1])
    assert detector.starts(row.as_paragraphs()) == [1, 3]
