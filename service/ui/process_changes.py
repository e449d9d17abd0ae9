"""What two workbooks of a process have different, row by row of every sheet. Drawn elsewhere."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from rules.sheets.grid import Sheet
from rules.spelling import plain
from service.ui.process_grids import Grid, Row, grid_of


class Kind(StrEnum):
    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"


@dataclass(frozen=True, slots=True)
class CellChange:
    column: str
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class RowChange:
    """`cells` are those that differ, of a new or a lost row those that are not blank."""

    kind: Kind
    key: str
    cells: tuple[CellChange, ...]


@dataclass(frozen=True, slots=True)
class SheetChanges:
    """`columns` were added or went; their cells are not told again row by row."""

    title: str
    columns: tuple[CellChange, ...]
    rows: tuple[RowChange, ...]


@dataclass(frozen=True, slots=True)
class Changes:
    sheets: tuple[SheetChanges, ...]


def changes_between(old: Sequence[Sheet], new: Sequence[Sheet]) -> Changes:
    """Rows are the same when their ids are; where they stand is no change."""
    before, after = _grids(old), _grids(new)
    titles = dict.fromkeys([*after, *before])
    found = (_sheet_changes(title, before.get(title), after.get(title)) for title in titles)
    return Changes(tuple(each for each in found if each.rows or each.columns))


def summary_of(changes: Changes) -> str:
    """决策表：新增 1 行，改动 2 行。"""
    if not changes.sheets:
        return "与现在用的版本相比，各行都没有变化。"
    told = "；".join(f"{each.title}：{_counts(each)}" for each in changes.sheets)
    return f"与现在用的版本相比，{told}。"


def _counts(sheet: SheetChanges) -> str:
    counted = Counter(row.kind for row in sheet.rows)
    told = [
        f"{word} {counted[kind]} 行"
        for kind, word in ((Kind.ADDED, "新增"), (Kind.CHANGED, "改动"), (Kind.REMOVED, "删去"))
        if counted[kind]
    ]
    if sheet.columns:
        told.append(f"列的变化 {len(sheet.columns)} 处")
    return "，".join(told)


def _grids(sheets: Sequence[Sheet]) -> dict[str, Grid]:
    found: dict[str, Grid] = {}
    for sheet in sheets:
        found.setdefault(plain(sheet.title), grid_of(sheet))
    return found


def _sheet_changes(title: str, old: Grid | None, new: Grid | None) -> SheetChanges:
    before = {column.name for column in old.columns} if old else set()
    after = {column.name for column in new.columns} if new else set()
    columns = [CellChange(name, name, "") for name in _names(old) if old and new and name not in after]
    columns += [CellChange(name, "", name) for name in _names(new) if old and new and name not in before]
    shared = [name for name in _names(new or old) if not (old and new) or name in before & after]
    return SheetChanges(title, tuple(columns), tuple(_row_changes(old, new, shared)))


def _names(grid: Grid | None) -> list[str]:
    return [column.name for column in grid.columns] if grid else []


def _row_changes(old: Grid | None, new: Grid | None, columns: Sequence[str]) -> Iterator[RowChange]:
    before, after = _keyed(old), _keyed(new)
    for key, row in after.items():
        if key not in before:
            yield RowChange(Kind.ADDED, key[0], _cells({}, _texts(new, row), columns))
        elif cells := _cells(_texts(old, before[key]), _texts(new, row), columns):
            yield RowChange(Kind.CHANGED, key[0], cells)
    for key, row in before.items():
        if key not in after:
            yield RowChange(Kind.REMOVED, key[0], _cells(_texts(old, row), {}, columns))


def _keyed(grid: Grid | None) -> dict[tuple[str, int], Row]:
    """By id, and by how often the id has occurred before."""
    seen: Counter[str] = Counter()
    found: dict[tuple[str, int], Row] = {}
    for row in grid.rows if grid else ():
        found[row.key, seen[row.key]] = row
        seen[row.key] += 1
    return found


def _texts(grid: Grid | None, row: Row) -> dict[str, str]:
    return dict(zip(_names(grid), row.cells, strict=True))


def _cells(old: dict[str, str], new: dict[str, str], columns: Sequence[str]) -> tuple[CellChange, ...]:
    pairs = (CellChange(name, old.get(name, ""), new.get(name, "")) for name in columns)
    return tuple(each for each in pairs if plain(each.old) != plain(each.new))
