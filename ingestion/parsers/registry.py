"""Any bytes in, one `Parsed` out: detect the kind, hand over to its parser, turn a failure into a state.

A new format is one line in `PARSERS`. Limits of time and memory are the sandbox's business.
"""

import io
import logging
import lzma
import struct
import zipfile
import zlib
from dataclasses import replace
from importlib import import_module
from typing import Protocol, cast

import msoffcrypto
from lxml import etree
from msoffcrypto.exceptions import DecryptionError, FileFormatError, InvalidKeyError, ParseError

from ingestion.documents import READABLE, FailureReason, FileState, Parsed, ParseReport
from ingestion.errors import ParseFailure
from ingestion.parsers.archive import open_archive, refuse_document_types
from ingestion.parsers.detect import Detection, FileKind, detect
from ingestion.protocols import Ocr

logger = logging.getLogger(__name__)

PARSERS: dict[FileKind, str] = {
    FileKind.DOCX: "ingestion.parsers.docx",
    FileKind.HTML: "ingestion.parsers.html",
    FileKind.MARKDOWN: "ingestion.parsers.markdown",
    FileKind.TEXT: "ingestion.parsers.text",
    FileKind.PDF: "ingestion.parsers.pdf",
    FileKind.XLSX: "ingestion.parsers.xlsx",
    FileKind.CSV: "ingestion.parsers.csv",
    FileKind.PPTX: "ingestion.parsers.pptx",
    FileKind.EML: "ingestion.parsers.eml",
    FileKind.MSG: "ingestion.parsers.msg",
    FileKind.IMAGE: "ingestion.parsers.image",
    **dict.fromkeys(
        (
            FileKind.DOC,
            FileKind.XLS,
            FileKind.PPT,
            FileKind.RTF,
            FileKind.XLSB,
            FileKind.OPEN_DOCUMENT,
            FileKind.OFFICE_XML,
        ),
        "ingestion.parsers.legacy",
    ),
}
PACKAGES = frozenset({FileKind.DOCX, FileKind.XLSX, FileKind.PPTX})

NAMES: dict[FileKind, str] = {
    FileKind.PDF: "PDF 文档",
    FileKind.DOCX: "Word 文档（docx）",
    FileKind.XLSX: "Excel 工作簿（xlsx）",
    FileKind.PPTX: "演示文稿（pptx）",
    FileKind.DOC: "旧版 Word 文档（doc）",
    FileKind.XLS: "旧版 Excel 工作簿（xls）",
    FileKind.PPT: "旧版演示文稿（ppt）",
    FileKind.CSV: "CSV 表格",
    FileKind.HTML: "网页（html）",
    FileKind.MARKDOWN: "Markdown 文本",
    FileKind.TEXT: "纯文本",
    FileKind.EML: "邮件（eml）",
    FileKind.MSG: "Outlook 邮件（msg）",
    FileKind.RTF: "RTF 文档",
    FileKind.XLSB: "Excel 二进制工作簿（xlsb）",
    FileKind.OPEN_DOCUMENT: "OpenDocument 文档",
    FileKind.OFD: "OFD 版式文件",
    FileKind.EPUB: "EPUB 电子书",
    FileKind.MHT: "单文件网页（mht）",
    FileKind.OFFICE_XML: "Office 2003 XML 文件",
    FileKind.ENCRYPTED_OFFICE: "加密的 Office 文件",
    FileKind.IMAGE: "图片",
    FileKind.MEDIA: "音频或视频",
    FileKind.ZIP: "压缩包（zip）",
    FileKind.ARCHIVE: "压缩包",
    FileKind.PROGRAM: "程序文件",
    FileKind.UNKNOWN: "无法识别的文件",
}
ADVICE: dict[FileKind, str] = {
    FileKind.PDF: "请另存为 docx 后再导入",
    FileKind.XLSX: "请另存为 csv 后再导入",
    FileKind.CSV: "请另存为 txt 后再导入",
    FileKind.PPTX: "请另存为 PDF 后再导入",
    FileKind.DOC: "请用 Word 或 WPS 打开，另存为 docx 后再导入",
    FileKind.XLS: "请用 Excel 或 WPS 打开，另存为 xlsx 后再导入",
    FileKind.PPT: "请用 PowerPoint 或 WPS 打开，另存为 pptx 后再导入",
    FileKind.EML: "请将邮件正文另存为 html 或 txt 后再导入，附件请单独导入",
    FileKind.MSG: "请在 Outlook 中将邮件另存为 html 或 txt 后再导入，附件请单独导入",
    FileKind.RTF: "请用 Word 或 WPS 打开，另存为 docx 后再导入",
    FileKind.XLSB: "请用 Excel 打开，另存为 xlsx 后再导入",
    FileKind.OPEN_DOCUMENT: "请用 LibreOffice 或 WPS 打开，另存为 docx、xlsx 或 pptx 后再导入",
    FileKind.OFD: "请用 OFD 阅读器打开，导出为 PDF 后再导入",
    FileKind.EPUB: "请转换为 docx 或 PDF 后再导入",
    FileKind.MHT: "请用浏览器打开，另存为 html 后再导入",
    FileKind.OFFICE_XML: "请用 Word、Excel 或 WPS 打开，另存为 docx 或 xlsx 后再导入",
    FileKind.MEDIA: "请先转写为文字，再导入文字稿",
    FileKind.ZIP: "导入时会逐个收入其中的文件；嵌套过深或过大的内层压缩包请解压后再导入",
    FileKind.ARCHIVE: "请解压后逐个导入其中的文件",
    FileKind.PROGRAM: "程序文件不含可检索的文档内容，无需导入",
}
OTHER_ADVICE = "请用原程序打开，另存为 docx、xlsx、pptx、pdf、html、md 或 txt 后再导入"

