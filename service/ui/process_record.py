"""The record of a process: who published what, which decisions it made, and how often each row was used."""

from collections.abc import Sequence
from dataclasses import dataclass

from starlette.concurrency import run_in_threadpool

from rules.table import Process
from service.access import Principal, Role
from service.store import audit
from service.store.decisions import WINDOW_DAYS, Decision, Usage
from service.ui.elements import Choice, box, facts, tag, words
from service.ui.listing import Found, Listing
from service.ui.pages import Visit
from service.ui.process_shown import Shown, people
from service.ui.process_table import scrolled
from service.ui.process_words import AUDITED, ORIGINS, action_words, person_words
from service.wording import engine_words, moment_of

PAGE_SIZE = 20
ROWS_PAGE = 50
PERIODS = {30: "近一个月", WINDOW_DAYS: "近三个月", 366: "近一年"}
DIGEST = 8  # characters of a digest that tell versions apart


@dataclass(frozen=True, slots=True)
class RowUse:
    """A row of the version shown, and how often it took part; or one it no longer has."""

    table: str
    rule: str
    times: int
    gone: bool = False


class RecordView:
    """Process administrators see what was done; what was decided is for administrators."""

    def __init__(self, visit: Visit, shown: Shown) -> None:
        self._visit = visit
        self._shown = shown
        self._codes = {field.code: field.name for field in shown.process.fields} if shown.process else {}

    async def show(self) -> None:
        self._names = await run_in_threadpool(people, self._visit.parts)
        if self._visit.principal.allows(Role.ADMIN):
            await UsageView(self._visit, self._shown).show()
            await self._decisions()
        await self._audit()

    async def _decisions(self) -> None:
        with box("section", aria_labelledby="decisions-heading"):
            heading = words("h2", "每次的决定", "section-title", id="decisions-heading", tabindex="-1")
            listed: Listing[Decision] = Listing(
                self._visit,
                PAGE_SIZE,
                find=self._find_decisions,
                draw=self._draw_decisions,
                note=lambda total: f"共 {total} 次" if total else "还没有用它办过事。",
                heading=heading,
                role=Role.ADMIN,
            )
            await listed.refresh()

    def _find_decisions(self, principal: Principal, number: int, page_size: int) -> Found[Decision]:
        items, total = self._visit.parts.decisions.page(principal, self._shown.id, number, page_size)
        return Found(items, total)

    def _draw_decisions(self, items: Sequence[Decision]) -> None:
        with box("ul", "cards records"):
            for item in items:
                with box("li", "record"):
                    with box("p", "record-line"):
                        tag(action_words(item.action))
                        words("span", self._matched(item) or "没有命中的行", "record-name")
                    inputs = (f"{self._codes.get(code, code)} {text}" for code, text in item.inputs.items())
                    words("p", "，".join(inputs) or "没有填任何值", "record-said")
                    who = item.name or person_words(item.principal_id, self._names)
                    engine = engine_words(item.engine)
                    facts(moment_of(item.at), who, ORIGINS[item.origin], f"版本 {item.version}", engine)

    def _matched(self, item: Decision) -> str:
        return "；".join(f"{each.table} {'、'.join(each.rules)}" for each in item.matched)

    async def _audit(self) -> None:
        with box("section", aria_labelledby="audit-heading"):
            heading = words("h2", "谁做了什么", "section-title", id="audit-heading", tabindex="-1")
            listed: Listing[audit.Line] = Listing(
                self._visit,
                PAGE_SIZE,
                find=self._find_audit,
                draw=self._draw_audit,
                note=lambda total: f"共 {total} 条" if total else "还没有记录。",
                heading=heading,
                role=Role.PROCESS_ADMIN,
            )
            await listed.refresh()

    def _find_audit(self, principal: Principal, number: int, page_size: int) -> Found[audit.Line]:
        with self._visit.parts.database.session() as session:
            return Found(*audit.about(session, self._shown.id, tuple(AUDITED), number, page_size))

    def _draw_audit(self, items: Sequence[audit.Line]) -> None:
        with box("ul", "cards records"):
            for item in items:
                with box("li", "record"):
                    with box("p", "record-line"):
                        tag(AUDITED[item.action], "active" if item.action == "process.publish" else "")
                        words("span", _told(item), "record-name")
                    who = person_words(item.principal_id, self._names)
                    facts(moment_of(item.at), who, *_details(item))


