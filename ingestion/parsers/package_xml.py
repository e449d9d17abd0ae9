"""Markup parts of an office package (docx, xlsx, pptx) and what they refer to, read without trusting them."""

import posixpath
from dataclasses import dataclass

from lxml import etree

from ingestion.documents import FailureReason
from ingestion.errors import ParseFailure
from ingestion.parsers.archive import Archive


@dataclass(frozen=True, slots=True)
class Relation:
    """A part another part refers to. `kind` is the last word of the relationship's type: styles, comments."""

    id: str
    kind: str
    part: str


def relations(archive: Archive, part: str) -> list[Relation]:
    """What `part` refers to within the package, in the file's order; the package itself is the part ``""``.

    Targets outside the package and missing ones are left out. Raises ParseFailure as `root_of` does.
    """
    folder, name = posixpath.split(part)
    listing = posixpath.join(folder, "_rels", f"{name}.rels")
    if listing not in archive:
        return []
    found: list[Relation] = []
    for relation in part_root(archive, listing).iter("{*}Relationship"):
        target = (relation.get("Target") or "").replace("\\", "/")
        path = posixpath.normpath(posixpath.join(folder, target)).lstrip("/")
        if target and relation.get("TargetMode") != "External" and path in archive:
            kind = (relation.get("Type") or "").rsplit("/", 1)[-1]
            found.append(Relation(relation.get("Id") or "", kind, path))
    return found


def first_of(found: list[Relation], kind: str) -> str:
    """The first part of a kind, an empty string when there is none."""
    return next((relation.part for relation in found if relation.kind == kind), "")


def part_root(archive: Archive, part: str) -> etree._Element:
    """The root of a part. Raises ParseFailure as `root_of` does, and when it cannot be unpacked."""
    return root_of(archive.read(part), part)


def root_of(data: bytes, part: str) -> etree._Element:
    """The root of markup. Entities are never resolved and a document type is refused.

    Raises ParseFailure (corrupt, too_complex, too_large, unsafe), naming `part`.
    """
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        root: etree._Element = etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        raise failure(part, error) from error
    if root.getroottree().docinfo.internalDTD is not None:
        raise ParseFailure(FailureReason.UNSAFE, f"部件 {part} 含有 DOCTYPE 声明，可能是恶意文件，已拒绝读取")
    return root


def failure(part: str, error: etree.XMLSyntaxError) -> ParseFailure:
    """What a syntax error says about the file: libxml2 names its own limits by these words."""
    message = str(error).lower()
    if "depth" in message:
        return ParseFailure(
            FailureReason.TOO_COMPLEX, f"部件 {part} 嵌套层数过深，无法读取。请简化内容后再导入"
        )
    if "huge" in message:
        return ParseFailure(FailureReason.TOO_LARGE, f"部件 {part} 中有过长的内容，无法读取。请拆分后再导入")
    return ParseFailure(
        FailureReason.CORRUPT, f"部件 {part} 已损坏，无法读取。请用原程序打开并另存后再试"
    )
