"""The sheet 流程信息: keys in the first column, what they say in the second."""

from dataclasses import dataclass
from datetime import date

from rules.cells.reading import base_unit
from rules.faults import CellFault
from rules.findings import Code, Severity
from rules.sheets.columns import headings, note_merged
from rules.sheets.grid import BLANK, Cell, Kind, Sheet
from rules.sheets.notes import Notes, refuse_mangled
from rules.sheets.validity import day_or_none, note_period
from rules.spelling import closest, listed, plain, tight

INFO_KEYS = (
    "流程编号",
    "流程名称",
    "别名",
    "流程管理员",
    "版本",
    "生效日期",
    "失效日期",
    "金额单位",
    "来源制度",
)
_NEEDED_KEYS = ("流程编号", "流程名称", "流程管理员", "版本")
_DAY_KEYS = frozenset({"生效日期", "失效日期"})
_HEADER = frozenset({"键", "项目", "名称"})


@dataclass(frozen=True, slots=True)
class Info:
    """流程信息."""

    id: str = ""
    name: str = ""
    aliases: tuple[str, ...] = ()
    contact: str = ""
    version: str = ""
    effective_from: date | None = None
    effective_to: date | None = None
    currency: str = "元"  # 元 also where the sheet says 万元
    unit: str = "元"  # as the sheet says it: of amounts in columns without a unit
    source: str = ""


def read_info(sheet: Sheet, notes: Notes) -> Info:
    """Keys in the first column, values in the second; a row of headings above them may be missing."""
    note_merged(sheet, 1, headings(sheet, 1)[:2], {}, notes)
    values = _keyed(sheet, notes)
    for key in () if _keys_mangled(sheet) else _NEEDED_KEYS:
        if key not in values or (not values[key][0] and sheet.at(values[key][1], 2) == BLANK):
            mend = f"请在「{sheet.title}」里加一行「{key}」，并在旁边写上它的值。"
            notes.add(Code.BAD_SHEET, f"没有写「{key}」。", mend, sheet=sheet.title, column=key)
    days = {key: _info_day(key, values, sheet.title, notes) for key in ("生效日期", "失效日期")}
    start, end = days["生效日期"], days["失效日期"]
    if start and end and start >= end:
        row = values["失效日期"][1]
        note_period(start, end, sheet.title, row, (), notes)
        start = end = None
    said = {key: value for key, (value, _) in values.items()}
    unit = said.get("金额单位") or "元"
    return Info(
        id=plain(said.get("流程编号", "")),
        name=plain(said.get("流程名称", "")),
        aliases=listed(said.get("别名", "")),
        contact=said.get("流程管理员", ""),
        version=said.get("版本", ""),
        effective_from=start,
        effective_to=end,
        currency=base_unit(plain(unit)),
        unit=plain(unit),
        source=said.get("来源制度", ""),
    )


def _keys_mangled(sheet: Sheet) -> bool:
    """Then nobody knows which key is missing."""
    return any(sheet.at(row, 1).kind not in (Kind.TEXT, Kind.NUMBER) for row in range(1, len(sheet.rows) + 1))


def _keyed(sheet: Sheet, notes: Notes) -> dict[str, tuple[str, int]]:
    """Value and row by key."""
    found: dict[str, tuple[str, int]] = {}
    written = {tight(sheet.at(row, 1).text).rstrip(":") for row in range(1, len(sheet.rows) + 1)}
    for row in range(1, len(sheet.rows) + 1):
        key, value = tight(sheet.at(row, 1).text).rstrip(":"), sheet.at(row, 2)
        if sheet.at(row, 1).kind not in (Kind.TEXT, Kind.NUMBER):
            _info_text("", sheet.at(row, 1), sheet.title, row, notes)
            continue
        if not key or (row == 1 and key in _HEADER):
            continue
        if key in found:
            notes.add(
                Code.DUPLICATE,
                f"「{key}」写了两次。",
                "请只留一行。",
                sheet=sheet.title,
                row=row,
                column=key,
                value=key,
            )
            continue
        if key not in INFO_KEYS:
            key = _unknown_key(
                key, [other for other in INFO_KEYS if other not in written], sheet.title, row, notes
            )
        if key:
            found[key] = (_info_text(key, value, sheet.title, row, notes), row)
    return found


def _info_text(key: str, cell: Cell, title: str, row: int, notes: Notes) -> str:
    try:
        refuse_mangled(cell, days=key in _DAY_KEYS)
    except CellFault as fault:
        notes.fault(fault, title, row, key)
        return ""
    return cell.text.strip()


def _unknown_key(key: str, missing: list[str], title: str, row: int, notes: Notes) -> str:
    """The key that is meant, which is then read all the same; empty when there is none."""
    near = closest(key, missing) or ""
    notes.add(
        Code.BAD_SHEET,
        f"「{key}」这一项不认识。",
        f"是不是想写「{near}」？" if near else "不需要就删掉这一行。",
        severity=Severity.ERROR if near else Severity.INFO,
        sheet=title,
        row=row,
        column=key,
        value=key,
    )
    return near


def _info_day(key: str, values: dict[str, tuple[str, int]], title: str, notes: Notes) -> date | None:
    text, row = values.get(key, ("", 0))
    try:
        return day_or_none(text)
    except CellFault as fault:
        notes.fault(fault, title, row, key)
        return None
