"""What the process path answers: an action with its words, and what it rests on."""

from dataclasses import dataclass
from enum import StrEnum

from rules.flow import Route
from rules.table import Field, Process
from service.process.card import Change, StepCard
from service.process.case import Case, Refused


class Action(StrEnum):
    """What a reply does; the words of the evaluation data."""

    ASK = "ask"
    CARD = "card"
    NO_MATCH = "no_match"
    DISAMBIGUATE = "disambiguate"
    CONFLICT = "conflict"
    STATUS = "status"
    CANCELLED = "cancelled"
    REFUSE = "refuse"
    END = "end"


class Does(StrEnum):
    """What a message does, by the words of the evaluation data."""

    APPLY = "apply"
    CORRECT = "correct"
    CANCEL = "cancel"
    RESUME = "resume"
    STATUS = "status"
    MATERIALS = "materials"
    OUT_OF_SCOPE = "out_of_scope"
    SMALLTALK = "smalltalk"


@dataclass(frozen=True, slots=True)
class Chip:
    """A quick reply: what the button says, and what it sends."""

    label: str
    send: str


@dataclass(frozen=True, slots=True)
class Reply:
    """`text` is Markdown. `missing` are the required fields not said yet, the first is asked; `refused` what
    was said and is no value. `candidates` are the ids of processes to choose from, or the one a question for
    the state of an application names."""

    action: Action
    does: Does
    text: str
    case: Case | None = None
    process: Process | None = None
    asked: Field | None = None
    missing: tuple[Field, ...] = ()
    refused: tuple[Refused, ...] = ()
    changes: tuple[Change, ...] = ()
    route: Route | None = None
    card: StepCard | None = None
    chips: tuple[Chip, ...] = ()
    candidates: tuple[str, ...] = ()
