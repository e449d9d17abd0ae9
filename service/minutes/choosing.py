"""Which of the utterances are quoted, how they belong together, and where a position changed."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np

from ingestion.analyzer import fold
from ingestion.minutes.names import is_anonymous
from ingestion.minutes.outcome import OutcomeKind
from service.minutes.answers import Quote, Shift, Told
from service.minutes.evidence import Candidate
from service.minutes.people import People
from service.minutes.searching import Found
from service.minutes.sought import Sought
from service.minutes.weighing import Vector
from service.minutes.wordings import Wordings
from service.retrieval.sentences import Span, sentences

QUOTES = 5
OVER_TIME = 8  # quotes of a change, one for each meeting
MARGIN = 1.2  # logit below the best up to which an utterance is quoted beside it
CHANGE_MARGIN = 4.0
FRAGMENT = 8  # characters below which an utterance is quoted only as the best
LONGEST = 160  # characters of a quote; of an utterance that is longer, its best sentences
NEAREST = 3  # quotes that a refusal shows
_SPARE = re.compile(r"\W+")
_CLAUSE = re.compile(r"[^，,、：:\s]*[，,、：:\s]*")


@dataclass(frozen=True, slots=True)
class Chosen:
    """Quotes in the order of time."""

    quotes: tuple[Quote, ...]
    told: Told
    shifts: tuple[Shift, ...]


def choose(found: Found, order: Vector, sought: Sought, people: People, wordings: Wordings) -> Chosen:
    """At least one quote. `order` is how well each candidate answers."""
    picked = _over_time(found, order) if sought.change else _best(found, order, wordings)
    return gathered(picked, found, order, sought, people, wordings)


def gathered(
    picked: Sequence[int], found: Found, order: Vector, sought: Sought, people: People, wordings: Wordings
) -> Chosen:
    """The candidates at these places, as an answer; of a change one for each meeting."""
    kept = _one_each(picked, found, order) if sought.change else picked
    in_time = sorted(kept, key=lambda each: _when(found.candidates[each]))
    quotes = tuple(
        quote(n, found.candidates[each], float(order[each]), sought, people)
        for n, each in enumerate(in_time, 1)
    )
    told = _told(sought, [found.candidates[each] for each in in_time], wordings)
    shifts = tuple(_shifts(quotes, wordings)) if sought.change else ()
    return Chosen(quotes, told, shifts)


def nearest(found: Found, order: Vector, sought: Sought, people: People) -> list[Quote]:
    """The best, for a refusal to show and not to use."""
    places = np.argsort(-order, kind="stable")[:NEAREST]
    return [
        quote(n, found.candidates[place], float(order[place]), sought, people)
        for n, place in enumerate(places, 1)
    ]


def quote(n: int, candidate: Candidate, score: float, sought: Sought, people: People) -> Quote:
    said, meeting = candidate.utterance, candidate.utterance.meeting
    start, end = _words(candidate, sought)
    return Quote(
        n=n,
        document_id=meeting.document.id,
        revision_id=meeting.revision_id,
        meeting=candidate.chunk.document.title,  # it may have been corrected since the meeting was read
        day=meeting.record.day,
        file_name=meeting.file_name,
        segment=said.segment.index,
        topic=said.segment.described.topic,
        paragraph=said.paragraph,
        time=said.time,
        speaker=people.person_of(said.label) if said.label else "",
        label=said.label,
        text=meeting.text[start:end],
        char_start=start,
        char_end=end,
        score=round(score, 3),
        outcome=next((kind.value for kind in OutcomeKind if kind in said.outcomes), ""),
        chunk_id=candidate.chunk.chunk.id,
    )


def _best(found: Found, order: Vector, wordings: Wordings) -> list[int]:
    """The best, and those not far behind that say something else."""
    places = [int(place) for place in np.argsort(-order, kind="stable")]
    picked: list[int] = []
    for place in places:
        if len(picked) == QUOTES or order[place] < order[places[0]] - MARGIN:
            break
        said = found.candidates[place].around.own
        if not _repeats(found, place, picked) and (not picked or _says_something(said, wordings)):
            picked.append(place)
    return picked


def _says_something(said: str, wordings: Wordings) -> bool:
    """「第三个，班车。」 says nothing beside a better quote; 「我反对。」 does."""
    return len(_SPARE.sub("", said)) >= FRAGMENT or wordings.side(said) != 0


def _over_time(found: Found, order: Vector) -> list[int]:
    """The best of every meeting, as far as it is near enough to the best of all."""
    near = [int(place) for place in np.flatnonzero(order >= order.max() - CHANGE_MARGIN)]
    return _one_each(near, found, order)[:OVER_TIME]


def _one_each(picked: Sequence[int], found: Found, order: Vector) -> list[int]:
    """The best of every meeting, the best first."""
    by_meeting: dict[str, int] = {}
    for place in sorted(picked, key=lambda place: (-order[place], place)):
        by_meeting.setdefault(found.candidates[place].utterance.meeting.revision_id, place)
    return list(by_meeting.values())


def _repeats(found: Found, place: int, picked: Sequence[int]) -> bool:
    words = _SPARE.sub("", found.candidates[place].around.own)
    return any(_SPARE.sub("", found.candidates[other].around.own) == words for other in picked)


def _when(candidate: Candidate) -> tuple[bool, date, str, int]:
    """Meetings without a day last."""
    meeting = candidate.utterance.meeting
    day = meeting.record.day
    return day is None, day or date.max, meeting.file_name, candidate.utterance.place


def _words(candidate: Candidate, sought: Sought) -> tuple[int, int]:
    """The place of what is quoted: all of an utterance that is short, else the sentences that fit best, of
    those that are too long themselves the clauses, never more than LONGEST characters.
    """
    said = candidate.utterance
    if said.end - said.start <= LONGEST:
        return said.start, said.end
    spans = [piece for span in sentences(said.text) for piece in _pieces(said.text, span)]
    letters = set(fold(sought.topic)) - set(" ")
    worth = [len(letters & set(fold(said.text[span.start : span.end]))) for span in spans]
    first = last = max(range(len(spans)), key=lambda place: (worth[place], -place))
    while True:
        before = spans[last].end - spans[first - 1].start if first else LONGEST + 1
        after = spans[last + 1].end - spans[first].start if last + 1 < len(spans) else LONGEST + 1
        if min(before, after) > LONGEST:
            break
        if after <= LONGEST:
            last += 1
        else:
            first -= 1
    return said.start + spans[first].start, said.start + spans[last].end


def _pieces(text: str, span: Span) -> Iterator[Span]:
    """A sentence as it is; one that is too long in clauses; a clause that is too long in equal lengths, as a
    machine writes down what it hears without any mark."""
    if span.end - span.start <= LONGEST:
        yield span
        return
    for clause in _CLAUSE.finditer(text, span.start, span.end):
        for start in range(clause.start(), clause.end(), LONGEST):
            end = min(start + LONGEST, clause.end())
            if text[start:end].strip():
                yield Span(start, end)


def _told(sought: Sought, picked: Sequence[Candidate], wordings: Wordings) -> Told:
    if sought.change:
        return Told.CHANGE
    settled = any(_settles(each, wordings) for each in picked)
    if sought.decided:
        return Told.OUTCOME if settled else Told.UNDECIDED
    return Told.SAID


def _settles(candidate: Candidate, wordings: Wordings) -> bool:
    said = candidate.utterance
    if wordings.open.search(said.folded):
        return False
    return OutcomeKind.DECISION in said.outcomes or bool(wordings.settled.search(said.folded))


def _shifts(quotes: Sequence[Quote], wordings: Wordings) -> Iterator[Shift]:
    """Between two quotes of one person that follow each other where the later one takes the other side, or
    says itself that it is another now. Words of nobody known are the company's."""
    last: dict[str, Quote] = {}
    for each in quotes:
        person = "" if is_anonymous(each.speaker) else each.speaker  # 发言人1 is another one in each meeting
        before = last.get(person)
        if before is not None and before.revision_id != each.revision_id and _turns(before, each, wordings):
            yield Shift(person, before.n, each.n)
        last[person] = each


def _turns(before: Quote, after: Quote, wordings: Wordings) -> bool:
    earlier, later = wordings.side(fold(before.text)), wordings.side(fold(after.text))
    if earlier and later and earlier != later:
        return True
    return bool(wordings.turned.search(fold(after.text)))
