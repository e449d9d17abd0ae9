"""What two intervals have in common."""

from rules.conditions import Interval, Ordered


def less(a: Ordered, b: Ordered) -> bool:
    """Raises TypeError when a number is compared with a day."""
    return a < b  # type: ignore[operator]  # of one column, so of one kind


def intersection(a: Interval, b: Interval) -> Interval | None:
    """None when no number is in both; whole numbers are not looked at separately."""
    low, low_closed = _higher(a, b)
    high, high_closed = _lower(a, b)
    if low is None or high is None or less(low, high) or (low == high and low_closed and high_closed):
        return Interval(low, high, low_closed, high_closed)
    return None


def _higher(a: Interval, b: Interval) -> tuple[Ordered | None, bool]:
    if a.low is None or b.low is None:
        return (b.low, b.low_closed) if a.low is None else (a.low, a.low_closed)
    if a.low == b.low:
        return a.low, a.low_closed and b.low_closed
    return (b.low, b.low_closed) if less(a.low, b.low) else (a.low, a.low_closed)


def _lower(a: Interval, b: Interval) -> tuple[Ordered | None, bool]:
    if a.high is None or b.high is None:
        return (b.high, b.high_closed) if a.high is None else (a.high, a.high_closed)
    if a.high == b.high:
        return a.high, a.high_closed and b.high_closed
    return (a.high, a.high_closed) if less(a.high, b.high) else (b.high, b.high_closed)
