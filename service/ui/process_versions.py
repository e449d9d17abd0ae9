"""The versions of a process: drafts that wait, what was published and withdrawn, and two of them compared."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from starlette.concurrency import run_in_threadpool

from service.access import Principal, Role
from service.bootstrap import Parts
from service.store.processes import Draft, Version, VersionState
from service.ui.elements import box, facts, link, tag, words
from service.ui.pages import Visit
from service.ui.process_addresses import RULES, process_address, workbook_address
from service.ui.process_comparison import ComparisonView
from service.ui.process_publishing import (
    DONE,
    WorkbookUpload,
    discard_button,
    draft_tag,
    publish_button,
    withdraw_button,
)
from service.ui.process_shown import Shown, people
from service.ui.process_words import FOLLOWED, counts_words, period_words, person_words, standing_of
from service.wording import moment_of

UPLOAD = "上传改好的工作簿：先成为草稿，检查、试算都满意了再发布。没有一起交来的模板沿用上一个版本的。"


@dataclass(frozen=True, slots=True)
class Kept:
    """What there is of a process. Only process administrators are told of drafts."""

    versions: Sequence[Version]
    serving: Version | None
    drafts: Sequence[Draft]
    names: Mapping[str, str]


def kept(parts: Parts, principal: Principal, process_id: str) -> Kept:
    known = process_id in parts.processes.ids()
    allowed = principal.allows(Role.PROCESS_ADMIN)
    return Kept(
        parts.processes.versions(process_id) if known else (),
        parts.processes.serving(process_id, date.today()) if known else None,
        parts.publishing.drafts(principal, process_id) if allowed else (),
        people(parts),
    )


class VersionsView:
    def __init__(self, visit: Visit, shown: Shown, found: Kept) -> None:
        self._visit = visit
        self._shown = shown
        self._kept = found
        self._keeper = visit.principal.allows(Role.PROCESS_ADMIN)

    async def show(self) -> None:
        self._tell_done()
        if self._keeper:
            WorkbookUpload(self._visit, self._uploaded, self._shown.id).show("换新版本", UPLOAD)
            self._waiting()
        with box("section", aria_labelledby="versions-heading"):
            words("h2", "版本", "section-title", id="versions-heading", tabindex="-1")
            if not self._kept.versions:
                words("p", "还没有发布过。", "list-note")
            with box("ul", "cards records"):
                for version in self._kept.versions:
                    self._version(version)
        await ComparisonView(self._visit, self._shown, [*self._kept.drafts, *self._kept.versions]).show()

    def _tell_done(self) -> None:
        """What has just become of a version, by how it stands now."""
        digest, serving = self._visit.asked(DONE), self._kept.serving
        version = next((each for each in self._kept.versions if each.digest == digest), None)
        if version is None:
            return
        act = "已发布" if version.state is VersionState.PUBLISHED else "已撤下"
        if serving is None:
            now = "今天没有有效的版本"
        else:
            now = "现在就用它" if serving.digest == digest else f"今天用的是版本 {serving.version}"
        words("p", f"版本 {version.version} {act}，{now}。", "done", role="status")

    def _waiting(self) -> None:
        with box("section", aria_labelledby="drafts-heading"):
            words("h2", "草稿", "section-title", id="drafts-heading")
            self._drafts = box("div")
            self._draw_drafts(self._kept.drafts)

    def _draw_drafts(self, drafts: Sequence[Draft]) -> None:
        self._drafts.clear()
        with self._drafts:
            if not drafts:
                words("p", "没有等着发布的草稿。", "list-note")
            with box("ul", "cards records"):
                for draft in drafts:
                    self._draft(draft)

    async def _uploaded(self) -> None:
        principal = await self._visit.visitor.principal(Role.PROCESS_ADMIN)
        drafts = await run_in_threadpool(self._visit.parts.publishing.drafts, principal, self._shown.id)
        if not self._drafts.is_deleted:
            self._draw_drafts(drafts)

    def _draft(self, draft: Draft) -> None:
        with box("li", "record record-split", data_draft=draft.id):
            with box("div"):
                with box("p", "record-line"):
                    draft_tag(draft)
                    words("span", f"{draft.version or '没有写版本'} · {draft.file_name}", "record-name")
                who = person_words(draft.created_by, self._kept.names)
                facts(f"{moment_of(draft.created_at)} {_origin(draft)}", who, counts_words(draft.findings))
            with box("div", "revision-actions"):
                named = f"{draft.version} {draft.file_name}"
                link("打开", process_address(draft.process_id, RULES, draft), aria_label=f"打开草稿：{named}")
                address = workbook_address(draft)
                link("下载", address, download=draft.file_name, aria_label=f"下载草稿：{named}")
                discard_button(self._visit, draft)
                publish_button(self._visit, draft)

    def _version(self, version: Version) -> None:
        word, kind = standing_of(version, self._kept.serving, date.today())
        with box("li", "record record-split", data_version=version.version):
            with box("div"):
                with box("p", "record-line"):
                    tag(word, kind)
                    words("span", f"版本 {version.version or '（没有写）'}", "record-name")
                    words("span", period_words(version.effective_from, version.effective_to), "revision-term")
                publisher = person_words(version.published_by, self._kept.names)
                facts(
                    version.file_name,
                    f"{moment_of(version.published_at)} {publisher} 发布",
                    self._withdrawn(version),
                    counts_words(version.findings),
                )
            with box("div", "revision-actions"):
                named = f"版本 {version.version}"
                link("打开", process_address(version.process_id, RULES, version), aria_label=f"打开：{named}")
                address = workbook_address(version)
                link("下载", address, download=version.file_name, aria_label=f"下载工作簿：{named}")
                if self._keeper and version.state is VersionState.PUBLISHED:
                    withdraw_button(self._visit, version)

    def _withdrawn(self, version: Version) -> str:
        if version.withdrawn_at is None:
            return ""
        by = person_words(version.withdrawn_by, self._kept.names)
        return f"{moment_of(version.withdrawn_at)} {by} 撤下"


def _origin(draft: Draft) -> str:
    """Drafts of a followed folder were never uploaded by anybody."""
    kind, _, path = draft.source.partition(":")
    return f"来自{FOLLOWED[kind]} {path}" if kind in FOLLOWED else "上传"
