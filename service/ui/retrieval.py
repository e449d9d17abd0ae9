"""The retrieval page: what is found for a question on a day, and why each candidate was taken or left."""

from dataclasses import dataclass
from datetime import date

from starlette.concurrency import run_in_threadpool

from ingestion.index.schema import Filter
from service.access import Principal
from service.bootstrap import Parts
from service.errors import BadRequest
from service.questions import MAX_QUESTION, check_question
from service.retrieval.protocols import Question
from service.retrieval.results import Retrieval
from service.ui import pages
from service.ui.elements import Choice, Field, Pager, box, listen, once_at_a_time, words
from service.ui.frame import RETRIEVAL, frame
from service.ui.pages import Visit
from service.ui.results import Row, draw_candidates, draw_verdict
from service.ui.sessions import Sessions

PAGE_SIZE = 20


def register(parts: Parts, sessions: Sessions) -> None:
    pages.register("/retrieval", parts, sessions, _build)


async def _build(visit: Visit) -> None:
    with frame("检索", room=RETRIEVAL, principal=visit.principal, signed_in=visit.visitor.signs_in):
        words("p", "「为什么没找到」先看这里：两路得分、门槛，和每条候选落选的原因。", "page-lead")
        await RetrievalView(visit).show()


@dataclass(frozen=True, slots=True)
class Asked:
    text: str
    day: date
    threshold: float
    knowledge_base: str


class RetrievalView:
    """One visitor's question and what was found for it last."""

    def __init__(self, visit: Visit) -> None:
        self._visit = visit
        self._pager = Pager(PAGE_SIZE, self._turn)
        self._rows: list[Row] = []

    async def show(self) -> None:
        settings = self._visit.parts.settings
        bases = await run_in_threadpool(self._visit.parts.documents.knowledge_bases, self._visit.principal)
        with box("form", "panel ask", role="search") as form, box("div", "fields"):
            self._query = Field(
                "问题或检索词",
                value=self._visit.asked("q"),
                kind="search",
                style="field wide",
                maxlength=MAX_QUESTION,
                autofocus=True,
            )
            self._day = Field("按哪天有效的版本", kind="date", value=date.today().isoformat())
            self._threshold = Field(
                "置信度门槛",
                kind="number",
                value=f"{settings.score_threshold:.2f}",
                min="0",
                max="1",
                step="0.05",
                inputmode="decimal",
            )
            self._base = Choice("知识库", {"": "全部", **{base: base for base in bases}})
            self._submit = words("button", "检索", "button button-main", type="submit")
        submitted = once_at_a_time(self._submit, self._search, afterwards=True)
        listen(form, "submit.prevent", submitted)
        self._results = box("section", "results", aria_label="检索结果")
        if self._query.value:  # the address brings the question along
            await submitted()

    async def _search(self) -> None:
        asked = self._asked()
        principal = await self._visit.visitor.principal()
        found, self._rows = await run_in_threadpool(_retrieve, self._visit.parts, principal, asked)
        if self._results.is_deleted:  # the visitor left meanwhile
            return
        self._day_asked = asked.day
        self._pager.reset()
        self._results.clear()
        with self._results:
            draw_verdict(found, asked.day, asked.threshold)
            if self._rows:
                self._heading = words("h2", f"候选（{len(self._rows)}）", "section-title", tabindex="-1")
            self._list = box("div", "list")
        self._draw()

    def _asked(self) -> Asked:
        text = self._query.value.strip()
        check_question(text)
        try:
            day = date.fromisoformat(self._day.value) if self._day.value else date.today()
            threshold = float(self._threshold.value or self._visit.parts.settings.score_threshold)
        except ValueError as error:
            raise BadRequest("日期或门槛填得不对") from error
        if not 0 <= threshold <= 1:
            raise BadRequest("门槛在 0 与 1 之间")
        return Asked(text, day, threshold, self._base.value)

    async def _turn(self) -> None:
        self._draw()
        self._heading.run_method("focus")

    def _draw(self) -> None:
        start = (self._pager.number - 1) * PAGE_SIZE
        self._list.clear()
        with self._list:
            draw_candidates(self._rows[start : start + PAGE_SIZE], self._day_asked)
            self._pager.draw(len(self._rows))


def _retrieve(parts: Parts, principal: Principal, asked: Asked) -> tuple[Retrieval, list[Row]]:
    found = parts.retriever.retrieve(
        Question(asked.text),
        principal.scopes(),
        day=asked.day,
        top_k=parts.settings.top_k,
        threshold=asked.threshold,
        filters=Filter(knowledge_bases=(asked.knowledge_base,) if asked.knowledge_base else None),
        explain=True,
    )
    chunks = parts.documents.chunks(principal, [item.chunk_id for item in found.candidates])
    snapshot = parts.catalogue.snapshot()
    rows = []
    for rank, item in enumerate(found.candidates, 1):
        facts = snapshot.visible(principal, item.revision_id)
        revision = facts.revision if facts else None
        rows.append(Row(rank, item, chunks.get(item.chunk_id), revision))
    return found, rows
