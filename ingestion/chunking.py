"""Cuts a parsed document into chunks 切片: the units that are embedded, found and cited.

    blocks -> runs (one section each, notes apart) -> groups (short siblings together) -> units -> chunks

A unit is what is kept whole: an article, a paragraph, a table row; only what exceeds `maximum` by itself is
cut at sentences, then at commas, then anywhere. Every chunk is a slice of the canonical text.
"""

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from uuid import UUID, uuid5

from ingestion.documents import Block, BlockKind, Chunk, Parsed
from ingestion.headings import numbering

MINIMUM = 500
MAXIMUM = 800
PATH_ITEM_LIMIT = 80  # characters of one heading in a heading path
IDS = UUID("6f0c3f6e-4a53-5f0e-9b0e-4d8a5c1d2b77")  # namespace of chunk ids

_SENTENCE_END = re.compile(r"[。！？!?；;…]+[”’」』）)】\"']*\s*|\n+|(?<=[a-z0-9)])\.\s+")
_CLAUSE_END = re.compile(r"[，,、：:]\s*|\s+")
_ANNOUNCES = ("：", ":")  # a list follows: a bad place to cut
_COST_OF_PARTING_A_LIST = 0.5
_COST_OF_A_CHUNK = 0.01  # between equal solutions, fewer chunks


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of the canonical text, `start` inclusive, `end` exclusive."""

    start: int
    end: int

    def __len__(self) -> int:
        return self.end - self.start

    def to(self, other: "Span") -> "Span":
        return Span(self.start, other.end)


@dataclass(frozen=True, slots=True)
class _Run:
    """Consecutive blocks of one section, under the headings `above`, the last of which is its own."""

    above: tuple[Block, ...]
    blocks: tuple[Block, ...]

    @property
    def path(self) -> tuple[str, ...]:
        return _path(self.above)

    @property
    def section(self) -> tuple[int, ...]:
        """Offsets of the headings: two sections may have equal names."""
        return tuple(heading.anchor.char_start for heading in self.above)

    @property
    def span(self) -> Span:
        return Span(self.blocks[0].anchor.char_start, self.blocks[-1].anchor.char_end)

    @property
    def is_note(self) -> bool:
        return any(block.kind is BlockKind.NOTE for block in self.blocks)


def chunk(parsed: Parsed, revision_id: str, *, minimum: int = MINIMUM, maximum: int = MAXIMUM) -> list[Chunk]:
    """The chunks of a revision in reading order; together they cover its canonical text exactly once.

    `minimum` and `maximum` are characters of a chunk's text: the maximum always holds, the minimum where the
    section, together with its short siblings, has that much.
    """
    text = parsed.text
    packer = _Packer(text, minimum, maximum)
    counts: Counter[tuple[tuple[str, ...], str]] = Counter()
    chunks: list[Chunk] = []
    for path, runs in _grouped(_runs(parsed.blocks), packer):
        blocks = [block for run in runs for block in run.blocks]
        starts = [block.anchor.char_start for block in blocks]
        for span in packer.pack(_units(blocks, packer)):
            piece = text[span.start : span.end]
            counts[path, piece] += 1
            identity = chunk_id(revision_id, path, piece, counts[path, piece])
            first = bisect_right(starts, span.start) - 1
            inside = blocks[first : bisect_left(starts, span.end)]
            chunks.append(
                Chunk(
                    identity,
                    revision_id,
                    len(chunks),
                    path,
                    piece,
                    span.start,
                    span.end,
                    tuple(block.anchor for block in inside),
                    "\n".join(dict.fromkeys(block.context for block in inside if block.context)),
                )
            )
    return chunks


def stretches(
    text: str, units: Sequence[Span], *, minimum: int = MINIMUM, maximum: int = MAXIMUM
) -> list[Span]:
    """Neighbouring units of a text joined to spans of `minimum` to `maximum` characters, where they allow it;
    a unit above the maximum is cut at sentences, then at commas, then anywhere."""
    packer = _Packer(text, minimum, maximum)
    return packer.pack([piece for unit in units for piece in packer.cut(unit)])


def chunk_id(revision_id: str, path: tuple[str, ...], text: str, occurrence: int) -> str:
    """Content decides the id, never the position: a re-ingest finds its own points again."""
    return str(uuid5(IDS, "\x1f".join((revision_id, "\x1e".join(path), text, str(occurrence)))))


# --- sections ----------------------------------------------------------------------------------------------


def _runs(blocks: Sequence[Block]) -> list[_Run]:
    """One run per section and, within it, apart for notes. A heading without text joins what follows it."""
    runs: list[_Run] = []
    above: list[Block] = []
    current: list[Block] = []
    for block in blocks:
        if block.kind is BlockKind.HEADING:
            if not _only_headings(current):
                runs.append(_Run(tuple(above), tuple(current)))
                current = []
            above = [*(heading for heading in above if heading.level < block.level), block]
        elif not _only_headings(current) and (block.kind is BlockKind.NOTE) != (
            current[-1].kind is BlockKind.NOTE
        ):
            runs.append(_Run(tuple(above), tuple(current)))
            current = []
        current.append(block)
    if current:
        runs.append(_Run(tuple(above), tuple(current)))
    return _last_heading_joined(runs)


def _only_headings(blocks: Sequence[Block]) -> bool:
    return all(block.kind is BlockKind.HEADING for block in blocks)


def _path(headings: Sequence[Block]) -> tuple[str, ...]:
    return tuple(" ".join(heading.text.split())[:PATH_ITEM_LIMIT] for heading in headings)


def _last_heading_joined(runs: list[_Run]) -> list[_Run]:
    """Headings at the very end have nothing below them and join what stands above."""
    if len(runs) > 1 and _only_headings(runs[-1].blocks):
        above, last = runs[-2:]
        runs[-2:] = [_Run(above.above, (*above.blocks, *last.blocks))]
    return runs


def _grouped(runs: Sequence[_Run], packer: "_Packer") -> Iterator[tuple[tuple[str, ...], list[_Run]]]:
    """Short neighbouring sections with the same parent together, under the parent's path, and with them the
    parent's own short text above its first sub-section."""

    def key(place: int) -> tuple[object, ...]:
        run = runs[place]
        if run.is_note or len(run.span) >= packer.minimum:
            return ("alone", place)
        following = runs[place + 1] if place + 1 < len(runs) else None
        leads_in = following is not None and following.section[:-1] == run.section != following.section
        return ("short", run.section if leads_in else run.section[:-1])

    for (kind, _), places in groupby(range(len(runs)), key):
        members = [runs[place] for place in places]
        if kind == "alone":
            yield members[0].path, members
            continue
        by_start = {run.span.start: number for number, run in enumerate(members)}
        packed = [by_start[span.start] for span in packer.pack([run.span for run in members])]
        for first, following in zip(packed, [*packed[1:], len(members)], strict=True):
            siblings = members[first:following]
            yield (siblings[0].path if len(siblings) == 1 else siblings[-1].path[:-1]), siblings


