"""From a transcript's file to its decoded text and layout, and from those to lines: one module a format."""

from pathlib import PurePath

from ingestion.documents import FailureReason, FileState
from ingestion.errors import ParseFailure
from ingestion.minutes.formats import cues, decoding, markdown, structured, word
from ingestion.minutes.lines import Layout, Lines, Raw, split
from ingestion.parsers.detect import FileKind, detect, is_text
from ingestion.parsers.encoding import Decoded
from ingestion.parsers.registry import decrypt

SUFFIXES = frozenset(
    {".txt", ".text", ".log", ".md", ".markdown", ".docx", ".vtt", ".srt", ".json", ".jsonl", ""}
)
"""Endings of transcripts' names; what is inside decides for subtitles and Word files."""

_MARKDOWN = frozenset({".md", ".markdown"})
JSON_SUFFIXES = frozenset({".json", ".jsonl"})
_ZIP = b"PK\x03\x04"
_COMPOUND = b"\xd0\xcf\x11\xe0"  # what Office puts around an encrypted file


def read(name: str, data: bytes, password: str | None = None) -> Raw:
    """The decoded text of a file called `name`; a Word file may need its `password`.

    Raises ParseFailure: unsupported for any other format, wrong_type when the content is no text, and for a
    Word file or a zip what opening it can raise.
    """
    suffix = PurePath(name).suffix.lower()
    if suffix == ".zip":
        detect(data, name)  # one that cannot be opened has come here, and says why
    if suffix not in SUFFIXES:
        raise ParseFailure(
            FailureReason.UNSUPPORTED,
            f"不支持 {suffix} 格式的会议记录。请另存为 txt、md、docx、vtt、srt 或 json 后再试",
            FileState.UNSUPPORTED,
        )
    if data.startswith(_COMPOUND) and detect(data, name).kind is FileKind.ENCRYPTED_OFFICE:
        data = decrypt(data, password)
    if suffix == ".docx" or data.startswith(_ZIP):
        return Raw(name, word.read_word(data))
    decoded = decoding.decode(data)
    if not is_text(Decoded(decoded.text, "", 1.0)):
        raise ParseFailure(
            FailureReason.WRONG_TYPE, "文件内容不是文本，扩展名可能有误。请确认文件类型，或用原程序另存后再试"
        )
    layout = _layout(suffix, decoded.text)
    is_broken = suffix in JSON_SUFFIXES and layout is not Layout.JSON
    remarks = ("JSON 不完整或有误，已按纯文本读取",) if is_broken else ()
    return Raw(name, decoded.text, layout, (*decoded.findings, *remarks))


def lines_of(text: str, layout: Layout) -> Lines:
    """Raises ValueError for a JSON layout whose text is no JSON."""
    match layout:
        case Layout.MARKDOWN:
            return markdown.read_markdown(text)
        case Layout.CUES:
            return cues.read_cues(text)
        case Layout.JSON:
            return structured.read_json(text)
        case Layout.TEXT:
            return split(text)


def _layout(suffix: str, text: str) -> Layout:
    if suffix in JSON_SUFFIXES and structured.is_json(text):
        return Layout.JSON
    if suffix in (".vtt", ".srt") or cues.is_cues(text):
        return Layout.CUES
    return Layout.MARKDOWN if suffix in _MARKDOWN else Layout.TEXT
