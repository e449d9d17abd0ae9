"""Two revisions beside each other: every block has its place, and equal words are never called changed."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from ingestion.documents import Block, BlockKind
from service.comparison import LONGEST, MOST_BLOCKS, Kind, Row, Side, compare


def blocks(*texts: str) -> tuple[Block, ...]:
    return tuple(Block(BlockKind.PARAGRAPH, text) for text in texts)


TEXT = st.text("第一二三条甲乙丙 12a，", min_size=1, max_size=12).filter(str.strip)
BLOCKS = st.lists(TEXT, max_size=9).map(lambda texts: blocks(*texts))


def marked(side: Side | None) -> list[str]:
    return [side.block.text[mark.start : mark.end] for mark in side.marks] if side else []


def unmarked(side: Side) -> str:
    """The text outside the marks, without white space."""
    kept, done = "", 0
    for mark in side.marks:
        assert done <= mark.start < mark.end <= len(side.block.text)
        kept += side.block.text[done : mark.start]
        done = mark.end
    return "".join((kept + side.block.text[done:]).split())


def shown(rows: Sequence[Row]) -> list[tuple[str, str]]:
    sides = [(row.left, row.right) for row in rows]
    return [(one.block.text if one else "", other.block.text if other else "") for one, other in sides]


@given(BLOCKS, BLOCKS)
def test_every_block_of_both_stands_in_exactly_one_row_in_its_order(
    left: tuple[Block, ...], right: tuple[Block, ...]
) -> None:
    found = compare(left, right)
    assert [id(row.left.block) for row in found.rows if row.left] == [id(block) for block in left]
    assert [id(row.right.block) for row in found.rows if row.right] == [id(block) for block in right]
    assert found.complete


@given(BLOCKS, BLOCKS)
def test_outside_the_marks_both_sides_say_the_same(left: tuple[Block, ...], right: tuple[Block, ...]) -> None:
    for row in compare(left, right).rows:
        if row.left is None or row.right is None:
            assert row.kind is (Kind.ADDED if row.left is None else Kind.REMOVED)
            assert marked(row.left) == marked(row.right) == []
        else:
            assert unmarked(row.left) == unmarked(row.right)
            changed = bool(row.left.marks or row.right.marks)
            assert row.kind is (Kind.CHANGED if changed else Kind.SAME)


@given(BLOCKS)
def test_a_text_against_itself_has_no_changes(left: tuple[Block, ...]) -> None:
    spread = tuple(Block(block.kind, f" {'  '.join(block.text)}\n") for block in left)
    for right in (left, spread):
        found = compare(left, right)
        assert {row.kind for row in found.rows} <= {Kind.SAME}
        assert found.count(Kind.SAME) == len(left)


def test_a_changed_number_is_marked_whole_and_alone() -> None:
    one, other = "单价在1,000元以上、三十日内验收的资产。", "单价在2,000元以上、十五日内验收的资产。"
    (row,) = compare(blocks(one), blocks(other)).rows
    assert row.kind is Kind.CHANGED
    assert (marked(row.left), marked(row.right)) == (["1,000", "三十"], ["2,000", "十五"])


def test_an_added_sentence_is_marked_with_its_own_stop() -> None:
    (row,) = compare(blocks("访客须登记。"), blocks("访客须登记。司机在车内等候。")).rows
    assert (marked(row.left), marked(row.right)) == ([], ["司机在车内等候。"])


def test_a_date_is_marked_in_one_piece_and_a_document_number_without_its_brackets() -> None:
    one, other = "远山行〔2022〕6号，2022年2月15日起", "远山行〔2025〕16号，2025年6月12日起"
    (row,) = compare(blocks(one), blocks(other)).rows
    assert marked(row.left) == ["2022", "6", "2022年2月15"]
    assert marked(row.right) == ["2025", "16", "2025年6月12"]


def test_an_article_that_moved_up_by_one_number_is_paired_with_itself() -> None:
    left = blocks("第一条 总则。", "第二条 每周三闭馆盘点。", "第三条 图书遗失的，按定价赔偿。")
    right = blocks("第一条 总则。", "第二条 图书遗失的，按定价赔偿。")
    found = compare(left, right)
    assert [row.kind for row in found.rows] == [Kind.SAME, Kind.REMOVED, Kind.CHANGED]
    assert marked(found.rows[2].left) == ["三"] and marked(found.rows[2].right) == ["二"]


def test_a_reworded_article_is_known_by_its_number() -> None:
    one, other = "第五条 出差乘坐火车限二等座。", "第五条 因公外出应当选择公共交通工具，火车不得超标。"
    assert [row.kind for row in compare(blocks(one), blocks(other)).rows] == [Kind.CHANGED]
    unnumbered = compare(blocks(one[4:]), blocks(other[4:]))
    assert [row.kind for row in unnumbered.rows] == [Kind.REMOVED, Kind.ADDED]


def test_a_stretch_too_long_to_be_compared_in_one_piece_is_paired_all_the_same() -> None:
    left = blocks(*(f"{n}号仓库由张三负责，每日巡查两次。" for n in range(700)))
    right = blocks(*(f"{n}号仓库由李四负责，每日巡查两次。" for n in range(700)))
    found = compare(left, right)
    assert found.count(Kind.CHANGED) == 700
    assert all(marked(row.left) == ["张三"] for row in found.rows)


def test_what_lies_beyond_the_bounds_is_counted_and_never_called_added() -> None:
    texts = [f"第{n}号仓库" for n in range(MOST_BLOCKS + 10)]
    found = compare(blocks(*texts), blocks("新增的说明在最前面。", *texts))
    assert (found.left_beyond, found.right_beyond) == (11, 11)
    assert (found.count(Kind.ADDED), found.count(Kind.REMOVED)) == (1, 0)
    assert not found.complete


def test_a_very_long_block_is_marked_whole() -> None:
    long = "甲乙丙丁" * LONGEST
    (row,) = compare(blocks(long + "一"), blocks(long + "二")).rows
    assert row.kind is Kind.CHANGED
    assert marked(row.left) == [long + "一"] and marked(row.right) == [long + "二"]


def test_an_empty_revision_against_a_full_one_is_all_added() -> None:
    assert shown(compare((), blocks("甲", "乙")).rows) == [("", "甲"), ("", "乙")]
    assert compare((), ()).rows == ()
