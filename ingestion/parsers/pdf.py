"""PDF to blocks: read the pages, take out the noise, join lines, find headings, keep the account.

pdfium gives text, boxes and drawings; what stands where is decided in the `pdf_*` modules beside this one.
A page without a text layer goes to the OCR engine, or is reported; it is never an empty success.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field

import pypdfium2 as pdfium

from ingestion.cleaning import Noise
from ingestion.documents import (
    Anchor,
    Block,
    BlockBuilder,
    BlockKind,
    FailureReason,
    FileState,
    Parsed,
    count_chars,
)
from ingestion.errors import OcrFailure, ParseFailure
from ingestion.headings import Pattern, numbering
from ingestion.parsers.pdf_blocks import JoinedTable, blocks_of, join_tables
from ingestion.parsers.pdf_headings import heading_levels
from ingestion.parsers.pdf_layout import Item, reading_order
from ingestion.parsers.pdf_noise import NoiseFilter
from ingestion.parsers.pdf_ocr import read_scanned_page
from ingestion.parsers.pdf_paragraphs import Paragraph, measure, paragraphs
from ingestion.parsers.pdf_source import bookmarks, metadata, open_pdf, page_label, second_count
from ingestion.parsers.pdf_tables import ruled_grids, split_runs
from ingestion.parsers.pdf_text import PageText, is_garbled, needs_ocr, read_page
from ingestion.protocols import Ocr

OCR_PAGES = 100  # of a file, beside the engine's limit of time; what is left then is reported as unread
_LIST_PATTERNS = frozenset({Pattern.ARABIC, Pattern.ARABIC_BRACKET, Pattern.CIRCLED, Pattern.BARE})


def parse(data: bytes, *, password: str | None = None, ocr: Ocr | None = None) -> Parsed:
    """Reads a PDF. Raises ParseFailure for a file that is empty, encrypted, damaged or no PDF.

    A file of scanned pages only, without `ocr`, ends in the state `needs_ocr`; one with some in
    `parsed_partly`; `ocr_pages` has their numbers, also where OCR has read them.
    """
    document = open_pdf(data, password)
    try:
        return _Reading(document, ocr).run(data, password)
    finally:
        document.close()


@dataclass(slots=True)
class _Pages:
    """What the pages gave: `items` by page, pages left to OCR, pages pdfium could not load."""

    items: list[list[Item]] = field(default_factory=list)
    widths: list[float] = field(default_factory=list)
    heights: list[float] = field(default_factory=list)
    labels: list[str | None] = field(default_factory=list)
    counts: list[int] = field(default_factory=list)  # characters by page, text layer
    scanned: list[int] = field(default_factory=list)  # pages that needed OCR
    unread: list[int] = field(default_factory=list)  # and those that nobody could read
    blank: list[int] = field(default_factory=list)  # OCR found no text on them
    recognised: set[int] = field(default_factory=set)
    broken: list[int] = field(default_factory=list)


class _Reading:
    """The reading of one file, a list of steps that share the account."""

    def __init__(self, document: pdfium.PdfDocument, ocr: Ocr | None) -> None:
        self._document = document
        self._ocr = ocr
        self._ocr_until = time.monotonic() + (ocr.seconds_per_file if ocr is not None else 0)
        self._builder = BlockBuilder()
        self._pages = _Pages()
        self._chars_in = 0
        self._noise = NoiseFilter(self._builder)

    def run(self, data: bytes, password: str | None) -> Parsed:
        for index in range(len(self._document)):
            self._read_page(index)
        self._write_blocks()
        finding = second_count(data, password, self._pages.counts)
        if finding:
            self._builder.note(finding)
        return self._finish()

    # --- pages

    def _read_page(self, index: int) -> None:
        pages = self._pages
        pages.labels.append(page_label(self._document, index))
        try:
            page = self._document[index]
            text = read_page(page)
        except pdfium.PdfiumError:
            pages.broken.append(index)
            self._add_page([], 0.0, 0.0, 0)
            return
        self._chars_in += text.chars
        items: list[Item] = []
        if needs_ocr(text):
            pages.scanned.append(index)
            if self._ocr is None or time.monotonic() > self._ocr_until or len(pages.scanned) > OCR_PAGES:
                pages.unread.append(index)
            else:
                items.extend(self._ocr_lines(page, text, index, self._ocr))
        if is_garbled(text):
            self._builder.drop(Noise.GARBLED, "".join(run.text for run in text.runs))
        elif not items:
            items.extend(self._text_items(text, index))
        else:
            self._builder.drop(Noise.INVISIBLE, "".join(run.text for run in text.runs))
        page.close()
        self._add_page(items, text.width, text.height, text.chars)

    def _add_page(self, items: list[Item], width: float, height: float, chars: int) -> None:
        self._pages.items.append(items)
        self._pages.widths.append(width)
        self._pages.heights.append(height)
        self._pages.counts.append(chars)

    def _text_items(self, text: PageText, index: int) -> list[Item]:
        level = []
        for run in text.runs:
            if run.slanted:
                self._builder.drop(Noise.WATERMARK, run.text)
            else:
                level.append(run)
        runs, tables = split_runs(level, ruled_grids(text.drawing.rules))
        return reading_order(text, runs, tables, index)

    def _ocr_lines(self, page: pdfium.PdfPage, text: PageText, index: int, ocr: Ocr) -> list[Item]:
        try:
            result = read_scanned_page(page, ocr)
        except OcrFailure as failure:
            self._pages.unread.append(index)
            self._builder.note(f"第 {index + 1} 页未能识别：{failure.message}")
            return []
        items = reading_order(text, result.runs, [], index)
        self._chars_in += sum(run.chars for run in result.runs)
        if items:
            self._pages.recognised.add(index)
            self._builder.note(f"第 {index + 1} 页由 OCR 识别，平均置信度 {result.confidence:.2f}")
        else:
            self._pages.blank.append(index)
        return items

    # --- blocks

    def _write_blocks(self) -> None:
        pages = self._noise.pages(self._pages.items, self._pages.heights)
        items = [item for page in pages for item in page]
        measures = measure(items, self._pages.widths)
        joined = self._noise.paragraphs(join_tables(paragraphs(items, measures)))
        levels = heading_levels(joined, measures, bookmarks(self._document), self._noise.contents)
        before: list[str] = []
        for i, item in enumerate(joined):
            if isinstance(item, JoinedTable):
                self._add_table(item, before)
                before = []
            else:
                self._add_paragraph(item, levels.get(i, 0))
                before = [item.text, *before[:1]]

    def _add_table(self, table: JoinedTable, before: Sequence[str]) -> None:
        blocks = blocks_of(table, before, self._pages.labels)
        repeated = count_chars(table.repeated)
        self._builder.drop(Noise.TABLE_HEADER, table.repeated, repeated)
        self._add_balanced(blocks, table.chars - repeated)

    def _add_paragraph(self, paragraph: Paragraph, level: int) -> None:
        first = paragraph.first
        anchor = Anchor(
            page=first.page + 1,
            page_label=self._pages.labels[first.page],
            boxes=paragraph.boxes,
            ocr=first.page in self._pages.recognised,
        )
        kind = BlockKind.HEADING if level else _kind(paragraph)
        self._add_balanced([Block(kind, paragraph.text, anchor, level)], paragraph.chars)

    def _add_balanced(self, blocks: Sequence[Block], chars: int) -> None:
        """Adds blocks made from `chars` raw characters; what normalising took or gave is settled here."""
        left = chars
        texts = [block for block in blocks if block.text.strip()]
        for block in texts:
            kept = min(block.source_chars, left)
            left -= kept
            self._builder.add(_with_source(block, kept))
        self._builder.drop(Noise.INVISIBLE, "".join(block.text for block in texts[:1]), left)

    # --- the end

    def _finish(self) -> Parsed:
        pages = self._pages
        if len(pages.broken) == len(pages.items):
            raise ParseFailure(FailureReason.CORRUPT, "PDF 的所有页面都无法读取，文件已损坏，请重新导出。")
        if pages.broken:
            self._builder.note(f"{_numbers(pages.broken)}已损坏，无法读取")
        has_text = len(self._builder) > 0
        if not has_text and not pages.unread:
            said = "OCR 没有在扫描页上识别出文字。" if pages.blank else "PDF 中没有任何正文文字。"
            raise ParseFailure(FailureReason.EMPTY, said)
        if pages.blank:
            self._builder.note(f"{_numbers(pages.blank)}只有图像，OCR 没有识别出文字")
        state, message = FileState.PARSED, ""
        if pages.unread:
            state = FileState.PARSED_PARTLY if has_text else FileState.NEEDS_OCR
            message = f"{_numbers(pages.unread)}没有可用的文字，可能是扫描件，需要 OCR"
        elif pages.broken:
            state, message = FileState.PARSED_PARTLY, f"{_numbers(pages.broken)}已损坏，无法读取"
        return self._builder.finish(
            self._chars_in,
            state=state,
            metadata=metadata(self._document, self._noise.headers, self._noise.revisions),
            message=message,
            ocr_pages=tuple(index + 1 for index in pages.scanned),
        )


def _kind(paragraph: Paragraph) -> BlockKind:
    found = numbering(paragraph.text)
    listed = paragraph.is_bullet or (found is not None and found.pattern in _LIST_PATTERNS)
    return BlockKind.LIST if listed else BlockKind.PARAGRAPH


def _with_source(block: Block, chars: int) -> Block:
    return Block(block.kind, block.text, block.anchor, block.level, block.context, chars)


def _numbers(pages: Sequence[int]) -> str:
    """`第 1、3–5 页`, from indices."""
    ranges: list[list[int]] = []
    for page in pages:
        if ranges and ranges[-1][1] == page:
            ranges[-1][1] = page + 1
        else:
            ranges.append([page + 1, page + 1])
    spans = (f"{first}" if first == last else f"{first}–{last}" for first, last in ranges)
    return f"第 {'、'.join(spans)} 页"
