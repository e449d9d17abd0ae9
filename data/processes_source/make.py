"""Makes the process workbooks and their material templates: `python data/processes_source/make.py [FOLDER]`.

Without FOLDER the files in `data/processes` are rewritten. The same text gives the same bytes, always.
A workbook's text has one heading per sheet; a template's text has one heading per file.
"""

import io
import re
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from docx import Document
from docx.document import Document as DocumentObject
from docx.oxml.ns import qn
from docx.shared import Cm
from openpyxl import Workbook
from openpyxl.styles import Alignment, Border, Font, PatternFill, Side
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.worksheet import Worksheet

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))  # run as a script, this file knows no packages beside its own folder

from documents_source import outline  # noqa: E402
from documents_source.archive import pinned  # noqa: E402
from documents_source.outline import MERGE_LEFT, Heading, Paragraph, Source, Table  # noqa: E402

TEXTS = HERE / "text"
TEMPLATES = "材料模板.md"
HIT_POLICIES = "唯一,相同,首条,优先级,规则顺序,收集,收集(求和),收集(最大),收集(最小),收集(计数)"
AS_TEXT = ("流程信息", "变更记录")  # a version such as 2025.2 is not a number
_DECISION = "决策表"
_NUMBER = re.compile(r"\d+(\.\d+)?")
_HEAD = PatternFill("solid", fgColor="DCE6F1")
_THIN = Side(style="thin", color="999999")
_BOX = Border(_THIN, _THIN, _THIN, _THIN)
_KEPT_STYLES = {"Normal", "Title", "TableNormal", "TableGrid", "DefaultParagraphFont"}
_UNUSED_PARTS = ("/stylesWithEffects", "/thumbnail", "/customXml", "/numbering", "/webSettings", "/theme")


@dataclass(frozen=True, slots=True)
class Section:
    """What stands under one heading: lines of text and tables in their order."""

    title: str
    pieces: tuple[Paragraph | Table, ...]

    @property
    def tables(self) -> list[Table]:
        return [piece for piece in self.pieces if isinstance(piece, Table)]

    @property
    def lines(self) -> list[str]:
        return [piece.text for piece in self.pieces if isinstance(piece, Paragraph)]


def sections(source: Source) -> list[Section]:
    """The source cut at its headings."""
    found: list[tuple[str, list[Paragraph | Table]]] = []
    for piece in source.pieces:
        if isinstance(piece, Heading):
            found.append((piece.text, []))
        else:
            found[-1][1].append(piece)
    return [Section(title, tuple(pieces)) for title, pieces in found]


def write_workbook(source: Source) -> bytes:
    """The process workbook of `source`, one sheet per heading."""
    book = _empty_book(source.title, source.meta["issuer"], source.dated)
    for section in sections(source):
        sheet = book.create_sheet(section.title)
        if section.title.startswith(_DECISION):
            _decision_sheet(sheet, section)
        else:
            _plain_sheet(sheet, section.tables[0], numbers=section.title not in AS_TEXT)
    return _saved(book, source.dated)


def _empty_book(title: str, issuer: str, dated: datetime) -> Workbook:
    book = Workbook()
    book.remove(book.worksheets[0])
    book.properties.title, book.properties.creator, book.properties.created = title, issuer, dated
    return book


def _saved(book: Workbook, dated: datetime) -> bytes:
    out = io.BytesIO()
    book.save(out)
    return pinned(out.getvalue(), dated)


def _plain_sheet(sheet: Worksheet, table: Table, *, numbers: bool) -> None:
    _rows(sheet, table.rows, top=1, numbers=numbers)
    _head_row(sheet, 1, len(table.rows[0]))
    sheet.freeze_panes = "A2"
    _fit(sheet)


def _decision_sheet(sheet: Worksheet, section: Section) -> None:
    """Title, hit policy and message for no match above; roles in row 4, names in row 5, rules from row 6."""
    said = dict(line.split("：", 1) for line in section.lines)
    sheet.append(["决策表", said["标题"]])
    sheet.append(["命中策略", said["命中策略"], "未命中时", said["未命中时"]])
    table = section.tables[0]
    _rows(sheet, table.rows, top=4, numbers=True)
    for row in (4, 5):
        _head_row(sheet, row, len(table.rows[0]))
    sheet["A1"].font = sheet["A2"].font = sheet["C2"].font = Font(bold=True)
    choice = DataValidation("list", formula1=f'"{HIT_POLICIES}"', allow_blank=False)
    sheet.add_data_validation(choice)
    choice.add("B2")
    sheet.freeze_panes = "B6"
    _fit(sheet)


