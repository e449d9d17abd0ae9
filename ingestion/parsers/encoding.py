"""From bytes to text: which encoding a file is in, and how sure that is. Knows no file format.

The ladder: byte order mark, the NUL pattern of UTF-16, strict UTF-8, then the East Asian candidates scored by
how much of what they yield is text a Chinese office would write. Nothing on the ladder fails: a file of no
known encoding is read as GB18030 with U+FFFD, and `Decoded.replaced` says how much was lost.
"""

import codecs
import re
from dataclasses import dataclass
from functools import lru_cache

from opencc import OpenCC

SAMPLE_BYTES = 65_536  # candidates are scored on the head of a file; the rest is decoded once
DECLARED_BONUS = 0.1  # a declared charset decides between close candidates, never against the bytes
CLEAR_LEAD = 0.2  # a lead of this much over the runner-up counts as full certainty
MIN_UTF16_WORTH = 0.5  # the wrong byte order, and binary data with NULs, stay far below
SHORT_BYTES = 200  # longer GBK texts are never valid UTF-8
NO_OFFICE_TEXT, ALL_COMMON = 0.1, 0.9  # mean worth below and above which a reading is ruled out, or sure

BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
CANDIDATES = ("gb18030", "big5hkscs", "utf-8", "utf-16-le", "utf-16-be", "cp932", "cp1252")

# Labels as they stand in files, mapped to the superset that is really written under them: 喆 and 镕 are in
# no gb2312, yet pages labelled gb2312 contain them.
SUPERSETS = {
    "gb2312": "gb18030",
    "gb_2312-80": "gb18030",
    "gbk": "gb18030",
    "cp936": "gb18030",
    "ms936": "gb18030",
    "x-gbk": "gb18030",
    "gb18030": "gb18030",
    "big5": "big5hkscs",
    "big5-hkscs": "big5hkscs",
    "cp950": "big5hkscs",
    "x-x-big5": "big5hkscs",
    "shift_jis": "cp932",
    "shift-jis": "cp932",
    "sjis": "cp932",
    "iso-8859-1": "cp1252",
    "latin1": "cp1252",
    "us-ascii": "utf-8",
}


@dataclass(frozen=True, slots=True)
class Decoded:
    """`confidence` is 0..1; `replaced` counts the places that could not be decoded (U+FFFD)."""

    text: str
    encoding: str
    confidence: float
    replaced: int = 0


def decode(data: bytes, declared: str | None = None) -> Decoded:
    """Text without byte order mark. `declared` is the label found in the file, e.g. in a meta element."""
    for mark, encoding in BOMS:
        if data.startswith(mark):
            return _decoded(data[len(mark) :], encoding, 1.0)
    utf16 = _utf16_by_nul(data)
    if utf16:
        return _decoded(data, utf16, 0.95)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return _best_candidate(data, superset(declared) if declared else None)
    if _is_disguised_gbk(data, text):
        return _best_candidate(data, "gb18030")
    return Decoded(text, "utf-8", 1.0)


def _is_disguised_gbk(data: bytes, text: str) -> bool:
    """Short GBK texts can be valid UTF-8 by chance (一 is the Cyrillic shha): told by what it yields."""
    if text.isascii() or len(data) > SHORT_BYTES:
        return False
    return _beyond_ascii(text) < NO_OFFICE_TEXT and _score(data, "gb18030") > ALL_COMMON


def superset(label: str) -> str | None:
    """The codec to read text labelled `label` with; None for a label nobody knows."""
    name = label.strip().strip("\"'").lower()
    if name in SUPERSETS:
        return SUPERSETS[name]
    try:
        return codecs.lookup(name).name
    except (LookupError, ValueError):
        return None


def _decoded(data: bytes, encoding: str, confidence: float) -> Decoded:
    text = data.decode(encoding, errors="replace")
    return Decoded(text, encoding, confidence, text.count("\ufffd"))


