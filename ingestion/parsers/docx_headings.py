"""Whether a Word paragraph is a heading: outline level, then style, then numbering and look."""

from collections import Counter
from dataclasses import dataclass

from lxml import etree

from ingestion.headings import Outline, looks_like_heading, numbering
from ingestion.parsers.docx_package import W, value
from ingestion.parsers.docx_styles import BODY_TEXT_LEVEL, Look, Style, Styles, run_look
from ingestion.parsers.text import ALWAYS_HEADINGS

MAX_STYLED_CHARS = 100  # a longer paragraph wears a heading style by mistake
LARGER = 1.05  # sizes within 5 % are equal
STYLED_SIZE = 1.2  # of body size: what a heading style counts as at least


@dataclass(frozen=True, slots=True)
class Shape:
    """A paragraph as it looks: its style, its own properties, whether all is bold, its size in points."""

    style: Style
    own: Look
    bold: bool
    size: float

    @property
    def styled_level(self) -> int | None:
        if self.own.outline is not None:
            return self.own.outline + 1 if 0 <= self.own.outline < BODY_TEXT_LEVEL else None
        return 1 if self.style.is_title else self.style.heading_level

    @property
    def centred(self) -> bool:
        return bool(self.own.centred if self.own.centred is not None else self.style.look.centred)


class Headings:
    """Levels of the headings of one document, asked in reading order."""

    def __init__(self, root: etree._Element, styles: Styles) -> None:
        self._outline = Outline()
        self._body_size = _body_size(root, styles) or 1.0  # sizes only compare: any unit will do

    def level(self, text: str, shape: Shape) -> int:
        """1..9, or 0 for a paragraph that is no heading. `text` includes its automatic number."""
        found = numbering(text)
        if shape.styled_level is not None:
            if _is_misused(text) or (found is not None and found.is_clause and not looks_like_heading(text)):
                return 0
            # A heading told by its look alone, set in body size, belongs under the styled one before it.
            size = max(shape.size, self._body_size * STYLED_SIZE)
            return self._outline.level(found, styled=shape.styled_level, size=size)
        if not looks_like_heading(text):
            return 0
        size = shape.size or self._body_size
        larger = size > self._body_size * LARGER
        if found is None:
            is_title = larger and (shape.bold or shape.centred) or (shape.bold and shape.centred)
            return self._outline.level(None, size=size) if is_title else 0
        stands_out = shape.bold or larger or shape.centred
        if found.is_clause or not (found.pattern in ALWAYS_HEADINGS or stands_out):
            return 0
        return self._outline.level(found, size=size)


def _is_misused(text: str) -> bool:
    return len(text) > MAX_STYLED_CHARS or (
        text.rstrip().endswith(("。", "；")) and not looks_like_heading(text)
    )


def _body_size(root: etree._Element, styles: Styles) -> float:
    """The size most characters have, 0 when no size is given anywhere."""
    sizes: Counter[float] = Counter()
    for paragraph in root.iter(f"{W}p"):
        base = styles.get(value(paragraph, "pPr/pStyle")).look.size
        for run in paragraph.iterchildren(f"{W}r"):
            size = run_look(run.find(f"{W}rPr")).size or base
            sizes[size] += sum(len(text.text or "") for text in run.iterchildren(f"{W}t"))
    return max(sizes, key=lambda size: sizes[size], default=0.0)
