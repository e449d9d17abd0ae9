"""The documents page: upload, every document with its revisions, withdraw and restore, delete."""

from collections.abc import Sequence
from datetime import date

from nicegui.element import Element
from starlette.concurrency import run_in_threadpool

from ingestion.documents import RevisionStatus
from service.access import Principal
from service.bootstrap import Parts
from service.standing import Standing
from service.store.documents import StoredDocument, StoredRevision
from service.ui import pages
from service.ui.cards import Actions, document_card
from service.ui.elements import Choice, Dialog, Field, box, button, tell, words
from service.ui.frame import DOCUMENTS, frame
from service.ui.listing import Found, Listing
from service.ui.pages import Visit
from service.ui.report import show_report
from service.ui.sections import LIBRARY, sections
from service.ui.sessions import Sessions
from service.ui.uploads import Uploads
from service.wording import STANDINGS

PAGE_SIZE = 15


def register(parts: Parts, sessions: Sessions) -> None:
    pages.register("/", parts, sessions, _build)


async def _build(visit: Visit) -> None:
    with frame("文档", room=DOCUMENTS, principal=visit.principal, signed_in=visit.visitor.signs_in):
        sections(LIBRARY, "文档库")
        await DocumentsView(visit).show()


class DocumentsView:
    """What one visitor filters by, and what can be done with the documents that are listed."""

    def __init__(self, visit: Visit) -> None:
        self._visit = visit
        self._buttons: dict[str, Element] = {}

    async def show(self) -> None:
        Uploads(self._visit, self._uploaded).show()
        with box("section", aria_labelledby="documents-heading"):
            self._heading = words("h2", "全部文档", "section-title", id="documents-heading", tabindex="-1")
            self._filters = box("div", "filters", role="search")
            self._list = Listing(
                self._visit,
                PAGE_SIZE,
                find=self._find,
                draw=self._draw,
                note=self._note,
                heading=self._heading,
            )
            await self._draw_filters()
            await self._list.refresh()

    async def _draw_filters(self) -> None:
        standings = {standing.value: text for standing, text in STANDINGS.items()}
        with self._filters:
            self._search = Field("按标题查找", kind="search", style="field grow", on_change=self._refilter)
            self._standing = Choice("效力", {"": "全部", **standings}, on_change=self._refilter)
            self._base = Choice("知识库", {"": "全部"}, on_change=self._refilter)
            self._owner = Choice("责任部门", {"": "全部"}, on_change=self._refilter)
        await self._offer_filters()

    async def _offer_filters(self) -> None:
        """The knowledge bases and owners there are; an upload may bring new ones."""
        snapshot = await run_in_threadpool(self._visit.parts.catalogue.snapshot)
        documents = [one.document for one in snapshot.readable(self._visit.principal).values()]
        bases = sorted({document.knowledge_base for document in documents})
        owners = sorted({document.owner for document in documents if document.owner})
        self._base.offer({base: base for base in bases})
        self._owner.offer({owner: owner for owner in owners})

    async def _refilter(self) -> None:
        await self._list.restart()

    async def _uploaded(self) -> None:
        await self._offer_filters()
        await self._list.restart()

    def _find(self, principal: Principal, number: int, page_size: int) -> Found[StoredDocument]:
        found = self._visit.parts.documents.page(
            principal,
            knowledge_base=self._base.value or None,
            standing=Standing(self._standing.value) if self._standing.value else None,
            owner=self._owner.value or None,
            search=self._search.value.strip(),
            number=number,
            page_size=page_size,
        )
        return Found(found.items, found.total)

    def _note(self, total: int) -> str:
        if total:
            return f"共 {total} 份"
        filtered = any(f.value for f in (self._search, self._standing, self._base, self._owner))
        return "没有符合条件的文档。" if filtered else "还没有文档，从上面上传第一份。"

    def _draw(self, items: Sequence[StoredDocument]) -> None:
        self._buttons = {}
        actions = Actions(self._show_report, self._change_status, self._confirm_deletion)
        with box("ul", "cards"):
            for stored in items:
                self._buttons |= document_card(stored, date.today(), actions)

    async def _show_report(self, stored: StoredDocument, item: StoredRevision) -> None:
        principal = await self._visit.visitor.principal()
        content = await run_in_threadpool(
            self._visit.parts.documents.content, principal, stored.document.id, item.revision.id
        )
        show_report(content)

    async def _change_status(
        self, stored: StoredDocument, item: StoredRevision, status: RevisionStatus
    ) -> None:
        principal = await self._visit.visitor.principal()
        await run_in_threadpool(self._visit.parts.library.set_status, principal, item.revision.id, status)
        withdrawn = status is RevisionStatus.WITHDRAWN
        tell(f"《{stored.document.title}》{'已作废，不再用来回答' if withdrawn else '已恢复'}")
        await self._list.refresh()
        self._focus(item.revision.id)

    async def _confirm_deletion(self, stored: StoredDocument) -> None:
        dialog = Dialog(f"删除《{stored.document.title}》？")

        async def delete() -> None:
            principal = await self._visit.visitor.principal()
            library = self._visit.parts.library
            await run_in_threadpool(library.delete_document, principal, stored.document.id)
            await dialog.close()
            tell(f"《{stored.document.title}》已删除")
            await self._list.refresh()
            self._heading.run_method("focus")

        with dialog.content():
            count = len(stored.revisions)
            words("p", f"连同 {count} 个版本和原件一起删除，立即检索不到，且无法恢复。只想停用时可以作废。")
            with box("div", "dialog-actions"):
                button("取消", dialog.close, autofocus=True)
                button("删除", delete, "button button-danger")

    def _focus(self, revision_id: str) -> None:
        """Back to the button that was pressed; to the list when a filter took its row away."""
        self._buttons.get(revision_id, self._heading).run_method("focus")