# --- units -------------------------------------------------------------------------------------------------


def _units(blocks: Sequence[Block], packer: "_Packer") -> list[Span]:
    """What is kept whole, in order: articles that fit, else their blocks, else pieces of a block."""
    units: list[Span] = []
    for article in _articles(blocks):
        whole = _span_of(article)
        parts = [[whole]] if len(whole) <= packer.maximum else [packer.cut(s) for s in _block_spans(article)]
        units.extend(span for part in parts for span in part)
    return units


def _articles(blocks: Sequence[Block]) -> Iterator[list[Block]]:
    """A clause (第N条) with its paragraphs; every other block by itself; headings with what follows them."""
    current: list[Block] = []
    in_clause = False
    for block in blocks:
        opens = block.kind is BlockKind.HEADING or _is_clause(block)
        goes_on = in_clause and not opens and block.kind in {BlockKind.PARAGRAPH, BlockKind.LIST}
        if current and not goes_on and not _only_headings(current):
            yield current
            current = []
        if not goes_on:
            in_clause = _is_clause(block)
        current.append(block)
    if current:
        yield current


def _is_clause(block: Block) -> bool:
    if block.kind not in {BlockKind.PARAGRAPH, BlockKind.LIST}:
        return False
    found = numbering(block.text[:40])
    return found is not None and found.is_clause


