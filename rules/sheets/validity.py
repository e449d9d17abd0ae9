"""Periods of validity as a workbook writes them. 失效日期 is the first day on which it holds no longer."""

from datetime import date

from rules.faults import CellFault, shown
from rules.findings import Code
from rules.numbers import day_of_serial, read_day
from rules.sheets.notes import Notes
from rules.spelling import plain, tight


def day_or_none(text: str) -> date | None:
    """None for a blank text. Raises CellFault for what is no day."""
    said = tight(text)
    if said in ("", "-", "长期", "长期有效"):
        return None
    day = read_day(plain(text))
    if day is None:
        kept = day_of_serial(said)
        mend = "请写成 2025-01-31 的样子；没有期限就空着。"
        if kept:
            mend = f"如果是 {kept}，请写成这样，或者把这一格的格式设成日期。"
        raise CellFault(Code.BAD_PERIOD, f"「{shown(text)}」不是日期。", mend, value=text)
    return day


def note_period(
    start: date, end: date, sheet: str, row: int | None, rules: tuple[str, ...], notes: Notes
) -> None:
    notes.add(
        Code.BAD_PERIOD,
        f"失效日期 {end} 不晚于生效日期 {start}，一天也不会生效。",
        "请检查这两个日期；失效日期是不再有效的第一天。",
        sheet=sheet,
        row=row,
        column="失效日期",
        value=end.isoformat(),
        rules=rules,
    )
