"""The tokens of a condition on numbers or days, and a cursor that goes over them."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum
from typing import TypeVar

from rules.conditions import Ordered


class Side(Enum):
    """On which side of its number a comparison lies."""

    ABOVE = "above"
    BELOW = "below"
    EQUAL = "equal"
    OTHER = "other"  # not equal


@dataclass(frozen=True, slots=True)
class Bound:
    """One comparing word. `closed` says whether the number itself belongs to it."""

    side: Side
    closed: bool


@dataclass(frozen=True, slots=True)
class Amount:
    """A number or a day; `text` as it stands in the cell."""

    value: Ordered
    text: str
    scaled: bool = False  # says 千, 万 or 亿 itself


@dataclass(frozen=True, slots=True)
class Before:
    """A comparing word that stands before its number: 不超过."""

    bound: Bound


@dataclass(frozen=True, slots=True)
class After:
    """A comparing word that stands after its number: 以上."""

    bound: Bound


@dataclass(frozen=True, slots=True)
class Open:
    """含 or 不含 after a number or a comparing word; `value` is the number it names: 含5万."""

    closed: bool
    value: Ordered | None = None


@dataclass(frozen=True, slots=True)
class Vague:
    """以前, 以后, 前, 后: whether the day itself belongs is not said."""

    side: Side
    text: str


class Mark(Enum):
    TO = "~"
    AND = "且"
    OR = "或"
    LIST = "、"
    LEFT_CLOSED = "["
    LEFT_OPEN = "("
    RIGHT_CLOSED = "]"
    RIGHT_OPEN = ")"
    ENDLESS = "∞"


Token = Amount | Before | After | Open | Vague | Mark
Kind = TypeVar("Kind", Amount, Before, After, Open, Vague)


@dataclass(frozen=True, slots=True)
class Measure:
    """How a column is read: whether it holds days, what its numbers count and how large one is."""

    days: bool = False
    whole: bool = False
    scale: Decimal = Decimal(1)
    counters: frozenset[str] = frozenset()
    unit: str = ""


class Cursor:
    """Goes over the tokens of `text` once, from left to right."""

    def __init__(self, text: str, measure: Measure, found: Sequence[Token]) -> None:
        self.text = text
        self.measure = measure
        self._found = found
        self._place = 0

    def peek(self) -> Token | None:
        """The next token, None at the end."""
        return self._found[self._place] if self._place < len(self._found) else None

    def next_if(self, kind: type[Kind]) -> Kind | None:
        """The next token when it is of this kind; the cursor then stands behind it."""
        token = self.peek()
        if not isinstance(token, kind):
            return None
        self._place += 1
        return token

    def take(self, *marks: Mark) -> Mark | None:
        """The next token when it is one of these marks."""
        token = self.peek()
        if not isinstance(token, Mark) or token not in marks:
            return None
        self._place += 1
        return token