def _span_of(blocks: Sequence[Block]) -> Span:
    return Span(blocks[0].anchor.char_start, blocks[-1].anchor.char_end)


def _block_spans(blocks: Sequence[Block]) -> Iterator[Span]:
    """One span per block; headings open the span of the block below them."""
    start: int | None = None
    for block, following in zip(blocks, (*blocks[1:], None), strict=True):
        start = block.anchor.char_start if start is None else start
        if block.kind is not BlockKind.HEADING or following is None:
            yield Span(start, block.anchor.char_end)
            start = None


class _Packer:
    """Cuts and packs spans of one text under the limits of a chunk."""

    def __init__(self, text: str, minimum: int, maximum: int) -> None:
        if not 0 < minimum <= maximum:
            raise ValueError(f"chunk sizes must satisfy 0 < minimum <= maximum, not {minimum}, {maximum}")
        self._text = text
        self.minimum = minimum
        self.maximum = maximum

    def cut(self, span: Span) -> list[Span]:
        """Pieces of at most `maximum` characters: sentences, where one is too long its clauses, else equal
        stretches of a text without any break."""
        if len(span) <= self.maximum:
            return [span]
        for pattern in (_SENTENCE_END, _CLAUSE_END):
            ends = [match.end() for match in pattern.finditer(self._text, span.start, span.end)]
            pieces = self._between(span, ends)
            if len(pieces) > 1:
                return [small for piece in pieces for small in self.cut(piece)]
        return self._between(span, range(span.start + self.maximum, span.end, self.maximum))

    @staticmethod
    def _between(span: Span, ends: Sequence[int]) -> list[Span]:
        cuts = [span.start, *(end for end in ends if span.start < end < span.end), span.end]
        return [Span(start, end) for start, end in zip(cuts, cuts[1:], strict=False)]

    def pack(self, units: Sequence[Span]) -> list[Span]:
        """Neighbouring units joined to spans of at most `maximum` characters (a longer unit stays alone),
        so that as little as possible is missing to `minimum`: the cheapest cuts over all, by dynamic
        programming. The cost of a span is the square of its missing share."""
        best = [0.0]
        previous = [0]
        for last in range(len(units)):
            options = list(self._options(units, last, best))
            cost, first = min(options)
            best.append(cost)
            previous.append(first)
        spans: list[Span] = []
        end = len(units)
        while end:
            spans.append(units[previous[end]].to(units[end - 1]))
            end = previous[end]
        return spans[::-1]

    def _options(
        self, units: Sequence[Span], last: int, best: Sequence[float]
    ) -> Iterator[tuple[float, int]]:
        """Cost of all units up to `last` when the last span begins at unit `first`."""
        for first in range(last, -1, -1):
            size = units[last].end - units[first].start
            if size > self.maximum and first < last:
                return
            missing = max(0, self.minimum - size) / self.minimum
            yield best[first] + missing**2 + _COST_OF_A_CHUNK + self._cost_of_cut(units, last), first

    def _cost_of_cut(self, units: Sequence[Span], last: int) -> float:
        end = units[last].end
        announces = last + 1 < len(units) and self._text[end - 1 : end] in _ANNOUNCES
        return _COST_OF_PARTING_A_LIST if announces else 0.0
