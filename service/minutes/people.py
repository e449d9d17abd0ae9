"""The people of an archive of minutes: whom a speaker's label names, and whom a question is about."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from service.minutes.person_grammar import Part, parts
from service.minutes.person_labels import joined
from service.minutes.person_words import Directory, Named
from service.minutes.plain import plain
from service.minutes.roster import Roster


class Role(StrEnum):
    ABOUT = "about"  # 张总怎么看: wants what they said
    ADDRESSED = "addressed"  # 张总，能报销吗: wants an answer as if from them


@dataclass(frozen=True, slots=True)
class Asked:
    """Whom a question is about; all empty when about nobody in particular.

    `persons`: canonical names, see `People.person_of`. `ambiguous`: all whom the words may mean when they
    mean one of several; then ask. `unknown`: forms of address of nobody known, 王总. `soft`: the persons do
    something without it being said that they speak (黎晓调研了几家): prefer them, exclude no others.
    `spans`: (start, end) in the question of the words that name them or tell them apart.
    """

    persons: tuple[str, ...] = ()
    ambiguous: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    role: Role = Role.ABOUT
    soft: bool = False
    spans: tuple[tuple[int, int], ...] = ()


class People:
    """The directory of persons of an archive. Made with `of`."""

    def __init__(self, persons: dict[str, str], directory: Directory) -> None:
        self._persons = persons
        self._directory = directory

    @classmethod
    def of(cls, roster: Roster, labels: Iterable[str], together: Iterable[Iterable[str]] = ()) -> "People":
        """`labels`: all speakers' labels of the archive; `together`: those of each meeting, as far as known.

        Two labels of one meeting are never one person. A label that a machine gave, 发言人1, stays a label:
        it names another voice in every meeting.
        """
        persons = joined(roster, tuple(dict.fromkeys(labels)), together)
        return cls(persons, Directory(roster, persons))

    def person_of(self, label: str) -> str:
        """The canonical name; the label itself where nobody is certain to be meant by it."""
        return self._persons.get(label, label)

    def labels_of(self, person: str) -> tuple[str, ...]:
        """All labels of the archive under which a person speaks; none for one who never does."""
        return tuple(label for label, name in self._persons.items() if name == person)

    @property
    def speakers(self) -> tuple[str, ...]:
        """Everybody who speaks in the archive, by name, sorted."""
        return tuple(sorted(set(self._persons.values())))

    def named_in(self, text: str) -> frozenset[str]:
        """The forms in which somebody is named in a text."""
        folded = plain(text)
        return frozenset(folded[one.start : one.end] for one in self._directory.named(folded))

    def read(self, question: str) -> Asked:
        """Whom the question is about. Someone only mentioned (谁去找张总) stays a word of the topic."""
        text = plain(question)
        found = self._directory.named(text)
        said = list(zip(parts(text, found), found, strict=True))
        for part in (Part.ADDRESSED, Part.SPEAKS, Part.ACTS):
            chosen = [one for each, one in said if each is part]
            if chosen:
                return _asked(question, part, chosen)
        return Asked()


def _asked(question: str, part: Part, chosen: list[Named]) -> Asked:
    spans = (span for one in chosen for span in ((one.start, one.end), *one.places))
    several = (person for one in chosen if len(one.persons) > 1 for person in one.persons)
    return Asked(
        persons=tuple(dict.fromkeys(one.persons[0] for one in chosen if len(one.persons) == 1)),
        ambiguous=tuple(dict.fromkeys(several)),
        unknown=tuple(question[one.start : one.end] for one in chosen if not one.persons),
        role=Role.ADDRESSED if part is Part.ADDRESSED else Role.ABOUT,
        soft=part is Part.ACTS,
        spans=tuple(sorted(set(spans))),
    )
