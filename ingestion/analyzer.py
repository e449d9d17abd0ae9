"""From text to index tokens 切词: fold, protect literals, cut the rest by dictionary in search mode.

Folding is for matching only; what a reader sees is always the original text.
"""

import re
import unicodedata
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import opencc

from ingestion.literals import Literal, LiteralKind, find_literals
from ingestion.segmenter import Segmenter
from ingestion.terms import Synonym, Terms

_HAN = "㐀-鿿豈-﫿\U00020000-\U0003134f"
_RUN = re.compile(rf"(?P<han>[{_HAN}]+)|[^\W_{_HAN}]+")
_ASKING = """
    什么 哪 哪个 哪些 哪里 哪儿 哪种 哪位 谁 何 何时 何地 何种 怎么 怎么办 怎样 如何 多少 多久 多长 几 为什么
    为何 是否 能否 可否 可以 可 能 能不能 可不可以 有没有 是不是 吗 需要 应 应该 有何 有哪些 想 问
"""
_QUESTION_WORDS = frozenset(_ASKING.split())
_ASKING_WORD = re.compile("|".join(sorted((w for w in _QUESTION_WORDS if len(w) > 1), key=len, reverse=True)))
_NEGATION = re.compile(r"不得|不能|不可|不予|不必|不用|不需|不准|不许|禁止|严禁|除外|没有|未|无|非|不|没|别")
_NOT_NEGATION = re.compile(
    r"能不能|可不可以|是不是|要不要|会不会|有没有|不同|不但|不仅|非常|无论|不论|差不多|不动产|无线"
)
_NAMED = re.compile(r"《([^《》]{1,60})》|“([^“”]{1,40})”|「([^「」]{1,40})」|\"([^\"]{1,40})\"")
_EXACT = frozenset({LiteralKind.DOCUMENT_NUMBER, LiteralKind.ORDINAL, LiteralKind.CODE})
_TO_SIMPLIFIED = opencc.OpenCC("t2s")
_QUESTION_WEIGHT = 0.25  # a question word helps a little against FAQ titles, and is no evidence of an answer
_EXACT_WEIGHT = 2.0  # who names an article or a code means that one
_HALF_PAIR = re.compile(r"[\ud800-\udfff]")


def simplify(text: str) -> str:
    """NFKC (folds Kangxi radicals too) and traditional -> simplified: what an embedder should be given.

    Half of a surrogate pair, which no encoder takes, becomes U+FFFD.
    """
    normal = unicodedata.normalize("NFKC", text)
    try:
        return str(_TO_SIMPLIFIED.convert(normal))
    except UnicodeEncodeError:
        return str(_TO_SIMPLIFIED.convert(_HALF_PAIR.sub("\N{REPLACEMENT CHARACTER}", normal)))


def fold(text: str) -> str:
    """`simplify` in lower case: what is matched by words. Never for quoting."""
    return simplify(text).lower()


def content_words(folded: str) -> str:
    """A folded question without its question words, which are replaced by blanks."""
    return _ASKING_WORD.sub(" ", folded)


@dataclass(frozen=True, slots=True)
class Term:
    """A token of a question. `weight` multiplies its idf; `content` tokens count as evidence of an answer.

    `added` tokens stand for words of the question: a text says the one or the other, hardly ever both.
    `rarity` is how seldom the word is in the language at large, 0..1. In a small library every word that no
    passage holds looks equally rare; this tells 「量子」 from 「晚上」. `share` is its part of all words
    there.
    """

    token: str
    weight: float = 1.0
    content: bool = True
    rarity: float = 1.0
    share: float = 0.0
    added: bool = False


@dataclass(frozen=True, slots=True)
class Expansion:
    """A synonym that was found: documents may say `standard` where the question said `lay` (tokens)."""

    synonym: Synonym
    lay: frozenset[str]
    standard: frozenset[str]


@dataclass(frozen=True)
class Query:
    """A question as the retrieval and the answer cache see it. All strings are folded."""

    text: str
    terms: tuple[Term, ...] = ()
    expansions: tuple[Expansion, ...] = ()
    literals: tuple[Literal, ...] = ()
    negations: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()  # names in 《》 or quotes, codes, document and article numbers
    tokens: frozenset[str] = field(default=frozenset(), compare=False)

    @cached_property
    def numbers(self) -> frozenset[str]:
        kinds = (LiteralKind.QUANTITY, LiteralKind.NUMBER, LiteralKind.PERCENT)
        return frozenset(found.normal for found in self.literals if found.kind in kinds)

    @cached_property
    def dates(self) -> frozenset[str]:
        return frozenset(found.normal for found in self.literals if found.kind is LiteralKind.DATE)


