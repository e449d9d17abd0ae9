"""Cuts a sheet, a plane of texts, into tables at its blank rows and says each. Shared by xlsx and csv."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ingestion.cleaning import Noise
from ingestion.documents import Anchor, Block, BlockBuilder
from ingestion.glyphs import normalise
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


def add_sheet(
    builder: BlockBuilder, texts: Mapping[Place, str], merges: Sequence[Merge] = (), sheet: str = ""
) -> None:
    """Add the blocks of a whole sheet in reading order, normalised; every text is counted in exactly one.

    A single short cell above a blank row titles the next table (or gives its unit), a table whose columns
    and types go on after a blank row is one table. Cells of invisible characters only are booked as dropped.
    """
    seen = {place: text for place, text in texts.items() if normalise(text).strip()}
    builder.drop(Noise.INVISIBLE, "".join(text for place, text in texts.items() if place not in seen))
    for block in _blocks(seen, merges, sheet):
        builder.add(replace(block, text=normalise(block.text), context=normalise(block.context)))


def _blocks(texts: Mapping[Place, str], merges: Sequence[Merge], sheet: str) -> Iterator[Block]:
    spans = {first: last for first, last in merges if texts.get(first, "").strip()}
    title = unit = ""
    for band in _joined(_bands(texts, spans)):
        yield from table_blocks(_table(band, spans, sheet, title, unit))
        lone = band.lone_text()
        found = UNIT.search(lone)
        unit = found[1] if found else ""
        title = title if found else (lone if lone and not is_remark(lone) else "")


def _bands(texts: Mapping[Place, str], spans: Mapping[Place, Place]) -> Iterator[_Band]:
    cells: dict[int, dict[int, str]] = {}
    for (row, column), text in sorted(texts.items()):
        cells.setdefault(row, {})[column] = text
    current: list[int] = []
    for row in sorted(cells.keys() | _covered(spans, max(cells, default=-1))):
        if current and row > current[-1] + 1:
            yield _Band(tuple(current), cells)
            current = []
        current.append(row)
    if current:
        yield _Band(tuple(current), cells)


def _covered(spans: Mapping[Place, Place], last_row: int) -> set[int]:
    """The rows under merged cells; rows under several of them are passed once."""
    covered: set[int] = set()
    reached = -1
    for top, bottom in sorted((first[0], last[0]) for first, last in spans.items()):
        end = min(bottom, last_row)
        covered.update(range(max(top, reached + 1), end + 1))
        reached = max(reached, end)
    return covered


def _joined(bands: Iterator[_Band]) -> Iterator[_Band]:
    """Bands, with those joined that only a blank row parts."""
    parts: list[_Band] = []
    columns: set[int] = set()
    for band in bands:
        own = band.all_columns
        if parts and not (own <= columns and _goes_on(parts, band)):
            yield _one(parts)
            parts, columns = [], set()
        parts.append(band)
        columns |= own
    if parts:
        yield _one(parts)


def _one(parts: Sequence[_Band]) -> _Band:
    return _Band(tuple(row for band in parts for row in band.rows), parts[0].cells)


def _goes_on(above: Sequence[_Band], below: _Band) -> bool:
    """No header again: the first row below has values where the last row above has values."""
    band, last, first = above[-1], above[-1].rows[-1], below.rows[0]
    is_one_row = len(above) == 1 and len(above[0].rows) == 1
    if is_one_row or not below.columns(first):
        return False
    shared = band.columns(last) & below.columns(first)
    typed = [column for column in shared if is_value(band.cells[last][column].strip())]
    return bool(typed) and all(is_value(below.cells[first][column].strip()) for column in typed)


def _table(band: _Band, spans: Mapping[Place, Place], sheet: str, title: str, unit: str) -> Table:
    filled = band.all_columns
    left = min(filled)
    index = {row: number for number, row in enumerate(band.rows)}
    cells: list[Cell] = []
    for row in band.rows:
        for column, text in band.cells.get(row, {}).items():
            bottom, right = spans.get((row, column), (row, column))
            cells.append(Cell(index[row], column - left, text, bottom - row + 1, right - column + 1))
    anchors = tuple(_row_anchor(band.columns(row) or filled, row, sheet) for row in band.rows)
    return Table(tuple(cells), title=title, unit=unit, anchor=anchors[0], row_anchors=anchors)


def _row_anchor(columns: set[int], row: int, sheet: str) -> Anchor:
    first, last = reference_of((row, min(columns))), reference_of((row, max(columns)))
    return Anchor(sheet=sheet or None, cell_range=first if first == last else f"{first}:{last}")
