"""Offline answers 摘句作答: the sentences of the evidence that answer, in reading order, each cited.

    read the passages -> weigh their sentences -> choose rows by their labels -> choose sentences or a list

A sentence is worth what it holds of the question (`weighing`), plus a bonus when it has what is asked for:
a value of the expected kind, a reason, a row the question's numbers fall into.
"""

import math
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from ingestion.analyzer import content_words, fold
from ingestion.literals import LiteralKind, find_literals, opening_ordinals
from service.knowledge.answer_type import AnswerType, Expected
from service.knowledge.cues import asked_cues
from service.knowledge.lines import QUOTABLE, Line, Role, read
from service.knowledge.listing import LIST_CHARACTERS, LIST_SENTENCES, asks_list, best_listing
from service.knowledge.row_choice import RowChoice
from service.knowledge.weighing import Weighing
from service.retrieval.probe import quotations, text_pairs, unquoted
from service.retrieval.results import Evidence
from service.retrieval.sentences import Span

__all__ = ["CHARACTERS", "LIST_CHARACTERS", "LIST_SENTENCES", "SENTENCES", "Extract", "Quoted", "compose"]

SENTENCES, CHARACTERS = 3, 200  # of an answer, unless a list is asked for
_PASSAGES = 8  # evidence that is read
_ENOUGH = 0.65  # of the best sentence's worth; lower ones answer something else
_VERBATIM = 0.8  # of a quotation's character pairs: the sentence it was taken from
_ADDS = 0.08  # of the question's weight a further sentence must hold beyond the earlier ones
_AS_GOOD = 0.85  # of the best sentence's worth: which of the two answers cannot be told
_SUBJECT = 0.4  # of the best share, from which a sentence speaks of the question's subject
_ANSWERS, _CUED, _FITS = 0.5, 0.3, 1.2  # what a value, a wording and a fitting row add to a sentence's worth

# Kinds whose values are recognised well enough that a subject without one means that nothing answers.
_CERTAIN = frozenset(
    {
        AnswerType.MONEY,
        AnswerType.CLOCK,
        AnswerType.CONTACT,
        AnswerType.RATE,
        AnswerType.COUNT,
        AnswerType.DURATION,
    }
)
_ASKS_WORDING = re.compile(
    r"规定|内容|条文|原文|全文|(?:怎么|如何|怎样|是)[说讲写]|[说讲写]了?(?:什么|啥|些)|是(?:什么|啥)"
)
_CLAUSE = re.compile(r"[^，,、：:]*[，,、：:]?")


@dataclass(frozen=True, slots=True)
class Quoted:
    """`span` lies in the text of the passage with rank `n`."""

    n: int
    span: Span


@dataclass(frozen=True, slots=True)
class Extract:
    """`text` carries the marks `[n]`; `quotes` are its sentences in order. Empty: nothing answers."""

    text: str
    quotes: tuple[Quoted, ...]


@dataclass(frozen=True, slots=True)
class _Rated:
    line: Line
    share: float  # of the question, without regard to the passage's rank
    worth: float
    answers: bool  # holds a value of the expected kind


@dataclass(frozen=True, slots=True)
class _Reading:
    """The evidence as one question sees it. `rated` are its sentences that may be quoted, best first."""

    asked: str
    lines: tuple[Line, ...]
    weighing: Weighing
    rows: RowChoice
    expected: Expected
    rated: tuple[_Rated, ...]


def compose(question: str, evidence: Sequence[Evidence], searched: Sequence[str] = ()) -> Extract:
    """The answer to `question` from `evidence`, best first.

    `searched` are the folded words the retrieval looked for, among them the standard words for the
    question's lay ones. Empty when no sentence shares a word with the question, or none that speaks of its
    subject has a value of the kind it asks for.
    """
    asked = fold(question)
    reading = _read(asked, evidence[:_PASSAGES], searched)
    chosen = _chosen(reading, evidence)
    chosen.sort(key=lambda line: (line.passage, line.place))
    quotes = [
        Quoted(evidence[line.passage].rank, _fitted(asked, evidence[line.passage].chunk.text, line))
        for line in chosen
    ]
    return Extract(_joined(quotes, evidence), tuple(quotes))


