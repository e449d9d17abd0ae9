"""Workbooks (xlsx, xlsm, xls): one table per block of rows, a heading per sheet, comments as notes.

Values and merges come from calamine; formats, comments, formulas and hidden rows from `sheet_xml`. A table's
sentences are made in `ingestion.tables`.
"""

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import python_calamine as calamine

from ingestion.cleaning import Noise
from ingestion.documents import (
    Anchor,
    Block,
    BlockBuilder,
    BlockKind,
    FailureReason,
    FileState,
    Parsed,
    count_chars,
)
from ingestion.errors import ParseFailure
from ingestion.glyphs import normalise
from ingestion.parsers import ole
from ingestion.parsers.archive import open_archive
from ingestion.parsers.number_format import CellValue, displayed
from ingestion.parsers.sheet_tables import add_sheet
from ingestion.parsers.sheet_xml import Place, SheetFacts, WorkbookFacts, read_facts, reference_of
from ingestion.protocols import Ocr

MAX_AREA = 5_000_000  # places of a sheet that calamine lays out densely, about 120 MB
LISTED = 12  # rows, columns or cells named in a finding


@dataclass(frozen=True, slots=True)
class _Sheet:
    """A sheet as read: texts by place, as displayed, and its merged ranges (first and last place)."""

    name: str
    texts: dict[Place, str]
    merges: tuple[tuple[Place, Place], ...]
    facts: SheetFacts
    visible: bool

    def chars(self) -> int:
        """Characters by the independent walk: texts from the XML, other cells as displayed."""
        shown = {place for place, fact in self.facts.cells.items() if not fact.is_text}
        numbers = sum(count_chars(self.texts.get(place) or self.facts.cells[place].raw) for place in shown)
        return self.facts.text_chars() + numbers


def parse(data: bytes, *, password: str | None = None, ocr: Ocr | None = None) -> Parsed:
    """Raises ParseFailure: encrypted, corrupt, empty, too_complex. The registry opens encrypted packages."""
    legacy = data.startswith(ole.MAGIC)
    if legacy and "EncryptedPackage" in ole.root_names(data):
        raise _encrypted()
    facts = WorkbookFacts({}) if legacy else read_facts(open_archive(data))
    _refuse_sparse(facts)
    builder = BlockBuilder()
    chars_in = 0
    sheets = list(_sheets(data, facts))
    named = sum(sheet.visible and bool(sheet.texts) for sheet in sheets) > 1
    for sheet in sheets:
        chars_in += _write(builder, sheet, named=named or not _is_default_name(sheet.name), legacy=legacy)
    if legacy:
        builder.note("旧版 xls：数字格式与批注未读取，百分比按小数显示；需要时请另存为 xlsx 后再导入")
    if not len(builder) and not chars_in:
        raise ParseFailure(FailureReason.EMPTY, "工作簿中没有任何内容。请确认上传的是填写过的文件")
    return builder.finish(chars_in, state=FileState.PARSED)


def _encrypted() -> ParseFailure:
    message = "工作簿已加密，请提供打开密码，或在 Excel 中取消加密后再导入"
    return ParseFailure(FailureReason.ENCRYPTED, message, FileState.NEEDS_PASSWORD)


def _refuse_sparse(facts: WorkbookFacts) -> None:
    """A single value far away makes a dense reader lay out billions of empty places."""
    for name, sheet in facts.sheets.items():
        rows, columns = sheet.extent
        if rows * columns > MAX_AREA and rows * columns > 100 * len(sheet.cells):
            last = reference_of((rows - 1, columns - 1))
            raise ParseFailure(
                FailureReason.TOO_COMPLEX,
                f"工作表「{name}」的内容散布到 {last}，请删除远处的单元格后再试",
            )


def _sheets(data: bytes, facts: WorkbookFacts) -> Iterator[_Sheet]:
    try:
        workbook = calamine.load_workbook(io.BytesIO(data))
    except calamine.PasswordError as error:
        raise _encrypted() from error
    except (calamine.CalamineError, OSError, ValueError) as error:
        raise ParseFailure(
            FailureReason.CORRUPT, "工作簿已损坏，请用 Excel 或 WPS 打开并另存后再试"
        ) from error
    for index, metadata in enumerate(workbook.sheets_metadata):
        if metadata.typ == calamine.SheetTypeEnum.WorkSheet:
            visible = metadata.visible == calamine.SheetVisibleEnum.Visible
            own = facts.sheets.get(metadata.name, SheetFacts())
            yield _sheet(workbook, index, own, visible=visible, epoch_1904=facts.epoch_1904)


