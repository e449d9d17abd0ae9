"""The parts of a Word package: found by their relationships, parsed safely, their text counted.

Strict Open XML differs in its namespaces only; they are rewritten to the transitional ones on reading.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime

from lxml import etree

from ingestion.documents import FailureReason, Metadata, count_chars
from ingestion.errors import ParseFailure
from ingestion.parsers.archive import Archive, open_archive
from ingestion.parsers.package_xml import relations, root_of

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_CORE = "{http://schemas.openxmlformats.org/package/2006/metadata/core-properties}"
_DC = "{http://purl.org/dc/elements/1.1/}"
_TERMS = "{http://purl.org/dc/terms/}"

_STRICT = b"http://purl.oclc.org/ooxml/"
_TRANSITIONAL = (
    (b"wordprocessingml/main", b"http://schemas.openxmlformats.org/wordprocessingml/2006/main"),
    (b"drawingml/main", b"http://schemas.openxmlformats.org/drawingml/2006/main"),
    (b"officeDocument/math", b"http://schemas.openxmlformats.org/officeDocument/2006/math"),
    (
        b"officeDocument/relationships",
        b"http://schemas.openxmlformats.org/officeDocument/2006/relationships",
    ),
)
TEXT_TAGS = (f"{W}t", f"{W}delText", f"{W}instrText", f"{W}delInstrText", f"{M}t", f"{A}t")


@dataclass(frozen=True, slots=True)
class Package:
    """Roots of the parts that hold text, and of those that say how it looks."""

    document: etree._Element
    styles: etree._Element | None = None
    numbering: etree._Element | None = None
    comments: etree._Element | None = None
    footnotes: etree._Element | None = None
    endnotes: etree._Element | None = None
    headers: tuple[etree._Element, ...] = ()
    footers: tuple[etree._Element, ...] = ()
    metadata: Metadata = field(default_factory=Metadata)

    def text_roots(self) -> Iterator[etree._Element]:
        yield self.document
        yield from (part for part in (self.comments, self.footnotes, self.endnotes) if part is not None)
        yield from (*self.headers, *self.footers)

    def count_text(self) -> int:
        """Characters of every text element of the package, apart from the reading walk: deleted text, field
        codes and both twins of a text box are in it."""
        return sum(
            count_chars(node.text or "") for root in self.text_roots() for node in root.iter(*TEXT_TAGS)
        )


def open_package(data: bytes) -> Package:
    """Raises ParseFailure: corrupt, unsafe, too_complex, too_large."""
    archive = open_archive(data)
    main = _main_part(archive)
    parts = _parts_of(archive, main)

    def first(kind: str) -> etree._Element | None:
        names = parts.get(kind, ())
        return parse_part(archive, names[0]) if names else None

    return Package(
        document=parse_part(archive, main),
        styles=first("styles"),
        numbering=first("numbering"),
        comments=first("comments"),
        footnotes=first("footnotes"),
        endnotes=first("endnotes"),
        headers=tuple(parse_part(archive, name) for name in parts.get("header", ())),
        footers=tuple(parse_part(archive, name) for name in parts.get("footer", ())),
        metadata=_metadata(archive),
    )


def _main_part(archive: Archive) -> str:
    found = _parts_of(archive, "").get("officeDocument", ("word/document.xml",))
    if found[0] not in archive:
        raise ParseFailure(
            FailureReason.CORRUPT, "文件中没有正文部件，可能已损坏。请用 Word 或 WPS 另存后再试"
        )
    return found[0]


def _parts_of(archive: Archive, part: str) -> dict[str, tuple[str, ...]]:
    """The parts that `part` refers to, by kind, each once."""
    targets: dict[str, tuple[str, ...]] = {}
    for relation in relations(archive, part):
        targets[relation.kind] = tuple(dict.fromkeys((*targets.get(relation.kind, ()), relation.part)))
    return targets


def parse_part(archive: Archive, name: str) -> etree._Element:
    """As `package_xml.part_root`, with transitional namespaces."""
    data = archive.read(name)
    if _STRICT in data:
        for strict, transitional in _TRANSITIONAL:
            data = data.replace(_STRICT + strict, transitional)
    return root_of(data, name)


def _metadata(archive: Archive) -> Metadata:
    names = _parts_of(archive, "").get("core-properties", ())
    if not names:
        return Metadata()
    root = parse_part(archive, names[0])
    return Metadata(
        title=(root.findtext(f"{_DC}title") or "").strip(),
        author=(root.findtext(f"{_DC}creator") or "").strip(),
        created=_moment(root.findtext(f"{_TERMS}created")),
        modified=_moment(root.findtext(f"{_TERMS}modified")),
    )


def _moment(text: str | None) -> datetime | None:
    try:
        return datetime.fromisoformat((text or "").strip())
    except ValueError:
        return None


def is_on(element: etree._Element | None) -> bool | None:
    """A toggle property: None where it is absent, true without a value."""
    if element is None:
        return None
    return (element.get(f"{W}val") or "1").lower() not in ("0", "false", "off", "none")


def value(element: etree._Element | None, path: str) -> str | None:
    """The `w:val` of the child at `path` (names without prefix, separated by /)."""
    found = element.find("/".join(W + name for name in path.split("/"))) if element is not None else None
    return found.get(f"{W}val") if found is not None else None


def number(text: str | None) -> int | None:
    """An integer attribute, None when absent or no integer."""
    cleaned = (text or "").strip()
    digits = cleaned.removeprefix("-")
    return int(cleaned) if digits.isascii() and digits.isdigit() and len(digits) < 10 else None
