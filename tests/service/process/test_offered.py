"""Workbooks as people hand them in: alone, zipped with their forms, as CSV files, in folders."""

from pathlib import Path

import pytest

from ingestion.errors import ParseFailure
from rules.loader import load
from service.errors import BadRequest
from service.process.offered import bundled, offered_path, offered_upload, workbooks_under
from tests.rules.workbooks import as_csv
from tests.service.process.kept import FORM, ID, UNREADABLE, workbook, zipped


@pytest.fixture
def sheets(tmp_path: Path) -> Path:
    folder = tmp_path / ID
    folder.mkdir()
    as_csv(folder, "utf-8")
    return folder


def test_a_workbook_alone_is_taken_as_it_is() -> None:
    data = workbook()
    found = offered_upload(data, "表.xlsx")
    assert (found.workbook, found.file_name, dict(found.forms)) == (data, "表.xlsx", {})


def test_what_is_no_workbook_is_left_to_the_loader_to_tell() -> None:
    assert offered_upload(UNREADABLE, "表.xls").workbook == UNREADABLE


@pytest.mark.parametrize("inside", ["", "资产/"])
def test_a_zip_holds_a_workbook_and_its_forms(inside: str) -> None:
    data = workbook()
    files = {
        f"{inside}表.xlsx": data,
        f"{inside}templates/{FORM}": b"form",
        f"{inside}templates/价格.xlsx": b"x",
    }
    found = offered_upload(zipped(files), "包.zip")
    assert (found.file_name, found.workbook) == ("表.xlsx", data)
    assert found.form(FORM) == b"form" and found.form("价格.xlsx") == b"x"
    assert found.form("没有.docx") is None


@pytest.mark.parametrize(
    ("files", "told"),
    [
        ({"甲.xlsx": workbook(), "乙.xlsx": workbook()}, "2 个工作簿"),
        ({"说明.txt": b"x"}, "没有 .xlsx"),
        ({f"templates/{FORM}": b"x"}, "没有 .xlsx"),
    ],
)
def test_a_zip_without_exactly_one_process_is_refused(files: dict[str, bytes], told: str) -> None:
    with pytest.raises(BadRequest, match=told):
        offered_upload(zipped(files), "包.zip")


def test_a_damaged_zip_is_refused_as_one() -> None:
    whole = zipped({"表.xlsx": workbook(), "templates/a.docx": b"x" * 5000})
    with pytest.raises(ParseFailure):
        offered_upload(whole[:200] + b"\x00" * 400 + whole[600:], "包.zip")


def test_csv_files_are_the_same_process_from_a_folder_and_from_a_zip(sheets: Path) -> None:
    form = sheets / "templates" / "价格.csv"
    form.parent.mkdir()
    form.write_bytes(b"not a sheet")
    from_folder = offered_path(sheets)
    files = {path.relative_to(sheets).as_posix(): path.read_bytes() for path in sheets.rglob("*.csv")}
    from_zip = offered_upload(zipped(files), f"{ID}.zip")
    digests = {load(each.workbook).process.digest for each in (from_folder, from_zip)}  # type: ignore[union-attr]
    direct = load(sheets).process
    assert direct is not None and digests == {direct.digest}
    assert from_folder.form("价格.csv") == from_zip.form("价格.csv") == b"not a sheet"


def test_what_is_bundled_for_upload_is_what_was_offered(sheets: Path, tmp_path: Path) -> None:
    (tmp_path / "templates").mkdir()
    (tmp_path / "templates" / FORM).write_bytes(b"form")
    (tmp_path / "templates" / "别的.docx").write_bytes(b"of another process")
    (tmp_path / "表.xlsx").write_bytes(workbook())
    for path in (tmp_path / "表.xlsx", sheets):
        offered = offered_path(path)
        name, data = bundled(offered, [FORM, "没有.docx"])
        again = offered_upload(data, name)
        assert set(again.forms) == {FORM} and again.form(FORM) == b"form"
        first, second = load(offered.workbook).process, load(again.workbook).process
        assert first is not None and first == second
    assert bundled(offered_path(tmp_path / "表.xlsx"), []) == ("表.xlsx", workbook())


def test_workbooks_of_a_folder_are_found_one_level_down_without_forms_and_lock_files(
    sheets: Path, tmp_path: Path
) -> None:
    for name in (
        "甲.xlsx",
        "~$甲.xlsx",
        ".乙.xlsx",
        "说明.txt",
        "templates/价格.xlsx",
        "财务/丙.xlsx",
        "空/a.txt",
    ):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(b"x")
    found = [path.relative_to(tmp_path).as_posix() for path in workbooks_under(tmp_path)]
    assert sorted(found) == sorted(["甲.xlsx", "财务/丙.xlsx", ID])


def test_contents_tell_offers_apart_and_times_do_not(tmp_path: Path) -> None:
    path = tmp_path / "表.xlsx"
    path.write_bytes(workbook())
    before = offered_path(path).fingerprint()
    path.touch()
    assert offered_path(path).fingerprint() == before
    (tmp_path / "templates").mkdir()
    (tmp_path / "templates" / FORM).write_bytes(b"form")
    with_form = offered_path(path).fingerprint()
    path.write_bytes(workbook("2.0"))
    assert len({before, with_form, offered_path(path).fingerprint()}) == 3
