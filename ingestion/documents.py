"""What a document, a block and a chunk are. Data only: reading lives in `parsers`, cutting in `chunking`.

Offsets (`char_start`, `char_end`) always point into the revision's *canonical text*: the kept text of all
blocks in reading order, joined by one newline. Characters are counted without white space (`count_chars`),
since line breaks and blanks are layout and are re-made while lines are joined.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from enum import StrEnum


class FileState(StrEnum):
    """Where a file ended up; every file ends in exactly one."""

    PARSED = "parsed"
    PARSED_PARTLY = "parsed_partly"
    NEEDS_OCR = "needs_ocr"
    NEEDS_PASSWORD = "needs_password"
    UNSUPPORTED = "unsupported"
    FAILED = "failed"


READABLE = frozenset({FileState.PARSED, FileState.PARSED_PARTLY})
"""States of a file whose text, all or part of it, was read."""


class FailureReason(StrEnum):
    ENCRYPTED = "encrypted"
    EMPTY = "empty"
    CORRUPT = "corrupt"
    TOO_LARGE = "too_large"
    UNSAFE = "unsafe"
    TOO_COMPLEX = "too_complex"
    WRONG_TYPE = "wrong_type"
    UNSUPPORTED = "unsupported"
    TIMEOUT = "timeout"


class RevisionStatus(StrEnum):
    """What an administrator or the text itself says; whether it is in force is `Revision.in_force`."""

    ACTIVE = "active"
    SUPERSEDED = "superseded"
    WITHDRAWN = "withdrawn"  # 已作废
    ARCHIVED = "archived"  # 历史归档
    DRAFT = "draft"


NEVER_IN_FORCE = frozenset({RevisionStatus.WITHDRAWN, RevisionStatus.ARCHIVED, RevisionStatus.DRAFT})


class BlockKind(StrEnum):
    HEADING = "heading"
    PARAGRAPH = "paragraph"
    TABLE = "table"  # one table row as a sentence; `Block.context` holds the table's header
    LIST = "list"
    NOTE = "note"  # comments, footnotes, speaker notes: searchable, never body


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle on a page in PDF points, origin at the top left."""

    x0: float
    top: float
    x1: float
    bottom: float


@dataclass(frozen=True, slots=True)
class Anchor:
    """Where a piece of text stands in its source file; page, slide and paragraph count from 1."""

    char_start: int = 0
    char_end: int = 0
    page: int | None = None
    page_label: str | None = None
    paragraph: int | None = None
    sheet: str | None = None
    cell_range: str | None = None
    slide: int | None = None
    element: str | None = None  # heading id in html/md, part number in mail
    boxes: tuple[Box, ...] = ()
    ocr: bool = False  # recognised in a picture, not read


@dataclass(frozen=True, slots=True)
class Block:
    """One heading, paragraph, list item, note or table row, in reading order.

    `level` is 1..9 for headings and 0 otherwise. `context` is repeated in front of the chunk when it is
    embedded (a table's title and header) and is no part of the canonical text. `source_chars` counts the
    characters of the file that stand behind `text`; the two differ where text was generated (a table row
    phrased as a sentence, an automatic number written out).
    """

    kind: BlockKind
    text: str
    anchor: Anchor = field(default_factory=Anchor)
    level: int = 0
    context: str = ""
    source_chars: int = -1

    def __post_init__(self) -> None:
        if self.source_chars < 0:
            object.__setattr__(self, "source_chars", count_chars(self.text))


@dataclass(frozen=True, slots=True)
class Dropped:
    """Text left out of the canonical text, by reason, with a sample a person can judge."""

    reason: str
    chars: int
    sample: str = ""


@dataclass(frozen=True, slots=True)
class ParseReport:
    """The account of one file: `chars_kept` + the dropped = `chars_in`, or more was read than is there."""

    chars_in: int
    chars_kept: int
    dropped: tuple[Dropped, ...] = ()
    findings: tuple[str, ...] = ()  # things a person should know: encoding guessed, hidden sheets, OCR pages

    @property
    def balanced(self) -> bool:
        return self.chars_kept + sum(d.chars for d in self.dropped) == self.chars_in


@dataclass(frozen=True, slots=True)
class Metadata:
    """What the file says about itself, besides its body."""

    title: str = ""
    author: str = ""
    created: datetime | None = None
    modified: datetime | None = None
    page_count: int | None = None
    encoding: str = ""
    running_headers: tuple[str, ...] = ()
    revision_table: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Parsed:
    """A parser's result. `blocks` carry offsets into `text`."""

    state: FileState
    blocks: tuple[Block, ...]
    report: ParseReport
    metadata: Metadata = field(default_factory=Metadata)
    reason: FailureReason | None = None
    message: str = ""
    ocr_pages: tuple[int, ...] = ()  # pages that need OCR, or were read by it

    @property
    def text(self) -> str:
        """The canonical text."""
        return "\n".join(block.text for block in self.blocks)


