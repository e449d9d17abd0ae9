"""How long, in days: 回来5天了, 半个月, 两周. A point in time (5天前) is none."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from rules.mentions.figures import Figure, Op, figure_at
from rules.mentions.folding import fold


@dataclass(frozen=True, slots=True)
class Duration:
    """`days` None: not said as one number. `precise`: so many calendar days; months and years are not.

    `working`: of working days.
    """

    days: Decimal | None
    precise: bool
    working: bool
    text: str
    start: int
    end: int


_UNIT = re.compile(
    r" *(?P<unit>个?工作日|个半(?:月|星期|礼拜)|天|日(?=之?以?内)"
    r"|个?(?:周(?![末转年一二三四五六日天])|(?:星期|礼拜)(?![一二三四五六日天]))"
    r"|个月|年(?![级度底初中末前后\d]))"
)
_HALF = re.compile(r"(?<![个上下])半(?:个)?(?P<unit>天|月|年|个?星期|周)")
_HALF_MORE = re.compile(r"半")
_POINT = re.compile(r"(?:之|以)?(?:前(?![台往])|后(?![台勤]))")
_BOUND = re.compile(r"(?:之内|以内|内|以上|以下|左右|上下|多(?!少)|不到)")
_HEDGE = re.compile(r"(?:大约|大概|约|差不多|不到|超过|将近|近|快|至少|最多|可能|估计)(?:有|是|了)?$")
LENGTHS = {"天": 1, "日": 1, "周": 7, "星期": 7, "礼拜": 7, "月": 30, "年": 365, "工作日": 1}
"""Days of a unit; of months and years about so many."""
_WHOLE = ("天", "日", "周", "星期", "礼拜")  # what has the same number of days always
_YEARS = 100  # 2025年 is a year, not a length
_FIXED = Decimal(1) / 2


def read_durations(text: str) -> list[Duration]:
    """All lengths of time of at least half a day that a sentence names, in their order."""
    return list(_durations(text, fold(text)))


def _durations(text: str, folded: str) -> Iterator[Duration]:
    at = 0
    while at < len(folded):
        half = _HALF.match(folded, at)
        figure = None if half else figure_at(folded, at)
        if half and not _POINT.match(folded, half.end()):
            days = Decimal(LENGTHS[half["unit"].removeprefix("个")]) / 2
            yield _duration(text, folded, at, half.end(), days, precise=days == _FIXED, working=False)
        elif figure and (found := _counted(text, folded, figure)):
            yield found
        at = half.end() if half else max(figure.end, at + 1) if figure else at + 1


def _counted(text: str, folded: str, figure: Figure) -> Duration | None:
    unit = _UNIT.match(folded, figure.end)
    if (
        unit is None
        or folded[figure.start - 1 : figure.start] in ("第", "每")
        or _POINT.match(folded, unit.end())
    ):
        return None
    name = unit["unit"].removeprefix("个").removeprefix("半")
    if name == "年" and (figure.low is None or figure.low >= _YEARS or folded[figure.start] in "零0"):
        return None
    half = _HALF_MORE.match(folded, unit.end()) or _HALF_MORE.match(unit["unit"], 1)
    exact = figure.op is Op.EXACT and figure.low is not None
    days = figure.low * LENGTHS[name] if exact and figure.low is not None else None
    if half and days is not None:
        days += Decimal(LENGTHS[name]) / 2
    end = unit.end() + (1 if half and not unit["unit"].startswith("个半") else 0)
    precise = exact and name in _WHOLE and not half
    return _duration(text, folded, figure.start, end, days, precise=precise, working=name == "工作日")


def _duration(
    text: str, folded: str, start: int, end: int, days: Decimal | None, *, precise: bool, working: bool
) -> Duration:
    bounded = _BOUND.match(folded, end) is not None or _HEDGE.search(folded[:start]) is not None
    return Duration(days, precise and not bounded, working, text[start:end], start, end)
