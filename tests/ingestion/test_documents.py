"""The account of a file: it adds up by itself, and shows when it does not."""

from hypothesis import given
from hypothesis import strategies as st

from ingestion.documents import Block, BlockBuilder, BlockKind


def built(*texts: str) -> BlockBuilder:
    builder = BlockBuilder()
    for text in texts:
        builder.add(Block(BlockKind.PARAGRAPH, text))
    return builder


def test_characters_nobody_read_are_booked_and_reported() -> None:
    report = built("正文").finish(5).report
    assert report.balanced
    assert [(item.reason, item.chars) for item in report.dropped] == [("unread", 3)]
    assert "3 个字符" in report.findings[0]


def test_characters_the_source_does_not_hold_leave_the_account_unbalanced() -> None:
    report = built("正文四字").finish(3).report
    assert (report.chars_in, report.chars_kept, report.balanced) == (3, 4, False)
    assert "多 1 个" in report.findings[0]


@given(st.lists(st.text(min_size=1, max_size=9), max_size=8), st.sets(st.integers(0, 7)))
def test_what_is_retracted_is_always_booked_and_offsets_stay_true(texts: list[str], places: set[int]) -> None:
    builder = built(*texts)
    total = sum(block.source_chars for block in builder.blocks())
    builder.retract(places, "noise")
    parsed = builder.finish(total)
    assert parsed.report.balanced and not parsed.report.findings
    assert all(
        parsed.text[block.anchor.char_start : block.anchor.char_end] == block.text for block in parsed.blocks
    )
