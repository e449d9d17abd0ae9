"""Mail to blocks, whatever file it came in: subject, who to whom and when, one of the body's twins, and each
attachment as a section of its own. Reading the file formats is `eml` and `msg`.
"""

import codecs
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime

from ingestion.documents import (
    READABLE,
    Anchor,
    Block,
    BlockBuilder,
    BlockKind,
    FileState,
    Metadata,
    Parsed,
    count_chars,
)
from ingestion.errors import ParseFailure
from ingestion.glyphs import normalise
from ingestion.headings import numbering
from ingestion.parsers import bundle, html, registry, text
from ingestion.parsers.bundle import Member
from ingestion.parsers.embedded import append_blocks, append_section
from ingestion.parsers.ocr import SharedOcr
from ingestion.parsers.pictures import Pictures
from ingestion.protocols import Ocr

SAME_TEXT = 0.8  # a plain twin with less than this share of the page's text is a stub


@dataclass(frozen=True, slots=True)
class Body:
    """One body in up to two forms that say the same, and other forms (an invitation) that nobody reads."""

    plain: str = ""
    html: str = ""
    others: str = ""
    part: str = "1"


@dataclass(frozen=True, slots=True)
class Attachment:
    """`content` is a whole message where a mail is attached to a mail; `inline` pictures are of the body."""

    name: str
    content: "bytes | Message"
    part: str
    inline: bool = False


@dataclass(frozen=True, slots=True)
class Message:
    """`date` is the header as it is written, empty where the file holds no text but only a time: `sent`."""

    subject: str = ""
    sender: str = ""
    recipients: str = ""
    date: str = ""
    sent: datetime | None = None
    bodies: tuple[Body, ...] = ()
    attachments: tuple[Attachment, ...] = ()
    findings: tuple[str, ...] = field(default=())


def compose(message: Message, ocr: Ocr | None) -> Parsed:
    """The blocks of a message. An attachment that cannot be read leaves it `parsed_partly`, by name.

    The OCR of a mail and of all that is attached to it takes the time of one file.
    """
    return _Composer(SharedOcr(ocr) if ocr is not None else None).compose(message)


class _Composer:
    def __init__(self, ocr: Ocr | None) -> None:
        self._ocr = ocr
        self._builder = BlockBuilder()
        self._pictures = Pictures(self._builder, ocr)
        self._chars_in = 0
        self._unread: list[str] = []

    def compose(self, message: Message) -> Parsed:
        for finding in message.findings:
            self._builder.note(finding)
        self._head(message)
        for body in message.bodies:
            self._body(body)
        for attachment in message.attachments:
            self._attachment(attachment)
        self._pictures.finish()
        state = FileState.PARSED_PARTLY if self._unread else FileState.PARSED
        return self._builder.finish(
            self._chars_in + self._pictures.chars,
            state=state,
            message=f"附件未读入：{'；'.join(self._unread)}" if self._unread else "",
            metadata=Metadata(title=message.subject, author=message.sender, created=message.sent),
        )

    def _head(self, message: Message) -> None:
        subject = normalise(message.subject).strip()
        sent = message.sent.strftime("%Y-%m-%d %H:%M") if message.sent else message.date
        named = {"发件人": message.sender, "收件人": message.recipients, "时间": sent}
        said = (f"{label}：{value}" for label, value in named.items() if value.strip())
        line = normalise("；".join(said))
        anchor = Anchor(element="header")
        values = sum(map(count_chars, (message.sender, message.recipients, message.date)))
        self._builder.add(
            Block(BlockKind.HEADING, subject, anchor, 1, source_chars=count_chars(message.subject))
        )
        self._builder.add(Block(BlockKind.PARAGRAPH, line, anchor, source_chars=values))
        self._chars_in += (count_chars(message.subject) if subject else 0) + values

    # --- the body

    def _body(self, body: Body) -> None:
        """The plain twin, whose lines are the writer's, unless the page holds more: tables, or most text."""
        plain = _without_title(text.parse(_bytes(body.plain)))
        page = self._page(body)
        chosen, other = (page, plain) if page is not None and _holds_more(page, plain) else (plain, page)
        self._chars_in += append_blocks(self._builder, chosen, body.part)
        for finding in chosen.report.findings:
            self._builder.note(finding)
        if other is not None:
            self._leave_out(other.text, other.report.chars_in)
        self._leave_out(body.others, count_chars(body.others))

    def _page(self, body: Body) -> Parsed | None:
        if not body.html.strip():
            return None
        try:
            return html.parse(_bytes(body.html))
        except ParseFailure as failure:
            self._builder.note(f"邮件的网页格式正文未读入：{failure.message}")
            return None

    def _leave_out(self, sample: str, chars: int) -> None:
        self._builder.drop("alternative_twin", sample, chars)
        self._chars_in += chars

    # --- attachments

    def _attachment(self, attachment: Attachment) -> None:
        content = attachment.content
        if isinstance(content, Message):
            self._section(attachment, attachment.name, _Composer(self._ocr).compose(content))
        elif attachment.inline:
            self._pictures.add(content, Anchor(element=attachment.part))
        elif bundle.is_bundle(content, attachment.name):
            for name, parsed in self._unpacked(attachment.name, content):
                self._section(attachment, name, parsed)
        else:
            self._section(
                attachment, attachment.name, registry.parse(content, attachment.name, ocr=self._ocr)
            )

    def _unpacked(self, name: str, data: bytes) -> Iterator[tuple[str, Parsed]]:
        try:
            for member in bundle.unpack(data):
                yield f"{name}!/{member.name}", self._read(member)
        except ParseFailure as failure:
            yield name, registry.failed(failure)

    def _read(self, member: Member) -> Parsed:
        if member.failure is not None:
            return registry.failed(member.failure)
        return registry.parse(member.data, member.file_name, ocr=self._ocr)

    def _section(self, attachment: Attachment, name: str, parsed: Parsed) -> None:
        if parsed.state not in READABLE:
            self._unread.append(f"{name}（{parsed.message}）")
            return
        if parsed.state is FileState.PARSED_PARTLY:
            self._unread.append(f"{name}（部分：{parsed.message}）")
        self._chars_in += append_section(self._builder, "附件：", name, parsed, attachment.part)


def _holds_more(page: Parsed, plain: Parsed) -> bool:
    if any(block.kind is BlockKind.TABLE for block in page.blocks):
        return page.report.chars_kept >= SAME_TEXT * plain.report.chars_kept
    return plain.report.chars_kept < SAME_TEXT * page.report.chars_kept


def _bytes(decoded: str) -> bytes:
    """With a byte order mark: the label inside a page is of the bytes as they were sent."""
    return codecs.BOM_UTF8 + decoded.encode("utf-8", errors="replace")


def _without_title(parsed: Parsed) -> Parsed:
    """The first line of a mail is a greeting, never its title."""
    if not parsed.blocks or parsed.blocks[0].kind is not BlockKind.HEADING:
        return parsed
    first, *rest = parsed.blocks
    if numbering(first.text) is not None:
        return parsed
    return replace(parsed, blocks=(replace(first, kind=BlockKind.PARAGRAPH, level=0), *rest))
