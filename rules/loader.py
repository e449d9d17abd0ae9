"""Loads a workbook into a process, and tells everything in it that its keeper has to mend.

    open the file -> 流程信息 -> 字段 -> 节点, 材料 -> 决策表 … -> 已声明空缺 -> 测试用例 -> 变更记录

Whether the tables leave gaps or overlap is not asked here.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from rules.findings import Code, Finding, Severity
from rules.sheets import decisions, expectations
from rules.sheets.decisions import read_table
from rules.sheets.expectations import read_cases
from rules.sheets.fields import Fields, read_fields
from rules.sheets.files import read_workbook
from rules.sheets.gaps import read_gaps
from rules.sheets.grid import Sheet, Workbook
from rules.sheets.info import Info, read_info
from rules.sheets.notes import Notes, note_hidden
from rules.sheets.package import Unreadable
from rules.sheets.references import References
from rules.sheets.registers import Register, read_changes, read_materials, read_nodes
from rules.spelling import closest, plain, tight
from rules.table import DecisionTable, Material, Node, Process
from rules.titles import CASES, CHANGES, FIELDS, GAPS, INFO, MATERIALS, NODES, SHEETS, TABLE

__all__ = ["CASES", "CHANGES", "FIELDS", "GAPS", "INFO", "MATERIALS", "NODES", "SHEETS", "TABLE"]
__all__ += ["Loaded", "load"]

_NEEDED = (INFO, FIELDS, TABLE)
_MISSED = (NODES, MATERIALS, CASES)  # a process can do without them, seldom on purpose
_TABLE_TITLE = re.compile(rf"{TABLE}(?:\s*[-—–_:(].*|\s?[0-9]+)?")
_INSTRUCTIONS = ("填写说明", "说明", "使用说明", "读我")


@dataclass(frozen=True, slots=True)
class Loaded:
    """`process` is None only when the workbook cannot serve; with errors it can be tried as a draft.

    `broken` are ids of rows left out, and names of sheets that are missing, so that nobody reports what only
    follows from that.
    """

    process: Process | None
    findings: tuple[Finding, ...]
    broken: frozenset[str] = frozenset()


def load(source: Path | bytes, name: str = "") -> Loaded:
    """A workbook file, its bytes, or a folder of CSV files; `name` stands in for a missing id of the process.

    Never raises for what is in the file.
    """
    notes = Notes()
    try:
        book = read_workbook(source)
    except Unreadable as error:
        notes.add(Code.UNREADABLE, str(error), "换成能打开的工作簿后再试。")
        return Loaded(None, notes.told())
    process = _Loading(book, notes).process(name)
    return Loaded(process, notes.told(), frozenset(notes.broken))


class _Loading:
    """The sheets of one workbook, in the order in which they need each other."""

    def __init__(self, book: Workbook, notes: Notes) -> None:
        self.book = book
        self.notes = notes
        self.sheets = {plain(sheet.title): sheet for sheet in book.sheets}
        self.tables = _table_sheets(book.sheets)

    def process(self, name: str) -> Process | None:
        self._note_sheets()
        info = self._info()
        fields = self._fields(info)
        references = References(Register(), Register())
        nodes = self._nodes(references.node_register)
        materials = self._materials(references.material_register)
        tables = self._tables(fields, references)
        if not fields.read or not tables:
            return None
        gaps_sheet, cases_sheet, changes_sheet = (self.sheets.get(title) for title in (GAPS, CASES, CHANGES))
        gaps = read_gaps(gaps_sheet, tables[0], fields, self.notes) if gaps_sheet else ()
        context = expectations.Context(fields, references, self._ids(tables[0]))
        return Process(
            id=info.id or name,
            name=info.name or info.id or name,
            aliases=info.aliases,
            contact=info.contact,
            version=info.version,
            effective_from=info.effective_from,
            effective_to=info.effective_to,
            currency=info.currency,
            source=info.source,
            fields=fields.read,
            tables=tables,
            gaps=gaps,
            nodes=nodes,
            materials=materials,
            cases=read_cases(cases_sheet, context, self.notes) if cases_sheet else (),
            changes=read_changes(changes_sheet, self.notes) if changes_sheet else (),
            digest=self.book.digest,
        )

    def _info(self) -> Info:
        sheet = self.sheets.get(INFO)
        return read_info(sheet, self.notes) if sheet else Info()

    def _fields(self, info: Info) -> Fields:
        sheet = self.sheets.get(FIELDS)
        return read_fields(sheet, info.unit, self.notes) if sheet else Fields()

    def _nodes(self, register: Register) -> tuple[Node, ...]:
        sheet = self.sheets.get(NODES)
        register.known = sheet is not None
        return read_nodes(sheet, register, self.notes) if sheet else ()

    def _materials(self, register: Register) -> tuple[Material, ...]:
        sheet = self.sheets.get(MATERIALS)
        register.known = sheet is not None
        return read_materials(sheet, register, self.notes) if sheet else ()

    def _tables(self, fields: Fields, references: References) -> tuple[DecisionTable, ...]:
        """Without any field there is nothing to say about the tables that would not follow from it."""
        if not fields.read:
            return ()
        context = decisions.Context(fields, references)
        found = (read_table(sheet, context, self.notes) for sheet in self.tables)
        read = tuple(table for table in found if table is not None)
        return read if read and self.tables[0].title == read[0].sheet else ()

    def _ids(self, table: DecisionTable) -> dict[str, None]:
        """In the order of the rows; empty where some are not known."""
        if self.notes.nameless:
            return {}
        return dict.fromkeys([*(rule.id for rule in table.rules), *sorted(self.notes.broken)])

    def _note_sheets(self) -> None:
        unknown = [
            title for title, sheet in self.sheets.items() if title not in SHEETS and sheet not in self.tables
        ]
        present = set(self.sheets) | ({TABLE} if self.tables else set())
        for title in (*_NEEDED, *_MISSED):
            if title not in present:
                self._missing(title, unknown)
        for title in unknown:
            if not title.startswith(_INSTRUCTIONS):
                self._unused(title)
        for title, times in Counter(plain(sheet.title) for sheet in self.book.sheets).items():
            if times > 1:
                mend = "请只留一张，或改成不同的名字。"
                self.notes.add(
                    Code.DUPLICATE, f"「{title}」这个名字的工作表有 {times} 张。", mend, sheet=title
                )
        for sheet in self.book.sheets:
            note_hidden(sheet, self.notes)

    def _missing(self, title: str, unknown: list[str]) -> None:
        near = closest(title, unknown)
        if near:
            unknown.remove(near)
        referred = title in (NODES, MATERIALS) and self._has_column(title)
        if referred:
            self.notes.broken.add(title)
        self.notes.add(
            Code.BAD_SHEET,
            f"没有「{title}」这张工作表。",
            f"「{near}」是不是就是「{title}」？请改成这个名字。" if near else f"请加上「{title}」表。",
            severity=Severity.ERROR if title in _NEEDED or referred else Severity.WARNING,
            sheet=near or title,
            value=near or "",
        )

    def _has_column(self, title: str) -> bool:
        """Whether a decision table has results of that name, 节点 or 材料: then their list is needed."""
        return any(tight(cell.text) == title for sheet in self.tables for row in sheet.rows for cell in row)

    def _unused(self, title: str) -> None:
        near = closest(title, SHEETS)
        self.notes.add(
            Code.BAD_SHEET,
            f"工作表「{title}」没有用到。",
            f"是不是想写「{near}」？" if near else "不需要就不用管。",
            severity=Severity.INFO,
            sheet=title,
        )


def _table_sheets(sheets: Iterable[Sheet]) -> Sequence[Sheet]:
    """The main table, which decides the path, first."""
    found = [sheet for sheet in sheets if _TABLE_TITLE.fullmatch(plain(sheet.title))]
    return sorted(found, key=lambda sheet: plain(sheet.title) != TABLE)
