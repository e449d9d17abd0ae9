"""Small Word files made in the test: python-docx for the frame, raw XML for what it cannot write."""

import io
import zipfile
from collections.abc import Mapping
from functools import cache

from docx import Document

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
NAMESPACES = (
    f'xmlns:w="{W}" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" '
    'xmlns:v="urn:schemas-microsoft-com:vml" '
    'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
)


def word_file(body: str, parts: Mapping[str, str] | None = None) -> bytes:
    """A package whose body is `body` (inner XML of w:body); `parts` replaces or adds parts by name."""
    replaced = {"word/document.xml": f"<w:document {NAMESPACES}><w:body>{body}</w:body></w:document>"}
    return repacked(_frame(), {**replaced, **(parts or {})})


@cache
def _frame() -> bytes:
    stream = io.BytesIO()
    Document().save(stream)
    return stream.getvalue()


def repacked(data: bytes, parts: Mapping[str, str | bytes]) -> bytes:
    """The package with some parts replaced or added; new word parts get their relationship."""
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            content: str | bytes = parts.get(name, old.read(name))
            if name == "word/_rels/document.xml.rels" and name not in parts:
                content = _with_relationships(old.read(name).decode(), set(parts) - set(old.namelist()))
            new.writestr(name, content)
        for name in set(parts) - set(old.namelist()):
            new.writestr(name, parts[name])
    return stream.getvalue()


def _with_relationships(rels: str, names: set[str]) -> str:
    base = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    added = "".join(
        f'<Relationship Id="rIdNew{number}" Type="{base}/{stem.rstrip("0123456789")}" Target="{stem}.xml"/>'
        for number, stem in enumerate(
            sorted(
                name.removeprefix("word/").removesuffix(".xml") for name in names if name.startswith("word/")
            )
        )
    )
    return rels.replace("</Relationships>", f"{added}</Relationships>")


def paragraph(*inner: str, properties: str = "") -> str:
    return f"<w:p>{f'<w:pPr>{properties}</w:pPr>' if properties else ''}{''.join(inner)}</w:p>"


def run(text: str, properties: str = "") -> str:
    return f'<w:r><w:rPr>{properties}</w:rPr><w:t xml:space="preserve">{text}</w:t></w:r>'


def inserted(text: str) -> str:
    return f'<w:ins w:id="1" w:author="甲">{run(text)}</w:ins>'


def deleted(text: str) -> str:
    return f'<w:del w:id="2" w:author="甲"><w:r><w:delText>{text}</w:delText></w:r></w:del>'


def numbered(list_id: int, level: int = 0) -> str:
    return f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{list_id}"/></w:numPr>'


def table(*rows: list[str]) -> str:
    """Rows of cells, each cell the inner XML of a w:tc."""
    return f"<w:tbl>{''.join(f'<w:tr>{_cells(row)}</w:tr>' for row in rows)}</w:tbl>"


def cell(text: str, properties: str = "") -> str:
    return f"<w:tcPr>{properties}</w:tcPr>{paragraph(run(text))}"


def _cells(row: list[str]) -> str:
    return "".join(f"<w:tc>{inner}</w:tc>" for inner in row)


def numbering(*levels: tuple[str, str], extra: str = "") -> str:
    """numbering.xml with list 1 of the given (format, text) levels."""
    inner = "".join(
        f'<w:lvl w:ilvl="{i}"><w:start w:val="1"/><w:numFmt w:val="{name}"/>'
        f'<w:lvlText w:val="{text}"/></w:lvl>'
        for i, (name, text) in enumerate(levels)
    )
    return (
        f'<w:numbering xmlns:w="{W}"><w:abstractNum w:abstractNumId="5">{inner}</w:abstractNum>'
        f'<w:num w:numId="1"><w:abstractNumId w:val="5"/></w:num>{extra}</w:numbering>'
    )
