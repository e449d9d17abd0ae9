"""Reading order of a page: runs to lines, lines in columns, tables at their place.

An upright page is read top to bottom, and column by column where two columns of full lines stand beside each
other. A slide (landscape) is read in the order its boxes were written.
"""

import statistics
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ingestion.documents import Box, count_chars
from ingestion.parsers.pdf_tables import RuledTable
from ingestion.parsers.pdf_text import PageText, Run
from ingestion.table_layout import UNIT_ALONE

_MIN_ROWS = 4  # of a column; fewer lines side by side are a form or a table
_FULL_WIDTH = 0.7  # share of the column width a line of running text fills
_FULL_SHARE = 0.5  # share of the lines of a column that do


@dataclass(frozen=True, slots=True)
class Zone:
    """The column a line stands in: its left and right edge.

    `whole` = the page's only column; `flows` = the text goes on in the next column or page (no slide).
    """

    left: float
    right: float
    whole: bool = True
    flows: bool = True


@dataclass(frozen=True, slots=True)
class Line:
    """One line of raw text. `page` counts from 0."""

    text: str
    box: Box
    size: float
    bold: bool
    chars: int
    page: int
    zone: Zone


@dataclass(frozen=True, slots=True)
class PlacedTable:
    table: RuledTable
    page: int

    @property
    def box(self) -> Box:
        return self.table.box


Item = Line | PlacedTable


def reading_order(
    page: PageText, runs: Sequence[Run], tables: Sequence[RuledTable], number: int
) -> list[Item]:
    """Lines and tables of page `number` (from 0) as they are read. Every run is in exactly one line."""
    placed = [PlacedTable(table, number) for table in tables]
    if page.landscape:
        return _slide_order(runs, placed, number)
    return _region(list(runs), placed, number, whole=True)


# --- slides ----------------------------------------------------------------------------------------------


def _slide_order(runs: Sequence[Run], tables: Sequence[PlacedTable], number: int) -> list[Item]:
    rows: list[list[Run]] = []
    for run in runs:
        if (
            rows
            and _beside(rows[-1][-1].box, run.box)
            and 0 <= run.box.x0 - rows[-1][-1].box.x1 < 4 * run.size
        ):
            rows[-1].append(run)
        else:
            rows.append([run])
    lines = _boxed([_line(row, number, Zone(0, 0)) for row in rows])
    items: list[Item] = [*_title_first(lines)]
    for table in tables:
        place = next((i for i, item in enumerate(items) if item.box.top > table.box.bottom), len(items))
        items.insert(place, table)
    return items


def _title_first(lines: Sequence[Line]) -> list[Line]:
    """The largest type in the upper third goes first: a slide's title is often written last."""
    largest = max((line.size for line in lines), default=0.0)
    bottom = max((line.box.bottom for line in lines), default=0.0)
    top = [line for line in lines if line.size >= 0.95 * largest and line.box.bottom < bottom / 3]
    return top + [line for line in lines if line not in top]


def _boxed(lines: Sequence[Line]) -> list[Line]:
    """Gives lines below each other with one left edge a common zone: the text box they were written in."""
    boxes: list[list[Line]] = []
    for line in lines:
        last = boxes[-1][-1] if boxes else None
        if (
            last is not None
            and -0.5 * line.size < line.box.top - last.box.bottom < 1.2 * line.size
            and abs(line.box.x0 - last.box.x0) < 3 * line.size
        ):
            boxes[-1].append(line)
        else:
            boxes.append([line])
    zoned: list[Line] = []
    for box in boxes:
        left, right = min(line.box.x0 for line in box), max(line.box.x1 for line in box)
        zone = Zone(left, right, whole=False, flows=False)
        zoned.extend(replace(line, zone=zone) for line in box)
    return zoned


# --- pages of text ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Band:
    """A stretch of the page's height, in columns or not."""

    runs: list[Run]
    tables: list[PlacedTable]
    gutter: float | None = None


def _region(runs: list[Run], tables: list[PlacedTable], number: int, *, whole: bool) -> list[Item]:
    gutter = _gutter(runs, tables)
    if gutter is None:
        return _rows(runs, tables, number, whole=whole)
    items: list[Item] = []
    for band in _bands(runs, tables, gutter):
        if band.gutter is None:
            items.extend(_rows(band.runs, band.tables, number, whole=whole))
            continue
        left = [run for run in band.runs if run.box.x0 < gutter - 1]
        right = [run for run in band.runs if run.box.x0 >= gutter - 1]
        left_tables = [table for table in band.tables if table.box.x0 < gutter - 1]
        right_tables = [table for table in band.tables if table.box.x0 >= gutter - 1]
        items.extend(_region(left, left_tables, number, whole=False))
        items.extend(_region(right, right_tables, number, whole=False))
    return items


def _gutter(runs: Sequence[Run], tables: Sequence[PlacedTable]) -> float | None:
    """The left edge of the right-hand column, None where there is one column only."""
    if len(runs) < 2 * _MIN_ROWS:
        return None
    left, right = min(run.box.x0 for run in runs), max(run.box.x1 for run in runs)
    width = right - left
    starts = Counter(
        round(run.box.x0 / 3) for run in runs if left + 0.2 * width < run.box.x0 < left + 0.8 * width
    )
    for start, count in starts.most_common(3):
        if count < _MIN_ROWS:
            return None
        gutter = min(run.box.x0 for run in runs if round(run.box.x0 / 3) == start)
        if any(band.gutter is not None for band in _bands(runs, tables, gutter)):
            return gutter
    return None


