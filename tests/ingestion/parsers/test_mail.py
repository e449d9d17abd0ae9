"""Mail written by hand, byte for byte: labels that lie, twins, attachments of all kinds."""

import base64
import io
import struct
import time
import zipfile
from datetime import UTC, datetime

import pytest
from PIL import Image

from ingestion.documents import BlockKind, Box, FileState, Parsed
from ingestion.parsers import registry
from ingestion.parsers.compressed_rtf import DICTIONARY, decompress
from ingestion.parsers.msg import EPOCH
from ingestion.protocols import OcrLine
from tests.ingestion.parsers.compound_file import Tree, compound
from tests.ingestion.parsers.word_files import paragraph, run, word_file


def encoded(text: str, charset: str, label: str) -> str:
    return f"=?{label}?B?{base64.b64encode(text.encode(charset)).decode()}?="


def part(headers: str, content: bytes) -> bytes:
    head = f"{headers}\r\nContent-Transfer-Encoding: base64\r\n\r\n"
    return head.encode() + base64.encodebytes(content)


def multipart(kind: str, *parts: bytes, boundary: str = "=b") -> bytes:
    body = b"".join(b"--" + boundary.encode() + b"\r\n" + item + b"\r\n" for item in parts)
    return (
        f'Content-Type: multipart/{kind}; boundary="{boundary}"\r\n\r\n'.encode()
        + body
        + f"--{boundary}--\r\n".encode()
    )


HEAD = (
    f"From: {encoded('陶喆', 'gbk', 'gb2312')} <tao@example.com>\r\nTo: all@example.com\r\n"
    f"Subject: {encoded('关于食堂就餐时间的通知', 'gbk', 'gb2312')}\r\n"
    "Date: Wed, 06 Mar 2024 09:15:00 +0800\r\nMIME-Version: 1.0\r\n"
).encode()
PLAIN = part(
    'Content-Type: text/plain; charset="gb2312"',
    "各位同事\n\n午餐时间改为十一点半，请朱镕、李喆互相转告。\n".encode("gbk"),
)
PAGE = part(
    'Content-Type: text/html; charset="gb2312"',
    (
        "<html><head><meta charset=utf-8></head>"
        "<p>各位同事</p><p>午餐时间改为十一点半，请朱镕、李喆互相转告。</p>"
    ).encode("gbk"),
)


def read(data: bytes, name: str = "a.eml") -> Parsed:
    parsed = registry.parse(data, name)
    assert parsed.report.balanced
    assert not any(dropped.reason == "unread" for dropped in parsed.report.dropped)
    return parsed


def texts(parsed: Parsed, kind: BlockKind | None = None) -> list[str]:
    return [block.text for block in parsed.blocks if kind in (None, block.kind)]


def test_subject_sender_and_body_survive_a_label_that_says_gb2312() -> None:
    parsed = read(HEAD + PLAIN)
    assert texts(parsed) == [
        "关于食堂就餐时间的通知",
        "发件人：陶喆 <tao@example.com>；收件人：all@example.com；时间：2024-03-06 09:15",
        "各位同事",
        "午餐时间改为十一点半，请朱镕、李喆互相转告。",
    ]
    assert texts(parsed, BlockKind.HEADING) == ["关于食堂就餐时间的通知"]
    assert parsed.metadata.author == "陶喆 <tao@example.com>"
    assert parsed.metadata.created == datetime(2024, 3, 6, 1, 15, tzinfo=UTC)


def test_of_two_twins_one_is_kept_and_the_other_is_accounted_for() -> None:
    parsed = read(HEAD + multipart("alternative", PLAIN, PAGE))
    assert parsed.text.count("午餐时间") == 1
    assert [dropped.reason for dropped in parsed.report.dropped if dropped.chars > 20] == ["alternative_twin"]


def test_a_page_with_a_table_is_kept_instead_of_its_plain_twin() -> None:
    rows = "<table><tr><th>城市<th>标准</tr><tr><td>杭州<td>400元</tr><tr><td>成都<td>300元</tr></table>"
    page = part("Content-Type: text/html; charset=utf-8", f"<p>标准见下表</p>{rows}".encode())
    plain = part(
        "Content-Type: text/plain; charset=utf-8", "标准见下表\n城市 标准\n杭州 400元\n成都 300元".encode()
    )
    parsed = read(HEAD + multipart("alternative", plain, page))
    assert [text for text in texts(parsed, BlockKind.TABLE) if "杭州" in text and "400元" in text]