def _utf16_by_nul(data: bytes) -> str | None:
    """UTF-16 without a mark: NULs (the high bytes of ASCII), and one byte order makes text of them."""
    head = data[: min(SAMPLE_BYTES, len(data) // 2 * 2)]
    if b"\x00" not in head:
        return None
    worth = {name: _mean_worth(head.decode(name, errors="replace")) for name in ("utf-16-le", "utf-16-be")}
    best = max(worth, key=lambda name: worth[name])
    return best if worth[best] >= MIN_UTF16_WORTH else None


def _mean_worth(text: str) -> float:
    return sum(1.0 if _is_ascii_text(char) else _worth(char) for char in text) / len(text) if text else 0.0


def _is_ascii_text(char: str) -> bool:
    return " " <= char <= "~" or char in "\t\n\r\f"


def _best_candidate(data: bytes, declared: str | None) -> Decoded:
    head = data[:SAMPLE_BYTES]
    names = (*CANDIDATES, declared) if declared and declared not in CANDIDATES else CANDIDATES
    scores = {name: _score(head, name) + DECLARED_BONUS * (name == declared) for name in names}
    ranked = sorted(names, key=lambda name: -scores[name])  # stable: GB18030 wins a tie
    best, second = scores[ranked[0]], scores[ranked[1]]
    if best <= 0:
        return _decoded(data, "gb18030", 0.0)
    confidence = min(1.0, best) * min(1.0, (best - second) / CLEAR_LEAD)
    return _decoded(data, ranked[0], round(confidence, 3))


def _score(head: bytes, encoding: str) -> float:
    """-1..1: the mean worth of the characters beyond ASCII; what cannot be decoded counts against."""
    if encoding.startswith("utf-16") and len(head) % 2:
        return -1.0
    try:
        text = head.decode(encoding, errors="replace")
    except (UnicodeError, LookupError):  # a declared codec that turns bytes into no text, e.g. punycode
        return -1.0
    return _beyond_ascii(text)


def _beyond_ascii(text: str) -> float:
    return _mean_worth("".join(char for char in text if not _is_ascii_text(char)))


def _worth(char: str) -> float:
    code = ord(char)
    if char in common_hanzi():
        return 1.0
    if 0x3000 <= code <= 0x3011 or 0xFF01 <= code <= 0xFF5E or char in "“”‘’…—·〔〕《》℃①②③④⑤⑥⑦⑧⑨":
        return 0.9  # the punctuation of a Chinese text
    if 0x3041 <= code <= 0x30FE:
        return 0.6  # kana
    if 0x00C0 <= code <= 0x024F:
        return 0.5  # accented Latin
    if 0x3400 <= code <= 0x9FFF or 0x20000 <= code <= 0x323AF:
        return 0.2  # 汉字 that are seldom used
    if char == "\ufffd" or code < 0xA0 or 0xE000 <= code <= 0xF8FF:
        return -1.0  # undecodable, control, private use
    return 0.0


@lru_cache(maxsize=1)
def common_hanzi() -> frozenset[str]:
    """The 3,755 汉字 of GB 2312 level 1 (rows 16 to 55, those in common use) and their traditional forms."""
    rows = (bytes((lead, trail)) for lead in range(0xB0, 0xD8) for trail in range(0xA1, 0xFF))
    simplified = [pair.decode("gb2312", errors="ignore") for pair in rows]
    traditional = OpenCC("s2t").convert("\n".join(simplified)).split("\n")
    return frozenset((*simplified, *traditional)) - {""}


_META_CHARSET = re.compile(rb"""charset\s*=\s*["']?\s*([A-Za-z0-9_\-:.]{2,40})""", re.IGNORECASE)
_XML_ENCODING = re.compile(rb"""<\?xml[^>]{0,80}encoding\s*=\s*["']([A-Za-z0-9_\-:.]{2,40})""", re.IGNORECASE)


def declared_charset(data: bytes) -> str | None:
    """The label in the head of an HTML or XML file, as written."""
    head = data[:4096]
    found = _XML_ENCODING.search(head) or _META_CHARSET.search(head)
    return found.group(1).decode("ascii") if found else None