@dataclass(frozen=True)
class Differences:
    """Folded words of dictionaries and lists of stop words that differ."""

    words: frozenset[str] = frozenset()

    def touch(self, text: str) -> bool:
        """Whether the text may be cut differently. If not, its tokens are the same for sure."""
        folded = fold(text)
        if any(word in folded for word in self.words):
            return True
        return bool(self._with_digits) and any(
            token in self._with_digits for found in find_literals(folded) for token in found.tokens
        )

    @cached_property
    def _with_digits(self) -> frozenset[str]:
        """A stop word may also be the normal form of what is written otherwise, e.g. 30日 for 三十天."""
        return frozenset(word for word in self.words if any(sign.isdigit() for sign in word))


class Analyzer:
    """Cuts documents and questions the same way. Thread-safe; one per process is enough.

    `cache_folder` holds jieba's dictionary cache (default: a folder of this user, never the shared temp one).
    """

    def __init__(
        self,
        terms: Terms | None = None,
        cache_folder: Path | None = None,
        segmenter: Segmenter | None = None,  # of this very dictionary, where there is one already
    ) -> None:
        self._terms = terms or Terms()
        self._cache_folder = cache_folder
        self._stop = frozenset(fold(word) for word in self._terms.stopwords)
        words = ((fold(word), frequency) for word, frequency in self._terms.dictionary)
        self._segmenter = segmenter or Segmenter(words, cache_folder)
        self._expansions = [
            Expansion(pair, frozenset(self.tokens(pair.lay)), frozenset(self.tokens(pair.standard)))
            for pair in self._terms.synonyms
        ]

    def revised(self, terms: Terms) -> "Analyzer":
        """One of another vocabulary; the dictionary is read again only when it is another one."""
        same = terms.dictionary == self._terms.dictionary
        return Analyzer(terms, self._cache_folder, self._segmenter if same else None)

    def differences(self, other: "Analyzer") -> "Differences":
        """What tells the texts that the two may cut differently."""
        words = self._segmenter.differences(other._segmenter) | (self._stop ^ other._stop)
        return Differences(words)

    def tokens(self, text: str) -> list[str]:
        """Index tokens of a text, stop words left out, in reading order with repeats."""
        return [token for token in self._cut(fold(text)) if token not in self._stop]

    def query(self, text: str) -> Query:
        """Take a question apart. An empty or one-character question gives few or no terms, never an error."""
        folded = fold(text)
        literals = tuple(find_literals(folded))
        tokens = [token for token in self._cut(folded, literals) if token not in self._stop]
        expansions = tuple(e for e in self._expansions if fold(e.synonym.lay) in folded)
        exact = {found.normal for found in literals if found.kind in _EXACT}
        terms = {token: self._term(token, exact) for token in tokens}
        for expansion in expansions:
            for token in sorted(expansion.standard):
                terms.setdefault(token, Term(token, content=False, added=True))
        return Query(
            folded,
            tuple(terms.values()),
            expansions,
            literals,
            tuple(sorted(_NEGATION.findall(_NOT_NEGATION.sub(" ", folded)))),
            tuple(self._entities(folded, literals)),
            frozenset(tokens),
        )

    def _term(self, token: str, exact: Container[str]) -> Term:
        rarity, share = self._segmenter.rarity(token), self._segmenter.share(token)
        if token in _QUESTION_WORDS:
            return Term(token, _QUESTION_WEIGHT, content=False, rarity=rarity, share=share)
        return Term(token, _EXACT_WEIGHT if token in exact else 1.0, rarity=rarity, share=share)

    @staticmethod
    def _entities(folded: str, literals: Iterable[Literal]) -> Iterator[str]:
        for groups in _NAMED.findall(folded):
            yield from (name.strip() for name in groups if name)
        yield from (found.normal for found in literals if found.kind in _EXACT)

    def _cut(self, folded: str, literals: Iterable[Literal] | None = None) -> Iterator[str]:
        position = 0
        for found in find_literals(folded) if literals is None else literals:
            yield from self._words(folded, position, found.start)
            yield from found.tokens
            position = found.end
        yield from self._words(folded, position, len(folded))

    def _words(self, folded: str, start: int, end: int) -> Iterator[str]:
        for run in _RUN.finditer(folded, start, end):
            if run["han"]:
                yield from self._segmenter.search_words(run.group())
            else:
                yield run.group()
