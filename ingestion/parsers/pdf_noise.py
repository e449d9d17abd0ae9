"""Takes what is no content out of a PDF's lines and paragraphs, and books it.

How each kind of noise is recognised is in `ingestion.cleaning`.
"""

from collections.abc import Sequence

from ingestion.cleaning import (
    Noise,
    PageLine,
    attachment_lists,
    is_revision_record,
    is_revision_row,
    is_revision_title,
    most_common,
    running_lines,
    toc_lines,
    toc_title,
)
from ingestion.documents import BlockBuilder
from ingestion.headings import numbering
from ingestion.parsers.pdf_blocks import JoinedTable, TextItem
from ingestion.parsers.pdf_layout import Item, Line
from ingestion.parsers.pdf_paragraphs import Paragraph


class NoiseFilter:
    """Drops noise into `builder` and keeps what it tells: headers, titles of the contents, revisions."""

    def __init__(self, builder: BlockBuilder) -> None:
        self._builder = builder
        self._headers: list[str] = []
        self.contents: list[str] = []
        self.revisions: list[tuple[str, ...]] = []

    @property
    def headers(self) -> tuple[str, ...]:
        """The distinct running headers, the most frequent first."""
        return most_common(self._headers)

    def pages(self, pages: Sequence[Sequence[Item]], heights: Sequence[float]) -> list[list[Item]]:
        """The pages without running lines and tables of contents."""
        return [self._without_contents(page) for page in self._without_running_lines(pages, heights)]

    def _without_running_lines(
        self, pages: Sequence[Sequence[Item]], heights: Sequence[float]
    ) -> list[list[Item]]:
        lines = [[item for item in items if isinstance(item, Line)] for items in pages]
        placed = [[PageLine(line.text, line.box.top, line.box.bottom) for line in page] for page in lines]
        running = running_lines(placed, heights)
        if all(len(noise) == len(items) for noise, items in zip(running, pages, strict=True)):
            return [list(items) for items in pages]  # nothing else is there: it is the content
        kept: list[list[Item]] = []
        for items, page, noise in zip(pages, lines, running, strict=True):
            for i, reason in noise.items():
                self._builder.drop(reason, page[i].text)
                if reason is Noise.RUNNING_HEADER:
                    self._headers.append(page[i].text)
            kept.append(_without(items, [page[i] for i in noise]))
        return kept

    def _without_contents(self, items: Sequence[Item]) -> list[Item]:
        lines = [item for item in items if isinstance(item, Line)]
        found = [lines[i] for i in toc_lines([line.text for line in lines])]
        for line in found:
            self._builder.drop(Noise.TOC, line.text)
            self.contents.append(toc_title(line.text))
        return _without(items, found)

    def paragraphs(self, items: Sequence[TextItem]) -> list[TextItem]:
        """The file's paragraphs and tables without revision records and lists of attachments."""
        return self._without_attachment_lists(self._without_revision_records(items))

    def _without_revision_records(self, items: Sequence[TextItem]) -> list[TextItem]:
        kept: list[TextItem] = []
        above = ""  # the text right above, while its record may still go on
        for item in items:
            if isinstance(item, JoinedTable):
                if is_revision_record(item.texts, above):
                    self._drop_record(item, kept)
                else:
                    kept.append(item)
                above = ""
            elif is_revision_title(_title_of(above)) and is_revision_row(item.text):
                self.revisions.append(tuple(item.text.split()))
                self._builder.drop(Noise.REVISION_RECORD, item.text, item.chars)
            else:
                above = item.text
                kept.append(item)
        return kept

    def _drop_record(self, table: JoinedTable, kept: list[TextItem]) -> None:
        """A bare title 修订记录 goes with its record; a numbered one is a section and stays."""
        self.revisions.extend(table.texts)
        text = " ".join(cell.text for cell in table.cells)
        self._builder.drop(Noise.REVISION_RECORD, text, table.chars)
        last = kept[-1] if kept else None
        if isinstance(last, Paragraph) and is_revision_title(last.text):
            self._builder.drop(Noise.REVISION_RECORD, last.text, last.chars)
            kept.pop()

    def _without_attachment_lists(self, items: Sequence[TextItem]) -> list[TextItem]:
        texts = [item.text if isinstance(item, Paragraph) else "" for item in items]
        listed = {place for found in attachment_lists(texts) for place in found}
        for place in sorted(listed):
            self._builder.drop(Noise.ATTACHMENT_LIST, texts[place], items[place].chars)
        return [item for place, item in enumerate(items) if place not in listed]


def _without(items: Sequence[Item], dropped: Sequence[Line]) -> list[Item]:
    ids = {id(line) for line in dropped}
    return [item for item in items if id(item) not in ids]


def _title_of(text: str) -> str:
    found = numbering(text)
    return found.title if found else text
