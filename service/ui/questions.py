"""The questions page: what got no answer, what did not help, what is asked often. For administrators."""

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from service.access import Principal, Role
from service.bootstrap import Parts
from service.citations import RefusalReason
from service.store.question_log import WINDOW_DAYS, Asked, Disliked, Kind
from service.ui import pages
from service.ui.elements import PATH, Choice, box, facts, link, tag, words
from service.ui.frame import QUESTIONS, frame
from service.ui.listing import Found, Listing
from service.ui.pages import Visit
from service.ui.sections import sections
from service.ui.sessions import Sessions
from service.wording import REFUSALS, moment_of

PAGE_SIZE = 20
LONG = 160  # characters of a question before the rest is folded away
PERIODS = {7: "近一周", 30: "近一个月", WINDOW_DAYS: "近三个月", 366: "近一年"}


@dataclass(frozen=True, slots=True)
class _Side:
    """One side of the page; `nothing` is said where there is no question of its kind."""

    kind: Kind
    name: str
    nothing: str

    @property
    def address(self) -> str:
        return f"{PATH}/questions?{urlencode({'kind': self.kind.value})}"


SIDES = (
    _Side(Kind.UNANSWERED, "没有答上的", "这段时间的问题都答上了。"),
    _Side(Kind.DISLIKED, "没有帮助的", "这段时间没有人说回答没有帮助。"),
    _Side(Kind.FREQUENT, "经常问的", "这段时间没有问过不止一次的问题。"),
)


def register(parts: Parts, sessions: Sessions) -> None:
    pages.register("/questions", parts, sessions, _build, Role.ADMIN)


async def _build(visit: Visit) -> None:
    side = next((one for one in SIDES if one.kind.value == visit.asked("kind")), SIDES[0])
    title = "提问记录"
    with frame(title, room=QUESTIONS, principal=visit.principal, signed_in=visit.visitor.signs_in):
        words("p", "资料缺哪一块、哪里写得不清楚，从大家的提问里看得出来。", "page-lead")
        sections({one.name: one.address for one in SIDES}, side.name)
        await QuestionsView(visit, side).show()


class QuestionsView:
    """The questions of one kind, of the period that the visitor chooses."""

    def __init__(self, visit: Visit, side: _Side) -> None:
        self._log = visit.parts.questions
        self._visit = visit
        self._side = side

    async def show(self) -> None:
        with box("section", aria_labelledby="questions-heading"):
            heading = words("h2", self._side.name, "visually-hidden", id="questions-heading", tabindex="-1")
            with box("div", "filters"):
                periods = {str(days): text for days, text in PERIODS.items()}
                self._period = Choice("时间", periods, value=str(WINDOW_DAYS), on_change=self._refilter)
            self._list: Listing[Asked] | Listing[Disliked]
            if self._side.kind is Kind.DISLIKED:
                self._list = Listing(
                    self._visit,
                    PAGE_SIZE,
                    find=self._find_disliked,
                    draw=_disliked,
                    note=self._note,
                    heading=heading,
                    role=Role.ADMIN,
                )
            else:
                self._list = Listing(
                    self._visit,
                    PAGE_SIZE,
                    find=self._find_asked,
                    draw=_asked,
                    note=self._note,
                    heading=heading,
                    role=Role.ADMIN,
                )
            await self._list.refresh()

    async def _refilter(self) -> None:
        await self._list.restart()

    def _find_asked(self, principal: Principal, number: int, page_size: int) -> Found[Asked]:
        days = int(self._period.value)
        listed = self._log.unanswered if self._side.kind is Kind.UNANSWERED else self._log.frequent
        return Found(*listed(principal, number, page_size, days))

    def _find_disliked(self, principal: Principal, number: int, page_size: int) -> Found[Disliked]:
        return Found(*self._log.disliked(principal, number, page_size, int(self._period.value)))

    def _note(self, total: int) -> str:
        return f"共 {total} 个" if total else self._side.nothing


def _asked(items: Sequence[Asked]) -> None:
    with box("ul", "cards records"):
        for item in items:
            with box("li", "record"):
                _question(item.question, item.reason)
                refused = f"{item.refused} 次没有答上" if item.refused else "都答上了"
                facts(f"问过 {item.times} 次", refused, f"最近 {moment_of(item.last_asked)}")


def _disliked(items: Sequence[Disliked]) -> None:
    with box("ul", "cards records"):
        for item in items:
            with box("li", "record"):
                _question(item.question, item.reason)
                if item.comment:
                    words("p", f"「{item.comment}」", "record-said")
                facts(item.name or item.by, moment_of(item.at))
                with box("details", "passage"):
                    words("summary", "查看回答")
                    words("p", item.answer, "passage-text")


def _question(text: str, reason: str | None) -> None:
    with box("p", "record-line"):
        if reason:
            tag(REFUSALS[RefusalReason(reason)], "draft")
        words("span", text if len(text) <= LONG else f"{text[:LONG]}…", "record-name")
        address = f"{PATH}/retrieval?{urlencode({'q': text[:LONG]})}"
        link("检索看看", address, aria_label=f"检索看看：{text[:LONG]}")
