"""What a question to the archive wants: about whom, from when, of what, and how the answer must look."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from service.minutes.answers import Understood
from service.minutes.people import Asked, People, Role
from service.minutes.periods import AskedPeriod, Days, read_period
from service.minutes.utterances import readable
from service.minutes.wordings import Shape, Wordings


@dataclass(frozen=True, slots=True)
class MinutesQuestion:
    """`speaker`: only this person's own words may answer; `first` and `last` bound the days of meetings. What
    the caller says wins over what the words say. `asked_on`: the day that 去年 is counted from; None: today.
    """

    text: str
    speaker: str = ""
    first: date | None = None
    last: date | None = None
    asked_on: date | None = None


@dataclass(frozen=True, slots=True)
class Sought:
    """`topic` is the question without the words for time, persons and asking; never empty where the question
    is not. `preferred` persons are those that are likely, not surely, the ones who speak.
    """

    text: str
    topic: str
    persons: tuple[str, ...] = ()
    preferred: tuple[str, ...] = ()
    ambiguous: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    silent: tuple[str, ...] = ()  # asked about, and speak in no meeting: what others said of them may answer
    as_speaker: str = ""
    period: AskedPeriod | None = None
    change: bool = False
    decided: bool = False
    shapes: frozenset[Shape] = frozenset()
    focus: str = ""  # the words next to what asks
    units: tuple[str, ...] = ()  # of the number asked for
    named: frozenset[str] = frozenset()  # forms in which the question itself names people

    @property
    def bounds(self) -> AskedPeriod | None:
        """The period, where meetings outside of it are surely not wanted."""
        return self.period if self.period and not self.period.soft else None

    @property
    def understood(self) -> Understood:
        period = self.bounds
        return Understood(
            persons=self.persons,
            as_speaker=self.as_speaker,
            first=period.first if period else None,
            last=period.last if period else None,
            period=period.words if period else "",
        )


def seek(question: MinutesQuestion, people: People, wordings: Wordings, today: date) -> Sought:
    """Reads nothing but the question. A named `speaker` whom nobody knows becomes `unknown`."""
    period = _period(question, today)
    read = people.read(question.text)
    silent = () if question.speaker else _silent(read, people)
    named = Asked() if silent else read
    asked = _speaker(question.speaker, people) if question.speaker else named
    folded = readable(question.text)
    return Sought(
        text=question.text,
        topic=_topic(question.text, (*named.spans, *(period.spans if period else ())), wordings),
        persons=() if asked.soft else asked.persons,
        preferred=asked.persons if asked.soft else (),
        ambiguous=asked.ambiguous,
        unknown=asked.unknown,
        silent=silent,
        as_speaker=_as_speaker(question, asked),
        period=period,
        change=bool(wordings.change.search(folded)),
        decided=bool(wordings.decided.search(folded)),
        shapes=wordings.shapes_of(folded),
        focus=wordings.focus_of(folded),
        units=wordings.units_of(folded),
        named=people.named_in(question.text),
    )


def _silent(asked: Asked, people: People) -> tuple[str, ...]:
    """Those who speak in no meeting, as long as nobody asks them to answer: what 许师傅 demanded is told by
    others, and their name is a word of the topic."""
    speaks = any(people.labels_of(person) for person in asked.persons)
    return () if speaks or asked.role is not Role.ABOUT else asked.persons


def _as_speaker(question: MinutesQuestion, asked: Asked) -> str:
    addressed = question.speaker or asked.role is Role.ADDRESSED
    return asked.persons[0] if addressed and len(asked.persons) == 1 and not asked.soft else ""


def _speaker(named: str, people: People) -> Asked:
    """Whom a caller names, by a label, a name or a form of address."""
    if people.labels_of(named):
        return Asked(persons=(named,))
    person = people.person_of(named)
    if people.labels_of(person):
        return Asked(persons=(person,))
    read = people.read(f"{named}怎么说")
    return Asked(persons=read.persons, ambiguous=read.ambiguous, unknown=read.unknown or _nobody(read, named))


def _nobody(read: Asked, named: str) -> tuple[str, ...]:
    return () if read.persons or read.ambiguous else (named,)


def _period(question: MinutesQuestion, today: date) -> AskedPeriod | None:
    read = read_period(question.text, today)
    if question.first is None and question.last is None:
        return read
    given = Days(question.first, question.last)
    spans = read.spans if read else ()
    return AskedPeriod(question.first, question.last, "", spans, False, (given,))


def _topic(text: str, spans: Sequence[tuple[int, int]], wordings: Wordings) -> str:
    """What is left without those spans and the scaffold; without the spans alone where that is nothing."""
    kept = list(text)
    for start, end in spans:
        kept[start:end] = " " * (end - start)
    rest = readable("".join(kept))
    bare = " ".join(wordings.scaffold.sub(" ", rest).split())
    return bare or " ".join(rest.split()) or readable(text)
