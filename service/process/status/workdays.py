"""Working days: Monday to Friday, but for the days that the list of holidays and made-up days names."""

import csv
import io
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

from service.process.status.errors import StatusMisconfigured
from service.process.status.reading import read_text

_SATURDAY = 5
_LONGEST = 3660  # days counted; something older than ten years is not waited for
_WORKED = {"是": True, "否": False}


@dataclass(frozen=True, slots=True)
class WorkDays:
    """Days off on working days, and weekend days that are worked."""

    off: frozenset[date] = frozenset()
    worked: frozenset[date] = frozenset()

    def is_working(self, day: date) -> bool:
        return day in self.worked or (day.weekday() < _SATURDAY and day not in self.off)

    def between(self, since: date, until: date) -> int:
        """How many working days after `since` up to and with `until`; 0 when it is not later."""
        length = min((until - since).days, _LONGEST)
        return sum(self.is_working(since + timedelta(days=passed)) for passed in range(1, length + 1))


def load_workdays(path: Path) -> WorkDays:
    """A CSV with the columns 日期, 上班 (是 or 否). Raises StatusMisconfigured, which names the row."""
    off: set[date] = set()
    worked: set[date] = set()
    try:
        rows = list(csv.DictReader(io.StringIO(read_text(path))))
    except (OSError, ValueError, csv.Error) as error:
        raise StatusMisconfigured(f"节假日表 {path} 读不出来：{error}") from error
    for number, row in enumerate(rows, 2):
        said = _WORKED.get(str(row.get("上班") or "").strip())
        try:
            day = date.fromisoformat(str(row.get("日期") or "").strip())
        except ValueError as error:
            raise StatusMisconfigured(f"节假日表 {path} 第 {number} 行的日期写法不对") from error
        if said is None:
            raise StatusMisconfigured(f"节假日表 {path} 第 {number} 行的“上班”要写是或否")
        (worked if said else off).add(day)
    return WorkDays(frozenset(off), frozenset(worked))
