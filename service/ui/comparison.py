"""The comparison page: a revision beside the one before it, changed words marked."""

from starlette.concurrency import run_in_threadpool

from service.api.comparison import Compared, compared
from service.bootstrap import Parts
from service.comparison import Kind, Row, Side
from service.store.documents import StoredRevision
from service.ui import pages
from service.ui.cards import source_address
from service.ui.elements import Pager, box, button, link, words
from service.ui.frame import DOCUMENTS, frame
from service.ui.pages import Visit
from service.ui.sessions import Sessions
from service.ui.versions import naming

ROWS_PER_PAGE = 100
KINDS = {Kind.CHANGED: "修改", Kind.ADDED: "新增", Kind.REMOVED: "删除"}
OLDER, NEWER = "前一版", "这一版"


def register(parts: Parts, sessions: Sessions) -> None:
    pages.register("/documents/{document}/comparison", parts, sessions, _build)


async def _build(visit: Visit) -> None:
    document, left, right = visit.asked("document"), visit.asked("left"), visit.asked("right")
    found = await run_in_threadpool(
        compared, visit.parts, visit.principal, document, left or None, right or None
    )
    title = f"版本对照：{found.title}"
    with frame(title, room=DOCUMENTS, principal=visit.principal, signed_in=visit.visitor.signs_in):
        link("回到原文", source_address(document, found.right.revision.id))
        if found.note:
            words("p", found.note, "problem", role="status")
        ComparisonView(found).show()


class ComparisonView:
    """The rows a page at a time, all of them or the changed ones only."""

    def __init__(self, found: Compared) -> None:
        self._found = found
        self._only_changes = False
        self._pager = Pager(ROWS_PER_PAGE, self._turn)

    def show(self) -> None:
        counts = {kind: self._found.comparison.count(kind) for kind in KINDS}
        said = "，".join(f"{word} {counts[kind]} 段" for kind, word in KINDS.items())
        with box("div", "comparison-bar"):
            words("p", said if any(counts.values()) else "对照的部分文字相同", role="status")
            self._switch = button("只看变化", self._toggle, aria_pressed="false")
        self._text = box("div", "panel comparison-text", tabindex="-1", role="region", aria_label="两版对照")
        self._foot = box("div")
        self._draw()

    async def _toggle(self) -> None:
        self._only_changes = not self._only_changes
        self._switch.props["aria-pressed"] = "true" if self._only_changes else "false"
        self._pager.reset()
        self._draw()

    async def _turn(self) -> None:
        self._draw()
        self._text.run_method("focus")

    def _draw(self) -> None:
        self._text.clear()
        self._foot.clear()
        rows = self._found.comparison.rows
        wanted = [row for row in rows if not self._only_changes or row.kind is not Kind.SAME]
        first = (self._pager.number - 1) * ROWS_PER_PAGE
        with self._text:
            with box("div", "pair-heads"):
                _head(OLDER, self._found.left)
                _head(NEWER, self._found.right)
            with box("ol", "pairs"):
                for row in wanted[first : first + ROWS_PER_PAGE]:
                    _pair(row)
        with self._foot:
            self._pager.draw(len(wanted))


def _head(which: str, item: StoredRevision) -> None:
    with box("p", "revision-line"):
        words("span", which)
        naming(item)


def _pair(row: Row) -> None:
    with box("li", f"pair pair-{row.kind.value}"):
        if row.kind in KINDS:
            words("p", KINDS[row.kind], "pair-kind")
        _side(row.left, OLDER, "del", "side-old")
        _side(row.right, NEWER, "ins", "side-new")


def _side(side: Side | None, which: str, tag: str, style: str) -> None:
    if side is None:
        box("div", f"{style} side-none")
        return
    with box("div", style):
        words("span", f"{which}：", "visually-hidden")
        with box("p", f"block block-{side.block.kind.value}"):
            _words(side, tag)


def _words(side: Side, tag: str) -> None:
    text, done = side.block.text, 0
    for mark in side.marks:
        if mark.start > done:
            words("span", text[done : mark.start])
        words(tag, text[mark.start : mark.end])
        done = mark.end
    if done < len(text):
        words("span", text[done:])
