"""Which expression for days begins at a place: the longest one, written out or counted (三天前)."""

import re
from datetime import date

from rules.mentions.durations import LENGTHS
from rules.mentions.figures import Op, figure_at
from rules.mentions.moments import NOT_WITHIN, UNKNOWN, Moment, Span, certain, moved
from rules.mentions.single_days import ONE_DAY
from rules.mentions.stretches import STRETCHES

_AGO = re.compile(r"个?(?P<unit>天|日|周|星期|礼拜|月|年|工作日)(?:之|以)?(?P<way>前|后)(?![台勤面期])")
_HALF = re.compile(r"(?<![个上下])半个?(?P<unit>月|年)(?:之|以)?(?P<way>前|后)(?![台勤面期])")
_WITHIN = re.compile(rf"[第月\d{NOT_WITHIN}万亿拾佰仟kKwW]")
_FAR = 365_000  # days; further off is no day of an office


def moment_at(text: str, start: int, base: date) -> Moment | None:
    """The longest expression for days that begins at `start` of folded `text`; None where none begins."""
    if text[start : start + 1] == " ":
        return None
    found = _ago(text, start, base)
    for pattern, read in (*ONE_DAY, *STRETCHES):
        match = pattern.match(text, start)
        if match is None or (found and match.end() <= found.end):
            continue
        span = read(match, base)
        if span is not None and match[0].strip():
            found = Moment(start + len(match[0]) - len(match[0].lstrip()), match.end(), span)
    return found


def _ago(text: str, start: int, base: date) -> Moment | None:
    """三天前 is a day; 两周前, 几天前 and 半个月前 are about one."""
    if half := _HALF.match(text, start):
        length = LENGTHS[half["unit"]] // 2
        return Moment(start, half.end(), _about(base, length, length, half["way"], length // 3))
    within = _WITHIN.search(text[max(0, start - 1) : start])  # of a number that began before, or 第3天
    figure = None if within else figure_at(text, start)
    match = figure and _AGO.match(text, figure.end)
    if figure is None or not match:
        return None
    if figure.low is None:
        return Moment(start, match.end(), UNKNOWN)
    length = LENGTHS[match["unit"]]
    low, high = figure.low * length, (figure.high or figure.low) * length
    if low != low.to_integral_value() or not 0 <= low <= high <= _FAR:
        return Moment(start, match.end(), UNKNOWN)
    if figure.op is Op.EXACT and length == 1 and match["unit"] != "工作日":
        return Moment(
            start, match.end(), certain(moved(base, int(low) * (-1 if match["way"] == "前" else 1)))
        )
    return Moment(
        start, match.end(), _about(base, int(low), int(high), match["way"], _slack(figure.op, length))
    )


def _slack(op: Op, length: int) -> int:
    return 10 * length if op in (Op.ABOUT, Op.MORE) else length // 2


def _about(base: date, low: int, high: int, way: str, slack: int) -> Span:
    sign = -1 if way == "前" else 1
    first, second = sorted((sign * (low - slack), sign * (high + slack)))
    return Span(moved(base, first), moved(base, second))
