"""What the elements of a page mean: hidden or boilerplate, heading by style, data or layout table."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from lxml import etree

from ingestion.cleaning import LeftOut
from ingestion.documents import Anchor
from ingestion.parsers.inline import collapse
from ingestion.tables import Cell, Table

MAX_BOILERPLATE_SHARE = 0.5  # an element with more of the page's text is a wrapper, whatever its class says
MAX_SPAN = 1_000  # the limit of the HTML standard for colspan

NEVER_SHOWN = frozenset(("script", "style", "template", "noscript", "iframe", "object", "svg", "math"))
LINE_BREAKERS = frozenset(("br", "p", "div", "li"))
BOILERPLATE = {
    "nav": "navigation",
    "footer": "page_footer",
    "aside": "aside",
}
BOILERPLATE_NAMES = {
    **dict.fromkeys(
        ("nav", "navbar", "navigation", "menu", "sidebar", "breadcrumb", "breadcrumbs"), "navigation"
    ),
    **dict.fromkeys(("footer", "copyright"), "page_footer"),
}
_NAME_PARTS = re.compile(r"[^a-z0-9]+")
_HIDDEN_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden|mso-hide\s*:\s*all", re.IGNORECASE)
_OUTLINE_STYLE = re.compile(r"mso-outline-level\s*:\s*([1-9])", re.IGNORECASE)
_HEADING_CLASS = re.compile(r"\b(?:MsoHeading|heading|标题)\s?([1-9])\b", re.IGNORECASE)
_BOLD_STYLE = re.compile(r"font-weight\s*:\s*(?:bold|[6-9]00)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class PageTable:
    """A table, its caption (counted apart from the cells), and what stands in it outside of both."""

    table: Table
    caption: str
    left_out: tuple[LeftOut, ...]


class Page:
    """One page as a whole: its title, and how much of its text an element holds."""

    def __init__(self, root: etree._Element) -> None:
        self.title = collapse(root.findtext(".//title") or "")
        self._length = len("".join(_visible(root)))

    def dropped(self, element: etree._Element) -> str | None:
        """Why an element is no content, or None."""
        tag = str(element.tag)
        if tag == "title":
            return "page_title"
        if tag in NEVER_SHOWN:
            return "script" if tag in ("script", "style") else "not_shown"
        if element.get("hidden") is not None or _HIDDEN_STYLE.search(element.get("style") or ""):
            return "hidden"
        reason = BOILERPLATE.get(tag) or _named_boilerplate(element)
        if reason and len("".join(_visible(element))) <= MAX_BOILERPLATE_SHARE * self._length:
            return reason
        return None

    @staticmethod
    def name_of(element: etree._Element) -> str:
        """The name of an anchor inside a heading, as pages saved by Word have them."""
        names = (anchor.get("id") or anchor.get("name") for anchor in element.iter("a"))
        return next((name for name in names if name), "")


def _named_boilerplate(element: etree._Element) -> str | None:
    if element.tag not in ("div", "ul", "section", "table", "td", "p", "header"):
        return None
    names = _NAME_PARTS.split(f"{element.get('id') or ''} {element.get('class') or ''}".lower())
    return next((BOILERPLATE_NAMES[name] for name in names if name in BOILERPLATE_NAMES), None)


def _visible(element: etree._Element) -> Iterator[str]:
    for node in element.iter(etree.Element):
        if node.tag not in NEVER_SHOWN and node.text:
            yield node.text
        if node is not element and node.tail:
            yield node.tail


def own_text(element: etree._Element, reason: str) -> Iterator[LeftOut]:
    """All text inside an element with the reason it is left out under; its tail is outside."""
    for node in element.iter():
        if node.text:
            yield LeftOut(node.text, "comment" if isinstance(node, etree._Comment) else reason)
        if node is not element and node.tail:
            yield LeftOut(node.tail, reason)


def styled_level(element: etree._Element) -> int:
    """The outline level that Word or an editor wrote into class or style, 0 without one."""
    if level := _OUTLINE_STYLE.search(element.get("style") or ""):
        return int(level.group(1))
    level = _HEADING_CLASS.search(element.get("class") or "")
    return int(level.group(1)) if level else 0


def is_bold(element: etree._Element) -> bool:
    """Whether all text of an element is bold."""
    bold = "".join(text for node in element.iter("b", "strong") for text in _visible(node))
    if bold.strip():
        return len("".join(bold.split())) >= len("".join("".join(_visible(element)).split()))
    styles = [node.get("style") or "" for node in element.iter(etree.Element) if (node.text or "").strip()]
    return bool(styles) and all(_BOLD_STYLE.search(style) for style in styles)


def is_data_table(table: etree._Element) -> bool:
    """A table that relates cells; one that holds tables, headings or a single cell only lays out a page."""
    if table.get("role") == "presentation" or any(True for _ in table.iter("h1", "h2", "h3")):
        return False
    if sum(1 for _ in table.iter("table")) > 1:
        return False
    rows = [sum(1 for _ in row.iter("td", "th")) for row in table.iter("tr")]
    return sum(rows) > 1 and max(rows, default=0) > 1


def read_table(table: etree._Element, page: Page, anchor: Anchor) -> PageTable:
    """The table with its spans; hidden parts of cells and stray text between them are left out."""
    reader = _TableReader(page)
    reader.read(table)
    title = collapse(reader.caption)
    return PageTable(
        Table(tuple(reader.cells), title=title, anchor=anchor), reader.caption, tuple(reader.left_out)
    )


class _TableReader:
    def __init__(self, page: Page) -> None:
        self._page = page
        self.cells: list[Cell] = []
        self.left_out: list[LeftOut] = []
        self.caption = ""
        self._busy: dict[int, int] = {}  # column -> first row that no cell from above covers
        self._row = -1
        self._column = 0

    def read(self, table: etree._Element) -> None:
        """Walk the structure down to the cells; what stands between them is left out."""
        context = etree.iterwalk(table, events=("start", "end", "comment"))
        for event, node in context:
            if event == "start" and node.tag in ("td", "th"):
                self._take_cell(node)
                context.skip_subtree()
            elif event == "start" and node.tag == "caption":
                self.caption += self._text(node)
                context.skip_subtree()
            elif event == "start":
                if node.tag == "tr":
                    self._row, self._column = self._row + 1, 0
                self._leave(node.text)
            else:
                self._leave(node.text if event == "comment" else None)
                self._leave(node.tail if node is not table else None)

    def _leave(self, text: str | None) -> None:
        if text and text.strip():
            self.left_out.append(LeftOut(text, "table_markup"))

    def _take_cell(self, node: etree._Element) -> None:
        row = max(self._row, 0)
        while self._busy.get(self._column, 0) > row:
            self._column += 1
        down, right = _span(node, "rowspan"), _span(node, "colspan")
        self._busy.update(dict.fromkeys(range(self._column, self._column + right), row + down))
        self.cells.append(Cell(row, self._column, self._text(node), down, right))
        self._column += right

    def _text(self, cell: etree._Element) -> str:
        parts: list[str] = []
        context = etree.iterwalk(cell, events=("start", "end", "comment"))
        for event, node in context:
            if event == "start":
                reason = self._page.dropped(node) if node is not cell else None
                if reason:
                    self.left_out.extend(own_text(node, reason))
                    context.skip_subtree()
                    continue
                parts.append("\n" if node.tag in LINE_BREAKERS else "")
                parts.append(node.text or "")
                continue
            if event == "comment":
                self._leave(node.text)
            parts.append((node.tail or "") if node is not cell else "")
        return "".join(parts).strip()


def _span(node: etree._Element, name: str) -> int:
    value = (node.get(name) or "1").strip()
    return max(1, min(int(value), MAX_SPAN)) if value.isascii() and value.isdigit() else 1
