"""Plain text: paragraphs, lists, and headings told by their numbering."""

import re
from collections.abc import Iterator
from dataclasses import replace

from ingestion.cleaning import Noise, is_toc_entry, is_toc_title
from ingestion.documents import (
    Anchor,
    Block,
    BlockBuilder,
    BlockKind,
    FailureReason,
    Metadata,
    Parsed,
    count_chars,
)
from ingestion.errors import ParseFailure
from ingestion.glyphs import join_lines, normalise
from ingestion.headings import Numbering, Outline, Pattern, looks_like_heading, numbering
from ingestion.parsers.attachment_lists import drop_attachment_lists
from ingestion.parsers.detect import is_text
from ingestion.parsers.encoding import Decoded, decode
from ingestion.protocols import Ocr

SURE_CONFIDENCE = 0.5  # below this the encoding is reported as guessed
MAX_REPLACED = 0.001  # share of undecodable places that is worth a finding
ALWAYS_HEADINGS = frozenset({Pattern.BOOK, Pattern.CHAPTER, Pattern.SECTION})
ITEM_PATTERNS = frozenset({Pattern.ARABIC, Pattern.ARABIC_BRACKET, Pattern.CIRCLED, Pattern.HAN_BRACKET})
TITLE_SIZE, BODY_SIZE = 2.0, 1.0  # for `Outline`: without fonts, all that is known is what is larger
MIN_WRAP_WIDTH = 24
MAX_JOINED = 5_000  # characters: no paragraph is longer, whatever the lines look like
WRAPPED_SHARE = 0.6

_BULLET = re.compile(r"[-*•·●■◆▪○]\s+(?=\S)")
_ENDS_SENTENCE = re.compile(r"[。！？；：.!?;:…”」』）)]\s*$")


def parse(data: bytes, *, password: str | None = None, ocr: Ocr | None = None) -> Parsed:
    """`password` and `ocr` have no meaning for text. Raises ParseFailure when the bytes are no text."""
    decoded = decode_text(data)
    builder = BlockBuilder()
    note_encoding(builder, decoded)
    _Reader(builder).read(decoded.text)
    drop_attachment_lists(builder)
    chars_in = count_chars(decoded.text)
    return builder.finish(chars_in, metadata=Metadata(encoding=decoded.encoding))


def decode_text(data: bytes, declared: str | None = None) -> Decoded:
    """Raises ParseFailure (wrong_type) when what comes out is no text in any encoding."""
    decoded = decode(data, declared)
    if not is_text(decoded):
        raise ParseFailure(
            FailureReason.WRONG_TYPE, "文件内容不是文本，扩展名可能有误。请确认文件类型，或用原程序另存后再试"
        )
    return decoded


def note_encoding(builder: BlockBuilder, decoded: Decoded) -> None:
    """Tell the reader of the report where the encoding was a guess or characters were lost."""
    if decoded.replaced > MAX_REPLACED * len(decoded.text):
        builder.note(
            f"有 {decoded.replaced} 处字节无法按 {decoded.encoding} 解码，已用 \N{REPLACEMENT CHARACTER} 代替"
        )
    if decoded.confidence < SURE_CONFIDENCE:
        builder.note(
            f"文件编码按 {decoded.encoding} 推测（把握 {decoded.confidence:.0%}），请核对文字是否正常"
        )


class _Reader:
    def __init__(self, builder: BlockBuilder) -> None:
        self._builder = builder
        self._outline = Outline()

    def read(self, text: str) -> None:
        lines = list(_paragraphs(text))
        in_contents = False
        for index, (number, line) in enumerate(lines):
            following = lines[index + 1][1] if index + 1 < len(lines) else ""
            if is_toc_title(line) and is_toc_entry(following):
                in_contents = True
            if in_contents and (is_toc_title(line) or is_toc_entry(line)):
                self._builder.drop(Noise.TOC, line)
                continue
            in_contents = False
            self._add(line, following, number, first=index == 0)

    def _add(self, line: str, following: str, number: int, first: bool) -> None:
        text = normalise(line)
        if not text.strip():
            self._builder.drop(Noise.INVISIBLE, line)
            return
        block = self._block(text, following, first)
        self._builder.add(replace(block, anchor=Anchor(paragraph=number), source_chars=count_chars(line)))

    def _block(self, text: str, following: str, first: bool) -> Block:
        found = numbering(text)
        if first and found is None and following and looks_like_heading(text):
            return Block(BlockKind.HEADING, text, level=self._outline.level(None, size=TITLE_SIZE))
        if found is not None and is_numbered_heading(found, text, following):
            return Block(BlockKind.HEADING, text, level=self._outline.level(found, size=BODY_SIZE))
        if bullet := _BULLET.match(text):
            return Block(BlockKind.LIST, text[bullet.end() :])
        kind = BlockKind.LIST if found is not None and found.pattern in ITEM_PATTERNS else BlockKind.PARAGRAPH
        return Block(kind, text)


def is_numbered_heading(found: Numbering, line: str, following: str) -> bool:
    """Whether a numbered line without any styling is a heading.

    第X章 and 第X节 are; 第X条 is a clause and never; any other only when something that is no sibling of it
    follows: of 一、… 二、… 三、… line by line, each is an item of a list.
    """
    if found.is_clause or not looks_like_heading(line):
        return False
    if found.pattern in ALWAYS_HEADINGS:
        return True
    after = numbering(following)
    return bool(following.strip()) and (after is None or after.pattern is not found.pattern)


def _paragraphs(text: str) -> Iterator[tuple[int, str]]:
    """Paragraphs with the number (from 1) of their first line; lines of a hard-wrapped text are joined."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    width = _wrap_width(lines)
    start, joined = 0, ""
    for number, raw in enumerate(lines, start=1):
        line = raw.strip()
        if (
            joined
            and line
            and width
            and len(joined) < MAX_JOINED
            and _continues(lines[number - 2], line, raw, width)
        ):
            joined = join_lines(joined, line)
            continue
        if joined:
            yield start, joined
        start, joined = number, line
    if joined:
        yield start, joined


def _continues(before: str, line: str, raw: str, width: int) -> bool:
    full = _columns(before) >= width - 3
    indented = raw[:1] in (" ", "\t", "\u3000")
    return full and not indented and not _ENDS_SENTENCE.search(before) and numbering(line) is None


def _wrap_width(lines: list[str]) -> int:
    """The column at which an editor broke the lines, 0 when lines are paragraphs."""
    widths = [_columns(line) for line in lines if line.strip()]
    longest = max(widths, default=0)
    inner = [width for width in widths if width > longest / 2]
    full = [width for width in inner if width >= longest - 3]
    return (
        longest
        if longest >= MIN_WRAP_WIDTH and len(full) >= 4 and len(full) >= WRAPPED_SHARE * len(inner)
        else 0
    )


def _columns(line: str) -> int:
    """Display width: a Chinese character takes two columns."""
    return sum(2 if char > "\u2e7f" else 1 for char in line.rstrip())
