"""What stands beside the body of a Word file: comments and notes kept as NOTE, running parts dropped."""

from collections.abc import Mapping

from lxml import etree

from ingestion.cleaning import Noise
from ingestion.documents import Anchor, Block, BlockBuilder, BlockKind, count_chars
from ingestion.glyphs import normalise
from ingestion.parsers.docx_package import TEXT_TAGS, Package, W
from ingestion.parsers.docx_runs import RunReader
from ingestion.parsers.docx_styles import Styles


def add_notes(builder: BlockBuilder, package: Package, styles: Styles, places: Mapping[str, int]) -> None:
    """`places` gives the paragraph at which a note is referred to, by kind and id ("footnote:2")."""
    for root, kind, name in (
        (package.footnotes, "footnote", "脚注"),
        (package.endnotes, "endnote", "尾注"),
        (package.comments, "comment", "批注"),
    ):
        if root is None:
            continue
        runs = RunReader(root, styles)
        for note in root.iterchildren(f"{W}{kind}"):
            key = f"{kind}:{note.get(f'{W}id')}"
            if kind != "comment" and key not in places:
                builder.drop("unreferenced_note", _all_text(note))
                continue
            author = note.get(f"{W}author") or ""
            label = f"{name}（{author}）：" if kind == "comment" and author else f"{name}："
            _add_note(builder, runs, note, label, Anchor(paragraph=places.get(key), element=key))


def _add_note(
    builder: BlockBuilder, runs: RunReader, note: etree._Element, label: str, anchor: Anchor
) -> None:
    lines: list[str] = []
    source = 0
    for paragraph in note.iter(f"{W}p"):
        said = runs.read(paragraph)
        for part in said.left_out:
            builder.drop(part.reason, part.text)
        lines.append(said.text.strip())
        source += count_chars(said.source)
    text = normalise(" ".join(line for line in lines if line))
    if text:
        builder.add(Block(BlockKind.NOTE, label + text, anchor, source_chars=source))


def drop_running_parts(builder: BlockBuilder, package: Package) -> tuple[str, ...]:
    """Book headers and footers as dropped; their lines are returned for the metadata, each once."""
    lines: dict[str, None] = {}
    for roots, reason in (
        (package.headers, Noise.RUNNING_HEADER),
        (package.footers, Noise.RUNNING_FOOTER),
    ):
        for root in roots:
            builder.drop(reason, _all_text(root))
            for paragraph in root.iter(f"{W}p"):
                line = normalise("".join(node.text or "" for node in paragraph.iter(f"{W}t"))).strip()
                if line:
                    lines[line] = None
    return tuple(lines)


def _all_text(root: etree._Element) -> str:
    return "".join(node.text or "" for node in root.iter(*TEXT_TAGS))
