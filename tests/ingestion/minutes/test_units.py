"""Units: what no topic ends within stays together, and records are told apart by who speaks and how long."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingestion.minutes.transcript import Paragraph
from ingestion.minutes.units import Style, Unit, style_of, units_of

SPEECH = "这个方案我觉得可以先在两个部门试一个月，看看大家用得怎么样，再决定要不要推广到全公司。"
PARAGRAPHS = st.lists(
    st.tuples(st.sampled_from(["张总：好。", SPEECH, "李四 00:01:02", ""]), st.sampled_from(["", "张总"])),
    max_size=20,
)


def told(*lines: tuple[str, str]) -> list[Paragraph]:
    return [Paragraph(number, text, speaker) for number, (speaker, text) in enumerate(lines, 1)]


def test_a_line_that_only_names_the_speaker_joins_what_is_said() -> None:
    assert units_of(told(("李四", "李四："), ("李四", SPEECH))) == [Unit(1, "李四", SPEECH)]


def test_the_prefix_is_no_part_of_what_was_said() -> None:
    assert units_of(told(("李四", f"李四：{SPEECH}"))) == [Unit(1, "李四", SPEECH)]


def test_a_short_opening_joins_the_rest_of_the_turn() -> None:
    units = units_of(told(("张总", "好，谢谢。"), ("张总", SPEECH), ("李四", SPEECH), ("李四", SPEECH)))
    assert [unit.start for unit in units] == [1, 3, 4]


def test_short_lines_of_nobody_stay_apart() -> None:
    assert [unit.start for unit in units_of(told(("", "同意立项。"), ("", "预算待定。")))] == [1, 2]


@given(PARAGRAPHS)
def test_units_begin_at_paragraphs_in_order_and_at_the_first(lines: list[tuple[str, str]]) -> None:
    paragraphs = told(*[(speaker, text) for text, speaker in lines])
    starts = [unit.start for unit in units_of(paragraphs)]
    assert starts == sorted(set(starts))
    assert starts[:1] == [paragraph.number for paragraph in paragraphs[:1]]


@pytest.mark.parametrize(
    ("lines", "style"),
    [
        ([("甲", "去过吗？"), ("乙", "去过。")], Style.TALK),
        ([("甲", SPEECH * 3), ("乙", SPEECH * 3)], Style.MEETING),
        ([("甲", "好。"), ("乙", "好。"), ("丙", "好。")], Style.MEETING),
        ([("", "同意立项。"), ("", "预算下周定。")], Style.NOTES),
        ([("", SPEECH * 6)], Style.MEETING),
        ([], Style.NOTES),
    ],
)
def test_style_follows_from_who_speaks_and_how_long(lines: list[tuple[str, str]], style: Style) -> None:
    assert style_of([Unit(number, *line) for number, line in enumerate(lines, 1)]) is style
