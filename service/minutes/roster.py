"""The list of people of a deployment 人员名单: who is addressed how, and where they work."""

from dataclasses import dataclass
from pathlib import Path

from service.errors import ZhixingError


class RosterError(ZhixingError):
    """The list cannot be used; the message names file and row."""

    code = "roster_invalid"


@dataclass(frozen=True, slots=True)
class Person:
    """`forms` 称呼: what they are called besides their name, 张总."""

    name: str
    forms: tuple[str, ...] = ()
    post: str = ""
    department: str = ""


@dataclass(frozen=True, slots=True)
class Roster:
    people: tuple[Person, ...] = ()


def load_roster(path: Path | None) -> Roster:
    """An empty one without a path. Raises RosterError."""
    return Roster()
