"""Opening: files that are no workbooks, or are made to cost time and memory, are refused with a reason."""

import io
import re
import time
import tracemalloc
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.findings import Code, Severity
from rules.loader import load
from rules.sheets.files import read_workbook
from rules.sheets.grid import Kind
from rules.sheets.package import Unreadable
from tests.rules.workbooks import as_csv, base, packed, sheet

Edit = Callable[[bytes], bytes]


def rebuilt(edits: dict[str, Edit], added: dict[str, bytes] | None = None) -> bytes:
    """The starter workbook with the XML of some of its parts changed by hand."""
    content = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(packed(base()))) as old,
        zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as new,
    ):
        for item in old.infolist():
            data = old.read(item.filename)
            new.writestr(item.filename, edits.get(item.filename, _same)(data))
        for name, data in (added or {}).items():
            new.writestr(name, data)
    return content.getvalue()


def _same(content: bytes) -> bytes:
    return content


def refused(source: Path | bytes) -> str:
    """The reason, told in bounded time."""
    started = time.monotonic()
    found = load(source)
    assert time.monotonic() - started < 10
    assert found.process is None
    (finding,) = found.findings
    assert (finding.severity, finding.code) == (Severity.ERROR, Code.UNREADABLE)
    assert finding.mend
    return finding.message


TABLE = "xl/worksheets/sheet4.xml"  # 决策表


def before_end(tag: bytes, added: bytes) -> Edit:
    return lambda content: content.replace(b"</" + tag + b">", added + b"</" + tag + b">", 1)


def test_what_is_no_workbook_is_refused_with_what_to_do() -> None:
    assert "另存为 .xlsx" in refused("这不是工作簿".encode())
    assert "空的" in refused(b"")
    assert "损坏" in refused(packed(base())[:4000])


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    assert "打不开文件" in refused(tmp_path / "没有.xlsx")


def test_an_encrypted_workbook_and_an_old_one_are_told_apart() -> None:
    ole = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(2000)
    assert "密码" in refused(ole + "EncryptedPackage".encode("utf-16-le"))
    assert ".xls" in refused(ole)


def test_a_zip_bomb_is_refused_before_it_is_unpacked() -> None:
    content = rebuilt({}, {"xl/media/bomb.bin": bytes(80 * 1024 * 1024)})
    assert len(content) < 1024 * 1024
    assert "太大" in refused(content)


def test_methods_that_unpack_without_a_bound_are_refused() -> None:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_BZIP2) as archive:
        archive.writestr("xl/workbook.xml", bytes(1024 * 1024))
    assert "压缩方式" in refused(content.getvalue())


def test_a_single_sheet_that_is_far_too_large_is_refused() -> None:
    spaces = b" " * (30 * 1024 * 1024)
    assert "太大" in refused(rebuilt({TABLE: before_end(b"sheetData", spaces)}))


def test_entities_are_refused() -> None:
    laughs = b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]>'
    assert "不安全" in refused(rebuilt({TABLE: lambda content: laughs + content.split(b"?>", 1)[-1]}))
    hidden = rebuilt({TABLE: lambda content: content.decode().encode("utf-16")})
    assert "不安全" in refused(hidden)


