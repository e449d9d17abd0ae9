"""Two versions of a process beside each other: the rows that came, went and changed, sheet by sheet."""

from starlette.concurrency import run_in_threadpool

from service.access import Principal, Role
from service.store.processes import Draft, Version
from service.ui.elements import Choice, Pager, box, tag, words
from service.ui.pages import Visit
from service.ui.process_changes import CellChange, Changes, Kind, RowChange, SheetChanges, changes_between
from service.ui.process_shown import Shown, load_shown
from service.wording import moment_of

PAGE_SIZE = 20
KINDS = {
    Kind.ADDED: ("新增", "active"),
    Kind.REMOVED: ("删去", "withdrawn"),
    Kind.CHANGED: ("改动", "future"),
}
DRAFT = "draft:"


class ComparisonView:
    """Which two a visitor compares. `subjects` are what there is, the newest first."""

    def __init__(self, visit: Visit, shown: Shown, subjects: list[Version | Draft]) -> None:
        self._visit = visit
        self._shown = shown
        self._subjects = subjects
        self._asked = 0

    async def show(self) -> None:
        with box("section", "process-comparison", aria_labelledby="process-comparison-heading"):
            words("h2", "两版对照", "section-title", id="process-comparison-heading")
            offered = {_code(each): _naming(each) for each in self._subjects}
            if len(offered) < 2:
                words("p", "只有一个版本，没有可以对照的。", "list-note")
                return
            old, new = self._first_pair()
            with box("div", "filters"):
                self._old = Choice("旧的", offered, value=old, style="field grow", on_change=self._compare)
                self._new = Choice("新的", offered, value=new, style="field grow", on_change=self._compare)
            self._body = box("div", "changes")
            await self._compare()

    def _first_pair(self) -> tuple[str, str]:
        """What is shown, beside what came before it; the very first beside what came last."""
        codes = [_code(each) for each in self._subjects]
        shown = _code(self._shown.subject)
        at = codes.index(shown) if shown in codes else 0
        return (codes[at + 1], codes[at]) if at + 1 < len(codes) else (codes[at], codes[0])

    async def _compare(self) -> None:
        self._asked += 1
        mine = self._asked
        principal = await self._visit.visitor.principal(self._role())
        found = await run_in_threadpool(self._changes, principal, self._old.value, self._new.value)
        if mine != self._asked or self._body.is_deleted:
            return
        self._body.clear()
        with self._body:
            ChangesView(found).show()

    def _role(self) -> Role:
        drafts = any(each.value.startswith(DRAFT) for each in (self._old, self._new))
        return Role.PROCESS_ADMIN if drafts else Role.READER

    def _changes(self, principal: Principal, old: str, new: str) -> Changes:
        before, after = (self._load(principal, code) for code in (old, new))
        return changes_between(before.sheets, after.sheets)

    def _load(self, principal: Principal, code: str) -> Shown:
        draft = code.removeprefix(DRAFT) if code.startswith(DRAFT) else ""
        version = "" if draft else code
        return load_shown(self._visit.parts, principal, self._shown.id, version, draft)


class ChangesView:
    """The changed rows a page at a time."""

    def __init__(self, changes: Changes) -> None:
        self._rows = [(sheet, row) for sheet in changes.sheets for row in _all(sheet)]
        self._pager = Pager(PAGE_SIZE, self._turn)

    def show(self) -> None:
        self._note = words("p", self._told(), "list-note", role="status", tabindex="-1")
        self._list = box("div")
        self._draw()

    def _told(self) -> str:
        return f"{len(self._rows)} 处不同" if self._rows else "各行都相同。"

    async def _turn(self) -> None:
        self._draw()
        self._note.run_method("focus")

    def _draw(self) -> None:
        self._list.clear()
        start = (self._pager.number - 1) * PAGE_SIZE
        with self._list:
            title = ""
            for sheet, row in self._rows[start : start + PAGE_SIZE]:
                if sheet.title != title:
                    title = sheet.title
                    words("h3", title, "change-sheet")
                _row(row)
            self._pager.draw(len(self._rows))


def _all(sheet: SheetChanges) -> list[RowChange]:
    """Columns that came or went are told like rows."""
    columns = [
        RowChange(Kind.ADDED if each.new else Kind.REMOVED, f"「{each.column}」列", ())
        for each in sheet.columns
    ]
    return [*columns, *sheet.rows]


def _row(row: RowChange) -> None:
    word, kind = KINDS[row.kind]
    with box("div", f"change change-{row.kind.value}"):
        with box("p", "change-line"):
            tag(word, kind)
            words("span", row.key or "（没有编号的行）", "row-id")
        if row.cells:
            with box("dl", "change-cells"):
                for cell in row.cells:
                    _cell(row.kind, cell)


def _cell(kind: Kind, cell: CellChange) -> None:
    with box("div"):
        words("dt", cell.column)
        with box("dd"):
            if kind is not Kind.ADDED:
                words("del", cell.old or "（空）")
            if kind is Kind.CHANGED:
                words("span", "→", aria_hidden="true")
            if kind is not Kind.REMOVED:
                words("ins", cell.new or "（空）")


def _code(subject: Version | Draft) -> str:
    return f"{DRAFT}{subject.id}" if isinstance(subject, Draft) else subject.digest


def _naming(subject: Version | Draft) -> str:
    version = subject.version or "（没有写版本）"
    if isinstance(subject, Draft):
        return f"草稿 {version} · {subject.file_name} · {moment_of(subject.created_at)} 上传"
    return f"版本 {version} · {moment_of(subject.published_at)} 发布"
