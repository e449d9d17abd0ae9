"""What lies open in a conversation when a message comes, and whether the message speaks to it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property

from service.process.case import Desk, Stage
from service.process.filling import Profile
from service.process.guide import Guide, Read


@dataclass(frozen=True, slots=True)
class Message:
    """`conversation_id` is empty for callers that keep their own history; `earlier` are the user's words
    before this message then, and the case is played again from them."""

    text: str
    conversation_id: str = ""
    earlier: tuple[str, ...] = ()
    ids: Mapping[str, str] = field(default_factory=dict)


class Standing(Enum):
    """Of a conversation: nothing is open; a case is, which can be corrected or gone on with; or a question
    was put to the user, and the message says something that belongs to it."""

    IDLE = "idle"
    OPEN = "open"
    ANSWERED = "answered"


@dataclass(frozen=True)
class Before:
    """What lay open when a message came, after so many `turns`. Made once a turn: routing goes by it, and the
    turn begins with it. Where nothing is open the message is read only if the turn is taken."""

    message: str
    desk: Desk
    turns: int
    guide: Guide
    profile: Profile

    @cached_property
    def read(self) -> Read:
        return self.guide.read(self.desk, self.message, self.profile)

    @property
    def standing(self) -> Standing:
        desk = self.desk
        collecting = desk.case is not None and desk.case.stage is Stage.COLLECTING
        if (collecting or desk.offered) and self.read.concerns:
            return Standing.ANSWERED
        return Standing.OPEN if desk.case or desk.aside or desk.offered else Standing.IDLE


CameHere = Callable[[str, Standing], bool]
"""Whether a message is for this path, as things stood when it came."""


def always(_words: str, _standing: Standing) -> bool:
    return True
