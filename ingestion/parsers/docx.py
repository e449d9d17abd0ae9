"""Word documents: a walk of the body's XML that reads what Word shows with all tracked changes accepted.

Automatic numbers are computed and put before their text; tables become row sentences; the table of contents
and the revision record are dropped with an account; comments and notes follow the body as NOTE blocks.
"""

import re
from dataclasses import replace

from lxml import etree

from ingestion.cleaning import Noise, is_toc_entry, is_toc_title
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
from ingestion.glyphs import normalise
from ingestion.headings import numbering
from ingestion.parsers.attachment_lists import drop_attachment_lists
from ingestion.parsers.docx_headings import Headings, Shape
from ingestion.parsers.docx_notes import add_notes, drop_running_parts
from ingestion.parsers.docx_numbering import Label, Numbering
from ingestion.parsers.docx_package import MC, TEXT_TAGS, Package, W, is_on, open_package, value
from ingestion.parsers.docx_runs import DELETED, ParagraphText, RunReader, choose
from ingestion.parsers.docx_styles import Style, Styles, paragraph_look
from ingestion.parsers.docx_tables import CellText, cells_of, is_layout, paragraphs_of, read_table, rows_of
from ingestion.parsers.embedded_tables import Before, add_table
from ingestion.protocols import Ocr

_CONTENTS_LINE = re.compile(r"\S.*\t\s*[\divxIVX]{1,5}\s*$")
_NO_BLANK_AFTER = re.compile(r"[、）】》」．：]$")


def parse(data: bytes, *, password: str | None = None, ocr: Ocr | None = None) -> Parsed:
    """`password` is spent before a package is opened, `ocr` is not used. Raises ParseFailure."""
    package = open_package(data)
    builder = BlockBuilder()
    styles = Styles(package.styles)
    body = _Body(builder, package, styles)
    body.walk(package.document)
    body.release()
    drop_attachment_lists(builder)
    add_notes(builder, package, styles, body.places)
    headers = drop_running_parts(builder, package)
    metadata = replace(package.metadata, running_headers=headers, revision_table=body.records)
    if len(builder) == 0 and body.pictures:
        return builder.finish(
            package.count_text(),
            state=FileState.NEEDS_OCR,
            metadata=metadata,
            reason=FailureReason.EMPTY,
            message=f"文档中只有 {body.pictures} 张图片，没有文字，可能是扫描件。请导出为 PDF 后用 OCR 识别",
        )
    if body.pictures:
        builder.note(f"文档含 {body.pictures} 张图片，图片中的文字未识别")
    return builder.finish(package.count_text(), metadata=metadata)


