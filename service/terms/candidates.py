"""Candidates for synonyms 候选同义词: words of questions that got no answer and stand in no passage, each
with terms of the library that come near it. An administrator decides; nothing here changes a list."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from sqlalchemy import select

from ingestion.analyzer import Analyzer, content_words, fold, simplify
from ingestion.index.keyword import KeywordEncoder, token_id
from ingestion.protocols import Embedder
from service.access import Principal
from service.retrieval.protocols import Question
from service.retrieval.results import Evidence
from service.retrieval.retriever import Retriever
from service.store.corpus import StoredCorpus
from service.store.database import Database
from service.store.models import ChunkRow
from service.store.question_log import FREQUENT, QuestionLog

MOST = 10  # candidates shown
_QUESTIONS = 300  # of those refused most often
_PASSAGES = 8  # nearest to the question, whose terms are looked at
_HEADINGS, _WORDS = 24, 24  # of them that are compared with a word; each costs an embedding
_NEAREST = 3
_LONGEST = 4  # characters taken together
_HAN = re.compile(r"[㐀-鿿]+")
_WORD = re.compile(r"[㐀-鿿]{2,}")
_NUMBERING = re.compile(
    r"^(?:第[\d一二三四五六七八九十百零]+[编章节条款]|[（(]?[\d一二三四五六七八九十]+[）)、.．]|[\d.]+)\s*"
)
_TERM = re.compile(r"[㐀-鿿a-z0-9]{2,12}")


@dataclass(frozen=True, slots=True)
class Nearest:
    """`nearness` in 0..1: the mean of the share of common characters and the cosine of the embeddings."""

    term: str
    nearness: float


@dataclass(frozen=True, slots=True)
class Candidate:
    """`times` questions with the word were refused; `question` is the one refused most often."""

    word: str
    times: int
    question: str
    nearest: tuple[Nearest, ...]


@dataclass(slots=True)
class _Spoken:
    question: str
    times: int = 0


class Candidates:
    def __init__(
        self,
        questions: QuestionLog,
        database: Database,
        corpus: StoredCorpus,
        encoder: KeywordEncoder,
        embedder: Embedder,
        retriever: Retriever,
    ) -> None:
        self._questions = questions
        self._database = database
        self._corpus = corpus
        self._encoder = encoder
        self._embedder = embedder
        self._retriever = retriever

    def find(self, principal: Principal, known: Iterable[str]) -> list[Candidate]:
        """The most frequent first; without those that a `known` word is part of. Raises Forbidden for others
        than administrators, IndexUnavailable, EmbeddingError."""
        asked, _total = self._questions.unanswered(principal, 1, _QUESTIONS)
        spoken: dict[str, _Spoken] = {}
        for one in asked:
            for word in words_of(self._encoder.analyzer, one.question):
                entry = spoken.setdefault(word, _Spoken(one.question))
                entry.times += one.refused
        often = {word: entry for word, entry in spoken.items() if entry.times >= FREQUENT}
        given = [fold(word) for word in known]
        frequent = [
            (word, entry)
            for word, entry in _longest_only(often).items()
            if not any(lay in word for lay in given)
        ]
        frequent.sort(key=lambda pair: (-pair[1].times, pair[0]))
        return list(self._completed(principal, frequent))

    def _completed(
        self, principal: Principal, frequent: Sequence[tuple[str, _Spoken]]
    ) -> Iterator[Candidate]:
        found = 0
        for word, entry in frequent:
            if found == MOST or self._held(word):
                continue
            terms = self._terms_near(principal, entry.question, word)
            if terms is None:
                continue
            found += 1
            yield Candidate(word, entry.times, entry.question, self._nearest(word, terms))

    def _held(self, word: str) -> bool:
        """Whether a passage holds the word, whatever it is cut into."""
        tokens = set(self._encoder.analyzer.tokens(word))
        statistics = self._corpus.statistics([token_id(token) for token in tokens])
        if not all(statistics.knows(token) for token in tokens):
            return False
        if tokens == {word}:
            return True
        holding = select(ChunkRow.id).where(ChunkRow.text.contains(word, autoescape=True)).limit(1)
        with self._database.session() as session:
            return session.scalar(holding) is not None

    def _terms_near(self, principal: Principal, question: str, word: str) -> list[str] | None:
        """Terms of the passages nearest to the question; None when a heading of theirs holds the word."""
        found = self._retriever.retrieve(
            Question(question), principal.scopes(), day=date.today(), top_k=_PASSAGES, threshold=0.0
        ).evidence
        headings = list(dict.fromkeys(term for item in found for term in _headings(item)))
        if any(word in heading for heading in headings):
            return None
        counts = Counter(token for item in found for token in self._content(item.chunk.text))
        words = sorted(counts, key=lambda token: (-_overlap(word, token), -counts[token], token))
        terms = [*headings[:_HEADINGS], *words[:_WORDS]]
        return [term for term in dict.fromkeys(terms) if term not in word]

    def _content(self, text: str) -> Iterator[str]:
        terms = self._encoder.analyzer.query(text).terms
        return (term.token for term in terms if term.content and _WORD.fullmatch(term.token))

    def _nearest(self, word: str, terms: Sequence[str]) -> tuple[Nearest, ...]:
        if not terms:
            return ()
        vectors = self._embedder.embed_queries([simplify(text) for text in (word, *terms)])
        cosines = vectors[1:] @ vectors[0]
        scored = [
            Nearest(term, (_overlap(word, term) + max(float(cosine), 0.0)) / 2)
            for term, cosine in zip(terms, cosines, strict=True)
        ]
        return tuple(sorted(scored, key=lambda one: (-one.nearness, one.term))[:_NEAREST])


def words_of(analyzer: Analyzer, question: str) -> set[str]:
    """What of a question may be somebody's name for a thing: its words, and single characters beside each
    other taken together, since a word that the dictionary lacks falls into characters."""
    text = content_words(fold(question))
    content = {term.token for term in analyzer.query(question).terms if term.content and not term.added}
    cut = [token for token in analyzer.tokens(text) if token in content and _HAN.fullmatch(token)]
    whole = [token for token in cut if not any(token != other and token in other for other in cut)]
    found = {token for token in whole if len(token) > 1}
    run, end = "", 0
    for token in whole:
        start = text.find(token, end)
        run = (run if start == end else "") + token if len(token) == 1 else ""
        found |= {run[-length:] for length in range(2, min(len(run), _LONGEST) + 1)}
        end = start + len(token)
    return found


def _longest_only(spoken: Mapping[str, _Spoken]) -> dict[str, _Spoken]:
    """Without what was only ever said as a part of something longer."""
    return {
        word: entry
        for word, entry in spoken.items()
        if not any(
            word != other and word in other and entry.times == its.times for other, its in spoken.items()
        )
    }


def _headings(item: Evidence) -> Iterator[str]:
    """Title and headings of a passage that read like a term."""
    for heading in (*item.chunk.heading_path, item.document.title):
        plain = _NUMBERING.sub("", fold(heading)).strip("《》 ")
        if _TERM.fullmatch(plain):
            yield plain


def _overlap(one: str, other: str) -> float:
    """Dice's coefficient of the characters."""
    left, right = set(one), set(other)
    return 2 * len(left & right) / (len(left) + len(right))
