"""How many: 三台, 3份, 两三个, 12. Amounts, dates, percentages and numbers of documents are none."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from rules.mentions.figures import Figure, Op, figure_at
from rules.mentions.folding import fold
from rules.mentions.measures import measure_at, unit_at


@dataclass(frozen=True, slots=True)
class Quantity:
    """`count` None: it is not said exactly (两三个, 十几台). `measure` is "" for a number without one."""

    count: int | None
    measure: str
    text: str
    start: int
    end: int


_WHOLE = re.compile(r"[ ,。]*(?:就|要|是|共|一共|总共)?(?P<number>.*?)(?:[吧呢啊哦的了。!, ]*)$")
_PARTED = re.compile(r"[A-Za-z_#@〔\[第]$|\d[.:/\-]?$")
_TO = re.compile(r" *(?:到|至|-|~|—{1,2}|或) *")
_GOES_ON = re.compile(r"[A-Za-z0-9_〕\]]|[.:/\-]\d")
_HEDGED = re.compile(r"(?:大约|大概|约|差不多|至少|最多|不超过|超过|不到|近|估计|可能)(?:有|要|是)?$")
_VAGUE = re.compile(r"(?:左右|上下|以上|以下|以内|之内|多|来)(?![台个])")
_AMOUNT_UNITS = re.compile(r" *(?:[元块角毛¥$€]|万元|美元|人民币)")


def read_quantities(text: str) -> list[Quantity]:
    """Numbers with a measure word, in their order: 3台, 两份. Units of time and size count nothing here."""
    return [found for found in _quantities(text, fold(text)) if found.measure]


def read_integers(text: str) -> list[Quantity]:
    """Whole numbers with a measure word or without one; a text that is only a number is one of them."""
    return list(_quantities(text, fold(text)))


def _quantities(text: str, folded: str) -> Iterator[Quantity]:
    at = 0
    while at < len(folded):
        figure = figure_at(folded, at)
        if figure is None:
            at += 1
            continue
        found = _between(text, folded, figure) or _quantity(text, folded, figure)
        if found:
            yield found
        at = max(figure.end, found.end if found else at + 1)


def _between(text: str, folded: str, figure: Figure) -> Quantity | None:
    """3-5台 is not said exactly."""
    to = _TO.match(folded, figure.end)
    second = figure_at(folded, to.end()) if to else None
    measure = measure_at(folded, second.end) if second else ""
    if second is None or not measure or _PARTED.search(folded[: figure.start][-2:]):
        return None
    end = second.end + len(measure)
    return Quantity(None, measure, text[figure.start : end], figure.start, end)


def _quantity(text: str, folded: str, figure: Figure) -> Quantity | None:
    before = folded[: figure.start]
    if figure.lone or _PARTED.search(before[-2:]) or before.endswith("分之"):
        return None
    gap = len(folded[figure.end :]) - len(folded[figure.end :].lstrip(" "))
    measure = measure_at(folded, figure.end + gap)
    end = figure.end + gap + len(measure) if measure else figure.end
    if not measure and not _stands_alone(folded, figure):
        return None
    exact = figure.op is Op.EXACT and figure.low is not None and figure.low == figure.low.to_integral_value()
    hedged = _HEDGED.search(before[-6:]) or _VAGUE.match(folded, end)
    count = int(figure.low) if exact and not hedged and figure.low is not None else None
    return Quantity(count, measure, text[figure.start : end], figure.start, end)


def _stands_alone(folded: str, figure: Figure) -> bool:
    """Arabic digits that nothing else claims; Chinese ones (一 in 一共) only when the text says no more."""
    if unit_at(folded, figure.end) or _AMOUNT_UNITS.match(folded, figure.end) or figure.magnitude >= 4:
        return False
    if _GOES_ON.match(folded, figure.end) or figure.low is None:
        return False
    if folded[figure.start].isdigit():
        return folded[figure.start] != "0" or figure.end - figure.start == 1
    alone = _WHOLE.fullmatch(folded)
    return alone is not None and alone["number"] == folded[figure.start : figure.end]
