"""How a decision table lies in its sheet: title and policy, a row of roles, one of names, then the rules."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from rules.faults import CellFault, shown
from rules.findings import Code, Severity
from rules.sheets.columns import Heading, headings, note_mangled, note_nameless
from rules.sheets.grid import Cell, Kind, Sheet
from rules.sheets.notes import Notes, refuse_mangled
from rules.spelling import closest, steps, suggestion, tight
from rules.table import HitPolicy


class Role(StrEnum):
    ID = "规则号"
    CONDITION = "条件"
    RESULT = "结果"
    PERIOD = "有效期"
    NOTE = "备注"


_LABELS = ("决策表", "命中策略", "未命中时", "结果优先级")
_HEAD_ROWS = 12  # the roles are looked for in the first rows only
_DMN = {  # the letters of DMN 1.5, section 8.2.8
    "U": HitPolicy.UNIQUE,
    "A": HitPolicy.ANY,
    "F": HitPolicy.FIRST,
    "P": HitPolicy.PRIORITY,
    "O": HitPolicy.OUTPUT_ORDER,
    "R": HitPolicy.RULE_ORDER,
    "C": HitPolicy.COLLECT,
    "C+": HitPolicy.COLLECT_SUM,
    "C<": HitPolicy.COLLECT_MIN,
    "C>": HitPolicy.COLLECT_MAX,
    "C#": HitPolicy.COLLECT_COUNT,
}


@dataclass(frozen=True, slots=True)
class Layout:
    """`starts` and `ends` are the columns of a row's own period, empty when there are none."""

    title: str
    policy: HitPolicy
    otherwise: str
    priority: tuple[str, ...]
    names_row: int
    whole: bool  # every column has a name and a role
    roles: Mapping[int, Role]  # by column
    id_column: str
    starts: str = ""
    ends: str = ""
    notes: tuple[str, ...] = ()

    def role(self, item: Heading) -> Role | None:
        return self.roles.get(item.place)


def read_layout(sheet: Sheet, notes: Notes) -> Layout | None:
    """None, and a finding, without a row of roles or without a column of ids, of conditions or of results."""
    roles_row = _roles_row(sheet)
    if roles_row is None:
        mend = "请在第 4 行给每一列写上角色：规则号、条件、结果、有效期或备注；第 5 行写列名。"
        notes.add(
            Code.BAD_SHEET, "找不到写着「规则号、条件、结果」的角色行。", mend, sheet=sheet.title, row=4
        )
        return None
    names = headings(sheet, roles_row + 1)
    roles = _roles(sheet, roles_row, names, notes)
    by_role = {role: [item for item in names if roles.get(item.place) is role] for role in Role}
    missing = [role for role in (Role.ID, Role.CONDITION, Role.RESULT) if not by_role[role]]
    if missing:
        why = f"没有角色是「{'、'.join(missing)}」的列。"
        mend = f"请检查第 {roles_row} 行的角色和第 {roles_row + 1} 行的列名。"
        notes.add(Code.BAD_SHEET, why, mend, sheet=sheet.title, row=roles_row)
        return None
    lost = note_mangled(sheet, roles_row + 1, names, notes) | note_nameless(
        sheet, roles_row + 1, names, notes
    )
    head = _head(sheet, roles_row, notes)
    return Layout(
        title=head.get("决策表", ""),
        policy=_policy(head.get("命中策略", ""), sheet.title, notes),
        otherwise=head.get("未命中时", "").removeprefix("提示：").removeprefix("提示:"),
        priority=_priority(head.get("结果优先级", ""), sheet.title, notes),
        names_row=roles_row + 1,
        whole=len(roles) == len(names) and not lost,
        roles=roles,
        id_column=by_role[Role.ID][0].name,
        starts=_period_column(by_role[Role.PERIOD], "生效", sheet.title, notes),
        ends=_period_column(by_role[Role.PERIOD], "失效", sheet.title, notes),
        notes=tuple(item.name for item in by_role[Role.NOTE]),
    )


def _roles_row(sheet: Sheet) -> int | None:
    wanted = {Role.ID, Role.CONDITION, Role.RESULT}
    best, row_of_best = 1, None
    for row in range(1, min(_HEAD_ROWS, len(sheet.rows)) + 1):
        found = len(wanted & {tight(cell.text) for cell in sheet.rows[row - 1]})
        if found > best:
            best, row_of_best = found, row
    return row_of_best


