"""Lines back to paragraphs, also over the end of a column or page. Which are headings: `pdf_headings`."""

import re
import statistics
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from ingestion.documents import Box, count_chars
from ingestion.glyphs import close_spaced_han, join_lines
from ingestion.headings import Pattern, numbering
from ingestion.parsers.pdf_layout import Item, Line, PlacedTable
from ingestion.parsers.pdf_tables import normalise_line

_SENTENCE_END = re.compile(r"[。！？；：!?;:][”’」』）)]?$")
_BULLET = re.compile(r"^(?:[•●○◆◇■□▪▲△★※➢➤✓√►▶]|[-–—*]\s)")
_LATIN_WORD = re.compile(r"[!-~]+")
_FULL = 0.95  # a line reaches its column's right edge from here on
_SAME_SIZE = 0.06
_WIDE_LEADING = 1.6  # times the usual distance of two base lines


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Joined lines. `chars` counts the raw characters; `alone` = nothing else was joined to the one line."""

    lines: tuple[Line, ...]
    text: str

    @property
    def first(self) -> Line:
        return self.lines[0]

    @property
    def chars(self) -> int:
        return sum(line.chars for line in self.lines)

    @property
    def kept_chars(self) -> int:
        """Without what normalising and joining removed: zero-width characters, line-end hyphens."""
        return min(self.chars, count_chars(self.text))

    @property
    def is_bullet(self) -> bool:
        return bool(_BULLET.match(self.text))

    @property
    def boxes(self) -> tuple[Box, ...]:
        """The lines' boxes on the page the paragraph begins on."""
        return tuple(line.box for line in self.lines if line.page == self.first.page)


@dataclass(frozen=True, slots=True)
class Measures:
    """What is usual in this file: body size, distance of lines, right edge of single-column pages."""

    body_size: float = 0.0
    body_bold: bool = False
    leading: float = 0.0
    right: dict[float, float] = field(default_factory=dict)  # by page width


def measure(items: Sequence[Item], widths: Sequence[float]) -> Measures:
    """`widths` are the page widths in points. Body size = the size most characters have."""
    lines = [item for item in items if isinstance(item, Line)]
    if not lines:
        return Measures()
    sizes: Counter[float] = Counter()
    bold = 0
    for line in lines:
        sizes[round(line.size * 2) / 2] += line.chars
        bold += line.chars if line.bold else 0
    distances = [
        after.box.bottom - before.box.bottom
        for before, after in zip(lines, lines[1:], strict=False)
        if before.page == after.page and 0 < after.box.bottom - before.box.bottom < 4 * after.size
    ]
    return Measures(
        sizes.most_common(1)[0][0],
        bold * 2 > sum(line.chars for line in lines),
        statistics.median(distances) if distances else 0.0,
        _right_edges(lines, widths),
    )


def _right_edges(lines: Sequence[Line], widths: Sequence[float]) -> dict[float, float]:
    """Per page width, the median over the pages of where the longest line ends.

    At least where symmetric margins would put it, less 15 %: a page of short lines only has no full line.
    """
    ends: dict[float, dict[int, float]] = {}
    lefts: dict[float, float] = {}
    for line in lines:
        if line.zone.whole:
            width = widths[line.page]
            pages = ends.setdefault(width, {})
            pages[line.page] = max(pages.get(line.page, 0.0), line.box.x1)
            lefts[width] = min(lefts.get(width, width), line.box.x0)
    return {
        width: max(statistics.median(pages.values()), 0.85 * (width - lefts[width]))
        for width, pages in ends.items()
    }


def paragraphs(
    items: Sequence[Item], measures: Measures, widths: Sequence[float]
) -> list[Paragraph | PlacedTable]:
    """Joins the lines of a file, in reading order and free of noise, into paragraphs."""
    joiner = _Joiner(measures, widths)
    for item in items:
        if isinstance(item, PlacedTable):
            joiner.table(item)
        else:
            joiner.line(item)
    return joiner.result()


class _Joiner:
    def __init__(self, measures: Measures, widths: Sequence[float]) -> None:
        self._measures = measures
        self._widths = widths
        self._lines: list[Line] = []
        self._done: list[Paragraph | PlacedTable] = []

    def table(self, table: PlacedTable) -> None:
        self._close()
        self._done.append(table)

    def line(self, line: Line) -> None:
        line = replace(line, text=close_spaced_han(normalise_line(line.text)))
        if self._lines and not self._continues(line):
            self._close()
        self._lines.append(line)

    def result(self) -> list[Paragraph | PlacedTable]:
        self._close()
        return self._done

    def _close(self) -> None:
        if self._lines:
            text = ""
            for line in self._lines:
                text = join_lines(text, line.text)
            self._done.append(Paragraph(tuple(self._lines), text.strip()))
        self._lines = []

    def _continues(self, line: Line) -> bool:
        """Whether `line` goes on with the open paragraph."""
        first, last = self._lines[0], self._lines[-1]
        if abs(line.size - last.size) > _SAME_SIZE * max(line.size, last.size):
            return False
        if _BULLET.match(line.text) or not self._is_full(last, line):
            return False
        if self._far_below(last, line) or self._indented(line):
            return False
        if last.bold != line.bold and len(self._lines) == 1 and last.bold:
            return False
        flush = line.box.x0 < first.box.x0 - 0.8 * line.size and last.zone == line.zone
        ended = bool(_SENTENCE_END.search(last.text))
        if _opens_item(line.text):
            return not ended and flush
        return flush or not ended

    def _is_full(self, last: Line, line: Line) -> bool:
        """The last line reaches its right edge: the next line's first word would not have fitted."""
        right = self._right_of(last)
        width = max(right - last.zone.left, 1.0)
        if last.zone.whole or last.zone.right - last.zone.left > 20 * last.size:
            if last.box.x1 >= last.zone.left + _FULL * width:
                return True
        elif last.chars < 12:
            return False  # a short line in a slide's box stands for itself
        word = _LATIN_WORD.match(line.text)
        needed = 0.5 * last.size * len(word.group()) + 0.3 * last.size if word else 1.5 * last.size
        return last.box.x1 + min(needed, 0.4 * width) > right

    def _right_of(self, line: Line) -> float:
        if not line.zone.whole:
            return line.zone.right
        return self._measures.right.get(self._widths[line.page], line.zone.right)

    def _far_below(self, last: Line, line: Line) -> bool:
        if last.page != line.page or line.box.top < last.box.top:
            return False  # the next column or page
        distance = line.box.bottom - last.box.bottom
        return distance > _WIDE_LEADING * max(self._measures.leading, 1.1 * line.size)

    def _indented(self, line: Line) -> bool:
        """Further right than the paragraph's own lines; hanging lines of an item are no new paragraph."""
        if line.page != self._lines[-1].page or line.zone != self._lines[-1].zone:
            indent = line.box.x0 - line.zone.left
            return indent > 1.2 * line.size and len(self._lines) > 1 and indent < 6 * line.size
        reference = self._lines[1] if len(self._lines) > 1 else self._lines[0]
        further = line.box.x0 > reference.box.x0 + 0.8 * line.size
        hanging = len(self._lines) == 1 and (
            _BULLET.match(reference.text) is not None or numbering(reference.text) is not None
        )
        return further and not hanging


def _opens_item(text: str) -> bool:
    found = numbering(text)
    if found is None:
        return False
    return found.pattern not in {Pattern.BARE} and bool(found.title)
