"""What the parts of an xlsx package say beside its values: formats, formulas, hidden rows, comments, extents.

An own walk of the XML, by cells that exist: it costs nothing for a styled cell at XFD1048576 and reads
workbooks without sharedStrings or with a wrong dimension. It is also the independent count of characters.
"""

import io
import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from lxml import etree
from openpyxl.styles.numbers import BUILTIN_FORMATS

from ingestion.documents import count_chars
from ingestion.parsers.archive import Archive
from ingestion.parsers.number_format import CHINESE_BUILT_IN, GENERAL
from ingestion.parsers.package_xml import failure, first_of, part_root, relations

Place = tuple[int, int]  # row, column, from 0

MAX_COLUMNS = 16_384  # of a sheet, by the format
MAX_CODE_CHARS = 255  # of a number format, by the format

_REFERENCE = re.compile(r"^\$?([A-Z]{1,3})\$?(\d{1,7})$")


@dataclass(frozen=True, slots=True)
class CellFact:
    """`raw` is the stored value of a number, error or formula, or the whole text of a string cell."""

    code: str = GENERAL
    raw: str = ""
    is_text: bool = False
    is_error: bool = False
    is_formula: bool = False


@dataclass(frozen=True, slots=True)
class Comment:
    place: Place
    text: str


@dataclass(slots=True)
class SheetFacts:
    cells: dict[Place, CellFact] = field(default_factory=dict)
    hidden_rows: set[int] = field(default_factory=set)
    hidden_columns: set[int] = field(default_factory=set)
    comments: list[Comment] = field(default_factory=list)

    @property
    def extent(self) -> tuple[int, int]:
        """Rows and columns up to the last cell that holds something."""
        places = [place for place, fact in self.cells.items() if fact.raw]
        rows = max((row for row, _ in places), default=-1) + 1
        return rows, max((column for _, column in places), default=-1) + 1

    def uncounted(self) -> list[Place]:
        """Cells with a formula and no cached value: what they show is known to no reader."""
        return [place for place, fact in self.cells.items() if fact.is_formula and not fact.raw]

    def text_chars(self) -> int:
        return sum(count_chars(fact.raw) for fact in self.cells.values() if fact.is_text)


@dataclass(frozen=True, slots=True)
class WorkbookFacts:
    sheets: dict[str, SheetFacts]
    epoch_1904: bool = False


def read_facts(archive: Archive) -> WorkbookFacts:
    """Raises ParseFailure when the workbook or a sheet cannot be read, as `package_xml.root_of` does."""
    workbook_part = first_of(relations(archive, ""), "officeDocument") or "xl/workbook.xml"
    workbook = part_root(archive, workbook_part)
    folder = posixpath.dirname(workbook_part)
    targets = relations(archive, workbook_part)
    parts = {relation.id: relation.part for relation in targets}
    strings = list(_shared_strings(archive, first_of(targets, "sharedStrings"), folder))
    codes = _formats(archive, first_of(targets, "styles"))
    sheets: dict[str, SheetFacts] = {}
    for sheet in workbook.iterfind("{*}sheets/{*}sheet"):
        key = next((value for name, value in sheet.attrib.items() if str(name).endswith("}id")), "")
        part = parts.get(str(key), "")
        if "/worksheets/" in f"/{part}":
            sheets[str(sheet.get("name"))] = _sheet(archive, part, strings, codes)
    properties = workbook.find("{*}workbookPr")
    epoch_1904 = properties is not None and properties.get("date1904") in {"1", "true"}
    return WorkbookFacts(sheets, epoch_1904)


def place_of(reference: str) -> Place | None:
    """`B3` -> (2, 1)."""
    found = _REFERENCE.match(reference)
    if found is None:
        return None
    column = 0
    for letter in found[1]:
        column = column * 26 + ord(letter) - 64
    return int(found[2]) - 1, column - 1


