"""The axis of one condition column: its elementary cells and the rows met in each.

A cell is a point or an open piece of an ordered column, or a word of one with options; a last cell stands for
"no value" where the field may be absent. Sets of cells are bit sets, as are sets of rows.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from rules.conditions import Anything, Condition, Interval, OneOf, Ordered, Within
from rules.masks import bits, ends_of, intervals_of, met_on_line, rows_by, rows_per_cell, words_of
from rules.regions import Side
from rules.scales import Scale, scale_of
from rules.table import NO, ORDERED, YES, FieldType, Input
from rules.wording import typed


@dataclass(frozen=True)
class Axis(ABC):
    """`masks` has the rows met in each cell; with `absent` the last cell is "no value"."""

    column: Input
    masks: tuple[int, ...]
    absent: bool

    @cached_property
    def whole(self) -> int:
        return (1 << len(self.masks)) - 1

    @cached_property
    def ever(self) -> int:
        """The rows that some cell meets."""
        return self.met_somewhere(self.whole)

    @cached_property
    def partial(self) -> int:
        """The rows that some cell meets and some does not."""
        return self.ever & ~self.met_everywhere(self.whole)

    @cached_property
    def classes(self) -> tuple[tuple[int, int], ...]:
        """(rows, cells): the cells that meet the same rows, together."""
        found: dict[int, int] = {}
        for cell, mask in enumerate(self.masks):
            found[mask] = found.get(mask, 0) | 1 << cell
        return tuple(found.items())

    def parts(self, rows: int) -> dict[int, int]:
        """The cells by which of `rows` they meet."""
        found: dict[int, int] = {}
        for known, cells in self.classes:
            met = known & rows
            found[met] = found.get(met, 0) | cells
        return found

    def met_somewhere(self, cells: int) -> int:
        found = 0
        for cell in bits(cells):
            found |= self.masks[cell]
        return found

    def met_everywhere(self, cells: int) -> int:
        found = -1
        for cell in bits(cells):
            found &= self.masks[cell]
        return found

    def cells_met(self, condition: Condition) -> int:
        """The cells where one of the column's conditions is true, "no value" only under 任意."""
        return self.whole if isinstance(condition, Anything) else self._cells_met(condition)

    def side(self, cells: int) -> Side:
        missing = self.absent and bool(cells >> (len(self.masks) - 1) & 1)
        if cells == self.whole:
            return Side(Anything(), missing)
        return Side(self._condition(cells & ~self._absent_cell), missing)

    def runs(self, cells: int) -> list[int]:
        """The parts of `cells` people would call one: neighbours on a line; "no value" by itself."""
        if cells == self.whole:
            return [cells]
        alone = cells & self._absent_cell
        return [*self._runs(cells & ~alone), *([alone] if alone else [])]

    def witness(self, cells: int) -> str | None:
        """A value in `cells` as it would be typed; None when only "no value" is in them."""
        said = cells & ~self._absent_cell
        return self._witness(said) if said else None

    @abstractmethod
    def beside(self, cells: int) -> list[int]:
        """The cells that border `cells`, those of each border together."""

    @abstractmethod
    def _cells_met(self, condition: Condition) -> int: ...

    @abstractmethod
    def _condition(self, cells: int) -> Condition: ...

    @abstractmethod
    def _runs(self, cells: int) -> list[int]: ...

    @abstractmethod
    def _witness(self, cells: int) -> str: ...

    @property
    def _absent_cell(self) -> int:
        return 1 << (len(self.masks) - 1) if self.absent else 0


