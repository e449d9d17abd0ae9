"""Opening the zip container of an office file without trusting it. Nothing is ever extracted to disk.

The limits hold before a member is decompressed: zipfile reads no more of a member than its declared
`file_size`, so a sum of declared sizes bounds what a bomb can cost.
"""

import io
import lzma
import re
import zipfile
import zlib
from pathlib import PurePosixPath

from ingestion.documents import FailureReason, FileState
from ingestion.errors import ParseFailure

MAX_TOTAL_BYTES = 100 * 1024 * 1024
MAX_PART_BYTES = 50 * 1024 * 1024
MAX_RATIO = 200
RATIO_MATTERS_BYTES = 1024 * 1024  # below this a part of equal rows may be small without being a bomb
MAX_MEMBERS = 2_000
MAX_PROLOG_BYTES = 65_536

MARKUP_SUFFIXES = frozenset({".xml", ".rels", ".vml"})
READ_ERRORS = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    OSError,
    NotImplementedError,
    ValueError,
)


class Archive:
    """The parts of a zip package by name. Reading raises ParseFailure."""

    def __init__(self, file: zipfile.ZipFile) -> None:
        self._file = file
        self.names = tuple(dict.fromkeys(info.filename for info in file.infolist()))
        self._by_key = {_key(name): name for name in reversed(self.names)}

    def __contains__(self, name: str) -> bool:
        return _key(name) in self._by_key

    def members(self) -> list[zipfile.ZipInfo]:
        """Every entry, also several of one name."""
        return self._file.infolist()

    def read_member(self, member: zipfile.ZipInfo) -> bytes:
        try:
            return self._file.read(member)
        except READ_ERRORS as error:
            raise ParseFailure(
                FailureReason.CORRUPT, f"部件 {member.filename} 无法解压，文件可能已损坏"
            ) from error

    def read(self, name: str) -> bytes:
        """The bytes of a part; names compare without case, as the package format demands."""
        try:
            return self._file.read(self._by_key[_key(name)])
        except KeyError as error:
            raise ParseFailure(FailureReason.CORRUPT, f"文件缺少部件 {name}，可能已损坏") from error
        except READ_ERRORS as error:
            raise ParseFailure(FailureReason.CORRUPT, f"部件 {name} 无法解压，文件可能已损坏") from error


def _key(name: str) -> str:
    return name.replace("\\", "/").lstrip("/").lower()  # some producers write xl\\styles.xml


def open_archive(data: bytes) -> Archive:
    """Raises ParseFailure: corrupt, too_large, unsafe, or encrypted when members need a password."""
    try:
        file = zipfile.ZipFile(io.BytesIO(data))
    except READ_ERRORS as error:
        raise ParseFailure(
            FailureReason.CORRUPT, "文件不完整或已损坏，无法打开。请重新下载或用原程序另存后再试"
        ) from error
    _check_sizes(file.infolist())
    if any(info.flag_bits & 0x1 for info in file.infolist()):
        raise ParseFailure(
            FailureReason.ENCRYPTED, "压缩包设有密码，请解压后再导入", FileState.NEEDS_PASSWORD
        )
    return Archive(file)


def _check_sizes(members: list[zipfile.ZipInfo]) -> None:
    if len(members) > MAX_MEMBERS:
        raise ParseFailure(
            FailureReason.TOO_LARGE,
            f"文件内有 {len(members)} 个部件，超过上限 {MAX_MEMBERS} 个，请拆分后再导入",
        )
    for info in members:
        ratio = info.file_size / max(1, info.compress_size)
        if info.file_size > MAX_PART_BYTES:
            raise _too_large(f"部件 {info.filename} 解压后为 {_megabytes(info.file_size)} MB，超过上限 50 MB")
        if info.file_size > RATIO_MATTERS_BYTES and ratio > MAX_RATIO:
            raise _too_large(
                f"部件 {info.filename} 的压缩比为 {ratio:.0f}，超过上限 {MAX_RATIO}，疑似压缩炸弹"
            )
    total = sum(info.file_size for info in members)
    if total > MAX_TOTAL_BYTES:
        raise _too_large(f"文件解压后共 {_megabytes(total)} MB，超过上限 100 MB")


def _too_large(fact: str) -> ParseFailure:
    return ParseFailure(FailureReason.TOO_LARGE, f"{fact}。请确认来源，压缩图片或拆分后再导入")


def _megabytes(size: int) -> int:
    return -(-size // (1024 * 1024))


_BEFORE_ROOT = re.compile(rb"\s+|<\?.*?\?>|<!--.*?-->", re.DOTALL)


def refuse_document_types(archive: Archive) -> None:
    """Raise `unsafe` when a markup part declares a document type: office programs never write one, and
    entities in it can read local files or grow without bound."""
    for name in archive.names:
        if PurePosixPath(name).suffix.lower() in MARKUP_SUFFIXES and declares_type(archive.read(name)):
            raise ParseFailure(
                FailureReason.UNSAFE, f"部件 {name} 含有 DOCTYPE 声明，可能是恶意文件，已拒绝读取"
            )


def declares_type(markup: bytes) -> bool:
    """Whether a DOCTYPE (or what pretends to be one) stands before the root element."""
    head = markup[:MAX_PROLOG_BYTES]
    for mark, encoding in (
        (b"\xff\xfe", "utf-16-le"),
        (b"\xfe\xff", "utf-16-be"),
        (b"\xef\xbb\xbf", "utf-8"),
    ):
        if head.startswith(mark):
            head = head[len(mark) :].decode(encoding, errors="replace").encode()
            break
    position = 0
    while match := _BEFORE_ROOT.match(head, position):
        position = match.end()
    return head[position : position + 2] == b"<!"
