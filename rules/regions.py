"""Regions of a table's conditions: boxes with one side a column. What a gap or an overlap covers."""

from collections.abc import Mapping
from dataclasses import dataclass

from rules.conditions import Condition, Truth, Value, meets


@dataclass(frozen=True, slots=True)
class Side:
    """The values of one column in a box; `missing`: also that none was given."""

    condition: Condition
    missing: bool = False

    def admits(self, value: Value | None) -> bool:
        return self.missing if value is None else meets(self.condition, value) is Truth.TRUE


@dataclass(frozen=True, slots=True)
class Box:
    """A product of sides, by the names of fields."""

    sides: Mapping[str, Side]

    def __contains__(self, point: Mapping[str, Value | None]) -> bool:
        """A field the point does not name is free; one it gives as None has no value."""
        return all(self.sides[name].admits(value) for name, value in point.items() if name in self.sides)
