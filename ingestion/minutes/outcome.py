"""What came out of a meeting: a decision 决定 or an action item 待办, as it stands in a paragraph."""

from dataclasses import dataclass
from datetime import date
from enum import StrEnum


class OutcomeKind(StrEnum):
    DECISION = "decision"  # 决定, 结论, 决议
    ACTION = "action"  # 待办, 遗留问题, 行动项


@dataclass(frozen=True, slots=True)
class Outcome:
    """`start` and `end` are offsets into the paragraph's text: `text[start:end] == quote`, always.

    `quote` lacks the numbering, bullet or label before it. `owner` and `due` are as written; `due_day` is
    `due` counted from the meeting's day, None where that cannot be done.
    """

    kind: OutcomeKind
    paragraph: int  # number
    start: int
    end: int
    quote: str
    speaker: str  # the paragraph's
    owner: str = ""  # the speaker where they say 我来, 我负责
    due: str = ""  # 六月三十号之前
    due_day: date | None = None
