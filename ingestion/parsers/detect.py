"""What a file is: by its content first, by its extension second. Reading it is the parsers' business.

A name that contradicts the content is reported in `Detection.named` and never decides against the bytes; it
decides only between kinds of plain text, which no magic number tells apart.
"""

import csv
import re
from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePosixPath

from ingestion.documents import FailureReason
from ingestion.errors import ParseFailure
from ingestion.parsers import ole
from ingestion.parsers.archive import Archive, open_archive
from ingestion.parsers.encoding import SAMPLE_BYTES, Decoded, decode

MAX_RUBBISH = 0.02  # share of control characters and U+FFFD in what still counts as text


class FileKind(StrEnum):
    PDF = "pdf"
    DOCX = "docx"
    XLSX = "xlsx"
    PPTX = "pptx"
    DOC = "doc"
    XLS = "xls"
    PPT = "ppt"
    CSV = "csv"
    HTML = "html"
    MARKDOWN = "md"
    TEXT = "txt"
    EML = "eml"
    MSG = "msg"
    RTF = "rtf"
    XLSB = "xlsb"
    OPEN_DOCUMENT = "odf"
    OFD = "ofd"
    EPUB = "epub"
    MHT = "mht"
    OFFICE_XML = "office-xml"  # Word 2003 XML and XML Spreadsheet 2003
    ENCRYPTED_OFFICE = "encrypted-office"  # docx, xlsx or pptx inside an OLE container
    IMAGE = "image"
    MEDIA = "media"
    ZIP = "zip"
    ARCHIVE = "archive"  # rar, 7z, gzip
    PROGRAM = "program"
    UNKNOWN = "unknown"


BY_EXTENSION: dict[str, FileKind] = {
    "pdf": FileKind.PDF,
    **dict.fromkeys(("docx", "docm", "dotx", "dotm"), FileKind.DOCX),
    **dict.fromkeys(("xlsx", "xlsm", "xltx", "xltm"), FileKind.XLSX),
    **dict.fromkeys(("pptx", "pptm", "ppsx", "potx"), FileKind.PPTX),
    **dict.fromkeys(("doc", "dot", "wps", "wpt"), FileKind.DOC),
    **dict.fromkeys(("xls", "xlt", "et", "ett"), FileKind.XLS),
    **dict.fromkeys(("ppt", "pps", "dps"), FileKind.PPT),
    **dict.fromkeys(("csv", "tsv"), FileKind.CSV),
    **dict.fromkeys(("html", "htm", "xhtml", "shtml"), FileKind.HTML),
    **dict.fromkeys(("md", "markdown", "mdown"), FileKind.MARKDOWN),
    **dict.fromkeys(("txt", "text", "log"), FileKind.TEXT),
    **dict.fromkeys(("odt", "ods", "odp"), FileKind.OPEN_DOCUMENT),
    **dict.fromkeys(("mht", "mhtml"), FileKind.MHT),
    **dict.fromkeys(("jpg", "jpeg", "png", "gif", "bmp", "tif", "tiff", "webp"), FileKind.IMAGE),
    **dict.fromkeys(("mp3", "mp4", "wav", "m4a", "avi", "mov"), FileKind.MEDIA),
    **dict.fromkeys(("rar", "7z", "gz", "tar"), FileKind.ARCHIVE),
    "eml": FileKind.EML,
    "msg": FileKind.MSG,
    "rtf": FileKind.RTF,
    "xlsb": FileKind.XLSB,
    "ofd": FileKind.OFD,
    "epub": FileKind.EPUB,
    "zip": FileKind.ZIP,
}
PLAIN = frozenset({FileKind.TEXT, FileKind.MARKDOWN, FileKind.CSV, FileKind.HTML})
SPREADSHEET_NAMES = frozenset({FileKind.XLSX, FileKind.XLS, FileKind.CSV})