class _Body:
    """Reads paragraphs and tables in order. Counts paragraphs from 1 as the anchors show them."""

    def __init__(self, builder: BlockBuilder, package: Package, styles: Styles) -> None:
        self._builder = builder
        self._styles = styles
        self._numbering = Numbering(package.numbering, styles)
        self._runs = RunReader(package.document, styles)
        self._headings = Headings(package.document, styles)
        self._paragraph = 0
        self._tables = 0
        self._before = Before()
        self._carried: ParagraphText | None = None  # text whose paragraph mark was deleted: goes to the next
        self._contents_title: Block | None = None  # 目录, until what follows shows whether it heads entries
        self._in_contents = False
        self.records: tuple[tuple[str, ...], ...] = ()
        self.places: dict[str, int] = {}
        self.pictures = 0

    def walk(self, container: etree._Element) -> None:
        for element in container.iterchildren(etree.Element):
            tag = str(element.tag)
            if tag == f"{W}p":
                self._read_paragraph(element)
            elif tag == f"{W}tbl":
                self._read_table(element)
            elif tag in DELETED:
                self._leave_out(element, "tracked_deletion")
            elif tag == f"{W}sdt" and is_contents_control(element):
                self._drop_contents_title()
                self._leave_out(element, Noise.TOC)
            elif tag == f"{MC}AlternateContent":
                chosen, twins = choose(element)
                for twin in twins:
                    self._leave_out(twin, "fallback_twin")
                if chosen is not None:
                    self.walk(chosen)
            elif tag == f"{W}altChunk":
                self._builder.note("文档嵌入了其他格式的内容（altChunk），未读取")
            else:
                self.walk(element)

    def release(self) -> None:
        """Add what still waits for a next paragraph: there is none, or a table comes first."""
        self._keep_contents_title()
        carried, self._carried = self._carried, None
        if carried is not None:
            self._add(BlockKind.PARAGRAPH, carried.text, carried.source)
            for box in carried.boxes:
                self.walk(box)

    # --- paragraphs

    def _read_paragraph(self, element: etree._Element) -> None:
        self._paragraph += 1
        said = self._said(element)
        properties = element.find(f"{W}pPr")
        if _mark_is_deleted(properties):
            self._carried = said
            return
        style = self._styles.get(value(properties, "pStyle"))
        label = None if _is_hidden(properties, said) else self._label(properties, style)
        self._take(said, style, properties, label)
        for box in said.boxes:
            self.walk(box)

    def _said(self, element: etree._Element) -> ParagraphText:
        said = self._runs.read(element)
        self.pictures += said.pictures
        for part in said.left_out:
            self._builder.drop(part.reason, part.text)
        for note in said.notes:
            self.places.setdefault(note, self._paragraph)
        carried, self._carried = self._carried, None
        return carried.followed_by(said) if carried is not None else said

    def _label(self, properties: etree._Element | None, style: Style) -> Label | None:
        look = paragraph_look(properties).over(style.look)
        if not look.list_id:
            return None
        return self._numbering.next(look.list_id, look.list_level, style.id)

    def _take(
        self, said: ParagraphText, style: Style, properties: etree._Element | None, label: Label | None
    ) -> None:
        text = normalise(said.text).strip()
        if not text:
            self._builder.drop(Noise.INVISIBLE, said.source)
            return
        if self._is_contents(said, style, text):
            self._drop_contents_title()
            self._builder.drop(Noise.TOC, said.source)
            return
        self._keep_contents_title()
        text = with_label(label, text)
        if is_toc_title(text):
            self._contents_title = Block(
                BlockKind.PARAGRAPH,
                text,
                Anchor(paragraph=self._paragraph),
                source_chars=count_chars(said.source),
            )
            return
        shape = Shape(style, paragraph_look(properties), said.bold, said.size)
        if level := self._headings.level(text, shape):
            self._add(BlockKind.HEADING, text, said.source, level)
            self._before = Before(heading=text)
            return
        found = numbering(text)
        is_item = label is not None and not (found is not None and found.is_clause)
        self._add(BlockKind.LIST if is_item else BlockKind.PARAGRAPH, text, said.source)
        self._before = Before(self._before.heading, text)

    def _add(self, kind: BlockKind, text: str, source: str, level: int = 0) -> None:
        text = normalise(text).strip()
        if not text:
            self._builder.drop(Noise.INVISIBLE, source)
            return
        anchor = Anchor(paragraph=self._paragraph)
        self._builder.add(Block(kind, text, anchor, level, source_chars=count_chars(source)))

    # --- table of contents

    def _is_contents(self, said: ParagraphText, style: Style, text: str) -> bool:
        if style.is_contents or said.in_contents:
            return True
        entry = is_toc_entry(text) or _CONTENTS_LINE.match(text) is not None
        self._in_contents = entry and (self._in_contents or self._contents_title is not None)
        return self._in_contents

    def _drop_contents_title(self) -> None:
        title, self._contents_title = self._contents_title, None
        if title is not None:
            self._builder.drop(Noise.TOC, title.text, title.source_chars)

    def _keep_contents_title(self) -> None:
        title, self._contents_title = self._contents_title, None
        if title is not None:
            self._builder.add(title)

    # --- tables

    def _read_table(self, element: etree._Element) -> None:
        self.release()
        if is_layout(element):
            for row in rows_of(element):
                for cell in cells_of(row):
                    self.walk(cell)
            return
        self._tables += 1
        boxes: list[etree._Element] = []
        found = read_table(element, lambda cell: self._cell(cell, boxes), self._leave_out, self._row_anchor)
        self.records += add_table(self._builder, found.table, self._before, generated=found.generated)
        self._before = Before(self._before.heading)
        for box in boxes:
            self.walk(box)

    def _row_anchor(self, row: int) -> Anchor:
        return Anchor(paragraph=self._paragraph + 1, element=f"table{self._tables}", cell_range=f"R{row + 1}")

    def _cell(self, cell: etree._Element, boxes: list[etree._Element]) -> CellText:
        lines: list[str] = []
        source = 0
        for element in paragraphs_of(cell):
            self._paragraph += 1
            said = self._said(element)
            properties = element.find(f"{W}pPr")
            if _mark_is_deleted(properties):
                self._carried = said
                continue
            label = self._label(properties, self._styles.get(value(properties, "pStyle")))
            lines.append(with_label(label, said.text.strip()))
            source += count_chars(said.source)
            boxes.extend(said.boxes)
        if self._carried is not None:
            lines.append(self._carried.text)
            source += count_chars(self._carried.source)
            boxes.extend(self._carried.boxes)
            self._carried = None
        return CellText("\n".join(line for line in lines if line), source)

    def _leave_out(self, element: etree._Element, reason: str) -> None:
        self._builder.drop(reason, "".join(node.text or "" for node in element.iter(*TEXT_TAGS)))


def with_label(label: Label | None, text: str) -> str:
    """The automatic number before its text; bullets add nothing."""
    if label is None or not label.text:
        return text
    number = normalise(label.text).strip()
    glue = "" if not text or _NO_BLANK_AFTER.search(number) else " "
    return f"{number}{glue}{text}"


def is_contents_control(control: etree._Element) -> bool:
    """A content control that Word made for a table of contents."""
    gallery = control.find(f"{W}sdtPr/{W}docPartObj/{W}docPartGallery")
    return gallery is not None and "contents" in (gallery.get(f"{W}val") or "").lower()


def _mark_is_deleted(properties: etree._Element | None) -> bool:
    """The paragraph's end was deleted or moved away: what is left of it belongs to the next paragraph."""
    mark = properties.find(f"{W}rPr") if properties is not None else None
    return mark is not None and any(mark.find(tag) is not None for tag in DELETED)


def _is_hidden(properties: etree._Element | None, said: ParagraphText) -> bool:
    mark = properties.find(f"{W}rPr/{W}vanish") if properties is not None else None
    return bool(is_on(mark)) and not said.text.strip()
