"""Comparing two revisions 版本对照: which blocks were changed, added or removed, and which words inside them.

Data in, data out. Blocks of equal text are aligned first (the longest common subsequence); what lies between
two of them is paired by likeness. White space is layout and does not count. A block that moved is removed in
one place and added in the other: rows keep the reading order of both revisions.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import accumulate, takewhile

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Indel
from rapidfuzz.process import cdist

from ingestion.documents import Block

MOST_BLOCKS = 5_000
MOST_CHARACTERS = 150_000
"""Of either revision; what lies beyond is left out and counted. Both keep a comparison below a second."""

LONGEST = 10_000
"""Characters of a block that are looked at to pair it; a longer block is marked whole."""

MOST_WORK = 100_000_000
"""Product of the characters of two stretches that are compared block by block; longer ones are halved."""

SHORTEST = 64
"""A block costs at least as much as one of this many characters: a machine word of the comparison."""

PAIRED = 0.5
"""Blocks more than half alike (2 * common / both lengths, `rapidfuzz.fuzz.ratio`) are one block, changed."""

SAME_LABEL = 0.2
"""What an equal number (第八条, （二）) adds to the likeness: a reworded article is still that one."""

_LABEL = re.compile(
    r"第[零〇一二三四五六七八九十百千\d]+[编章节条款]|[（(][一二三四五六七八九十\d]+[)）]|\d+(?:\.\d+)*[.、]"
)
_WORD = re.compile(r"\d+(?:[.,]\d+)*|[A-Za-z]+|[零〇一二三四五六七八九十百千万亿两]+|\S")
_WHITE = re.compile(r"\s+")


class Kind(StrEnum):
    SAME = "same"
    CHANGED = "changed"
    ADDED = "added"
    REMOVED = "removed"


@dataclass(frozen=True, slots=True)
class Mark:
    """Changed words: code points of the block's text, the end excluded."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Side:
    block: Block
    marks: tuple[Mark, ...] = ()


@dataclass(frozen=True, slots=True)
class Row:
    """A block beside its counterpart. An added one has no left side, a removed one no right side."""

    kind: Kind
    left: Side | None
    right: Side | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """The rows in reading order, and how many blocks at the end of each revision were not compared."""

    rows: tuple[Row, ...]
    left_beyond: int = 0
    right_beyond: int = 0

    @property
    def complete(self) -> bool:
        return not self.left_beyond and not self.right_beyond

    def count(self, kind: Kind) -> int:
        return sum(row.kind is kind for row in self.rows)


@dataclass(frozen=True, slots=True)
class _Pair:
    left: Block | None
    right: Block | None


def compare(left: Sequence[Block], right: Sequence[Block]) -> Comparison:
    """Every block of both stands in exactly one row, in its order, up to the bounds."""
    ours, theirs = _within_bounds(left), _within_bounds(right)
    pairs = list(_aligned(ours, theirs))
    if len(ours) < len(left) or len(theirs) < len(right):
        pairs = _certain(pairs)
    return Comparison(
        tuple(_row(pair) for pair in pairs),
        len(left) - sum(pair.left is not None for pair in pairs),
        len(right) - sum(pair.right is not None for pair in pairs),
    )


def _within_bounds(blocks: Sequence[Block]) -> Sequence[Block]:
    """The first blocks that fit, one at least."""
    totals = accumulate(len(block.text) for block in blocks[:MOST_BLOCKS])
    fitting = sum(1 for _total in takewhile(lambda total: total <= MOST_CHARACTERS, totals))
    return blocks[: max(1, fitting)]


def _certain(pairs: list[_Pair]) -> list[_Pair]:
    """Without the last blocks that found no counterpart: theirs may lie beyond the bounds."""
    paired = [place for place, pair in enumerate(pairs) if pair.left and pair.right]
    return pairs[: paired[-1] + 1] if paired else pairs


def _aligned(left: Sequence[Block], right: Sequence[Block]) -> Iterator[_Pair]:
    ours, theirs = [_bare(block.text) for block in left], [_bare(block.text) for block in right]
    at_left = at_right = 0
    for same in Indel.opcodes(ours, theirs).as_matching_blocks():  # the last one is empty, at both ends
        yield from _between(left[at_left : same.a], right[at_right : same.b])
        at_left, at_right = same.a + same.size, same.b + same.size
        yield from map(_Pair, left[same.a : at_left], right[same.b : at_right])


def _between(left: Sequence[Block], right: Sequence[Block]) -> Iterator[_Pair]:
    """Two stretches without an equal block. Halves bound the work, at the price of pairs across them."""
    if min(len(left), len(right)) > 1 and _work(left) * _work(right) > MOST_WORK:
        half, other = len(left) // 2, len(right) // 2
        yield from _between(left[:half], right[:other])
        yield from _between(left[half:], right[other:])
    else:
        yield from _likest(left, right)


