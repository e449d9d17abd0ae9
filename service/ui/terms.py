"""The vocabulary page 词表: every list with adding and removing, in force at once. For administrators."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import zip_longest
from urllib.parse import urlencode

from nicegui import ui
from starlette.concurrency import run_in_threadpool

from service.access import Principal, Role
from service.bootstrap import Parts
from service.errors import BadRequest
from service.storable import storable
from service.store.tasks import RUNNING
from service.terms.lists import LONGEST_QUESTION, LONGEST_WORD, MOST_WORDS, Row, TermList
from service.ui import pages
from service.ui.candidates import CandidatesView
from service.ui.elements import PATH, Field, attempt, box, button, tell, words
from service.ui.frame import TERMS, frame
from service.ui.listing import Found, Listing
from service.ui.pages import Visit
from service.ui.sections import sections
from service.ui.sessions import Sessions

PAGE_SIZE = 50
LOOK_S = 1.0  # how often a running task is asked after
CANDIDATES = "candidates"
_GROUP = LONGEST_WORD * MOST_WORDS  # characters of a typed group


@dataclass(frozen=True, slots=True)
class _Side:
    """One list: what it is called and for, the columns of its table, and which of them may stay empty."""

    kind: TermList
    name: str
    lead: str
    columns: tuple[str, ...]
    optional: bool = False  # the last column
    longest: int = LONGEST_WORD


SIDES = (
    _Side(
        TermList.SYNONYMS,
        "同义词",
        "员工的说法与制度里的标准词。提问时两者都查，下一个问题就生效。",
        ("员工的说法", "标准词"),
    ),
    _Side(
        TermList.DICTIONARY,
        "用户词典",
        "不该被切开的词。下一个问题就生效，有这个词的切片在后台重新切词。",
        ("词", "词频（可不填）"),
        optional=True,
    ),
    _Side(
        TermList.STOPWORDS,
        "停用词",
        "只有语法作用、不参与检索的词。有这个词的切片在后台重新切词。",
        ("词",),
    ),
    _Side(
        TermList.EQUIVALENTS,
        "等同说法",
        "判断两个问题是不是同一个问题时，当作同一个词；不影响检索。拿不准就不写。",
        ("一组词，逗号分隔，标准的在前",),
        longest=_GROUP,
    ),
    _Side(
        TermList.SUGGESTIONS,
        "示例问题",
        "聊天页空白时给人试的问题，显示前三个。",
        ("问题",),
        longest=LONGEST_QUESTION,
    ),
)


def register(parts: Parts, sessions: Sessions) -> None:
    pages.register("/terms", parts, sessions, _build, Role.ADMIN)


def address_of(code: str) -> str:
    return f"{PATH}/terms?{urlencode({'list': code})}"


async def _build(visit: Visit) -> None:
    asked = visit.asked("list")
    side = next((one for one in SIDES if one.kind.value == asked), SIDES[0])
    suggested = asked == CANDIDATES
    addresses = {one.name: address_of(one.kind.value) for one in SIDES}
    with frame("词表", room=TERMS, principal=visit.principal, signed_in=visit.visitor.signs_in):
        words("p", "教它听懂本单位的说法。改了马上生效，不用重启。", "page-lead")
        sections({**addresses, "候选": address_of(CANDIDATES)}, "候选" if suggested else side.name)
        if suggested:
            CandidatesView(visit).show()
        else:
            await TermsView(visit, side).show()


class TermsView:
    """One list, its form for a new row, and how far cutting anew is."""

    def __init__(self, visit: Visit, side: _Side) -> None:
        self._visit = visit
        self._side = side
        self._vocabulary = visit.parts.vocabulary

    async def show(self) -> None:
        with box("section", "panel", aria_label=f"添加{self._side.name}"):
            words("p", self._side.lead, "hint term-lead")
            with box("div", "fields term-form"):
                longest = self._side.longest
                given = [self._visit.asked("lay")[:longest]] if self._side.kind is TermList.SYNONYMS else []
                self._fields = [
                    Field(name, value=value, style="field grow", maxlength=longest)
                    for name, value in zip_longest(self._side.columns, given, fillvalue="")
                ]
                button("添加", self._add, "button button-main")
        with box("section", aria_labelledby="terms-heading"):
            heading = words("h2", self._side.name, "visually-hidden", id="terms-heading", tabindex="-1")
            self._progress = words("p", "", "list-note", role="status")
            with box("div", "filters"):
                self._search = Field("查找", style="field grow", on_change=self._refilter)
            self._list: Listing[Row] = Listing(
                self._visit,
                PAGE_SIZE,
                find=self._find,
                draw=self._draw,
                note=self._note,
                heading=heading,
                role=Role.ADMIN,
            )
            await self._list.refresh()
        self._timer = ui.timer(LOOK_S, self._look)
        await self._look()

    async def _add(self) -> None:
        row = self._typed()
        principal = await self._visit.visitor.principal(Role.ADMIN)
        await run_in_threadpool(self._vocabulary.add, principal, self._side.kind, row)
        for field in self._fields:
            field.clear()
        tell("已添加，下一个问题就生效")
        await self._changed()

    def _typed(self) -> Row:
        typed = [storable(field.value).strip() for field in self._fields]
        if self._side.kind is TermList.EQUIVALENTS:
            parts = (part.strip() for part in typed[0].replace("，", ",").split(","))
            return tuple(part for part in parts if part)
        if self._side.optional and not typed[-1]:
            typed.pop()
        if not all(typed):
            raise BadRequest("请把要添加的写完整")
        return tuple(typed)

    async def _remove(self, row: Row) -> None:
        principal = await self._visit.visitor.principal(Role.ADMIN)
        await run_in_threadpool(self._vocabulary.remove, principal, self._side.kind, row)
        tell("已删除，下一个问题就生效")
        await self._changed()

    async def _changed(self) -> None:
        await self._list.refresh()
        self._timer.activate()
        await self._look()

    async def _refilter(self) -> None:
        await self._list.restart()

    def _find(self, principal: Principal, number: int, page_size: int) -> Found[Row]:
        sought = self._search.value.strip().casefold()
        rows = [
            row
            for row in self._vocabulary.rows(principal, self._side.kind)
            if any(sought in word.casefold() for word in row)
        ]
        start = (number - 1) * page_size
        return Found(rows[start : start + page_size], len(rows))

    def _note(self, total: int) -> str:
        if total:
            return f"共 {total} 条"
        return "没有符合条件的。" if self._search.value.strip() else "这张表还是空的。"

    def _draw(self, rows: Sequence[Row]) -> None:
        if not rows:
            return
        named = {"role": "region", "aria_label": self._side.name}
        with box("div", "table-scroll term-table", tabindex="0", **named), box("table"):
            with box("thead"), box("tr"):
                for name in self._side.columns:
                    words("th", name, scope="col")
                with box("th", scope="col"):
                    words("span", "操作", "visually-hidden")
            with box("tbody"):
                for row in rows:
                    self._draw_row(row)

    def _draw_row(self, row: Row) -> None:
        shown = ("，".join(row),) if self._side.kind is TermList.EQUIVALENTS else row
        with box("tr"):
            for place in range(len(self._side.columns)):
                words("td", shown[place] if place < len(shown) else "")
            with box("td", "term-act"):
                remove, named = partial(self._remove, row), f"删除「{' '.join(row)}」"
                button("删除", remove, "link link-danger", aria_label=named)

    async def _look(self) -> None:
        """How far cutting anew is; asked for again only while it runs."""
        await attempt(self._tell_progress)

    async def _tell_progress(self) -> None:
        principal = await self._visit.visitor.principal(Role.ADMIN)
        task = await run_in_threadpool(self._vocabulary.task, principal)
        if task is None or task.state != RUNNING:
            self._timer.deactivate()
        if task is None:
            text = ""
        elif task.state == RUNNING:
            text = f"正在重新切词：{task.done} / {task.total} 个版本；其间新旧两种切法都查"
        else:
            text = f"重新切词没有做完：{task.message or '服务中断'}。重启服务即接着做"
        if not self._progress.is_deleted:
            self._progress.set_text(text)
