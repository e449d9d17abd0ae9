"""A workbook as plain cells, whatever file it came from: what each cell says and what kind of cell it was."""

from dataclasses import dataclass
from enum import Enum, auto


class Kind(Enum):
    """What the program that wrote the file took a cell for."""

    TEXT = auto()
    NUMBER = auto()
    DAY = auto()
    FORMULA = auto()
    ERROR = auto()
    SCIENTIFIC = auto()  # a long number that is shown as 1.2E+11
    SCALED = auto()  # a number whose format shows another one: 0.05 as 5%, 5 as 5万


@dataclass(frozen=True, slots=True)
class Cell:
    text: str = ""
    kind: Kind = Kind.TEXT
    merged: bool = False  # part of a merged area

    @property
    def blank(self) -> bool:
        return not self.text.strip()


BLANK = Cell()


@dataclass(frozen=True, slots=True)
class Area:
    """A rectangle of cells, from 1, both ends belonging to it. `name` is its reference: B3:C5."""

    top: int
    left: int
    bottom: int
    right: int
    name: str


@dataclass(frozen=True, slots=True)
class Sheet:
    """`rows` without the blank ones at the end; a row without its blank cells at the end."""

    title: str
    rows: tuple[tuple[Cell, ...], ...]
    merged: tuple[Area, ...] = ()
    hidden: bool = False
    hidden_rows: tuple[int, ...] = ()  # from 1
    hidden_columns: tuple[int, ...] = ()  # from 1, of those that hold something
    beyond: str = ""  # a cell far outside what is read

    def at(self, row: int, column: int) -> Cell:
        """Both from 1; a blank cell outside."""
        if 1 <= row <= len(self.rows) and 1 <= column <= len(self.rows[row - 1]):
            return self.rows[row - 1][column - 1]
        return BLANK


@dataclass(frozen=True, slots=True)
class Workbook:
    sheets: tuple[Sheet, ...]
    digest: str  # SHA-256 of the bytes
