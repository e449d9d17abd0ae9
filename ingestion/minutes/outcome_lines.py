"""What stands before the words of a line of minutes, and the pieces of a line: numbering, labels, <br>."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ingestion.minutes.outcome import OutcomeKind
from ingestion.minutes.outcome_wordings import OTHER, Wordings

LONGEST_LABEL = 24  # characters; a longer word before a colon is no label

_HAN_NUMBER = "[一二三四五六七八九十]{1,3}"
_NUMBERING = re.compile(
    r"\s*(?:\[[ xX]\]\s*)?(?:(?:[*+•·●○◦▪■□➢✓√>]|[-—–]{1,8}>?|//)\s*)*"
    rf"(?:(?:[（(]\s*(?:\d{{1,3}}|[a-zA-Z]|{_HAN_NUMBER})\s*[)）]|(?:\d{{1,3}}|[a-zA-Z]|{_HAN_NUMBER})[)）]"
    rf"|\d{{1,3}}(?:\.\d{{1,3}})+(?:[、.．]|\s)|(?:\d{{1,3}}|{_HAN_NUMBER})[、．]|\d{{1,3}}\.(?!\d)|[①-⑳]"
    rf"|\d{{1,2}}[:：](?!\d)|第{_HAN_NUMBER}[、，,：:])\s*)?"
    r"(?:\[[ xX]\]\s*)?"
)
_LABEL = re.compile(
    rf"[【\[]?(?P<name>[^:：【】\[\]]{{1,{LONGEST_LABEL}}}?)(?:\s*[（(][^（）()]{{0,20}}[）)])?[】\]]?\s*"
    r"(?:(?P<colon>[:：])\s*|$)"
)
_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
_TABLE = re.compile(r"(?<!\\)\|")
_OUTER = " \t\u3000*_`"


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a paragraph's text by its offsets."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Label:
    """`kind`: of what follows, None where it is no outcome. `end` is where the words behind it begin."""

    kind: OutcomeKind | None
    end: int


def words_of(text: str, piece: Piece) -> Piece:
    """Without white space and signs of emphasis around it, and without numbering or bullet before it."""
    start = _trimmed(text, piece).start
    found = _NUMBERING.match(text, start, piece.end)
    return _trimmed(text, Piece(found.end() if found else start, piece.end))


def is_numbered(text: str, piece: Piece) -> bool:
    return words_of(text, piece).start > _trimmed(text, piece).start


def label_of(text: str, piece: Piece, wordings: Wordings) -> Label | None:
    """The label a piece of a line begins with; one without a colon stands alone."""
    whole = words_of(text, piece)
    found = _LABEL.match(text, whole.start, whole.end)
    if found is None:
        return None
    name = found["name"].strip(_OUTER)
    for kind, pattern in wordings.labels.items():
        if pattern.fullmatch(name):
            outcome = None if kind == OTHER else OutcomeKind(kind)
            return Label(outcome, _trimmed(text, Piece(found.end(), whole.end)).start)
    return None


def pieces_of(text: str, whole: Piece) -> Iterator[Piece]:
    """What lies between line breaks written as tags."""
    start = whole.start
    for found in _BREAK.finditer(text, whole.start, whole.end):
        yield Piece(start, found.start())
        start = found.end()
    yield Piece(start, whole.end)


def cells_of(text: str) -> tuple[Piece, ...]:
    """The cells of a row of a table; one for any other line."""
    cells, start = [], 0
    for found in _TABLE.finditer(text):
        cells.append(Piece(start, found.start()))
        start = found.end()
    return (*cells, Piece(start, len(text)))


def _trimmed(text: str, piece: Piece) -> Piece:
    start, end = piece.start, piece.end
    while start < end and text[start] in _OUTER:
        start += 1
    while end > start and text[end - 1] in _OUTER:
        end -= 1
    return Piece(start, end)