# What the readers we do not own raise on damaged input beside their own errors. Parsers translate what they
# know; anything else of these is still the file's fault, is logged with its trace, and costs that file only.
DAMAGE = (
    ArithmeticError,
    AttributeError,
    EOFError,
    LookupError,
    NotImplementedError,
    OSError,
    TypeError,
    ValueError,
    etree.LxmlError,
    lzma.LZMAError,
    struct.error,
    zipfile.BadZipFile,
    zlib.error,
)


class Parser(Protocol):
    """A module of this package that reads one format. Raises ParseFailure."""

    def parse(self, data: bytes, *, password: str | None = None, ocr: Ocr | None = None) -> Parsed: ...


def parse(data: bytes, file_name: str, *, password: str | None = None, ocr: Ocr | None = None) -> Parsed:
    """Read a file of any kind. Never raises for a bad file: it ends in one state, with reason and message.

    `file_name` is looked at for its extension only; it is never opened. MemoryError passes through: the
    sandbox answers it, since only a fresh process is sound after one.
    """
    try:
        return _parse(data, file_name, password, ocr)
    except ParseFailure as failure:
        return failed(failure)
    except RecursionError:
        return failed(
            ParseFailure(FailureReason.TOO_COMPLEX, "文件结构过于复杂，超出读取能力。请拆分或简化后再导入")
        )
    except DAMAGE:
        logger.exception("A parser met damage it did not name in a file of %d bytes.", len(data))
        return failed(
            ParseFailure(FailureReason.CORRUPT, "文件内容已损坏，无法读取。请用原程序打开并另存后再试")
        )


def failed(failure: ParseFailure) -> Parsed:
    """The result of a file that could not be read: no blocks, and why."""
    report = ParseReport(chars_in=0, chars_kept=0)
    return Parsed(failure.state, (), report, reason=failure.reason, message=failure.message)


def _parse(data: bytes, file_name: str, password: str | None, ocr: Ocr | None) -> Parsed:
    found = detect(data, file_name)
    if found.kind is FileKind.ENCRYPTED_OFFICE:
        return _parse(decrypt(data, password), file_name, None, ocr)
    module = PARSERS.get(found.kind)
    if module is None:
        raise _unsupported(found)
    if found.kind in PACKAGES:
        refuse_document_types(open_archive(data))
    parser = cast(Parser, import_module(module))
    return _with_name_finding(_checked(parser.parse(data, password=password, ocr=ocr)), found)


def decrypt(data: bytes, password: str | None) -> bytes:
    """The package inside an encrypted Office container. Raises ParseFailure when the password is wrong."""
    if not password:
        raise _needs_password("文件已加密，请提供打开密码，或在 Office 中取消加密后再导入")
    opened = io.BytesIO()
    try:
        office = msoffcrypto.OfficeFile(io.BytesIO(data))
        office.load_key(password=password)
        office.decrypt(opened)
    except (InvalidKeyError, DecryptionError) as error:
        raise _needs_password("打开密码不正确，请核对后再试") from error
    except (FileFormatError, ParseError, *DAMAGE) as error:
        raise ParseFailure(FailureReason.CORRUPT, "加密文件已损坏，无法解密。请用原程序另存后再试") from error
    return opened.getvalue()


def _needs_password(message: str) -> ParseFailure:
    return ParseFailure(FailureReason.ENCRYPTED, message, FileState.NEEDS_PASSWORD)


def _unsupported(found: Detection) -> ParseFailure:
    if found.kind is FileKind.UNKNOWN and found.named in PARSERS:
        message = f"文件内容不是{NAMES[found.named]}，扩展名可能有误或文件已损坏。请用原程序打开并另存后再试"
        return ParseFailure(FailureReason.WRONG_TYPE, message)
    kind = found.named if found.kind is FileKind.UNKNOWN and found.named else found.kind
    message = f"暂不支持读取{NAMES[kind]}。{ADVICE.get(kind, OTHER_ADVICE)}"
    reason = FailureReason.UNSUPPORTED
    if found.named in PARSERS:
        message = f"扩展名表示{NAMES[found.named]}，内容实为{NAMES[kind]}。{message}"
        reason = FailureReason.WRONG_TYPE
    return ParseFailure(reason, message, FileState.UNSUPPORTED)


def _checked(parsed: Parsed) -> Parsed:
    """A file without any text is no success, whatever its parser thinks."""
    if parsed.blocks or parsed.state not in READABLE:
        return parsed
    message = "文件中没有可读取的文字。如果内容是扫描件或图片，需要 OCR 识别后才能检索"
    return replace(parsed, state=FileState.FAILED, reason=FailureReason.EMPTY, message=message)


def _with_name_finding(parsed: Parsed, found: Detection) -> Parsed:
    if not found.contradicts_name or found.named is None:
        return parsed
    finding = f"扩展名表示{NAMES[found.named]}，内容实为{NAMES[found.kind]}，已按内容读取"
    report = replace(parsed.report, findings=(*parsed.report.findings, finding))
    return replace(parsed, report=report)
