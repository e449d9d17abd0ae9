"""Writes a source as docx: title block, contents field, numbered articles, tables, running header.

With `numbering: automatic` the 第X章 and 第X条 of the text are left to Word's own numbering, so that a
reader of the file has to compute them; the text is checked to count up without a gap.
"""

import io
import re

from docx import Document
from docx.document import Document as DocumentObject
from docx.enum.style import WD_STYLE_TYPE
from docx.enum.text import WD_ALIGN_PARAGRAPH
from docx.oxml import OxmlElement, parse_xml
from docx.oxml.ns import nsdecls, qn
from docx.oxml.xmlchemy import BaseOxmlElement
from docx.shared import Cm, Pt
from docx.text.paragraph import Paragraph as WordParagraph

from .archive import pinned
from .outline import MERGE_LEFT, MERGE_UP, Heading, Paragraph, Source, SourceError, Table, tracked

_NUMBERED = re.compile(r"第([一二三四五六七八九十]+)([章条])　")
_DIGITS = "一二三四五六七八九"
_NUM_ID = {"章": 71, "条": 72}
_KEPT_TABLE_STYLES = {"TableNormal", "TableGrid"}
_UNUSED_PARTS = ("/stylesWithEffects", "/thumbnail", "/customXml")


def write(source: Source) -> bytes:
    """The docx file of `source`. Raises SourceError when automatic numbers would differ from the text."""
    document = Document()
    slim(document)
    _prepare(document, source)
    _title_block(document, source)
    numbering = _Numbering(source)
    body_began = False
    for piece in source.pieces:
        if isinstance(piece, Heading) and piece.level == 1 and not body_began:
            body_began = True
            if source.meta.get("contents") == "yes":
                _contents(document, source)
        if isinstance(piece, Heading):
            _heading(document, piece, numbering)
        elif isinstance(piece, Paragraph):
            _paragraph(document, piece, numbering, source)
        else:
            _table(document, piece)
    out = io.BytesIO()
    document.save(out)
    return pinned(out.getvalue(), source.dated)


class _Numbering:
    """Takes 第X章 and 第X条 off a text and checks that Word will count the same."""

    def __init__(self, source: Source) -> None:
        self._automatic = source.meta["numbering"] == "automatic"
        self._name = source.path.name
        self._last = {"章": 0, "条": 0}

    def split(self, text: str) -> tuple[str, int | None]:
        """The text to write and the id of Word's list, if it numbers this paragraph."""
        match = _NUMBERED.match(text)
        if match is None or not self._automatic:
            return text, None
        unit = match[2]
        self._last[unit] += 1
        if match[1] != chinese_number(self._last[unit]):
            raise SourceError(f"{self._name}: expected number {self._last[unit]}, found {match[0].strip()}")
        return text[match.end() :], _NUM_ID[unit]


def chinese_number(value: int) -> str:
    """1..99 as 一 .. 九十九."""
    tens, ones = divmod(value, 10)
    head = "" if tens == 0 else ("" if tens == 1 else _DIGITS[tens - 1]) + "十"
    return head + (_DIGITS[ones - 1] if ones else "")


def slim(document: DocumentObject) -> None:
    """Take 800 KB of unused parts and table styles of python-docx's template out of the file."""
    for rels in (document.part.rels, document.part.package.rels):
        for key in [key for key, rel in rels.items() if rel.reltype.endswith(_UNUSED_PARTS)]:
            del rels[key]
    styles = document.styles.element
    for style in styles.findall(qn("w:style")):
        if style.get(qn("w:type")) == "table" and style.get(qn("w:styleId")) not in _KEPT_TABLE_STYLES:
            styles.remove(style)


def _prepare(document: DocumentObject, source: Source) -> None:
    properties = document.core_properties
    properties.title, properties.author = source.title, source.meta["issuer"]
    properties.created = properties.modified = source.dated
    properties.last_modified_by = source.meta["issuer"]
    properties.comments, properties.revision = "", 1
    document.styles.add_style("toc 1", WD_STYLE_TYPE.PARAGRAPH)
    for name, font, size in (("Normal", "宋体", 12), ("Title", "黑体", 20), ("Heading 1", "黑体", 15)):
        style = document.styles[name]
        style.font.name, style.font.size = font, Pt(size)
        style.element.get_or_add_rPr().get_or_add_rFonts().set(qn("w:eastAsia"), font)
    _add_lists(document)
    section = document.sections[0]
    section.page_width, section.page_height = Cm(21), Cm(29.7)
    section.header.paragraphs[0].text = source.meta["header"]
    footer = section.footer.paragraphs[0]
    footer.alignment = WD_ALIGN_PARAGRAPH.CENTER
    footer.add_run("第 ")
    _field(footer, "PAGE", "1")
    footer.add_run(" 页　共 ")
    _field(footer, "NUMPAGES", "6")
    footer.add_run(" 页")


