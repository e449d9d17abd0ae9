"""Type by content first, limits of containers, and one state for every file of any kind."""

import io
import struct
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msoffcrypto.format.ooxml import OOXMLFile

from ingestion.documents import FailureReason, FileState, Parsed
from ingestion.errors import ParseFailure
from ingestion.parsers import archive, registry
from ingestion.parsers.detect import BY_EXTENSION, FileKind, detect
from ingestion.parsers.ole import MAGIC, root_names
from tests.ingestion.parsers.word_files import paragraph, repacked, run, word_file
from tests.soaking import times

WORD = word_file(paragraph(run("正文一段。")))


@pytest.fixture(scope="module", autouse=True)
def _no_programs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Hundreds of random files, and none of them starts LibreOffice."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", str(tmp_path_factory.mktemp("empty")))
        yield


LEGACY_NAMES = (
    "WordDocument",
    "Workbook",
    "PowerPoint Document",
    "EncryptedPackage",
    "__properties_version1.0",
)


def zipped(parts: dict[str, str | bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in parts.items():
            file.writestr(name, content)
    return stream.getvalue()


def ole_file(stream_name: str) -> bytes:
    """A compound file of three sectors: allocation table, directory with a root and one stream."""

    def entry(name: str, child: int) -> bytes:
        raw = (name + "\0").encode("utf-16-le")
        links = struct.pack("<III", 0xFFFFFFFF, 0xFFFFFFFF, child)
        return raw.ljust(64, b"\0") + struct.pack("<HBB", len(raw), 5, 1) + links + bytes(48)

    header = bytearray(MAGIC.ljust(512, b"\0"))
    struct.pack_into("<H", header, 30, 9)
    struct.pack_into("<I", header, 48, 1)
    struct.pack_into("<I", header, 68, 0xFFFFFFFE)
    struct.pack_into("<109I", header, 76, 0, *[0xFFFFFFFF] * 108)
    table = struct.pack("<128I", 0xFFFFFFFD, 0xFFFFFFFE, *[0xFFFFFFFF] * 126)
    directory = (entry("Root Entry", 1) + entry(stream_name, 0xFFFFFFFF)).ljust(512, b"\0")
    return bytes(header) + table + directory


@pytest.mark.parametrize(
    ("data", "name", "kind"),
    [
        (b"%PDF-1.4 ...", "a.docx", FileKind.PDF),
        (WORD, "a.xls", FileKind.DOCX),
        (ole_file("WordDocument"), "a.docx", FileKind.DOC),
        (ole_file("Workbook"), "a.et", FileKind.XLS),
        (ole_file("PowerPoint Document"), "a", FileKind.PPT),
        (ole_file("EncryptedPackage"), "a.xlsx", FileKind.ENCRYPTED_OFFICE),
        (ole_file("__properties_version1.0"), "a.msg", FileKind.MSG),
        (zipped({"OFD.xml": "<a/>"}), "a.pdf", FileKind.OFD),
        (zipped({"mimetype": "application/vnd.oasis.opendocument.text"}), "a.odt", FileKind.OPEN_DOCUMENT),
        (zipped({"xl/workbook.xml": "<a/>"}), "a.xlsx", FileKind.XLSX),
        (zipped({"readme.txt": "x"}), "a.docx", FileKind.ZIP),
        (b"{\\rtf1\\ansi", "a.doc", FileKind.RTF),
        (b"\x89PNG\r\n\x1a\n....", "a.pdf", FileKind.IMAGE),
        ("<!-- x --><!DOCTYPE html><p>文".encode("gbk"), "a.txt", FileKind.HTML),
        ("<table><tr><td>甲".encode(), "a.xls", FileKind.HTML),
        ("<div align=center>\n\n# 标题".encode(), "a.md", FileKind.MARKDOWN),
        ("姓名,部门\n张三,财务部\n".encode("gbk"), "a.xlsx", FileKind.CSV),
        ("会议纪要\n一、议题".encode(), "a.docx", FileKind.TEXT),
        ("会议纪要".encode("utf-16"), "a.txt", FileKind.TEXT),
        (b"From: a@b.c\nTo: d@e.f\nSubject: x\nMIME-Version: 1.0\n\nhi", "a.txt", FileKind.EML),
        ("发件人：张三\nSubject: 说明\n\n正文".encode(), "a.txt", FileKind.TEXT),
        (b'<?xml version="1.0"?><?mso-application progid="Excel.Sheet"?><a/>', "a.xls", FileKind.OFFICE_XML),
        (bytes(range(256)), "a.bin", FileKind.UNKNOWN),
    ],
)
def test_content_decides_the_kind_and_the_extension_only_between_texts(
    data: bytes, name: str, kind: FileKind
) -> None:
    assert detect(data, name).kind is kind


@pytest.mark.parametrize("name", LEGACY_NAMES)
def test_the_directory_of_a_compound_file_names_its_streams(name: str) -> None:
    assert root_names(ole_file(name)) == {name}


def test_a_chain_of_sectors_that_bites_its_tail_ends() -> None:
    data = bytearray(ole_file("WordDocument"))
    struct.pack_into("<I", data, 512 + 4, 1)  # the directory's sector follows itself
    assert "WordDocument" in root_names(bytes(data))


def refused(data: bytes, name: str = "a.docx") -> Parsed:
    parsed = registry.parse(data, name)
    assert parsed.state not in (FileState.PARSED, FileState.PARSED_PARTLY)
    assert parsed.blocks == ()
    assert parsed.message
    return parsed


def test_bombs_are_refused_before_they_are_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    big_part = repacked(WORD, {"word/media/a.bin": bytes(51 * 1024 * 1024)})
    many_parts = repacked(WORD, {f"word/p{number}.txt": "x" for number in range(2_001)})
    high_ratio = repacked(WORD, {"word/media/b.bin": bytes(2 * 1024 * 1024)})
    monkeypatch.setattr(archive.Archive, "read", lambda *_: pytest.fail("a part was read"))
    for data in (big_part, many_parts, high_ratio):
        assert refused(data).reason is FailureReason.TOO_LARGE


def test_document_types_are_refused_in_any_part_and_encoding() -> None:
    declared = '<!-- x --><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>'
    for part in (declared, declared.encode("utf-16"), f'<?xml version="1.0"?>\n{declared}'):
        assert refused(repacked(WORD, {"word/theme/theme1.xml": part})).reason is FailureReason.UNSAFE


def test_names_that_point_outside_are_never_written(tmp_path: Path) -> None:
    outside = tmp_path / "evil.txt"
    data = repacked(WORD, {f"../../..{outside}": "x", str(outside): "x"})
    assert registry.parse(data, "a.docx").state is FileState.PARSED
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("data", "name", "state", "reason"),
    [
        (b"", "a.pdf", FileState.FAILED, FailureReason.EMPTY),
        (b" \r\n\x00", "a.txt", FileState.FAILED, FailureReason.EMPTY),
        (WORD[: len(WORD) * 2 // 3], "a.docx", FileState.FAILED, FailureReason.CORRUPT),
        (word_file(paragraph()), "a.docx", FileState.FAILED, FailureReason.EMPTY),
        (MAGIC + bytes(600), "a.doc", FileState.FAILED, FailureReason.CORRUPT),
        (ole_file("EncryptedPackage"), "a.docx", FileState.NEEDS_PASSWORD, FailureReason.ENCRYPTED),
        (bytes(range(256)), "a.docx", FileState.FAILED, FailureReason.WRONG_TYPE),
        (zipped({"OFD.xml": "<a/>"}), "a.ofd", FileState.UNSUPPORTED, FailureReason.UNSUPPORTED),
        (b"ID3\x03" + bytes(60), "a.docx", FileState.UNSUPPORTED, FailureReason.WRONG_TYPE),
        (zipped({"a.txt": "x"}), "a.zip", FileState.UNSUPPORTED, FailureReason.UNSUPPORTED),
        (b"\x89PNG\r\n\x1a\n....", "a.png", FileState.FAILED, FailureReason.CORRUPT),
        (bytes(range(256)), "a.bin", FileState.UNSUPPORTED, FailureReason.UNSUPPORTED),
    ],
)
def test_a_file_that_cannot_be_read_ends_in_a_state_with_a_reason(
    data: bytes, name: str, state: FileState, reason: FailureReason
) -> None:
    parsed = refused(data, name)
    assert (parsed.state, parsed.reason) == (state, reason)


def test_an_encrypted_container_that_is_damaged_is_named_so() -> None:
    parsed = registry.parse(ole_file("EncryptedPackage"), "a.docx", password="secret")
    assert parsed.reason is FailureReason.CORRUPT


def test_every_kind_has_a_name_and_every_kind_without_a_parser_advice() -> None:
    assert set(registry.NAMES) == set(FileKind)
    unread = set(FileKind) - set(registry.PARSERS) - {FileKind.UNKNOWN, FileKind.ENCRYPTED_OFFICE}
    assert unread <= set(registry.ADVICE)


def test_a_name_that_contradicts_the_content_is_reported() -> None:
    parsed = registry.parse("会议纪要\n\n本周例会讨论了两项议题。".encode(), "纪要.docx")
    assert parsed.state is FileState.PARSED
    assert any("扩展名" in finding for finding in parsed.report.findings)


def test_damage_a_parser_did_not_name_costs_that_file_only(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setitem(registry.PARSERS, FileKind.TEXT, "struct")  # a module without `parse`
    parsed = registry.parse("正文".encode(), "a.txt")
    assert (parsed.state, parsed.reason) == (FileState.FAILED, FailureReason.CORRUPT)
    assert "damage" in caplog.text


EXTENSIONS = st.sampled_from([*BY_EXTENSION, "", "bin", "json"])
HEADS = st.sampled_from(
    [b"", b"PK\x03\x04", MAGIC, b"{\\rtf", b"<html>", b"From: ", b"\xff\xfe", b"a,b\n", b"# "]
)


@settings(max_examples=times(300, 1500), deadline=None)
@given(HEADS, st.binary(max_size=700), EXTENSIONS)
def test_random_bytes_under_any_name_end_in_one_state(head: bytes, rest: bytes, extension: str) -> None:
    parsed = registry.parse(head + rest, f"文件.{extension}")
    readable = parsed.state in (FileState.PARSED, FileState.PARSED_PARTLY)
    assert readable == bool(parsed.blocks)
    assert readable or (parsed.message and parsed.reason is not None)
    assert parsed.report.balanced


@settings(max_examples=times(150, 2500), deadline=None)
@given(st.integers(0, len(WORD) - 1), st.integers(0, 255), st.integers(1, 40))
def test_a_damaged_word_file_ends_in_one_state(place: int, byte: int, length: int) -> None:
    data = bytearray(WORD)
    data[place : place + length] = bytes([byte]) * length
    parsed = registry.parse(bytes(data), "a.docx")
    assert (parsed.state is FileState.PARSED) == bool(parsed.blocks)


def test_limits_name_what_to_do() -> None:
    with pytest.raises(ParseFailure) as caught:
        archive.open_archive(repacked(WORD, {"word/media/a.bin": bytes(51 * 1024 * 1024)}))
    assert "请" in caught.value.message


def encrypted(data: bytes, password: str) -> bytes:
    stream = io.BytesIO()
    OOXMLFile(io.BytesIO(data)).encrypt(password, stream)
    return stream.getvalue()


def test_an_encrypted_document_opens_with_its_password_only() -> None:
    data = encrypted(WORD, "正确的密码")
    for password in (None, "", "错误的密码"):
        locked = registry.parse(data, "a.docx", password=password)
        assert (locked.state, locked.reason) == (FileState.NEEDS_PASSWORD, FailureReason.ENCRYPTED)
    opened = registry.parse(data, "a.docx", password="正确的密码")
    assert [block.text for block in opened.blocks] == ["正文一段。"]
