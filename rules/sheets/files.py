"""Opens a workbook, xlsx or CSV files of the same names, into plain cells. All reading of files is here."""

import csv
import hashlib
import io
import re
import warnings
import zipfile
from collections.abc import Iterable, Iterator
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from itertools import islice
from pathlib import Path, PurePosixPath

import openpyxl
from openpyxl.cell import Cell as SourceCell
from openpyxl.cell.cell import MergedCell
from openpyxl.utils.exceptions import InvalidFileException
from openpyxl.worksheet.worksheet import Worksheet

from rules.sheets.grid import Area, Cell, Kind, Sheet, Workbook
from rules.sheets.package import (
    COLUMNS,
    DAMAGED,
    ROWS,
    SHEET_BYTES,
    SHEETS,
    SheetFacts,
    Unreadable,
    open_zip,
    read_member,
    refuse_unsafe,
    sheet_facts,
)

LARGEST_BYTES = 24 * 1024 * 1024
SCIENTIFIC_FROM = Decimal(10) ** 11
"""From twelve digits on, programs show a number of the format General as 1.2E+11."""

_SCALING = re.compile(r"%|[百千万亿]|[0#?],+(?![0#?,])")
"""Parts of a number format that show another number than the cell holds; a trailing comma divides by 1000."""
_BROKEN: tuple[type[Exception], ...] = (*DAMAGED, InvalidFileException, TypeError, IndexError)
_BROKEN += (AttributeError, SyntaxError)
"""What openpyxl lets through of a damaged file; the errors of XML parsers are SyntaxErrors."""


def read_workbook(source: Path | bytes) -> Workbook:
    """An .xlsx, a folder of CSV files, or a zip of them. Raises Unreadable."""
    if isinstance(source, Path) and source.is_dir():
        return _from_csv(_folder(source))
    content = _content(source)
    with open_zip(content) as archive:
        if "xl/workbook.xml" in archive.namelist():
            refuse_unsafe(archive)
            return Workbook(tuple(_xlsx(content, sheet_facts(archive))), hashlib.sha256(content).hexdigest())
        files = list(_zipped(archive))
    if not files:
        raise Unreadable("压缩包里既没有工作簿，也没有 CSV 文件。请上传 .xlsx，或装着各工作表 CSV 的压缩包。")
    return _from_csv(files)


def _content(source: Path | bytes) -> bytes:
    if isinstance(source, bytes):
        content = source
    else:
        try:
            if source.stat().st_size > LARGEST_BYTES:
                raise Unreadable("文件超过 24 MB，不像是流程表。")
            content = source.read_bytes()
        except OSError as error:
            raise Unreadable(f"打不开文件：{error.strerror or '读取失败'}。") from error
    if len(content) > LARGEST_BYTES:
        raise Unreadable("文件超过 24 MB，不像是流程表。")
    if not content:
        raise Unreadable("文件是空的。")
    return content


def _xlsx(content: bytes, facts: dict[str, SheetFacts]) -> list[Sheet]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about features of the file that hold no cells
            book = openpyxl.load_workbook(io.BytesIO(content), read_only=True, keep_links=False)
            try:
                return [_sheet(title, _rows(book[title], known), known) for title, known in facts.items()]
            finally:
                book.close()
    except _BROKEN as error:
        raise Unreadable("工作簿的内容已经损坏。请在表格程序里打开并另存为 .xlsx。") from error


def _rows(sheet: Worksheet, facts: SheetFacts) -> Iterator[tuple[Cell, ...]]:
    """Within the extent found before: what the file says about its own size is not to be trusted."""
    for row in sheet.iter_rows(max_row=facts.height, max_col=facts.width):
        cells = [_cell(cell) for cell in row]
        while cells and cells[-1].blank:
            cells.pop()
        yield tuple(cells)


def _cell(cell: SourceCell | MergedCell) -> Cell:
    value: object = cell.value
    if value is None:
        return Cell()
    if cell.data_type == "f":
        return Cell(str(getattr(value, "text", value)), Kind.FORMULA)
    if cell.data_type == "e":
        return Cell(str(value), Kind.ERROR)
    if isinstance(value, bool):
        return Cell("是" if value else "否")
    if isinstance(value, datetime | date | time | timedelta):
        return Cell(_day_text(value), Kind.DAY)
    if isinstance(value, int | float):
        return _number(value, cell.number_format)
    return Cell(str(value))


def _day_text(value: datetime | date | time | timedelta) -> str:
    if isinstance(value, datetime):
        return value.date().isoformat() if value.time() == time() else value.isoformat(" ", "seconds")
    return str(value)


