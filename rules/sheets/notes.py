"""Findings gathered while a workbook is read, and what is wrong with a cell whatever it should say."""

import re
from dataclasses import dataclass, field

from rules.faults import CellFault, Told, shown
from rules.findings import Code, Finding, Severity
from rules.sheets.grid import Cell, Kind, Sheet
from rules.sheets.package import COLUMNS, ROWS

_MONTH_AND_DAY = re.compile(r"[0-9]{4}-([0-9]{2})-([0-9]{2})")
LONGEST = 4_000
"""Characters of a cell: more than anybody reads, and what reading it costs stays bounded."""

MOST_NAMED = 10
"""Hidden rows or columns that one finding names."""

MOST_FINDINGS = 1_000
"""Nobody mends more at a time, and a hostile workbook could have a million."""


@dataclass(slots=True)
class Notes:
    """What a workbook's keeper is told, and what is therefore not told again where it is referred to.

    `broken` are ids of rows left out because something in them cannot be read, and missing sheets; `unusable`
    the sheets of tables of which a whole column cannot be; `nameless` says that a row has no id of its own.
    """

    findings: list[Finding] = field(default_factory=list)
    broken: set[str] = field(default_factory=set)
    unusable: set[str] = field(default_factory=set)
    nameless: bool = False
    untold: int = 0

    def told(self) -> tuple[Finding, ...]:
        """The findings in the order of the sheets; the last one says how many more there were."""
        if not self.untold:
            return tuple(self.findings)
        rest = f"问题太多，只列出前 {MOST_FINDINGS} 个，还有 {self.untold} 个没有列出。"
        return (
            *self.findings,
            Finding(Severity.ERROR, Code.NOT_CHECKED, rest, "请先改好已列出的，再检查一次。"),
        )

    def add(
        self,
        code: Code,
        message: str,
        mend: str = "",
        *,
        severity: Severity = Severity.ERROR,
        sheet: str = "",
        row: int | None = None,
        column: str = "",
        value: str = "",
        rules: tuple[str, ...] = (),
    ) -> None:
        if len(self.findings) >= MOST_FINDINGS:
            self.untold += 1
            return
        self.findings.append(
            Finding(severity, code, message, mend, sheet, row, column=column, value=value, rules=rules)
        )

    def fault(
        self, fault: CellFault, sheet: str, row: int | None, column: str, rules: tuple[str, ...] = ()
    ) -> None:
        if isinstance(fault, Told):
            return
        self.add(
            fault.code,
            fault.message,
            fault.mend,
            severity=fault.severity,
            sheet=sheet,
            row=row,
            column=column,
            value=fault.value,
            rules=rules,
        )


def refuse_mangled(cell: Cell, *, days: bool = False) -> None:
    """Raises CellFault for what a program made of the text, or for far too much of it.

    `days`: a real date may stand here.
    """
    if cell.kind is Kind.FORMULA:
        mend = "请复制这一格，再用「选择性粘贴—数值」贴回来，只留下结果。"
        raise CellFault(Code.FORMULA, f"「{shown(cell.text)}」是公式，不是写定的值。", mend, value=cell.text)
    if len(cell.text) > LONGEST:
        why = f"这一格有 {len(cell.text)} 个字，最多读 {LONGEST} 个，没有读。"
        raise CellFault(Code.BAD_CELL, why, "请缩短这一格。", value=shown(cell.text))
    if cell.kind is Kind.ERROR:
        raise CellFault(
            Code.BAD_CELL, f"「{cell.text}」是表格程序的错误值。", "请重新写上这一格的值。", value=cell.text
        )
    if cell.kind is Kind.SCIENTIFIC:
        why = f"「{cell.text}」被显示成科学计数法，后面的数字可能已经丢了。"
        raise CellFault(Code.SCIENTIFIC, why, "请把这一格设成文本格式，再重新写完整的数。", value=cell.text)
    if cell.kind is Kind.SCALED:
        why = f"这一格存的数是「{cell.text}」，数字格式却让它看起来是另一个数。"
        raise CellFault(
            Code.BAD_CELL, why, "请把这一格设成文本格式，再写上要的数，例如 5万。", value=cell.text
        )
    if cell.kind is Kind.DAY and not days:
        raise _turned_into_day(cell.text)


def _turned_into_day(text: str) -> CellFault:
    found = _MONTH_AND_DAY.match(text)
    parts = [str(int(part)) for part in found.groups()] if found else []
    likely = f"，例如「{'~'.join(parts)}」" if parts else ""
    was = f"原来写的可能是「{'-'.join(parts)}」，" if parts else ""
    why = f"这一格不该是日期，{was}被表格程序自动变成了日期 {text}。"
    return CellFault(Code.DATE_CELL, why, f"请把这一格设成文本格式，再重新写{likely}。", value=text)


def note_hidden(sheet: Sheet, notes: Notes) -> None:
    """Hidden parts count like any other; their keeper should know."""
    if sheet.hidden:
        notes.add(
            Code.BAD_SHEET,
            f"工作表「{sheet.title}」是隐藏的，里面的内容照样算数。",
            "不需要就删掉它，需要就取消隐藏。",
            severity=Severity.INFO,
            sheet=sheet.title,
        )
    for name, numbers in (("行", sheet.hidden_rows), ("列", sheet.hidden_columns)):
        if not numbers:
            continue
        named = "、".join(str(number) for number in numbers[:MOST_NAMED])
        notes.add(
            Code.BAD_SHEET,
            f"第 {named} {name}{'等' if len(numbers) > MOST_NAMED else ''}是隐藏的，照样算数。",
            f"不需要就删掉这些{name}，需要就取消隐藏。",
            severity=Severity.INFO,
            sheet=sheet.title,
            row=numbers[0] if name == "行" else None,
        )
    if sheet.beyond:
        notes.add(
            Code.BAD_SHEET,
            f"「{sheet.beyond}」超出了能读的范围（{ROWS} 行、{COLUMNS} 列），那里的内容没有读。",
            "请检查这一格是不是误写，多余的就删掉。",
            sheet=sheet.title,
            value=sheet.beyond,
        )
