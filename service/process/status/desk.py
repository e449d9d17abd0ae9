"""Answers about applications, to the people who may have them: by id, their own, or a question in words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime

from service.access import Principal
from service.errors import NotFound
from service.process.reply import Chip
from service.process.status.applications import Application, Connector, Person, Step
from service.process.status.errors import NotConnected
from service.process.status.people import People
from service.process.status.query import StatusQuery, is_application_id, read_query
from service.process.status.seeing import may_see
from service.process.status.telling import MOST_TOLD, Teller

ProcessWords = Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class StatusAnswer:
    """`text` is Markdown."""

    text: str
    applications: tuple[Application, ...] = ()
    chips: tuple[Chip, ...] = ()


class StatusDesk:
    """`connector` is None when no approval system is connected."""

    def __init__(self, connector: Connector | None, people: People, teller: Teller) -> None:
        self.connector = connector
        self._people = people
        self._teller = teller

    def one(self, principal: Principal, application_id: str) -> Application:
        """Raises NotFound, the same for what is absent and for what is not this principal's to see, and
        NotConnected, StatusUnavailable, StatusUnreadable."""
        found = self._seen(principal, application_id)
        if found is None:
            raise NotFound("没有这个申请，或者您不是它的申请人、办理人")
        return found

    def own(self, principal: Principal) -> list[Application]:
        """What this principal handed in, newest first. Raises as `one`, but for NotFound."""
        connector = self._connected()
        person = self._people.person_of(principal)
        if person is None:
            return []
        # Whatever the connector found: a database may take two ids for the same that differ in their case.
        theirs = (each for each in connector.of_applicant(person) if each.applicant.id == person)
        return [self._with_names(each) for each in theirs]

    def answer(
        self, principal: Principal, text: str, process_words: ProcessWords, today: date
    ) -> StatusAnswer:
        """Raises StatusUnavailable and StatusUnreadable, whose messages can be shown as they are."""
        if self.connector is None:
            return StatusAnswer(self._teller.not_connected())
        query = read_query(text, process_words, today)
        if query.application_id:
            return self._about_one(principal, query.application_id, today)
        if self._people.person_of(principal) is None:
            return StatusAnswer(self._teller.nobody())
        return self._about_own(self.own(principal), query, process_words, today)

    def close(self) -> None:
        if self.connector is not None:
            self.connector.close()

    def _about_one(self, principal: Principal, application_id: str, today: date) -> StatusAnswer:
        found = self._seen(principal, application_id)
        if found is None:
            return StatusAnswer(self._teller.absent(application_id))
        return StatusAnswer(self._teller.one(found, today), (found,))

    def _about_own(
        self, own: Sequence[Application], query: StatusQuery, words: ProcessWords, today: date
    ) -> StatusAnswer:
        """Of those meant, the open ones before the decided ones; one in full, several as a list."""
        of_process = [each for each in own if _is_of(each, query.process_ids, words)]
        meant = [each for each in of_process if _handed_in(each, query)]
        if not meant:
            return self._none(of_process or own, query, today)
        open_ones = [each for each in meant if each.status.is_open]
        if len(open_ones) == 1 or len(meant) == 1:
            told = (open_ones or meant)[0]
            others = [each for each in meant if each is not told]
            text = self._teller.one(told, today)
            return StatusAnswer(_and_others(text, len(others)), (told,), _chips(others))
        listed = open_ones or meant
        state = "还在办" if open_ones else "都有结果了"
        heading = f"您有 {len(listed)} 个申请{state}："
        return self._listed(listed, heading, today)

    def _none(self, nearest: Sequence[Application], query: StatusQuery, today: date) -> StatusAnswer:
        window = self.connector.window_days if self.connector else None
        text = self._teller.none(query.days, bool(query.process_ids), window)
        if not nearest:
            return StatusAnswer(text)
        listed = self._listed(nearest, "您最近的申请是：", today)
        return replace(listed, text=f"{text}\n\n{listed.text}")

    def _listed(self, applications: Sequence[Application], heading: str, today: date) -> StatusAnswer:
        text = self._teller.several(applications, today, heading)
        return StatusAnswer(text, tuple(applications[:MOST_TOLD]), _chips(applications))

    def _seen(self, principal: Principal, application_id: str) -> Application | None:
        connector = self._connected()
        if not is_application_id(application_id):
            return None
        found = connector.by_id(application_id)
        if found is not None and may_see(principal, found, self._people):
            return self._with_names(found)
        # What people know it by may be another number. Looked up for a hidden one too: it takes as long.
        return next((each for each in self.own(principal) if each.number == application_id), None)

    def _connected(self) -> Connector:
        if self.connector is None:
            raise NotConnected(self._teller.not_connected())
        return self.connector

    def _with_names(self, application: Application) -> Application:
        """Names of the list of people where the approval system gives only ids."""
        return replace(
            application,
            applicant=self._person(application.applicant),
            approvers=tuple(self._person(each) for each in application.approvers),
            timeline=tuple(self._step(each) for each in application.timeline),
        )

    def _person(self, person: Person) -> Person:
        return person if person.name else replace(person, name=self._people.name_of(person.id))

    def _step(self, step: Step) -> Step:
        return step if step.person is None else replace(step, person=self._person(step.person))


def _is_of(application: Application, process_ids: Sequence[str], words: ProcessWords) -> bool:
    """By the process's id, or by its name where the approval system does not know our ids."""
    if not process_ids or application.process_id in process_ids:
        return True
    names = [word for process in process_ids for word in words.get(process, ())]
    return not application.process_id and any(name in application.process for name in names)


def _handed_in(application: Application, query: StatusQuery) -> bool:
    if query.days is None:
        return True
    moment: datetime | None = application.submitted_at
    return moment is not None and query.days.holds(moment.date())


def _and_others(text: str, others: int) -> str:
    return f"{text}\n\n您另有 {others} 个申请已有结果。" if others else text


def _chips(applications: Sequence[Application]) -> tuple[Chip, ...]:
    return tuple(
        Chip(f"{each.process or '申请'} {each.shown_id}", f"申请编号 {each.shown_id} 到哪了")
        for each in applications[:MOST_TOLD]
    )