def _rows(sheet: Worksheet, rows: Iterable[tuple[str, ...]], *, top: int, numbers: bool) -> None:
    for r, row in enumerate(rows, top):
        for c, text in enumerate(row, 1):
            cell = sheet.cell(r, c, _value(text, numbers))
            cell.border = _BOX
            cell.alignment = Alignment(wrap_text=True, vertical="top")


def _value(text: str, numbers: bool) -> str | int | float | None:
    if not text:
        return None
    if numbers and _NUMBER.fullmatch(text):
        return float(text) if "." in text else int(text)
    return text


def _head_row(sheet: Worksheet, row: int, width: int) -> None:
    for column in range(1, width + 1):
        cell = sheet.cell(row, column)
        cell.font, cell.fill = Font(bold=True), _HEAD


def _fit(sheet: Worksheet) -> None:
    """Columns as wide as their longest text, two units a character, between 10 and 44."""
    for column, cells in enumerate(sheet.iter_cols(values_only=True), 1):
        longest = max(len(str(value)) for value in cells if value is not None)
        sheet.column_dimensions[get_column_letter(column)].width = min(max(2 * longest, 10), 44)


def write_template(section: Section, issuer: str, dated: datetime) -> bytes:
    """The form that `section` describes, as docx or xlsx by the ending of its title."""
    title, _, suffix = section.title.rpartition(".")
    if suffix == "xlsx":
        return _sheet_form(title, section, issuer, dated)
    return _word_form(title, section, issuer, dated)


def _sheet_form(title: str, section: Section, issuer: str, dated: datetime) -> bytes:
    book = _empty_book(title, issuer, dated)
    sheet = book.create_sheet(title)
    sheet.append([title])
    sheet["A1"].font = Font(bold=True, size=14)
    for table in section.tables:
        top = sheet.max_row + 2
        _rows(sheet, table.rows, top=top, numbers=True)
        _head_row(sheet, top, len(table.rows[0]))
    for line in section.lines:
        sheet.cell(sheet.max_row + 1, 1, line)
    for column in range(1, len(section.tables[0].rows[0]) + 1):
        sheet.column_dimensions[get_column_letter(column)].width = 16
    return _saved(book, dated)


def _word_form(title: str, section: Section, issuer: str, dated: datetime) -> bytes:
    document = Document()
    _slim(document)
    properties = document.core_properties
    properties.title, properties.author, properties.last_modified_by = title, issuer, issuer
    properties.created = properties.modified = dated
    properties.comments, properties.revision = "", 1
    page = document.sections[0]
    page.page_width, page.page_height = Cm(21), Cm(29.7)
    document.add_paragraph(issuer)
    document.add_paragraph(title, style="Title")
    for piece in section.pieces:
        if isinstance(piece, Paragraph):
            document.add_paragraph(piece.text)
        else:
            _form_table(document, piece)
    out = io.BytesIO()
    document.save(out)
    return pinned(out.getvalue(), dated)


def _slim(document: DocumentObject) -> None:
    """Take the parts and styles that no form uses out of python-docx's template: 17 KB are left of 800."""
    for rels in (document.part.rels, document.part.package.rels):
        for key in [key for key, rel in rels.items() if rel.reltype.endswith(_UNUSED_PARTS)]:
            del rels[key]
    styles = document.styles.element
    for child in list(styles):
        if child.tag == qn("w:latentStyles") or (
            child.tag == qn("w:style") and child.get(qn("w:styleId")) not in _KEPT_STYLES
        ):
            styles.remove(child)


def _form_table(document: DocumentObject, piece: Table) -> None:
    table = document.add_table(len(piece.rows), len(piece.rows[0]), style="Table Grid")
    for r, row in enumerate(piece.rows):
        for c, text in enumerate(row):
            if text == MERGE_LEFT:
                continue
            _, width = piece.span(r, c)
            cell = table.cell(r, c) if width == 1 else table.cell(r, c).merge(table.cell(r, c + width - 1))
            cell.text = text
    document.add_paragraph()


def workbook_sources(texts: Path) -> list[Source]:
    """The sources of process workbooks in the folder `texts`, by file name."""
    found = (outline.read(path) for path in texts.glob("*.md") if path.name != TEMPLATES)
    return sorted(found, key=lambda source: source.file_name)


def make(folder: Path, texts: Path = TEXTS) -> list[Path]:
    """Write the workbooks of `texts` into `folder` and its templates below it; returns the files written."""
    contents = {source.file_name: write_workbook(source) for source in workbook_sources(texts)}
    if (texts / TEMPLATES).exists():
        forms = outline.read(texts / TEMPLATES)
        for form in sections(forms):
            contents[f"templates/{form.title}"] = write_template(form, forms.meta["issuer"], forms.dated)
    for name, data in contents.items():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    return [folder / name for name in contents]


if __name__ == "__main__":
    for path in make(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE.parent / "processes"):
        sys.stdout.write(f"{path}\n")