def _read(asked: str, evidence: Sequence[Evidence], searched: Sequence[str]) -> _Reading:
    lines = tuple(line for number, item in enumerate(evidence) for line in read(number, item))
    weighing = Weighing(asked, lines, evidence, searched)
    rows, expected = RowChoice(asked, lines, weighing), Expected(asked)
    quotable = [line for line in lines if line.role in QUOTABLE or line.role is Role.LEAD]
    cues = asked_cues(asked)
    rated = [_rate(line, weighing, rows, expected, cues) for line in quotable if not rows.leaves_out(line)]
    rated.sort(key=lambda one: (-one.worth, one.line.passage, one.line.place))
    return _Reading(asked, lines, weighing, rows, expected, tuple(rated))


def _rate(
    line: Line, weighing: Weighing, rows: RowChoice, expected: Expected, cues: Sequence[re.Pattern[str]]
) -> _Rated:
    share = weighing.share(line)
    answers = _answers(expected, line)
    cued = any(cue.search(line.text) for cue in cues)
    better = 1 + _ANSWERS * answers + _CUED * cued + _FITS * rows.fits(line)
    return _Rated(line, share, share * weighing.trust(line) * better, answers)


def _answers(expected: Expected, line: Line) -> bool:
    if line.cells:
        return any(expected.in_cell(cell.header, cell.value, cell.unit) for cell in line.cells)
    return expected.in_sentence(line.text)


def _chosen(reading: _Reading, evidence: Sequence[Evidence]) -> list[Line]:
    if not reading.rated:
        return []
    literals = unquoted(reading.asked, find_literals(reading.asked))
    named = {found.normal for found in literals if found.kind is LiteralKind.ORDINAL}
    if named & _headed_by(evidence[0]):
        return _within_limits([line for line in reading.lines if line.passage == 0])
    if named and _ASKS_WORDING.search(reading.asked):
        provision = _provision(named, reading.lines)
        if provision:
            return _within_limits(provision)
    best = reading.rated[0]
    if best.worth <= 0:
        return []
    if asks_list(reading.asked):
        listing = best_listing(reading.asked, reading.lines, reading.weighing, reading.rows)
        if listing is not None and listing.worth >= best.worth:
            return list(listing.lines)
    quoted = _quoted(reading)
    if quoted is not None:
        return [quoted]
    ranked = [one for one in reading.rated if one.line.role is not Role.LEAD and one.worth > 0]
    return _best(_with_value(ranked, reading.expected), reading)


def _quoted(reading: _Reading) -> Line | None:
    """The sentence that the question quotes, perhaps with a blank where it asks for a value."""
    best, most = None, _VERBATIM
    for quote in quotations(reading.asked):
        for one in reading.rated:
            share = len(quote & text_pairs(one.line.text)) / len(quote)
            if share > most:
                best, most = one.line, share
    return best


def _with_value(ranked: Sequence[_Rated], expected: Expected) -> Sequence[_Rated]:
    """The sentences from the first that holds the value; none when no sentence on the subject has one."""
    if expected.kind not in _CERTAIN or not ranked:
        return ranked
    subject = _SUBJECT * max(one.share for one in ranked)
    holding = [one for one in ranked if one.answers and one.share >= subject]
    return [*holding[:1], *(one for one in ranked if one is not holding[0])] if holding else []


def _headed_by(first: Evidence) -> frozenset[str]:
    """The article, chapter or step that the best passage is headed by."""
    heading = fold(" ".join(first.chunk.heading_path[-1:]))
    return frozenset(found.normal for found in find_literals(heading))


def _provision(named: Collection[str], lines: Sequence[Line]) -> list[Line]:
    """The first article of that number, from the line that begins with it to the next article or heading."""
    chosen: list[Line] = []
    for line in lines:
        begins = opening_ordinals(line.text) if line.opens else frozenset()
        if chosen and (line.passage != chosen[0].passage or line.role is Role.HEADING or _is_article(begins)):
            break
        if chosen or begins & set(named):
            chosen.append(line)
    return chosen


