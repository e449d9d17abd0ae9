"""Candidates for synonyms, of which one press takes the term that is meant."""

from collections.abc import Sequence
from functools import partial
from urllib.parse import urlencode

from nicegui import ui
from starlette.concurrency import run_in_threadpool

from service.access import Principal, Role
from service.terms.candidates import Candidate
from service.terms.lists import TermList
from service.ui.elements import PATH, attempt, box, button, facts, link, tell, words
from service.ui.pages import Visit

SOON_S = 0.1  # looking takes longer than a page may, so it begins when the page is there


class CandidatesView:
    def __init__(self, visit: Visit) -> None:
        self._visit = visit

    def show(self) -> None:
        with box("section", aria_labelledby="candidates-heading"):
            words("h2", "候选", "visually-hidden", id="candidates-heading")
            words(
                "p",
                "没有答上的问题里常出现、资料里却没有的词。点一下它真正指的标准词，就加进同义词表。",
                "list-note",
            )
            self._list = box("div", "list")
            with self._list:
                words("p", "正在从提问记录里找……", "list-note", role="status")
        ui.timer(SOON_S, self._refresh, once=True)

    async def _refresh(self) -> None:
        await attempt(self._look)

    async def _look(self) -> None:
        principal = await self._visit.visitor.principal(Role.ADMIN)
        found = await run_in_threadpool(self._find, principal)
        if self._list.is_deleted:
            return
        self._list.clear()
        with self._list:
            self._draw(found)

    def _find(self, principal: Principal) -> list[Candidate]:
        parts = self._visit.parts
        return parts.candidates.find(principal, parts.vocabulary.known_words(principal))

    def _draw(self, found: Sequence[Candidate]) -> None:
        note = f"共 {len(found)} 个" if found else "近三个月没有答上的问题里，没有反复出现又查不到的词。"
        words("p", note, "list-note", role="status")
        with box("ul", "cards records"):
            for one in found:
                with box("li", "record"):
                    self._candidate(one)

    def _candidate(self, one: Candidate) -> None:
        with box("p", "record-line"):
            words("span", one.word, "record-name")
            address = f"{PATH}/retrieval?{urlencode({'q': one.question})}"
            link("检索看看", address, aria_label=f"检索看看：{one.question}")
        facts(f"{one.times} 次没有答上", f"如「{one.question}」")
        with box("div", "term-choices", role="group", aria_label=f"「{one.word}」是指"):
            words("span", "是指", "hint", aria_hidden="true")
            for nearest in one.nearest:
                button(
                    nearest.term,
                    partial(self._take, one.word, nearest.term),
                    aria_label=f"「{one.word}」是指「{nearest.term}」",
                )
            address = f"{PATH}/terms?{urlencode({'lay': one.word})}"
            link("另填一个", address, aria_label=f"给「{one.word}」另填一个标准词")

    async def _take(self, word: str, term: str) -> None:
        principal = await self._visit.visitor.principal(Role.ADMIN)
        vocabulary = self._visit.parts.vocabulary
        await run_in_threadpool(vocabulary.add, principal, TermList.SYNONYMS, (word, term))
        tell(f"已加入同义词：{word} → {term}")
        await self._look()
