"""The time a question to the minutes is about 所问的时间: when the meetings it wants were held."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from service.minutes.period_days import Days
from service.minutes.period_grammar import Standing, standing
from service.minutes.period_groups import Group, groups
from service.minutes.period_words import mentions
from service.minutes.plain import plain

__all__ = ["AskedPeriod", "Days", "read_period"]


@dataclass(frozen=True, slots=True)
class AskedPeriod:
    """From the earliest to the latest day of all `parts`, which are one unless several periods are compared.

    `soft`: the words may as well name what was talked about, so meetings within are preferred and no others
    excluded. `words` are those of the question at `spans` (start, end), joined by 、; they say time and no
    topic. None is open: since ever, until now.
    """

    first: date | None
    last: date | None
    words: str
    spans: tuple[tuple[int, int], ...]
    soft: bool
    parts: tuple[Days, ...]

    def holds(self, day: date) -> bool:
        """Whether a day lies within one of the parts."""
        return any(part.holds(day) for part in self.parts)


def read_period(question: str, today: date) -> AskedPeriod | None:
    """None when the question names no time, or one that is surely no meeting's.

    Times that are surely meetings' win over those that are only perhaps.
    """
    text = plain(question)
    judged = [(group, standing(text, group, today)) for group in groups(text, mentions(text, today), today)]
    held = [group for group, found in judged if found is Standing.HELD]
    unclear = [group for group, found in judged if found is Standing.UNCLEAR]
    if held:
        return _asked(question, held, soft=all(group.mention.vague for group in held))
    return _asked(question, unclear, soft=True) if unclear else None


def _asked(question: str, found: Sequence[Group], *, soft: bool) -> AskedPeriod:
    parts = tuple(part for group in found for part in group.parts)
    spans = tuple(span for group in found for span in group.spans)
    firsts = [part.first for part in parts]
    lasts = [part.last for part in parts]
    return AskedPeriod(
        first=None if None in firsts else min(first for first in firsts if first),
        last=None if None in lasts else max(last for last in lasts if last),
        words="、".join(question[start:end] for start, end in spans),
        spans=spans,
        soft=soft,
        parts=parts,
    )
