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

from ingestion.documents import FailureReason, count_chars
from ingestion.errors import ParseFailure
from ingestion.parsers.archive import Archive
from ingestion.parsers.number_format import CHINESE_BUILT_IN, GENERAL

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
    """Raises ParseFailure (corrupt) when the workbook or a sheet is no well-formed XML."""
    workbook_part = _target(archive, "", "/officeDocument") or "xl/workbook.xml"
    workbook = _tree(archive, workbook_part)
    folder = posixpath.dirname(workbook_part)
    targets = _relationships(archive, workbook_part)
    strings = list(_shared_strings(archive, _by_type(targets, "/sharedStrings"), folder))
    codes = _formats(archive, _by_type(targets, "/styles"))
    sheets: dict[str, SheetFacts] = {}
    for sheet in workbook.iterfind("{*}sheets/{*}sheet"):
        key = next((value for name, value in sheet.attrib.items() if str(name).endswith("}id")), "")
        part = targets.get(str(key), ("", ""))[1]
        if part in archive and "/worksheets/" in f"/{part}":
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


def _tree(archive: Archive, part: str) -> etree._Element:
    try:
        return etree.fromstring(archive.read(part), etree.XMLParser(resolve_entities=False, no_network=True))
    except etree.XMLSyntaxError as error:
        raise ParseFailure(FailureReason.CORRUPT, f"工作簿的部件 {part} 已损坏，请另存后再试") from error


def _relationships(archive: Archive, part: str) -> dict[str, tuple[str, str]]:
    """Id -> (type, part name) of what a part refers to."""
    folder, name = posixpath.split(part)
    rels = posixpath.join(folder, "_rels", f"{name}.rels")
    if rels not in archive:
        return {}
    found: dict[str, tuple[str, str]] = {}
    for relation in _tree(archive, rels):
        target = str(relation.get("Target", "")).replace("\\", "/")
        joined = (
            target.lstrip("/")
            if target.startswith("/")
            else posixpath.normpath(posixpath.join(folder, target))
        )
        found[str(relation.get("Id"))] = (str(relation.get("Type")), joined)
    return found


def _by_type(targets: dict[str, tuple[str, str]], suffix: str) -> str:
    return next((part for kind, part in targets.values() if kind.endswith(suffix)), "")


def _target(archive: Archive, part: str, suffix: str) -> str:
    return _by_type(_relationships(archive, part), suffix)


def _shared_strings(archive: Archive, part: str, folder: str) -> Iterator[str]:
    part = part or posixpath.join(folder, "sharedStrings.xml")
    if part in archive:
        for item in _tree(archive, part).iterfind("{*}si"):
            yield _text(item)


def _text(element: etree._Element) -> str:
    """All text runs but the phonetic ones (rPh), which stand above the characters."""
    runs = [*element.iterfind("{*}t"), *element.iterfind("{*}r/{*}t")]
    return "".join(run.text or "" for run in runs)


def _formats(archive: Archive, part: str) -> list[str]:
    """Format code by style index."""
    if not part or part not in archive:
        return []
    styles = _tree(archive, part)
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
        raise ParseFailure(FailureReason.CORRUPT, f"工作表 {part} 已损坏，请另存后再试") from error
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
    target = _target(archive, part, "/comments")
    if target and target in archive:
        for comment in _tree(archive, target).iterfind("{*}commentList/{*}comment"):
            text = comment.find("{*}text")
            place = place_of(str(comment.get("ref", "")))
            if text is not None and place is not None:
                yield Comment(place, _text(text))