SEARCHED_HEAD = 800  # characters of the heading path; nine headings of 80 fit in
SEARCHED_CONTEXT = 1_600  # characters of table headers


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of one section, the unit of retrieval 切片. `text == canonical[char_start:char_end]`."""

    id: str
    revision_id: str
    ordinal: int
    heading_path: tuple[str, ...]
    text: str
    char_start: int
    char_end: int
    anchors: tuple[Anchor, ...] = ()
    context: str = ""
    speakers: tuple[str, ...] = ()  # who speaks in it, as the record of a meeting names them

    @property
    def searched_text(self) -> str:
        """What is embedded and tokenised: heading path, table header, then the text.

        A header of hundreds of columns is cut, so that the text behind it is among the 4,000 characters that
        are embedded (`index.embedding_rows.LONGEST`).
        """
        head = " > ".join(self.heading_path)[:SEARCHED_HEAD]
        return "\n".join(part for part in (head, self.context[:SEARCHED_CONTEXT], self.text) if part)


class Kind(StrEnum):
    """What a document is to those who ask."""

    DOCUMENT = "document"
    MINUTES = "minutes"  # the record of one meeting


@dataclass(frozen=True, slots=True)
class Document:
    """One logical document over all its revisions. `meeting_date` is the day of the meeting it records."""

    id: str
    source_uri: str
    title: str
    knowledge_base: str = "default"
    media_type: str = ""
    business_line: str = ""
    issuer: str = ""
    owner: str = ""
    labels: tuple[str, ...] = ("public",)
    source_updated_at: datetime | None = None
    kind: Kind = Kind.DOCUMENT
    meeting_date: date | None = None


@dataclass(frozen=True, slots=True)
class Revision:
    id: str
    document_id: str
    content_sha256: str
    status: RevisionStatus = RevisionStatus.ACTIVE
    effective_from: date | None = None
    effective_to: date | None = None
    supersedes: str | None = None
    label: str = ""  # V3.2, 2025年修订版
    evidence_of_version: tuple[str, ...] = ()

    def in_force(self, day: date) -> bool:
        """effective_from <= day < effective_to, and not withdrawn, archived or a draft."""
        started = self.effective_from is None or self.effective_from <= day
        ended = self.effective_to is not None and self.effective_to <= day
        return started and not ended and self.status not in NEVER_IN_FORCE


_WHITE = re.compile(r"\s+")


def count_chars(text: str) -> int:
    """Characters without white space: the unit of every ParseReport."""
    return len(_WHITE.sub("", text))


class BlockBuilder:
    """Collects a parser's blocks and keeps the account: what is neither added nor dropped shows up.

    `chars_in` given to `finish` comes from an independent count of the source. A positive difference is
    booked as dropped for the reason `unread` and reported as a finding. A negative one (text was counted as
    kept that the source does not hold) is reported, too, and leaves the report unbalanced.
    """

    SAMPLE = 60

    def __init__(self) -> None:
        self._blocks: list[Block] = []
        self._dropped: dict[str, Dropped] = {}
        self._findings: list[str] = []
        self._offset = 0

    def __len__(self) -> int:
        return len(self._blocks)

    def add(self, block: Block) -> None:
        """Append a block; its anchor gets the offsets. Blocks without any text are ignored."""
        if not block.text.strip():
            return
        end = self._offset + len(block.text)
        anchor = replace(block.anchor, char_start=self._offset, char_end=end)
        self._blocks.append(replace(block, anchor=anchor))
        self._offset = end + 1

    def drop(self, reason: str, text: str, chars: int | None = None) -> None:
        count = count_chars(text) if chars is None else chars
        if count == 0:
            return
        seen = self._dropped.get(reason)
        if seen is None:
            self._dropped[reason] = Dropped(reason, count, text.strip()[: self.SAMPLE])
        else:
            self._dropped[reason] = replace(seen, chars=seen.chars + count)

    def retract(self, places: Iterable[int], reason: str) -> None:
        """Take added blocks back and book them as dropped; the offsets of what follows move up."""
        retracted = frozenset(places)
        if not retracted:
            return
        blocks, self._blocks = self._blocks, []
        self._offset = 0
        for index, block in enumerate(blocks):
            if index in retracted:
                self.drop(reason, block.text, block.source_chars)
            else:
                self.add(block)

    def note(self, finding: str) -> None:
        if finding not in self._findings:
            self._findings.append(finding)

    def finish(
        self,
        chars_in: int | None = None,
        *,
        state: FileState = FileState.PARSED,
        metadata: Metadata | None = None,
        reason: FailureReason | None = None,
        message: str = "",
        ocr_pages: tuple[int, ...] = (),
    ) -> Parsed:
        kept = sum(block.source_chars for block in self._blocks)
        booked = kept + sum(d.chars for d in self._dropped.values())
        total = booked if chars_in is None else chars_in
        if total > booked:
            self.drop("unread", "", chars=total - booked)
            self.note(f"有 {total - booked} 个字符在源文件中存在但未被读出")
        elif total < booked:
            self.note(f"读出的字符比源文件独立统计多 {booked - total} 个，请核对")
        report = ParseReport(total, kept, tuple(self._dropped.values()), tuple(self._findings))
        return Parsed(state, tuple(self._blocks), report, metadata or Metadata(), reason, message, ocr_pages)

    def blocks(self) -> Iterator[Block]:
        return iter(self._blocks)