def _sheet(
    workbook: calamine.CalamineWorkbook, index: int, facts: SheetFacts, *, visible: bool, epoch_1904: bool
) -> _Sheet:
    try:
        sheet = workbook.get_sheet_by_index(index)
    except calamine.CalamineError as error:
        raise ParseFailure(FailureReason.CORRUPT, f"第 {index + 1} 个工作表已损坏，无法读取") from error
    texts: dict[Place, str] = {}
    for row, values in enumerate(sheet.to_python(skip_empty_area=False)):
        for column, value in enumerate(values):
            text = _shown(value, (row, column), facts, epoch_1904)
            if text.strip():
                texts[row, column] = text
    for place, fact in facts.cells.items():
        if fact.is_error and place not in texts:
            texts[place] = fact.raw
    return _Sheet(sheet.name, texts, tuple(sheet.merged_cell_ranges or ()), facts, visible)


def _shown(value: CellValue, place: Place, facts: SheetFacts, epoch_1904: bool) -> str:
    if isinstance(value, str):
        return value
    fact = facts.cells.get(place)
    return displayed(value, fact.code, epoch_1904=epoch_1904) if fact is not None else displayed(value)


def _write(builder: BlockBuilder, sheet: _Sheet, *, named: bool, legacy: bool) -> int:
    """Adds a sheet's blocks and returns its characters by the independent count."""
    chars = sum(count_chars(text) for text in sheet.texts.values()) if legacy else sheet.chars()
    comments = sum(count_chars(comment.text) for comment in sheet.facts.comments)
    if not sheet.visible:
        if chars + comments:
            builder.drop("hidden_sheet", "；".join(sheet.texts.values()), chars + comments)
            builder.note(f"工作表「{sheet.name}」被隐藏，其内容（{chars + comments} 个字符）未读入")
        return chars + comments
    _report(builder, sheet)
    heading = count_chars(sheet.name) if named and sheet.texts else 0
    if heading:
        _add(builder, BlockKind.HEADING, sheet.name, Anchor(sheet=sheet.name), level=1)
    add_sheet(builder, sheet.texts, sheet.merges, sheet.name)
    for comment in sheet.facts.comments:
        anchor = Anchor(sheet=sheet.name, cell_range=reference_of(comment.place))
        _add(builder, BlockKind.NOTE, comment.text, anchor)
    return chars + comments + heading


def _add(builder: BlockBuilder, kind: BlockKind, raw: str, anchor: Anchor, level: int = 0) -> None:
    text = normalise(raw).strip()
    if text:
        builder.add(Block(kind, text, anchor, level, source_chars=count_chars(raw)))
    else:
        builder.drop(Noise.INVISIBLE, raw)


def _report(builder: BlockBuilder, sheet: _Sheet) -> None:
    facts = sheet.facts
    missing = facts.uncounted()
    if missing:
        cells = _some([reference_of(place) for place in sorted(missing)])
        builder.note(f"工作表「{sheet.name}」有 {len(missing)} 个公式没有保存计算结果，未读出数值：{cells}")
    errors = sorted(place for place, fact in facts.cells.items() if fact.is_error)
    if errors:
        builder.note(
            f"工作表「{sheet.name}」有 {len(errors)} 个公式出错：{_some([reference_of(p) for p in errors])}"
        )
    rows = sorted({row for row, _ in sheet.texts} & facts.hidden_rows)
    if rows:
        builder.note(
            f"工作表「{sheet.name}」有隐藏行，已照常读入：第 {_some([str(row + 1) for row in rows])} 行"
        )
    columns = sorted({column for _, column in sheet.texts} & facts.hidden_columns)
    if columns:
        names = _some([reference_of((0, column)).rstrip("1") for column in columns])
        builder.note(f"工作表「{sheet.name}」有隐藏列，已照常读入：{names} 列")


def _some(names: Sequence[str]) -> str:
    return "、".join(names[:LISTED]) + (" 等" if len(names) > LISTED else "")


def _is_default_name(name: str) -> bool:
    """Sheet1, 工作表2: names that the program gave."""
    stem = name.strip().rstrip("0123456789").strip().lower()
    return stem in {"sheet", "工作表", "表"}
