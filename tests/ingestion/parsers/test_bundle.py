"""Zip files of documents: names in any code page, nested zips, limits, nothing written."""

import io
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingestion.documents import FailureReason, FileState
from ingestion.errors import ParseFailure
from ingestion.parsers import bundle
from ingestion.parsers.bundle import Member, is_bundle, unpack
from ingestion.pipeline import Preparation, Source
from tests.ingestion.parsers.word_files import paragraph, run, word_file


def zipped(*entries: tuple[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in entries:
            file.writestr(name, content)
    return stream.getvalue()


def gbk_zipped(*entries: tuple[str, bytes]) -> bytes:
    """As the zip folders of a Chinese Windows: names in GBK, without the UTF-8 flag."""
    data = zipped(
        *((f"{i:0{len(name.encode('gbk'))}d}", content) for i, (name, content) in enumerate(entries))
    )
    for i, (name, _) in enumerate(entries):
        raw = name.encode("gbk")
        data = data.replace(f"{i:0{len(raw)}d}".encode(), raw)
    return data


def test_a_zip_of_documents_is_a_bundle_and_a_word_file_is_none() -> None:
    assert is_bundle(zipped(("甲.txt", b"x")), "a.bin")
    assert not is_bundle(word_file(paragraph(run("正文"))), "a.zip")
    assert not is_bundle(b"PK\x03\x04 cut", "a.zip")
    assert not is_bundle(b"", "a.zip")


def test_members_come_in_order_without_folders_and_what_systems_leave_behind() -> None:
    data = zipped(
        ("制度/", b""),
        ("制度/甲.txt", b"1"),
        ("__MACOSX/._甲.txt", b"x"),
        ("制度/.DS_Store", b"x"),
        ("制度/~$乙.docx", b"x"),
        ("Thumbs.db", b"x"),
        ("乙.md", b"2"),
    )
    assert list(unpack(data)) == [Member("制度/甲.txt", b"1"), Member("乙.md", b"2")]
    assert [member.file_name for member in unpack(data)] == ["甲.txt", "乙.md"]


def test_names_without_the_utf8_flag_are_decoded_together() -> None:
    data = gbk_zipped(("差旅费管理办法.txt", b"1"), ("食堂.txt", b"2"))
    assert [member.name for member in unpack(data)] == ["差旅费管理办法.txt", "食堂.txt"]


def test_inner_zips_are_opened_once_and_deeper_ones_stay_closed() -> None:
    deepest = zipped(("丙.txt", b"3"))
    inner = zipped(("乙.txt", b"2"), ("更深.zip", deepest))
    members = list(unpack(zipped(("甲.txt", b"1"), ("内层.zip", inner))))
    assert [member.name for member in members] == ["甲.txt", "内层.zip!/乙.txt", "内层.zip!/更深.zip"]
    assert members[-1].data == deepest


def test_inner_zips_share_one_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bundle._Budget.__init__, "__defaults__", (2_000, 10))
    data = zipped(("一.zip", zipped(("a.txt", b"12345678"))), ("二.zip", zipped(("b.txt", b"12345678"))))
    assert [member.name for member in unpack(data)] == ["一.zip!/a.txt", "二.zip"]


def test_equal_names_are_told_apart() -> None:
    with pytest.warns(UserWarning, match="Duplicate name"):
        data = zipped(("甲.txt", b"1"), ("甲.txt", b"2"), ("A.txt", b"3"), ("a.txt", b"4"))
    assert [(m.name, m.data) for m in unpack(data)] == [
        ("甲.txt", b"1"),
        ("甲 (2).txt", b"2"),
        ("A.txt", b"3"),
        ("a.txt", b"4"),
    ]


def test_names_that_point_outside_lose_their_way_out() -> None:
    data = zipped(("../../etc/passwd", b"1"), ("C:\\temp\\乙.txt", b"2"), ("/绝对.txt", b"3"), ("..", b"4"))
    assert [m.name for m in unpack(data)] == ["etc/passwd", "C:/temp/乙.txt", "绝对.txt", "未命名"]


@given(st.lists(st.tuples(st.text(min_size=1, max_size=20), st.binary(max_size=30)), max_size=6))
def test_no_member_is_lost_and_no_name_leaves_the_bundle(entries: list[tuple[str, bytes]]) -> None:
    usable = {
        f"f{i}-{name.encode('utf-8', 'replace').decode()}".replace("\0", ""): data
        for i, (name, data) in enumerate(entries)
    }
    files = [(name, data) for name, data in usable.items() if not name.endswith(("/", "\\"))]
    hidden = sum(
        bundle._is_system_file(
            "/".join(p for p in n.replace("\\", "/").split("/") if p not in ("", ".", ".."))
        )
        for n, _ in files
    )
    members = list(unpack(zipped(*files)))
    assert len(members) == len(files) - hidden
    assert len({member.name for member in members}) == len(members)
    assert all(".." not in member.name.split("/") and not member.name.startswith("/") for member in members)


def test_a_locked_or_damaged_zip_is_refused_whole() -> None:
    data = bytearray(zipped(("甲.txt", b"1")))
    data[data.find(b"PK\x01\x02") + 8] |= 1
    with pytest.raises(ParseFailure) as caught:
        list(unpack(bytes(data)))
    assert (caught.value.state, caught.value.reason) == (FileState.NEEDS_PASSWORD, FailureReason.ENCRYPTED)


def damaged(data: bytes, content: bytes) -> bytes:
    """The zip with the stored bytes of one member changed, so that its checksum fails."""
    assert data.count(content) == 1
    return data.replace(content, content[::-1])


def stored(*entries: tuple[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED) as file:
        for name, content in entries:
            file.writestr(name, content)
    return stream.getvalue()


def test_a_damaged_member_is_lost_alone_also_inside_an_inner_zip() -> None:
    inner = damaged(stored(("丙.txt", b"CCCCDDDD"), ("丁.txt", b"4")), b"CCCCDDDD")
    data = damaged(stored(("甲.txt", b"AAAABBBB"), ("乙.txt", b"2"), ("内.zip", inner)), b"AAAABBBB")
    members = {member.name: member for member in unpack(data)}
    assert list(members) == ["甲.txt", "乙.txt", "内.zip!/丙.txt", "内.zip!/丁.txt"]
    failures = {name: member.failure.reason for name, member in members.items() if member.failure}
    assert failures == {"甲.txt": FailureReason.CORRUPT, "内.zip!/丙.txt": FailureReason.CORRUPT}
    assert (members["乙.txt"].data, members["内.zip!/丁.txt"].data) == (b"2", b"4")


def test_a_zip_with_a_damaged_member_is_opened_all_the_same() -> None:
    data = damaged(stored(("甲.txt", b"AAAABBBB"), ("乙.txt", b"2")), b"AAAABBBB")
    opened = Preparation()(Source(data, "包.zip", "r", opens_bundles=True))
    assert (opened.parsed.state, len(opened.members)) == (FileState.PARSED, 2)


def test_damaged_lzma_parts_are_the_files_fault() -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_LZMA) as file:
        file.writestr("甲.txt", "正文一段。" * 50)
    data = bytearray(stream.getvalue())
    data[data.find("甲.txt".encode()) + len("甲.txt".encode()) + 12] ^= 0xFF
    (member,) = unpack(bytes(data))
    assert member.failure is not None and member.failure.reason is FailureReason.CORRUPT


def test_preparation_hands_the_members_of_a_zip_back_only_when_asked() -> None:
    prepare = Preparation()
    data = zipped(("甲.txt", "正文一段。".encode()))
    opened = prepare(Source(data, "包.zip", "r", opens_bundles=True))
    assert [member.name for member in opened.members] == ["甲.txt"]
    assert opened.parsed.state is FileState.PARSED
    assert "1 个文件" in opened.parsed.message
    closed = prepare(Source(data, "包.zip", "r"))
    assert closed.members == ()
    assert closed.parsed.state is FileState.UNSUPPORTED
    empty = prepare(Source(zipped(("空/", b"")), "空.zip", "r", opens_bundles=True))
    assert empty.parsed.reason is FailureReason.EMPTY
