"""Unpacks an xlsx file before anything else opens it; refuses one that is damaged, unsafe or far too large.

An office file is a zip of XML. Bounds are set here so that a hostile one costs little time and memory.
"""

import struct
import zipfile
import zlib
from collections.abc import Iterable, Mapping
from io import BytesIO
from typing import TypeAlias
from xml.etree import ElementTree

LARGEST_BYTES = 24 * 1024 * 1024
MEMBERS = 2_000
UNPACKED_BYTES = 48 * 1024 * 1024
SHEET_BYTES = 24 * 1024 * 1024
"""A table of 5,000 rows and 15 columns takes about 5 MB."""
ROWS, COLUMNS, SHEETS = 10_000, 256, 64
SHEET_TAGS, TEXT_TAGS, OTHER_TAGS = 1_000_000, 400_000, 150_000
"""Of all sheets (about 250,000 cells), of the table of texts, of all other parts: what parsing costs goes by
them, not by bytes."""

DAMAGED: tuple[type[Exception], ...] = (zipfile.BadZipFile, zlib.error, struct.error, OSError, EOFError)
DAMAGED += (KeyError, NotImplementedError, RuntimeError, ValueError, OverflowError)
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")
_TYPES = "[Content_Types].xml"
_SHEET_FOLDER = "xl/worksheets/"
_SHEET_TYPE, _TEXT_TYPE = ".worksheet+xml", ".sharedStrings+xml"

Parts: TypeAlias = Mapping[str, bytes]
"""The XML parts of a workbook by their names in the zip."""


class Unreadable(Exception):
    """The file cannot be opened as a workbook. The message is Chinese and says what to do."""


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
    """One part of the file, never more of it than its entry says. Raises Unreadable when it is damaged."""
    try:
        with archive.open(name) as file:
            return file.read(archive.getinfo(name).file_size)
    except DAMAGED as error:
        raise Unreadable(f"文件里的「{name}」已经损坏。请在表格程序里打开并另存为 .xlsx。") from error


def xml_parts(archive: zipfile.ZipFile) -> Parts:
    """Raises Unreadable: none may declare entities, which unfold without end, or be larger than a table."""
    parts: dict[str, bytes] = {}
    for name in archive.namelist():
        if not name.lower().endswith((".xml", ".rels")):
            continue
        if archive.getinfo(name).file_size > SHEET_BYTES:
            raise Unreadable("有一张工作表太大，不像是流程表。请删去多余的行和格式，另存后再上传。")
        content = parts[name] = read_member(archive, name)
        if b"<!DOCTYPE" in content or b"<!ENTITY" in content or b"\x00" in content[:512]:
            raise Unreadable("文件里有不安全的内容（实体声明），没有打开。请在表格程序里重新另存。")
    _refuse_too_many_tags(parts)
    return parts


def repacked(parts: Parts) -> BytesIO:
    """A zip of these parts alone, so that whoever opens it meets nothing that was not looked at."""
    content = BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_STORED) as archive:
        for name, part in parts.items():
            archive.writestr(zipfile.ZipInfo(name), part)
    content.seek(0)
    return content


def _refuse_too_many_tags(parts: Parts) -> None:
    """A part counts as a sheet or as texts only when it cannot be opened as anything else."""
    types: dict[str, set[str]] = {}
    for item in elements(parts, _TYPES):
        types.setdefault(item.get("PartName", "").lstrip("/"), set()).add(item.get("ContentType", ""))
    tags = {SHEET_TAGS: 0, TEXT_TAGS: 0, OTHER_TAGS: 0}
    for name, content in parts.items():
        only = types.get(name, set())
        if name.startswith(_SHEET_FOLDER) and all(each.endswith(_SHEET_TYPE) for each in only):
            kind = SHEET_TAGS
        else:
            kind = TEXT_TAGS if only and all(each.endswith(_TEXT_TYPE) for each in only) else OTHER_TAGS
        tags[kind] += content.count(b"<")
    if any(found > most for most, found in tags.items()):
        raise Unreadable("工作簿的格子或样式太多，不像是流程表。请只保留流程需要的行和列，另存后再上传。")


def damaged() -> Unreadable:
    """What a workbook is told to be that does not hold what its parts promise."""
    return Unreadable("工作簿的内容已经损坏。请在表格程序里打开并另存为 .xlsx。")


def elements(parts: Parts, name: str) -> Iterable[ElementTree.Element]:
    """The root's children. Raises Unreadable when the part is missing or no XML."""
    try:
        return ElementTree.fromstring(parts[name])
    except (KeyError, ElementTree.ParseError) as error:
        raise damaged() from error
