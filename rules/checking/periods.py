"""The stretches of time in which the same rows of a process are in force, cut by the dates of its rows."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta

from rules.table import Process, Rule


@dataclass(frozen=True, slots=True)
class Period:
    """From `start` up to but not including `end`; None is no bound. `day` is one inside it."""

    start: date | None
    end: date | None
    day: date

    def __str__(self) -> str:
        if self.start and self.end:
            return f"{self.start} 至 {self.end - timedelta(days=1)}"
        if self.start:
            return f"{self.start} 起"
        return f"{self.end} 以前" if self.end else "任何时候"


def periods_of(process: Process) -> tuple[Period, ...]:
    """All periods of the process's own validity, the first first.

    A process that names no first day begins when its first row does: before that there is nothing to check.
    """
    rules = [rule for table in process.tables for rule in table.rules]
    start, end = process.effective_from, process.effective_to
    dates = sorted({day for rule in rules for day in _turns(rule) if _strictly_inside(day, start, end)})
    if start is None and dates and not any(rule.in_force(dates[0] - timedelta(days=1)) for rule in rules):
        start, dates = dates[0], dates[1:]
    edges: list[date | None] = [start, *dates, end]
    return tuple(_period(first, last) for first, last in zip(edges, edges[1:], strict=False))


def _turns(rule: Rule) -> Iterable[date]:
    return [day for day in (rule.effective_from, rule.effective_to) if day is not None]


def _strictly_inside(day: date, start: date | None, end: date | None) -> bool:
    return (start is None or start < day) and (end is None or day < end)


def _period(start: date | None, end: date | None) -> Period:
    if start is not None:
        return Period(start, end, start)
    return Period(start, end, end - timedelta(days=1) if end else date(2025, 1, 1))
