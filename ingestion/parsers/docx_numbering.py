"""Automatic numbers of Word: numId -> abstractNum -> level, counted while the paragraphs go by.

The counting follows Open XML part 1, 17.9: lists of one abstract definition share their counters, a deeper
level starts again after a higher one, `startOverride` starts a list anew on its first use.
"""

import re
from dataclasses import dataclass, field

from lxml import etree

from ingestion.parsers.docx_package import W, is_on, number, value
from ingestion.parsers.docx_styles import Styles
from ingestion.parsers.number_words import written

MAX_LEVELS = 9
_PLACEHOLDER = re.compile(r"%([1-9])")


@dataclass(frozen=True, slots=True)
class Level:
    format: str
    text: str
    start: int = 1
    restart: int | None = None  # restarts after this level (1-based); 0 never, None after any higher one
    decimal_only: bool = False  # w:isLgl
    style: str = ""

    @property
    def is_bullet(self) -> bool:
        return self.format in ("bullet", "none") and not _PLACEHOLDER.search(self.text)


@dataclass(frozen=True, slots=True)
class Label:
    """What stands before a paragraph: `text` is empty for a bullet."""

    text: str
    bullet: bool = False


@dataclass
class _List:
    abstract: str
    levels: dict[int, Level]
    overrides: dict[int, int] = field(default_factory=dict)  # level -> start, until it has been used


class Numbering:
    def __init__(self, root: etree._Element | None, styles: Styles) -> None:
        self._styles = styles
        self._root = root
        self._abstracts: dict[str, etree._Element] = {}
        self._nums: dict[int, etree._Element] = {}
        if root is not None:
            self._abstracts = {a.get(f"{W}abstractNumId") or "": a for a in root.iter(f"{W}abstractNum")}
            nums = ((number(n.get(f"{W}numId")), n) for n in root.iter(f"{W}num"))
            self._nums = {id_: element for id_, element in nums if id_ is not None}
        self._lists: dict[int, _List | None] = {}
        self._counters: dict[str, dict[int, int]] = {}

    def next(self, list_id: int, level: int | None, style_id: str) -> Label | None:
        """Count one paragraph of a list and give its label; None where there is no such list."""
        found = self._list(list_id)
        if found is None or not found.levels:
            return None
        if level is None:
            level = next((i for i, each in found.levels.items() if style_id and each.style == style_id), 0)
        definition = found.levels.get(level)
        if definition is None:
            return None
        counters = self._counters.setdefault(found.abstract, {})
        self._count(counters, found, level)
        if definition.is_bullet:
            return Label("", bullet=True)
        return Label(_PLACEHOLDER.sub(lambda m: self._shown(m, found, definition, counters), definition.text))

    def _count(self, counters: dict[int, int], found: _List, level: int) -> None:
        override = found.overrides.pop(level, None)
        start = override if override is not None else found.levels[level].start
        fresh = override is not None or level not in counters
        counters[level] = start if fresh else counters[level] + 1
        for higher in range(level):
            if higher in found.levels:
                counters.setdefault(higher, found.levels[higher].start)
        for deeper in [other for other in counters if other > level]:
            restart = found.levels[deeper].restart if deeper in found.levels else None
            if restart is None or 0 < level + 1 <= restart:
                del counters[deeper]

    @staticmethod
    def _shown(mark: re.Match[str], found: _List, own: Level, counters: dict[int, int]) -> str:
        level = int(mark.group(1)) - 1
        definition = found.levels.get(level)
        if definition is None or definition.format == "none":
            return ""
        count = counters.get(level, definition.start)
        return written(count, "decimal" if own.decimal_only else definition.format)

    def _list(self, list_id: int) -> _List | None:
        if list_id not in self._lists:
            self._lists[list_id] = self._read_list(list_id)
        return self._lists[list_id]

    def _read_list(self, list_id: int) -> _List | None:
        element = self._nums.get(list_id)
        if element is None:
            return None
        abstract_id = value(element, "abstractNumId") or ""
        abstract = self._linked(abstract_id)
        if abstract is None:
            return None
        found = _List(abstract.get(f"{W}abstractNumId") or abstract_id, _levels(abstract))
        for override in element.iter(f"{W}lvlOverride"):
            level = number(override.get(f"{W}ilvl")) or 0
            found.levels.update(_levels(override))
            start = number(value(override, "startOverride"))
            if start is not None:
                found.overrides[level] = start
        return found

    def _linked(self, abstract_id: str) -> etree._Element | None:
        """The definition itself, behind a link through a list style where there is one."""
        abstract = self._abstracts.get(abstract_id)
        link = value(abstract, "numStyleLink")
        if link is None:
            return abstract
        target = self._nums.get(self._styles.get(link).look.list_id or 0)
        linked_id = value(target, "abstractNumId")
        return self._abstracts.get(linked_id or "", abstract)


def _levels(parent: etree._Element) -> dict[int, Level]:
    levels: dict[int, Level] = {}
    for element in parent.iterchildren(f"{W}lvl"):
        index = number(element.get(f"{W}ilvl"))
        if index is None or not 0 <= index < MAX_LEVELS:
            continue
        start = number(value(element, "start"))
        levels[index] = Level(
            format=value(element, "numFmt") or _custom_format(element),
            text=value(element, "lvlText") or "",
            start=1 if start is None else start,
            restart=number(value(element, "lvlRestart")),
            decimal_only=bool(is_on(element.find(f"{W}isLgl"))),
            style=value(element, "pStyle") or "",
        )
    return levels


def _custom_format(level: etree._Element) -> str:
    """Newer Word wraps a format of its own (001, 002) in AlternateContent; the fallback says decimal."""
    formats = [found.get(f"{W}val") or "" for found in level.iter(f"{W}numFmt")]
    return next((name for name in formats if name and name != "custom"), "decimal")