def _roles(sheet: Sheet, row: int, names: tuple[Heading, ...], notes: Notes) -> dict[int, Role]:
    """A role merged over several columns holds for each of them."""
    areas = [area for area in sheet.merged if area.top <= row <= area.bottom]
    roles: dict[int, Role] = {}
    for item in names:
        area = next((a for a in areas if a.left <= item.place <= a.right), None)
        said = tight(sheet.at(row, area.left if area else item.place).text)
        if said in set(Role):
            roles[item.place] = Role(said)
            continue
        notes.add(
            Code.BAD_SHEET,
            f"「{item.written}」列的角色「{said}」不认识。" if said else f"「{item.written}」列没有写角色。",
            suggestion(said, [role.value for role in Role])
            if said
            else "请写上：规则号、条件、结果、有效期或备注。",
            sheet=sheet.title,
            row=row,
            column=item.written,
            value=said,
        )
    return roles


def _head(sheet: Sheet, roles_row: int, notes: Notes) -> dict[str, str]:
    """Labels above the roles, each with the cell to its right. Tells when there is no hit policy."""
    found: dict[str, str] = {}
    doubtful = False
    said = {tight(each.text).rstrip(":") for line in sheet.rows[:_HEAD_ROWS] for each in line}
    missing = [label for label in _LABELS if label not in said]
    for row in range(1, roles_row):
        for place, cell in enumerate(sheet.rows[row - 1], 1):
            label = tight(cell.text).rstrip(":")
            if label not in _LABELS:
                beside = tight(sheet.at(row, place - 1).text).rstrip(":") in _LABELS
                if label and not beside:
                    doubtful |= _note_label(label, cell, missing, sheet.title, row, notes)
                continue
            value = sheet.at(row, place + 1)
            try:
                refuse_mangled(value)
                found.setdefault(label, value.text.strip())
            except CellFault as fault:
                doubtful = True
                notes.fault(fault, sheet.title, row, label)
    if not found.get("命中策略") and not doubtful:
        why = "没有写命中策略，按「唯一」处理。"
        mend = "请在第 2 行写上「命中策略」和它的值。"
        notes.add(
            Code.BAD_SHEET,
            why,
            mend,
            severity=Severity.INFO,
            sheet=sheet.title,
            row=2,
            column="命中策略",
        )
    return found


def _note_label(
    text: str, cell: Cell, missing: Sequence[str], title: str, row: int, notes: Notes
) -> bool:
    """Whether something is told: of a text much like a missing label, or of a formula in its place."""
    near = closest(text, missing)
    if near and len(text) <= len(near) + 1:
        why, mend = f"「{text}」不认识。", f"是不是想写「{near}」？"
        notes.add(Code.BAD_SHEET, why, mend, sheet=title, row=row, value=text)
    elif cell.kind is Kind.FORMULA:
        why = f"「{shown(text)}」是公式，这里应当是「{'」或「'.join(missing)}」。"
        notes.add(Code.FORMULA, why, "请写成文字。", sheet=title, row=row, value=text)
    else:
        return False
    return True


def _policy(text: str, title: str, notes: Notes) -> HitPolicy:
    said = tight(text)
    if not said:
        return HitPolicy.UNIQUE
    policies = {policy.value: policy for policy in HitPolicy} | _DMN
    if said in policies:
        return policies[said]
    if said.removeprefix("收集(").removesuffix(")") in ("求和", "最小", "最大", "计数"):
        return HitPolicy("收集" + said.removeprefix("收集(").removesuffix(")"))
    names = [policy.value for policy in HitPolicy]
    near = closest(said, names)
    notes.add(
        Code.UNKNOWN_VALUE,
        f"没有「{text}」这种命中策略，先按「唯一」处理。",
        f"是不是想写「{near}」？" if near else f"可以写的有：{'、'.join(names)}。",
        sheet=title,
        row=2,
        column="命中策略",
        value=text,
    )
    return HitPolicy.UNIQUE


def _priority(text: str, title: str, notes: Notes) -> tuple[str, ...]:
    """Words, the best first. One that stands in two places is told, and keeps the first."""
    words = steps(text)
    for word in (each for each, times in Counter(words).items() if times > 1):
        why = f"「{word}」在「结果优先级」里写了不止一次。"
        notes.add(Code.DUPLICATE, why, "每个结果只能有一个位置。", sheet=title, row=3, value=word)
    return tuple(dict.fromkeys(words))


def _period_column(columns: list[Heading], word: str, title: str, notes: Notes) -> str:
    found = [item.name for item in columns if word in item.name]
    if columns and not found and word == "生效" and not any("失效" in item.name for item in columns):
        notes.add(
            Code.BAD_SHEET,
            "有效期列的名字里没有「生效」或「失效」，分不清是哪一天。",
            "请把列名写成「生效日期」和「失效日期」。",
            severity=Severity.ERROR,
            sheet=title,
            column=columns[0].written,
        )
    return found[0] if found else ""
