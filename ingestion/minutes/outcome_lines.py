"""What stands before the words of a line of minutes, and the pieces of a line: numbering, labels, <br>."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ingestion.literals import parse_number
from ingestion.minutes.outcome import OutcomeKind
from ingestion.minutes.outcome_wordings import Wordings

LONGEST_LABEL = 24  # characters; a longer word before a colon is no label

_HAN_NUMBER = "[一二三四五六七八九十]{1,3}"
_NUMBERING = re.compile(
    r"\s*(?:\[[ xX]\]\s*)?(?:(?:[*+•·●○◦▪■□➢✓√>]|[-—–]{1,8}(?!\d)>?|//)\s*)*"
    rf"(?P<number>(?:[（(]\s*(?:\d{{1,3}}|[a-zA-Z]|{_HAN_NUMBER})\s*[)）]|(?:\d{{1,3}}|[a-zA-Z]|{_HAN_NUMBER})[)）]"
    rf"|\d{{1,3}}(?:\.\d{{1,3}})+(?:[、.．]|\s)|(?:\d{{1,3}}|{_HAN_NUMBER})[、．]|\d{{1,3}}\.(?!\d)|[①-⑳]"
    rf"|\d{{1,2}}[:：](?!\d)|第{_HAN_NUMBER}[、，,：:])\s*)?"
    r"(?:\[[ xX]\]\s*)?"
)
_VALUE = re.compile(rf"\d{{1,3}}|{_HAN_NUMBER}")
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
class Number:
    """Of a line: 3、 is 3 of the form 1、, （三） is 3 of the form （一）, and 3.2 is 3 of the form 1.2."""

    value: int
    form: str


@dataclass(frozen=True, slots=True)
class Label:
    """`kind` as in the data file. `end` is where the words behind it begin; `colon`: whether it has one."""

    kind: str
    end: int
    colon: bool

    @property
    def outcome(self) -> OutcomeKind | None:
        """Of what follows; None where that is no outcome."""
        return OutcomeKind(self.kind) if self.kind in tuple(OutcomeKind) else None


def words_of(text: str, piece: Piece) -> Piece:
    """Without white space and signs of emphasis around it, and without numbering or bullet before it."""
    start = _trimmed(text, piece).start
    found = _NUMBERING.match(text, start, piece.end)
    return _trimmed(text, Piece(found.end() if found else start, piece.end))


def number_of(text: str, piece: Piece) -> Number | None:
    """None for a line without a number, a bullet's too."""
    start = _trimmed(text, piece).start
    found = _NUMBERING.match(text, start, piece.end)
    written = (found["number"] or "").strip() if found else ""
    digits = _VALUE.search(written)
    value = parse_number(digits[0]) if digits else None
    if value is None or digits is None:
        return None
    around = written[: digits.start()] + ("1" if digits[0].isdigit() else "一") + written[digits.end() :]
    return Number(int(value), around)


def label_of(text: str, piece: Piece, wordings: Wordings) -> Label | None:
    """The label a piece of a line begins with; one without a colon stands alone."""
    whole = words_of(text, piece)
    found = _LABEL.match(text, whole.start, whole.end)
    if found is None:
        return None
    name = found["name"].strip(_OUTER)
    for kind, pattern in wordings.labels.items():
        if pattern.fullmatch(name):
            end = _trimmed(text, Piece(found.end(), whole.end)).start
            return Label(kind, end, found["colon"] is not None)
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
