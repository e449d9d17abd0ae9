"""What the XML of a sheet says and the reader of cells does not: extent, merged areas, what is hidden."""

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from io import BytesIO
from xml.etree import ElementTree

from rules.sheets.grid import Area
from rules.sheets.package import COLUMNS, ROWS, SHEETS, Parts, Unreadable, damaged, elements

ALL_ROWS = 60_000
"""Of all sheets together, blank ones between others as well."""
MERGED_AREAS, MERGED_CELLS = 5_000, 500_000

_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_STRICT_RELATION = "{http://purl.oclc.org/ooxml/officeDocument/relationships}id"
_PLACE = re.compile(r"\$?([A-Z]{1,3})\$?([1-9][0-9]{0,6})")
_TRUE = ("1", "true")


@dataclass(slots=True)
class SheetFacts:
    """What the reader of cells does not tell: merged areas, hidden rows and columns, a cell far outside."""

    hidden: bool = False
    height: int = 1  # of the cells that say something, within the bounds
    width: int = 1
    merged: list[Area] = field(default_factory=list)
    hidden_rows: list[int] = field(default_factory=list)
    hidden_columns: set[int] = field(default_factory=set)
    beyond: str = ""


def sheet_facts(parts: Parts) -> dict[str, SheetFacts]:
    """By the sheets' names, in their order. Raises Unreadable."""
    found: dict[str, SheetFacts] = {}
    for title, facts in _sheets(parts):
        if title in found:
            raise Unreadable(f"有两张工作表都叫「{title}」，只能打开一张。请改成不同的名字，另存后再上传。")
        found[title] = facts
    if sum(facts.height for facts in found.values()) > ALL_ROWS:
        raise Unreadable(f"各工作表加起来超过 {ALL_ROWS} 行，不像是流程表。请删去多余的行，另存后再上传。")
    return found


def _sheets(parts: Parts) -> Iterator[tuple[str, SheetFacts]]:
    relations = {item.get("Id", ""): item for item in elements(parts, "xl/_rels/workbook.xml.rels")}
    listed = (each for each in elements(parts, "xl/workbook.xml") if _tag(each) == "sheets")
    declared = [element for each in listed for element in each if _tag(element) == "sheet"]
    if len(declared) > SHEETS:
        raise Unreadable(f"工作表超过 {SHEETS} 张，不像是流程表。")
    for element in declared:
        relation = relations.get(element.get(_RELATION) or element.get(_STRICT_RELATION) or "")
        if relation is None:
            raise damaged()
        if not relation.get("Type", "").endswith("/worksheet"):
            continue  # a chart sheet holds no cells
        target = relation.get("Target", "")
        path = posixpath.normpath(
            target.lstrip("/") if target.startswith("/") else posixpath.join("xl", target)
        )
        try:
            facts = _facts(parts[path])
        except (KeyError, ValueError, ElementTree.ParseError) as error:
            raise damaged() from error
        facts.hidden = element.get("state", "visible") != "visible"
        yield element.get("name", ""), facts


def _facts(content: bytes) -> SheetFacts:
    """Raises ValueError when rows do not ascend: the reader of cells would leave some out."""
    facts = SheetFacts()
    last = merged_cells = stretches = 0
    for _, element in ElementTree.iterparse(BytesIO(content)):
        tag = _tag(element)
        if tag == "row":
            number = int(element.get("r", last + 1))
            if number <= last:
                raise ValueError(f"row {number} stands behind row {last}")
            _note_row(element, number, facts)
            last = number
            element.clear()
        elif tag == "col" and element.get("hidden") in _TRUE:
            first, end = int(element.get("min", 1)), int(element.get("max", 1))
            stretches += 1
            if stretches <= COLUMNS:
                facts.hidden_columns.update(range(first, min(end, COLUMNS) + 1))
        elif tag == "mergeCell" and (area := area_of(element.get("ref", ""))):
            facts.merged.append(area)
            merged_cells += _read_of(area)
            if merged_cells > MERGED_CELLS or len(facts.merged) > MERGED_AREAS:
                raise Unreadable("合并单元格太多，不像是流程表。请取消合并再上传。")
    return facts


def _read_of(area: Area) -> int:
    """How many of its cells are within what is read."""
    height = min(area.bottom, ROWS) - area.top + 1
    return max(0, height) * max(0, min(area.right, COLUMNS) - area.left + 1)


def _note_row(row: ElementTree.Element, number: int, facts: SheetFacts) -> None:
    """The extent of the cells that say something; a cell may leave its place unsaid, and follows the last."""
    place = width = 0
    for cell in row:
        if _tag(cell) != "c":
            continue
        area = area_of(cell.get("r", ""))
        place = area.left if area else place + 1
        if not len(cell):
            continue
        if number > ROWS or place > COLUMNS:
            facts.beyond = facts.beyond or cell.get("r") or f"第 {number} 行第 {place} 列"
        else:
            width = max(width, place)
    if width:
        facts.height, facts.width = number, max(facts.width, width)
        if row.get("hidden") in _TRUE:
            facts.hidden_rows.append(number)


def area_of(reference: str) -> Area | None:
    """B3:C5 as numbers; None for what is no reference."""
    first, _, last = reference.partition(":")
    start, end = _PLACE.fullmatch(first), _PLACE.fullmatch(last or first)
    if not start or not end:
        return None
    rows = sorted((int(start[2]), int(end[2])))
    columns = sorted((_column(start[1]), _column(end[1])))
    return Area(rows[0], columns[0], rows[1], columns[1], reference)


def _column(letters: str) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number


def _tag(element: ElementTree.Element) -> str:
    return element.tag.rpartition("}")[2]