def _bands(runs: Sequence[Run], tables: Sequence[PlacedTable], gutter: float) -> list[_Band]:
    """Cuts the page at everything that crosses the gutter; what crosses is a band without columns."""
    boxes = [run.box for run in runs] + [table.box for table in tables]
    crossing = sorted(
        (box for box in boxes if box.x0 < gutter - 2 and box.x1 > gutter + 1), key=lambda b: b.top
    )
    bands: list[_Band] = []
    free_runs, free_tables = list(runs), list(tables)
    for stretch in _stretches(crossing):
        above = _take(free_runs, free_tables, stretch.top)
        bands.append(_judged(above, gutter))
        bands.append(_take(free_runs, free_tables, stretch.bottom))
    bands.append(_judged(_Band(free_runs, free_tables), gutter))
    return [band for band in bands if band.runs or band.tables]


def _stretches(boxes: Sequence[Box]) -> list[Box]:
    merged: list[Box] = []
    for box in boxes:
        if merged and box.top <= merged[-1].bottom:
            merged[-1] = replace(merged[-1], bottom=max(merged[-1].bottom, box.bottom))
        else:
            merged.append(box)
    return merged


def _take(runs: list[Run], tables: list[PlacedTable], bottom: float) -> _Band:
    """Removes what stands above `bottom` and gives it as a band."""
    band = _Band(
        [run for run in runs if _middle(run.box) < bottom],
        [table for table in tables if _middle(table.box) < bottom],
    )
    runs[:] = [run for run in runs if _middle(run.box) >= bottom]
    tables[:] = [table for table in tables if _middle(table.box) >= bottom]
    return band


def _judged(band: _Band, gutter: float) -> _Band:
    left = [run for run in band.runs if run.box.x0 < gutter - 1]
    right = [run for run in band.runs if run.box.x0 >= gutter - 1]
    if _is_column(left, min((run.box.x0 for run in left), default=0)) and _is_column(right, gutter):
        return replace(band, gutter=gutter)
    return band


def _is_column(runs: Sequence[Run], start: float) -> bool:
    """Whether the runs are lines of text that mostly fill the column, and not short cells."""
    rows = _row_groups(runs)
    if len(rows) < _MIN_ROWS:
        return False
    ends = [max(run.box.x1 for run in row) for row in rows]
    width = max(ends) - start
    full = sum(end - start >= _FULL_WIDTH * width for end in ends)
    dense = statistics.median(sum(run.chars for run in row) for row in rows) >= 8
    return dense and full >= _FULL_SHARE * len(rows)


def _rows(runs: Sequence[Run], tables: Sequence[PlacedTable], number: int, *, whole: bool) -> list[Item]:
    rows = _row_groups(runs)
    zone = Zone(
        min((run.box.x0 for run in runs), default=0.0), max((run.box.x1 for run in runs), default=0.0), whole
    )
    items: list[Item] = [*tables]
    for row in rows:
        items.extend(_line(part, number, zone) for part in _without_unit(row))
    return sorted(
        items, key=lambda item: item.box.top if isinstance(item, PlacedTable) else _middle(item.box)
    )


def _without_unit(row: list[Run]) -> list[list[Run]]:
    """A unit set at the right edge (单位：元) stands beside a title and is no part of it."""
    last = row[-1]
    apart = len(row) > 1 and last.box.x0 - row[-2].box.x1 > 3 * last.size
    return [row[:-1], [last]] if apart and UNIT_ALONE.match(last.text) else [row]


def _row_groups(runs: Sequence[Run]) -> list[list[Run]]:
    rows: list[list[Run]] = []
    for run in sorted(runs, key=lambda run: _middle(run.box)):
        if rows and _beside(rows[-1][0].box, run.box):
            rows[-1].append(run)
        else:
            rows.append([run])
    return [sorted(row, key=lambda run: run.box.x0) for row in rows]


def _middle(box: Box) -> float:
    return (box.top + box.bottom) / 2


def _beside(one: Box, other: Box) -> bool:
    """On the same base line: half of the lower one's height overlaps."""
    overlap = min(one.bottom, other.bottom) - max(one.top, other.top)
    return overlap > 0.5 * min(one.bottom - one.top, other.bottom - other.top)


def _line(runs: Sequence[Run], number: int, zone: Zone) -> Line:
    text = runs[0].text
    for before, run in zip(runs, runs[1:], strict=False):
        wide = run.box.x0 - before.box.x1 > 0.3 * run.size
        text += f" {run.text}" if wide else run.text
    longest = max(runs, key=lambda run: len(run.text))
    box = Box(
        min(run.box.x0 for run in runs),
        min(run.box.top for run in runs),
        max(run.box.x1 for run in runs),
        max(run.box.bottom for run in runs),
    )
    bold = all(run.bold for run in runs)
    return Line(text, box, longest.size, bold, count_chars(text), number, zone)
