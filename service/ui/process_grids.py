"""A sheet of a workbook as its keeper wrote it, with each finding at the row that it is about. No drawing."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from openpyxl.utils import get_column_letter

from rules.findings import FindingJson
from rules.loader import INFO, TABLE
from rules.sheets.columns import heading
from rules.sheets.grid import Sheet
from rules.sheets.layout import Layout, Role, read_layout
from rules.sheets.notes import Notes
from rules.spelling import plain
from rules.table import HitPolicy

INFO_COLUMNS = ("项目", "内容", "说明")
_INFO_HEADS = ("键", "项目", "名称")  # over the keys, where somebody named that column
_KINDS = {Role.CONDITION.value: "condition", Role.RESULT.value: "result"}


@dataclass(frozen=True, slots=True)
class Column:
    """`role` is that of a decision table's column: 条件, 结果, …"""

    name: str
    place: int  # in the sheet, from 1
    role: str = ""

    @property
    def kind(self) -> str:
        """What a column of a decision table does: condition, result; empty for others."""
        return _KINDS.get(self.role, "")

    def called(self, name: str) -> bool:
        """Whether a finding means this column: findings leave units out at times."""
        return bool(name) and name in (self.name, heading(self.name, self.place).name)


@dataclass(frozen=True, slots=True)
class Row:
    """`key` is its id. `elsewhere` are ids of rows beside which something is told of this one too."""

    number: int  # in the sheet, from 1
    key: str
    cells: tuple[str, ...]  # in the order of the columns
    findings: tuple[FindingJson, ...] = ()
    elsewhere: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Grid:
    """`loose` are findings about no row in particular, or about the rows above the first."""

    title: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    loose: tuple[FindingJson, ...] = ()
    name: str = ""  # of a decision table
    policy: HitPolicy | None = None
    otherwise: str = ""
    keyed: int = 0  # where in `columns` the id stands

    def at(self, row: Row, name: str) -> str:
        """The text of a cell; empty without such a column."""
        found = (cell for column, cell in zip(self.columns, row.cells, strict=True) if column.called(name))
        return next(found, "")


@dataclass(slots=True)
class _Placed:
    """Findings on their way to the rows."""

    at: dict[int, list[FindingJson]] = field(default_factory=dict)
    elsewhere: dict[int, list[str]] = field(default_factory=dict)
    loose: list[FindingJson] = field(default_factory=list)


def is_table(title: str) -> bool:
    """Whether a sheet of this title holds, or was meant to hold, a decision table."""
    return plain(title).startswith(TABLE)


def grid_of(sheet: Sheet, findings: Iterable[FindingJson] = ()) -> Grid:
    """A decision table that is not laid out as one is shown from its first row on, its columns by letter."""
    layout = read_layout(sheet, Notes()) if is_table(sheet.title) else None
    head = _head_row(sheet, layout)
    columns = _columns(sheet, head, layout)
    keyed = next((at for at, column in enumerate(columns) if column.role == Role.ID), 0)
    rows = tuple(_rows(sheet, head, columns, keyed))
    mine = [each for each in findings if plain(each["sheet"]) == plain(sheet.title)]
    placed = _place(mine, rows, columns)
    return Grid(
        title=plain(sheet.title),
        columns=columns,
        rows=tuple(_with_findings(row, placed) for row in rows),
        loose=tuple(placed.loose),
        name=layout.title if layout else "",
        policy=layout.policy if layout else None,
        otherwise=layout.otherwise if layout else "",
        keyed=keyed,
    )


def _head_row(sheet: Sheet, layout: Layout | None) -> int:
    """The row of the columns' names; 0 where there is none."""
    if layout is not None:
        return layout.names_row
    if plain(sheet.title) == INFO:
        return int(plain(sheet.at(1, 1).text) in _INFO_HEADS)
    return 0 if is_table(sheet.title) else 1


def _columns(sheet: Sheet, head: int, layout: Layout | None) -> tuple[Column, ...]:
    """Those that hold anything."""
    width = max((len(row) for row in sheet.rows[max(head - 1, 0) :]), default=0)
    places = [
        place
        for place in range(1, width + 1)
        if any(not sheet.at(row, place).blank for row in range(max(head, 1), len(sheet.rows) + 1))
    ]
    return tuple(
        Column(
            _column_name(sheet, head, place), place, layout.roles.get(place, "") if layout is not None else ""
        )
        for place in places
    )


def _column_name(sheet: Sheet, head: int, place: int) -> str:
    if plain(sheet.title) == INFO and place <= len(INFO_COLUMNS):
        return INFO_COLUMNS[place - 1]
    named = plain(sheet.at(head, place).text) if head else ""
    return named or f"{get_column_letter(place)} 列"


def _rows(sheet: Sheet, head: int, columns: Sequence[Column], keyed: int) -> Iterator[Row]:
    for number in range(head + 1, len(sheet.rows) + 1):
        cells = tuple(sheet.at(number, column.place).text.strip() for column in columns)
        if any(cells):
            yield Row(number, plain(cells[keyed]), cells)


def _place(findings: Iterable[FindingJson], rows: Sequence[Row], columns: Sequence[Column]) -> _Placed:
    placed = _Placed()
    keys = {row.number: row.key for row in rows}
    by_key: dict[str, int] = {}
    for row in rows:
        by_key.setdefault(row.key, row.number)
    for finding in findings:
        number = _row_of(finding, rows, columns, by_key)
        if number is None or number not in keys:
            placed.loose.append(finding)
            continue
        placed.at.setdefault(number, []).append(finding)
        for rule in finding["rules"]:
            other = by_key.get(rule)
            if other is not None and other != number:
                placed.elsewhere.setdefault(other, []).append(keys[number])
    return placed


def _row_of(
    finding: FindingJson, rows: Sequence[Row], columns: Sequence[Column], by_key: dict[str, int]
) -> int | None:
    """A finding says its row, or the rule, or what stands there."""
    if finding["row"] is not None:
        return finding["row"]
    for rule in finding["rules"]:
        if rule in by_key:
            return by_key[rule]
    value, column = finding["value"], finding["column"]
    at = next((at for at, each in enumerate(columns) if each.called(column)), None)
    if at is not None:
        return next((row.number for row in rows if value and row.cells[at] == value), None)
    return by_key.get(value) if value else by_key.get(column)


def _with_findings(row: Row, placed: _Placed) -> Row:
    elsewhere = tuple(dict.fromkeys(placed.elsewhere.get(row.number, ())))
    return Row(row.number, row.key, row.cells, tuple(placed.at.get(row.number, ())), elsewhere)
