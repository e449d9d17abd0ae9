"""The detector: whatever the record holds, its starts are paragraphs of it; and what is announced is cut."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ingestion.minutes.detector import CUES, WEIGHTS, DetectorDamaged, load_detector
from ingestion.minutes.transcript import Paragraph
from ingestion.segmenter import Segmenter
from tests.conftest import REPOSITORY

MODEL = REPOSITORY / "data" / "minutes_model"
CASES = REPOSITORY / "tests" / "cases" / "minutes" / "segmentation.jsonl"
SEGMENTER = Segmenter()
DETECTOR = load_detector(MODEL, SEGMENTER)

TEXTS = st.one_of(
    st.text(max_size=60),
    st.sampled_from(["下一个议题，预算。", "好，谢谢大家。", "同意。", "1、采购", "李四 00:12:03", "张总："]),
)
RECORDS = st.lists(st.tuples(st.sampled_from(["", "张总", "李四", "王五"]), TEXTS), max_size=40)
SHORT = st.lists(st.tuples(st.sampled_from(["张总", "李四"]), st.text(max_size=9)), max_size=50)


def numbered(lines: list[tuple[str, str]], first: int = 1) -> list[Paragraph]:
    return [Paragraph(number, text, speaker) for number, (speaker, text) in enumerate(lines, first)]


@given(RECORDS, st.integers(min_value=1, max_value=900))
@settings(max_examples=60)
def test_starts_are_paragraphs_in_order_and_the_first_is_one(
    lines: list[tuple[str, str]], first: int
) -> None:
    paragraphs = numbered(lines, first)
    starts = DETECTOR.starts(paragraphs)
    assert starts == sorted(set(starts))
    assert set(starts) <= {paragraph.number for paragraph in paragraphs}
    assert starts[:1] == [paragraph.number for paragraph in paragraphs[:1]]
    assert DETECTOR.starts(paragraphs) == starts


@given(SHORT)
@settings(max_examples=40)
def test_a_short_uninterrupted_turn_is_never_cut(lines: list[tuple[str, str]]) -> None:
    paragraphs = numbered(lines)
    cut = set(DETECTOR.starts(paragraphs)) - {1}
    assert all(paragraphs[number - 2].speaker != paragraphs[number - 1].speaker for number in cut)


def cases() -> list[dict[str, object]]:
    return [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("case", cases(), ids=lambda case: str(case["name"]))
def test_topics_of_the_case_are_cut_and_what_belongs_together_is_not(case: dict[str, object]) -> None:
    lines, wanted, never = case["paragraphs"], case["starts"], case["never"]
    assert isinstance(lines, list) and isinstance(wanted, list) and isinstance(never, list)
    starts = set(DETECTOR.starts(numbered([(speaker, text) for speaker, text in lines])))
    assert set(wanted) <= starts
    assert not set(never) & starts


def test_prefixes_in_the_text_change_nothing() -> None:
    lines = [(str(speaker), str(text)) for speaker, text in cases()[0]["paragraphs"]]  # type: ignore[attr-defined]
    prefixed = [(speaker, f"{speaker}：{text}") for speaker, text in lines]
    assert DETECTOR.starts(numbered(prefixed)) == DETECTOR.starts(numbered(lines))


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        (CUES, None, CUES),
        (CUES, "cue,place,prior,pattern\na,head,0,(\n", "第 2 行"),
        (WEIGHTS, None, WEIGHTS),
        (WEIGHTS, "kind,feature\n", "第 1 行"),
        (WEIGHTS, "kind,feature,meeting,talk,notes\nword,after:好,x,1,1\n", "第 2 行"),
        (WEIGHTS, "kind,feature,meeting,talk,notes\nother,after:好,1,1,1\n", "第 2 行"),
        (WEIGHTS, "kind,feature,meeting,talk,notes\nbias,,1,1,1\n", "meeting"),
        (
            WEIGHTS,
            "kind,feature,meeting,talk,notes\nbias,,1,1,1\nlength,mean,2,2,2\nlength,deviation,1,1,1\n",
            "多出或缺少",
        ),
    ],
)
def test_damaged_data_are_refused_with_file_and_line(
    tmp_path: Path, name: str, text: str | None, said: str
) -> None:
    for whole in (CUES, WEIGHTS):
        (tmp_path / whole).write_bytes((MODEL / whole).read_bytes())
    if text is None:
        (tmp_path / name).unlink()
    else:
        (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(DetectorDamaged, match=said):
        load_detector(tmp_path, SEGMENTER)
