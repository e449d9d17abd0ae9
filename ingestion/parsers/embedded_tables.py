"""A table inside a running text (docx, html, md): caption and sentences, or its end as revision record."""

import re
from dataclasses import dataclass, replace

from ingestion.cleaning import Noise, is_revision_record, is_revision_title
from ingestion.documents import BlockBuilder, FailureReason
from ingestion.errors import ParseFailure
from ingestion.glyphs import normalise
from ingestion.table_layout import UNIT, UNIT_ALONE
from ingestion.tables import Table, source_characters, table_blocks

MAX_PLACES = 2_000_000  # rows x columns
MAX_CAPTION = 30

_NUMBERED_CAPTION = re.compile(r"(?:附?表|Table)\s*[\d一二三四五六七八九十]", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Before:
    """The texts just before a table: the last heading and the last paragraph."""

    heading: str = ""
    paragraph: str = ""


def add_table(
    builder: BlockBuilder, table: Table, before: Before, *, generated: int = 0
) -> tuple[tuple[str, ...], ...]:
    """Add a table's sentences, or drop it as revision record and return its rows for the metadata.

    `generated` characters of the cells stand not in the file (automatic numbers) and are not counted.
    Raises ParseFailure (too_complex) for a grid beyond any office table.
    """
    _refuse_huge(table)
    rows = rows_of(table)
    if is_revision_record(rows, before.paragraph or before.heading):
        text = " ".join(cell for row in rows for cell in row)
        _retract_title(builder)
        builder.drop(Noise.REVISION_RECORD, text, source_characters(table) - generated)
        return rows
    for block in table_blocks(_captioned(table, before.paragraph.strip())):
        text = normalise(block.text)
        uncounted = min(generated, block.source_chars)
        block, generated = replace(block, source_chars=block.source_chars - uncounted), generated - uncounted
        if text.strip():
            builder.add(replace(block, text=text, context=normalise(block.context)))
        else:
            builder.drop(Noise.INVISIBLE, block.text, block.source_chars)
    return ()


def _refuse_huge(table: Table) -> None:
    """Spans of a hostile table can open a grid far larger than the file."""
    height = max((cell.row + 1 for cell in table.cells), default=0)
    width = max((cell.column + 1 for cell in table.cells), default=0)
    if height * width > MAX_PLACES:
        raise ParseFailure(
            FailureReason.TOO_COMPLEX, f"表格有 {height} 行 {width} 列，超出读取能力。请拆分表格后再导入"
        )


def _retract_title(builder: BlockBuilder) -> None:
    """The words 修订记录 above a dropped record go with it."""
    *_, last = (None, *builder.blocks())
    if last is not None and is_revision_title(last.text):
        builder.retract((len(builder) - 1,), Noise.REVISION_RECORD)


def rows_of(table: Table) -> tuple[tuple[str, ...], ...]:
    """Texts row by row, each cell where it starts."""
    rows: dict[int, list[str]] = {}
    for cell in sorted(table.cells, key=lambda cell: (cell.row, cell.column)):
        rows.setdefault(cell.row, []).append(cell.line)
    return tuple(tuple(row) for row in rows.values())


def _captioned(table: Table, paragraph: str) -> Table:
    unit = UNIT.search(paragraph) if UNIT_ALONE.fullmatch(paragraph) else None
    if unit is not None:
        return replace(table, unit=table.unit or unit[1])
    name = paragraph.rstrip("：:")
    is_caption = bool(_NUMBERED_CAPTION.match(name)) or name.endswith("表")
    if table.title or not is_caption or len(name) > MAX_CAPTION:
        return table
    return replace(table, title=name)
