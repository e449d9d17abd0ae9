"""What process administrators do: upload a workbook, publish or discard a draft, withdraw a version."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import cast

from nicegui import events
from nicegui.element import Element
from starlette.concurrency import run_in_threadpool

from rules.findings import FindingJson
from service.access import Principal, Role
from service.bootstrap import Parts
from service.errors import Conflict
from service.incoming import upload_name
from service.process.offered import offered_upload
from service.store.processes import Draft, Version
from service.ui.drop_area import Asked, drop_area
from service.ui.elements import Dialog, attempt, box, button, facts, go_to, link, tag, words
from service.ui.pages import Visit
from service.ui.process_addresses import PROCESSES, RULES, VERSIONS, process_address
from service.ui.process_changes import Changes, changes_between, summary_of
from service.ui.process_findings import draw_findings
from service.ui.process_shown import load_shown
from service.ui.process_words import counts_words

After = Callable[[], Awaitable[None]]
FORMATS = ".xlsx,.zip"
DONE = "done"  # in an address: the version that something was just done to


class WorkbookUpload:
    """Picks or takes a dropped workbook and keeps it as a draft; `process_id` is the one it must be of."""

    def __init__(self, visit: Visit, on_taken: After, process_id: str = "") -> None:
        self._visit = visit
        self._on_taken = on_taken
        self._process_id = process_id

    def show(self, title: str, lead: str) -> None:
        with box("section", "panel", aria_labelledby="workbook-heading"):
            words("h2", title, "section-title", id="workbook-heading")
            self._drop_area(lead)
            self._lines = box("ul", "uploads", aria_label="本次上传")
            self._said = words("p", "", "visually-hidden", role="status")

    def _drop_area(self, lead: str) -> None:
        limit = self._visit.parts.settings.max_upload_mb
        asked = Asked(
            lead="把工作簿拖到这里",
            pick="选择工作簿",
            hint=lead,
            too_large=f"超过 {limit} MB 上限",
            refused="不是 .xlsx，也不是 zip",
            accept=FORMATS,
        )
        drop_area(asked, limit, self._received)

    async def _received(self, event: events.UploadEventArguments) -> None:
        await attempt(lambda: self._take(event))

    async def _take(self, event: events.UploadEventArguments) -> None:
        name, data = upload_name(event.file.name), await event.file.read()
        principal = await self._visit.visitor.principal(Role.PROCESS_ADMIN)
        publishing = self._visit.parts.publishing
        draft = await run_in_threadpool(
            lambda: publishing.offer(principal, offered_upload(data, name), self._process_id)
        )
        if self._lines.is_deleted:
            return
        self._said.set_text(f"{name} 已成为草稿。{counts_words(draft.findings) or '没有发现问题'}")
        with self._lines:
            _uploaded(draft).move(target_index=0)
        await self._on_taken()


def _uploaded(draft: Draft) -> Element:
    with box("li", "upload") as line:
        with box("p", "upload-line"):
            draft_tag(draft)
            words("span", draft.file_name, "upload-name")
            link("看草稿", process_address(draft.process_id, RULES, draft))
        facts(draft.name, f"版本 {draft.version}" if draft.version else "", counts_words(draft.findings))
    return line


def draft_tag(draft: Draft) -> None:
    """Whether it may be published."""
    if draft.ok:
        tag("草稿，可以发布", "active")
    else:
        tag("草稿，有错误", "withdrawn")


def publish_button(visit: Visit, draft: Draft) -> None:
    """A draft with errors is refused with what is wrong; a good one is published after a second word."""

    async def publish() -> None:
        principal = await visit.visitor.principal(Role.PROCESS_ADMIN)
        publishing = visit.parts.publishing
        try:
            done = await run_in_threadpool(publishing.publish_draft, principal, draft.process_id, draft.id)
        except Conflict as error:
            _refused(error, draft)
            return
        go_to(done_address(done.process_id, done.digest))

    async def pressed() -> None:
        if draft.ok:
            await _confirm(visit, draft, publish)
        else:
            await publish()

    style = "button button-main" if draft.ok else "button"
    button("发布", pressed, style, aria_label=f"发布：{draft.name} {draft.version}".strip())


async def _confirm(visit: Visit, draft: Draft, publish: After) -> None:
    principal = await visit.visitor.principal(Role.PROCESS_ADMIN)
    changes = await run_in_threadpool(_changes, visit.parts, principal, draft)
    dialog = Dialog(f"发布「{draft.name}」{draft.version}？")

    async def agreed() -> None:
        await dialog.close()
        await publish()

    with dialog.content():
        words("p", "发布之后，新的申请马上按它办；正在办的申请仍用开始时的版本。")
        words("p", summary_of(changes) if changes is not None else "这个流程还没有发布过。")
        if draft.findings:
            words("p", f"还有 {counts_words(draft.findings)}，不妨碍发布。")
        with box("div", "dialog-actions"):
            button("取消", dialog.close, autofocus=True)
            button("发布", agreed, "button button-main")


def _changes(parts: Parts, principal: Principal, draft: Draft) -> Changes | None:
    """Against what serves; None where nothing was ever published."""
    if draft.process_id not in parts.processes.ids():
        return None
    now = load_shown(parts, principal, draft.process_id, "", "")
    new = load_shown(parts, principal, draft.process_id, "", draft.id)
    return changes_between(now.sheets, new.sheets)


def _refused(error: Conflict, draft: Draft) -> None:
    found = error.details.get("findings")
    findings = cast(list[FindingJson], found) if isinstance(found, list) else []
    dialog = Dialog("没有发布", "dialog dialog-wide")
    with dialog.content():
        words("p", f"工作簿里有 {counts_words(findings)}。错误都改好才能发布；原来的版本继续有效。")
        with box("div", "dialog-findings", tabindex="0", role="region", aria_label="发现的问题"):
            draw_findings(findings)
        with box("div", "dialog-actions"):
            link("在表里看", process_address(draft.process_id, RULES, draft), "button")
            button("关闭", dialog.close, autofocus=True)


def done_address(process_id: str, digest: str) -> str:
    """The versions, saying of one what has just become of it."""
    return process_address(process_id, VERSIONS, more={DONE: digest})


@dataclass(frozen=True, slots=True)
class _Loss:
    """What is asked about before it is given up: `named` says of what it is, for who cannot see the line."""

    verb: str
    named: str
    question: str
    note: str


def discard_button(visit: Visit, draft: Draft) -> None:
    loss = _Loss(
        verb="丢弃",
        named=f"丢弃草稿：{draft.name} {draft.version} {draft.file_name}",
        question=f"丢弃「{draft.name}」{draft.version} 的草稿？",
        note="丢弃后无法恢复；已发布的版本不受影响。",
    )

    def discard(principal: Principal) -> str:
        visit.parts.publishing.discard(principal, draft.process_id, draft.id)
        known = draft.process_id in visit.parts.processes.ids()
        return process_address(draft.process_id, VERSIONS) if known else PROCESSES

    _loss_button(visit, loss, discard)


def withdraw_button(visit: Visit, version: Version) -> None:
    loss = _Loss(
        verb="撤下",
        named=f"撤下：版本 {version.version}",
        question=f"撤下「{version.name}」{version.version}？",
        note="新的申请马上不再按它办，改用在有效期内、施行日最晚的另一个版本；一个都没有，就请人联系流程管理员。"
        "再发布同一个工作簿可以恢复。",
    )

    def withdraw(principal: Principal) -> str:
        visit.parts.publishing.withdraw(principal, version.process_id, version.digest)
        return done_address(version.process_id, version.digest)

    _loss_button(visit, loss, withdraw)


def _loss_button(visit: Visit, loss: _Loss, act: Callable[[Principal], str]) -> None:
    """`act` is done after a second word, and says where to go then."""

    async def ask() -> None:
        dialog = Dialog(loss.question)

        async def agreed() -> None:
            principal = await visit.visitor.principal(Role.PROCESS_ADMIN)
            address = await run_in_threadpool(act, principal)
            await dialog.close()
            go_to(address)

        with dialog.content():
            words("p", loss.note)
            with box("div", "dialog-actions"):
                button("取消", dialog.close, autofocus=True)
                button(loss.verb, agreed, "button button-danger")

    button(loss.verb, ask, "link link-danger", aria_label=loss.named)
