"""Asking the archive what was said: the question, whose words alone, and from which days."""

from nicegui import ui
from starlette.concurrency import run_in_threadpool

from service.minutes.sought import MinutesQuestion
from service.questions import MAX_QUESTION, check_days, check_question
from service.ui.elements import Choice, Field, box, listen, once_at_a_time, words
from service.ui.minutes_answer import draw_answer
from service.ui.minutes_list import day_typed
from service.ui.pages import Visit

EXAMPLE = "如：去年关于定价说过什么"


class AskView:
    """One visitor's question and what was answered last."""

    def __init__(self, visit: Visit) -> None:
        self._visit = visit

    async def show(self) -> None:
        with box("form", "panel ask", role="search", aria_labelledby="ask-heading") as form:
            words("h2", "问会议", "section-title", id="ask-heading")
            with box("div", "fields"):
                self._text = Field(
                    "问题",
                    value=self._visit.asked("q"),
                    kind="search",
                    style="field wide",
                    maxlength=MAX_QUESTION,
                    placeholder=EXAMPLE,
                )
                self._speaker = Choice("只用某人的原话", {"": "不限"})
                self._first = Field("会议从哪天", kind="date")
                self._last = Field("会议到哪天", kind="date")
                self._submit = words("button", "问", "button button-main", type="submit")
        submitted = once_at_a_time(self._submit, self._answer, afterwards=True)
        listen(form, "submit.prevent", submitted)
        self._waiting = words("p", "", "waiting", role="status")
        self._results = box("section", "results", aria_label="回答")
        await self.offer_persons()
        if self._text.value:  # the address brings the question along; the page is there before its answer
            ui.timer(0, submitted, once=True)

    async def offer_persons(self) -> None:
        """Everybody whose own words can be asked for; a new meeting may bring new ones."""
        principal = await self._visit.visitor.principal()
        persons = await run_in_threadpool(self._visit.parts.minutes.persons, principal)
        self._speaker.offer({name: name for name in persons})

    async def _answer(self) -> None:
        asked = self._asked()
        principal = await self._visit.visitor.principal()
        self._waiting.text = "正在翻会议记录……"
        try:
            answer = await self._visit.parts.minutes.ask(principal, asked)
        finally:
            if not self._waiting.is_deleted:
                self._waiting.text = ""
        if self._results.is_deleted:  # the visitor left meanwhile
            return
        self._results.clear()
        with self._results:
            draw_answer(answer)

    def _asked(self) -> MinutesQuestion:
        """Raises BadRequest."""
        text = self._text.value.strip()
        check_question(text)
        first, last = day_typed(self._first), day_typed(self._last)
        check_days(first, last)
        return MinutesQuestion(text, self._speaker.value, first, last)