@dataclass(frozen=True)
class LineAxis(Axis):
    """`first` is the number of the axis's first cell on the line of all ends, cut off by the bounds."""

    ends: tuple[Ordered, ...] = ()
    first: int = 0
    scale: Scale = Scale(discrete=False)

    def beside(self, cells: int) -> list[int]:
        around = (cells << 1 | cells >> 1) & ~cells & self.whole & ~self._absent_cell
        return [1 << cell for cell in bits(around)]

    def interval(self, run: int) -> Interval:
        """A run of cells as an interval, as people write it."""
        low_cell = (run & -run).bit_length() - 1 + self.first
        high_cell = run.bit_length() - 1 + self.first
        low = self.ends[(low_cell - 1) // 2] if low_cell else None
        high = self.ends[high_cell // 2] if high_cell < 2 * len(self.ends) else None
        return self.scale.written(Interval(low, high, low_cell % 2 == 1, high_cell % 2 == 1))

    @cached_property
    def _place(self) -> Mapping[Ordered, int]:
        return {end: at for at, end in enumerate(self.ends)}

    def _cells_met(self, condition: Condition) -> int:
        parts = [self.scale.spread(each) for each in intervals_of(condition, days=self.scale.days)]
        return met_on_line(condition, parts, self._place) >> self.first & self.whole & ~self._absent_cell

    def _condition(self, cells: int) -> Condition:
        return Within(tuple(self.interval(run) for run in self._runs(cells)))

    def _runs(self, cells: int) -> list[int]:
        found = []
        while cells:
            lowest = cells & -cells
            run = cells & ~(cells + lowest)  # the carry runs through the lowest ones and stops behind them
            found.append(run)
            cells ^= run
        return found

    def _witness(self, cells: int) -> str:
        return typed(self.scale.inside(self.interval(self._runs(cells)[0])))


@dataclass(frozen=True)
class WordAxis(Axis):
    """One cell a word; with `open_ended` one more for every word no condition names."""

    words: tuple[str, ...] = ()
    open_ended: bool = False

    def beside(self, cells: int) -> list[int]:
        others = self.whole & ~cells & ~self._absent_cell
        return [others] if others else []

    @cached_property
    def _place(self) -> Mapping[str, int]:
        return {word: at for at, word in enumerate(self.words)}

    def _cells_met(self, condition: Condition) -> int:
        if not isinstance(condition, OneOf):
            return 0
        named = sum({1 << self._place[word] for word in condition.values if word in self._place})
        return self.whole & ~self._absent_cell & ~named if condition.negated else named

    def _condition(self, cells: int) -> Condition:
        inside = frozenset(word for at, word in enumerate(self.words) if cells >> at & 1)
        if self.open_ended and cells >> len(self.words) & 1:
            return OneOf(frozenset(self.words) - inside, negated=True)
        return OneOf(inside)

    def _runs(self, cells: int) -> list[int]:
        return [cells] if cells else []

    def _witness(self, cells: int) -> str:
        at = next(bits(cells))
        if at < len(self.words):
            return self.words[at]
        unnamed = "其他"
        while unnamed in self.words:
            unnamed += "其他"
        return unnamed


def axis_of(
    column: Input, wanted: Sequence[Condition], *, bounds: Interval | None, absent: bool, only_absent: int = 0
) -> Axis:
    """The axis of a column; `wanted` has a condition a row, `only_absent` the rows met by no value alone."""
    rows = {each: mask & ~only_absent for each, mask in rows_by(wanted).items()}
    anything = sum(mask for each, mask in rows.items() if isinstance(each, Anything))
    without = (anything | only_absent,) if absent else ()
    if column.type in ORDERED:
        return _line_axis(column, rows, bounds, without)
    return _word_axis(column, rows, without)


def _line_axis(
    column: Input, rows: Mapping[Condition, int], bounds: Interval | None, without: tuple[int, ...]
) -> LineAxis:
    scale = scale_of(column.type)
    parts = {
        each: [scale.spread(interval) for interval in intervals_of(each, days=scale.days)] for each in rows
    }
    limits = [] if bounds is None else [scale.spread(bounds)]
    ends = ends_of([*(interval for intervals in parts.values() for interval in intervals), *limits])
    place = {end: at for at, end in enumerate(ends)}
    met = [(met_on_line(each, parts[each], place), mask) for each, mask in rows.items()]
    count = 2 * len(ends) + 1
    allowed = met_on_line(Within(()), limits, place) if limits else (1 << count) - 1
    allowed = allowed or (1 << count) - 1  # bounds that hold nothing are reported where they are read
    first, last = (allowed & -allowed).bit_length() - 1, allowed.bit_length()
    masks = rows_per_cell(met, count)[first:last]
    return LineAxis(column, masks + without, bool(without), ends, first, scale)


def _word_axis(column: Input, rows: Mapping[Condition, int], without: tuple[int, ...]) -> WordAxis:
    named, other = words_of(rows)
    domain = column.domain or ((YES, NO) if column.type is FieldType.YES_NO else ())
    words = domain or tuple(sorted(named))
    masks = tuple(named.get(word, other) for word in words) + (() if domain else (other,))
    return WordAxis(column, masks + without, bool(without), words, open_ended=not domain)
