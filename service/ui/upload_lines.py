"""Lines of a visit's uploads: each follows its file to the state it ends in, whatever it is taken for."""

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
from service.access import Principal
from service.bootstrap import Parts
from service.incoming import Incoming, upload_name
from service.store.tasks import RUNNING
from service.ui.elements import PATH, Field, attempt, box, facts, link, listen, tag, words
from service.ui.outcomes import Outcome, outcome_of
from service.ui.pages import Visit
from service.wording import FAILURES, STATES

LOOK_S = 0.25  # between two looks at a running task
KINDS = {FileState.PARSED: "active", FileState.FAILED: "withdrawn", FileState.UNSUPPORTED: ""}

Describe = Callable[[Principal, str, str], Incoming]
"""What is known of a file: of whom it comes, its name, and the password to open it, or nothing."""


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


class UploadLines:
    """Files go through the same inbox as the API's: what was accepted is not lost when the page is left.

    `form` is asked when a file comes, for what stands beside it then; it may raise a ZhixingError. `address`
    is where a document that was taken in is looked at, under the words `look`.
    """

    def __init__(
        self,
        visit: Visit,
        form: Callable[[], Describe],
        on_taken: Callable[[], Awaitable[None]],
        address: Callable[[Outcome], str],
        look: str,
    ) -> None:
        self._visit = visit
        self._form = form
        self._on_taken = on_taken
        self._address = address
        self._look = look

    def show(self) -> None:
        self._lines = box("ul", "uploads", aria_label="本次上传")
        self._said = words("p", "", "visually-hidden", role="status")

    async def received(self, event: events.UploadEventArguments, password: str = "") -> None:
        async def take() -> None:
            name = upload_name(event.file.name)
            with self._lines:
                element = box("li", "upload")
            element.move(target_index=0)
            line = _Line(name, element)
            if not await attempt(lambda: self._take(line, self._form(), event.file, password)):
                line.show(lambda: _ended(name, FileState.FAILED, "没有入库"))

        await attempt(take)

    async def _take(self, line: _Line, describe: Describe, file: FileUpload, password: str) -> None:
        line.show(lambda: _working(line.name))
        principal = await self._visit.visitor.principal()
        incoming = describe(principal, line.name, password)
        content = BytesIO(await file.read())
        parts = self._visit.parts
        accepted = await run_in_threadpool(parts.uploads.accept, principal, incoming, content)
        content.close()
        outcome = await _settled(parts, principal, accepted.task_id, line.name)
        if line.element.is_deleted:
            return
        self._said.text = f"{line.name} {STATES[outcome.state]}。{outcome.message}"
        line.show(lambda: self._outcome(outcome))
        if outcome.state is FileState.NEEDS_PASSWORD:
            with line.element:
                self._ask_password(line, describe, file)
        await self._on_taken()

    def _ask_password(self, line: _Line, describe: Describe, file: FileUpload) -> None:
        """The file is kept by this page until it is opened or the page is left."""

        async def submitted() -> None:
            await attempt(lambda: self._take(line, describe, file, password.value))

        with box("form", "upload-password") as asked:
            password = Field(f"{line.name} 的打开密码", kind="password", autocomplete="new-password")
            words("button", "用此密码打开", "button", type="submit")
        listen(asked, "submit.prevent", submitted)

    def _outcome(self, outcome: Outcome) -> None:
        if outcome.unchanged:
            with box("p", "upload-line"):
                tag("没有变化")
                words("span", outcome.name, "upload-name")
            facts("与已入库的内容相同，没有重复入库")
        else:
            reason = FAILURES[FailureReason(outcome.reason)] if outcome.reason else ""
            chunks = f"{outcome.chunks} 个切片" if outcome.chunks else ""
            newer = f"作为新版本入库，共 {outcome.revisions} 个版本" if outcome.revisions > 1 else ""
            inside = (
                f"压缩包里有 {outcome.inside} 个文件，{outcome.taken} 个已入库" if outcome.inside else ""
            )
            _ended(outcome.name, outcome.state, reason, chunks, newer, inside, outcome.message)
        if outcome.document_id:
            link(self._look, self._address(outcome))
        if outcome.members:
            with box("ul", "uploads"):
                for member in outcome.members:
                    with box("li", "upload"):
                        self._outcome(member)
        if more := outcome.inside - len(outcome.members):
            link(f"另有 {more} 个，在入库记录中查看", f"{PATH}/files?{urlencode({'task': outcome.task_id})}")


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