def test_broken_xml_is_refused() -> None:
    assert "损坏" in refused(rebuilt({TABLE: lambda content: content[:-40]}))
    assert "损坏" in refused(rebuilt({"xl/workbook.xml": lambda content: b"<workbook>"}))
    assert "损坏" in refused(rebuilt({"xl/styles.xml": lambda content: content[: len(content) // 2]}))


def test_merged_areas_without_end_are_refused() -> None:
    area = b'<mergeCells count="1"><mergeCell ref="A1:XFD1048576"/></mergeCells>'
    assert "合并" in refused(rebuilt({TABLE: _after_data(area)}))


def test_merged_areas_written_backwards_do_not_lift_the_bound() -> None:
    backwards = b'<mergeCell ref="XFD1048576:A1"/>' * 3
    whole = b'<mergeCells count="4">' + backwards + b'<mergeCell ref="A1:XFD1048576"/></mergeCells>'
    assert "合并" in refused(rebuilt({TABLE: _after_data(whole)}))


def _after_data(added: bytes) -> Edit:
    return lambda content: content.replace(b"</sheetData>", b"</sheetData>" + added, 1)


def test_merged_areas_outside_what_is_read_do_not_lift_the_bound() -> None:
    outside = b'<mergeCell ref="A20000:A1048576"/>' * 100
    inside = b'<mergeCell ref="A1:IV10000"/>' * 2
    areas = b"<mergeCells>" + outside + inside + b"</mergeCells>"
    assert "合并" in refused(rebuilt({TABLE: _after_data(areas)}))


def test_an_entry_that_hides_its_size_is_not_unpacked_further_than_it_says() -> None:
    whole, told = bytes(123_456_789), bytes(512)
    lying = rebuilt({}, {"xl/theme/more.xml": whole})
    for size in (len, zlib.crc32):
        lying = lying.replace(size(whole).to_bytes(4, "little"), size(told).to_bytes(4, "little"))
    tracemalloc.start()
    try:
        assert "不安全" in refused(lying)
        assert tracemalloc.get_traced_memory()[1] < 32 * 1024 * 1024
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    ("part", "tag", "made_of"),
    [
        (TABLE, b"sheetData", b'<row r="%d"><c><v>1</v></c><c><v>1</v></c></row>'),
        ("xl/styles.xml", b"cellXfs", b"<xf/>"),
        ("xl/workbook.xml", b"sheets", b'<definedName name="n">A1</definedName>'),
    ],
)
def test_parts_of_very_many_tags_are_refused_before_they_are_parsed(
    part: str, tag: bytes, made_of: bytes
) -> None:
    many = made_of.replace(b' r="%d"', b"") * 200_000
    assert "太多" in refused(rebuilt({part: before_end(tag, many)}))


def test_cells_that_leave_their_place_unsaid_are_read_where_they_follow() -> None:
    bare = rebuilt({"xl/worksheets/sheet3.xml": _unplaced})
    placed = next(each for each in read_workbook(packed(base())).sheets if each.title == "字段")
    assert next(each for each in read_workbook(bare).sheets if each.title == "字段").rows == placed.rows


def _unplaced(content: bytes) -> bytes:
    return re.sub(rb'(<(?:c|row)) r="[A-Z0-9]+"', rb"\1", content)


def test_two_sheets_of_one_name_are_refused_and_none_is_dropped() -> None:
    twice = rebuilt({"xl/workbook.xml": lambda content: content.replace("节点".encode(), "材料".encode())})
    assert "都叫「材料」" in refused(twice)


def test_a_sheet_that_leads_nowhere_is_refused_and_not_dropped() -> None:
    lost = rebuilt({"xl/workbook.xml": lambda content: content.replace(b'r:id="rId5"', b'r:id="rId99"')})
    assert "损坏" in refused(lost)


def test_rows_out_of_their_order_are_refused_and_none_is_left_out() -> None:
    def edit(content: bytes) -> bytes:
        return before_end(b"sheetData", b'<row r="2"><c r="A2"><v>1</v></c></row>')(content)

    assert "损坏" in refused(rebuilt({TABLE: edit}))


def test_a_cell_in_the_last_corner_costs_nothing_and_is_mentioned() -> None:
    far = b'<row r="1048576"><c r="XFD1048576" t="inlineStr"><is><t>x</t></is></c></row>'

    def edit(content: bytes) -> bytes:
        content = re.sub(rb'<dimension ref="[^"]*"/>', b'<dimension ref="A1:XFD1048576"/>', content)
        return before_end(b"sheetData", far)(content)

    started = time.monotonic()
    found = load(rebuilt({TABLE: edit}))
    assert time.monotonic() - started < 5
    assert found.process is not None
    assert len(found.process.main.rules) == 4
    (finding,) = found.findings
    assert (finding.severity, finding.sheet, finding.value) == (Severity.ERROR, "决策表", "XFD1048576")


def test_thousands_of_troubles_are_counted_and_not_all_listed() -> None:
    book = base()
    for row in range(10, 1500):
        sheet(book, "决策表").cell(row, 1, f"X{row}")
    found = load(packed(book))
    assert len(found.findings) == 1001
    assert found.findings[-1].code is Code.NOT_CHECKED
    assert len(found.broken) == 1490


def test_kinds_of_cells_are_kept() -> None:
    book = base()
    worksheet = sheet(book, "决策表")
    worksheet["B6"] = "=1+1"
    worksheet["B7"] = 0.1 + 0.2
    worksheet["B8"] = 123456789012345678
    worksheet["B9"] = True
    for reference in ("B6", "B7", "B8", "B9"):
        worksheet[reference].number_format = "General"
    found = next(each for each in read_workbook(packed(book)).sheets if each.title == "决策表")
    kinds = [(found.at(row, 2).kind, found.at(row, 2).text) for row in (6, 7, 8, 9)]
    assert kinds[0] == (Kind.FORMULA, "=1+1")
    assert kinds[1] == (Kind.NUMBER, "0.3")
    assert kinds[2][0] is Kind.SCIENTIFIC
    assert kinds[3] == (Kind.TEXT, "是")


@pytest.mark.parametrize(
    "formula",
    [
        b'<f t="array" ref="B6">1+1</f>',
        b'<f t="shared" ref="B6:B7" si="0">1+1</f>',
        b'<f t="shared" si="0"/>',
        b'<f t="dataTable" ref="B6" r1="A1"/>',
    ],
)
def test_formulas_of_every_kind_are_formulas_whatever_value_is_kept(formula: bytes) -> None:
    cell = re.compile(rb'(<c r="B6"[^>]*?)( t="[a-zA-Z]+")?>.*?</c>', re.DOTALL)
    content = rebuilt({TABLE: lambda xml: cell.sub(rb"\1>" + formula + b"<v>2</v></c>", xml, count=1)})
    found = next(each for each in read_workbook(content).sheets if each.title == "决策表").at(6, 2)
    assert (found.kind, found.text[:1]) == (Kind.FORMULA, "=")


class OldName(zipfile.ZipInfo):
    """A member whose name is packed in code page 437, without the flag of UTF-8, as old programs do."""

    def _encodeFilenameFlags(self) -> tuple[bytes, int]:
        return self.filename.encode("cp437"), self.flag_bits & ~0x800


@pytest.mark.parametrize(
    ("shown_as", "kind"),
    [
        ("General", Kind.NUMBER),
        ("#,##0.00", Kind.NUMBER),
        ('_ "¥"* #,##0_ ', Kind.NUMBER),
        ("0%", Kind.SCALED),
        ('0"万"', Kind.SCALED),
        ("#,##0,", Kind.SCALED),
        ("0.00E+00", Kind.SCIENTIFIC),
    ],
)
def test_a_format_that_shows_another_number_is_noticed(shown_as: str, kind: Kind) -> None:
    book = base()
    cell = sheet(book, "决策表")["B6"]
    cell.value, cell.number_format = 5, shown_as
    found = next(each for each in read_workbook(packed(book)).sheets if each.title == "决策表")
    assert found.at(6, 2).kind is kind
    assert load(packed(book)).broken == (frozenset() if kind is Kind.NUMBER else {"R01"})


def test_a_zip_of_csv_files_named_by_windows_is_read(tmp_path: Path) -> None:
    as_csv(tmp_path, "gb18030")
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for path in tmp_path.iterdir():
            archive.writestr(OldName(path.name.encode("gb18030").decode("cp437")), path.read_bytes())
    assert {"字段", "决策表", "材料"} <= {each.title for each in read_workbook(content.getvalue()).sheets}
    assert load(content.getvalue()).process is not None


def test_a_zip_of_csv_files_packed_by_macos_is_read(tmp_path: Path) -> None:
    as_csv(tmp_path, "utf-8")
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for path in tmp_path.iterdir():
            archive.writestr(OldName(f"流程\\{path.name}".encode().decode("cp437")), path.read_bytes())
            archive.writestr(OldName(f"__MACOSX/._{path.name.encode().decode('cp437')}"), b"\x00\x05\x16\x07")
    read = read_workbook(content.getvalue()).sheets
    assert {each.title for each in read} == {path.stem for path in tmp_path.iterdir()}
    assert load(content.getvalue()).findings == ()


@pytest.mark.parametrize("delimiter", ["\t", ";"])
def test_csv_files_with_tabs_or_semicolons_are_read_alike(tmp_path: Path, delimiter: str) -> None:
    as_csv(tmp_path, "utf-8", delimiter)
    found = load(tmp_path)
    assert found.findings == ()
    assert found.process is not None
    assert len(found.process.main.rules) == 4


def test_a_quote_that_never_ends_does_not_swallow_the_rows_behind_it(tmp_path: Path) -> None:
    as_csv(tmp_path, "utf-8")
    path = tmp_path / "决策表.csv"
    lines = path.read_text(encoding="utf-8").splitlines()
    lines[5] += '"从这里起'
    path.write_text("\n".join(lines), encoding="utf-8")
    assert "引号不成对" in refused(tmp_path)


def test_error_values_and_formulas_in_csv_files_are_no_words(tmp_path: Path) -> None:
    lines = ("部门", "#REF!", "财务部", '"=VLOOKUP(A1,B:C,2)"', "=财务部")
    (tmp_path / "表.csv").write_text("\n".join(lines), encoding="utf-8")
    (sheet_,) = read_workbook(tmp_path).sheets
    kinds = [Kind.TEXT, Kind.ERROR, Kind.TEXT, Kind.FORMULA, Kind.TEXT]
    assert [row[0].kind for row in sheet_.rows] == kinds


def test_what_nobody_sees_is_not_part_of_a_cell() -> None:
    book = base()
    sheet(book, "决策表")["C6"] = "\u200b图书\ufeff"
    sheet(book, "决策表")["M6"] = "\u200b"
    found = load(packed(book))
    assert found.findings == ()
    assert found.process is not None
    assert found.process.main.rules[0].cells[1] == "图书"


def test_hidden_columns_that_hold_something_are_mentioned() -> None:
    book = base()
    for letter in ("C", "Z"):
        sheet(book, "决策表").column_dimensions[letter].hidden = True
    (finding,) = load(packed(book)).findings
    assert (finding.severity, finding.sheet) == (Severity.INFO, "决策表")
    assert "第 3 列" in finding.message


def test_an_empty_folder_is_refused(tmp_path: Path) -> None:
    assert "没有 CSV" in refused(tmp_path)


@pytest.mark.parametrize("content", [b"\xff\x00\xfe\x81\xff", "字段,类型".encode("utf-16-le")])
def test_a_csv_of_no_known_encoding_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "字段.csv").write_bytes(content)
    assert "编码" in refused(tmp_path)


WHOLE = packed(base())


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=400), st.integers(min_value=0, max_value=len(WHOLE)))
def test_damaged_bytes_are_refused_or_read_and_never_fail_otherwise(noise: bytes, place: int) -> None:
    damaged = WHOLE[:place] + noise + WHOLE[place + len(noise) :]
    try:
        book = read_workbook(damaged)
    except Unreadable as error:
        assert str(error).endswith("。")
    else:
        assert book.sheets
