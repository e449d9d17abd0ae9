"""Outlook messages (msg): the MAPI properties of a compound file, after [MS-OXMSG] and [MS-OXPROPS]."""

import io
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import olefile

from ingestion.documents import FailureReason, Parsed
from ingestion.errors import ParseFailure
from ingestion.parsers.compressed_rtf import decompress
from ingestion.parsers.encoding import decode, superset
from ingestion.parsers.mail import Attachment, Body, Message, compose
from ingestion.protocols import Ocr

MAX_DEPTH = 10  # of messages attached to messages
HEADER_BYTES = 32  # before the fixed properties of the message itself; 24 in one that is attached
INNER_HEADER_BYTES = 24
ENTRY = struct.Struct("<HHI8s")  # type, id, flags, value
UNICODE, EIGHT_BIT, BINARY, OBJECT = "001F", "001E", "0102", "000D"

SUBJECT, SENDER, SENDER_ADDRESS, RECIPIENTS = 0x0037, 0x0C1A, 0x5D01, 0x0E04
BODY, HTML, RTF = 0x1000, 0x1013, 0x1009
SUBMITTED, DELIVERED = 0x0039, 0x0E06
CODE_PAGE, INTERNET_CODE_PAGE = 0x3FFD, 0x3FDE
ATTACHED, LONG_NAME, SHORT_NAME, SHOWN_NAME = 0x3701, 0x3707, 0x3704, 0x3001
CONTENT_ID, RENDERING = 0x3712, 0x370B

CODE_PAGES = {65001: "utf-8", 54936: "gb18030", 1200: "utf-16-le"}
EPOCH = datetime(1601, 1, 1, tzinfo=UTC)
Path = tuple[str, ...]


def parse(data: bytes, *, password: str | None = None, ocr: Ocr | None = None) -> Parsed:
    """`password` has no meaning for a message. Raises ParseFailure: corrupt, too_complex."""
    try:
        with olefile.OleFileIO(io.BytesIO(data)) as file:
            return compose(_Storage(file, (), HEADER_BYTES).message(1), ocr)
    except (olefile.OleFileError, olefile.NotOleFileError, struct.error) as error:
        raise ParseFailure(
            FailureReason.CORRUPT, "Outlook 邮件已损坏，请在 Outlook 中重新另存后再试"
        ) from error


@dataclass(frozen=True, slots=True)
class _Storage:
    """The message at one place of the file, the root or an attached one."""

    file: olefile.OleFileIO
    path: Path
    header: int

    def message(self, depth: int) -> Message:
        if depth > MAX_DEPTH:
            raise ParseFailure(FailureReason.TOO_COMPLEX, f"邮件套邮件超过 {MAX_DEPTH} 层，请拆开后再导入")
        fixed = _fixed(self._stream("__properties_version1.0"), self.header)
        sent = _time(fixed.get(SUBMITTED) or fixed.get(DELIVERED))
        rtf = self._binary(RTF)
        body = Body(self._text(BODY, fixed), self._html(fixed))
        attachments = list(self._attachments(depth, fixed))
        if rtf and not body.plain.strip() and not body.html.strip():
            attachments.insert(0, Attachment("正文.rtf", decompress(rtf), "body"))
        return Message(
            subject=self._text(SUBJECT, fixed),
            sender=_with_address(self._text(SENDER, fixed), self._text(SENDER_ADDRESS, fixed)),
            recipients=self._text(RECIPIENTS, fixed),
            sent=sent.astimezone() if sent else None,
            bodies=(body,),
            attachments=tuple(attachments),
        )

    def _attachments(self, depth: int, fixed: dict[int, bytes]) -> Iterator[Attachment]:
        for folder in self._folders("__attach_version1.0_#"):
            inside = _Storage(self.file, (*self.path, folder), 8)
            own = _fixed(inside._stream("__properties_version1.0"), inside.header)
            name = next(
                filter(None, (inside._text(key, fixed) for key in (LONG_NAME, SHORT_NAME, SHOWN_NAME))), ""
            )
            part = folder.removeprefix("__attach_version1.0_#")
            embedded = (*inside.path, f"__substg1.0_{ATTACHED:04X}{OBJECT}")
            data = inside._binary(ATTACHED)
            if self.file.exists(list(embedded)) and not data:
                message = _Storage(self.file, embedded, INNER_HEADER_BYTES).message(depth + 1)
                yield Attachment(name or message.subject or "转发的邮件", message, part)
            elif data:
                inline = bool(inside._text(CONTENT_ID, fixed)) and _number(own.get(RENDERING)) == 0xFFFFFFFF
                yield Attachment(name or f"附件{part}", data, part, inline and _is_picture(name))

    def _folders(self, prefix: str) -> list[str]:
        depth = len(self.path)
        names = (
            entry[depth]
            for entry in self.file.listdir(streams=False, storages=True)
            if len(entry) == depth + 1 and tuple(entry[:depth]) == self.path
        )
        return sorted(name for name in names if name.startswith(prefix))

    def _text(self, key: int, fixed: dict[int, bytes]) -> str:
        wide = self._stream(f"__substg1.0_{key:04X}{UNICODE}")
        if wide:
            return wide.decode("utf-16-le", errors="replace").rstrip("\0").strip()
        narrow = self._stream(f"__substg1.0_{key:04X}{EIGHT_BIT}")
        return decode(narrow, _codec(fixed, CODE_PAGE)).text.rstrip("\0").strip()

    def _html(self, fixed: dict[int, bytes]) -> str:
        raw = self._binary(HTML)
        if raw:
            return decode(raw, _codec(fixed, INTERNET_CODE_PAGE)).text.rstrip("\0")
        return self._text(HTML, fixed)

    def _binary(self, key: int) -> bytes:
        return self._stream(f"__substg1.0_{key:04X}{BINARY}")

    def _stream(self, name: str) -> bytes:
        place = [*self.path, name]
        if not self.file.exists(place) or self.file.get_type(place) != olefile.STGTY_STREAM:
            return b""
        data: bytes = self.file.openstream(place).read()
        return data


def _fixed(stream: bytes, header: int) -> dict[int, bytes]:
    """Properties of fixed size by id, eight bytes each."""
    usable = len(stream) - (len(stream) - header) % ENTRY.size
    return {key: value for _type, key, _flags, value in ENTRY.iter_unpack(stream[header:usable])}


def _codec(fixed: dict[int, bytes], key: int) -> str | None:
    page = _number(fixed.get(key))
    return CODE_PAGES.get(page) or superset(f"cp{page}") if page else None


def _number(value: bytes | None) -> int:
    return int.from_bytes(value[:4], "little") if value else 0


def _time(value: bytes | None) -> datetime | None:
    """A FILETIME: 100 ns since 1601."""
    ticks = int.from_bytes(value, "little") if value else 0
    try:
        return EPOCH + timedelta(microseconds=ticks // 10) if ticks else None
    except OverflowError:
        return None


def _with_address(name: str, address: str) -> str:
    return f"{name} <{address}>" if address and address != name else name


def _is_picture(name: str) -> bool:
    return name.lower().endswith((".png", ".jpg", ".jpeg", ".gif", ".bmp"))
