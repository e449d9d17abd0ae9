"""What belongs to a slide but stands in a part of its own: charts, SmartArt, comments; the count of all."""

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from lxml import etree

from ingestion.documents import count_chars
from ingestion.parsers.archive import Archive
from ingestion.parsers.package_xml import part_root, root_of
from ingestion.parsers.pptx_shapes import TEXT_TAGS, A, P, all_text

C = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
DIAGRAM = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}"
RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
NUMBERS = frozenset({f"{C}numCache", f"{C}numLit"})
NO_CONTENT = frozenset({"pres", "parTrans", "sibTrans"})  # points of a SmartArt that only draw it

_COUNTED = re.compile(r"ppt/(?:slides|notesSlides|comments|diagrams|charts)/[^/]+\.xml")
_DRAWINGS = re.compile(r"ppt/diagrams/(?!data)|ppt/charts/(?!chart)")


@dataclass(frozen=True, slots=True)
class Chart:
    """`rows` with the series' names as header; `titles` of chart and axes; categories said once only."""

    titles: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    repeated: str  # the categories of the second and later series


def count_package(archive: Archive) -> int:
    """Characters of slides, notes, comments, SmartArt and charts, straight from the parts of the package."""
    total = 0
    for name in archive.names:
        key = name.replace("\\", "/").lstrip("/")
        if _COUNTED.fullmatch(key) and not _DRAWINGS.match(key):
            root = part_root(archive, name)
            total += sum(count_chars(node.text or "") for node in root.iter(*TEXT_TAGS, f"{P}text"))
            total += sum(count_chars(_said(node)) for node in root.iter(f"{C}v"))
    return total


def diagram_lines(frame: etree._Element, slide: Any) -> list[str]:
    """The texts of a SmartArt in the order they were written; empty when the frame holds none."""
    ids = next(frame.iter(f"{DIAGRAM}relIds"), None)
    if ids is None:
        return []
    with suppress(KeyError):  # a frame whose data part is missing is shown empty
        part = slide.part.related_part(ids.get(f"{RELATION}dm"))
        root = root_of(part.blob, str(part.partname))
        points = (point for point in root.iter(f"{DIAGRAM}pt") if point.get("type") not in NO_CONTENT)
        return [all_text(paragraph) for point in points for paragraph in point.iter(f"{A}p")]
    return []


def comments_of(slide: Any) -> Iterator[str]:
    """Review comments, in the older and the newer form."""
    for relation in slide.part.rels.values():
        if relation.reltype.rsplit("/", 1)[-1] == "comments" and not relation.is_external:
            root = root_of(relation.target_part.blob, str(relation.target_part.partname))
            yield from (node.text or "" for node in root.iter(f"{P}text"))
            bodies = (node for node in root.iter(etree.Element) if etree.QName(node).localname == "txBody")
            yield from (all_text(body) for body in bodies)


def chart_of(root: etree._Element) -> Chart:
    """The values saved with a chart, one row per category."""
    names: list[str] = []
    categories: dict[int, str] = {}
    values: list[dict[int, str]] = []
    repeated: list[str] = []
    for series in root.iter(f"{C}ser"):
        names.append(" ".join(_points(series, "tx").values()))
        own = _points(series, "cat") or _points(series, "xVal")
        repeated.extend(text for place, text in own.items() if place in categories)
        categories = {**own, **categories}
        values.append(_points(series, "val") or _points(series, "yVal"))
    places = sorted({*categories, *(place for column in values for place in column)})
    rows = [(categories.get(place, ""), *(column.get(place, "") for column in values)) for place in places]
    titles = tuple(filter(None, (all_text(title) for title in root.iter(f"{C}title"))))
    return Chart(titles, (("", *names), *rows) if rows else (), "".join(repeated))


def _points(series: etree._Element, name: str) -> dict[int, str]:
    child = series.find(f"{C}{name}")
    if child is None:
        return {}
    points = list(child.iter(f"{C}pt"))
    if not points:
        return dict(enumerate(_said(node) for node in child.iter(f"{C}v")))
    values = ((point, point.find(f"{C}v")) for point in points)
    return {int(point.get("idx") or 0): "" if node is None else _said(node) for point, node in values}


def _said(value: etree._Element) -> str:
    """The text of a saved value. Only numbers are shortened: a label 2024.10 is October, not 2024.1."""
    text = value.text or ""
    return shortened(text) if any(holder.tag in NUMBERS for holder in value.iterancestors()) else text


def shortened(number: str) -> str:
    """4.2999999999999998 as it was typed: 4.3."""
    with suppress(ValueError, OverflowError):
        return f"{float(number):.15g}" if "." in number else number
    return number
