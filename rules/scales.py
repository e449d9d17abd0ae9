"""How the values of an ordered column lie: amounts without a break, whole numbers and days one by one.

For the check, whole numbers and days become half-open intervals of decimals, so that ≤30 and ≥31 touch;
what is found is turned back into the ends people write. Also picks a round value inside an interval.
"""

from dataclasses import dataclass
from datetime import date
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal

from rules.conditions import Interval, Ordered
from rules.table import FieldType

ZERO, ONE = Decimal(0), Decimal(1)
_LAST_DAY = Decimal(date.max.toordinal())


@dataclass(frozen=True, slots=True)
class Scale:
    discrete: bool
    days: bool = False

    def spread(self, interval: Interval) -> Interval:
        """The interval in decimals; half-open when the scale is discrete, and without end at 9999-12-31."""
        low, high = self._number(interval.low), self._number(interval.high)
        if not self.discrete:
            return Interval(low, high, interval.low_closed, interval.high_closed)
        if low is not None:
            low = low.to_integral_value(ROUND_CEILING if interval.low_closed else ROUND_FLOOR)
            low += 0 if interval.low_closed else 1
        if high is not None:
            high = high.to_integral_value(ROUND_FLOOR if interval.high_closed else ROUND_CEILING)
            high += 1 if interval.high_closed else 0
        if self.days and low is not None and low > _LAST_DAY:
            return Interval(_LAST_DAY, _LAST_DAY, True, False)
        if self.days and high is not None and high > _LAST_DAY:
            high = None
        return Interval(low, high, True, False)

    def written(self, interval: Interval) -> Interval:
        """Back from `spread`: days as days, and both ends of a discrete interval belonging to it."""
        if not self.discrete:
            return interval
        low, high = interval.low, interval.high
        assert not isinstance(low, date) and not isinstance(high, date)
        return Interval(self._value(low), self._value(None if high is None else high - 1))

    def inside(self, interval: Interval) -> Ordered:
        """A round value well inside an interval as `written` gives it: 47000 in (45000, 50000)."""
        if self.days:
            found = interval.low or interval.high or date(2025, 1, 1)
            assert isinstance(found, date)
            return found
        low, high = _bounded(self._number(interval.low), self._number(interval.high))
        return low if low == high else _round_between(low, high, self.discrete)

    def _number(self, end: Ordered | None) -> Decimal | None:
        return Decimal(end.toordinal()) if isinstance(end, date) else end

    def _value(self, end: Decimal | None) -> Ordered | None:
        return date.fromordinal(int(end)) if self.days and end is not None else end


def scale_of(kind: FieldType) -> Scale:
    return Scale(discrete=kind in (FieldType.INTEGER, FieldType.DATE), days=kind is FieldType.DATE)


def _bounded(low: Decimal | None, high: Decimal | None) -> tuple[Decimal, Decimal]:
    if low is None and high is None:
        return ONE, ONE
    if low is None:
        assert high is not None
        return high - max(abs(high), Decimal(10)), high
    return low, low + max(abs(low), Decimal(10)) if high is None else high


def _round_between(low: Decimal, high: Decimal, whole: bool) -> Decimal:
    """The multiple of the greatest power of ten strictly between, nearest to the middle from below."""
    middle = (low + high) / 2
    exponent = (high - low).adjusted()
    for power in (exponent, exponent - 1):
        step = Decimal(1).scaleb(power)
        if whole and step < 1:
            break
        below = (middle / step).to_integral_value(ROUND_FLOOR) * step
        for value in (below, below + step):
            if low < value < high:
                return value
    return low  # only whole numbers beside each other have none between them
