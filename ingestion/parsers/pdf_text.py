"""What pdfium says about one page: runs of characters with their boxes. What is drawn is in `pdf_drawing`.

Coordinates are points from the top left of the page as it is displayed. Every non-white character pdfium
counts is in exactly one `Run`, so the account of a page can be checked against `PageText.chars`.
"""

import ctypes
import math
import re
import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

import pypdfium2 as pdfium
import pypdfium2.raw as raw

from ingestion.documents import Box, count_chars
from ingestion.glyphs import normalise
from ingestion.parsers.pdf_drawing import Drawing, Placement, read_drawing

_NEWLINES = frozenset((10, 13))
_BOLD_NAME = re.compile(r"bold|black|heavy|demi|(?<!ya)hei(?!.*light)|黑|小标宋", re.I)
# In character heights. Wider, and what follows is another column or cell; where pdfium breaks the line it
# has seen another text object, so less is enough.
_WIDEST_GAP = 1.6
_WIDEST_GAP_AT_BREAK = 0.6
_HYPHENS = frozenset((0x02, 0xFFFE))  # pdfium's stand-ins for a hyphen at a line end
_WIDE_BLANKS = frozenset((0x85, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x2028, 0x2029, 0x202F, 0x205F, 0x3000))
_SOFT_HYPHEN, _UNREADABLE, _BLANK = 0xAD, 0xFFFD, 0x20


class Glyph(NamedTuple):
    """One character as drawn; `spaced`: a blank stands before it. A tuple, since there are millions."""

    char: str
    x0: float
    top: float
    x1: float
    bottom: float
    spaced: bool


_NO_GLYPH = Glyph("", 0.0, 0.0, 0.0, 0.0, False)


@dataclass(frozen=True, slots=True)
class Run:
    """Characters drawn side by side on one base line. `text` is raw; `size` is the font height in points."""

    text: str
    box: Box
    size: float
    bold: bool
    glyphs: tuple[Glyph, ...]
    slanted: bool = False  # neither level nor upright: a watermark

    @property
    def chars(self) -> int:
        return count_chars(self.text)

    def part(self, glyphs: Sequence[Glyph]) -> "Run":
        """The run of some of its characters."""
        return replace(self, text=_text_of(glyphs), box=_box_of(glyphs), glyphs=tuple(glyphs))


@dataclass(frozen=True, slots=True)
class PageText:
    """A page: its size, its runs in the order of the content stream, and what is drawn on it."""

    width: float
    height: float
    runs: tuple[Run, ...]
    drawing: Drawing
    chars: int  # non-white characters pdfium counts, whatever the runs made of them

    @property
    def landscape(self) -> bool:
        return self.width > self.height * 1.15


def read_page(page: pdfium.PdfPage) -> PageText:
    """Reads one page. Raises pdfium.PdfiumError when the page cannot be loaded."""
    width, height = page.get_size()
    place = Placement(page)
    text_page = page.get_textpage()
    try:
        reader = _Reader(text_page, place)
        runs = tuple(reader.runs())
    finally:
        text_page.close()
    return PageText(width, height, runs, read_drawing(page, place), reader.chars)


class _Reader:
    """Walks the characters of a page and cuts them into runs. The loop is flat: it sees every character."""

    def __init__(self, text_page: pdfium.PdfTextPage, place: Placement) -> None:
        self._page = text_page.raw
        self._place = place
        self.chars = 0  # counted where pdfium gives them, before runs are made

    def runs(self) -> Iterator[Run]:
        glyphs: list[Glyph] = []
        first = last = 0  # indices of the current run's first and last character
        broken = spaced = False  # pdfium put a line break, or a blank, before the next character
        previous = _NO_GLYPH
        for i, code, x0, top, x1, bottom in self._characters():
            if code in _NEWLINES:
                broken = True
                continue
            char = chr(_SOFT_HYPHEN if code in _HYPHENS else code)
            if char.isspace():
                spaced = True
                continue
            if glyphs and not _continues(previous, x0, top, bottom, broken):
                yield self._run(glyphs, first, last)
                glyphs = []
            if not glyphs:
                first, spaced = i, False
            last, broken = i, False
            previous = Glyph(char, x0, top, x1, bottom, spaced)
            spaced = False
            glyphs.append(previous)
        if glyphs:
            yield self._run(glyphs, first, last)

    def _characters(self) -> Iterator[tuple[int, int, float, float, float, float]]:
        """Index, code point and box of each character; pairs of surrogates as one, half a pair as U+FFFD."""
        page, place = self._page, self._place.box
        unicode_at, box_at = raw.FPDFText_GetUnicode, raw.FPDFText_GetLooseCharBox
        rect = raw.FS_RECTF()
        pointer = ctypes.byref(rect)
        count = raw.FPDFText_CountChars(page)
        high = 0
        for i in range(count):
            code = unicode_at(page, i)
            if code <= _BLANK:
                if chr(code).isspace():  # other control characters draw nothing and count as nothing
                    yield i, code, 0.0, 0.0, 0.0, 0.0
                if code not in _HYPHENS:
                    continue
            elif 0xD800 <= code < 0xE000:
                if high and code >= 0xDC00:
                    code, high = 0x10000 + ((high - 0xD800) << 10) + code - 0xDC00, 0
                elif code < 0xDC00 and i + 1 < count and 0xDC00 <= unicode_at(page, i + 1) < 0xE000:
                    high = code
                    continue
                else:
                    code = _UNREADABLE
            self.chars += code not in _WIDE_BLANKS
            box_at(page, i, pointer)
            x0, top, x1, bottom = place(rect.left, rect.bottom, rect.right, rect.top)
            yield i, code, x0, top, x1, bottom

    def _run(self, glyphs: Sequence[Glyph], first: int, last: int) -> Run:
        height = statistics.median_low([glyph.bottom - glyph.top for glyph in glyphs])
        angle = math.degrees(raw.FPDFText_GetCharAngle(self._page, first)) % 90
        return Run(
            _text_of(glyphs),
            _box_of(glyphs),
            _font_size(self._page, first, height),
            _is_bold(self._page, first) and _is_bold(self._page, last),
            tuple(glyphs),
            slanted=10 < angle < 80,
        )


