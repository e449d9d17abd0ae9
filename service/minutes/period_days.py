"""A stretch of days, open where nothing bounds it."""

from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True, slots=True)
class Days:
    """Both days within; None: open to that side."""

    first: date | None
    last: date | None

    def holds(self, day: date) -> bool:
        return (self.first is None or self.first <= day) and (self.last is None or day <= self.last)

    def within(self, other: "Days") -> bool:
        """Whether no day lies outside `other`."""
        first = other.first is None or (self.first is not None and other.first <= self.first)
        return first and (other.last is None or (self.last is not None and self.last <= other.last))
