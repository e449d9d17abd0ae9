"""The text of one paragraph as Word shows it with all changes accepted, and what of it is left out.

Kept: insertions, moved-in text, content controls, links, field results, formulas. Left out, with a reason:
deletions, hidden text, field codes, ruby glosses, the second twin of a text box.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from lxml import etree

from ingestion.cleaning import LeftOut
from ingestion.parsers.docx_package import MC, TEXT_TAGS, A, M, W, is_on, value
from ingestion.parsers.docx_styles import Look, Styles, run_look

PROPERTIES = frozenset(
    W + name for name in ("pPr", "rPr", "sdtPr", "sdtEndPr", "tblPr", "tblGrid", "trPr", "tcPr", "sectPr")
)
DELETED = frozenset((f"{W}del", f"{W}moveFrom"))
CODES = frozenset((f"{W}instrText", f"{W}delInstrText"))
BREAKS = {f"{W}tab": "\t", f"{W}br": "\n", f"{W}cr": "\n", f"{W}noBreakHyphen": "-", f"{W}ptab": "\t"}
NOTES = frozenset((f"{W}footnoteReference", f"{W}endnoteReference", f"{W}commentReference"))

# Check marks of forms, by symbol font and code (the low byte; Word stores F0xx): Wingdings and Wingdings 2.
SYMBOLS = {
    "wingdings": {
        0x6F: "□",
        0xA8: "□",
        0xFC: "✓",
        0xFB: "✗",
        0xFD: "☒",
        0xFE: "☑",
        0x6C: "●",
        0x6E: "■",
        0xD8: "➢",
    },
    "wingdings 2": {0xA3: "□", 0x50: "✓", 0x4F: "✗", 0x51: "☒", 0x52: "☑", 0x53: "☒", 0x54: "☒", 0x2A: "□"},
    "symbol": {
        0xB7: "•",
        0xB0: "°",
        0xB1: "±",
        0xB4: "×",
        0xA3: "≤",
        0xB3: "≥",
        0xB8: "÷",
        0xB9: "≠",
        0xAE: "→",
    },
}


@dataclass(slots=True)
class ParagraphText:
    """`text` as shown; `source` is the part of it that stands in text elements of the file."""

    text: str = ""
    source: str = ""
    left_out: list[LeftOut] = field(default_factory=list)
    boxes: list[etree._Element] = field(default_factory=list)  # contents of text boxes, to be read after it
    notes: list[str] = field(default_factory=list)  # "footnote:2", "comment:0" referred to
    looks: list[tuple[Look, int]] = field(default_factory=list)  # look of each run with its length
    pictures: int = 0
    in_contents: bool = False  # some of it is the result of a TOC field

    @property
    def bold(self) -> bool:
        """Whether all visible text is bold."""
        return any(length for _, length in self.looks) and all(
            look.bold for look, length in self.looks if length
        )

    @property
    def size(self) -> float:
        """The size most of its characters have, in points; 0 when unknown."""
        sizes: Counter[float] = Counter()
        for look, length in self.looks:
            sizes[look.size] += length
        return max(sizes, key=lambda size: sizes[size], default=0.0)

    def followed_by(self, other: "ParagraphText") -> "ParagraphText":
        """Both as one paragraph, without what has been booked of the first."""
        return ParagraphText(
            self.text + other.text,
            self.source + other.source,
            other.left_out,
            self.boxes + other.boxes,
            other.notes,
            self.looks + other.looks,
            other.pictures,
            other.in_contents,
        )


class Fields:
    """Which part of which complex field the reading is in; fields span paragraphs.

    Only fields that are closed somewhere count: one that is not must not swallow the rest of the file.
    """

    def __init__(self, root: etree._Element) -> None:
        self._closed = _closed_marks(root)
        self._open: list[list[str]] = []  # per open field: ["code" or "result", its instruction so far]

    def mark(self, element: etree._Element) -> None:
        if element not in self._closed:
            return
        match element.get(f"{W}fldCharType"):
            case "begin":
                self._open.append(["code", ""])
            case "separate" if self._open:
                self._open[-1][0] = "result"
            case "end" if self._open:
                self._open.pop()

    def code(self, text: str) -> None:
        if self._open:
            self._open[-1][1] += text

    @property
    def in_code(self) -> bool:
        return any(part == "code" for part, _ in self._open)

    @property
    def in_contents(self) -> bool:
        return any(part == "result" and is_contents_code(instruction) for part, instruction in self._open)


def is_contents_code(instruction: str) -> bool:
    return instruction.split()[:1] == ["TOC"]


def _closed_marks(root: etree._Element) -> frozenset[etree._Element]:
    closed: set[etree._Element] = set()
    opened: list[list[etree._Element]] = []
    for mark in root.iter(f"{W}fldChar"):
        kind = mark.get(f"{W}fldCharType")
        if any(parent.tag in DELETED for parent in mark.iterancestors()):
            continue
        if kind == "begin":
            opened.append([mark])
        elif opened:
            opened[-1].append(mark)
            if kind == "end":
                closed.update(opened.pop())
    return frozenset(closed)


class RunReader:
    """Reads paragraphs of one part in order."""

    def __init__(self, root: etree._Element, styles: Styles) -> None:
        self._styles = styles
        self._fields = Fields(root)

    def read(self, paragraph: etree._Element) -> ParagraphText:
        into = ParagraphText()
        style = self._styles.get(value(paragraph, "pPr/pStyle"))
        into.in_contents = self._fields.in_contents
        self._children(paragraph, style.look, into)
        return into

    def _children(self, element: etree._Element, look: Look, into: ParagraphText) -> None:
        for child in element.iterchildren(etree.Element):
            self._inline(child, look, into)

    def _inline(self, element: etree._Element, look: Look, into: ParagraphText) -> None:
        tag = str(element.tag)
        if tag in PROPERTIES:
            return
        if tag in DELETED:
            leave_out(element, "tracked_deletion", into)
        elif tag == f"{W}r":
            self._run(element, look, into)
        elif tag == f"{W}txbxContent":
            into.boxes.append(element)
        elif tag == f"{MC}AlternateContent":
            chosen, twins = choose(element)
            for twin in twins:
                leave_out(twin, "fallback_twin", into)
            if chosen is not None:
                self._children(chosen, look, into)
        elif tag == f"{W}fldSimple":
            contents = is_contents_code(element.get(f"{W}instr") or "")
            into.in_contents = into.in_contents or contents
            self._children(element, look, into)
        elif tag == f"{A}p":  # a paragraph of a drawing: never glued to the words around it
            into.text += "\n" if into.text.strip() else ""
            self._children(element, look, into)
            into.text += "\n"
        elif tag == f"{W}ruby":
            self._ruby(element, look, into)
        elif tag == f"{M}f":
            self._fraction(element, look, into)
        elif tag in TEXT_TAGS:
            self._text(element, look, into)
        else:
            self._leaf(element, into)
            self._children(element, look, into)

    def _run(self, run: etree._Element, look: Look, into: ParagraphText) -> None:
        properties = run.find(f"{W}rPr")
        own = run_look(properties)
        style_id = value(properties, "rStyle")
        shown = own.over(self._styles.run(style_id)).over(look)
        if shown.hidden:
            for mark in run.iterchildren(f"{W}fldChar"):
                self._fields.mark(mark)
            leave_out(run, "hidden", into)
            return
        self._children(run, shown, into)

    def _text(self, element: etree._Element, look: Look, into: ParagraphText) -> None:
        text = element.text or ""
        if element.tag in CODES or self._fields.in_code:
            self._fields.code(text)
            into.left_out.append(LeftOut(text, "field_code"))
            return
        into.in_contents = into.in_contents or self._fields.in_contents
        into.text += text
        into.source += text
        into.looks.append((look, len(text.strip())))

    def _leaf(self, element: etree._Element, into: ParagraphText) -> None:
        """Elements that stand for a character or a mark, not for text of their own."""
        tag = str(element.tag)
        if tag in BREAKS and not self._fields.in_code:
            into.text += BREAKS[tag]
        elif tag == f"{W}sym":
            into.text += symbol(element)
        elif tag == f"{W}fldChar":
            self._fields.mark(element)
            into.text += _check_box(element)
        elif tag in NOTES:
            kind = tag.removeprefix(W).removesuffix("Reference")
            into.notes.append(f"{kind}:{element.get(f'{W}id')}")
        elif tag in (f"{A}blip", "{urn:schemas-microsoft-com:vml}imagedata"):
            into.pictures += 1

    def _ruby(self, element: etree._Element, look: Look, into: ParagraphText) -> None:
        """A word with its reading above: the reading is left out."""
        for part in element.iterchildren(f"{W}rt", f"{W}rubyBase"):
            if part.tag == f"{W}rt":
                leave_out(part, "ruby", into)
            else:
                self._children(part, look, into)

    def _fraction(self, element: etree._Element, look: Look, into: ParagraphText) -> None:
        for place, part in enumerate(element.iterchildren(f"{M}num", f"{M}den")):
            into.text += "/" if place else ""
            self._children(part, look, into)


def leave_out(element: etree._Element, reason: str, into: ParagraphText) -> None:
    for node in element.iter(*TEXT_TAGS):
        into.left_out.append(LeftOut(node.text or "", reason))


def choose(alternate: etree._Element) -> tuple[etree._Element | None, list[etree._Element]]:
    """Of an AlternateContent the branch to read and those that repeat it: the first one with text, else the
    first."""
    branches = [*alternate.iterchildren(f"{MC}Choice"), *alternate.iterchildren(f"{MC}Fallback")]
    chosen = next((branch for branch in branches if has_text(branch.iter(*TEXT_TAGS))), None)
    if chosen is None:
        chosen = branches[0] if branches else None
    return chosen, [branch for branch in branches if branch is not chosen]


def has_text(nodes: Iterable[etree._Element]) -> bool:
    return any((node.text or "").strip() for node in nodes)


def symbol(element: etree._Element) -> str:
    """The character a `w:sym` shows; a bullet for signs of decorative fonts that mean nothing."""
    font = (element.get(f"{W}font") or "").lower()
    try:
        code = int(element.get(f"{W}char") or "", 16)
    except ValueError:
        return ""
    if font in SYMBOLS:
        return SYMBOLS[font].get(code & 0xFF, "•")
    return "•" if 0xE000 <= code <= 0xF8FF or not 0x20 <= code < 0xD800 else chr(code)


def _check_box(mark: etree._Element) -> str:
    """The box of a legacy form field, ticked or not."""
    box = mark.find(f"{W}ffData/{W}checkBox")
    if box is None:
        return ""
    checked = is_on(box.find(f"{W}checked"))
    return "☑" if (checked if checked is not None else is_on(box.find(f"{W}default"))) else "□"