def reference_of(place: Place) -> str:
    """(2, 1) -> `B3`."""
    row, column = place
    letters = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(65 + rest) + letters
    return f"{letters}{row + 1}"


def _shared_strings(archive: Archive, part: str, folder: str) -> Iterator[str]:
    part = part or posixpath.join(folder, "sharedStrings.xml")
    if part in archive:
        for item in part_root(archive, part).iterfind("{*}si"):
            yield _text(item)


def _text(element: etree._Element) -> str:
    """All text runs but the phonetic ones (rPh), which stand above the characters."""
    runs = [*element.iterfind("{*}t"), *element.iterfind("{*}r/{*}t")]
    return "".join(run.text or "" for run in runs)


def _formats(archive: Archive, part: str) -> list[str]:
    """Format code by style index."""
    if not part:
        return []
    styles = part_root(archive, part)
    own = {
        int(str(item.get("numFmtId"))): str(item.get("formatCode"))
        for item in styles.iterfind("{*}numFmts/{*}numFmt")
        if str(item.get("numFmtId")).isdigit() and len(str(item.get("formatCode"))) <= MAX_CODE_CHARS
    }
    known = {**BUILTIN_FORMATS, **CHINESE_BUILT_IN, **own}
    numbers = [str(xf.get("numFmtId", "0")) for xf in styles.iterfind("{*}cellXfs/{*}xf")]
    return [known.get(int(number), GENERAL) if number.isdigit() else GENERAL for number in numbers]


def _sheet(archive: Archive, part: str, strings: list[str], codes: list[str]) -> SheetFacts:
    facts = SheetFacts()
    row = -1
    content = io.BytesIO(archive.read(part))
    events = etree.iterparse(content, tag=("{*}row", "{*}col"), resolve_entities=False, no_network=True)
    try:
        for _, element in events:
            hidden = element.get("hidden") in {"1", "true"}
            if etree.QName(element).localname == "row":
                number = str(element.get("r", ""))
                row = int(number) - 1 if number.isdigit() else row + 1
                if hidden:
                    facts.hidden_rows.add(row)
                _read_row(facts, element, row, strings, codes)
                element.clear()
            elif hidden:
                first, last = (int(str(element.get(end, "1"))) for end in ("min", "max"))
                facts.hidden_columns.update(range(first - 1, min(last, MAX_COLUMNS)))
    except etree.XMLSyntaxError as error:
        raise failure(part, error) from error
    facts.comments.extend(_comments(archive, part))
    return facts


def _read_row(
    facts: SheetFacts, element: etree._Element, row: int, strings: list[str], codes: list[str]
) -> None:
    column = -1
    for cell in element.iterchildren("{*}c"):
        place = place_of(str(cell.get("r", ""))) or (row, column + 1)
        column = place[1]
        fact = _cell(cell, strings, codes)
        if fact.raw.strip() or fact.is_formula:
            facts.cells[place] = fact


def _cell(element: etree._Element, strings: list[str], codes: list[str]) -> CellFact:
    kind = element.get("t", "n")
    style = element.get("s", "0")
    code = codes[int(style)] if style.isdigit() and int(style) < len(codes) else GENERAL
    raw, formula = "", False
    for child in element:
        name = child.tag.rpartition("}")[2] if isinstance(child.tag, str) else ""
        if name == "v":
            raw = child.text or ""
        elif name == "f":
            formula = True
        elif name == "is":
            raw = _text(child)
    if kind == "s":
        raw = strings[int(raw)] if raw.isdigit() and int(raw) < len(strings) else ""
    return CellFact(code, raw, kind in {"s", "inlineStr", "str"}, kind == "e", formula)


def _comments(archive: Archive, part: str) -> Iterator[Comment]:
    target = first_of(relations(archive, part), "comments")
    if target:
        for comment in part_root(archive, target).iterfind("{*}commentList/{*}comment"):
            text = comment.find("{*}text")
            place = place_of(str(comment.get("ref", "")))
            if text is not None and place is not None:
                yield Comment(place, _text(text))
