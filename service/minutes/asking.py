"""One question to the archive of minutes, from the words to quotes or a refusal:

    seek (whom, when, what) -> find utterances -> weigh -> (refuse | choose -> tell)

With a language model the utterances are picked by it; the words shown are the archive's all the same, and
when it fails the offline weighing has the say.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date
from typing import TYPE_CHECKING

import numpy as np
from starlette.concurrency import run_in_threadpool

from service.access import Principal
from service.citations import RefusalReason
from service.minutes.answers import MeetingFound, MinutesAnswer, Told
from service.minutes.archive import Archive
from service.minutes.choosing import Chosen, choose, gathered
from service.minutes.people import People
from service.minutes.picking import Picks, pick
from service.minutes.refusing import refuse
from service.minutes.searching import Found, MinutesSearch
from service.minutes.sought import MinutesQuestion, Sought, seek
from service.minutes.telling import tell
from service.minutes.weighing import AskingModel, Vector
from service.minutes.wordings import Wordings
from service.telemetry import Telemetry

if TYPE_CHECKING:
    from service.llm.client import LanguageModel  # loads the SDK, which the offline engine never needs

OFFLINE = "offline"
MEETINGS = 8  # that are named, best first


@dataclass(frozen=True, slots=True)
class _Looked:
    """What was understood and found, and how well each candidate answers; `answers` is the offline logit."""

    people: People
    sought: Sought
    found: Found
    order: Vector
    answers: float


class Minutes:
    def __init__(
        self,
        archive: Archive,
        search: MinutesSearch,
        wordings: Wordings,
        asking: AskingModel,
        model: "LanguageModel | None",
        telemetry: Telemetry,
        *,
        contact: str,
        today: Callable[[], date] = date.today,
    ) -> None:
        """`asking` weighs offline, `model` picks where there is one."""
        self._archive = archive
        self._search = search
        self._wordings = wordings
        self._asking = asking
        self._model = model
        self._telemetry = telemetry
        self._contact = contact
        self._today = today

    async def ask(self, principal: Principal, question: MinutesQuestion) -> MinutesAnswer:
        """Raises IndexUnavailable, EmbeddingError."""
        with self._telemetry.stage("minutes"):
            looked = await run_in_threadpool(self._look, principal, question)
            answer = await self._answer(looked)
        outcome = "refused" if answer.refusal else "answered"
        self._telemetry.answers.labels(answer.engine, outcome).inc()
        if answer.refusal:
            self._telemetry.refusals.labels(answer.refusal.reason.value).inc()
        return answer

    def persons(self, principal: Principal) -> tuple[str, ...]:
        """Everybody whose own words can be asked for, in order."""
        return self._archive.people(principal).speakers

    def about_someone(self, principal: Principal, message: str) -> bool:
        """Whether a message asks for the words of somebody who speaks in what the principal may read."""
        people = self._archive.people(principal)
        asked = people.read(message)
        return not asked.soft and any(
            people.labels_of(person) for person in (*asked.persons, *asked.ambiguous)
        )

    def look(self, principal: Principal, question: MinutesQuestion) -> tuple[Sought, Found]:
        """What is weighed, for the fit of the weights."""
        looked = self._look(principal, question)
        return looked.sought, looked.found

    def _look(self, principal: Principal, question: MinutesQuestion) -> _Looked:
        people, today = self._archive.people(principal), question.asked_on or self._today()
        sought = seek(question, people, self._wordings, today)
        if sought.ambiguous or sought.unknown:
            return _Looked(people, sought, Found((), (), ()), np.zeros(0), -np.inf)
        found = self._search.find(sought, people, principal.scopes(), today)
        if not found.candidates:
            return _Looked(people, sought, found, np.zeros(0), -np.inf)
        order = self._asking.order(found.features)
        return _Looked(people, sought, found, order, self._asking.answers(found.features, order))

    async def _answer(self, looked: _Looked) -> MinutesAnswer:
        """A long speech takes a while to quote: no event loop waits for it."""
        picks = await self._picks(looked)
        if picks is not None:
            return await run_in_threadpool(self._picked, looked, picks)
        return await run_in_threadpool(self._weighed, looked)

    async def _picks(self, looked: _Looked) -> Picks | None:
        """Places among the candidates; None where no model is asked, or says nothing that counts."""
        if self._model is None or not looked.found.candidates:
            return None
        best = [int(place) for place in np.argsort(-looked.order, kind="stable")]
        given = [looked.found.candidates[place] for place in best]
        picks = await pick(self._model, looked.sought, given, looked.people)
        if isinstance(picks, Picks):
            return replace(picks, places=tuple(best[n] for n in picks.places))
        self._telemetry.fallbacks.labels(picks.code).inc()
        return None

    def _weighed(self, looked: _Looked) -> MinutesAnswer:
        if looked.answers < 0:
            return self._refused(looked, OFFLINE)
        chosen = choose(looked.found, looked.order, looked.sought, looked.people, self._wordings)
        return _told(looked, chosen, OFFLINE)

    def _picked(self, looked: _Looked, picks: Picks) -> MinutesAnswer:
        if not picks.places:
            return self._refused(looked, picks.engine)
        sought, people = looked.sought, looked.people
        chosen = gathered(picks.places, looked.found, looked.order, sought, people, self._wordings)
        if sought.decided and not picks.decided:
            chosen = replace(chosen, told=Told.UNDECIDED)
        return _told(looked, chosen, picks.engine)

    def _refused(self, looked: _Looked, engine: str) -> MinutesAnswer:
        sought = looked.sought
        reason = RefusalReason.BELOW_THRESHOLD if looked.found.candidates else RefusalReason.NOTHING_FOUND
        if sought.ambiguous:
            reason = RefusalReason.AMBIGUOUS
        refusal = refuse(reason, sought, looked.found, looked.order, looked.people, self._contact)
        return MinutesAnswer(
            question=sought.text,
            understood=sought.understood,
            told=Told.SAID,
            text=refusal.message,
            quotes=(),
            shifts=(),
            meetings=_meetings(looked.found),
            refusal=refusal,
            engine=engine,
        )


def _told(looked: _Looked, chosen: Chosen, engine: str) -> MinutesAnswer:
    return MinutesAnswer(
        question=looked.sought.text,
        understood=looked.sought.understood,
        told=chosen.told,
        text=tell(looked.sought, chosen),
        quotes=chosen.quotes,
        shifts=chosen.shifts,
        meetings=_meetings(looked.found),
        refusal=None,
        engine=engine,
    )


def _meetings(found: Found) -> tuple[MeetingFound, ...]:
    return tuple(
        MeetingFound(each.document.id, each.document.title, each.record.day, each.file_name, round(score, 4))
        for each, score in found.meetings[:MEETINGS]
    )
