"""The grammar of conditions on numbers and days: 5万以上且不满20万, [50000,200000), 2万(含)~5万(不含), 31~90.

condition   = 除 choice 外 | choice
choice      = conjunction { (或 | 、) conjunction }
conjunction = part { [且] part }
part        = bracketed interval | end ~ end | end
end         = [≥ 不超过 …] number [含] [以上 以下 …] [含]
"""

import re
from itertools import product

from rules import numbers
from rules.cells.ends import read_end, stuck
from rules.cells.intervals import intersection
from rules.cells.lexing import tokens
from rules.cells.ranges import between, holds, one_sided, two_sided
from rules.cells.tokens import Amount, Before, Cursor, Mark, Measure
from rules.conditions import Interval, Within
from rules.faults import bad_cell, bad_range, offer

Intervals = tuple[Interval, ...]

_EXCEPT = re.compile("除(?:了)?(?P<inner>.+?)(?:以外|之外|外)")
_BRACKETED = re.compile(r"(?P<left>[\[(])(?P<inside>[^\[\]()含~]*)(?P<right>[\])])")
_LEFT = {Mark.LEFT_CLOSED: True, Mark.LEFT_OPEN: False}
_RIGHT = {Mark.RIGHT_CLOSED: True, Mark.RIGHT_OPEN: False}


def read_comparison(text: str, measure: Measure) -> Within:
    """`text` is NFKC without spaces. Raises CellFault, with readable corrections where there are some."""
    text = text.replace("−", "-")
    found = _EXCEPT.fullmatch(text)
    inner = _BRACKETED.sub(_with_tilde, found["inner"] if found else text).removesuffix("之间")
    cursor = Cursor(text, measure, list(tokens(inner, measure)))
    return Within(_choice(cursor), negated=found is not None)


def _with_tilde(found: re.Match[str]) -> str:
    """[50000,200000) as [50000~200000), so that its comma is not taken for one between thousands."""
    inside = found["inside"]
    splits = [
        (inside[: comma.start()], inside[comma.end() :])
        for comma in re.finditer(r",|;|、|\.\.", inside)
        if _may_end(inside[: comma.start()]) and _may_end(inside[comma.end() :])
    ]
    if len(splits) > 1:
        options = tuple(f"{found['left']}{low}~{high}{found['right']}" for low, high in splits)
        raise bad_range(found.group(), "分不清哪个逗号隔开两端", offer(options), *options)
    return f"{found['left']}{'~'.join(splits[0])}{found['right']}" if splits else found.group()


def _may_end(text: str) -> bool:
    if not text or "∞" in text or "无穷" in text or numbers.read_day(text) is not None:
        return True
    return numbers.read_number(text) is not None and not text.startswith("00")


def _choice(cursor: Cursor) -> Intervals:
    parts = [_conjunction(cursor)]
    listed = False
    while mark := cursor.take(Mark.OR, Mark.LIST):
        listed = listed or mark is Mark.LIST
        parts.append(_conjunction(cursor))
    if cursor.peek() is not None:
        raise stuck(cursor)
    if listed and _facing(parts, cursor.measure):
        return _common(parts[0], parts[1], cursor.measure)
    if listed and any(None in (interval.low, interval.high) for part in parts for interval in part):
        raise bad_cell(
            cursor.text,
            "逗号或顿号隔开的条件，分不清要同时满足还是满足一个",
            "同时满足请写「且」，满足一个请写「或」。",
        )
    return tuple(interval for part in parts for interval in part)


def _conjunction(cursor: Cursor) -> Intervals:
    """且 may be left out between two open ends (5万以上20万以下), not after a number alone (2万5千)."""
    found = _part(cursor)
    while True:
        joined = cursor.take(Mark.AND)
        if not joined and not isinstance(cursor.peek(), Before | Amount):
            return found
        following = _part(cursor)
        if not joined and not (_open(found) and _open(following)):
            raise stuck(cursor)
        found = _common(found, following, cursor.measure)
        if not found:
            raise bad_range(
                cursor.text, "两个条件不能同时满足", "请检查两端的数；满足其中一个就行的，中间写「或」。"
            )


def _common(one: Intervals, other: Intervals, measure: Measure) -> Intervals:
    both = (intersection(a, b) for a, b in product(one, other))
    return tuple(interval for interval in both if interval is not None and holds(interval, measure))


def _facing(parts: list[Intervals], measure: Measure) -> bool:
    """≥5万,<20万: met one at a time every number would do, so that only both at once has a meaning."""
    if len(parts) != 2 or not all(_open(part) for part in parts):
        return False
    return any(None not in (interval.low, interval.high) for interval in _common(parts[0], parts[1], measure))


def _open(found: Intervals) -> bool:
    return len(found) == 1 and None in (found[0].low, found[0].high)


def _part(cursor: Cursor) -> Intervals:
    if mark := cursor.take(*_LEFT):
        return (_bracketed(cursor, _LEFT[mark]),)
    end = read_end(cursor)
    if cursor.take(Mark.TO):
        return (two_sided(end, read_end(cursor), cursor.measure, cursor.text),)
    return one_sided(end, cursor.text)


def _bracketed(cursor: Cursor, low_closed: bool) -> Interval:
    low = _limit(cursor)
    if not cursor.take(Mark.TO):
        raise stuck(cursor)
    high = _limit(cursor)
    closing = cursor.take(*_RIGHT)
    if closing is None:
        raise bad_cell(
            cursor.text, "括号没有配对", "区间请写成 [50000,200000) 的样子：方括号含这一端，圆括号不含。"
        )
    return between(low, high, (low_closed, _RIGHT[closing]), cursor.measure, cursor.text)


def _limit(cursor: Cursor) -> Amount | None:
    """A number; None for ∞ or nothing."""
    return None if cursor.take(Mark.ENDLESS) else cursor.next_if(Amount)
