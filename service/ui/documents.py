"""The documents page: upload, every file with its state and loss report, revisions, withdraw and delete."""

from typing import Any

from nicegui import events, ui

from ingestion.documents import RevisionStatus
from service.access import PUBLIC, Principal, Role
from service.bootstrap import Parts
from service.errors import ZhixingError
from service.intake import Incoming
from service.store.documents import StoredDocument
from service.store.tasks import FileRecord
from service.ui.console import frame, in_thread, signed_in

STATES = {
    "parsed": ("已入库", "positive"),
    "parsed_partly": ("部分入库", "warning"),
    "needs_ocr": ("需要 OCR", "warning"),
    "needs_password": ("需要密码", "warning"),
    "unsupported": ("不支持", "grey"),
    "failed": ("失败", "negative"),
}
STATUSES = {
    "active": "现行",
    "superseded": "已被替代",
    "withdrawn": "已作废",
    "archived": "历史归档",
    "draft": "草稿",
}
DROP_REASONS = {
    "running_header": "页眉",
    "running_footer": "页脚",
    "page_number": "页码",
    "table_of_contents": "目录",
    "revision_record": "修订记录",
    "attachment_list": "附件清单",
    "tracked_deletion": "修订中删除的文字",
    "hidden_text": "隐藏文字",
    "unread": "未能读出",
    "navigation": "网页导航",
    "page_footer": "网页页脚",
    "script": "脚本",
    "style": "样式",
    "markup": "标记符号",
    "field_code": "域代码",
}
PAGE_SIZE = 15


def register(parts: Parts) -> None:
    @ui.page("/")
    async def documents_page() -> None:
        principal = signed_in(parts, Role.CONTRIBUTOR)
        if principal is not None:
            with frame("文档"):
                await _DocumentsView(parts, principal).show()


