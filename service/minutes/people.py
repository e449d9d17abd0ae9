"""The people of an archive of minutes: whom a speaker's label names, and whom a question is about."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from service.minutes.roster import Roster


class Role(StrEnum):
    ABOUT = "about"  # 张总怎么看: wants what they said
    ADDRESSED = "addressed"  # 张总，能报销吗: wants an answer as if from them


@dataclass(frozen=True, slots=True)
class Asked:
    """Whom a question is about; all empty when about nobody in particular.

    `persons`: canonical names, see `People.person_of`. `ambiguous`: all whom the words may mean, when they
    mean one of several; then ask. `unknown`: forms of address of nobody known, 王总. `soft`: the person does
    something without it being said that they speak (黎晓调研了几家): prefer, do not exclude. `spans`: (start,
    end) in the question of the words that name them or tell them apart.
    """

    persons: tuple[str, ...] = ()
    ambiguous: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    role: Role = Role.ABOUT
    soft: bool = False
    spans: tuple[tuple[int, int], ...] = ()


class People:
    """The directory of persons of an archive."""

    @classmethod
    def of(
        cls, roster: Roster, labels: Iterable[str], together: Iterable[Iterable[str]] = ()
    ) -> "People":
        """`labels`: all speakers' labels of the archive; `together`: those of each meeting, if known. Two labels
        of one meeting are never joined unless they are the same name."""
        people = cls()
        people._person_of = {label: label for label in labels}
        return people

    _person_of: dict[str, str]

    def person_of(self, label: str) -> str:
        """The canonical name; the label itself where nobody is known by it."""
        return self._person_of.get(label, label)

    def labels_of(self, person: str) -> tuple[str, ...]:
        """All labels of the archive under which a person speaks."""
        return tuple(label for label, name in self._person_of.items() if name == person)

    def read(self, question: str) -> Asked:
        return Asked()
