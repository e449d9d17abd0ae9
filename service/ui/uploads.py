"""Uploading: files are picked or dropped, and each gets a line that follows it to the state it ends in."""

from asyncio import Semaphore
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace

from nicegui import events, ui
from nicegui.element import Element
from starlette.concurrency import run_in_threadpool

from ingestion.documents import FailureReason, FileState
from service.access import PUBLIC, Principal
from service.bootstrap import Parts
from service.intake import Incoming, Taken
from service.ui.cards import source_address
from service.ui.elements import Choice, Field, attempt, box, facts, link, tag, tell, words
from service.ui.pages import Visit
from service.ui.wording import FAILURES, STATES, audiences_of

MEGABYTE = 1024 * 1024
OTHER = "other"
KINDS = {FileState.PARSED: "active", FileState.FAILED: "withdrawn", FileState.UNSUPPORTED: ""}


@dataclass(frozen=True, slots=True)
class _Line:
    """One file's line on the page; `element` holds what is known of it so far."""

    name: str
    element: Element

    def show(self, draw: Callable[[], object]) -> None:
        """Nothing is drawn for a visitor who has left; the file is taken in all the same."""
        if self.element.is_deleted:
            return
        self.element.clear()
        with self.element:
            draw()


class Uploads:
    """`lanes` bounds how many files of all visitors are read at once."""

    def __init__(self, visit: Visit, lanes: Semaphore, on_taken: Callable[[], Awaitable[None]]) -> None:
        self._visit = visit
        self._lanes = lanes
        self._on_taken = on_taken

    def show(self) -> None:
        with box("section", "panel", aria_labelledby="upload-heading"):
            words("h2", "上传文档", "section-title", id="upload-heading")
            with box("div", "fields"):
                self._base = Field("知识库", value="default", maxlength=64)
                self._owner = Field("责任部门", maxlength=200, placeholder=self._visit.principal.name)
                self._audience = Choice(
                    "谁能看到",
                    {**audiences_of(self._visit.principal), OTHER: "自定义标签"},
                    value=PUBLIC,
                    on_change=self._audience_chosen,
                )
                self._password = Field(
                    "打开密码",
                    kind="password",
                    autocomplete="new-password",
                    placeholder="文件加密时填写",
                )
            self._labels_row = box("div", "fields")
            with self._labels_row:
                self._labels = Field(
                    "标签",
                    hint="多个用逗号分隔，如 department:总部/财务部、group:项目组",
                    style="field grow",
                )
            self._labels_row.set_visibility(False)
            self._drop_area()
            self._lines = box("ul", "uploads", aria_label="本次上传")
            self._said = words("p", "", "visually-hidden", role="status")

    def _drop_area(self) -> None:
        limit = self._visit.parts.settings.max_upload_mb
        uploader = ui.upload(
            multiple=True, auto_upload=True, max_file_size=limit * MEGABYTE, on_upload=self._received
        )
        uploader.classes("drop")
        inside = f"getElement({uploader.id}).$refs.qRef"
        with uploader.add_slot("header"), box("div", "drop-inner"):
            words("p", "把文件拖到这里，可以一次多个", "drop-lead")
            box("q-uploader-add-trigger")  # brings the file input, which the button opens
            pick = words("button", "选择文件", "button button-main", type="button")
            pick.on("click", js_handler=f"() => {inside}.pickFiles()")
            words(
                "p",
                f"PDF、Word、Excel、PPT、网页、邮件、文本，或装着它们的 zip；单个不超过 {limit} MB。"
                "同名文件会成为新版本。",
                "hint",
            )
        # What was sent is forgotten by the browser, so that the same file can be picked again.
        uploader.on("uploaded", js_handler=f"() => {inside}.removeUploadedFiles()")
        uploader.on(
            "rejected",
            self._rejected,
            js_handler="(all) => emit(all.map((one) => [one.file.name, one.failedPropValidation]))",
        )
        uploader.on("failed", self._failed, js_handler="(sent) => emit(sent.files.map((file) => file.name))")

    async def _audience_chosen(self) -> None:
        self._labels_row.set_visibility(self._audience.value == OTHER)

    def _rejected(self, event: events.GenericEventArguments) -> None:
        for name, reason in event.args:
            if reason == "max-file-size":
                limit = self._visit.parts.settings.max_upload_mb
                tell(f"{name} 超过 {limit} MB 上限，请拆分后再上传", bad=True)
            else:
                tell(f"{name} 正在上传，不必重复选择", bad=True)

    def _failed(self, event: events.GenericEventArguments) -> None:
        for name in event.args:
            tell(f"{name} 没有传完，请检查网络后重新选择", bad=True)

    async def _received(self, event: events.UploadEventArguments) -> None:
        name = file_name_of(event.file.name)
        with self._lines:
            element = box("li", "upload")
        element.move(target_index=0)
        line = _Line(name, element)
        line.show(lambda: _waiting(line.name))

        async def take() -> None:
            async with self._lanes:
                principal = await self._visit.visitor.principal()
                data = await event.file.read()
                await self._take(line, self._incoming(principal, name, data))

        if not await attempt(take):
            line.show(lambda: _ended(line.name, FileState.FAILED, "没有入库"))

    def _incoming(self, principal: Principal, name: str, data: bytes) -> Incoming:
        """A colleague's file of that name is another source, as in the API."""
        return Incoming(
            source_uri=f"upload:{principal.id}/{name}",
            file_name=name,
            data=data,
            knowledge_base=self._base.value.strip() or "default",
            labels=self._chosen_labels(),
            owner=self._owner.value.strip() or principal.name,
            password=self._password.value or None,
        )

    def _chosen_labels(self) -> tuple[str, ...]:
        if self._audience.value != OTHER:
            return (self._audience.value,)
        typed = self._labels.value.replace("，", ",").split(",")
        return tuple(dict.fromkeys(label.strip() for label in typed if label.strip())) or (PUBLIC,)

    async def _take(self, line: _Line, incoming: Incoming) -> None:
        line.show(lambda: _working(line.name))
        principal = await self._visit.visitor.principal()
        taken = await run_in_threadpool(_take, self._visit.parts, principal, incoming)
        state = FileState(taken.record.state)
        if not line.element.is_deleted:
            self._said.text = f"{line.name} {STATES[state]}。{taken.record.message}"
        line.show(lambda: _outcome(line.name, taken))
        if state is FileState.NEEDS_PASSWORD and not line.element.is_deleted:
            with line.element:
                self._ask_password(line, incoming)
        await self._on_taken()

    def _ask_password(self, line: _Line, incoming: Incoming) -> None:
        """The file is kept on this page until it is opened or the page is left."""

        async def again() -> None:
            async with self._lanes:
                await self._take(line, replace(incoming, password=password.value))

        with box("form", "upload-password") as form:
            password = Field(f"{line.name} 的打开密码", kind="password", autocomplete="new-password")
            words("button", "用此密码打开", "button", type="submit")

        async def submitted() -> None:
            await attempt(again)

        form.on("submit.prevent", submitted, args=[])


