"""The text of a Word file, one line a paragraph: body, cells, text boxes, then notes, headers, comments."""

from collections.abc import Iterator

from lxml import etree

from ingestion.parsers.archive import open_archive, refuse_document_types
from ingestion.parsers.docx_package import MC, M, W, open_package

_SIGNS = {f"{W}tab": "\t", f"{W}br": "\n", f"{W}cr": "\n", f"{W}noBreakHyphen": "-"}
_TEXT = (f"{W}t", f"{M}t")
_NOT_ITS_OWN = (f"{W}p", f"{W}pPr", f"{W}moveFrom", f"{MC}Fallback")  # moved text stands where it went to


def read_word(data: bytes) -> str:
    """Deleted text, field codes and automatic numbers are no text of the file. Raises ParseFailure."""
    refuse_document_types(open_archive(data))  # whose entities would be text that nobody sees
    return "\n".join(
        "".join(_words(paragraph))
        for root in open_package(data).text_roots()
        for paragraph in _paragraphs(root)
    )


def _paragraphs(root: etree._Element) -> Iterator[etree._Element]:
    """In document order, one in a text box after the one around it. A fallback is a twin of its choice."""
    for paragraph in root.iter(f"{W}p"):
        if not any(above.tag == f"{MC}Fallback" for above in paragraph.iterancestors()):
            yield paragraph


def _words(element: etree._Element) -> Iterator[str]:
    for child in element:
        if child.tag in _TEXT:
            yield child.text or ""
        elif child.tag in _SIGNS:
            yield _SIGNS[child.tag]
        elif child.tag not in _NOT_ITS_OWN:
            yield from _words(child)
