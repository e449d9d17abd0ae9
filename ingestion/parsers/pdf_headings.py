"""Which paragraphs of a PDF are headings, and at which level.

Evidence, strongest first: a bookmark or a table-of-contents entry with the same words, a numbering in larger
or bold type or on a line of its own, larger or bold type alone.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from ingestion.headings import Numbering, Outline, Pattern, looks_like_heading, numbering
from ingestion.parsers.pdf_paragraphs import Measures, Paragraph

_MIN_BOOKMARKS = 3  # fewer are stray
_LARGER = 1.08  # times the body size, for numbered headings
_MUCH_LARGER = 1.15  # and for those without a number
_MAX_BOLD_CHARS = 30
_MAX_LINES = 3
_WITHOUT_TYPE = frozenset({Pattern.BOOK, Pattern.CHAPTER, Pattern.SECTION, Pattern.ATTACHMENT, Pattern.HAN})
_ALONE_ONLY = frozenset(
    {Pattern.HAN_BRACKET, Pattern.ARABIC, Pattern.DECIMAL_2, Pattern.DECIMAL_3, Pattern.DECIMAL_4}
)
_ITEMS = frozenset({Pattern.ARABIC, Pattern.BARE, Pattern.ARABIC_BRACKET, Pattern.CIRCLED})
# Captions of tables and figures, formulas, remarks in brackets.
_CLAUSE_MARK = re.compile(r"[，。；！？]")
_NO_TITLE = re.compile(r"^(?:续?表|图|Table|Figure|Fig\.)\s*\d|=|^[（(][^）)]{5,}[）)]$", re.I)


@dataclass(frozen=True, slots=True)
class Bookmark:
    """An entry of the PDF's outline; `page` counts from 0, `level` from 1."""

    title: str
    page: int
    level: int


def heading_levels(
    items: Sequence[object],
    measures: Measures,
    bookmarks: Sequence[Bookmark],
    contents: Collection[str],
) -> dict[int, int]:
    """Index of each heading among `items`, with its level. `contents` are titles of a table of contents."""
    bookmarked = _bookmarked(items, bookmarks)
    titles = {_key(title) for title in contents if _key(title)}
    judge = _Judge(items, measures, titles)
    outline = Outline()
    levels: dict[int, int] = {}
    for i in sorted(bookmarked.keys() | judge.headings()):
        item = items[i]
        if isinstance(item, Paragraph):
            found = numbering(item.text)
            levels[i] = outline.level(found, styled=bookmarked.get(i), size=item.first.size)
    return levels


def _bookmarked(items: Sequence[object], bookmarks: Sequence[Bookmark]) -> dict[int, int]:
    if len(bookmarks) < _MIN_BOOKMARKS:
        return {}
    places: dict[tuple[int, str], list[int]] = {}
    for i, item in enumerate(items):
        if isinstance(item, Paragraph):
            places.setdefault((item.first.page, _key(item.text)), []).append(i)
    found: dict[int, int] = {}
    for bookmark in bookmarks:
        for i in places.get((bookmark.page, _key(bookmark.title)), ()):
            if i not in found:
                found[i] = bookmark.level
                break
    return found


def _key(text: str) -> str:
    return re.sub(r"\s", "", unicodedata.normalize("NFKC", text)).lower()


class _Judge:
    def __init__(self, items: Sequence[object], measures: Measures, titles: Collection[str]) -> None:
        self._items = items
        self._measures = measures
        self._titles = titles

    def headings(self) -> set[int]:
        """Indices of the headings. Where most items of a list pattern are no headings, none is."""
        total: Counter[Pattern] = Counter()
        judged: dict[int, Pattern | None] = {}
        for i, item in enumerate(self._items):
            if not isinstance(item, Paragraph):
                continue
            found = numbering(item.text)
            pattern = found.pattern if found and found.pattern in _ITEMS else None
            if pattern is not None:
                total[pattern] += 1
            if self.is_heading(i, item):
                judged[i] = None if _key(item.text) in self._titles else pattern
        accepted = Counter(pattern for pattern in judged.values() if pattern is not None)
        return {
            i for i, pattern in judged.items() if pattern is None or 2 * accepted[pattern] >= total[pattern]
        }

    def is_heading(self, index: int, paragraph: Paragraph) -> bool:
        found = numbering(paragraph.text)
        if len(paragraph.lines) > _MAX_LINES or paragraph.is_bullet or (found and found.is_clause):
            return False
        if _key(paragraph.text) in self._titles:
            return True
        if not looks_like_heading(paragraph.text) or _NO_TITLE.search(paragraph.text):
            return False
        if found and found.pattern in _ITEMS and paragraph.text.endswith(("：", ":")):
            return False
        if not paragraph.first.zone.whole and found and self._in_list(index, found):
            return False
        size = paragraph.first.size / max(self._measures.body_size, 0.1)
        bold = paragraph.first.bold and not self._measures.body_bold
        if found is None:
            return size >= _MUCH_LARGER or (bold and size >= 0.95 and self._is_bold_title(index, paragraph))
        return size >= _LARGER or bold or self._stands_alone(index, paragraph, found)

    def _is_bold_title(self, index: int, paragraph: Paragraph) -> bool:
        """Short, on one line, and not one of several bold lines in a row (a bold passage)."""
        follower = self._paragraph(index + 1)
        in_passage = follower is not None and follower.first.bold and not numbering(follower.text)
        short = len(paragraph.lines) == 1 and len(paragraph.text) <= _MAX_BOLD_CHARS
        return short and not in_passage and not _CLAUSE_MARK.search(paragraph.text)

    def _stands_alone(self, index: int, paragraph: Paragraph, found: Numbering) -> bool:
        """A numbered line in body type: an item of a list when its like stands next to it."""
        if len(paragraph.lines) > 1 or paragraph.first.size < 0.95 * self._measures.body_size:
            return False
        if found.pattern in _WITHOUT_TYPE:
            return True
        if found.pattern not in _ALONE_ONLY:
            return False
        return not self._in_list(index, found)

    def _in_list(self, index: int, found: Numbering) -> bool:
        return any(self._is_sibling(place, found) for place in (index - 1, index + 1))

    def _is_sibling(self, index: int, found: Numbering) -> bool:
        other = self._paragraph(index)
        sibling = numbering(other.text) if other else None
        return sibling is not None and sibling.pattern is found.pattern

    def _paragraph(self, index: int) -> Paragraph | None:
        item = self._items[index] if 0 <= index < len(self._items) else None
        return item if isinstance(item, Paragraph) else None
