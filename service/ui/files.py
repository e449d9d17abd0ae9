"""The records page: every file that was ever offered, the state it ended in, and what to do about it."""

from urllib.parse import unquote

from starlette.concurrency import run_in_threadpool

from ingestion.documents import FailureReason, FileState
from service.bootstrap import Parts
from service.store.tasks import FileRecord
from service.ui import pages
from service.ui.cards import source_address
from service.ui.elements import Choice, Pager, box, facts, link, tag, words
from service.ui.frame import DOCUMENTS, frame
from service.ui.pages import Visit
from service.ui.sections import sections
from service.ui.sessions import Sessions
from service.ui.uploads import KINDS
from service.ui.wording import FAILURES, STATES, moment_of

PAGE_SIZE = 30
OPEN = "open"
# What is left to do for somebody: everything that did not get in whole.
TO_DO = tuple(state for state in FileState if state is not FileState.PARSED)
ADVICE = {
    FileState.NEEDS_PASSWORD: "在「文档」页填写打开密码后重新上传。",
    FileState.NEEDS_OCR: "安装 OCR 组件后重新导入，或换用带文字的版本。",
}


def register(parts: Parts, sessions: Sessions) -> None:
    pages.register("/files", parts, sessions, _build)


async def _build(visit: Visit) -> None:
    with frame("文档", room=DOCUMENTS, principal=visit.principal, signed_in=visit.visitor.signs_in):
        sections("入库记录")
        await FilesView(visit).show()


class FilesView:
    """Which states one visitor looks at, and which page of them."""

    def __init__(self, visit: Visit) -> None:
        self._visit = visit
        self._pager = Pager(PAGE_SIZE, self._turn)

    async def show(self) -> None:
        with box("section", aria_labelledby="files-heading"):
            self._heading = words("h2", "入库记录", "visually-hidden", id="files-heading", tabindex="-1")
            states = {"": "全部", OPEN: "需要处理", **{state.value: text for state, text in STATES.items()}}
            with box("div", "filters", role="search"):
                self._state = Choice("状态", states, on_change=self._refilter)
            self._list = box("div", "list")
            await self._draw()

    async def _refilter(self) -> None:
        self._pager.reset()
        await self._draw()

    async def _turn(self) -> None:
        await self._draw()
        self._heading.run_method("focus")

    async def _draw(self) -> None:
        principal = await self._visit.visitor.principal()
        chosen = self._state.value
        states = tuple(state.value for state in TO_DO) if chosen == OPEN else (chosen,) if chosen else ()
        items, total = await run_in_threadpool(
            self._visit.parts.files.page,
            principal,
            states=states,
            number=self._pager.number,
            page_size=PAGE_SIZE,
        )
        if self._list.is_deleted:  # the visitor left meanwhile
            return
        self._list.clear()
        with self._list:
            nothing = "没有这种状态的文件。" if chosen else "还没有入库过文件。"
            words("p", f"共 {total} 个文件" if total else nothing, "list-note", role="status")
            with box("ul", "cards records"):
                for item in items:
                    _record(item)
            self._pager.draw(total)


def _record(item: FileRecord) -> None:
    state = FileState(item.state)
    with box("li", "record"):
        with box("p", "record-line"):
            tag(STATES[state], KINDS.get(state, "draft"))
            words("span", item.file_name, "record-name")
            if item.document_id:
                link(
                    "原文",
                    source_address(item.document_id, item.revision_id or ""),
                    aria_label=f"原文：{item.file_name}",
                )
        reason = FAILURES[FailureReason(item.reason)] if item.reason else ""
        if state is not FileState.PARSED:
            facts(reason, item.message, ADVICE.get(state, ""), style="facts record-why")
        facts(f"知识库：{item.knowledge_base}", moment_of(item.updated_at), _account(item), _origin(item))


def _origin(item: FileRecord) -> str:
    """The path of a file that was read where it lies; nothing more is known of one that was uploaded."""
    if item.source_uri.startswith("upload:"):
        return "网页上传"
    return unquote(item.source_uri.removeprefix("file://"))


def _account(item: FileRecord) -> str:
    """How much of the file was kept, from the report stored with the record."""
    read, kept = item.report.get("chars_in"), item.report.get("chars_kept")
    if not isinstance(read, int) or not isinstance(kept, int) or not read:
        return ""
    return f"读入 {read:,} 字，保留 {kept:,} 字"
