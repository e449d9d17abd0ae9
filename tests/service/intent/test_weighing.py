"""The small model's file: what it holds is used as written, what is damaged is told with its line."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingestion.analyzer import fold
from service.errors import Unavailable
from service.intent.cues import Intent
from service.intent.weighing import INTENTS, LONGEST, MASKS, load_model, mask_of, runs_of

HEAD = "kind,feature,knowledge,process,knowledge/process"
CUES = "\n".join(f"cue,{intent},0,0,0" for intent in INTENTS)
GOOD = f"{HEAD}\nbias,,0,0,-1\n{CUES}\nrun,多少,2,0,0\nrun,申请,0,2,0\nrun,吗,1,1,3\n"


def model_file(folder: Path, text: str) -> Path:
    path = folder / "model.csv"
    path.write_text(text, encoding="utf-8")
    return path


def test_the_likeliest_class_wins_and_a_class_may_be_a_choice(tmp_path: Path) -> None:
    model = load_model(model_file(tmp_path, GOOD))
    assert model.best("，报多少，", {}) == (Intent.KNOWLEDGE,)
    assert model.best("，我申请，", {}) == (Intent.PROCESS,)
    assert model.best("，吗，", {}) == (Intent.KNOWLEDGE, Intent.PROCESS)
    assert model.best("，", {}) == (Intent.KNOWLEDGE,)  # nothing known: the bias


def test_what_the_cues_say_counts(tmp_path: Path) -> None:
    text = GOOD.replace("cue,process,0,0,0", "cue,process,0,99,0")
    model = load_model(model_file(tmp_path, text))
    assert model.best("，报多少，", {Intent.PROCESS: 3.0}) == (Intent.PROCESS,)


@pytest.mark.parametrize(
    ("damage", "told"),
    [
        (("kind,feature", "a,b"), "第 1 行"),
        (("knowledge,process", "knowledge,walking"), "walking"),
        (("bias,,0,0,-1", "bias,,0,0"), "第 2 行应有 5 列"),
        (("run,多少,2", "run,多少,two"), "第 8 行"),
        (("run,多少", "walk,多少"), "第 8 行"),
        (("bias,,0,0,-1\n", ""), "应有一行 bias"),
    ],
)
def test_a_damaged_file_is_told_with_its_line(tmp_path: Path, damage: tuple[str, str], told: str) -> None:
    text = GOOD.replace(*damage)
    with pytest.raises(Unavailable, match=told):
        load_model(model_file(tmp_path, text))


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match=r"model\.csv"):
        load_model(tmp_path / "model.csv")


@given(st.text())
def test_no_message_can_write_a_mask(text: str) -> None:
    assert not set(fold(text)) & set(MASKS)


def test_words_of_a_class_become_one_letter() -> None:
    patterns = {"单号": "r\\d+", "金额": "[一二三]万", "流程词": "报销", "选项": "打印机", "数": "\\d+"}
    assert mask_of(patterns)("，报销三万的打印机，r77，5台，") == "，Ⓟ￥的Ⓞ，№，⓪台，"


@given(st.text(max_size=30))
def test_runs_are_all_the_pieces_up_to_a_length(text: str) -> None:
    runs = runs_of(text)
    assert all(0 < len(run) <= LONGEST and run in text for run in runs)
    assert len(runs) <= LONGEST * len(text)
    assert all(text[start : start + 2] in runs for start in range(len(text) - 1))


def test_the_shipped_model_is_whole() -> None:
    from service.assembly import INTENT_MODEL

    model = load_model(INTENT_MODEL)
    assert {intent for names in model.classes for intent in names} == set(Intent)
    assert model.weights.shape == (len(model.runs), len(model.classes))
    assert np.isfinite(model.weights).all() and len(model.runs) > 1000
