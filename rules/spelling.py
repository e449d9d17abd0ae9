"""How words of a workbook are compared: one spelling for full and half width, and the nearest known word."""

import re
import unicodedata
from collections.abc import Iterable
from itertools import islice

from rapidfuzz import fuzz, process

_LISTED = re.compile(r"[、,;]")
_ARROWS = re.compile(r"[-=—─]*>|→|➔|➜|⇒|»")
NEAR, NEAR_SHORT = 60.0, 50.0
"""Of 100 (rapidfuzz's ratio): 网路设备 is 75 to 网络设备, 图数 is 50 to 图书, unrelated words 25 or less."""
SEARCHED = 1_000
"""Known words of which the nearest is looked for; a hostile list makes no search long."""


def visible(text: str) -> str:
    """Without what nobody sees and no two programs copy alike: zero-width and control characters, BOMs.

    Line ends and tabs stay; half of a surrogate pair, which cannot be written anywhere, becomes U+FFFD.
    """
    if text.isprintable():
        return text
    return "".join(_seen(char) for char in text)


def _seen(char: str) -> str:
    kind = unicodedata.category(char)
    if kind == "Cs":
        return "\ufffd"
    return "" if kind in ("Cc", "Cf") and not char.isspace() else char


def plain(text: str) -> str:
    """NFKC of what is visible, without spaces at the ends or in a row: ５０ becomes 50, （ becomes (."""
    return " ".join(unicodedata.normalize("NFKC", visible(text)).split())


def tight(text: str) -> str:
    """`plain` without any space: 除 车辆 外 becomes 除车辆外."""
    return plain(text).replace(" ", "")


def listed(text: str) -> tuple[str, ...]:
    """The parts of 甲、乙，丙, or of several lines, each in its one spelling."""
    parts = (part for line in text.splitlines() for part in _LISTED.split(plain(line)))
    return tuple(word for part in parts if (word := part.strip()))


def steps(text: str) -> tuple[str, ...]:
    """The parts of 甲>乙→丙 in their order, each in its one spelling."""
    return tuple(word for part in _ARROWS.split(plain(text)) if (word := part.strip()))


def closest(word: str, known: Iterable[str]) -> str | None:
    """The known word most like `word`, None when none of the first SEARCHED is like it."""
    words = list(islice(known, SEARCHED))
    near = NEAR if len(word) > 2 else NEAR_SHORT
    found = process.extractOne(word, words, scorer=fuzz.ratio, score_cutoff=near)
    return found[0] if found else _contained(word, words)


def _contained(word: str, known: Iterable[str]) -> str | None:
    """办公电脑 for 电脑: the only known word that holds it, or that it holds."""
    inside = [item for item in known if len(word) > 1 and item and (word in item or item in word)]
    return inside[0] if len(inside) == 1 else None


def suggestion(word: str, known: Iterable[str]) -> str:
    """「您是不是想写「网络设备」？」, or what there is to choose from; empty without known words."""
    words = [item for item in islice(known, SEARCHED) if item]
    if not words:
        return ""
    near = closest(word, words)
    if near:
        return f"是不是想写「{near}」？"
    shown = "、".join(words[:12])
    return f"可以写的有：{shown}{'等' if len(words) > 12 else ''}。"
