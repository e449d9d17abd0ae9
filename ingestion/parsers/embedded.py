"""A document inside a document: what was read of it becomes a section of the one that holds it."""

from dataclasses import replace

from ingestion.documents import Anchor, Block, BlockBuilder, BlockKind, Parsed, count_chars
from ingestion.headings import MAX_LEVEL


def append_section(builder: BlockBuilder, title: str, name: str, parsed: Parsed, element: str) -> int:
    """Add a heading `title` + `name` and under it the blocks of `parsed`; its account joins the builder's.

    Returns the characters of the source that this accounts for, `name` included: it stands in the file.
    """
    builder.add(
        Block(BlockKind.HEADING, title + name, Anchor(element=element), 1, source_chars=count_chars(name))
    )
    for finding in parsed.report.findings:
        builder.note(f"{title}{name}：{finding}")
    return count_chars(name) + append_blocks(builder, parsed, element, deeper=1)


def append_blocks(builder: BlockBuilder, parsed: Parsed, element: str, *, deeper: int = 0) -> int:
    """Add the blocks of `parsed` with their headings `deeper` levels down; returns its `chars_in`."""
    for block in parsed.blocks:
        anchor = replace(block.anchor, element=element)
        level = min(block.level + deeper, MAX_LEVEL) if block.kind is BlockKind.HEADING else block.level
        builder.add(replace(block, anchor=anchor, level=level))
    for dropped in parsed.report.dropped:
        builder.drop(dropped.reason, dropped.sample, dropped.chars)
    return parsed.report.chars_in
