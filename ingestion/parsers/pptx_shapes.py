"""The shapes of a slide: which there are, in what order they are read, and what a placeholder is for."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from lxml import etree
from pptx.enum.shapes import PP_PLACEHOLDER
from pptx.shapes.shapetree import SlideShapeFactory

from ingestion.cleaning import LeftOut, Noise

A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
COMPATIBILITY = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
TEXT_TAGS = (f"{A}t", f"{M}t")
SAME_ROW = 182_880  # EMU, 0.2 inch: boxes side by side are seldom aligned exactly

TITLES = frozenset({PP_PLACEHOLDER.TITLE, PP_PLACEHOLDER.CENTER_TITLE, PP_PLACEHOLDER.VERTICAL_TITLE})
BODIES = frozenset({PP_PLACEHOLDER.BODY, PP_PLACEHOLDER.OBJECT, PP_PLACEHOLDER.VERTICAL_BODY})
RUNNING = {
    PP_PLACEHOLDER.DATE: Noise.RUNNING_FOOTER,
    PP_PLACEHOLDER.FOOTER: Noise.RUNNING_FOOTER,
    PP_PLACEHOLDER.HEADER: Noise.RUNNING_HEADER,
    PP_PLACEHOLDER.SLIDE_NUMBER: Noise.PAGE_NUMBER,
}

Shape = Any  # python-pptx is untyped


@dataclass(frozen=True, slots=True)
class Paragraph:
    """`text` as written. Left out are automatic dates and numbers, which tell of the day of viewing, and
    what the same place holds for readers without the newer markup."""

    text: str
    left_out: tuple[LeftOut, ...] = ()


def in_reading_order(tree: Any) -> list[Shape]:
    """The shapes of a slide or group: row by row from the top, in a row from the left; titles first."""
    found = sorted(_shapes(tree), key=lambda shape: (not is_title(shape), shape.top or 0))
    ordered: list[Shape] = []
    row: list[Shape] = []
    for shape in found:
        same = row and is_title(shape) == is_title(row[0])
        if row and not (same and (shape.top or 0) - (row[0].top or 0) <= SAME_ROW):
            ordered.extend(_from_left(row))
            row = []
        row.append(shape)
    return [*ordered, *_from_left(row)]


def _from_left(row: Iterable[Shape]) -> list[Shape]:
    return sorted(row, key=lambda shape: shape.left or 0)


def _shapes(tree: Any) -> Iterator[Shape]:
    """Also those in `mc:AlternateContent`, which python-pptx passes over: its first choice is shown."""
    element = tree._element
    for child in element.iterchildren(f"{COMPATIBILITY}AlternateContent"):
        choice = child.find(f"{COMPATIBILITY}Choice")
        for shape in choice if choice is not None else ():
            if shape.tag in element._shape_tags:
                yield SlideShapeFactory(shape, tree)
    yield from tree


def fallback_twins(root: etree._Element) -> Iterator[str]:
    """The text of shapes stored a second time for older programs."""
    for twin in root.iter(f"{COMPATIBILITY}Fallback"):
        if not any(True for _ in twin.iterancestors(f"{A}p")):
            yield all_text(twin)


def role(shape: Shape) -> Any:
    """The placeholder's type, None for a plain shape."""
    return shape.placeholder_format.type if shape.is_placeholder else None


def is_title(shape: Shape) -> bool:
    return role(shape) in TITLES


def paragraphs_of(body: etree._Element) -> Iterator[Paragraph]:
    """The paragraphs below an element, in order."""
    for paragraph in body.iter(f"{A}p"):
        yield _paragraph(paragraph)


def _paragraph(element: etree._Element) -> Paragraph:
    parts: list[str] = []
    left_out: list[LeftOut] = []
    for child in element.iterchildren(etree.Element):
        if child.tag == f"{A}br":
            parts.append("\n")
        elif child.tag == f"{COMPATIBILITY}AlternateContent":
            choice, fallback = (child.find(f"{COMPATIBILITY}{name}") for name in ("Choice", "Fallback"))
            parts.append(all_text(choice) if choice is not None else "")
            if fallback is not None:
                left_out.append(LeftOut(all_text(fallback), "fallback_twin"))
        elif (reason := _automatic(child)) is not None:
            left_out.append(LeftOut(all_text(child), reason))
        else:
            parts.append(all_text(child))
    return Paragraph("".join(parts), tuple(left_out))


def _automatic(element: etree._Element) -> Noise | None:
    if element.tag != f"{A}fld":
        return None
    kind = element.get("type") or ""
    if kind.startswith("datetime"):
        return Noise.RUNNING_FOOTER
    return Noise.PAGE_NUMBER if kind.startswith("slidenum") else None


def all_text(root: etree._Element) -> str:
    return "".join(node.text or "" for node in root.iter(*TEXT_TAGS))
