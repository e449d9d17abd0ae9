"""Lines back to paragraphs, also over the end of a column or page. Which are headings: `pdf_headings`."""

import re
import statistics
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from ingestion.documents import Box
from ingestion.glyphs import close_spaced_han, join_lines
from ingestion.headings import Pattern, numbering
from ingestion.parsers.pdf_layout import Item, Line, PlacedTable
from ingestion.parsers.pdf_tables import normalise_line

_SENTENCE_END = re.compile(r"[。！？；：!?;:][”’」』）)]?$")
_BULLET = re.compile(r"^(?:[•●○◆◇■▪▲△★※➢➤►▶]|[-–—*]\s)")
_LATIN_WORD = re.compile(r"[!-~]+")
_FULL = 0.95  # a line reaches its column's right edge from here on
_SAME_SIZE = 0.06
# The base lines of one paragraph are no further apart than 1.6 times the file's usual distance, or 2.8 sizes
# (double spacing with the font's own leading).
_WIDE_LEADING = 1.6
_WIDEST_LEADING = 2.8


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Joined lines. `chars` counts the raw characters."""

    lines: tuple[Line, ...]
    text: str

    @property
    def first(self) -> Line:
        return self.lines[0]

    @property
    def chars(self) -> int:
        return sum(line.chars for line in self.lines)

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
    right: dict[int, float] = field(default_factory=dict)  # right edge of single-column pages, by page


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


def _right_edges(lines: Sequence[Line], widths: Sequence[float]) -> dict[int, float]:
    """Per page of one column, the right edge of its text.

    That is where several lines end together. A page without such a place, or with one far left of the others
    (a list of short lines), takes the file's median; at the least, symmetric margins less 15 % are assumed.
    """
    pages: dict[int, list[Line]] = {}
    for line in lines:
        if line.zone.whole:
            pages.setdefault(line.page, []).append(line)
    own = {page: _common_end(on_page) for page, on_page in pages.items()}
    by_width: dict[float, list[float]] = {}
    for page, end in own.items():
        if end is not None:
            by_width.setdefault(widths[page], []).append(end)
    edges: dict[int, float] = {}
    for page, on_page in pages.items():
        width = widths[page]
        symmetric = 0.85 * (width - min(line.box.x0 for line in on_page))
        usual = max(statistics.median(by_width.get(width, [0.0])), symmetric)
        end = own[page]
        edges[page] = end if end is not None and end > usual - 0.15 * width else usual
    return edges


def _common_end(lines: Sequence[Line]) -> float | None:
    """The rightmost place at which three lines and 15 % of the lines end within one character."""
    ends = sorted(((line.box.x1, line.size) for line in lines), reverse=True)
    enough = max(3, 0.15 * len(lines))
    for i, (end, size) in enumerate(ends):
        together = sum(other >= end - 1.2 * size for other, _ in ends[i:])
        if together >= enough:
            return end
    return None


def paragraphs(items: Sequence[Item], measures: Measures) -> list[Paragraph | PlacedTable]:
    """Joins the lines of a file, in reading order and free of noise, into paragraphs."""
    joiner = _Joiner(measures)
    for item in items:
        if isinstance(item, PlacedTable):
            joiner.table(item)
        else:
            joiner.line(item)
    return joiner.result()


class _Joiner:
    def __init__(self, measures: Measures) -> None:
        self._measures = measures
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
        if line.page != last.page and not (line.zone.flows and last.zone.flows):
            return False  # a slide ends with its page
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
        return self._measures.right.get(line.page, line.zone.right)

    def _far_below(self, last: Line, line: Line) -> bool:
        if last.page != line.page or line.box.top < last.box.top:
            return False  # the next column or page
        distance = line.box.bottom - last.box.bottom
        return distance > max(_WIDE_LEADING * self._measures.leading, _WIDEST_LEADING * line.size)

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
