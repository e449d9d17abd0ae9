"""What styles say about a paragraph, along their basedOn chain: outline level, numbering, look."""

import re
from dataclasses import dataclass, replace

from lxml import etree

from ingestion.parsers.docx_package import W, is_on, number, value

BODY_TEXT_LEVEL = 9  # w:outlineLvl: 0..8 are headings 1..9, 9 is body text
_HEADING_NAME = re.compile(r"(?:heading|标题|標題|überschrift|titre)\s*([1-9])", re.IGNORECASE)
_TITLE_NAMES = frozenset(("title", "标题", "文档标题", "標題"))
_TOC_NAME = re.compile(r"toc\s*(?:\d|heading)|目录\s*\d?|table of figures|图表目录", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Look:
    """Properties of a paragraph or run; None and 0 mean that nothing is said. `size` is in points."""

    outline: int | None = None
    list_id: int | None = None
    list_level: int | None = None
    bold: bool | None = None
    hidden: bool | None = None
    centred: bool | None = None
    size: float = 0.0

    def over(self, base: "Look") -> "Look":
        """These properties where they say something, those of `base` elsewhere."""
        return Look(
            outline=base.outline if self.outline is None else self.outline,
            list_id=base.list_id if self.list_id is None else self.list_id,
            list_level=base.list_level if self.list_level is None else self.list_level,
            bold=base.bold if self.bold is None else self.bold,
            hidden=base.hidden if self.hidden is None else self.hidden,
            centred=base.centred if self.centred is None else self.centred,
            size=self.size or base.size,
        )


def paragraph_look(properties: etree._Element | None) -> Look:
    """Of a `w:pPr`: what it says of the paragraph itself, not of its runs."""
    if properties is None:
        return Look()
    alignment = value(properties, "jc")
    return Look(
        outline=number(value(properties, "outlineLvl")),
        list_id=number(value(properties, "numPr/numId")),
        list_level=number(value(properties, "numPr/ilvl")),
        centred=None if alignment is None else alignment == "center",
    )


def run_look(properties: etree._Element | None) -> Look:
    """Of a `w:rPr`."""
    if properties is None:
        return Look()
    half_points = number(value(properties, "sz"))
    return Look(
        bold=is_on(properties.find(f"{W}b")),
        hidden=is_on(properties.find(f"{W}vanish")),
        size=half_points / 2 if half_points else 0.0,
    )


@dataclass(frozen=True, slots=True)
class Style:
    """A style with everything it inherits."""

    id: str
    name: str
    look: Look

    @property
    def heading_level(self) -> int | None:
        """1..9 for a heading style, by outline level, then by name."""
        if self.look.outline is not None:
            return self.look.outline + 1 if 0 <= self.look.outline < BODY_TEXT_LEVEL else None
        named = _HEADING_NAME.fullmatch(self.name.strip())
        return int(named.group(1)) if named else None

    @property
    def is_title(self) -> bool:
        return self.name.strip().lower() in _TITLE_NAMES

    @property
    def is_contents(self) -> bool:
        return _TOC_NAME.fullmatch(self.name.strip()) is not None


NO_STYLE = Style("", "", Look())


class Styles:
    def __init__(self, root: etree._Element | None) -> None:
        found = root.iter(f"{W}style") if root is not None else iter(())
        self._elements = {style.get(f"{W}styleId") or "": style for style in found}
        self._default = next(
            (
                id_
                for id_, style in self._elements.items()
                if style.get(f"{W}type") == "paragraph"
                and (style.get(f"{W}default") or "0") not in ("0", "false")
            ),
            "",
        )
        run_default = root.find(f"{W}docDefaults/{W}rPrDefault/{W}rPr") if root is not None else None
        self._base = run_look(run_default)
        self._resolved: dict[str, Style] = {}

    def get(self, style_id: str | None) -> Style:
        """The style of a paragraph or run; unknown ids and None give the default paragraph style."""
        key = style_id if style_id in self._elements else self._default
        if key not in self._resolved:
            self._resolved[key] = self._resolve(key, frozenset())
        return self._resolved[key]

    def _resolve(self, style_id: str, seen: frozenset[str]) -> Style:
        element = self._elements.get(style_id)
        if element is None or style_id in seen:
            return replace(NO_STYLE, look=self._base)
        base_id = value(element, "basedOn")
        base = self._resolve(base_id, seen | {style_id}) if base_id else replace(NO_STYLE, look=self._base)
        look = paragraph_look(element.find(f"{W}pPr")).over(run_look(element.find(f"{W}rPr"))).over(base.look)
        name = value(element, "name") or style_id
        if look.outline is None and (inherited := base.heading_level):
            look = replace(look, outline=inherited - 1)
        return Style(style_id, name, look)

    def run(self, style_id: str | None) -> Look:
        """What a character style says; nothing without one."""
        style = self._elements.get(style_id or "")
        return (
            self.get(style_id).look if style is not None and style.get(f"{W}type") == "character" else Look()
        )
