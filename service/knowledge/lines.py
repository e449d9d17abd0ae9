"""A passage as an answer reads it: its sentences, what each is, and what each stands under.

Headings, lead-ins and the questions of an FAQ steer: the sentences below them inherit their words.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from ingestion.analyzer import fold
from service.knowledge.table_rows import Cell, cells
from service.retrieval.results import Evidence
from service.retrieval.sentences import Span, sentences

_CHINESE = "一二三四五六七八九十百"
_HEADING_LENGTH = 40  # characters of a numbered heading or a title at most
_BARE_LENGTH = 14  # of a heading that only its shortness tells
_ITEM = re.compile(
    rf"(?:[（(]?[{_CHINESE}\d]{{1,3}}[)）]|[{_CHINESE}]{{1,3}}、|\d{{1,2}}[.、．](?!\d)|[①-⑳]"
    rf"|第[{_CHINESE}\d]+[步项]|[-•·*])"
)
_ARTICLE = re.compile(rf"第[{_CHINESE}\d]+条")
_NUMBERED: tuple[tuple[int, re.Pattern[str]], ...] = (
    (1, re.compile(rf"第[{_CHINESE}\d]+(?:章|编|部分)|附[件录]|#\s")),
    (2, re.compile(rf"第[{_CHINESE}\d]+节|[{_CHINESE}]{{1,3}}、|\d{{1,2}}\s+\D|##\s")),
    (3, re.compile(rf"[（(][{_CHINESE}]{{1,3}}[）)]|\d{{1,2}}\.\d{{1,2}}\s*\D|###\s")),
    (4, re.compile(r"\d{1,2}(?:\.\d{1,2}){2,}\s*\D|####")),
)
_TITLE, _BARE, _ASKED, _LED = 0, 5, 6, 7  # depths beside those of the numbered headings
_STOP = re.compile(r"[。；;！!，,]")
_QUESTION = re.compile(r"[？?]$")


class Role(StrEnum):
    HEADING = "heading"
    QUESTION = "question"  # of an FAQ, on a line of its own
    LEAD = "lead"  # 下列材料：
    ITEM = "item"
    ROW = "row"  # of a table, said as a sentence
    PLAIN = "plain"


QUOTABLE = frozenset({Role.ITEM, Role.ROW, Role.PLAIN})  # a lead-in is quoted only with what it leads to


@dataclass(frozen=True, slots=True)
class Line:
    """One sentence. `passage` is its position in the evidence, `place` its position in the passage.

    `heads` are the places of what it stands under, outermost first; `opens` tells that a text line begins
    with it; `text` is folded.
    """

    passage: int
    place: int
    span: Span
    text: str
    role: Role
    heads: tuple[int, ...] = ()
    cells: tuple[Cell, ...] = ()
    opens: bool = True

    @property
    def length(self) -> int:
        return self.span.end - self.span.start

    @property
    def head(self) -> int | None:
        """The place of the nearest thing above."""
        return self.heads[-1] if self.heads else None


@dataclass(slots=True)
class _Open:
    """A head the lines that follow may stand under."""

    depth: int
    place: int


def read(number: int, item: Evidence) -> list[Line]:
    """The sentences of the `number`th passage in order."""
    text, names = item.chunk.text, _names(item)
    found: list[Line] = []
    above: list[_Open] = []
    spans = list(sentences(text))
    for place, span in enumerate(spans):
        opens = "\n" in text[spans[place - 1].end : span.start] if place else True
        closes = "\n" in text[span.end : spans[place + 1].start] if place + 1 < len(spans) else True
        followed = place + 1 < len(spans)
        said = fold(text[span.start : span.end])
        row = cells(said, item.chunk.context) if opens else ()
        role, depth = _role(said, names, opens, closes, followed, bool(row))
        _close(above, found, role, depth, opens)
        heads = tuple(one.place for one in above)
        if depth is not None:
            above.append(_Open(depth, place))
        elif opens and (_ARTICLE.match(said) or (role is Role.ITEM and not closes)):
            above.append(_Open(_LED + 1, place))  # the rest of its line speaks of the same thing
        found.append(Line(number, place, span, said, role, heads, row, opens))
    return found


def _names(item: Evidence) -> frozenset[str]:
    titles = (item.document.title, *item.chunk.heading_path, *item.chunk.context.split("\n"))
    return frozenset(fold(title).strip() for title in titles if title)


def _role(
    said: str, names: frozenset[str], opens: bool, closes: bool, followed: bool, row: bool
) -> tuple[Role, int | None]:
    """What a sentence is, and its depth when others stand under it."""
    if row:
        return Role.ROW, None
    if opens and closes:
        if _QUESTION.search(said):
            return Role.QUESTION, _ASKED
        depth = _heading_depth(said, names, followed)
        if depth is not None:
            return Role.HEADING, depth
    if closes and said.endswith((":", "：")):
        return Role.LEAD, _LED
    return (Role.ITEM if opens and _ITEM.match(said) else Role.PLAIN), None


def _heading_depth(said: str, names: frozenset[str], followed: bool) -> int | None:
    if len(said) > _HEADING_LENGTH or said.endswith((":", "：", "。", "；", ";")):
        return None
    numbered = next((depth for depth, pattern in _NUMBERED if pattern.match(said)), None)
    if said in names:
        return _TITLE if numbered is None else numbered
    if not followed or _STOP.search(said):
        return None
    if numbered is not None:
        return numbered
    bare = len(said) <= _BARE_LENGTH and not any(char.isdigit() for char in said) and not _ITEM.match(said)
    return _BARE if bare and said[-1:].isalnum() else None


def _close(above: list[_Open], found: Sequence[Line], role: Role, depth: int | None, opens: bool) -> None:
    """Take off what does not reach down to the coming line."""
    if depth is not None and depth < _LED:
        while above and above[-1].depth >= depth:
            above.pop()
        return
    if not opens:
        return
    while above and above[-1].depth > _LED:
        above.pop()
    leads = bool(above) and above[-1].depth == _LED
    just_led = bool(found) and found[-1].role is Role.LEAD
    if leads and (depth == _LED or not (role in (Role.ITEM, Role.ROW) or just_led)):
        above.pop()


def under(head: Line, lines: Sequence[Line]) -> Iterator[Line]:
    """The lines of its passage that stand under `head`, in order."""
    return (line for line in lines if line.passage == head.passage and head.place in line.heads)
