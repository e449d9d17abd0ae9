"""Workbooks in a folder: what is changed for the better serves, a broken one is told and changes nothing."""

import os
import shutil
import time
from datetime import date
from pathlib import Path

import pytest

from service.access import LOCAL
from service.process.following import Followed, Following
from tests.rules.workbooks import as_csv
from tests.service.process.kept import FORM, ID, UNREADABLE, Kept, broken, on, workbook

TODAY = date(2026, 11, 30)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path


@pytest.fixture
def followed(kept: Kept, folder: Path) -> Followed:
    return again(kept, folder)


def again(kept: Kept, folder: Path) -> Followed:
    """As after a restart."""
    return Followed(folder, "folder", kept.publishing, kept.store)


def serving(kept: Kept) -> list[str]:
    return [process.version for process in kept.library.on(TODAY)]


def write(folder: Path, data: bytes) -> Path:
    path = folder / "申领.xlsx"
    path.write_bytes(data)
    return path


def test_a_new_workbook_serves_and_an_unchanged_one_is_left_alone(
    kept: Kept, folder: Path, followed: Followed
) -> None:
    write(folder, workbook())
    assert followed.look(at_once=True) == 1
    assert serving(kept) == ["1.0"]
    assert followed.look(at_once=True) == 0
    assert [row.principal_id for row in kept.audited("process.publish")] == ["folder"]


@pytest.mark.parametrize("bad", [broken(), UNREADABLE], ids=["broken", "unreadable"])
def test_a_broken_workbook_leaves_the_last_good_one_serving_and_says_why(
    kept: Kept, folder: Path, followed: Followed, bad: bytes
) -> None:
    write(folder, workbook())
    followed.look(at_once=True)
    write(folder, bad)
    followed.look(at_once=True)
    assert serving(kept) == ["1.0"]
    draft = kept.publishing.drafts(LOCAL, ID)[0]
    assert draft.source == "folder:申领.xlsx" and draft.findings[0]["severity"] == "error"
    write(folder, broken("1.2"))
    followed.look(at_once=True)
    assert [each.version for each in kept.publishing.drafts(LOCAL)] == ["1.2"]
    write(folder, workbook("2.0"))
    followed.look(at_once=True)
    assert serving(kept) == ["2.0"] and kept.publishing.drafts(LOCAL) == []


def test_a_workbook_put_back_as_it_was_serves_again(kept: Kept, folder: Path, followed: Followed) -> None:
    for version in ("1.0", "2.0", "1.0"):
        write(folder, workbook(version))
        followed.look(at_once=True)
        assert serving(kept) == [version]


def test_a_file_that_is_still_being_written_waits(kept: Kept, folder: Path, followed: Followed) -> None:
    path = write(folder, workbook()[:5000])
    assert followed.look() == 0
    path.write_bytes(workbook())
    assert followed.look() == 0
    assert followed.look() == 1
    assert serving(kept) == ["1.0"] and kept.publishing.drafts(LOCAL) == []


def test_a_file_that_is_gone_takes_nothing_back(kept: Kept, folder: Path, followed: Followed) -> None:
    path = write(folder, workbook())
    followed.look(at_once=True)
    path.unlink()
    assert followed.look(at_once=True) == 0
    shutil.rmtree(folder)
    assert followed.look(at_once=True) == 0
    assert serving(kept) == ["1.0"]


def test_a_restart_publishes_nothing_that_was_dealt_with(
    kept: Kept, folder: Path, followed: Followed
) -> None:
    path = write(folder, workbook())
    followed.look(at_once=True)
    kept.publishing.withdraw(LOCAL, ID, kept.library.versions(ID)[0].digest)
    path.touch()
    again(kept, folder).look(at_once=True)
    assert serving(kept) == []
    kept.publish(workbook("3.0"))
    again(kept, folder).look(at_once=True)
    assert serving(kept) == ["3.0"]


def test_a_folder_of_csv_files_and_its_forms_are_followed(
    kept: Kept, folder: Path, followed: Followed
) -> None:
    sheets = folder / ID
    (sheets / "templates").mkdir(parents=True)
    as_csv(sheets, "gb18030")
    (sheets / "templates" / FORM).write_bytes(b"form")
    followed.look(at_once=True)
    assert serving(kept) == ["1.0"]
    assert kept.library.form(ID, FORM, TODAY) == b"form"
    (sheets / "templates" / FORM).write_bytes(b"a longer form")
    followed.look(at_once=True)
    assert kept.library.form(ID, FORM, TODAY) == b"a longer form"


def test_a_csv_file_is_followed_however_its_ending_is_written(
    kept: Kept, folder: Path, followed: Followed
) -> None:
    sheets = folder / ID
    sheets.mkdir()
    as_csv(sheets, "utf-8")
    info = (sheets / "流程信息.csv").rename(sheets / "流程信息.CSV")
    followed.look(at_once=True)
    assert serving(kept) == ["1.0"]
    info.write_text(info.read_text("utf-8").replace("1.0", "1.0.1"), "utf-8")
    followed.look(at_once=True)
    assert serving(kept) == ["1.0.1"]


def test_while_serving_a_change_and_a_publish_of_another_service_are_seen(kept: Kept, folder: Path) -> None:
    other = on(kept.database, kept.originals.path("00").parent)
    following = Following(kept.library, [again(kept, folder)], every=0.02)
    following.start()
    write(folder, workbook("1.0"))
    wait_for(kept, ["1.0"])
    other.library.refresh()
    other.publish(workbook("2.0"))
    wait_for(kept, ["2.0"])
    following.close()
    following.close()


def wait_for(kept: Kept, versions: list[str]) -> None:
    deadline = time.monotonic() + 10
    while serving(kept) != versions and time.monotonic() < deadline:
        time.sleep(0.01)
    assert serving(kept) == versions


def test_a_file_name_that_is_no_text_stops_nothing(kept: Kept, folder: Path, followed: Followed) -> None:
    odd = Path(os.fsdecode(os.fsencode(folder) + b"/\xff\xfe.xlsx"))
    odd.write_bytes(workbook())
    forms = folder / "templates"
    forms.mkdir()
    Path(os.fsdecode(os.fsencode(forms) + b"/\xff.docx")).write_bytes(b"form")
    assert followed.look(at_once=True) == 1
    assert serving(kept) == ["1.0"]
    odd.write_bytes(broken())
    followed.look(at_once=True)
    assert serving(kept) == ["1.0"] and len(kept.publishing.drafts(LOCAL)) == 1
