"""Headings told by their numbering: which pattern a line opens with, and which level it has in its file.

Pure text: fonts, styles and table boxes are the parsers' business. A parser asks `numbering` for the pattern,
`looks_like_heading` whether the words can be a heading at all, and one `Outline` per file for the levels.
"""

import re
from dataclasses import dataclass
from enum import StrEnum

MAX_HEADING_CHARS = 40
MAX_LEVEL = 9
_HAN_NUMBER = "[〇零一二三四五六七八九十百千两]+"
_ANY_NUMBER = rf"(?:{_HAN_NUMBER}|\d{{1,4}})"


class Pattern(StrEnum):
    """How a line is numbered, from the outermost to the innermost in common office use."""

    BOOK = "第X编"
    CHAPTER = "第X章"
    SECTION = "第X节"
    CLAUSE = "第X条"  # a clause anchor: the unit of citing, not a heading
    ATTACHMENT = "附件"
    HAN = "一、"
    HAN_BRACKET = "（一）"
    ARABIC = "1."
    BARE = "1 "
    DECIMAL_2 = "1.1"
    DECIMAL_3 = "1.1.1"
    DECIMAL_4 = "1.1.1.1"
    ARABIC_BRACKET = "（1）"
    CIRCLED = "①"

    @property
    def rank(self) -> int:
        """0 for the outermost. A default only: inside a file `Outline` goes by first appearance."""
        return _RANKS[self]


_RANKS = {pattern: rank for rank, pattern in enumerate(Pattern)}
_DECIMALS = {2: Pattern.DECIMAL_2, 3: Pattern.DECIMAL_3, 4: Pattern.DECIMAL_4}


@dataclass(frozen=True, slots=True)
class Numbering:
    """The numbering a text opens with. `prefix + title` is the text without its outer and inner blanks."""

    pattern: Pattern
    prefix: str
    title: str

    @property
    def rank(self) -> int:
        return self.pattern.rank

    @property
    def is_clause(self) -> bool:
        return self.pattern is Pattern.CLAUSE


_WORDED = {
    **dict.fromkeys(("编", "編", "部分"), Pattern.BOOK),
    "章": Pattern.CHAPTER,
    **dict.fromkeys(("节", "節"), Pattern.SECTION),
    **dict.fromkeys(("条", "條"), Pattern.CLAUSE),
}
_WORDED_RE = re.compile(
    rf"第\s*{_ANY_NUMBER}\s*(编|編|部分|章|节|節|条|條)(?:之{_HAN_NUMBER})?(?=[\s、：:.．（(《]|[^\W\d]|$)"
)
# 第三章所述的规定 is a reference and no heading: a title never opens with one of these.
_REFERENCE_TAIL = re.compile(
    r"(?:所[述列称规]|的|中[的所规]|[至和与及、或]第|[和与及、]本|规定的|之规定|之一|以[上下内外及])"
)
_ENGLISH_RE = re.compile(
    r"(chapter|part|section|appendix|annex)\s+(?:\d{1,2}|[IVX]{1,5}|[A-H])\b[.:：]?", re.I
)
_ENGLISH = {
    "part": Pattern.BOOK,
    "chapter": Pattern.CHAPTER,
    "section": Pattern.SECTION,
    "appendix": Pattern.ATTACHMENT,
    "annex": Pattern.ATTACHMENT,
}
_ATTACHMENT_RE = re.compile(
    rf"(?:附\s*(?:件|录|錄|表|图)\s*(?:{_ANY_NUMBER}|[A-HＡ-Ｈ])?|附\s*{_ANY_NUMBER})(?=[\s：:、.．《（(]|$)[：:、.．]?"
)
_HAN_RE = re.compile(rf"{_HAN_NUMBER}\s*[、．.]")
_HAN_BRACKET_RE = re.compile(rf"[（(]\s*{_HAN_NUMBER}\s*[）)]")
_ARABIC_BRACKET_RE = re.compile(r"[（(]\s*\d{1,2}\s*[）)]|\d{1,2}\s*[）)]")
_CIRCLED_RE = re.compile(r"[①-⑳❶-❿]")
_DECIMAL_RE = re.compile(
    r"\d{1,2}(?:\s?[.．]\s?\d{1,2}){1,3}(?=[\s、.．：:]|[^\W\d]|[（(《“【]|$)[、.．：:]?"
)
_ARABIC_RE = re.compile(r"\d{1,2}\s*(?:[、．]|[.](?!\d))")
_BARE_RE = re.compile(r"\d{1,2}[\s\u3000]+(?=[^\W\d_])")
# What follows a number that is a quantity and no heading: 1.5 亿元, 3.2%, 10 个工作日. A title can open with
# a unit's character too (1.1 人员管理), so after a decimal the short units must end their word.
_UNIT = re.compile(
    r"[%％‰°℃]|[万亿千百]?(?:美元|元|股|吨)|[万亿]?(?:份|人|次|个|件|台|套|天|年|月|日|周|倍|米|页|版|期|号)"
    r"(?=[\W\d]|以[上下内外]|左右|$)|小时|分钟|[kKMGT]?[Bb](?:it|yte)?s?\b|[mck]?m\b|[km]?g\b|[GM]Hz\b"
)
_COUNT = re.compile(rf"{_UNIT.pattern}|[年月日天次周倍]|个(?:工作日|月|小时|人)?")


