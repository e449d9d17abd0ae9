"""A sheet drawn as a table, a page at a time, with what was found beside the rows it is about."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar

from rules.findings import Severity
from service.access import Principal
from service.ui.elements import Choice, Field, box, icon, words
from service.ui.listing import Found, Listing
from service.ui.pages import Visit
from service.ui.process_findings import draw_findings, severity_marks
from service.ui.process_grids import Column, Grid, Row
from service.ui.process_shown import Shown
from service.ui.process_words import severity_of

PAGE_SIZE = 50
FILTERED = 12  # rows from which on looking for one is worth two fields
FAULTY = "faulty"
_STYLES = {Severity.ERROR: "row-error", Severity.WARNING: "row-warning", Severity.INFO: "row-info"}
Part = TypeVar("Part")
SHORT, LONG = 12, 40  # characters: what stays on one line, and what needs a wide column


@dataclass(frozen=True, slots=True)
class Extra:
    """A column that the console adds; `draw` fills the cell of a row."""

    name: str
    draw: Callable[[Row], None]


class GridView:
    """One sheet on a page; `empty` is said where it has no rows."""

    def __init__(
        self, visit: Visit, shown: Shown, grid: Grid, *, extra: Extra | None = None, empty: str = ""
    ) -> None:
        self._visit = visit
        self._shown = shown
        self._grid = grid
        self._extra = extra
        self._empty = empty or "这张工作表里还没有一行。"

    async def show(self) -> None:
        grid = self._grid
        with box("section", "sheet", aria_label=grid.title):
            heading = words("h2", grid.name or grid.title, "section-title", tabindex="-1")
            self._facts()
            if grid.loose:
                draw_findings(grid.loose, self._shown.subject, self._shown.process)
            self._filters()
            self._list: Listing[Row] = Listing(
                self._visit,
                PAGE_SIZE,
                find=self._find,
                draw=self._draw,
                note=self._note,
                heading=heading,
                role=self._shown.role,
            )
            await self._list.refresh()

    def _facts(self) -> None:
        grid = self._grid
        told = (
            f"工作表：{grid.title}" if grid.name and grid.name != grid.title else "",
            f"命中策略：{grid.policy.value}" if grid.policy else "",
            f"未命中时：{grid.otherwise}" if grid.otherwise else "",
        )
        if any(told):
            with box("p", "facts"):
                for text in told:
                    if text:
                        words("span", text)

    def _filters(self) -> None:
        self._search: Field | None = None
        self._which: Choice | None = None
        if len(self._grid.rows) < FILTERED:
            return
        with box("div", "filters", role="search", aria_label=f"在{self._grid.title}里查找"):
            self._search = Field("查找", kind="search", style="field grow", on_change=self._refilter)
            faulty = {"": "全部行", FAULTY: "有问题的行"}
            self._which = Choice("显示", faulty, on_change=self._refilter)

    async def _refilter(self) -> None:
        await self._list.restart()

    def _find(self, principal: Principal, number: int, page_size: int) -> Found[Row]:
        sought = self._search.value.strip().casefold() if self._search else ""
        faulty = self._which is not None and self._which.value == FAULTY
        rows = [
            row
            for row in self._grid.rows
            if (not faulty or _is_faulty(row)) and any(sought in cell.casefold() for cell in row.cells)
        ]
        start = (number - 1) * page_size
        return Found(rows[start : start + page_size], len(rows))

    def _note(self, total: int) -> str:
        rows = self._grid.rows
        if not rows:
            return self._empty
        if not total:
            return "没有符合条件的行。"
        faulty = sum(_is_faulty(row) for row in rows)
        among = f"共 {len(rows)} 行" if total == len(rows) else f"{len(rows)} 行里的 {total} 行"
        return f"{among}，其中 {faulty} 行有问题" if faulty else among

    def _draw(self, rows: Sequence[Row]) -> None:
        if not rows:
            return
        with scrolled(self._grid.name or self._grid.title, "sheet-table"):
            self._head()
            with box("tbody"):
                for row in rows:
                    self._row(row)

    def _head(self) -> None:
        with box("thead"), box("tr"):
            for column in self._ordered(self._grid.columns):
                style = f"column-{column.kind} " if column.kind else ""
                with box("th", style + width_of(column.name), scope="col"):
                    words("span", column.name)
                    if column.kind:
                        words("span", column.role, "column-role")
            if self._extra is not None:
                words("th", self._extra.name, scope="col")

    def _row(self, row: Row) -> None:
        with box("tr", _style(row), data_row=row.number):
            for column, text in zip(self._ordered(self._grid.columns), self._ordered(row.cells), strict=True):
                if column is self._grid.columns[self._grid.keyed]:
                    self._key(row, text)
                else:
                    self._cell(row, column, text)
            if self._extra is not None:
                with box("td", "extra"):
                    self._extra.draw(row)
        if row.findings or row.elsewhere:
            self._told(row)

    def _key(self, row: Row, text: str) -> None:
        with box("th", "row-key", scope="row"):
            words("span", text or "（空）", "row-id")
            words("span", f"第 {row.number} 行", "row-number")
            severity_marks(row.findings)

    def _cell(self, row: Row, column: Column, text: str) -> None:
        bad = any(column.called(finding["column"]) for finding in row.findings)
        with box("td", f"{'cell-bad ' if bad else ''}{width_of(text)}"):
            if bad:
                with box("span", "cell-mark"):
                    icon("warning")
                    words("span", "有问题：", "visually-hidden")
            words("span", text or ("（空）" if bad else ""))

    def _told(self, row: Row) -> None:
        width = len(self._grid.columns) + (self._extra is not None)
        with box("tr", f"{_style(row)} finding-row"), box("td", colspan=width), box("div", "beside-row"):
            if row.findings:
                draw_findings(row.findings, self._shown.subject, self._shown.process, placed=True)
            if row.elsewhere:
                words("p", f"与 {'、'.join(row.elsewhere)} 有关的问题见那一行。", "hint")

    def _ordered(self, cells: Sequence[Part]) -> list[Part]:
        """The id first, whatever its column: a row is known by it."""
        keyed = self._grid.keyed
        return [each for at in (True, False) for place, each in enumerate(cells) if (place == keyed) is at]


def width_of(text: str) -> str:
    """The style of a cell by how much stands in it."""
    return "cell-short" if len(text) <= SHORT else "cell-long" if len(text) > LONG else "cell-middling"


@contextmanager
def scrolled(name: str, style: str) -> Iterator[None]:
    """A table that scrolls sideways by itself, by the keyboard too; the page does not."""
    region = box("div", f"table-scroll {style}", tabindex="0", role="region", aria_label=name)
    with region, box("table"):
        yield


def _is_faulty(row: Row) -> bool:
    return bool(row.findings or row.elsewhere)


def _style(row: Row) -> str:
    present = {severity_of(each) for each in row.findings}
    return next((style for severity, style in _STYLES.items() if severity in present), "")
