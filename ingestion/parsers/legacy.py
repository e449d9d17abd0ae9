"""Old and foreign office formats (doc, ppt, rtf, odt, …): converted by LibreOffice, read as what came out.

Without LibreOffice an old Word file is read by antiword where that is installed; anything else ends as
`unsupported` with what to install. Workbooks (xls) are read directly and converted only when that fails.
"""

import io
from dataclasses import replace

import msoffcrypto
from msoffcrypto.exceptions import FileFormatError

from ingestion.documents import BlockBuilder, FailureReason, FileState, Parsed
from ingestion.errors import ParseFailure
from ingestion.parsers import registry, text, xlsx
from ingestion.parsers.archive import open_archive
from ingestion.parsers.detect import FileKind, detect
from ingestion.parsers.embedded import append_blocks
from ingestion.parsers.office_program import Conversion, antiword, convert, soffice, word_text
from ingestion.protocols import Ocr

CONVERSIONS: dict[FileKind, Conversion] = {
    FileKind.DOC: Conversion("doc", "docx", "MS Word 97"),
    FileKind.XLS: Conversion("xls", "xlsx", "MS Excel 97"),
    FileKind.PPT: Conversion("ppt", "pptx", "MS PowerPoint 97"),
    FileKind.RTF: Conversion("rtf", "docx", "Rich Text Format"),
    FileKind.XLSB: Conversion("xlsb", "xlsx", "Calc MS Excel 2007 Binary"),
}
WORD_2003 = Conversion("xml", "docx", "MS Word 2003 XML")
EXCEL_2003 = Conversion("xml", "xlsx", "MS Excel 2003 XML")
OPEN_DOCUMENTS = (
    (b"opendocument.text", Conversion("odt", "docx", "writer8")),
    (b"opendocument.spreadsheet", Conversion("ods", "xlsx", "calc8")),
    (b"opendocument.presentation", Conversion("odp", "pptx", "impress8")),
)
ENCRYPTED_BY_BINARY = frozenset({FileKind.DOC, FileKind.XLS, FileKind.PPT})


def parse(data: bytes, *, password: str | None = None, ocr: Ocr | None = None) -> Parsed:
    """Raises ParseFailure: unsupported without a converter, encrypted, corrupt, timeout."""
    kind = detect(data, "").kind
    if kind in ENCRYPTED_BY_BINARY:
        data = _opened(data, password)
    if kind is FileKind.XLS:
        return _workbook(data, ocr)
    return _converted(data, kind, ocr)


def _workbook(data: bytes, ocr: Ocr | None) -> Parsed:
    try:
        return xlsx.parse(data)
    except ParseFailure as failure:
        if failure.reason is not FailureReason.CORRUPT or soffice() is None:
            raise
    return _converted(data, FileKind.XLS, ocr)


def _converted(data: bytes, kind: FileKind, ocr: Ocr | None) -> Parsed:
    conversion = _conversion(data, kind)
    program = soffice()
    if program is None:
        return _without_converter(data, kind)
    made = convert(program, data, conversion)
    parsed = registry.parse(made, f"converted.{conversion.target}", ocr=ocr)
    finding = f"{registry.NAMES[kind]}已由 LibreOffice 转换为 {conversion.target} 后读取，版式细节可能不同"
    return replace(parsed, report=replace(parsed.report, findings=(finding, *parsed.report.findings)))


def _conversion(data: bytes, kind: FileKind) -> Conversion:
    found = CONVERSIONS.get(kind)
    if kind is FileKind.OFFICE_XML:
        found = EXCEL_2003 if b"Excel.Sheet" in data[:1024] else WORD_2003
    if kind is FileKind.OPEN_DOCUMENT:
        label = open_archive(data).read("mimetype")
        found = next((conversion for mark, conversion in OPEN_DOCUMENTS if mark in label), None)
    if found is None:
        raise ParseFailure(
            FailureReason.UNSUPPORTED,
            f"暂不支持读取这种{registry.NAMES[kind]}。{registry.ADVICE[kind]}",
            FileState.UNSUPPORTED,
        )
    return found


def _without_converter(data: bytes, kind: FileKind) -> Parsed:
    program = antiword()
    if kind is FileKind.DOC and program is not None:
        builder = BlockBuilder()
        builder.note("旧版 Word 文档由 antiword 读取，没有样式与自动编号；安装 LibreOffice 后可读得更完整")
        parsed = text.parse(word_text(program, data))
        return builder.finish(append_blocks(builder, parsed, ""), metadata=parsed.metadata)
    raise ParseFailure(
        FailureReason.UNSUPPORTED,
        f"读取{registry.NAMES[kind]}需要在运行知行的机器上安装 LibreOffice（命令 soffice）。"
        f"请安装后重试；或者{registry.ADVICE[kind].removeprefix('请')}",
        FileState.UNSUPPORTED,
    )


def _opened(data: bytes, password: str | None) -> bytes:
    """The file itself, or decrypted with the password. Raises ParseFailure (encrypted, corrupt)."""
    try:
        locked = msoffcrypto.OfficeFile(io.BytesIO(data)).is_encrypted()
    except (FileFormatError, *registry.DAMAGE):  # damaged or of a kind it does not know: the reader will say
        return data
    return registry.decrypt(data, password) if locked else data