def _continues(last: Glyph, x0: float, top: float, bottom: float, broken: bool) -> bool:
    """Whether a character goes on with the run: on the same base line, neither far right nor to the left."""
    height = bottom - top
    if top != last.top or bottom != last.bottom:
        height = min(last.bottom - last.top, height)
        if min(last.bottom, bottom) - max(last.top, top) < 0.5 * height:
            return False
    height = height or 0.1
    widest = _WIDEST_GAP_AT_BREAK if broken else _WIDEST_GAP
    return -height < x0 - last.x1 <= widest * height


def _text_of(glyphs: Sequence[Glyph]) -> str:
    text = "".join(f" {glyph.char}" if glyph.spaced else glyph.char for glyph in glyphs)
    return text.lstrip()


def _box_of(glyphs: Sequence[Glyph]) -> Box:
    return Box(
        min(glyph.x0 for glyph in glyphs),
        min(glyph.top for glyph in glyphs),
        max(glyph.x1 for glyph in glyphs),
        max(glyph.bottom for glyph in glyphs),
    )


def _font_size(page: object, index: int, height: float) -> float:
    """The drawn size of a character: its nominal size through its matrix.

    Some producers write size 1 or 180 and scale by the matrix; where even that is out of proportion to the
    character's box, the box height is taken.
    """
    matrix = raw.FS_MATRIX()
    if not raw.FPDFText_GetMatrix(page, index, ctypes.byref(matrix)):
        return height
    size = float(raw.FPDFText_GetFontSize(page, index)) * math.hypot(matrix.c, matrix.d)
    return size if 0.4 * height < size < 2.5 * height else height


def _is_bold(page: object, index: int) -> bool:
    if raw.FPDFText_GetFontWeight(page, index) >= 600:
        return True
    text_object = raw.FPDFText_GetTextObject(page, index)
    stroked = raw.FPDFTextObj_GetTextRenderMode(text_object) == raw.FPDF_TEXTRENDERMODE_FILL_STROKE
    return stroked or _bold_name(_font_name(page, index))


def _font_name(page: object, index: int) -> bytes:
    buffer = ctypes.create_string_buffer(128)
    flags = ctypes.c_int()
    length = raw.FPDFText_GetFontInfo(page, index, buffer, 128, ctypes.byref(flags))
    return buffer.value if 0 < length <= 128 else b""


@lru_cache(maxsize=512)
def _bold_name(name: bytes) -> bool:
    """Whether a font's name says bold, or 黑体: the face of Chinese headings."""
    return bool(_BOLD_NAME.search(name.decode("utf-8", "replace")))


_GARBAGE = re.compile(r"\(cid:\d+\)|/G[0-9A-F]{2}|[\ufffd\ue000-\uf8ff\x01-\x08\x0e-\x1f]")
_MOSTLY_GARBAGE = 0.2
_FEW_CHARS = 30
_SMALL_IMAGE = 0.01  # share of the page; a logo on an otherwise blank page is less
_MANY_OBJECTS = 50  # text drawn as outlines


def needs_ocr(page: PageText) -> bool:
    """Whether the page's text layer cannot be its content, decided for each page alone.

    No text although something is drawn, fewer than 30 characters beside an image over half the page, or more
    than 20 % of the characters without a meaning.
    """
    drawing = page.drawing
    if page.chars == 0:
        return drawing.image_share > _SMALL_IMAGE or drawing.objects > _MANY_OBJECTS
    if page.chars < _FEW_CHARS and drawing.image_share > 0.5:
        return True
    return is_garbled(page)


def is_garbled(page: PageText) -> bool:
    """More than 20 % of the characters are private, replacement or raw glyph codes."""
    text = normalise("".join(run.text for run in page.runs))
    bad = sum(len(match.group()) for match in _GARBAGE.finditer(text))
    return bad > _MOSTLY_GARBAGE * max(count_chars(text), 1)
