"""The records page: every file that was ever offered, the state it ended in, and what to do about it."""

from collections.abc import Sequence
from urllib.parse import unquote

from ingestion.documents import FailureReason, FileState
from service.access import Principal
from service.bootstrap import Parts
from service.store.tasks import FileRecord
from service.ui import pages
from service.ui.cards import source_address
from service.ui.elements import PATH, Choice, box, facts, link, tag, words
from service.ui.frame import DOCUMENTS, frame
from service.ui.listing import Found, Listing
from service.ui.pages import Visit
from service.ui.sections import LIBRARY, sections
from service.ui.sessions import Sessions
from service.ui.upload_lines import KINDS
from service.wording import FAILURES, STATES, moment_of

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
        sections(LIBRARY, "入库记录")
        await FilesView(visit).show()


class FilesView:
    """Which states one visitor looks at, of all files or of those of the task in the address."""

    def __init__(self, visit: Visit) -> None:
        self._visit = visit
        self._task = visit.asked("task")

    async def show(self) -> None:
        with box("section", aria_labelledby="files-heading"):
            heading = words("h2", "入库记录", "visually-hidden", id="files-heading", tabindex="-1")
            states = {"": "全部", OPEN: "需要处理", **{state.value: text for state, text in STATES.items()}}
            if self._task:
                with box("p", "list-note"):
                    words("span", "只列出一次导入的文件。")
                    link("看全部", f"{PATH}/files")
            with box("div", "filters", role="search"):
                self._state = Choice("状态", states, on_change=self._refilter)
            self._list = Listing(
                self._visit, PAGE_SIZE, find=self._find, draw=_records, note=self._note, heading=heading
            )
            await self._list.refresh()

    async def _refilter(self) -> None:
        await self._list.restart()

    def _find(self, principal: Principal, number: int, page_size: int) -> Found[FileRecord]:
        chosen = self._state.value
        states = tuple(state.value for state in TO_DO) if chosen == OPEN else (chosen,) if chosen else ()
        items, total = self._visit.parts.files.page(
            principal, states=states, task_id=self._task or None, number=number, page_size=page_size
        )
        return Found(items, total)

    def _note(self, total: int) -> str:
        if total:
            return f"共 {total} 个文件"
        return "没有这种状态的文件。" if self._state.value else "还没有入库过文件。"


def _records(items: Sequence[FileRecord]) -> None:
    with box("ul", "cards records"):
        for item in items:
            _record(item)


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
