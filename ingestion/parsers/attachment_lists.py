"""Lists that only name a document's attachments 附件清单: dropped from what a parser has built."""

from ingestion.cleaning import Noise, attachment_list
from ingestion.documents import BlockBuilder, BlockKind

LINES = frozenset({BlockKind.HEADING, BlockKind.PARAGRAPH, BlockKind.LIST})


def drop_attachment_lists(builder: BlockBuilder) -> None:
    """Take back the blocks that only name attachments 附件清单; tables and notes are none."""
    texts = [block.text if block.kind in LINES else "" for block in builder.blocks()]
    for start in range(len(texts) - 1, -1, -1):
        if texts[start] and (length := attachment_list(texts, start)):
            builder.retract(start, start + length, Noise.ATTACHMENT_LIST)
