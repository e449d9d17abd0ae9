"""The grammar of conditions on numbers and days: 5万以上且不满20万, [50000,200000), 2万(含)~5万(不含), 31~90.

condition   = 除 choice 外 | choice
choice      = conjunction { (或 | 、) conjunction }
conjunction = part { [且] part }
part        = bracketed interval | end ~ end | end
end         = [≥ 不超过 …] number [含] [以上 以下 …] [含]
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import product

from rules import numbers
from rules.conditions import Interval, Within
from rules.faults import CellFault, bad_cell, bad_range, offer
from rules.intervals import intersection, less
from rules.tokens import After, Amount, Before, Bound, Mark, Measure, Open, Side, Token, Vague, tokens

Intervals = tuple[Interval, ...]

_EXCEPT = re.compile("除(?:了)?(?P<inner>.+?)(?:以外|之外|外)")
_BRACKETED = re.compile(r"(?P<left>[\[(])(?P<inside>[^\[\]()含~]*)(?P<right>[\])])")
_LEFT = {Mark.LEFT_CLOSED: True, Mark.LEFT_OPEN: False}
_RIGHT = {Mark.RIGHT_CLOSED: True, Mark.RIGHT_OPEN: False}


def read_comparison(text: str, measure: Measure) -> Within:
    """`text` is NFKC without spaces. Raises CellFault, with readable corrections where there are some."""
    text = text.replace("−", "-")
    found = _EXCEPT.fullmatch(text)
    inner = found["inner"] if found else text
    reader = _Reader(text, measure, list(tokens(_BRACKETED.sub(_with_tilde, inner), measure)))
    return Within(reader.choice(), negated=found is not None)


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
    endless = not text or "∞" in text or "无穷" in text
    return (
        endless
        or (numbers.read_number(text) is not None and not text.startswith("00"))
        or numbers.read_day(text) is not None
    )


@dataclass(frozen=True, slots=True)
class End:
    """One number with what is said about it. `closed` None: not said whether it belongs."""

    amount: Amount
    side: Side | None
    closed: bool | None


class _Reader:
    """Goes over the tokens once, from left to right."""

    def __init__(self, text: str, measure: Measure, found: Sequence[Token]) -> None:
        self.text = text
        self.measure = measure
        self.found = found
        self.place = 0

    def choice(self) -> Intervals:
        parts = [self._conjunction()]
        listed = False
        while (token := self._peek()) in (Mark.OR, Mark.LIST):
            listed = listed or token is Mark.LIST
            self.place += 1
            parts.append(self._conjunction())
        if self._peek() is not None:
            raise self._stuck()
        if listed and any(None in (i.low, i.high) for part in parts for i in part):
            raise bad_cell(
                self.text,
                "逗号或顿号隔开的条件，分不清要同时满足还是满足一个",
                "同时满足请写「且」，满足一个请写「或」。",
            )
        return tuple(interval for part in parts for interval in part)

    def _conjunction(self) -> Intervals:
        found = self._part()
        while True:
            joined = self._take(Mark.AND)
            if not joined and not isinstance(self._peek(), Before | Amount):
                return found
            following = self._part()
            both = tuple(
                i for a, b in product(found, following) if (i := intersection(a, b)) and self._holds(i)
            )
            if not both:
                raise bad_range(
                    self.text, "两个条件不能同时满足", "请检查两端的数；满足其中一个就行的，中间写「或」。"
                )
            found = both

    def _part(self) -> Intervals:
        if isinstance(self._peek(), Mark) and self._peek() in _LEFT:
            return self._bracketed()
        low = self._end()
        if self._take(Mark.TO):
            return self._range(low, self._end())
        return self._alone(low)

    def _bracketed(self) -> Intervals:
        low_closed = _LEFT[self._mark()]
        low = self._limit()
        if not self._take(Mark.TO):
            raise self._stuck()
        high = self._limit()
        closing = self._peek()
        if not isinstance(closing, Mark) or closing not in _RIGHT:
            raise bad_cell(
                self.text, "括号没有配对", "区间请写成 [50000,200000) 的样子：方括号含这一端，圆括号不含。"
            )
        self.place += 1
        return (self._checked(low, high, low_closed, _RIGHT[closing]),)

    def _limit(self) -> Amount | None:
        token = self._peek()
        if isinstance(token, Amount):
            self.place += 1
            return token
        self._take(Mark.ENDLESS)
        return None

    def _end(self) -> End:
        before = self._bound(Before)
        amount = self._peek()
        if not isinstance(amount, Amount):
            raise self._stuck()
        self.place += 1
        said = [self._open()]
        after = self._bound(After)
        vague = self._peek()
        if isinstance(vague, Vague):
            self.place += 1
        said.append(self._open())
        closed = self._agreed([flag for flag in said if flag is not None], amount)
        if isinstance(vague, Vague):
            return self._vague(vague, amount, closed, before or after)
        return self._resolved(amount, before, after, closed)

    def _vague(self, vague: Vague, amount: Amount, closed: bool | None, bound: Bound | None) -> End:
        if closed is None or bound is not None:
            raise self._either(f"「{vague.text}」没有说含不含「{amount.text}」", vague.side, amount)
        return End(amount, vague.side, closed)

    def _resolved(
        self, amount: Amount, before: Bound | None, after: Bound | None, closed: bool | None
    ) -> End:
        bound = before or after
        if bound is None:
            return End(amount, None, closed)
        if before and after and before != after:
            side = before.side if before.side is not Side.EQUAL else after.side
            raise self._either("前后两个词说法不一致", side, amount)
        may_override = after is not None and before is None and after.closed
        if closed is not None and closed != bound.closed and not may_override:
            raise self._either("前后说法不一致", bound.side, amount)
        return End(amount, bound.side, bound.closed if closed is None else closed)

    def _agreed(self, said: list[bool], amount: Amount) -> bool | None:
        if len(set(said)) > 1:
            raise bad_cell(self.text, f"「{amount.text}」又写含又写不含", "请只留一个。")
        return said[0] if said else None

    def _either(self, why: str, side: Side, amount: Amount) -> CellFault:
        signs = ("≤", "<") if side is Side.BELOW else ("≥", ">")
        corrections = tuple(f"{sign}{amount.text}" for sign in signs)
        return bad_range(self.text, why, offer(corrections), *corrections)

    def _alone(self, end: End) -> Intervals:
        value = end.amount.value
        if end.side is None and end.closed is not None:
            word = "(含)" if end.closed else "(不含)"
            corrections = (f"{end.amount.text}{word}以上", f"{end.amount.text}{word}以下")
            raise bad_range(self.text, "没有说是以上还是以下", offer(corrections), *corrections)
        if end.side in (None, Side.EQUAL):
            return (Interval(value, value),)
        if end.side is Side.OTHER:
            return (Interval(None, value, True, False), Interval(value, None, False, True))
        if end.side is Side.ABOVE:
            return (Interval(value, None, bool(end.closed), True),)
        return (Interval(None, value, True, bool(end.closed)),)

    def _range(self, low: End, high: End) -> Intervals:
        if low.side not in (None, Side.ABOVE) or high.side not in (None, Side.BELOW):
            raise bad_range(
                self.text, "范围两端的词不对", "请写成「2万(含)~5万(不含)」或「2万以上且不满5万」。"
            )
        self._same_scale(low, high)
        if None in (low.closed, high.closed) and not (self.measure.whole or self.measure.days):
            raise self._unsaid(low, high)
        return (self._checked(low.amount, high.amount, low.closed is not False, high.closed is not False),)

    def _unsaid(self, low: End, high: End) -> CellFault:
        """Both usual readings of a range of money: tiers that take their lower end, or their upper one."""
        if low.amount.value == high.amount.value:
            return bad_range(self.text, "两端是同一个数", offer((low.amount.text,)), low.amount.text)
        if less(high.amount.value, low.amount.value):
            low, high = high, low
        readings = [(True, False), (False, True), (True, True), (False, False)]
        fitting = [r for r in readings if low.closed in (None, r[0]) and high.closed in (None, r[1])][:2]
        corrections = tuple(
            f"{low.amount.text}{_word(of_low)}~{high.amount.text}{_word(of_high)}"
            for of_low, of_high in fitting
        )
        why = "没有写明两端的数含不含在内" if low.closed is high.closed else "有一端没有写明含不含在内"
        return bad_range(self.text, why, offer(corrections), *corrections)

    def _same_scale(self, low: End, high: End) -> None:
        """2~5万: is it 2 or 2万?"""
        a, b = low.amount, high.amount
        if a.scaled or not b.scaled or numbers.counter_of(a.text) or not isinstance(b.value, Decimal):
            return
        mark = re.sub(r"[0-9.,+\-]", "", b.text)
        larger = numbers.read_number(a.text + mark)
        if larger and larger < b.value and a.value != 0:
            tail = (_said(low.closed), _said(high.closed))
            full = format(b.value.normalize(), "f")
            corrections = (f"{a.text}{mark}{tail[0]}~{b.text}{tail[1]}", f"{a.text}{tail[0]}~{full}{tail[1]}")
            raise bad_range(
                self.text, f"分不清「{a.text}」是不是「{a.text}{mark}」", offer(corrections), *corrections
            )

    def _checked(
        self, low: Amount | None, high: Amount | None, low_closed: bool, high_closed: bool
    ) -> Interval:
        interval = Interval(
            None if low is None else low.value,
            None if high is None else high.value,
            low_closed or low is None,
            high_closed or high is None,
        )
        if not self._holds(interval):
            assert low is not None and high is not None  # an interval without an end is never empty
            swapped = f"{high.text}{_word(high_closed)}~{low.text}{_word(low_closed)}"
            turned = less(high.value, low.value)
            corrections = (swapped,) if turned else (f"{low.text}(含)~{high.text}(含)",)
            why = "前面的比后面的大，里面没有任何值" if turned else "里面没有任何值"
            raise bad_range(self.text, why, offer(corrections), *corrections)
        return interval

    def _holds(self, interval: Interval) -> bool:
        """Whether some value of the column lies in it."""
        low, high = interval.low, interval.high
        if low is None or high is None:
            return True
        if self.measure.whole and isinstance(low, Decimal) and isinstance(high, Decimal):
            return low + (not interval.low_closed) <= high - (not interval.high_closed)
        if low == high:
            return interval.low_closed and interval.high_closed
        return less(low, high)

    def _bound(self, kind: type[Before] | type[After]) -> Bound | None:
        token = self._peek()
        if isinstance(token, Before | After) and isinstance(token, kind):
            self.place += 1
            return token.bound
        return None

    def _open(self) -> bool | None:
        token = self._peek()
        if isinstance(token, Open):
            self.place += 1
            return token.closed
        return None

    def _mark(self) -> Mark:
        token = self.found[self.place]
        assert isinstance(token, Mark)
        self.place += 1
        return token

    def _take(self, mark: Mark) -> bool:
        taken = self._peek() is mark
        self.place += taken
        return taken

    def _peek(self) -> Token | None:
        return self.found[self.place] if self.place < len(self.found) else None

    def _stuck(self) -> CellFault:
        example = (
            "2025-01-01~2025-12-31" if self.measure.days else "2万(含)~5万(不含)、20万以上且不满100万、≤30"
        )
        return bad_cell(self.text, "少了数字，或者词的顺序不对", f"请照这样写：{example}。")


def _word(closed: bool) -> str:
    return "(含)" if closed else "(不含)"


def _said(closed: bool | None) -> str:
    return "" if closed is None else _word(closed)
