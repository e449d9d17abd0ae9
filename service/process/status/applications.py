"""An application 申请 as every connector hands it on, and what a connector is.

Ids of applications and people are the approval system's.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol

MOST_LISTED = 50  # applications of one person that a connector looks at


class Status(StrEnum):
    RUNNING = "running"
    RETURNED = "returned"  # with the applicant, who mends it and hands it in again
    APPROVED = "approved"
    REJECTED = "rejected"
    WITHDRAWN = "withdrawn"
    UNKNOWN = "unknown"  # a word that the list of words does not have; it is told as it stands

    @property
    def is_open(self) -> bool:
        return self in (Status.RUNNING, Status.RETURNED, Status.UNKNOWN)


class Outcome(StrEnum):
    """What became of a step; `pending` steps are no part of a timeline but say where it stands."""

    SUBMITTED = "submitted"
    APPROVED = "approved"
    REJECTED = "rejected"
    RETURNED = "returned"
    TRANSFERRED = "transferred"
    WITHDRAWN = "withdrawn"
    PENDING = "pending"
    IGNORED = "ignored"  # copies, duplicates: in the approval system's records, of no interest here
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Person:
    id: str
    name: str = ""

    @property
    def shown(self) -> str:
        return self.name or self.id


@dataclass(frozen=True, slots=True)
class Step:
    """`word` is the approval system's own word for the outcome. `at` has a time zone."""

    node: str
    outcome: Outcome
    word: str
    person: Person | None
    at: datetime | None
    comment: str = ""


@dataclass(frozen=True, slots=True)
class Application:
    """`current_node` is empty and `approvers` are none once it is decided; `since` is when it came to stand
    as it does. `process_id` is empty where the approval system's process is none of ours. `number` is what
    people know it by, where that is not the id."""

    id: str
    number: str
    process_id: str
    process: str
    title: str
    applicant: Person
    status: Status
    status_word: str
    submitted_at: datetime | None
    current_node: str
    approvers: tuple[Person, ...]
    since: datetime | None
    timeline: tuple[Step, ...]

    @property
    def shown_id(self) -> str:
        return self.number or self.id


class Connector(Protocol):
    """Reads the approval system, and never writes to it. Safe to share between threads.

    Both raise StatusUnavailable and StatusUnreadable. `window_days` is how far back `of_applicant` looks;
    None: all of it.
    """

    @property
    def window_days(self) -> int | None: ...

    def by_id(self, application_id: str) -> Application | None:
        """None when there is none of this id."""
        ...

    def of_applicant(self, person_id: str) -> Sequence[Application]:
        """What this person has handed in, newest first, at most MOST_LISTED."""
        ...

    def close(self) -> None: ...


def newest_first(applications: Sequence[Application]) -> list[Application]:
    """By when they were handed in; those of unknown time last, in the order they came in."""
    dated = [each for each in applications if each.submitted_at is not None]
    dated.sort(key=lambda each: each.submitted_at or datetime.max, reverse=True)
    return [*dated, *(each for each in applications if each.submitted_at is None)]
