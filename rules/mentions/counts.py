"""How many of what a field counts: 30个人, 一百来人, 三到五小时. The units are the field's own."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from rules.mentions.figures import Figure, Op, figure_at
from rules.mentions.folding import fold
from rules.mentions.hedges import hedge_behind, hedge_in_front


@dataclass(frozen=True, slots=True)
class Count:
    """`value` when it is said exactly (`op` is =) and is a whole number, else None."""

    op: Op
    value: int | None
    text: str
    start: int
    end: int


_TO = re.compile(r" *(?:到|至|-|~|—{1,2}|或者?) *")
_SOME = {"来": Op.ABOUT, "多": Op.MORE, "余": Op.MORE, "几": Op.MORE}
_BOTH = str.maketrans("俩仨", "两三")
_PARTED = re.compile(r"[A-Za-z_#@第]$|\d[.:/\-]?$")


def read_counts(text: str, units: Sequence[str]) -> list[Count]:
    """The counts of one of `units` in a sentence, in order; 来 as in 三十来人 makes one inexact."""
    folded = fold(text.translate(_BOTH))
    named = "|".join(re.escape(unit) for unit in sorted(units, key=len, reverse=True) if unit)
    if not named:
        return []
    tail = re.compile(rf" *(?P<some>[来多余几])?号? *个?(?:{named})")
    found: list[Count] = []
    at = 0
    while at < len(folded):
        figure = figure_at(folded, at)
        floor = found[-1].end if found else 0  # what stands before another count says nothing of this one
        count = _count(text, folded, figure, tail, floor) if figure else None
        if count:
            found.append(count)
        at = max(count.end if count else at + 1, figure.end if figure else at + 1)
    return found


def _count(text: str, folded: str, figure: Figure, tail: re.Pattern[str], floor: int) -> Count | None:
    if figure.lone or _PARTED.search(folded[: figure.start][-2:]):
        return None
    op, end = figure.op, figure.end
    to = _TO.match(folded, end)
    second = figure_at(folded, to.end()) if to else None
    if second is not None and tail.match(folded, second.end):
        op, end = Op.RANGE, second.end
    match = tail.match(folded, end)
    if match is None:
        return None
    if match["some"]:
        op = _SOME[match["some"]]
    in_front = hedge_in_front(folded, figure.start, floor)
    behind = hedge_behind(folded, match.end())
    if op is Op.EXACT:
        op = in_front.op if in_front else behind.op if behind else op
    start = in_front.at if in_front else figure.start
    stop = behind.at if behind else match.end()
    whole = figure.low is not None and figure.low == figure.low.to_integral_value()
    value = int(figure.low) if op is Op.EXACT and whole and figure.low is not None else None
    return Count(op, value, text[start:stop], start, stop)