def _work(blocks: Sequence[Block]) -> int:
    return sum(min(LONGEST, max(SHORTEST, len(block.text))) for block in blocks)


def _likest(left: Sequence[Block], right: Sequence[Block]) -> Iterator[_Pair]:
    """Pairs in the order of both sides whose likeness above `PAIRED` adds up to the most."""
    if not left or not right:
        yield from (_Pair(block, None) for block in left)
        yield from (_Pair(None, block) for block in right)
        return
    gains = np.maximum(_likeness(left, right) - PAIRED, 0.0)
    best = np.zeros((len(left) + 1, len(right) + 1))  # of the first i blocks against the first j
    for i, gain in enumerate(gains):
        here = np.maximum(best[i, 1:], best[i, :-1] + gain)
        best[i + 1, 1:] = np.maximum.accumulate(here)
    yield from reversed(list(_traced_back(best, left, right)))


def _traced_back(best: NDArray[np.float64], left: Sequence[Block], right: Sequence[Block]) -> Iterator[_Pair]:
    """From the end; among unpaired blocks the added ones first, so that forwards the removed ones lead."""
    i, j = len(left), len(right)
    while i or j:
        if j and (not i or best[i, j] == best[i, j - 1]):
            j -= 1
            yield _Pair(None, right[j])
        elif i and (not j or best[i, j] == best[i - 1, j]):
            i -= 1
            yield _Pair(left[i], None)
        else:
            i, j = i - 1, j - 1
            yield _Pair(left[i], right[j])


def _likeness(left: Sequence[Block], right: Sequence[Block]) -> NDArray[np.float64]:
    """Of every block of the left (rows) to every one of the right: 0..1, more for an equal number."""
    ours, theirs = [_bare(block.text) for block in left], [_bare(block.text) for block in right]
    least = 100 * (PAIRED - SAME_LABEL)
    ratios = cdist([t[:LONGEST] for t in ours], [t[:LONGEST] for t in theirs], score_cutoff=least)
    labels, others = np.array([_label(text) for text in ours]), np.array([_label(text) for text in theirs])
    numbered = (labels[:, None] == others[None, :]) & (labels != "")[:, None]
    found = np.asarray(ratios, np.float64) / 100
    return np.asarray(found + SAME_LABEL * (numbered & (found > 0)), np.float64)


def _row(pair: _Pair) -> Row:
    left, right = pair.left, pair.right
    if left is None or right is None:
        kind = Kind.ADDED if left is None else Kind.REMOVED
        return Row(kind, Side(left) if left else None, Side(right) if right else None)
    if _bare(left.text) == _bare(right.text):
        return Row(Kind.SAME, Side(left), Side(right))
    return _changed(left, right)


def _changed(left: Block, right: Block) -> Row:
    if max(len(left.text), len(right.text)) > LONGEST:
        return Row(Kind.CHANGED, *(Side(block, (Mark(0, len(block.text)),)) for block in (left, right)))
    ours, theirs = list(_WORD.finditer(left.text)), list(_WORD.finditer(right.text))
    removed: list[Mark] = []
    added: list[Mark] = []
    at_left = at_right = 0
    for same in Indel.opcodes([m[0] for m in ours], [m[0] for m in theirs]).as_matching_blocks():
        first = not same.a and not same.b
        last = same.a + same.size == len(ours) and same.b + same.size == len(theirs)
        if same.size == 1 and ours[same.a][0].isalnum() and not first and not last:
            continue  # a single character between two changes would only tear the mark
        alone = at_left == same.a or at_right == same.b
        removed += _mark(ours, at_left, same.a, alone)
        added += _mark(theirs, at_right, same.b, alone)
        at_left, at_right = same.a + same.size, same.b + same.size
    return Row(Kind.CHANGED, Side(left, tuple(removed)), Side(right, tuple(added)))


def _mark(words: Sequence[re.Match[str]], start: int, end: int, alone: bool) -> list[Mark]:
    """Of the words from `start` to `end`; what has no counterpart ends with a stop, not begins with one."""
    if start == end:
        return []
    if alone and end < len(words) and words[start][0] == words[end][0] and not words[start][0].isalnum():
        start, end = start + 1, end + 1
    return [Mark(words[start].start(), words[end - 1].end())]


def _label(text: str) -> str:
    found = _LABEL.match(text)
    return found[0] if found else ""


def _bare(text: str) -> str:
    return _WHITE.sub("", text)
