"""Offline answers 摘句作答: the sentences of the evidence that answer, in reading order, each cited.

A sentence is worth the character pairs of the question it holds, weighted by how few sentences hold them,
plus a bonus when it has what is asked for (a number or date, a reason). Pairs that stand in the headings
count less, since every sentence below is about them.
"""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from ingestion.analyzer import content_words, fold
from ingestion.literals import LiteralKind, find_literals
from service.retrieval.ranking import title_of
from service.retrieval.results import Evidence
from service.retrieval.sentences import Span, sentences

SENTENCES, CHARACTERS = 3, 200  # of an answer, unless a list is asked for
LIST_SENTENCES, LIST_CHARACTERS = 12, 800
_PASSAGES = 3  # evidence that is read
_LATER = 0.6  # worth of a sentence of the second and third passage against one of the first
_ENOUGH = 0.4  # of the best sentence's worth; lower ones answer something else
_IN_HEADING = 0.3
_BONUS = 0.2

_LIST_ASKED = re.compile(
    r"哪些|哪几|步骤|流程|手续|程序|材料|清单|列出|列举|有何|分别|几种|几类|条件|要求|如何办理|怎么办理"
)
_NUMBER_ASKED = re.compile(
    r"多少|几|何时|哪年|哪一年|什么时候|什么时间|日期|时间|多久|多长|多大|多高|年份|哪天|年代"
)
_NUMBER = re.compile(r"\d|[一二三四五六七八九十百千万两]+[年月日天元个人次名岁倍米座部位]")
_REASON_ASKED = re.compile(r"为什么|为何|原因|因何")
_REASON = re.compile(r"因|由于|为了|导致|使得|缘故")
_ITEM = re.compile(
    r"\s*(?:[（(]?[一二三四五六七八九十\d]{1,3}[)）.、．]|[①-⑳]|第[一二三四五六七八九十\d]+[步项]|[-•·*])"
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
class _Sentence:
    passage: int  # position in the evidence
    place: int  # position in its passage
    span: Span
    text: str  # folded
    worth: float = 0.0

    @property
    def length(self) -> int:
        return self.span.end - self.span.start


def compose(question: str, evidence: Sequence[Evidence]) -> Extract:
    """The answer to `question` from `evidence`, best first; empty when no sentence shares a word with it."""
    asked = fold(question)
    ranked = _ranked(asked, evidence[:_PASSAGES])
    if not ranked or (ranked[0].worth <= 0 and not _names_provision(asked, evidence[0])):
        return Extract("", ())
    chosen = _chosen(asked, ranked, evidence)
    chosen.sort(key=lambda s: (s.passage, s.place))
    quotes = [
        Quoted(evidence[s.passage].rank, _fitted(asked, evidence[s.passage].chunk.text, s)) for s in chosen
    ]
    return Extract(_joined(quotes, evidence), tuple(quotes))


def _chosen(asked: str, ranked: Sequence[_Sentence], evidence: Sequence[Evidence]) -> list[_Sentence]:
    if _names_provision(asked, evidence[0]):
        return _whole(ranked)
    return _listed(ranked) if _LIST_ASKED.search(asked) else _best(ranked, SENTENCES, CHARACTERS)


def _names_provision(asked: str, first: Evidence) -> bool:
    """Whether the question names the very article, chapter or step the best passage is headed by."""
    named = {found.normal for found in find_literals(asked) if found.kind is LiteralKind.ORDINAL}
    heading = fold(" ".join(first.chunk.heading_path[-1:]))
    return any(found.normal in named for found in find_literals(heading))


def _whole(ranked: Sequence[_Sentence]) -> list[_Sentence]:
    """The first passage from its beginning, as far as a list may go."""
    chosen: list[_Sentence] = []
    used = 0
    for sentence in sorted((s for s in ranked if s.passage == 0), key=lambda s: s.place):
        used += sentence.length
        if chosen and (len(chosen) == LIST_SENTENCES or used > LIST_CHARACTERS):
            break
        chosen.append(sentence)
    return chosen


def _ranked(asked: str, evidence: Sequence[Evidence]) -> list[_Sentence]:
    found = [
        _Sentence(number, place, span, fold(item.chunk.text[span.start : span.end]))
        for number, item in enumerate(evidence)
        for place, span in enumerate(sentences(item.chunk.text))
    ]
    weights = _weights(asked, found, evidence)
    total = math.fsum(weights.values()) or 1.0
    rated = [_Sentence(s.passage, s.place, s.span, s.text, _worth(asked, s, weights, total)) for s in found]
    return sorted(rated, key=lambda s: (-s.worth, s.passage, s.place))


def _weights(asked: str, found: Sequence[_Sentence], evidence: Sequence[Evidence]) -> dict[str, float]:
    """Pairs of the question's content, heavier the fewer sentences hold them."""
    headings = fold("\n".join(title_of(item.chunk, item.document) for item in evidence[:1]))
    weights = {}
    for pair in _pairs(content_words(asked)):
        holding = sum(pair in sentence.text for sentence in found)
        weight = math.log(1 + (len(found) + 1) / (holding + 0.5))
        weights[pair] = weight * (_IN_HEADING if pair in headings else 1.0)
    return weights


def _pairs(text: str) -> set[str]:
    return {text[i : i + 2] for i in range(len(text) - 1) if text[i : i + 2].isalnum()}


def _worth(asked: str, sentence: _Sentence, weights: dict[str, float], total: float) -> float:
    shared = math.fsum(weight for pair, weight in weights.items() if pair in sentence.text) / total
    if shared > 0 and _NUMBER_ASKED.search(asked) and _NUMBER.search(sentence.text):
        shared += _BONUS
    if shared > 0 and _REASON_ASKED.search(asked) and _REASON.search(sentence.text):
        shared += _BONUS
    return shared if sentence.passage == 0 else shared * _LATER


def _best(ranked: Sequence[_Sentence], most: int, characters: int) -> list[_Sentence]:
    chosen: list[_Sentence] = []
    used = 0
    for sentence in ranked:
        if len(chosen) == most or sentence.worth < _ENOUGH * ranked[0].worth:
            break
        if chosen and used + sentence.length > characters:
            continue
        chosen.append(sentence)
        used += sentence.length
    return chosen


def _listed(ranked: Sequence[_Sentence]) -> list[_Sentence]:
    """The best sentence with the items of its list; when it has none, the best sentences as ever."""
    best = ranked[0]
    siblings = sorted((s for s in ranked if s.passage == best.passage), key=lambda s: s.place)
    start = best.place
    while start > 0 and _ITEM.match(siblings[start].text):
        start -= 1
    items = [siblings[start]]
    used = siblings[start].length
    for sentence in siblings[start + 1 :]:
        used += sentence.length
        if not _ITEM.match(sentence.text) or len(items) == LIST_SENTENCES or used > LIST_CHARACTERS:
            break
        items.append(sentence)
    return items if len(items) > 1 else _best(ranked, SENTENCES, CHARACTERS)


def _fitted(asked: str, text: str, sentence: _Sentence) -> Span:
    """A sentence too long for an answer is cut at its clauses, around what it shares with the question."""
    if sentence.length <= CHARACTERS:
        return sentence.span
    start = sentence.span.start
    clauses = [m for m in _CLAUSE.finditer(text, start, sentence.span.end) if m.group()]
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
