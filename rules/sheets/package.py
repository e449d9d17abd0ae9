"""Looks into an xlsx file before anything else opens it: is it safe, what is merged or hidden in its sheets.

An office file is a zip of XML. Bounds are set here so that a hostile one costs little time and memory.
"""

import posixpath
import re
import struct
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from io import BytesIO
from xml.etree import ElementTree

from rules.sheets.grid import Area

MEMBERS = 2_000
UNPACKED_BYTES = 48 * 1024 * 1024
SHEET_BYTES = 24 * 1024 * 1024
"""A table of 5,000 rows and 15 columns takes about 5 MB."""
ROWS, COLUMNS, SHEETS = 10_000, 256, 64
MERGED_AREAS, MERGED_CELLS = 5_000, 500_000

DAMAGED: tuple[type[Exception], ...] = (zipfile.BadZipFile, zlib.error, struct.error, OSError, EOFError)
DAMAGED += (KeyError, NotImplementedError, RuntimeError, ValueError, OverflowError)
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")
_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_STRICT_RELATION = "{http://purl.oclc.org/ooxml/officeDocument/relationships}id"
_PLACE = re.compile(r"\$?([A-Z]{1,3})\$?([1-9][0-9]{0,6})")


class Unreadable(Exception):
    """The file cannot be opened as a workbook. The message is Chinese and says what to do."""


@dataclass(slots=True)
class SheetFacts:
    """What the reader of cells does not tell: merged areas, hidden rows, a cell far outside."""

    hidden: bool = False
    height: int = 1  # of the cells that say something, within the bounds
    width: int = 1
    merged: list[Area] = field(default_factory=list)
    hidden_rows: list[int] = field(default_factory=list)
    beyond: str = ""


def open_zip(content: bytes) -> zipfile.ZipFile:
    """Raises Unreadable unless it is a zip file of a size that may be unpacked."""
    if content.startswith(_OLE):
        if _ENCRYPTED in content:
            raise Unreadable("文件设了打开密码。请在表格程序里去掉密码，另存后再上传。")
        raise Unreadable("这是旧的 .xls 格式。请在表格程序里另存为 .xlsx 再上传。")
    try:
        archive = zipfile.ZipFile(BytesIO(content))
    except DAMAGED as error:
        raise Unreadable(
            "这不是 .xlsx 工作簿，或者文件已经损坏。请在表格程序里打开并另存为 .xlsx。"
        ) from error
    members = archive.infolist()
    if len(members) > MEMBERS or sum(member.file_size for member in members) > UNPACKED_BYTES:
        raise Unreadable("文件展开后太大，不像是流程表。请只保留流程需要的工作表，另存后再上传。")
    if any(member.flag_bits & 0x1 for member in members):
        raise Unreadable("压缩包设了密码。请去掉密码再上传。")
    if any(member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) for member in members):
        # `zipfile` unpacks other methods without a bound on what comes out.
        raise Unreadable("压缩包的压缩方式不常见，没有打开。请在表格程序里另存为 .xlsx。")
    return archive


def read_member(archive: zipfile.ZipFile, name: str) -> bytes:
    """One part of the file. Raises Unreadable when it is damaged or missing."""
    try:
        return archive.read(name)
    except DAMAGED as error:
        raise Unreadable(f"文件里的「{name}」已经损坏。请在表格程序里打开并另存为 .xlsx。") from error


def refuse_unsafe(archive: zipfile.ZipFile) -> None:
    """No part may declare entities, which can unfold without end, and no sheet be larger than a table."""
    for member in archive.infolist():
        if not member.filename.lower().endswith((".xml", ".rels", ".vml")):
            continue
        if member.file_size > SHEET_BYTES:
            raise Unreadable("有一张工作表太大，不像是流程表。请删去多余的行和格式，另存后再上传。")
        content = read_member(archive, member.filename)
        if b"<!DOCTYPE" in content or b"<!ENTITY" in content or b"\x00" in content[:512]:
            raise Unreadable("文件里有不安全的内容（实体声明），没有打开。请在表格程序里重新另存。")


def sheet_facts(archive: zipfile.ZipFile) -> dict[str, SheetFacts]:
    """By the sheets' names, in their order. Raises Unreadable."""
    try:
        return dict(_sheets(archive))
    except (ElementTree.ParseError, ValueError, LookupError) as error:
        raise Unreadable("工作簿的内容已经损坏。请在表格程序里打开并另存为 .xlsx。") from error


def _sheets(archive: zipfile.ZipFile) -> Iterator[tuple[str, SheetFacts]]:
    targets = {
        item.get("Id", ""): item.get("Target", "")
        for item in ElementTree.fromstring(read_member(archive, "xl/_rels/workbook.xml.rels"))
        if item.get("Type", "").endswith("/worksheet")  # a chart sheet holds no cells
    }
    book = ElementTree.fromstring(read_member(archive, "xl/workbook.xml"))
    declared = [element for element in book.iter() if _tag(element) == "sheet"]
    if len(declared) > SHEETS:
        raise Unreadable(f"工作表超过 {SHEETS} 张，不像是流程表。")
    for element in declared:
        target = targets.get(element.get(_RELATION) or element.get(_STRICT_RELATION) or "")
        if target is None:
            continue
        path = posixpath.normpath(
            target.lstrip("/") if target.startswith("/") else posixpath.join("xl", target)
        )
        facts = _facts(read_member(archive, path))
        facts.hidden = element.get("state", "visible") != "visible"
        yield element.get("name", ""), facts


def _facts(content: bytes) -> SheetFacts:
    facts = SheetFacts()
    merged_cells = 0
    for _, element in ElementTree.iterparse(BytesIO(content)):
        tag = _tag(element)
        if tag == "c":
            _note_extent(element, facts)
        elif tag == "row":
            _note_hidden(element, facts)
            element.clear()
        elif tag == "mergeCell" and (area := area_of(element.get("ref", ""))):
            facts.merged.append(area)
            merged_cells += (min(area.bottom, ROWS) - area.top + 1) * (
                min(area.right, COLUMNS) - area.left + 1
            )
            if merged_cells > MERGED_CELLS or len(facts.merged) > MERGED_AREAS:
                raise Unreadable("合并单元格太多，不像是流程表。请取消合并再上传。")
    return facts


def _note_extent(cell: ElementTree.Element, facts: SheetFacts) -> None:
    area = area_of(cell.get("r", ""))
    if area is None or not len(cell):
        return
    if area.bottom > ROWS or area.right > COLUMNS:
        facts.beyond = facts.beyond or area.name
        return
    facts.height = max(facts.height, area.bottom)
    facts.width = max(facts.width, area.right)


def _note_hidden(row: ElementTree.Element, facts: SheetFacts) -> None:
    number = row.get("r", "")
    if row.get("hidden") in ("1", "true") and number.isascii() and number.isdigit() and len(row):
        facts.hidden_rows.append(int(number))


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