def test_each_attachment_becomes_a_section_by_its_name() -> None:
    word = part(
        f'Content-Type: application/octet-stream; name="{encoded("就餐办法.docx", "gbk", "gbk")}"\r\n'
        "Content-Disposition: attachment",
        word_file(paragraph(run("第一章 总则")) + paragraph(run("员工凭卡就餐。"))),
    )
    gbk_name = "%CA%B1%BC%E4%B1%ED.txt"
    note = part(
        "Content-Type: application/octet-stream\r\n"
        f"Content-Disposition: attachment; filename*=gb2312''{gbk_name}",
        "早餐七点半开始供应。".encode("gbk"),
    )
    parsed = read(HEAD + multipart("mixed", PLAIN, word, note))
    headings = [(block.level, block.text) for block in parsed.blocks if block.kind is BlockKind.HEADING]
    assert headings == [
        (1, "关于食堂就餐时间的通知"),
        (1, "附件：就餐办法.docx"),
        (2, "第一章 总则"),
        (1, "附件：时间表.txt"),
    ]
    assert {block.anchor.element for block in parsed.blocks} == {"header", "1.1", "1.2", "1.3"}
    assert texts(parsed)[-1] == "早餐七点半开始供应。"


def test_a_zip_attached_is_opened_and_an_unreadable_attachment_is_named() -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as file:
        file.writestr("甲.txt", "包里的第一份文件。")
        file.writestr("乙.bin", bytes(range(256)))
    packed = part(
        'Content-Type: application/zip; name="p.zip"\r\nContent-Disposition: attachment', stream.getvalue()
    )
    parsed = read(HEAD + multipart("mixed", PLAIN, packed))
    assert parsed.state is FileState.PARSED_PARTLY
    assert "p.zip!/乙.bin" in parsed.message
    assert "附件：p.zip!/甲.txt" in texts(parsed, BlockKind.HEADING)
    assert "包里的第一份文件。" in texts(parsed)


def test_a_forwarded_mail_is_a_section_with_its_own_subject() -> None:
    inner = b"Content-Type: message/rfc822\r\n\r\n" + HEAD + PLAIN
    outer = "From: a@example.com\r\nSubject: 转发\r\nMIME-Version: 1.0\r\n".encode() + multipart(
        "mixed", part("Content-Type: text/plain; charset=utf-8", "请看附件。".encode()), inner
    )
    parsed = read(outer)
    assert "附件：关于食堂就餐时间的通知" in texts(parsed, BlockKind.HEADING)
    assert "午餐时间改为十一点半，请朱镕、李喆互相转告。" in texts(parsed)


def test_mails_nested_without_end_are_refused() -> None:
    mail = HEAD + PLAIN
    for _ in range(30):
        mail = HEAD + b"Content-Type: message/rfc822\r\n\r\n" + mail
    parsed = registry.parse(mail, "a.eml")
    assert parsed.state is FileState.FAILED
    assert "邮件套邮件" in parsed.message


def test_raw_bytes_in_headers_are_decoded_by_what_they_are() -> None:
    head = "From: 行政部 <a@example.com>\r\nSubject: 关于调整班车线路的通知\r\nMIME-Version: 1.0\r\n".encode(
        "gbk"
    )
    parsed = read(head + PLAIN)
    assert parsed.metadata.title == "关于调整班车线路的通知"


# --- msg ---------------------------------------------------------------------------------------------------


def fixed(header: int, *properties: tuple[int, int, int]) -> bytes:
    """The stream of fixed-size properties: (id, type, value)."""
    entries = (struct.pack("<HHIQ", kind, key, 6, value) for key, kind, value in properties)
    return bytes(header) + b"".join(entries)


def wide(**texts_by_id: str) -> dict[str, bytes]:
    return {
        f"__substg1.0_{key.removeprefix('p')}001F": text.encode("utf-16-le")
        for key, text in texts_by_id.items()
    }


def outlook(**more: "bytes | Tree") -> bytes:
    sent = int((datetime(2023, 7, 11, 10, 28, tzinfo=UTC) - EPOCH).total_seconds() * 10_000_000)
    base: dict[str, bytes | Tree] = {
        "__properties_version1.0": fixed(32, (0x0039, 0x40, sent)),
        **wide(p0037="例会纪要", p0C1A="张三", p5D01="zhang@example.com", p0E04="全体"),
    }
    return compound({**base, **more})


