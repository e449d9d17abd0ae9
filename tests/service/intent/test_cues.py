"""The file of cues: every fault names its row, and the shipped file has none."""

from pathlib import Path

import pytest

from service.assembly import INTENTS, words_file
from service.config import ASSETS, Settings
from service.intent.cues import CueError, Intent, ProcessWords, Special, classes_of, load_cues, ready

SHIPPED = ASSETS / "data" / "terms"


def written(folder: Path, *rows: str) -> Path:
    path = folder / "intent.csv"
    path.write_text("\n".join(["# 线索词", "", "intent,cue,weight,note", *rows]), encoding="utf-8")
    return path


def test_rows_are_read_in_their_order_with_their_line(tmp_path: Path) -> None:
    table = load_cues(written(tmp_path, "words,办=买/租,,", "process,要*{办},1.5,自己要办", "open,*,-2,"))
    assert [(cue.kind, cue.wording, cue.weight, cue.line) for cue in table.cues] == [
        (Intent.PROCESS, "要*{办}", 1.5, 5),
        (Special.OPEN, "*", -2.0, 6),
    ]
    assert table.cues[0].note == "自己要办"
    assert list(table.words) == ["办"]


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ("process,要", "四列"),
        ("process,要,1,注,又一列", "四列"),
        ("apply,要,1,", "应为 knowledge"),
        ("process,,1,", "空的"),
        ("process,要,很多,", "数字"),
        ("process,要,0,", "不为 0"),
        ("process,要,nan,", "之间"),
        ("process,要,21,", "之间"),
        ("process,要(,1,", "成对"),
        ("process,{没有},1,", "没有叫"),
        ("process,好,2,", "与第 4 行重复"),
        ("words,办,,", "名=词"),
        ("words,流程=甲/乙,,", "已经有了"),
        ("words,新=甲/{没有},,", "没有叫"),
    ],
)
def test_a_faulty_row_is_named(tmp_path: Path, row: str, problem: str) -> None:
    with pytest.raises(CueError, match=problem) as raised:
        load_cues(written(tmp_path, "process,好,1,", row))
    assert "intent.csv 第 5 行" in raised.value.message


def test_a_file_without_cues_or_of_another_encoding_or_absent_is_told(tmp_path: Path) -> None:
    with pytest.raises(CueError, match="没有一条"):
        load_cues(written(tmp_path, "words,办=买/租,,"))
    other = tmp_path / "other.csv"
    other.write_bytes("process,办,1,".encode("gb18030"))
    with pytest.raises(CueError, match="UTF-8"):
        load_cues(other)
    with pytest.raises(CueError, match="没有线索词文件"):
        load_cues(tmp_path / "none.csv")


def test_the_administrators_file_counts_once_there_is_one(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path)
    assert words_file(settings, INTENTS) == SHIPPED / "intent.csv"
    settings.own_terms.mkdir(parents=True)
    assert words_file(settings, INTENTS) == SHIPPED / "intent.csv"
    own = written(settings.own_terms, "process,好,1,")
    assert words_file(settings, INTENTS) == own


def test_the_shipped_file_says_something_of_every_intent_and_names_no_process() -> None:
    table = load_cues(SHIPPED / "intent.csv")
    assert {cue.kind for cue in table.cues} == {*Intent, Special.OPEN, Special.COURTESY}
    assert len(ready(table, classes_of(table, []))) == len(table.cues)


def test_words_of_a_process_stand_in_for_their_classes() -> None:
    table = load_cues(SHIPPED / "intent.csv")
    words = ProcessWords("场地借用", ("借场地",), ("报告厅", "厅"), ("有",), ("人数",))
    by_wording = {one.cue.wording: one.pattern for one in ready(table, classes_of(table, [words]))}
    assert by_wording["{流程}"].search("，借场地，")
    assert by_wording["{选项}"].search("，去报告厅，")
    assert not by_wording["{选项}"].search("，客厅，")  # one letter tells nothing in a sentence
    assert by_wording["，{答}，"].search("，有，")