def _number(value: int | float, shown_as: str) -> Cell:
    """The fifteen digits the program itself keeps, so that 0.1 + 0.2 is 0.3."""
    exact = Decimal(value) if isinstance(value, int) else Decimal(format(value, ".15g"))
    if not exact.is_finite():
        return Cell(str(value), Kind.ERROR)
    long = abs(exact) >= SCIENTIFIC_FROM and shown_as in ("General", "常规")
    if long or "E+" in shown_as.upper() or abs(exact) >= Decimal(10) ** 15:
        return Cell(f"{exact:.6g}" if abs(exact) < SCIENTIFIC_FROM else f"{exact:.5E}", Kind.SCIENTIFIC)
    text = format(exact, "f")
    kind = Kind.SCALED if _SCALING.search(shown_as) and exact else Kind.NUMBER
    return Cell(text.rstrip("0").rstrip(".") if "." in text else text, kind)


def _sheet(title: str, rows: Iterable[tuple[Cell, ...]], facts: SheetFacts) -> Sheet:
    kept = list(rows)
    while kept and not kept[-1]:
        kept.pop()
    for area in facts.merged:
        _mark(kept, area)
    return Sheet(
        title,
        tuple(kept),
        tuple(facts.merged),
        facts.hidden,
        tuple(number for number in facts.hidden_rows if number <= len(kept)),
        facts.beyond,
    )


def _mark(rows: list[tuple[Cell, ...]], area: Area) -> None:
    for number in range(area.top, min(area.bottom, len(rows)) + 1):
        row = list(rows[number - 1])
        last = min(area.right, COLUMNS)
        if area.left <= last:
            row.extend(Cell() for _ in range(last - len(row)))
        for column in range(area.left, last + 1):
            old = row[column - 1]
            row[column - 1] = Cell(old.text, old.kind, merged=True)
        rows[number - 1] = tuple(row)


def _folder(folder: Path) -> list[tuple[str, bytes]]:
    try:
        paths = sorted(path for path in folder.iterdir() if path.suffix.lower() == ".csv" and path.is_file())
        sizes = [path.stat().st_size for path in paths]
        if len(paths) > SHEETS or sum(sizes) > LARGEST_BYTES:
            raise Unreadable("文件夹里的 CSV 太多或太大，不像是流程表。")
        return [(path.stem, path.read_bytes()) for path in paths]
    except OSError as error:
        raise Unreadable(f"打不开文件夹：{error.strerror or '读取失败'}。") from error


def _zipped(archive: zipfile.ZipFile) -> Iterator[tuple[str, bytes]]:
    members = [item for item in archive.infolist() if item.filename.lower().endswith(".csv")]
    if len(members) > SHEETS or any(item.file_size > SHEET_BYTES for item in members):
        raise Unreadable("压缩包里的 CSV 太多或太大，不像是流程表。")
    for item in sorted(members, key=lambda member: member.filename):
        yield PurePosixPath(_member_name(item)).stem, read_member(archive, item.filename)


def _member_name(item: zipfile.ZipInfo) -> str:
    """Windows packs Chinese names in GB18030 without saying so; `zipfile` takes them for code page 437."""
    if item.flag_bits & 0x800:
        return item.filename
    try:
        return item.filename.encode("cp437").decode("gb18030")
    except UnicodeError:
        return item.filename


def _from_csv(files: list[tuple[str, bytes]]) -> Workbook:
    if not files:
        raise Unreadable("文件夹里没有 CSV 文件。每张工作表存成一个，例如 字段.csv、决策表.csv。")
    digest = hashlib.sha256()
    for title, content in files:
        digest.update(f"{title}\n{len(content)}\n".encode())
        digest.update(content)
    return Workbook(tuple(_csv_sheet(title, content) for title, content in files), digest.hexdigest())


def _csv_sheet(title: str, content: bytes) -> Sheet:
    text = _decoded(title, content)
    first = text[:2000]
    delimiter = "\t" if first.count("\t") > first.count(",") else ","
    try:
        read = list(islice(csv.reader(io.StringIO(text), delimiter=delimiter), ROWS + 1))
    except csv.Error as error:
        raise Unreadable(f"「{title}.csv」不是完整的 CSV。请在表格程序里另存为 CSV。") from error
    facts = SheetFacts()
    if len(read) > ROWS or any(len(row) > COLUMNS for row in read):
        facts.beyond = f"第 {ROWS + 1} 行" if len(read) > ROWS else f"第 {COLUMNS + 1} 列"
    return _sheet(title, (_csv_row(row) for row in read[:ROWS]), facts)


def _csv_row(row: list[str]) -> tuple[Cell, ...]:
    cells = [Cell(text.strip()) for text in row[:COLUMNS]]
    while cells and cells[-1].blank:
        cells.pop()
    return tuple(cells)


def _decoded(title: str, content: bytes) -> str:
    utf_16 = content.startswith((b"\xff\xfe", b"\xfe\xff"))
    for encoding in ("utf-16",) if utf_16 else ("utf-8-sig", "gb18030"):
        try:
            return content.decode(encoding)
        except UnicodeError:
            continue
    raise Unreadable(f"「{title}.csv」的文字编码认不出来。请另存为 UTF-8 或 GB18030 编码的 CSV。")
