"""The processes page: every process with how it stands, and the way to a new one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from service.access import Principal, Role
from service.bootstrap import Parts
from service.store.decisions import Usage
from service.store.processes import Draft, Version
from service.ui import pages
from service.ui.elements import Field, box, facts, icon, link, tag, words
from service.ui.frame import PROCESSES, frame
from service.ui.listing import Found, Listing
from service.ui.pages import Visit
from service.ui.process_addresses import (
    RECORD,
    RULES,
    TRIAL,
    VERSIONS,
    process_address,
    starter_address,
)
from service.ui.process_publishing import WorkbookUpload, draft_tag
from service.ui.process_words import counts_words, period_words, standing_of
from service.ui.sessions import Sessions

PAGE_SIZE = 15
SHOWN = 3  # drafts of a process; the rest are on its page
LEAD = "办事走哪条路、要哪些材料，都由流程表说了算。一个工作簿写一个流程，检查通过才发布。"
UPLOAD = (
    "一个 .xlsx 工作簿，或者它与 templates 文件夹里的模板打成的 zip。先成为草稿：检查、试算都满意了再发布。"
)


def register(parts: Parts, sessions: Sessions) -> None:
    pages.register("/processes", parts, sessions, _build, Role.READER)


async def _build(visit: Visit) -> None:
    with frame("流程", room=PROCESSES, principal=visit.principal, signed_in=visit.visitor.signs_in):
        words("p", LEAD, "page-lead")
        await ProcessesView(visit).show()


@dataclass(frozen=True, slots=True)
class Listed:
    """A process in the list. `shown` is None where there are only drafts; `usage` is for administrators."""

    id: str
    name: str
    shown: Version | None
    serving: Version | None
    contact: str
    rules: int
    drafts: tuple[Draft, ...]
    usage: Usage | None


class ProcessesView:
    def __init__(self, visit: Visit) -> None:
        self._visit = visit
        self._keeper = visit.principal.allows(Role.PROCESS_ADMIN)

    async def show(self) -> None:
        if self._keeper:
            WorkbookUpload(self._visit, self._uploaded).show("上传工作簿", UPLOAD)
        with box("section", aria_labelledby="processes-heading"):
            with box("div", "section-head"):
                heading = words("h2", "全部流程", "section-title", id="processes-heading", tabindex="-1")
                with link("", starter_address(), "button", download="新流程.xlsx"):
                    icon("download")
                    words("span", "下载空白模板")
            with box("div", "filters", role="search"):
                name = "按名称查找"
                self._search = Field(name, kind="search", style="field grow", on_change=self._refilter)
            self._list: Listing[Listed] = Listing(
                self._visit,
                PAGE_SIZE,
                find=self._find,
                draw=self._draw,
                note=self._note,
                heading=heading,
                role=Role.READER,
            )
            await self._list.refresh()

    async def _refilter(self) -> None:
        await self._list.restart()

    async def _uploaded(self) -> None:
        await self._list.refresh()

    def _find(self, principal: Principal, number: int, page_size: int) -> Found[Listed]:
        sought = self._search.value.strip().casefold()
        found = [
            item
            for item in _listed(self._visit.parts, principal)
            if sought in item.name.casefold() or sought in item.id.casefold()
        ]
        start = (number - 1) * page_size
        return Found(found[start : start + page_size], len(found))

    def _note(self, total: int) -> str:
        if total:
            return f"共 {total} 个"
        return "没有符合条件的流程。" if self._search.value.strip() else self._how_to_begin()

    def _how_to_begin(self) -> str:
        if self._keeper:
            return (
                "还没有流程。下载空白模板，照着里面的例子写成自己的规则，再从上面上传；"
                "改好检查出来的错误，试算几个情况，就可以发布。"
            )
        return "还没有流程。流程由流程管理员上传和发布。"

    def _draw(self, items: Sequence[Listed]) -> None:
        with box("ul", "cards"):
            for item in items:
                _card(item)


def _listed(parts: Parts, principal: Principal) -> list[Listed]:
    """In the order of their names; those of which there are only drafts too, for those who may see drafts."""
    drafts = _drafts(parts, principal)
    library, today = parts.processes, date.today()
    found: list[Listed] = []
    for process_id in library.ids():
        shown = library.shown(process_id, today)
        process = library.process(shown)
        found.append(
            Listed(
                id=process_id,
                name=shown.name,
                shown=shown,
                serving=library.serving(process_id, today),
                contact=process.contact if process else "",
                rules=sum(len(table.rules) for table in process.tables) if process else 0,
                drafts=drafts.get(process_id, ()),
                usage=_usage(parts, principal, process_id),
            )
        )
    only = {process_id: own for process_id, own in drafts.items() if process_id not in library.ids()}
    found += [Listed(key, own[0].name or key, None, None, "", 0, own, None) for key, own in only.items()]
    return sorted(found, key=lambda item: (item.name, item.id))


def _drafts(parts: Parts, principal: Principal) -> Mapping[str, tuple[Draft, ...]]:
    if not principal.allows(Role.PROCESS_ADMIN):
        return {}
    found: dict[str, list[Draft]] = {}
    for draft in parts.publishing.drafts(principal):
        found.setdefault(draft.process_id, []).append(draft)
    return {process_id: tuple(own) for process_id, own in found.items()}


def _usage(parts: Parts, principal: Principal, process_id: str) -> Usage | None:
    return parts.decisions.usage(principal, process_id) if principal.allows(Role.ADMIN) else None


def _card(item: Listed) -> None:
    with box("li", "card", data_process=item.id):
        with box("div", "card-head"):
            with box("div", "card-name"):
                with words("h3", "", "card-title"):
                    link(item.name, process_address(item.id), "plain-link")
                _facts(item)
            if item.shown is not None:
                link("试算", process_address(item.id, TRIAL), "button", aria_label=f"试算：{item.name}")
        if item.shown is not None:
            _version(item, item.shown)
        _drafts_of(item)


def _facts(item: Listed) -> None:
    facts(
        f"编号：{item.id}",
        f"流程管理员：{item.contact}" if item.contact else "",
        f"{item.rules} 条规则" if item.rules else "",
    )


def _version(item: Listed, version: Version) -> None:
    word, kind = standing_of(version, item.serving, date.today())
    with box("div", "revision"):
        with box("div", "revision-what"):
            with box("p", "revision-line"):
                tag(word, kind)
                words("span", f"版本 {version.version or '（没有写）'}", "revision-name")
                words("span", period_words(version.effective_from, version.effective_to), "revision-term")
            facts(counts_words(version.findings) or "检查没有发现问题", _used(item))
        with box("div", "revision-actions"):
            link("版本", process_address(item.id, VERSIONS), aria_label=f"版本：{item.name}")
            if item.usage is not None:
                link("记录", process_address(item.id, RECORD), aria_label=f"记录：{item.name}")


def _used(item: Listed) -> str:
    if item.usage is None:
        return ""
    return f"近 90 天用了 {item.usage.total:,} 次" if item.usage.total else "近 90 天没有人用过"


def _drafts_of(item: Listed) -> None:
    for draft in item.drafts[:SHOWN]:
        with box("div", "revision", data_draft=draft.id):
            with box("div", "revision-what"), box("p", "revision-line"):
                draft_tag(draft)
                words("span", draft.version or "没有写版本", "revision-name")
                words("span", draft.file_name, "revision-term")
                words("span", counts_words(draft.findings), "revision-term")
            with box("div", "revision-actions"):
                named = f"{item.name} {draft.version}".strip()
                address = process_address(item.id, RULES, draft)
                link("看草稿", address, aria_label=f"看草稿：{named}")
    if rest := item.drafts[SHOWN:]:
        address = process_address(item.id, VERSIONS, item.drafts[0] if item.shown is None else None)
        link(f"另有 {len(rest)} 份草稿", address)
