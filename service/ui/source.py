"""The source page: a revision's text as it was read, one passage marked, and the original to download."""

from collections.abc import Sequence
from datetime import date

from fastapi import Request, Response
from fastapi.responses import PlainTextResponse
from nicegui import app as console
from nicegui.element import Element
from starlette.concurrency import run_in_threadpool

from ingestion.documents import Anchor, Block, BlockKind, Chunk, Kind
from service.access import Role
from service.api.documents import get_original
from service.bootstrap import Parts
from service.errors import NotAuthenticated, ZhixingError
from service.store.documents import Content, StoredDocument
from service.ui import corrections, pages
from service.ui.cards import about, original_address, standing_tag
from service.ui.elements import Pager, box, facts, icon, link, words
from service.ui.frame import DOCUMENTS, frame
from service.ui.minutes_addresses import meeting_address
from service.ui.pages import Visit
from service.ui.sessions import Sessions, Visitor
from service.ui.versions import comparison_address, version_line
from service.wording import place_words, term_words

BLOCKS_PER_PAGE = 200


def register(parts: Parts, sessions: Sessions) -> None:
    pages.register("/documents/{document}", parts, sessions, _build)

    @console.get("/documents/{document}/original", include_in_schema=False)
    async def original(request: Request, document: str, revision: str | None = None) -> Response:
        try:
            visitor = Visitor.of(request, parts, sessions)
            principal = await visitor.principal(Role.CONTRIBUTOR)
            return await run_in_threadpool(get_original, parts, principal, document, revision)
        except NotAuthenticated:
            return pages.to_sign_in(request)
        except ZhixingError as error:
            return PlainTextResponse(error.message, error.status)


async def _build(visit: Visit) -> None:
    document, revision = visit.asked("document"), visit.asked("revision")
    store = visit.parts.documents
    content = await run_in_threadpool(store.content, visit.principal, document, revision or None)
    stored = await run_in_threadpool(store.get, visit.principal, document)
    wanted = visit.asked("chunk")
    chunks = await run_in_threadpool(store.chunks, visit.principal, [wanted] if wanted else [])
    chunk = chunks.get(wanted)
    title = content.document.title
    with frame(title, room=DOCUMENTS, principal=visit.principal, signed_in=visit.visitor.signs_in):
        _about(visit, stored, content)
        if wanted and (chunk is None or chunk.revision_id != content.revision.id):
            words("p", "要找的段落已不在这一版里，下面是这一版的全文。", "problem", role="status")
            chunk = None
        SourceView(content.blocks, chunk).show()


def _about(visit: Visit, stored: StoredDocument, content: Content) -> None:
    document, revision = content.document, content.revision
    item = next(one for one in stored.revisions if one.revision.id == revision.id)
    with box("div", "source-about"):
        with box("div"):
            with box("p", "revision-line"):
                standing_tag(item, date.today())
                words("span", revision.label or content.file_name, "revision-name")
                words("span", term_words(revision), "revision-term")
            facts(*about(document), content.file_name if revision.label else "")
        with box("div", "source-actions"):
            if document.kind is Kind.MINUTES:
                link("议题与全文", meeting_address(document.id), "button")
            corrections.offer(visit, document, revision)
            if stored.before(item) is not None:
                link("与上一版对照", comparison_address(document.id, revision.id), "button")
            address = original_address(document.id, revision.id)
            with link("", address, "button", download=content.file_name):
                icon("download")
                words("span", "下载原件")
    version_line(stored, item)


class SourceView:
    """The text a page at a time; it opens at the passage, if there is one."""

    def __init__(self, blocks: Sequence[Block], chunk: Chunk | None) -> None:
        self._blocks = blocks
        self._chunk = chunk
        self._pager = Pager(BLOCKS_PER_PAGE, self._turn)

    def show(self) -> None:
        if self._chunk is not None:
            start = self._chunk.char_start
            first = next((n for n, b in enumerate(self._blocks) if b.anchor.char_end > start), 0)
            self._pager.number = first // BLOCKS_PER_PAGE + 1
        self._text = box("div", "panel source-text", tabindex="-1", role="region", aria_label="原文")
        self._foot = box("div")
        self._draw()

    async def _turn(self) -> None:
        self._draw()
        self._text.run_method("focus")

    def _draw(self) -> None:
        self._text.clear()
        self._foot.clear()
        first = (self._pager.number - 1) * BLOCKS_PER_PAGE
        leaf = ""
        marks: list[Element] = []
        with self._text:
            for block in self._blocks[first : first + BLOCKS_PER_PAGE]:
                here = _leaf(block)
                if here and here != leaf:
                    words("p", here, "leaf")
                leaf = here or leaf
                marks += _block(block, self._chunk)
        with self._foot:
            self._pager.draw(len(self._blocks))
        if marks:
            marks[0].run_method("scrollIntoView", {"block": "center"})


def _leaf(block: Block) -> str:
    """The page, sheet or slide a block stands on."""
    at = block.anchor
    return place_words(Anchor(page=at.page, page_label=at.page_label, sheet=at.sheet, slide=at.slide))


def _block(block: Block, chunk: Chunk | None) -> list[Element]:
    """Draws a block; returns the marks in it."""
    heading = block.kind is BlockKind.HEADING
    name = f"h{min(6, max(1, block.level) + 1)}" if heading else "p"
    start, end = _marked(block, chunk)
    style = f"block block-{block.kind.value}"
    if start >= end:
        words(name, block.text, style)
        return []
    with box(name, style):
        if start:
            words("span", block.text[:start])
        mark = words("mark", block.text[start:end])
        if end < len(block.text):
            words("span", block.text[end:])
    return [mark]


def _marked(block: Block, chunk: Chunk | None) -> tuple[int, int]:
    """The part of the block's text that belongs to the chunk; empty when none does."""
    if chunk is None:
        return 0, 0
    at, length = block.anchor.char_start, len(block.text)
    return max(0, chunk.char_start - at), min(length, chunk.char_end - at)