class UsageView:
    """How often each row was used in the time chosen; rows never used are marked."""

    def __init__(self, visit: Visit, shown: Shown) -> None:
        self._visit = visit
        self._shown = shown
        self._rows: list[RowUse] = []

    async def show(self) -> None:
        with box("section", aria_labelledby="usage-heading"):
            heading = words("h2", "用得怎样", "section-title", id="usage-heading", tabindex="-1")
            with box("div", "filters"):
                periods = {str(days): text for days, text in PERIODS.items()}
                self._period = Choice("时间", periods, value=str(WINDOW_DAYS), on_change=self._changed)
                which = {"": "全部行", "never": "没有用到的行"}
                self._which = Choice("显示", which, on_change=self._changed)
            self._sum = box("div")
            self._list: Listing[RowUse] = Listing(
                self._visit,
                ROWS_PAGE,
                find=self._find,
                draw=_draw_uses,
                note=self._note,
                heading=heading,
                role=Role.ADMIN,
            )
            await self._changed()

    async def _changed(self) -> None:
        principal = await self._visit.visitor.principal(Role.ADMIN)
        days = int(self._period.value)
        usage = await run_in_threadpool(self._visit.parts.decisions.usage, principal, self._shown.id, days)
        if self._sum.is_deleted:
            return
        self._rows = uses_of(self._shown.process, usage)
        self._sum.clear()
        with self._sum:
            by_action = (f"{action_words(action)} {times} 次" for action, times in usage.by_action.items())
            facts(f"共 {usage.total} 次", *by_action)
        await self._list.restart()

    def _find(self, principal: Principal, number: int, page_size: int) -> Found[RowUse]:
        never = self._which.value == "never"
        rows = [row for row in self._rows if not never or not row.times]
        start = (number - 1) * page_size
        return Found(rows[start : start + page_size], len(rows))

    def _note(self, total: int) -> str:
        unused = sum(not row.times for row in self._rows)
        if not self._rows:
            return "没有可以列出的行。"
        if not unused:
            return f"{len(self._rows)} 行都用到过。"
        return f"{len(self._rows)} 行里有 {unused} 行没有用到：核对一下是不是还需要，条件是不是写窄了。"


def uses_of(process: Process | None, usage: Usage) -> list[RowUse]:
    """The rows of the version shown in their order, then those that only other versions have."""
    times = {(each.table, each.rule): each.times for each in usage.by_rule}
    tables = process.tables if process else ()
    own = [
        RowUse(table.name, rule.id, times.pop((table.name, rule.id), 0))
        for table in tables
        for rule in table.rules
    ]
    return own + [RowUse(table, rule, count, gone=True) for (table, rule), count in times.items()]


def _draw_uses(rows: Sequence[RowUse]) -> None:
    if not rows:
        return
    most = max(row.times for row in rows) or 1
    with scrolled("每一行用了几次", "usage-table"):
        with box("thead"), box("tr"):
            for name in ("表", "规则", "次数"):
                words("th", name, scope="col")
        with box("tbody"):
            for row in rows:
                with box("tr", "" if row.times else "row-unused"):
                    words("td", row.table)
                    words("th", row.rule, scope="row")
                    with box("td"):
                        _use(row, most)


def _use(row: RowUse, most: int) -> None:
    if not row.times:
        tag("没有用到", "future")
        return
    with box("div", "use"):
        words("span", f"{row.times:,}", "number")
        with box("div", "bar bar-main", aria_hidden="true"):
            box("div").style(f"width: {row.times / most:.0%}")
        if row.gone:
            tag("这一版里没有")


def _told(item: audit.Line) -> str:
    """What the line is about: the words of a change, a version, a file."""
    version = item.details.get("version")
    said = item.details.get("text") or (f"版本 {version}" if version else "") or item.details.get("file")
    return str(said or "")


def _details(item: audit.Line) -> list[str]:
    """The file, who is named in the record of changes, and the beginning of the workbook's digest."""
    names = {"file": "", "day": "", "author": "修改人："}
    told = [f"{lead}{item.details[key]}" for key, lead in names.items() if item.details.get(key)]
    told = [text for text in told if text != _told(item)]
    digest = str(item.details.get("digest") or "")
    return [*told, f"摘要 {digest[:DIGEST]}" if digest else ""]