def numbering(text: str) -> Numbering | None:
    """The numbering that opens `text`, or None. Quantities (1.5 亿元), dates and references are none."""
    text = text.strip()
    found = _worded(text) or _attachment(text)
    if found is not None:
        return found
    for pattern, expression in (
        (Pattern.HAN, _HAN_RE),
        (Pattern.HAN_BRACKET, _HAN_BRACKET_RE),
        (Pattern.ARABIC_BRACKET, _ARABIC_BRACKET_RE),
        (Pattern.CIRCLED, _CIRCLED_RE),
    ):
        if match := expression.match(text):
            return _split(pattern, match)
    return _arabic(text)


def _worded(text: str) -> Numbering | None:
    if match := _WORDED_RE.match(text):
        if _REFERENCE_TAIL.match(text[match.end() :]):
            return None
        return _split(_WORDED[match.group(1)], match)
    if match := _ENGLISH_RE.match(text):
        return _split(_ENGLISH[match.group(1).lower()], match)
    return None


def _attachment(text: str) -> Numbering | None:
    match = _ATTACHMENT_RE.match(text)
    return _split(Pattern.ATTACHMENT, match) if match else None


def _arabic(text: str) -> Numbering | None:
    if match := _DECIMAL_RE.match(text):
        parts = [int(part) for part in re.findall(r"\d+", match.group())]
        if parts[0] == 0 or _UNIT.match(text[match.end() :].lstrip()):
            return None
        return _split(_DECIMALS[len(parts)], match)
    for pattern, expression in ((Pattern.ARABIC, _ARABIC_RE), (Pattern.BARE, _BARE_RE)):
        match = expression.match(text)
        if match and not (pattern is Pattern.BARE and _COUNT.match(text[match.end() :])):
            return _split(pattern, match)
    return None


def _split(pattern: Pattern, match: re.Match[str]) -> Numbering:
    return Numbering(pattern, match.group().strip(), match.string[match.end() :].strip())


_SENTENCE_END = re.compile(r"[。；，,;！!？?、…]\s*$")
_AMOUNT = re.compile(r"(?<![\w.])[-－+]?\d[\d,，]*(?:\.\d+)?%?(?![\w.])")
_ENDS_IN_AMOUNT = re.compile(r"\s[-－+]?(?:\d{1,3}(?:[,，]\d{3})+(?:\.\d+)?|\d+\.\d+)%?$")
_HAS_WORD = re.compile(r"[^\W\d_]")
_PAIRS = (("（", "）"), ("(", ")"), ("《", "》"), ("“", "”"), ("【", "】"), ("「", "」"))


