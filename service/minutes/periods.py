"""The time a question to the minutes is about 所问的时间: when the meetings it wants were held."""

from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True, slots=True)
class Days:
    """Both days within; None: open to that side."""

    first: date | None
    last: date | None


@dataclass(frozen=True, slots=True)
class AskedPeriod:
    """From the earliest to the latest day of all `parts`, which are one unless several periods are compared.

    `soft`: the words may as well name what was talked about, so meetings within are preferred and no others
    excluded. `words` are those of the question at `spans` (start, end), joined by 、; all of them say time and
    none a topic.
    """

    first: date | None
    last: date | None
    words: str
    spans: tuple[tuple[int, int], ...]
    soft: bool
    parts: tuple[Days, ...]

    def holds(self, day: date) -> bool:
        """Whether a day lies within one of the parts."""
        return any(
            (part.first is None or part.first <= day) and (part.last is None or day <= part.last)
            for part in self.parts
        )


def read_period(question: str, today: date) -> AskedPeriod | None:
    """None when the question names no time, or one that is surely no meeting's. Raises nothing."""
    return None
