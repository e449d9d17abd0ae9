"""Uploading: files are picked or dropped, and each gets a line that follows it to the state it ends in."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from io import BytesIO
from urllib.parse import urlencode

from nicegui import events
from nicegui.element import Element
from nicegui.elements.upload_files import FileUpload
from starlette.concurrency import run_in_threadpool

from ingestion.documents import FailureReason, FileState
from service.access import PUBLIC, Principal
from service.bootstrap import Parts
from service.incoming import Incoming, upload_name, upload_source
from service.labels import checked_labels
from service.storable import storable
from service.store.tasks import RUNNING
from service.ui.cards import source_address
from service.ui.drop_area import Asked, drop_area
from service.ui.elements import PATH, Choice, Field, attempt, box, facts, link, listen, tag, words
from service.ui.outcomes import Outcome, outcome_of
from service.ui.pages import Visit
from service.wording import FAILURES, STATES, audiences_of

LOOK_S = 0.25  # between two looks at a running task
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


@dataclass(frozen=True, slots=True)
class _Form:
    """What stood beside the files when one was picked."""

    knowledge_base: str
    labels: tuple[str, ...]
    owner: str


class Uploads:
    """Files go through the same inbox as the API's: what was accepted is not lost when the page is left."""

    def __init__(self, visit: Visit, on_taken: Callable[[], Awaitable[None]]) -> None:
        self._visit = visit
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
        asked = Asked(
            lead="把文件拖到这里，可以一次多个",
            pick="选择文件",
            hint=f"PDF、Word、Excel、PPT、网页、邮件、文本，或装着它们的 zip；单个不超过 {limit} MB。"
            "同名文件会成为新版本。",
            too_large=f"超过 {limit} MB 上限，请拆分后再上传",
            refused="正在上传，不必重复选择",
            multiple=True,
        )
        drop_area(asked, limit, self._received)

    async def _audience_chosen(self) -> None:
        self._labels_row.set_visibility(self._audience.value == OTHER)

    async def _received(self, event: events.UploadEventArguments) -> None:
        async def take() -> None:
            name = upload_name(event.file.name)
            with self._lines:
                element = box("li", "upload")
            element.move(target_index=0)
            line = _Line(name, element)
            if not await attempt(lambda: self._take(line, self._form(), event.file, self._password.value)):
                line.show(lambda: _ended(name, FileState.FAILED, "没有入库"))

        await attempt(take)

    def _form(self) -> _Form:
        """Raises BadRequest for a label that means nothing."""
        labels: tuple[str, ...] = (self._audience.value,)
        if self._audience.value == OTHER:
            typed = self._labels.value.replace("，", ",").split(",")
            labels = checked_labels([label for label in typed if label.strip()])
        return _Form(
            knowledge_base=storable(self._base.value).strip() or "default",
            labels=labels,
            owner=storable(self._owner.value).strip(),
        )

    async def _take(self, line: _Line, form: _Form, file: FileUpload, password: str) -> None:
        line.show(lambda: _working(line.name))
        principal = await self._visit.visitor.principal()
        incoming = Incoming(
            source_uri=upload_source(principal, line.name),
            file_name=line.name,
            knowledge_base=form.knowledge_base,
            labels=form.labels,
            owner=form.owner or principal.name,
            password=password or None,
        )
        content = BytesIO(await file.read())
        parts = self._visit.parts
        accepted = await run_in_threadpool(parts.uploads.accept, principal, incoming, content)
        content.close()
        outcome = await _settled(parts, principal, accepted.task_id, line.name)
        if line.element.is_deleted:
            return
        self._said.text = f"{line.name} {STATES[outcome.state]}。{outcome.message}"
        line.show(lambda: _outcome(outcome))
        if outcome.state is FileState.NEEDS_PASSWORD:
            with line.element:
                self._ask_password(line, form, file)
        await self._on_taken()

    def _ask_password(self, line: _Line, form: _Form, file: FileUpload) -> None:
        """The file is kept by this page until it is opened or the page is left."""

        async def submitted() -> None:
            await attempt(lambda: self._take(line, form, file, password.value))

        with box("form", "upload-password") as asked:
            password = Field(f"{line.name} 的打开密码", kind="password", autocomplete="new-password")
            words("button", "用此密码打开", "button", type="submit")
        listen(asked, "submit.prevent", submitted)


async def _settled(parts: Parts, principal: Principal, task_id: str, name: str) -> Outcome:
    """How the file ended, once its task is over."""
    while (await run_in_threadpool(parts.tasks.get, principal, task_id)).state == RUNNING:
        await asyncio.sleep(LOOK_S)
    return await run_in_threadpool(outcome_of, parts, principal, task_id, name)


def _working(name: str) -> None:
    with box("p", "upload-line", aria_busy="true"):
        tag("正在入库")
        words("span", name, "upload-name")


def _ended(name: str, state: FileState, *details: str) -> None:
    with box("p", "upload-line"):
        tag(STATES[state], KINDS.get(state, "draft"))
        words("span", name, "upload-name")
    facts(*details)


def _outcome(outcome: Outcome) -> None:
    if outcome.unchanged:
        with box("p", "upload-line"):
            tag("没有变化")
            words("span", outcome.name, "upload-name")
        facts("与已入库的内容相同，没有重复入库")
    else:
        reason = FAILURES[FailureReason(outcome.reason)] if outcome.reason else ""
        chunks = f"{outcome.chunks} 个切片" if outcome.chunks else ""
        newer = f"作为新版本入库，共 {outcome.revisions} 个版本" if outcome.revisions > 1 else ""
        inside = f"压缩包里有 {outcome.inside} 个文件，{outcome.taken} 个已入库" if outcome.inside else ""
        _ended(outcome.name, outcome.state, reason, chunks, newer, inside, outcome.message)
    if outcome.document_id:
        link("查看原文", source_address(outcome.document_id, outcome.revision_id))
    if outcome.members:
        with box("ul", "uploads"):
            for member in outcome.members:
                with box("li", "upload"):
                    _outcome(member)
    if more := outcome.inside - len(outcome.members):
        link(f"另有 {more} 个，在入库记录中查看", f"{PATH}/files?{urlencode({'task': outcome.task_id})}")