def file_name_of(offered: str) -> str:
    """The last part of what a browser sends as a name."""
    return offered.replace("\\", "/").rsplit("/", 1)[-1].strip() or "未命名"


def _take(parts: Parts, principal: Principal, incoming: Incoming) -> Taken:
    """What failed before is read again: this time there may be a password."""
    task = parts.tasks.create(principal, "ingest", 1)
    return parts.intake.run(principal, task.id, [incoming], retry_failed=True)[0]


def _waiting(name: str) -> None:
    with box("p", "upload-line"):
        tag("排队中")
        words("span", name, "upload-name")


def _working(name: str) -> None:
    with box("p", "upload-line", aria_busy="true"):
        tag("正在入库")
        words("span", name, "upload-name")


def _ended(name: str, state: FileState, *details: str) -> None:
    with box("p", "upload-line"):
        tag(STATES[state], KINDS.get(state, "draft"))
        words("span", name, "upload-name")
    facts(*details)


def _outcome(name: str, taken: Taken) -> None:
    record = taken.record
    state = FileState(record.state)
    if taken.members:
        read = sum(member.published for member in taken.members)
        _ended(name, state, f"压缩包里有 {len(taken.members)} 个文件，{read} 个已入库")
        with box("ul", "uploads"):
            for member in taken.members:
                with box("li", "upload"):
                    _outcome(member.record.file_name, member)
        return
    if taken.unchanged:
        with box("p", "upload-line"):
            tag("没有变化")
            words("span", name, "upload-name")
        facts("与已入库的内容相同，没有重复入库")
    elif taken.published:
        placed = f"作为新版本入库：{'；'.join(taken.evidence)}" if taken.evidence else ""
        _ended(name, state, f"{taken.chunks} 个切片", placed, record.message)
    else:
        reason = FAILURES[FailureReason(record.reason)] if record.reason else ""
        _ended(name, state, reason, record.message)
    if taken.published and record.document_id:
        link("查看原文", source_address(record.document_id, record.revision_id or ""))
