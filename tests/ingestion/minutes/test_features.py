"""What is seen in a gap: cues in their places, who chairs, numbers, words that come and come back."""

from pathlib import Path

import numpy as np
import pytest

from ingestion.minutes.appearance import appearance_columns, number_of
from ingestion.minutes.cohesion import cohesion_columns, words_of
from ingestion.minutes.cues import Gap, cue_columns, read_cues
from ingestion.minutes.detector import uncut
from ingestion.minutes.features import gap_columns, gap_words
from ingestion.minutes.mentions import mention_columns
from ingestion.minutes.turns import chair_of, turn_columns
from ingestion.minutes.units import Unit
from ingestion.segmenter import Segmenter
from tests.conftest import REPOSITORY

CUES = read_cues(REPOSITORY / "data" / "minutes_model" / "cues.csv")
SEGMENTER = Segmenter()


def units(*lines: tuple[str, str]) -> list[Unit]:
    return [Unit(number, *line) for number, line in enumerate(lines, 1)]


@pytest.mark.parametrize(
    ("cue", "before", "after"),
    [
        ("announced", "", "好，那我们看第二个议题，仓库搬迁。"),
        ("announced", "", "下一项，预算。"),
        ("counted", "", "第二个，废止文件。"),
        ("counted", "", "好，下面是演练，秦工你说。"),
        ("moves_on", "", "接下来请王工讲一下进度。"),
        ("wound_up", "这个事我们先说到这。", "嗯。"),
        ("was_asked", "你觉得可行吗？", "可行。"),
        ("closes", "", "今天就到这，散会。"),
        ("resolves", "", "同意采购两台服务器。"),
        ("tasks", "", "需要财务补充报价。"),
        ("unfinished", "预算要压缩；", "人手也要压缩。"),
    ],
)
def test_a_cue_is_seen_in_its_place_and_not_in_another(cue: str, before: str, after: str) -> None:
    plain = Gap("大家看法差不多。", "我没有意见。")
    assert cue_columns([Gap(before, after), plain], CUES)[cue].tolist() == [1, 0]


def test_a_second_point_in_ones_own_speech_announces_nothing() -> None:
    goes_on = Gap("第一个是人手不够。", "第二个，预算也不够。", same_speaker=True)
    assert cue_columns([goes_on], CUES)["counted"].tolist() == [0]


@pytest.mark.parametrize(
    ("text", "number"),
    [("3、预算", 3), ("三、预算", 3), ("（2）人手", 2), ("议题二：搬迁", 2), ("10.5 万", 0), ("共三个", 0)],
)
def test_numbers_of_lines(text: str, number: int) -> None:
    assert number_of(text) == number


def test_the_chair_is_who_takes_the_floor_most_often_and_says_least() -> None:
    meeting = units(("主持", "开始吧。"), ("甲", "汇报" * 9), ("主持", "好。"), ("乙", "汇报" * 9))
    assert chair_of(meeting) == "主持"
    assert chair_of(units(("甲", "长长的话"), ("乙", "短"))) == "乙"
    assert chair_of(units(("", "同意。"))) == ""
    columns = turn_columns(meeting)
    assert columns["chair"].tolist() == [0, 1, 0]
    assert columns["floor_before_chair"][1] == pytest.approx(np.log1p(18) / 3)


def test_nobody_named_gives_no_turns() -> None:
    columns = turn_columns(units(("", "同意。"), ("", "待定。"), ("", "同意。")))
    assert {name: column.any() for name, column in columns.items()} == dict.fromkeys(columns, False)


def test_words_on_both_sides_hold_a_gap_together() -> None:
    texts = ["仓库搬迁的费用", "搬迁仓库要两周", "年会定在十二月", "年会的节目单"]
    alike = cohesion_columns(words_of(texts, SEGMENTER))["alike_narrow"]
    assert alike.argmin() == 1


def test_what_was_said_before_and_comes_back_is_seen() -> None:
    texts = ["门票多少钱", "免费", "开放吗", "开放", "旁边呢", "旁边还有", "那门票多少钱"]
    columns = mention_columns(words_of(texts, SEGMENTER), texts, np.zeros(len(texts) - 1), SEGMENTER)
    assert columns["returning_now"].tolist() == [0, 0, 0, 0, 0, 1]
    assert columns["far_spans"][2] == pytest.approx(2 / 3)  # 门票 多少; 开放 is near


def test_a_line_that_begins_like_others_is_seen() -> None:
    columns = appearance_columns(["本周主要内容：甲", "详见附件", "本周主要内容：乙", "再议"])
    assert columns["recurring"].tolist() == [0, 1, 0]


def test_words_are_marked_with_their_side_and_numbers_are_not_told_apart() -> None:
    (near,) = gap_words([Gap("定了", "同意3台")], SEGMENTER)
    assert {"before:定", "end:定了", "after:同意", "begin:同意0", "after:0"} <= near
    assert not any("3" in word for word in near)


def test_only_a_short_uninterrupted_turn_is_held_together() -> None:
    short = units(("甲", "一" * 100), ("甲", "二" * 100), ("乙", "三"))
    long = units(("甲", "一" * 300), ("甲", "二" * 300), ("乙", "三"))
    nobody = units(("", "一"), ("", "二"))
    assert [uncut(each).tolist() for each in (short, long, nobody)] == [[1, 0], [0, 0], [0]]


def test_every_column_has_one_row_a_gap_and_is_finite() -> None:
    meeting = units(("甲", ""), ("乙", "？"), ("", "x" * 5000), ("甲", "😀"), ("甲", "1"))
    for column in gap_columns(meeting, CUES, SEGMENTER).values():
        assert column.shape == (4,)
        assert np.isfinite(column).all()


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ("cue,place\n", "第 1 行"),
        ("cue,place,prior,pattern\na,head,0,(\n", "第 2 行"),
        ("cue,place,prior,pattern\na,nowhere,0,x\n", "第 2 行"),
        ("cue,place,prior,pattern\na,head,0,x\na,head,0,y\n", "同名"),
    ],
)
def test_a_damaged_cue_table_is_refused(tmp_path: Path, rows: str, said: str) -> None:
    path = tmp_path / "cues.csv"
    path.write_text(rows, encoding="utf-8")
    with pytest.raises(ValueError, match=said):
        read_cues(path)
