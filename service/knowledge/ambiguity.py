"""Ambiguous questions 歧义: too short to say which of several subjects is meant.

「申请需要谁批？」 is answered by the rules on seals, assets and leave alike. Only a question of at most two
words counts, whose every word stands in one sentence of several documents and in the title of none: whatever
names a thing decides, and a needless question back costs more than an answer that shows its source.
"""

import re
from collections.abc import Sequence

from ingestion.analyzer import content_words, fold
from service.retrieval.results import Evidence
from service.retrieval.sentences import sentences

MOST_CHOICES = 5
_LEAST_DOCUMENTS = 3
_MOST_WORDS = 2
_NEAR = 0.6  # of the best score; what is weaker is no equally good reading
_ASKS = re.compile(r"[谁几何哪吗呢怎]|什么|多[少久长大]|是否|能否|可否")
_PARTICLE = re.compile(r"[谁几何哪吗呢怎的了是要有在给让去到个和与及或应需得我你他们把被这那]+")
_NAMES_SOMETHING = re.compile(r"[\da-z《“「\"]|什么是|是什么|什么叫|何谓|含义|定义")  # a term is a subject


def find_choices(question: str, tokens: Sequence[str], evidence: Sequence[Evidence]) -> tuple[Evidence, ...]:
    """The best passage of each document the question may mean, best first; empty when it is clear enough.

    `evidence` passed the threshold, best first; `tokens` are the question's.
    """
    asked = fold(question)
    words = _words(asked, tokens)
    if not words or not _ASKS.search(asked) or _NAMES_SOMETHING.search(asked):
        return ()
    if sum(len(word) > 1 for word in words) > _MOST_WORDS or not any(len(word) > 1 for word in words):
        return ()
    near = [item for item in evidence if item.score >= _NEAR * evidence[0].score]
    meant = [item for item in near if _says(item, words)]
    titles = [fold(item.document.title) for item in meant]
    if any(word in title for title in titles for word in words if len(word) > 1):
        return ()
    first = {item.document.id: item for item in reversed(meant)}
    choices = sorted(first.values(), key=lambda item: item.rank)
    return tuple(choices[:MOST_CHOICES]) if len(choices) >= _LEAST_DOCUMENTS else ()


def _words(asked: str, tokens: Sequence[str]) -> frozenset[str]:
    """What the question is about, single characters included (批), those within a longer word left out."""
    content = content_words(asked)
    found = {token for token in tokens if token in content and not _PARTICLE.fullmatch(token)}
    return frozenset(word for word in found if not any(word in other for other in found - {word}))


def _says(item: Evidence, words: frozenset[str]) -> bool:
    text = item.chunk.text
    folded = (fold(text[span.start : span.end]) for span in sentences(text))
    return any(all(word in sentence for word in words) for sentence in folded)
