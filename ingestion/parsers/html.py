"""Web pages: what a reader sees as blocks; scripts, navigation and hidden parts dropped with an account."""

import re
from collections.abc import Iterable

from lxml import etree

from ingestion.cleaning import LeftOut
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
from ingestion.glyphs import normalise
from ingestion.headings import Outline, looks_like_heading, numbering
from ingestion.parsers.attachment_lists import drop_attachment_lists
from ingestion.parsers.embedded_tables import Before, add_table
from ingestion.parsers.encoding import declared_charset
from ingestion.parsers.html_page import (
    Page,
    is_bold,
    is_data_table,
    own_text,
    read_table,
    styled_level,
)
from ingestion.parsers.inline import collapse
from ingestion.parsers.text import ALWAYS_HEADINGS, BODY_SIZE, TITLE_SIZE, decode_text, note_encoding
from ingestion.protocols import Ocr

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")

HEADINGS = {f"h{level}": level for level in range(1, 7)}
_BLOCK_NAMES = """
    address article aside blockquote body caption center dd details dialog div dl dt fieldset figcaption
    figure footer form h1 h2 h3 h4 h5 h6 header hr html li main nav ol option p pre section summary table
    tbody td tfoot th thead tr ul
"""
BLOCKS = frozenset(_BLOCK_NAMES.split())


def parse(data: bytes, *, password: str | None = None, ocr: Ocr | None = None) -> Parsed:
    """`password` and `ocr` have no meaning for a page. Raises ParseFailure: wrong_type, too_complex."""
    decoded = decode_text(data, declared_charset(data))
    builder = BlockBuilder()
    note_encoding(builder, decoded)
    markup = _CONTROL.sub("", decoded.text)
    root = tree(markup)
    if root is None:
        return builder.finish(0, metadata=Metadata(encoding=decoded.encoding))
    page = Page(root)
    records = Walker(builder, page).walk(root)
    drop_attachment_lists(builder)
    metadata = Metadata(title=page.title, encoding=decoded.encoding, revision_table=records)
    return builder.finish(count_text(root), metadata=metadata)


def tree(markup: str) -> etree._Element | None:
    """The element tree of a page or fragment; None when it holds no element and no text."""
    parser = etree.HTMLParser(encoding="utf-8", huge_tree=True)
    data = markup.encode()
    if not data.strip():
        return None
    root: etree._Element | None = etree.fromstring(data, parser)
    if any("depth" in entry.message for entry in parser.error_log):
        raise ParseFailure(
            FailureReason.TOO_COMPLEX, "网页嵌套层数过深，无法完整读取。请简化或另存为 docx 后再导入"
        )
    return root


def count_text(root: etree._Element) -> int:
    """Characters of all text nodes of the tree, comments included: counted apart from the reading walk."""
    return sum(count_chars(node.text or "") + count_chars(node.tail or "") for node in root.iter())


class Walker:
    """Turns the elements of a page into blocks, without recursion: pages nest as deep as they like."""

    def __init__(self, builder: BlockBuilder, page: Page, outline: Outline | None = None) -> None:
        self._builder = builder
        self._page = page
        self._outline = outline or Outline()
        self._buffer: list[str] = []
        self._block: list[etree._Element] = []  # open block elements, the innermost last
        self._anchor = Anchor()
        self._before = Before()
        self._records: tuple[tuple[str, ...], ...] = ()
        self._count = 0

    def walk(self, root: etree._Element) -> tuple[tuple[str, ...], ...]:
        """Add the blocks of a tree; the rows of its revision records are returned."""
        context = etree.iterwalk(root, events=("start", "end", "comment", "pi"))
        for event, element in context:
            if event == "start":
                if self._starts_apart(element):
                    context.skip_subtree()
            elif event == "end":
                self._end(element)
            else:
                self._builder.drop("comment", element.text or "")
                self._buffer.append(element.tail or "")
        self._flush(None)
        return self._records

    def _starts_apart(self, element: etree._Element) -> bool:
        """Open an element; true when all of it has been dealt with and its subtree is to be skipped."""
        if reason := self._page.dropped(element):
            self._leave_out(own_text(element, reason))
            return True
        if element.tag == "table" and is_data_table(element):
            self._flush(None)
            self._table(element)
            return True
        if element.tag == "br":
            self._buffer.append("\n")
        if element.tag in BLOCKS:
            self._flush(None)
        self._buffer.append(element.text or "")
        return False

    def _end(self, element: etree._Element) -> None:
        if element.tag in BLOCKS:
            self._flush(element)
        self._buffer.append(element.tail or "")

    def _flush(self, element: etree._Element | None) -> None:
        """Make a block of what was collected; `element` is the block element that ends here, if one does."""
        raw = "".join(self._buffer)
        self._buffer.clear()
        preformatted = element is not None and element.tag == "pre"
        text = normalise(raw).strip("\n") if preformatted else collapse(normalise(raw))
        if not text.strip():
            self._builder.drop("invisible", raw)
            return
        self._count += 1
        level = self._heading_level(element, text)
        if element is not None and level:
            self._anchor = Anchor(element=element.get("id") or self._page.name_of(element) or text)
            self._before = Before(heading=text)
        else:
            self._before = Before(self._before.heading, text)
        kind = BlockKind.HEADING if level else _kind(element)
        anchor = Anchor(element=self._anchor.element, paragraph=self._count)
        self._builder.add(Block(kind, text, anchor, level=level, source_chars=count_chars(raw)))

    def _heading_level(self, element: etree._Element | None, text: str) -> int:
        if element is None:
            return 0
        found = numbering(text)
        styled = HEADINGS.get(str(element.tag)) or styled_level(element)
        if styled:
            return self._outline.level(found, styled=styled, size=TITLE_SIZE)
        if found is None or found.is_clause or not looks_like_heading(text):
            return 0
        if found.pattern in ALWAYS_HEADINGS or is_bold(element):
            return self._outline.level(found, size=BODY_SIZE)
        return 0

    def _table(self, element: etree._Element) -> None:
        self._count += 1
        found = read_table(element, self._page, self._anchor_here())
        self._leave_out(found.left_out)
        caption = Block(
            BlockKind.PARAGRAPH,
            collapse(normalise(found.caption)),
            self._anchor_here(),
            source_chars=count_chars(found.caption),
        )
        self._builder.add(caption)
        self._records += add_table(self._builder, found.table, self._before)
        self._before = Before(self._before.heading)

    def _leave_out(self, parts: Iterable[LeftOut]) -> None:
        for part in parts:
            self._builder.drop(part.reason, part.text)

    def _anchor_here(self) -> Anchor:
        return Anchor(element=self._anchor.element, paragraph=self._count)


def _kind(element: etree._Element | None) -> BlockKind:
    """An item also where its text stands in a paragraph of its own."""
    if element is None:
        return BlockKind.PARAGRAPH
    parent = element.getparent()
    tags = (element.tag, parent.tag if parent is not None else None)
    return BlockKind.LIST if "li" in tags or "dd" in tags else BlockKind.PARAGRAPH