MAGIC: tuple[tuple[bytes, FileKind], ...] = (
    (b"{\\rtf", FileKind.RTF),
    (b"\x89PNG\r\n\x1a\n", FileKind.IMAGE),
    (b"\xff\xd8\xff", FileKind.IMAGE),
    (b"GIF8", FileKind.IMAGE),
    (b"II*\x00", FileKind.IMAGE),
    (b"MM\x00*", FileKind.IMAGE),
    (b"Rar!\x1a\x07", FileKind.ARCHIVE),
    (b"7z\xbc\xaf\x27\x1c", FileKind.ARCHIVE),
    (b"\x1f\x8b\x08", FileKind.ARCHIVE),
    (b"\x7fELF", FileKind.PROGRAM),
    (b"MZ\x90\x00", FileKind.PROGRAM),
    (b"ID3\x03", FileKind.MEDIA),
    (b"RIFF", FileKind.MEDIA),
)
PDF_HEAD_BYTES = 1024  # a reader must accept bytes before %PDF- within this distance


@dataclass(frozen=True, slots=True)
class Detection:
    """`kind` is what the content is; `named` what the extension claims, None without a known extension."""

    kind: FileKind
    named: FileKind | None

    @property
    def contradicts_name(self) -> bool:
        return self.named is not None and self.named is not self.kind


def detect(data: bytes, file_name: str) -> Detection:
    """Raises ParseFailure: empty, corrupt, and what `open_archive` raises for an unsafe container."""
    if not data.strip(b"\x00 \t\r\n"):
        raise ParseFailure(FailureReason.EMPTY, "文件是空的，没有任何内容。请确认上传的是完整的文件")
    named = kind_named(file_name)
    return Detection(_by_magic(data) or _by_text(data, named), named)


def kind_named(file_name: str) -> FileKind | None:
    """What the extension says, which the content may contradict; None for one we do not know."""
    extension = PurePosixPath(file_name.replace("\\", "/")).suffix.lower().lstrip(".")
    return BY_EXTENSION.get(extension)


def _by_magic(data: bytes) -> FileKind | None:
    if b"%PDF-" in data[:PDF_HEAD_BYTES]:
        return FileKind.PDF
    if data.startswith(b"PK\x03\x04") or data.startswith(b"PK\x05\x06"):
        return _zip_kind(open_archive(data))
    if data.startswith(ole.MAGIC):
        return _ole_kind(data)
    if data.startswith(b"RIFF") and data[8:12] == b"WEBP" or _is_bitmap(data):
        return FileKind.IMAGE
    if data[4:8] == b"ftyp":
        return FileKind.MEDIA
    return next((kind for magic, kind in MAGIC if data.startswith(magic)), None)


def _is_bitmap(data: bytes) -> bool:
    """A BMP: two letters are no proof, but its reserved field is zero and its header has a known size."""
    return data.startswith(b"BM") and data[6:10] == bytes(4) and data[14:18] in (b"\x28\0\0\0", b"\x7c\0\0\0")


_CONTENT_TYPE = re.compile(rb"""ContentType\s*=\s*["']([^"']+)["']""")
_MAIN_PARTS = (
    (
        re.compile(rb"wordprocessingml\.(document|template)\.main|ms-word\.(document|template)\.macro"),
        FileKind.DOCX,
    ),
    (re.compile(rb"ms-excel\.sheet\.binary"), FileKind.XLSB),
    (
        re.compile(rb"spreadsheetml\.(sheet|template)\.main|ms-excel\.(sheet|template|addin)\.macro"),
        FileKind.XLSX,
    ),
    (
        re.compile(
            rb"presentationml\.(presentation|slideshow|template)\.main"
            rb"|ms-powerpoint\.(presentation|slideshow|template)\.macro"
        ),
        FileKind.PPTX,
    ),
)
_TELLING_PARTS = (  # for packages without, or with a broken, list of content types
    ("word/document.xml", FileKind.DOCX),
    ("xl/workbook.xml", FileKind.XLSX),
    ("ppt/presentation.xml", FileKind.PPTX),
    ("xl/workbook.bin", FileKind.XLSB),
    ("OFD.xml", FileKind.OFD),
)


def _zip_kind(archive: Archive) -> FileKind:
    if "[Content_Types].xml" in archive:
        types = _CONTENT_TYPE.findall(archive.read("[Content_Types].xml"))
        for pattern, kind in _MAIN_PARTS:
            if any(pattern.search(content_type) for content_type in types):
                return kind
    if "mimetype" in archive:
        label = archive.read("mimetype").strip()
        if label.startswith(b"application/vnd.oasis.opendocument"):
            return FileKind.OPEN_DOCUMENT
        if label == b"application/epub+zip":
            return FileKind.EPUB
    return next((kind for part, kind in _TELLING_PARTS if part in archive), FileKind.ZIP)


