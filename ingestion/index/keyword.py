"""BM25 as sparse vectors: the document side holds the term-frequency part, the query side holds idf.

    bm25(q, d) = sum over t of  w(t) * idf(t) * f * (k1 + 1) / (f + k1 * (1 - b + b * |d| / average))

(Robertson and Zaragoza 2009, with the idf of Lucene, which is never negative.) `average` is a constant and
not the corpus mean, so a document's vector never changes when others come and go. A term's part is below
k1 + 1, hence `score / ((k1 + 1) * sum of w * idf)` lies in 0..1 and means the same in every corpus.
"""

import math
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ingestion.analyzer import Analyzer, Query, Term
from ingestion.index.schema import SparseVector

AVERAGE_LENGTH = 250.0  # tokens; between articles (80) and full chunks (300); 150..300 measured within .005
K1 = 1.2
B = 0.75
ENOUGH = 457  # chunks: six sevenths of 533, the smallest library that calibration saw


def token_id(token: str) -> int:
    """A 32-bit id; two tokens may share one (about 1 in 10,000 at 400,000 distinct tokens)."""
    return zlib.crc32(token.encode("utf-8"))


def idf(document_frequency: float, documents: float) -> float:
    """Weight of a term found in `document_frequency` of `documents` chunks; highest for an unknown term."""
    absent = max(documents - document_frequency, 0)
    return math.log(1 + (absent + 0.5) / (document_frequency + 0.5))


@dataclass(frozen=True, slots=True)
class TermStatistics:
    """Of the published chunks: how many there are, and how many hold each asked term (by token id).

    `at_large` says of a term how likely a usual chunk of any Chinese text holds it. A library of a few files,
    where every word of the subject stands in each of them, is filled up to `ENOUGH` chunks of such text:
    without it the words that matter most would weigh nothing there.
    """

    documents: int
    frequencies: Mapping[int, int]
    at_large: Mapping[int, float] = field(default_factory=dict)

    def beside(self, terms: Iterable[Term]) -> "TermStatistics":
        """The same with what these terms are at large."""
        return replace(self, at_large={token_id(t.token): 1 - (1 - t.share) ** AVERAGE_LENGTH for t in terms})

    def knows(self, token: str) -> bool:
        return self.frequencies.get(token_id(token), 0) > 0

    def idf(self, token: str) -> float:
        term = token_id(token)
        elsewhere = self._filled * self.at_large.get(term, 0.0)
        return idf(self.frequencies.get(term, 0) + elsewhere, self.documents + self._filled)

    @property
    def highest(self) -> float:
        """The idf of a term no chunk holds."""
        return idf(0, self.documents + self._filled)

    @property
    def _filled(self) -> int:
        return max(ENOUGH - self.documents, 0) if self.at_large else 0


class KeywordEncoder:
    """Both sides of the keyword leg. `average_length`: tokens of a usual chunk; `k1`, `b` as in BM25."""

    def __init__(
        self, analyzer: Analyzer, average_length: float = AVERAGE_LENGTH, k1: float = K1, b: float = B
    ) -> None:
        self._in_use: tuple[Analyzer, ...] = (analyzer,)
        self._average = average_length
        self._k1 = k1
        self._b = b

    @property
    def analyzer(self) -> Analyzer:
        return self._in_use[0]

    def use(self, analyzer: Analyzer, former: Iterable[Analyzer] = ()) -> None:
        """Cut by this one from the next text on. Chunks of the index may still be cut by `former` ones."""
        self._in_use = (analyzer, *former)

    def readings(self, question: str) -> list[Query]:
        """The question as it is cut now, and as it was cut for chunks that are not tokenised anew yet."""
        return [analyzer.query(question) for analyzer in self._in_use]

    def document(self, text: str) -> SparseVector:
        """The vector of a chunk's searched text; empty when it holds no token."""
        return self.encode(self.analyzer.tokens(text))

    def encode(self, tokens: Iterable[str]) -> SparseVector:
        """As `document`, for tokens cut already."""
        counts = Counter(tokens)
        norm = self._k1 * (1 - self._b + self._b * counts.total() / self._average)
        parts = ((token, count * (self._k1 + 1) / (count + norm)) for token, count in counts.items())
        return _vector(parts)

    def query(self, terms: Iterable[Term], statistics: TermStatistics) -> SparseVector:
        """The vector of a question: weight * idf of each term. Terms the corpus lacks count as well."""
        return _vector((term.token, term.weight * statistics.idf(term.token)) for term in terms)

    def best(self, terms: Iterable[Term], statistics: TermStatistics) -> float:
        """The best score a text in the question's own words could reach."""
        own = math.fsum(term.weight * statistics.idf(term.token) for term in terms if not term.added)
        return (self._k1 + 1) * own


def united(readings: Sequence[Query], statistics: TermStatistics) -> Query:
    """One question of its readings. It is asked in the one whose words the corpus knows best, the first
    of equals, and what only the others have is added: a chunk is cut in one way or the other."""
    if len(readings) == 1:
        return readings[0]
    asked = min(readings, key=lambda query: _unknown(query, statistics))
    terms = {term.token: term for term in asked.terms}
    for term in (term for query in readings for term in query.terms):
        terms.setdefault(term.token, replace(term, content=False, added=True))
    return replace(asked, terms=tuple(terms.values()))


def _unknown(query: Query, statistics: TermStatistics) -> float:
    """The share of a question's own terms that no chunk holds, by weight."""
    own = [term for term in query.terms if not term.added]
    total = math.fsum(term.weight for term in own)
    unknown = math.fsum(term.weight for term in own if not statistics.knows(term.token))
    return unknown / total if total else 0.0


def absolute(dot: float, best: float) -> float:
    """The keyword score in 0..1: the share of `KeywordEncoder.best`. Standard words may make up for own."""
    return min(max(dot / best, 0.0), 1.0) if best > 0 else 0.0


def _vector(parts: Iterable[tuple[str, float]]) -> SparseVector:
    values: dict[int, float] = defaultdict(float)
    for token, value in parts:
        values[token_id(token)] += value
    return SparseVector(tuple(values), tuple(values.values()))