def test_an_outlook_message_is_read_with_its_attachments() -> None:
    attached = {
        "__properties_version1.0": fixed(8),
        "__substg1.0_37010102": "附件里的决议。".encode(),
        **wide(p3707="决议.txt"),
    }
    data = outlook(
        **wide(p1000="【会议结论：】\r\n一致同意。"), **{"__attach_version1.0_#00000000": attached}
    )
    parsed = read(data, "a.msg")
    assert texts(parsed)[0] == "例会纪要"
    assert texts(parsed)[1].startswith("发件人：张三 <zhang@example.com>；收件人：全体；时间：2023-07-11")
    assert texts(parsed)[2:] == ["【会议结论：】", "一致同意。", "附件：决议.txt", "附件里的决议。"]
    assert parsed.metadata.created == datetime(2023, 7, 11, 10, 28, tzinfo=UTC)


def test_eight_bit_strings_are_decoded_by_the_code_page_of_the_message() -> None:
    data = compound(
        {
            "__properties_version1.0": fixed(32, (0x3FFD, 3, 950)),
            "__substg1.0_0037001E": "會議記錄".encode("big5"),
            "__substg1.0_1000001E": "決議：同意採購。".encode("big5"),
        }
    )
    assert texts(read(data, "a.msg")) == ["會議記錄", "決議：同意採購。"]


def test_a_message_attached_to_a_message_is_a_section() -> None:
    inner: Tree = {
        "__properties_version1.0": fixed(24),
        **wide(p0037="原通知", p1000="周五下午停电检修。"),
    }
    attached: Tree = {"__properties_version1.0": fixed(8), "__substg1.0_3701000D": inner}
    parsed = read(outlook(**wide(p1000="请知悉。"), **{"__attach_version1.0_#00000000": attached}), "a.msg")
    assert texts(parsed)[-3:] == ["附件：原通知", "原通知", "周五下午停电检修。"]


def test_a_message_without_a_usable_directory_is_damaged() -> None:
    damaged = bytearray(outlook())
    damaged[512:1500] = bytes(len(damaged[512:1500]))
    assert registry.parse(bytes(damaged), "a.msg").state in (FileState.FAILED, FileState.UNSUPPORTED)


def test_compressed_rtf_is_expanded() -> None:
    """The second example of [MS-OXRTFCP] 4.2: a run that reads what it is writing."""
    data = bytes.fromhex("1a0000001c0000004c5a4675e2d44b51410004205758595a0d6e7d010eb0")
    assert decompress(data) == rb"{\rtf1 WXYZWXYZWXYZWXYZWXYZ}"
    assert len(DICTIONARY) == 207
    plain = struct.pack("<IIII", 16, 4, 0x414C454D, 0) + b"{rtf"
    assert decompress(plain) == b"{rtf"


@pytest.mark.parametrize("length", [0, 3, 17, 25])
def test_compressed_rtf_that_ends_early_is_damaged(length: int) -> None:
    data = bytes.fromhex("1a0000001c0000004c5a4675e2d44b51410004205758595a0d6e7d010eb0")[:length]
    with pytest.raises(Exception, match="RTF"):
        decompress(data)


class _SlowReader:
    """Needs more than the time of a file for one picture."""

    seconds_per_file = 90.0

    def __init__(self) -> None:
        self.pages = 0
        self.passed = 0.0  # seconds

    def read_page(self, image: bytes) -> list[OcrLine]:
        self.pages += 1
        self.passed += 100.0
        return [OcrLine(f"第{self.pages}张图。", Box(0, 0, 300, 20), 0.9)]


def test_the_pictures_attached_to_a_mail_share_the_time_of_one_file(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.BytesIO()
    Image.new("RGB", (400, 300), "white").save(stream, "PNG")
    headers = "Content-Type: image/png\r\nContent-Disposition: attachment; filename="
    pictures = [part(f"{headers}{n}.png", stream.getvalue()) for n in "123"]
    reader, now = _SlowReader(), time.monotonic
    monkeypatch.setattr(time, "monotonic", lambda: now() + reader.passed)
    parsed = registry.parse(HEAD + multipart("mixed", PLAIN, *pictures), "a.eml", ocr=reader)
    assert reader.pages == 1
    assert parsed.state is FileState.PARSED_PARTLY
    assert "2.png" in parsed.message and "3.png" in parsed.message and "1.png" not in parsed.message
