"""A question made ready to be held against passages: its words and character pairs with their idf."""

import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ingestion.analyzer import Query, fold
from ingestion.index.keyword import TermStatistics
from ingestion.literals import Literal, LiteralKind

_HAN_PAIR = re.compile(r"[㐀-鿿]{2}")
_QUOTED = re.compile(r"[“「『\"]([^”」』\"]{8,})[”」』\"]")
_PROCEDURE = re.compile(r"如何|怎|是否|可否|能否|可以|可不可以|为何|为什么|吗|有无|有没有|办理|申请")
_FACT = re.compile(r"谁|哪|几|多少|何时|何地|何人|何处|什么|多久|多长|多大")
_LETTERS = re.compile(r"[^\W_]+")
_EXACT = frozenset({LiteralKind.DOCUMENT_NUMBER, LiteralKind.ORDINAL, LiteralKind.CODE})


@dataclass(frozen=True, slots=True)
class Bridge:
    """A text that holds all words of `standard` says what the question calls `lay` (folded)."""

    lay: str
    standard: frozenset[str]


@dataclass(frozen=True, slots=True)
class Probe:
    """`words` and `pairs` map a word or a pair of Chinese characters to its idf (pairs: the lower of two),
    `general` the same words to their rarity in the language at large.

    `bridges` are the lay terms asked with, and the standard words that stand for them. `exact` are
    the article numbers, document numbers and codes asked for (not those inside a quotation); `quotes` the
    pairs of characters of what the question quotes at length.
    """

    text: str
    words: dict[str, float]
    general: dict[str, float]
    pairs: dict[str, float]
    bridges: tuple[Bridge, ...]
    exact: frozenset[str]
    literals: frozenset[str]
    names: tuple[str, ...]
    quotes: tuple[frozenset[str], ...]
    rarity: float  # mean idf of the words over the highest idf, 0..1
    rarest: float  # the highest idf among the words over the highest idf
    unknown: float  # share of the words' idf that no passage of the corpus holds
    procedure: bool  # asks how, whether or why: answered by long texts that repeat few of its words
    fact: bool  # asks who, which, when or how many: answered by a sentence that repeats most of them

    @property
    def total(self) -> float:
        return math.fsum(self.words.values())


def probe(query: Query, statistics: TermStatistics) -> Probe:
    words = {term.token: statistics.idf(term.token) for term in query.terms if term.content}
    highest = statistics.highest
    exact = frozenset(
        found.normal for found in unquoted(query.text, query.literals) if found.kind in _EXACT
    )
    return Probe(
        text=query.text,
        words=words,
        general={term.token: term.rarity for term in query.terms if term.content},
        pairs=_pairs(query, statistics),
        bridges=tuple(Bridge(fold(e.synonym.lay), e.standard) for e in query.expansions),
        exact=exact,
        literals=frozenset(found.normal for found in query.literals),
        names=tuple(name for name in query.entities if name not in exact and len(name) > 1),
        quotes=quotations(query.text),
        rarity=math.fsum(words.values()) / len(words) / highest if words else 0.0,
        rarest=max(words.values(), default=0.0) / highest,
        unknown=_unknown(words, statistics),
        procedure=bool(_PROCEDURE.search(query.text)),
        fact=bool(_FACT.search(query.text)),
    )


def _unknown(words: dict[str, float], statistics: TermStatistics) -> float:
    total = math.fsum(words.values())
    unknown = math.fsum(weight for word, weight in words.items() if not statistics.knows(word))
    return unknown / total if total else 0.0


def _pairs(query: Query, statistics: TermStatistics) -> dict[str, float]:
    """Pairs bridge words the dictionary does not know, and words cut differently in the passage."""
    text = query.text
    weights = [0.0] * len(text)
    for term in query.terms:
        weight = term.weight * statistics.idf(term.token)
        start = text.find(term.token)
        while start >= 0:
            for position in range(start, start + len(term.token)):
                weights[position] = max(weights[position], weight)
            start = text.find(term.token, start + 1)
    pairs: dict[str, float] = {}
    for position in range(len(text) - 1):
        pair = text[position : position + 2]
        weight = min(weights[position], weights[position + 1])
        if weight > pairs.get(pair, 0.0) and _HAN_PAIR.match(pair):
            pairs[pair] = weight
    return pairs


def unquoted(text: str, literals: Iterable[Literal]) -> Iterator[Literal]:
    """The literals of a question that do not stand in a quotation: who quotes a text asks about that text."""
    quoted = [match.span() for match in _QUOTED.finditer(text)]
    return (found for found in literals if not any(start <= found.start < end for start, end in quoted))


def quotations(text: str) -> tuple[frozenset[str], ...]:
    """The pairs of characters of each longer quotation in a question."""
    return tuple(text_pairs(match[1]) for match in _QUOTED.finditer(text))


def text_pairs(text: str) -> frozenset[str]:
    """Every pair of neighbouring letters or digits of a folded text, across punctuation and blanks."""
    letters = "".join(_LETTERS.findall(text))
    return frozenset(letters[i : i + 2] for i in range(len(letters) - 1))