class _DocumentsView:
    """One visitor's page: what is filtered and which page of the list is shown."""

    def __init__(self, parts: Parts, principal: Principal) -> None:
        self._parts = parts
        self._principal = principal
        self._search = ""
        self._status = ""
        self._knowledge_base = ""
        self._number = 1

    async def show(self) -> None:
        self._upload_card()
        with ui.tabs().props("dense no-caps align=left") as tabs:
            documents_tab = ui.tab("documents", label="文档")
            files_tab = ui.tab("files", label="入库记录")
        with (
            ui.tab_panels(tabs, value=documents_tab).classes("w-full bg-transparent").props(":animated=false")
        ):
            with ui.tab_panel(documents_tab).classes("p-0"):
                await self._filters()
                self._documents = ui.column().classes("w-full gap-2")
            with ui.tab_panel(files_tab).classes("p-0"):
                self._files = ui.column().classes("w-full gap-0")
        await self.refresh()

    async def refresh(self) -> None:
        await self._list_documents()
        await self._list_files()

    def _upload_card(self) -> None:
        with ui.card().classes("w-full").props("flat bordered"):
            ui.label("上传文档").classes("font-medium")
            ui.label("同名文件会成为新版本。支持 pdf、docx、xlsx、csv、md、txt、html。").classes(
                "text-sm text-grey-8"
            )
            with ui.row().classes("w-full items-start gap-4"):
                knowledge_base = ui.input("知识库", value="default").props("outlined dense")
                labels = ui.input("可见范围标签", value=PUBLIC).props("outlined dense")
                labels.tooltip("多个标签用逗号分隔；public 为全员可见，department:总部/财务部 为部门可见")
                owner = ui.input("责任部门").props("outlined dense")

                async def received(event: events.UploadEventArguments) -> None:
                    data = await event.file.read()
                    await self._take(
                        Incoming(
                            source_uri=f"upload:{self._principal.id}/{event.file.name}",
                            file_name=event.file.name,
                            data=data,
                            knowledge_base=knowledge_base.value.strip() or "default",
                            labels=tuple(p.strip() for p in labels.value.split(",") if p.strip())
                            or (PUBLIC,),
                            owner=owner.value.strip(),
                        )
                    )

                ui.upload(
                    label="选择或拖入文件",
                    multiple=True,
                    auto_upload=True,
                    max_file_size=self._parts.settings.max_upload_mb * 1024 * 1024,
                    on_upload=received,
                    on_rejected=lambda: ui.notify(
                        f"文件超过 {self._parts.settings.max_upload_mb} MB 上限", type="negative"
                    ),
                ).props("flat bordered").classes("grow")

    async def _take(self, incoming: Incoming) -> None:
        note = ui.notification(f"正在入库：{incoming.file_name}", spinner=True, timeout=None)
        task = await in_thread(self._parts.tasks.create, self._principal, "ingest", 1)
        taken = (await in_thread(self._parts.intake.run, self._principal, task.id, [incoming]))[0]
        note.dismiss()
        name, _color = STATES[taken.record.state]
        if taken.unchanged:
            ui.notify(f"{incoming.file_name} 与已有内容相同，未重复入库")
        elif taken.published:
            ui.notify(f"{incoming.file_name} {name}，共 {taken.chunks} 个切片", type="positive")
        else:
            ui.notify(f"{incoming.file_name} {name}：{taken.record.message}", type="warning", timeout=10000)
        await self.refresh()

    async def _filters(self) -> None:
        bases = await in_thread(self._parts.documents.knowledge_bases, self._principal)
        with ui.row().classes("w-full items-center gap-3 pb-3"):
            search = ui.input("按标题查找").props("outlined dense clearable").classes("grow")
            status = ui.select({"": "全部状态", **STATUSES}, value="", label="状态").props("outlined dense")
            base = ui.select({"": "全部知识库", **{b: b for b in bases}}, value="", label="知识库").props(
                "outlined dense"
            )

            async def changed() -> None:
                self._search, self._status = search.value or "", status.value
                self._knowledge_base, self._number = base.value, 1
                await self._list_documents()

            for field in (search, status, base):
                field.on_value_change(changed)

    async def _list_documents(self) -> None:
        page = await in_thread(
            self._parts.documents.page,
            self._principal,
            knowledge_base=self._knowledge_base or None,
            status=self._status or None,
            search=self._search,
            number=self._number,
            page_size=PAGE_SIZE,
        )
        self._documents.clear()
        with self._documents:
            if not page.items:
                ui.label(
                    "还没有文档。上传一份试试。" if not self._search else "没有符合条件的文档。"
                ).classes("text-grey-8 py-6")
            for stored in page.items:
                self._document_card(stored)
            if page.total > PAGE_SIZE:
                ui.pagination(1, -(-page.total // PAGE_SIZE), value=self._number, on_change=self._turn_page)

    async def _turn_page(self, event: events.ValueChangeEventArguments[int | None]) -> None:
        self._number = event.value or 1
        await self._list_documents()

    def _document_card(self, stored: StoredDocument) -> None:
        document = stored.document
        with ui.card().classes("w-full gap-2").props(f'flat bordered data-document="{document.id}"'):
            with ui.row().classes("w-full items-center gap-3"):
                ui.label(document.title).classes("font-medium")
                ui.badge(document.knowledge_base, color="grey-3", text_color="grey-9")
                for label in document.labels:
                    if label != PUBLIC:
                        ui.badge(label, color="accent")
                ui.space()
                ui.button(
                    icon="delete", on_click=lambda _, target=stored: self._confirm_delete(target)
                ).props(f'flat round dense aria-label="删除《{document.title}》"').tooltip("删除整份文档")
            for item in stored.revisions:
                self._revision_row(stored, item.revision.id)

    def _revision_row(self, stored: StoredDocument, revision_id: str) -> None:
        item = next(r for r in stored.revisions if r.revision.id == revision_id)
        revision = item.revision
        with ui.row().classes("w-full items-center gap-3 text-sm text-grey-9"):
            color = "positive" if revision.status is RevisionStatus.ACTIVE else "grey"
            ui.badge(STATUSES[revision.status.value], color=color)
            ui.label(revision.label or item.file_name)
            since, until = revision.effective_from, revision.effective_to
            if since or until:
                ui.label(f"{since or '…'} 至 {until or '今'}")
            ui.label(f"{item.chunk_count} 个切片").classes("text-grey-7")
            ui.space()
            ui.button("解析报告", on_click=lambda: self._show_report(stored, revision_id)).props(
                "flat dense no-caps"
            )
            withdrawn = revision.status is RevisionStatus.WITHDRAWN
            target = RevisionStatus.ACTIVE if withdrawn else RevisionStatus.WITHDRAWN

            async def change() -> None:
                await self._change_status(revision_id, target)

            ui.button("恢复" if withdrawn else "作废", on_click=change).props("flat dense no-caps")

    async def _change_status(self, revision_id: str, status: RevisionStatus) -> None:
        try:
            await in_thread(self._parts.library.set_status, self._principal, revision_id, status)
        except ZhixingError as error:
            ui.notify(error.message, type="negative")
        await self._list_documents()

    async def _confirm_delete(self, stored: StoredDocument) -> None:
        with ui.dialog() as dialog, ui.card():
            ui.label(f"删除《{stored.document.title}》的全部版本和原件？").classes("font-medium")
            ui.label("删除后立即检索不到，且无法恢复。")
            with ui.row().classes("w-full justify-end"):
                ui.button("取消", on_click=lambda: dialog.submit(False)).props("flat")
                ui.button("删除", color="negative", on_click=lambda: dialog.submit(True))
        if await dialog:
            try:
                await in_thread(self._parts.library.delete_document, self._principal, stored.document.id)
                await in_thread(self._parts.files.forget_document, stored.document.id)
                ui.notify("已删除")
            except ZhixingError as error:
                ui.notify(error.message, type="negative")
            await self.refresh()

    async def _show_report(self, stored: StoredDocument, revision_id: str) -> None:
        content = await in_thread(
            self._parts.documents.content, self._principal, stored.document.id, revision_id
        )
        report = content.report
        dropped = report.chars_in - report.chars_kept
        with ui.dialog() as dialog, ui.card().classes("w-full max-w-3xl"):
            ui.label(f"解析报告 · {content.file_name}").classes("text-lg font-medium")
            ui.label(f"读入 {report.chars_in} 字 = 保留 {report.chars_kept} 字 + 丢弃 {dropped} 字")
            if report.dropped:
                columns = [
                    {"name": key, "label": name, "field": key, "align": "left"}
                    for key, name in (("reason", "丢弃原因"), ("chars", "字数"), ("sample", "样例"))
                ]
                rows = [
                    {"reason": DROP_REASONS.get(d.reason, d.reason), "chars": d.chars, "sample": d.sample}
                    for d in report.dropped
                ]
                ui.table(columns=columns, rows=rows).props("flat dense wrap-cells").classes("w-full")
            for finding in report.findings:
                ui.label(finding).classes("text-sm text-warning")
            if content.revision.evidence_of_version:
                ui.label("版本依据").classes("font-medium pt-2")
                for line in content.revision.evidence_of_version:
                    ui.label(line).classes("text-sm")
            ui.button("关闭", on_click=dialog.close).props("flat").classes("self-end")
        dialog.open()

    async def _list_files(self) -> None:
        items, total = await in_thread(self._parts.files.page, self._principal, page_size=100)
        columns: list[dict[str, Any]] = [
            {"name": key, "label": name, "field": key, "align": "left", "sortable": True}
            for key, name in (("file", "文件"), ("state", "状态"), ("message", "说明"), ("time", "时间"))
        ]
        self._files.clear()
        with self._files:
            if not items:
                ui.label("还没有入库过文件。").classes("text-grey-8 py-6")
                return
            ui.label(f"共 {total} 个文件").classes("text-sm text-grey-8 pb-2")
            ui.table(columns=columns, rows=[_file_row(item) for item in items], row_key="id").props(
                "flat bordered wrap-cells"
            ).classes("w-full")


def _file_row(item: FileRecord) -> dict[str, str]:
    local = item.updated_at.astimezone() if item.updated_at else None
    return {
        "id": f"{item.knowledge_base} {item.source_uri}",
        "file": item.file_name,
        "state": STATES[item.state][0],
        "message": item.message,
        "time": f"{local:%Y-%m-%d %H:%M}" if local else "",
    }
