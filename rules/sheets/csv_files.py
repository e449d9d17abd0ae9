"""Workbooks kept as CSV files, one a sheet by the sheet's name: in a folder or in a zip."""

import csv
import hashlib
import io
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path, PurePosixPath

from rules.sheets.assembly import sheet_of, text_cell, trimmed
from rules.sheets.extents import SheetFacts
from rules.sheets.grid import Sheet, Workbook
from rules.sheets.package import COLUMNS, LARGEST_BYTES, ROWS, SHEET_BYTES, SHEETS, Unreadable, read_member

CSV_CELLS = 400_000
"""Of all files together, blank ones as well."""
_SIDE_FILES = ("._", "~$")
"""Beginnings of the names that macOS and office programs give to files beside the ones a person made."""


@dataclass(frozen=True, slots=True)
class CsvFile:
    """`title` is the name of the sheet it holds."""

    title: str
    content: bytes


def in_folder(folder: Path) -> list[CsvFile]:
    """Raises Unreadable."""
    try:
        named = (path for path in folder.iterdir() if _is_csv(path.name))
        paths = sorted(path for path in named if path.is_file())
        sizes = [path.stat().st_size for path in paths]
        if len(paths) > SHEETS or sum(sizes) > LARGEST_BYTES:
            raise Unreadable("文件夹里的 CSV 太多或太大，不像是流程表。")
        return [CsvFile(path.stem, path.read_bytes()) for path in paths]
    except OSError as error:
        raise Unreadable(f"打不开文件夹：{error.strerror or '读取失败'}。") from error


def in_zip(archive: zipfile.ZipFile) -> list[CsvFile]:
    """Raises Unreadable."""
    members = [item for item in archive.infolist() if _is_csv(PurePosixPath(item.filename).name)]
    if len(members) > SHEETS or any(item.file_size > SHEET_BYTES for item in members):
        raise Unreadable("压缩包里的 CSV 太多或太大，不像是流程表。")
    return [
        CsvFile(PurePosixPath(_member_name(item)).stem, read_member(archive, item.filename))
        for item in sorted(members, key=lambda member: member.filename)
    ]


def _is_csv(name: str) -> bool:
    return name.lower().endswith(".csv") and not name.startswith(_SIDE_FILES)


def _member_name(item: zipfile.ZipInfo) -> str:
    """Windows packs Chinese names in GB18030, macOS in UTF-8, without saying so.

    `zipfile` takes both for code page 437. Some programs part folders by a backslash.
    """
    name = item.filename
    for encoding in () if item.flag_bits & 0x800 else ("utf-8", "gb18030"):
        try:
            name = item.filename.encode("cp437").decode(encoding)
            break
        except UnicodeError:
            continue
    return name.replace("\\", "/")


def from_csv(files: Sequence[CsvFile]) -> Workbook:
    """Raises Unreadable."""
    if not files:
        raise Unreadable("文件夹里没有 CSV 文件。每张工作表存成一个，例如 字段.csv、决策表.csv。")
    digest = hashlib.sha256()
    for file in files:
        digest.update(f"{file.title}\n{len(file.content)}\n".encode())
        digest.update(file.content)
    return Workbook(tuple(_sheets(files)), digest.hexdigest())


def _sheets(files: Sequence[CsvFile]) -> Iterator[Sheet]:
    cells = 0
    for file in files:
        text = _decoded(file)
        delimiter = _delimiter(text)
        cells += text.count(delimiter) + text.count("\n")
        if cells > CSV_CELLS:
            raise Unreadable("CSV 的格子太多，不像是流程表。请只保留流程需要的行和列。")
        yield _sheet(file.title, text, delimiter)


def _delimiter(text: str) -> str:
    """By the first line that says something: its names or its title, seldom a sentence with a comma."""
    first = next((line for line in io.StringIO(text) if line.strip()), "")
    if first.count("\t") > first.count(","):
        return "\t"
    return ";" if ";" in first and "," not in first else ","


def _sheet(title: str, text: str, delimiter: str) -> Sheet:
    """Raises Unreadable, also for a quote that never ends: it would swallow all rows behind it."""
    reader = csv.reader(io.StringIO(text), delimiter=delimiter, strict=True)
    try:
        read = list(islice(reader, ROWS + 1))
    except csv.Error as error:
        raise Unreadable(
            f"「{title}.csv」第 {reader.line_num} 行附近引号不成对，或者一格太长。请在表格程序里另存为 CSV。"
        ) from error
    facts = SheetFacts()
    if len(read) > ROWS or any(len(row) > COLUMNS for row in read):
        facts.beyond = f"第 {ROWS + 1} 行" if len(read) > ROWS else f"第 {COLUMNS + 1} 列"
    rows = (trimmed(text_cell(said.strip()) for said in row[:COLUMNS]) for row in read[:ROWS])
    return sheet_of(title, rows, facts)


def _decoded(file: CsvFile) -> str:
    utf_16 = file.content.startswith((b"\xff\xfe", b"\xfe\xff"))
    for encoding in ("utf-16",) if utf_16 else ("utf-8-sig", "gb18030"):
        try:
            text = file.content.decode(encoding)
        except UnicodeError:
            continue
        if "\0" not in text:
            return text
    raise Unreadable(f"「{file.title}.csv」的文字编码认不出来。请另存为 UTF-8 或 GB18030 编码的 CSV。")
