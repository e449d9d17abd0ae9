"""Delimited text: the delimiter is told from the rows, the encoding by `encoding.decode`."""

import csv
import io
from collections.abc import Sequence

from ingestion.documents import BlockBuilder, FailureReason, Metadata, Parsed, count_chars
from ingestion.errors import ParseFailure
from ingestion.parsers.encoding import decode
from ingestion.parsers.sheet_tables import add_sheet
from ingestion.parsers.text import note_encoding
from ingestion.protocols import Ocr

DELIMITERS = (",", "\t", ";", "|", "，")
SNIFFED_LINES = 60
QUOTE = '"'


def parse(data: bytes, *, password: str | None = None, ocr: Ocr | None = None) -> Parsed:
    """Raises ParseFailure (empty). Every row becomes a block with its cell range as anchor."""
    decoded = decode(data)
    text = decoded.text.replace("\x00", "")
    if not text.strip():
        raise ParseFailure(FailureReason.EMPTY, "表格文件没有任何内容。请确认上传的是填写过的文件")
    delimiter = sniff(text)
    builder = BlockBuilder()
    rows, quoted = _rows(text, delimiter)
    if not quoted:
        builder.note("引号不成对，已按行、按分隔符切分，引号保留在文字中")
    note_encoding(builder, decoded)
    texts = {(r, c): cell for r, row in enumerate(rows) for c, cell in enumerate(row) if cell.strip()}
    add_sheet(builder, texts)
    chars_in = _content_chars(text, delimiter, rows, quoted)
    return builder.finish(chars_in, metadata=Metadata(encoding=decoded.encoding))


def sniff(text: str) -> str:
    """The delimiter that gives most rows the same number of fields, at least two; a comma when none does."""
    lines = [line for line in text.splitlines() if line.strip()][:SNIFFED_LINES]
    best, best_score = ",", 0.0
    for delimiter in DELIMITERS:
        widths = [len(row) for row in _rows("\n".join(lines), delimiter)[0] if row]
        usual = max(set(widths), key=widths.count, default=1)
        score = widths.count(usual) / len(widths) if usual > 1 else 0.0
        if score > best_score:
            best, best_score = delimiter, score
    return best


def _rows(text: str, delimiter: str) -> tuple[list[list[str]], bool]:
    """The rows, and whether quotes were honoured: an unclosed one would swallow the rest of the file."""
    csv.field_size_limit(max(csv.field_size_limit(), len(text)))  # a long cell is no fault of its quotes
    try:
        rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True))
    except csv.Error:
        return [line.split(delimiter) for line in text.splitlines()], False
    return rows, True


def _content_chars(text: str, delimiter: str, rows: Sequence[Sequence[str]], quoted: bool) -> int:
    """Characters by a count that does not rely on the rows: all but delimiters and quotes from the text."""
    structural = (delimiter, QUOTE) if quoted else (delimiter,)
    inside = sum(
        cell.count(mark) for row in rows for cell in row for mark in structural if not mark.isspace()
    )
    bare = text
    for mark in structural:
        bare = bare.replace(mark, "")
    return count_chars(bare) + inside
