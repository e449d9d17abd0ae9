"""Opening a PDF and asking what it says about itself: encryption, outline, page labels, metadata."""

import contextlib
import io
import re
import time
import zlib
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta, timezone
from functools import partial

import pypdf
import pypdfium2 as pdfium
import pypdfium2.raw as raw
from pypdf.errors import DependencyError, PyPdfError

from ingestion.documents import FailureReason, FileState, Metadata, count_chars
from ingestion.errors import ParseFailure
from ingestion.glyphs import normalise
from ingestion.parsers.pdf_headings import Bookmark

MAX_PAGES = 5_000
_FIELDS = ("Title", "Author", "CreationDate", "ModDate")
_HEADER_WITHIN = 1024  # bytes; readers accept rubbish before %PDF-


def open_pdf(data: bytes, password: str | None) -> pdfium.PdfDocument:
    """Raises ParseFailure: empty, wrong_type, encrypted (no or a wrong password), corrupt, too_large."""
    if not data.strip(b"\0 \t\r\n"):
        raise ParseFailure(FailureReason.EMPTY, "文件是空的（0 字节），请重新导出或上传。")
    if b"%PDF-" not in data[:_HEADER_WITHIN]:
        raise ParseFailure(FailureReason.WRONG_TYPE, "文件内容不是 PDF，请检查扩展名是否正确。")
    try:
        document = pdfium.PdfDocument(data, password=password)
        pages = len(document)
    except pdfium.PdfiumError as error:
        raise _failure(error, password) from error
    if pages == 0:
        raise ParseFailure(FailureReason.CORRUPT, "PDF 中没有可读的页面，文件可能已损坏，请重新导出。")
    if pages > MAX_PAGES:
        raise ParseFailure(
            FailureReason.TOO_LARGE, f"PDF 有 {pages} 页，超过 {MAX_PAGES} 页的上限，请拆分后上传。"
        )
    return document


def _failure(error: pdfium.PdfiumError, password: str | None) -> ParseFailure:
    if error.err_code == raw.FPDF_ERR_PASSWORD:
        message = "文件有打开密码，请提供密码。" if password is None else "打开密码不正确，请重新提供。"
        return ParseFailure(FailureReason.ENCRYPTED, message, FileState.NEEDS_PASSWORD)
    if error.err_code == raw.FPDF_ERR_SECURITY:
        return ParseFailure(
            FailureReason.ENCRYPTED, "文件使用了不支持的加密方式，请另存为不加密的 PDF。", FileState.FAILED
        )
    return ParseFailure(FailureReason.CORRUPT, "PDF 已损坏或不完整，无法打开，请重新导出或下载。")


def _decoded(read: Callable[[], str]) -> str:
    """A string the file holds beside its text, normalised; "" where it is no valid UTF-16."""
    try:
        return normalise(read()).strip()
    except UnicodeDecodeError:
        return ""


def bookmarks(document: pdfium.PdfDocument) -> list[Bookmark]:
    """The outline in order; entries that lead nowhere are left out."""
    found: list[Bookmark] = []
    for entry in document.get_toc():
        target = entry.get_dest()
        page = target.get_index() if target is not None else None
        if page is not None:
            found.append(Bookmark(_decoded(entry.get_title), page, entry.level + 1))
    return found


def page_label(document: pdfium.PdfDocument, index: int) -> str | None:
    """The printed page number where it differs from the position."""
    label = _decoded(partial(document.get_page_label, index))
    return label if label and label != str(index + 1) else None


def metadata(
    document: pdfium.PdfDocument, headers: Sequence[str], revisions: Sequence[tuple[str, ...]]
) -> Metadata:
    fields = {key: _decoded(partial(document.get_metadata_value, key)) for key in _FIELDS}
    return Metadata(
        title=fields["Title"],
        author=fields["Author"],
        created=pdf_date(fields["CreationDate"]),
        modified=pdf_date(fields["ModDate"]),
        page_count=len(document),
        running_headers=tuple(headers),
        revision_table=tuple(revisions),
    )


_DATE = re.compile(r"(?:D:)?(\d{4})(\d{2})?(\d{2})?(\d{2})?(\d{2})?(\d{2})?(?:Z|([+-])(\d{2})'?(\d{2})?'?)?")


def pdf_date(text: str) -> datetime | None:
    """`D:20240101093000+08'00'` in UTC; without a zone it is taken as UTC, what is no date is None."""
    match = _DATE.match(text)
    if match is None:
        return None
    parts = [
        int(part) if part else default
        for part, default in zip(match.groups()[:6], (1, 1, 1, 0, 0, 0), strict=True)
    ]
    offset = timedelta(hours=int(match[8] or 0), minutes=int(match[9] or 0))
    zone = timezone(-offset if match[7] == "-" else offset) if offset < timedelta(hours=24) else UTC
    with contextlib.suppress(ValueError, OverflowError):
        return datetime(parts[0], parts[1], parts[2], parts[3], parts[4], parts[5], tzinfo=zone).astimezone(
            UTC
        )
    return None


# --- the second opinion ----------------------------------------------------------------------------------

_PAGES_PER_SAMPLE = 20
_SAMPLED_PAGES = 2
_SECONDS = 0.15
_MAX_CHARS = 20_000
# What pypdf raises on files that pdfium reads: its own errors, and those of its parts.
_DAMAGE = (
    PyPdfError,
    DependencyError,
    ArithmeticError,
    AttributeError,
    LookupError,
    NotImplementedError,
    OSError,
    RecursionError,
    TypeError,
    ValueError,
    zlib.error,
)
_GAP = 0.02


def second_count(data: bytes, password: str | None, counts: Sequence[int]) -> str | None:
    """A finding when pypdf counts over 2 % more or fewer characters than pdfium on sampled pages, else None.

    pypdf reads 10 to 40 pages a second, so one page in 20, two at most, are compared and none is begun after
    0.15 s. `counts` are pdfium's characters by page.
    """
    sample = _sample(counts)
    ours = theirs = 0
    pages: list[int] = []
    deadline = time.monotonic() + _SECONDS
    try:
        reader = pypdf.PdfReader(io.BytesIO(data), password=password)
        for page in sample:
            if pages and time.monotonic() > deadline:
                break
            theirs += count_chars(reader.pages[page].extract_text())
            ours += counts[page]
            pages.append(page + 1)
    except _DAMAGE as error:
        return f"第二种读取方式（pypdf）未能核对字符数：{type(error).__name__}"
    if abs(ours - theirs) <= _GAP * max(ours, 1):
        return None
    where = "、".join(map(str, pages))
    return f"抽查第 {where} 页：pdfium 读出 {ours} 个字符，pypdf 读出 {theirs} 个，相差超过 2%"


def _sample(counts: Sequence[int]) -> list[int]:
    """Pages with text, spread over the file; none that pypdf would need seconds for."""
    usable = [page for page, count in enumerate(counts) if 0 < count <= _MAX_CHARS]
    wanted = min(1 + len(counts) // _PAGES_PER_SAMPLE, _SAMPLED_PAGES, len(usable))
    return [usable[(2 * i + 1) * len(usable) // (2 * wanted)] for i in range(wanted)]