def _add_lists(document: DocumentObject) -> None:
    root = document.part.numbering_part.element
    for position, (unit, num_id) in enumerate(_NUM_ID.items()):
        abstract = parse_xml(
            f'<w:abstractNum {nsdecls("w")} w:abstractNumId="{num_id}">'
            f'<w:multiLevelType w:val="singleLevel"/><w:lvl w:ilvl="0"><w:start w:val="1"/>'
            f'<w:numFmt w:val="chineseCounting"/><w:suff w:val="space"/>'
            f'<w:lvlText w:val="第%1{unit}"/><w:lvlJc w:val="left"/></w:lvl></w:abstractNum>'
        )
        root.insert(position, abstract)
        root.append(
            parse_xml(f'<w:num {nsdecls("w")} w:numId="{num_id}"><w:abstractNumId w:val="{num_id}"/></w:num>')
        )


def _title_block(document: DocumentObject, source: Source) -> None:
    company = document.add_paragraph("远山科技有限公司")
    title = document.add_paragraph(source.title, style="Title")
    imprint = document.add_paragraph(f"{source.imprint}　　{source.dated:%Y年%-m月%-d日}")
    for paragraph in (company, title, imprint):
        paragraph.alignment = WD_ALIGN_PARAGRAPH.CENTER


def _contents(document: DocumentObject, source: Source) -> None:
    """A TOC field with the entries a first Word run would have cached."""
    document.add_paragraph("目　录").alignment = WD_ALIGN_PARAGRAPH.CENTER
    chapters = [piece.text for piece in source.pieces if isinstance(piece, Heading) and piece.level == 1]
    for index, text in enumerate(chapters):
        entry = document.add_paragraph(style="toc 1")
        if index == 0:
            _field_mark(entry, "begin")
            _instruction(entry, r'TOC \o "1-1" \h \z \u')
            _field_mark(entry, "separate")
        entry.add_run(f"{text}\t{index + 1}")
        if index == len(chapters) - 1:
            _field_mark(entry, "end")


def _heading(document: DocumentObject, piece: Heading, numbering: _Numbering) -> None:
    if piece.level > 1:  # 修订记录 stands before the body and is no part of its outline
        document.add_paragraph().add_run(piece.text).bold = True
        return
    text, num_id = numbering.split(piece.text)
    _set_list(document.add_heading(text, level=1), num_id)


def _paragraph(document: DocumentObject, piece: Paragraph, numbering: _Numbering, source: Source) -> None:
    text, num_id = numbering.split(piece.text)
    paragraph = document.add_paragraph()
    _set_list(paragraph, num_id)
    for kind, part in tracked(text):
        run = paragraph.add_run(part)
        if kind != "kept":
            _track(run._r, kind, source)


def _track(run: BaseOxmlElement, kind: str, source: Source) -> None:
    mark = OxmlElement("w:ins" if kind == "inserted" else "w:del")
    mark.set(qn("w:id"), "1" if kind == "inserted" else "2")
    mark.set(qn("w:author"), source.meta["issuer"])
    mark.set(qn("w:date"), f"{source.dated:%Y-%m-%dT%H:%M:%SZ}")
    run.addprevious(mark)
    mark.append(run)
    if kind == "deleted":
        for text in run.findall(qn("w:t")):
            text.tag = qn("w:delText")


def _set_list(paragraph: WordParagraph, num_id: int | None) -> None:
    if num_id is not None:
        xml = f'<w:numPr {nsdecls("w")}><w:ilvl w:val="0"/><w:numId w:val="{num_id}"/></w:numPr>'
        paragraph._p.get_or_add_pPr().append(parse_xml(xml))


def _table(document: DocumentObject, piece: Table) -> None:
    table = document.add_table(len(piece.rows), len(piece.rows[0]), style="Table Grid")
    for r, row in enumerate(piece.rows):
        for c, text in enumerate(row):
            if text in (MERGE_UP, MERGE_LEFT):
                continue
            height, width = piece.span(r, c)
            cell = table.cell(r, c)
            if (height, width) != (1, 1):
                cell = cell.merge(table.cell(r + height - 1, c + width - 1))
            cell.text = text
    document.add_paragraph()


def _field(paragraph: WordParagraph, code: str, cached: str) -> None:
    _field_mark(paragraph, "begin")
    _instruction(paragraph, code)
    _field_mark(paragraph, "separate")
    paragraph.add_run(cached)
    _field_mark(paragraph, "end")


def _field_mark(paragraph: WordParagraph, kind: str) -> None:
    mark = OxmlElement("w:fldChar")
    mark.set(qn("w:fldCharType"), kind)
    paragraph.add_run()._r.append(mark)


def _instruction(paragraph: WordParagraph, code: str) -> None:
    text = OxmlElement("w:instrText")
    text.set(qn("xml:space"), "preserve")
    text.text = f" {code} "
    paragraph.add_run()._r.append(text)
