"""Old formats: with LibreOffice where it is installed, with small programs in its place, and without any."""

import os
import shutil
import struct
import time
from pathlib import Path

import pytest

from ingestion.documents import BlockKind, FailureReason, FileState, Parsed
from ingestion.errors import ParseFailure
from ingestion.parsers import office_program, registry
from ingestion.parsers.legacy import CONVERSIONS
from ingestion.parsers.office_program import Conversion, convert
from ingestion.parsers.sandbox import Limits, Sandbox
from tests.ingestion.parsers.compound_file import compound

RTF = (
    br"{\rtf1\ansi\ansicpg936\deff0{\fonttbl{\f0 SimSun;}}{\stylesheet{\s1\outlinelevel0 heading 1;}}"
    br"\pard\s1\outlinelevel0 \u31532?\u19968?\u31456? \u24635?\u21017?\par"
    br"\pard \u20241?\u20551?\u39035?\u25552?\u21069?\u19977?\u22825?\u30003?\u35831?\u12290?\par}"
)
DOC = compound({"WordDocument": struct.pack("<HHHHHH", 0xA5EC, 0xC1, 0, 0, 0, 0).ljust(2048, b"\0")})
LOCKED_DOC = compound(
    {
        "WordDocument": struct.pack("<HHHHHH", 0xA5EC, 0xC1, 0, 0, 0, 0x0100).ljust(2048, b"\0"),
        "1Table": bytes(512),
    }
)

with_libreoffice = pytest.mark.skipif(shutil.which("soffice") is None, reason="LibreOffice is not installed")


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder of programs in front of the basic ones; LibreOffice and antiword are not found."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in ("sh", "sleep", "cp", "cat"):
        (folder / name).symlink_to(shutil.which(name) or pytest.fail(f"no {name}"))
    monkeypatch.setenv("PATH", str(folder))
    return folder


def program(folder: Path, name: str, script: str) -> None:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


def texts(parsed: Parsed) -> list[str]:
    return [block.text for block in parsed.blocks]


@with_libreoffice
def test_rich_text_is_converted_and_read_with_its_headings() -> None:
    parsed = registry.parse(RTF, "请假办法.rtf")
    assert parsed.state is FileState.PARSED
    assert texts(parsed) == ["第一章 总则", "休假须提前三天申请。"]
    assert parsed.blocks[0].kind is BlockKind.HEADING
    assert any("LibreOffice 转换为 docx" in finding for finding in parsed.report.findings)
    assert parsed.report.balanced


@with_libreoffice
def test_a_damaged_file_is_not_taken_for_text() -> None:
    parsed = registry.parse(compound({"WordDocument": b"rubbish " * 300}), "a.doc")
    assert (parsed.state, parsed.reason) == (FileState.FAILED, FailureReason.CORRUPT)
    assert parsed.blocks == ()


@pytest.mark.parametrize(
    ("data", "name"),
    [(DOC, "a.doc"), (RTF, "a.rtf"), (compound({"PowerPoint Document": bytes(600)}), "a.ppt")],
)
def test_without_a_converter_the_message_names_what_to_install(
    programs: Path, data: bytes, name: str
) -> None:
    parsed = registry.parse(data, name)
    assert (parsed.state, parsed.reason) == (FileState.UNSUPPORTED, FailureReason.UNSUPPORTED)
    assert "LibreOffice" in parsed.message
    assert "另存为" in parsed.message


def test_without_libreoffice_antiword_reads_old_word_files(programs: Path) -> None:
    program(programs, "antiword", "echo 第一章 总则; echo; echo 休假须提前三天申请。")
    parsed = registry.parse(DOC, "a.doc")
    assert texts(parsed) == ["第一章 总则", "休假须提前三天申请。"]
    assert any("antiword" in finding for finding in parsed.report.findings)
    assert parsed.report.balanced


def test_a_locked_word_file_needs_its_password_before_any_program_runs(programs: Path) -> None:
    program(programs, "soffice", "exit 1")
    parsed = registry.parse(LOCKED_DOC, "a.doc")
    assert (parsed.state, parsed.reason) == (FileState.NEEDS_PASSWORD, FailureReason.ENCRYPTED)


def test_a_program_that_makes_nothing_means_a_damaged_file(programs: Path) -> None:
    program(programs, "soffice", "exit 0")
    assert registry.parse(DOC, "a.doc").reason is FailureReason.CORRUPT


def test_a_conversion_gets_a_profile_of_its_own_without_macros_and_leaves_nothing(
    programs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = tmp_path / "kept"
    kept.mkdir()
    program(
        programs,
        "soffice",
        f'cp profile/user/registrymodifications.xcu {kept}/; echo "$@" > {kept}/arguments',
    )
    monkeypatch.setattr(office_program.tempfile, "tempdir", str(tmp_path / "tmp"))
    (tmp_path / "tmp").mkdir()
    with pytest.raises(ParseFailure):
        convert(str(programs / "soffice"), b"x", Conversion("doc", "docx", "MS Word 97"))
    assert "DisableMacrosExecution" in (kept / "registrymodifications.xcu").read_text()
    arguments = (kept / "arguments").read_text()
    assert f"-env:UserInstallation=file://{tmp_path}/tmp/zhixing-convert-" in arguments
    assert "--infilter=MS Word 97" in arguments
    assert list((tmp_path / "tmp").iterdir()) == []


def hanging(folder: Path) -> Path:
    """A program that starts another one and waits for it; both write their ids."""
    note = folder.parent / "ids"
    program(folder, "soffice", f"sleep 300 & echo $! > {note}; echo $$ >> {note}; wait")
    return note


def alive(note: Path) -> list[int]:
    found = []
    for line in note.read_text().split():
        status = Path(f"/proc/{line}/stat")
        if status.exists() and status.read_text().rsplit(")", 1)[1].split()[0] != "Z":
            found.append(int(line))
    return found


def test_a_conversion_that_hangs_ends_with_all_it_started(programs: Path) -> None:
    note = hanging(programs)
    started = time.monotonic()
    with pytest.raises(ParseFailure) as caught:
        convert(str(programs / "soffice"), b"x", CONVERSIONS[next(iter(CONVERSIONS))], seconds=0.5)
    assert caught.value.reason is FailureReason.TIMEOUT
    assert time.monotonic() - started < 10
    assert len(note.read_text().split()) == 2
    assert alive(note) == []


def convert_in_child(path: str) -> None:
    convert(path, b"x", Conversion("doc", "docx", "MS Word 97"))


def test_a_worker_that_is_ended_ends_its_conversion(programs: Path) -> None:
    note = hanging(programs)
    sandbox = Sandbox(convert_in_child, Limits(seconds=1.0))
    with pytest.raises(ParseFailure) as caught:
        sandbox.run(str(programs / "soffice"))
    sandbox.close()
    assert caught.value.reason is FailureReason.TIMEOUT
    assert os.path.exists(note)
    assert alive(note) == []