def _is_article(ordinals: Collection[str]) -> bool:
    return any(name.endswith("条") for name in ordinals)


def _within_limits(lines: Sequence[Line]) -> list[Line]:
    """A passage from its beginning, as far as a list may go."""
    chosen: list[Line] = []
    used = 0
    for line in lines:
        if line.role in (Role.HEADING, Role.QUESTION):
            continue
        used += line.length
        if chosen and (len(chosen) == LIST_SENTENCES or used > LIST_CHARACTERS):
            break
        chosen.append(line)
    return chosen


def _best(ranked: Sequence[_Rated], reading: _Reading) -> list[Line]:
    """The first sentence, and further ones that say something of what is asked which it does not."""
    chosen: list[_Rated] = []
    covered: set[str] = set()
    for one in ranked:
        if chosen and (len(chosen) == SENTENCES or one.worth < _ENOUGH * ranked[0].worth):
            break
        if chosen and not _adds(one, chosen, covered, reading):
            continue
        if chosen and sum(other.line.length for other in chosen) + one.line.length > CHARACTERS:
            continue
        chosen.append(one)
        covered |= reading.weighing.reach(one.line).keys()
    return [one.line for one in chosen]


def _adds(one: _Rated, chosen: Sequence[_Rated], covered: Collection[str], reading: _Reading) -> bool:
    if any(one.line.text == other.line.text for other in chosen):
        return False
    if reading.expected.kind in _CERTAIN:
        return one.answers and _newly_held(one, covered, reading) >= _ADDS
    if one.worth >= _AS_GOOD * chosen[0].worth:
        return True
    if reading.expected.kind is not None and one.answers and not any(other.answers for other in chosen):
        return True
    return _newly_held(one, covered, reading) >= _ADDS


def _newly_held(one: _Rated, covered: Collection[str], reading: _Reading) -> float:
    own = reading.weighing.own(one.line)
    return math.fsum(share for unit, share in own.items() if unit not in covered)


def _fitted(asked: str, text: str, line: Line) -> Span:
    """A sentence too long for an answer is cut at its clauses, around what it shares with the question."""
    if line.length <= CHARACTERS:
        return line.span
    start = line.span.start
    clauses = [m for m in _CLAUSE.finditer(text, start, line.span.end) if m.group()]
    wanted = _pairs(content_words(asked))
    worth = [len(wanted & _pairs(fold(m.group()))) for m in clauses]
    first = last = max(range(len(clauses)), key=lambda i: worth[i])
    while True:
        wider = [(i, j) for i, j in ((first, last + 1), (first - 1, last)) if i >= 0 and j < len(clauses)]
        fitting = [(i, j) for i, j in wider if clauses[j].end() - clauses[i].start() <= CHARACTERS]
        if not fitting:
            break
        first, last = fitting[0]
    end = min(clauses[last].end(), clauses[first].start() + CHARACTERS)
    return Span(clauses[first].start(), end)


def _pairs(text: str) -> set[str]:
    return {text[i : i + 2] for i in range(len(text) - 1) if text[i : i + 2].isalnum()}


def _joined(quotes: Sequence[Quoted], evidence: Sequence[Evidence]) -> str:
    by_rank = {item.rank: item for item in evidence}
    lines: list[str] = []
    current = 0
    for quote in quotes:
        item = by_rank[quote.n]
        if quote.n != current:
            source = _source(item)
            if source:
                lines.append(f"{'另据' if lines else '据'}{source}：")
            current = quote.n
        lines.append(f"{item.chunk.text[quote.span.start : quote.span.end]}[{quote.n}]")
    return "\n".join(lines)


def _source(item: Evidence) -> str:
    title = item.document.title
    if not title:
        return ""
    named = title if title.startswith("《") else f"《{title}》"
    below = [part for part in item.chunk.heading_path if part != title]
    return named + ("".join(f"「{part}」" for part in below[-1:]))
