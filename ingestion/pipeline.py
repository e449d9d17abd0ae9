"""From the bytes of one file to chunks ready to be embedded: read, describe, cut, tokenise.

Pure CPU work that runs inside the parser sandbox; embedding and storing follow outside of it.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from ingestion import metadata
from ingestion.analyzer import Analyzer
from ingestion.chunking import chunk
from ingestion.documents import READABLE, Chunk, FailureReason, FileState, Kind, Parsed, ParseReport
from ingestion.errors import ParseFailure
from ingestion.index.keyword import KeywordEncoder
from ingestion.index.schema import SparseVector
from ingestion.metadata import SelfDescription
from ingestion.minutes.chunks import canonical, chunks_of
from ingestion.minutes.meeting import BuildNewsroom, Meeting, Newsroom, take_down
from ingestion.parsers import bundle, registry
from ingestion.parsers.bundle import Member
from ingestion.parsers.ocr import installed_ocr
from ingestion.protocols import Ocr
from ingestion.sketches import sketch
from ingestion.terms import Terms


@dataclass(frozen=True, slots=True)
class Source:
    """One file to read. `revision_id` is what its chunk ids are made from."""

    data: bytes
    file_name: str
    revision_id: str
    password: str | None = None
    opens_bundles: bool = False  # a zip is answered with its members instead of being refused
    kind: Kind = Kind.DOCUMENT


@dataclass(frozen=True, slots=True)
class Prepared:
    """A file read and cut; `keywords` has one vector per chunk. Unreadable files have no chunks.

    A zip of documents has `members`, each to be prepared as a file of its own, and no text. `sketch` is the
    text's. Minutes that could be read have a `meeting`.
    """

    parsed: Parsed
    description: SelfDescription
    chunks: tuple[Chunk, ...] = ()
    keywords: tuple[SparseVector, ...] = ()
    members: tuple[Member, ...] = ()
    sketch: bytes = b""
    meeting: Meeting | None = None


@dataclass(frozen=True)
class Preparation:
    """`preparation(source)` -> Prepared. Picklable; the tokeniser, OCR and the newsroom of minutes are built
    on first use, in the child. `build_…` are functions the child can import. Without a newsroom minutes end
    as unsupported."""

    terms: Terms = field(default_factory=Terms)
    cache_folder: Path | None = None
    build_ocr: Callable[[], Ocr | None] = installed_ocr
    build_newsroom: BuildNewsroom | None = None

    @cached_property
    def _encoder(self) -> KeywordEncoder:
        return KeywordEncoder(Analyzer(self.terms, self.cache_folder))

    @cached_property
    def _ocr(self) -> Ocr | None:
        return self.build_ocr()

    @cached_property
    def _newsroom(self) -> Newsroom:
        if self.build_newsroom is None:
            raise ParseFailure(FailureReason.UNSUPPORTED, "这里不处理会议记录", FileState.UNSUPPORTED)
        return self.build_newsroom(self.terms)

    def __call__(self, source: Source) -> Prepared:
        if source.opens_bundles and bundle.is_bundle(source.data, source.file_name):
            return _opened(source)
        if source.kind is Kind.MINUTES:
            return self._meeting(source)
        return self._document(source)

    def _meeting(self, source: Source) -> Prepared:
        try:
            meeting = take_down(source.file_name, source.data, self._newsroom, source.password)
        except ParseFailure as failure:
            return Prepared(registry.failed(failure), SelfDescription(title=source.file_name))
        found = meeting.segmentation
        read = canonical(found.transcript)
        parsed = replace(read, report=replace(read.report, findings=meeting.findings))
        chunks = tuple(chunks_of(found, parsed.text, source.revision_id))
        keywords = tuple(self._encoder.document(piece.searched_text) for piece in chunks)
        described = SelfDescription(title=found.transcript.title)
        return Prepared(parsed, described, chunks, keywords, sketch=sketch(parsed.text), meeting=meeting)

    def _document(self, source: Source) -> Prepared:
        parsed = registry.parse(source.data, source.file_name, password=source.password, ocr=self._ocr)
        description = metadata.describe(source.file_name, parsed)
        if parsed.state not in READABLE:
            return Prepared(parsed, description)
        chunks = tuple(chunk(parsed, source.revision_id))
        if not chunks:
            empty = ParseFailure(FailureReason.EMPTY, "文件里没有可检索的文字，请核对内容后再导入")
            return Prepared(registry.failed(empty), description)
        keywords = tuple(self._encoder.document(piece.searched_text) for piece in chunks)
        return Prepared(parsed, description, chunks, keywords, sketch=sketch(parsed.text))


def _opened(source: Source) -> Prepared:
    """A zip with its members, or the reason why it cannot be opened."""
    try:
        members = tuple(bundle.unpack(source.data))
        if not members:
            raise ParseFailure(FailureReason.EMPTY, "压缩包里没有文件，请核对内容后再导入")
        message = f"压缩包，其中 {len(members)} 个文件各自入库"
        parsed = Parsed(FileState.PARSED, (), ParseReport(chars_in=0, chars_kept=0), message=message)
    except ParseFailure as failure:
        members, parsed = (), registry.failed(failure)
    return Prepared(parsed, metadata.describe(source.file_name, parsed), members=members)