_OLE_STREAMS = (
    ("EncryptedPackage", FileKind.ENCRYPTED_OFFICE),
    ("WordDocument", FileKind.DOC),
    ("Workbook", FileKind.XLS),
    ("Book", FileKind.XLS),
    ("PowerPoint Document", FileKind.PPT),
    ("__properties_version1.0", FileKind.MSG),
)


def _ole_kind(data: bytes) -> FileKind:
    names = ole.root_names(data)
    if not names:
        raise ParseFailure(
            FailureReason.CORRUPT, "旧版 Office 文件的目录已损坏，无法打开。请用原程序打开并另存后再试"
        )
    return next((kind for stream, kind in _OLE_STREAMS if stream in names), FileKind.UNKNOWN)


def _by_text(data: bytes, named: FileKind | None) -> FileKind:
    head = decode(data[:SAMPLE_BYTES])
    if not is_text(head):
        return FileKind.UNKNOWN
    markup = _markup_kind(head.text, named)
    if markup is not None:
        return markup
    if _is_mail(head.text, named):
        return FileKind.MHT if named is FileKind.MHT else FileKind.EML
    if named in SPREADSHEET_NAMES and (named is FileKind.CSV or _is_table(head.text)):
        return FileKind.CSV
    return named if named in PLAIN and named is not None else FileKind.TEXT


_RUBBISH = re.compile("[\x00-\x08\x0e-\x19\x1c-\x1f\ufffd]")


def is_text(decoded: Decoded) -> bool:
    """Whether decoding gave text: hardly any control characters or undecodable places."""
    return len(_RUBBISH.findall(decoded.text)) <= MAX_RUBBISH * len(decoded.text)


_SKIPPED_PROLOG = re.compile(r"\s+|<\?xml.*?\?>|<!--.*?-->", re.DOTALL)
_HTML_ROOT = re.compile(r"<(?:!doctype\s+html|html)\b", re.IGNORECASE)
_HTML_TAG = re.compile(
    r"<(?:head|body|meta|title|table|div|p|h[1-6]|style|script|span|font|br)\b", re.IGNORECASE
)
_OFFICE_XML = re.compile(r"""<\?mso-application\s+progid=["'](?:Word|Excel|PowerPoint)\.""")


def _markup_kind(text: str, named: FileKind | None) -> FileKind | None:
    if _OFFICE_XML.search(text[:1024]):
        return FileKind.OFFICE_XML
    position = 0
    while match := _SKIPPED_PROLOG.match(text, position):
        position = match.end()
    if _HTML_ROOT.match(text, position):
        return FileKind.HTML
    # A Markdown file may open with a tag, a workbook's name may hide a page saved by a web system.
    plain_name = named in PLAIN and named is not FileKind.HTML
    return FileKind.HTML if _HTML_TAG.match(text, position) and not plain_name else None


_MAIL_FIELD = re.compile(r"^([A-Za-z][A-Za-z0-9-]{1,40}):[ \t]", re.MULTILINE)
_MAIL_MARKS = frozenset({"mime-version", "message-id", "received", "return-path", "delivered-to"})


def _is_mail(text: str, named: FileKind | None) -> bool:
    header = re.split(r"\r?\n\r?\n", text.lstrip(), maxsplit=1)[0]
    if not _MAIL_FIELD.match(header):
        return False
    fields = {name.lower() for name in _MAIL_FIELD.findall(header)}
    if named in (FileKind.EML, FileKind.MHT):
        return bool(fields & (_MAIL_MARKS | {"from", "subject", "date"}))
    return len(fields & _MAIL_MARKS) >= 1 and "from" in fields and len(fields) >= 4


def _is_table(text: str) -> bool:
    """Whether the first lines have the same number of delimited fields, at least two."""
    lines = [line for line in text.splitlines()[:20] if line.strip()]
    for delimiter in (",", "\t", ";"):
        try:
            widths = {len(row) for row in csv.reader(lines, delimiter=delimiter)}
        except csv.Error:
            continue
        if len(widths) <= 2 and min(widths, default=0) >= 2:
            return True
    return False
