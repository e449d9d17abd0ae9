"""Parts of the status tests: the shipped words, a desk over a sample, applications in one line."""

from collections.abc import Sequence
from datetime import datetime, timedelta, timezone
from pathlib import Path

from service.process.status.applications import Application, Connector, Outcome, Person, Status, Step
from service.process.status.desk import StatusDesk
from service.process.status.people import People
from service.process.status.source import load_words
from service.process.status.telling import Teller
from service.process.status.workdays import WorkDays, load_workdays
from tests.conftest import REPOSITORY

DATA = REPOSITORY / "data" / "status"
CASES = REPOSITORY / "tests" / "cases" / "status"
WORDS = load_words(DATA / "words.toml")
SHIPPED_DAYS = load_workdays(DATA / "workdays.csv")
CHINA = timezone(timedelta(hours=8))
SAME_IDS = People(None, {})


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=CHINA)


def application(
    id: str = "A-1",
    *,
    applicant: str = "wenting",
    status: Status = Status.RUNNING,
    approvers: Sequence[str] = ("hewen",),
    timeline: Sequence[Step] = (),
    process_id: str = "SEAL",
    process: str = "用印申请",
    number: str = "",
    submitted: str | None = "2026-11-12 10:20",
    since: str | None = "2026-11-12 16:05",
    word: str = "",
) -> Application:
    waiting = status is Status.RUNNING
    return Application(
        id=id,
        number=number,
        process_id=process_id,
        process=process,
        title="",
        applicant=Person(applicant),
        status=status,
        status_word=word,
        submitted_at=at(submitted) if submitted else None,
        current_node="法务审核" if waiting else "",
        approvers=tuple(Person(each) for each in approvers) if waiting else (),
        since=at(since) if since else None,
        timeline=tuple(timeline),
    )


def step(outcome: Outcome, person: str, node: str = "部门初审") -> Step:
    return Step(node, outcome, outcome.value, Person(person), at("2026-11-12 16:05"))


class Held:
    """A connector over applications held in memory."""

    def __init__(self, *applications: Application, window_days: int | None = None) -> None:
        self._applications = applications
        self._window_days = window_days

    @property
    def window_days(self) -> int | None:
        return self._window_days

    def by_id(self, application_id: str) -> Application | None:
        return next((each for each in self._applications if each.id == application_id), None)

    def of_applicant(self, person_id: str) -> Sequence[Application]:
        return [each for each in self._applications if each.applicant.id == person_id]

    def close(self) -> None:
        """Holds nothing."""


def desk(connector: Connector | None, people: People = SAME_IDS) -> StatusDesk:
    return StatusDesk(connector, people, Teller(SHIPPED_DAYS, "赵颖"))


def teller(days: WorkDays = SHIPPED_DAYS) -> Teller:
    return Teller(days, "赵颖")


def written(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path
