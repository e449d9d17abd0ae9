"""Lists that only name a document's attachments 附件清单: dropped from what a parser has built."""

from ingestion.cleaning import Noise, attachment_lists
from ingestion.documents import BlockBuilder, BlockKind

LINES = frozenset({BlockKind.HEADING, BlockKind.PARAGRAPH, BlockKind.LIST})


def drop_attachment_lists(builder: BlockBuilder) -> None:
    """Take back the blocks that only name attachments 附件清单; tables and notes are none."""
    texts = [block.text if block.kind in LINES else "" for block in builder.blocks()]
    builder.retract((place for found in attachment_lists(texts) for place in found), Noise.ATTACHMENT_LIST)
