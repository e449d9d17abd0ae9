"""From the bytes of a transcript to text without losing any, also where lines differ in encoding."""

import re
from dataclasses import dataclass

from ingestion.parsers import encoding

_LINE = re.compile(rb"[^\r\n]*(?:\r\n|\r|\n|$)")


@dataclass(frozen=True, slots=True)
class DecodedText:
    """`findings` in Chinese. Undecodable bytes stand in the text as \\xNN."""

    text: str
    findings: tuple[str, ...] = ()


def decode(data: bytes) -> DecodedText:
    """Never fails. A byte order mark is no character of the text."""
    whole = encoding.decode(data)
    if whole.encoding.startswith(("utf-16", "utf-32")) or (
        whole.encoding == "utf-8" and not whole.replaced
    ):
        return DecodedText(whole.text, _findings(whole.encoding, whole.replaced))
    if not data.startswith(encoding.BOMS[0][0]) and not _has_utf8_lines(data):
        return _by_one(data, whole.encoding)
    return _by_lines(data.removeprefix(encoding.BOMS[0][0]))


def _by_one(data: bytes, name: str) -> DecodedText:
    text = data.decode(name, errors="backslashreplace")
    lost = data.decode(name, errors="replace").count("\ufffd")
    return DecodedText(text, _findings(name, lost))


def _has_utf8_lines(data: bytes) -> bool:
    """Whether a line beyond ASCII is UTF-8, and no GB18030 that happens to be valid."""
    return any(not line.isascii() and _as_utf8(line) is not None for line in _LINE.findall(data))


def _as_utf8(line: bytes) -> str | None:
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError:
        return None
    return text if line.isascii() or encoding.decode(line).encoding == "utf-8" else None


def _by_lines(data: bytes) -> DecodedText:
    """Lines that are UTF-8 are read as such; all others together tell what they are in."""
    lines: list[bytes] = _LINE.findall(data)
    read = [_as_utf8(line) for line in lines]
    others = b"".join(line for line, text in zip(lines, read, strict=True) if text is None)
    name = encoding.decode(others).encoding
    if name.startswith("utf-16"):  # stray bytes, no text of its own
        name = "utf-8"
    text = "".join(
        line.decode(name, errors="backslashreplace") if known is None else known
        for line, known in zip(lines, read, strict=True)
    )
    lost = others.decode(name, errors="replace").count("\ufffd")
    mixed = (f"文件混用了 UTF-8 与 {name}，已逐行识别",) if name != "utf-8" else ()
    return DecodedText(text, (*mixed, *_findings(name, lost)))


def _findings(name: str, lost: int) -> tuple[str, ...]:
    return (f"有 {lost} 处字节无法按 {name} 解码，已按原样标出",) if lost else ()
