"""Writes a source as pdf: cover lines, dotted contents, running header, page numbers, ruled tables."""

import io
from xml.sax.saxutils import escape

from reportlab.lib import colors
from reportlab.lib.enums import TA_CENTER
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import BaseDocTemplate, Flowable, Frame, PageBreak, PageTemplate, Spacer
from reportlab.platypus import Paragraph as PagedParagraph
from reportlab.platypus import Table as PagedTable
from reportlab.platypus.tableofcontents import TableOfContents

from .outline import Heading, Paragraph, Source, Table

FONT = "STSong-Light"  # one of the CID fonts every PDF reader knows; its text extracts as Unicode
MARGIN = 25 * mm
_BODY = ParagraphStyle("body", fontName=FONT, fontSize=11, leading=19, wordWrap="CJK", spaceAfter=4)
_CELL = ParagraphStyle("cell", _BODY, fontSize=10, leading=14, spaceAfter=0)
_TITLE = ParagraphStyle("title", _BODY, fontSize=22, leading=34, alignment=TA_CENTER)
_CENTRED = ParagraphStyle("centred", _BODY, alignment=TA_CENTER)
_HEADINGS = {
    1: ParagraphStyle("heading1", _BODY, fontSize=16, leading=26, spaceBefore=12, keepWithNext=1),
    2: ParagraphStyle("heading2", _BODY, fontSize=13, leading=22, spaceBefore=8, keepWithNext=1),
}


class _Template(BaseDocTemplate):
    """A document that tells its contents and its outline where each heading fell."""

    def afterFlowable(self, flowable: Flowable) -> None:
        level = {"heading1": 0, "heading2": 1}.get(getattr(getattr(flowable, "style", None), "name", ""))
        if level is None:
            return
        text = flowable.getPlainText()
        key = f"h{self.page}-{text}"
        self.canv.bookmarkPage(key)
        self.canv.addOutlineEntry(text, key, level)
        self.notify("TOCEntry", (level, text, self.page))


def write(source: Source) -> bytes:
    """The pdf file of `source`: uncompressed and without a creation time, so equal on every run."""
    pdfmetrics.registerFont(UnicodeCIDFont(FONT))
    out = io.BytesIO()
    template = _Template(
        out, pagesize=A4, leftMargin=MARGIN, rightMargin=MARGIN, topMargin=MARGIN, bottomMargin=MARGIN,
        title=source.title, author=source.meta["issuer"], invariant=1, pageCompression=0,
    )  # fmt: skip
    frame = Frame(MARGIN, MARGIN, A4[0] - 2 * MARGIN, A4[1] - 2 * MARGIN)

    def decorate(canvas: Canvas, _: BaseDocTemplate) -> None:
        canvas.setFont(FONT, 9)
        canvas.drawString(MARGIN, A4[1] - 15 * mm, source.meta["header"])
        canvas.line(MARGIN, A4[1] - 17 * mm, A4[0] - MARGIN, A4[1] - 17 * mm)
        canvas.drawCentredString(A4[0] / 2, 13 * mm, f"— {canvas.getPageNumber()} —")

    template.addPageTemplates(PageTemplate("page", [frame], onPage=decorate))
    template.multiBuild(_story(source))
    return out.getvalue()


def _story(source: Source) -> list[Flowable]:
    story: list[Flowable] = [
        Spacer(1, 8 * mm),
        PagedParagraph(source.title, _TITLE),
        PagedParagraph(source.imprint, _CENTRED),
        PagedParagraph(f"{source.dated:%Y年%-m月%-d日}　{source.meta['subtitle']}", _CENTRED),
    ]
    if source.meta.get("contents") == "yes":
        story += [PageBreak(), PagedParagraph("目　录", _CENTRED), _contents(), PageBreak()]
    for piece in source.pieces:
        story.extend(_flow(piece))
    return story


def _contents() -> TableOfContents:
    contents = TableOfContents(dotsMinLevel=0)
    contents.levelStyles = [
        ParagraphStyle(f"toc{level}", _BODY, leading=15, spaceAfter=1, leftIndent=level * 8 * mm)
        for level in range(2)
    ]
    return contents


def _flow(piece: Heading | Paragraph | Table) -> list[Flowable]:
    if isinstance(piece, Heading):
        return [PagedParagraph(escape(piece.text), _HEADINGS[piece.level])]
    if isinstance(piece, Paragraph):
        return [PagedParagraph(escape(piece.text), _BODY)]
    return [_ruled(piece), Spacer(1, 3 * mm)]


def _ruled(table: Table) -> PagedTable:
    longest = [max(len(row[c]) for row in table.rows) for c in range(len(table.rows[0]))]
    share = [min(max(length, 5), 24) for length in longest]
    widths = [(A4[0] - 2 * MARGIN - 4 * mm) * part / sum(share) for part in share]
    cells = [[PagedParagraph(escape(text), _CELL) for text in row] for row in table.rows]
    style = [("GRID", (0, 0), (-1, -1), 0.6, colors.black), ("VALIGN", (0, 0), (-1, -1), "MIDDLE")]
    return PagedTable(cells, colWidths=widths, repeatRows=1, style=style)
