"""Mail as it travels (eml): MIME parts and headers, each decoded by its bytes and not by its label alone."""

import email
import re
from contextlib import suppress
from datetime import datetime
from email.header import decode_header
from email.message import Message as Part
from email.utils import parsedate_to_datetime

from ingestion.documents import FailureReason, Parsed
from ingestion.errors import ParseFailure
from ingestion.parsers.encoding import decode
from ingestion.parsers.mail import Attachment, Body, Message, compose
from ingestion.protocols import Ocr

MAX_DEPTH = 10  # of mails attached to mails
SIGNATURES = frozenset(
    {"application/pkcs7-signature", "application/x-pkcs7-signature", "application/pgp-signature"}
)
_FOLD = re.compile(r"\s*[\r\n]+\s*")


def parse(data: bytes, *, password: str | None = None, ocr: Ocr | None = None) -> Parsed:
    """`password` has no meaning for a mail. Raises ParseFailure (too_complex)."""
    start = data.removeprefix(b"\xef\xbb\xbf").lstrip()
    return compose(_message(email.message_from_bytes(start), depth=1), ocr)


def _message(mail: Part, depth: int) -> Message:
    if depth > MAX_DEPTH:
        raise ParseFailure(FailureReason.TOO_COMPLEX, f"邮件套邮件超过 {MAX_DEPTH} 层，请拆开后再导入")
    parts = _Parts(depth)
    parts.take(mail, "1")
    date = _header(mail, "Date")
    return Message(
        subject=_header(mail, "Subject"),
        sender=_header(mail, "From"),
        recipients=_header(mail, "To"),
        date=date,
        sent=_time(date),
        bodies=tuple(parts.bodies),
        attachments=tuple(parts.attachments),
        findings=("邮件带有数字签名，未作验证",) if parts.signed else (),
    )


class _Parts:
    """Sorts the parts of one mail into bodies and attachments."""

    def __init__(self, depth: int) -> None:
        self._depth = depth
        self.bodies: list[Body] = []
        self.attachments: list[Attachment] = []
        self.signed = False

    def take(self, part: Part, number: str) -> None:
        kind = part.get_content_type()
        if kind == "multipart/alternative":
            self._alternative(part, number)
        elif kind == "message/rfc822":
            for inner in _children(part):
                message = _message(inner, self._depth + 1)
                name = _file_name(part) or message.subject or "转发的邮件"
                self.attachments.append(Attachment(name, message, number))
        elif part.is_multipart():
            for place, child in enumerate(_children(part), start=1):
                self.take(child, f"{number}.{place}")
        elif kind in SIGNATURES:
            self.signed = True
        elif kind in ("text/plain", "text/html") and not _is_attached(part):
            said = _text(part)
            html = kind == "text/html"
            self.bodies.append(Body("" if html else said, said if html else "", part=number))
        else:
            self._attach(part, number)

    def _alternative(self, part: Part, number: str) -> None:
        """Several forms of one body; files that stand among them are attachments all the same."""
        inside = _Parts(self._depth)
        others: list[str] = []
        for place, child in enumerate(_children(part), start=1):
            if child.get_content_maintype() == "text" and child.get_content_subtype() not in (
                "plain",
                "html",
            ):
                others.append(_text(child))
            else:
                inside.take(child, f"{number}.{place}")
        plain = "\n".join(body.plain for body in inside.bodies if body.plain)
        html = "\n".join(body.html for body in inside.bodies if body.html)
        self.bodies.append(Body(plain, html, "\n".join(others), number))
        self.attachments += inside.attachments
        self.signed = self.signed or inside.signed

    def _attach(self, part: Part, number: str) -> None:
        payload = part.get_payload(decode=True)
        data = payload if isinstance(payload, bytes) else b""
        picture = part.get_content_maintype() == "image"
        inline = picture and not _is_attached(part)
        if data.strip():
            name = _file_name(part) or f"附件{number}.{part.get_content_subtype()}"
            self.attachments.append(Attachment(name, data, number, inline))


def _children(part: Part) -> list[Part]:
    payload = part.get_payload()
    return [child for child in payload if isinstance(child, Part)] if isinstance(payload, list) else []


def _is_attached(part: Part) -> bool:
    return part.get_content_disposition() == "attachment"


def _text(part: Part) -> str:
    """The text of a part. The declared charset is a hint: gb2312 is said where GBK was meant."""
    payload = part.get_payload(decode=True)
    return decode(payload, part.get_content_charset()).text if isinstance(payload, bytes) else ""


def _header(part: Part, name: str) -> str:
    value = part.get(name)
    return _words(value) if value is not None else ""


def _words(value: object) -> str:
    """A header with its encoded words decoded; words of one charset are joined before they are decoded,
    since some programs cut in the middle of a character."""
    pieces: list[tuple[bytes, str | None]] = []
    for word, charset in decode_header(value):  # type: ignore[arg-type]
        raw = word if isinstance(word, bytes) else word.encode("utf-8", errors="surrogateescape")
        if pieces and pieces[-1][1] == charset:
            pieces[-1] = (pieces[-1][0] + raw, charset)
        else:
            pieces.append((raw, charset))
    decoded = "".join(decode(raw, charset).text for raw, charset in pieces)
    return _FOLD.sub(" ", decoded).strip()


def _file_name(part: Part) -> str:
    """By RFC 2231 (bytes with a charset), by RFC 2047 (encoded words), or raw bytes."""
    for header, parameter in (("content-disposition", "filename"), ("content-type", "name")):
        value = part.get_param(parameter, header=header)
        if isinstance(value, tuple):
            charset, _language, text = value
            return decode(text.encode("latin-1", errors="replace"), charset).text.strip()
        if value:
            return _words(value)
    return ""


def _time(date: str) -> datetime | None:
    with suppress(ValueError, TypeError, IndexError):
        return parsedate_to_datetime(date)
    return None
