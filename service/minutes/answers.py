"""What the archive answers: quotes 原话, word for word, each with speaker, meeting and day; or a refusal."""

from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from service.citations import Refusal


class Told(StrEnum):
    """How the quotes belong together, and are told."""

    SAID = "said"  # what was said, in the order of time
    CHANGE = "change"  # one person's, or the company's, position over time
    OUTCOME = "outcome"  # decided, or to be done
    UNDECIDED = "undecided"  # talked about; nothing was decided


@dataclass(frozen=True, slots=True)
class Quote:
    """`text == canonical_text[char_start:char_end]` of the revision, always; `n` counts from 1.

    `speaker` is the person, `label` how the record names them; both empty where nobody is known to speak.
    `outcome`: decision, action, or empty.
    """

    n: int
    document_id: str
    revision_id: str
    meeting: str
    day: date | None
    file_name: str
    segment: int
    topic: str
    paragraph: int
    time: str
    speaker: str
    label: str
    text: str
    char_start: int
    char_end: int
    score: float
    outcome: str = ""
    chunk_id: str = ""


@dataclass(frozen=True, slots=True)
class Shift:
    """A position that differs from the one before it: quotes by their `n`. `person` is empty where nobody is
    known to speak.
    """

    person: str
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class Understood:
    """What was read from the question. `first` and `last` bound the meetings' days, both included."""

    persons: tuple[str, ...] = ()
    as_speaker: str = ""
    first: date | None = None
    last: date | None = None
    period: str = ""  # the words that name it


@dataclass(frozen=True, slots=True)
class MeetingFound:
    """A meeting that was looked at, best first."""

    document_id: str
    title: str
    day: date | None
    file_name: str
    score: float


@dataclass(frozen=True, slots=True)
class MinutesAnswer:
    """Either `quotes` in the order of time with the `text` that tells them, or a `refusal`; never both.

    `engine` chose the quotes; they are the archive's own words whoever it was.
    """

    question: str
    understood: Understood
    told: Told
    text: str
    quotes: tuple[Quote, ...]
    shifts: tuple[Shift, ...]
    meetings: tuple[MeetingFound, ...]
    refusal: Refusal | None
    engine: str
