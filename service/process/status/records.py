"""From the rows of an approval system to an application: words to codes, steps to where it stands."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from service.process.status.applications import Application, Outcome, Person, Status, Step


@dataclass(frozen=True, slots=True)
class Words:
    """The approval system's words, mapped to ours."""

    statuses: Mapping[str, Status]
    outcomes: Mapping[str, Outcome]

    def extended(self, statuses: Mapping[str, Status], outcomes: Mapping[str, Outcome]) -> "Words":
        """These words and those of a mapping, which go first."""
        return Words({**self.statuses, **statuses}, {**self.outcomes, **outcomes})


@dataclass(frozen=True, slots=True)
class StepRecord:
    """A row of the approval system. The time of a pending step is when it came to this person."""

    node: str
    outcome: str
    person_id: str
    person_name: str
    at: datetime | None
    comment: str = ""


@dataclass(frozen=True, slots=True)
class ApplicationRecord:
    """`status` may be empty: the steps tell it then."""

    id: str
    number: str
    process_id: str
    process: str
    title: str
    applicant_id: str
    applicant_name: str
    status: str
    submitted_at: datetime | None
    steps: tuple[StepRecord, ...]


_DECIDING = {
    Outcome.APPROVED: Status.APPROVED,
    Outcome.REJECTED: Status.REJECTED,
    Outcome.RETURNED: Status.RETURNED,
    Outcome.WITHDRAWN: Status.WITHDRAWN,
    Outcome.SUBMITTED: Status.RUNNING,
    Outcome.TRANSFERRED: Status.RUNNING,
}


def assembled(record: ApplicationRecord, words: Words) -> Application:
    steps = [step for row in record.steps if (step := _step(row, words)).outcome is not Outcome.IGNORED]
    done = _in_order([step for step in steps if step.outcome is not Outcome.PENDING])
    pending = [step for step in steps if step.outcome is Outcome.PENDING]
    status = _status(record.status, done, pending, words)
    waiting = pending if status in (Status.RUNNING, Status.UNKNOWN) else []
    return Application(
        id=record.id,
        number=record.number,
        process_id=record.process_id,
        process=record.process,
        title=record.title,
        applicant=Person(record.applicant_id, record.applicant_name),
        status=status,
        status_word=record.status,
        submitted_at=record.submitted_at or next((step.at for step in done if step.at), None),
        current_node="、".join(dict.fromkeys(step.node for step in waiting if step.node)),
        approvers=tuple(dict.fromkeys(step.person for step in waiting if step.person)),
        since=_since(waiting, done),
        timeline=tuple(done),
    )


def _step(row: StepRecord, words: Words) -> Step:
    outcome = words.outcomes.get(row.outcome.strip(), Outcome.OTHER)
    person = Person(row.person_id, row.person_name) if row.person_id or row.person_name else None
    return Step(row.node, outcome, row.outcome, person, row.at, row.comment)


def _in_order(steps: Sequence[Step]) -> list[Step]:
    """By time; a step without one stays behind the step it came after."""
    latest: datetime | None = None
    keyed: list[tuple[bool, datetime | None, int]] = []
    for place, step in enumerate(steps):
        latest = step.at or latest
        keyed.append((latest is not None, latest, place))
    undated = [place for dated, _, place in keyed if not dated]
    dated = sorted((at, place) for _, at, place in keyed if at is not None)
    return [steps[place] for place in (*undated, *(place for _, place in dated))]


def _status(word: str, done: Sequence[Step], pending: Sequence[Step], words: Words) -> Status:
    if word.strip():
        return words.statuses.get(word.strip(), Status.UNKNOWN)
    if pending:
        return Status.RUNNING
    deciding = [_DECIDING[step.outcome] for step in done if step.outcome in _DECIDING]
    return deciding[-1] if deciding else Status.UNKNOWN


def _since(waiting: Sequence[Step], done: Sequence[Step]) -> datetime | None:
    begun = [step.at for step in waiting if step.at]
    return min(begun) if begun else next((step.at for step in reversed(done) if step.at), None)