def looks_like_heading(text: str, *, limit: int = MAX_HEADING_CHARS) -> bool:
    """Whether the words alone allow a heading.

    At most `limit` characters, no sentence end, brackets closed (a wrapped table label such as
    四、利润总额（亏损总额以“－”号 is none), and neither two figures after the numbering nor an amount at the
    end (a table row).
    """
    text = text.strip()
    found = numbering(text)
    title = found.title if found else text
    if found and not title:
        return found.pattern in {Pattern.BOOK, Pattern.CHAPTER, Pattern.SECTION, Pattern.ATTACHMENT}
    if len(re.sub(r"\s", "", text)) > limit or _SENTENCE_END.search(text) or not _HAS_WORD.search(title):
        return False
    mixed = title.replace("（", "(").replace("）", ")")
    if any(mixed.count(left) != mixed.count(right) for left, right in _PAIRS):
        return False
    return len(_AMOUNT.findall(title)) < 2 and not _ENDS_IN_AMOUNT.search(title)


# Patterns that stand inside another one in every file, wherever they appear first.
_DECIMAL_FAMILY = frozenset({*_DECIMALS.values(), Pattern.ARABIC_BRACKET, Pattern.CIRCLED})
_OUTERMOST = frozenset({Pattern.ATTACHMENT, Pattern.BOOK})
_ALWAYS_INSIDE: dict[Pattern, frozenset[Pattern]] = {
    Pattern.BOOK: frozenset(Pattern) - _OUTERMOST,
    Pattern.CHAPTER: frozenset(Pattern) - _OUTERMOST - {Pattern.CHAPTER},
    Pattern.SECTION: frozenset(Pattern) - _OUTERMOST - {Pattern.CHAPTER, Pattern.SECTION},
    Pattern.HAN: frozenset({Pattern.HAN_BRACKET}),
    Pattern.ARABIC: _DECIMAL_FAMILY,
    Pattern.BARE: _DECIMAL_FAMILY,
    Pattern.DECIMAL_2: frozenset({Pattern.DECIMAL_3, Pattern.DECIMAL_4}),
    Pattern.DECIMAL_3: frozenset({Pattern.DECIMAL_4}),
    Pattern.ARABIC_BRACKET: frozenset({Pattern.CIRCLED}),
}


@dataclass(frozen=True, slots=True)
class _Open:
    level: int
    pattern: Pattern | None
    size: float


class Outline:
    """Gives each heading of one file its level, fed in reading order.

    A pattern nests by the order of its first appearance in the file, so 一、 under 第一章 is level 2 and
    level 1 where there are no chapters; the pairs of `_ALWAYS_INSIDE` hold in any order. An attachment opens
    a new tree. An unnumbered heading nests by its font size under what is larger.
    """

    def __init__(self) -> None:
        self._order: list[Pattern] = []
        self._stack: list[_Open] = []

    def level(self, found: Numbering | None, *, styled: int | None = None, size: float = 0.0) -> int:
        """The level, 1..9, of the next heading.

        `styled` is a level the file itself gives (outline level, bookmark depth) and wins. `size` is the font
        height in points, 0 when unknown; sizes within 5 % are equal.
        """
        pattern = found.pattern if found else None
        if styled is not None:
            while self._stack and self._stack[-1].level >= styled:
                self._stack.pop()
            return self._open(styled, pattern, size)
        if pattern is not None:
            self._learn(pattern)
        while self._stack and not self._contains(self._stack[-1], pattern, size):
            self._stack.pop()
        return self._open(self._stack[-1].level + 1 if self._stack else 1, pattern, size)

    def _open(self, level: int, pattern: Pattern | None, size: float) -> int:
        level = max(1, min(level, MAX_LEVEL))
        if pattern is not None:
            self._learn(pattern)
        self._stack.append(_Open(level, pattern, size))
        return level

    def _learn(self, pattern: Pattern) -> None:
        if pattern in self._order:
            return
        inside = _ALWAYS_INSIDE.get(pattern, frozenset())
        place = next((i for i, known in enumerate(self._order) if known in inside), len(self._order))
        self._order.insert(place, pattern)

    def _contains(self, outer: _Open, pattern: Pattern | None, size: float) -> bool:
        if pattern is Pattern.ATTACHMENT:
            return False
        if outer.pattern is Pattern.ATTACHMENT:
            return pattern is not None or size < outer.size * 0.95
        if outer.pattern is not None and pattern is not None:
            return self._order.index(outer.pattern) < self._order.index(pattern)
        return size < outer.size * 0.95
