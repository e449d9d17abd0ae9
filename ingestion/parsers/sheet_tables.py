"""Cuts a sheet, a plane of texts, into tables at its blank rows and says each. Shared by xlsx and csv."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ingestion.documents import Anchor, Block
from ingestion.parsers.sheet_xml import Place, reference_of
from ingestion.table_layout import TITLE_LIMIT, UNIT, is_remark, is_value
from ingestion.tables import Cell, Table, table_blocks

Merge = tuple[Place, Place]  # first and last place of a merged range


@dataclass(frozen=True, slots=True)
class _Band:
    """Rows without a blank row between them; `rows` are sheet rows, ascending."""

    rows: tuple[int, ...]
    cells: Mapping[int, Mapping[int, str]]

    def columns(self, row: int) -> set[int]:
        return set(self.cells.get(row, ()))

    @property
    def all_columns(self) -> set[int]:
        return {column for row in self.rows for column in self.columns(row)}

    def lone_text(self) -> str:
        """The text of a band that is a single short cell, else an empty string."""
        texts = [text for row in self.rows for text in self.cells.get(row, {}).values()]
        return texts[0].strip() if len(texts) == 1 and len(texts[0]) <= TITLE_LIMIT else ""


def sheet_blocks(texts: Mapping[Place, str], merges: Sequence[Merge] = (), sheet: str = "") -> list[Block]:
    """Blocks of a whole sheet in reading order; every text is counted in exactly one of them.

    A single short cell above a blank row titles the next table (or gives its unit), a table whose columns
    and types go on after a blank row is one table.
    """
    spans = {first: last for first, last in merges if texts.get(first, "").strip()}
    blocks: list[Block] = []
    title = unit = ""
    for band in _joined(list(_bands(texts, spans))):
        blocks.extend(table_blocks(_table(band, spans, sheet, title, unit)))
        lone = band.lone_text()
        found = UNIT.search(lone)
        unit = found[1] if found else ""
        title = title if found else (lone if lone and not is_remark(lone) else "")
    return blocks


def _bands(texts: Mapping[Place, str], spans: Mapping[Place, Place]) -> Iterator[_Band]:
    cells: dict[int, dict[int, str]] = {}
    for (row, column), text in sorted(texts.items()):
        cells.setdefault(row, {})[column] = text
    last_row = max(cells, default=-1)
    covered = {
        row for (top, _), (bottom, _) in spans.items() for row in range(top, min(bottom, last_row) + 1)
    }
    current: list[int] = []
    for row in sorted(cells.keys() | covered):
        if current and row > current[-1] + 1:
            yield _Band(tuple(current), cells)
            current = []
        current.append(row)
    if current:
        yield _Band(tuple(current), cells)


def _joined(bands: Sequence[_Band]) -> Iterator[_Band]:
    """Bands, with those joined that only a blank row parts."""
    waiting: _Band | None = None
    for band in bands:
        if waiting is not None and _goes_on(waiting, band):
            waiting = _Band((*waiting.rows, *band.rows), waiting.cells)
            continue
        if waiting is not None:
            yield waiting
        waiting = band
    if waiting is not None:
        yield waiting


def _goes_on(above: _Band, below: _Band) -> bool:
    """No header again: the first row below has values where the last row above has values."""
    last, first = above.rows[-1], below.rows[0]
    if len(above.rows) < 2 or not below.columns(first) or not below.all_columns <= above.all_columns:
        return False
    shared = above.columns(last) & below.columns(first)
    typed = [column for column in shared if is_value(above.cells[last][column].strip())]
    return bool(typed) and all(is_value(below.cells[first][column].strip()) for column in typed)


def _table(band: _Band, spans: Mapping[Place, Place], sheet: str, title: str, unit: str) -> Table:
    left = min(band.all_columns)
    index = {row: number for number, row in enumerate(band.rows)}
    cells: list[Cell] = []
    for row in band.rows:
        for column, text in band.cells.get(row, {}).items():
            bottom, right = spans.get((row, column), (row, column))
            cells.append(Cell(index[row], column - left, text, bottom - row + 1, right - column + 1))
    anchors = tuple(_row_anchor(band, row, sheet) for row in band.rows)
    return Table(tuple(cells), title=title, unit=unit, anchor=anchors[0], row_anchors=anchors)


def _row_anchor(band: _Band, row: int, sheet: str) -> Anchor:
    columns = band.columns(row) or band.all_columns
    first, last = reference_of((row, min(columns))), reference_of((row, max(columns)))
    return Anchor(sheet=sheet or None, cell_range=first if first == last else f"{first}:{last}")
