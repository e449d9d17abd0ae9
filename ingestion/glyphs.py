"""Characters as files deliver them made into characters people type. No word or sentence is judged here.

Parsers keep the result only: canonical text, quotes and index hold normalised text, and anchors lead to the
place in the file (decision 0007).
"""

import re
import unicodedata

# Unicode's Equivalent_Unified_Ideograph for the block CJK Radicals Supplement. NFKC knows two of these.
# A run maps from its first code point on; a radical without an everyday ideograph maps to itself.
_RADICAL_RUNS = {
    0x2E81: "厂乛乚乙亻冂𠘨刀刂卜㔾小小兀尣尢𡯂巳幺彑彐忄㣺扌攵",
    0x2E9B: "旡日月歺母民氵氺灬爫爫丬牛犭王疋目示礻竹糹纟罓罒㓁罒𦉪⺶羊⺸耂肀聿肉臼艹艹艹虎衤覀西见角角讠"
    "贝足车辶辶辶阝钅長镸长门阜阝雨青韦页风飞食飠飠饣首马骨鬼鱼鸟卤麦黄黾斉齐歯齿竜龙龜亀龟",
}
_BULLETS = "\uf06c\uf06e\uf071\uf075\uf076\uf09f\uf0a7\uf0a8\uf0b7\uf0d8\uf0e0\uf0e8\uf0f0\uf0fc\uf0fe"
_INVISIBLE = (
    "\u00ad\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2061\ufeff\ufffe\uffff\x00"
)


def _translation() -> dict[int, str]:
    table: dict[int, str] = {}
    for start, ideographs in _RADICAL_RUNS.items():
        table.update({start + i: ideograph for i, ideograph in enumerate(ideographs)})
    folded = [
        *range(0x2F00, 0x2FD6),  # Kangxi radicals
        *range(0xF900, 0xFB00),  # compatibility ideographs
        *range(0xFF10, 0xFF1A),  # full-width digits and letters
        *range(0xFF21, 0xFF3B),
        *range(0xFF41, 0xFF5B),
        *range(0xFF66, 0xFF9E),  # half-width kana
        *range(0xFB00, 0xFB07),  # ligatures ff fi fl
    ]
    table.update({code: unicodedata.normalize("NFKC", chr(code)) for code in folded})
    table.update(dict.fromkeys(map(ord, _BULLETS), "•"))
    table.update(dict.fromkeys(map(ord, _INVISIBLE), ""))
    table.update({0xA0: " ", 0x3000: " ", 0x202F: " ", **dict.fromkeys(range(0x2000, 0x200B), " ")})
    return table


_TRANSLATION = _translation()
_SURROGATE = re.compile("[\ud800-\udfff]")
_CONTROL = re.compile(r"[\x01-\x08\x0b\x0e-\x1f\x7f]")


def join_surrogates(text: str) -> str:
    """Pairs of UTF-16 surrogates become their character, a lone one U+FFFD: such a string can be stored."""
    if not _SURROGATE.search(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def normalise(text: str) -> str:
    """Radicals to ideographs, full-width digits and letters to half width, private bullets to •.

    Invisible characters go, odd blanks become blanks, full-width punctuation stays. Idempotent.
    """
    text = join_surrogates(text)
    if text.isascii():
        return _CONTROL.sub("", text).replace("\x00", "")
    return _CONTROL.sub("", text.translate(_TRANSLATION))


HAN = "\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af"
_CJK_SIDE = rf"{HAN}\u3000-\u303f\uff00-\uffef\u3040-\u30ff\u2018-\u201d\u2014\u2026"
_LAST_CJK = re.compile(rf"[{_CJK_SIDE}]$")
_FIRST_CJK = re.compile(rf"^[{_CJK_SIDE}]")
_SINGLE = re.compile(rf"[{HAN}][：:，。、；]?")


def close_spaced_han(text: str) -> str:
    """`可 以 从 openeuler` -> `可以从 openeuler`: justified text, told by most blanks standing between
    single 汉字 (half of the gaps of the text or more)."""
    if " " not in text:
        return text
    words = text.split()
    gaps = len(words) - 1
    single = [bool(_SINGLE.fullmatch(word)) for word in words]
    spaced = sum(left and right for left, right in zip(single, single[1:], strict=False))
    if not gaps or spaced * 2 < gaps:
        return text
    out = words[0]
    for i, word in enumerate(words[1:]):
        out += word if single[i] and single[i + 1] else f" {word}"
    return out


_HYPHENATED = re.compile(r"(?<![\w-])[^\W\d_]{2,}-$")


def join_lines(left: str, right: str) -> str:
    """Two lines of one paragraph as running text.

    No blank beside a Chinese character, one between Latin words. A hyphen at the line end goes where it
    divides a plain lower-case word; in `Llama-2-chat-` + `hf` or `COVID-` + `19` it is part of the name.
    """
    left, right = left.rstrip(), right.lstrip()
    if not left or not right:
        return left + right
    if left.endswith("\u00ad"):
        return left[:-1] + right
    if left.endswith("-"):
        divides = bool(_HYPHENATED.search(left)) and right[0].islower() and right[0].isascii()
        return (left[:-1] if divides else left) + right
    if _LAST_CJK.search(left) or _FIRST_CJK.search(right):
        return left + right
    return f"{left} {right}"
