"""Words that come, stay away and come back: first mentions, last mentions, and what returns after a while."""

import re
from bisect import bisect_left
from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np

from ingestion.minutes.cohesion import Words, rarity
from ingestion.minutes.cues import Columns, Vector
from ingestion.segmenter import Segmenter

AHEAD = 3  # units in which something new is looked for
RECENT = 3  # units within which a word has not been away
AWAY = 5  # units between two mentions from which on a word has come back: the same is asked again, of another
SOON = 5  # units in which words that come back are counted
NAMING = 0.62  # rarity of a word from which on it may name what is talked about
_PERSONS = re.compile("[他她它]")


def mention_columns(words: Words, texts: Sequence[str], asked: Vector, segmenter: Segmenter) -> Columns:
    """`asked`: 1 where the unit before the gap ends with a question."""
    told = _Mentions(words, segmenter)
    gaps = range(1, len(texts))
    introduced = np.array([told.taken_up(i - 1, i, i + AHEAD) for i in gaps], dtype=np.float64)
    earlier = np.array([told.taken_up(i - 2, i - 1, i + AHEAD) for i in gaps], dtype=np.float64)
    repeated = np.array([told.taken_up(i - 2, i - 1, i) for i in gaps], dtype=np.float64)
    return {
        "new": np.array([told.new_share(i, i + 1) for i in gaps]),
        "new_ahead": np.array([told.new_share(i, i + AHEAD) for i in gaps]),
        "gone": np.array([told.gone_share(i) for i in gaps]),
        "picked_up": np.array([told.picked_up(i) for i in gaps]),
        "introduced": introduced,
        "introduced_then_asked": earlier * asked,
        "introduced_and_asked": repeated * asked,
        "far_spans": told.far_spans(),
        "returning": np.array([told.returning_share(i, i + SOON) for i in gaps]),
        "returning_now": np.array([told.returning_share(i, i + 1) > 0 for i in gaps], dtype=np.float64),
        "other_person": _other_person(texts),
    }


class _Mentions:
    def __init__(self, words: Words, segmenter: Segmenter) -> None:
        self._counts = words.counts
        self._weights = words.weights
        self._places: dict[str, list[int]] = {}
        for place, counts in enumerate(words.counts):
            for word in counts:
                self._places.setdefault(word, []).append(place)
        self._naming = [
            {word for word in counts if self._places[word][0] == place and rarity(word, segmenter) > NAMING}
            for place, counts in enumerate(words.counts)
        ]

    def new_share(self, start: int, end: int) -> float:
        """Of the weight of units `start` to `end`, what was not said before `start`."""
        return self._share(range(start, end), lambda places: places[0] >= start)

    def gone_share(self, gap: int) -> float:
        """Of the weight of the units before the gap, what is never said again."""
        return self._share(range(gap - RECENT, gap), lambda places: places[-1] < gap)

    def picked_up(self, gap: int) -> float:
        """The weightiest word that the unit before the gap was the first to say and the next one repeats."""
        if gap < 2:
            return 0.0
        both = self._counts[gap].keys() & self._counts[gap - 1].keys()
        return max((self._weights[word] for word in both if self._places[word][0] == gap - 1), default=0.0)

    def taken_up(self, first: int, start: int, end: int) -> bool:
        """Whether a name first said in unit `first` is said again in units `start` to `end`."""
        if first < 1:
            return False
        return any(not self._naming[first].isdisjoint(counts) for counts in self._counts[start:end])

    def far_spans(self) -> Vector:
        """Of the words that bridge a gap, the share whose two mentions lie AWAY units or more apart."""
        size = max(len(self._counts), 1)
        far, spans = np.zeros(size + 1), np.zeros(size + 1)
        for places in self._places.values():
            for one, other in pairwise(places):
                for counted in (spans, far) if other - one >= AWAY else (spans,):
                    counted[one + 1] += 1
                    counted[other + 1] -= 1
        bridging: Vector = np.cumsum(far)[1:size] / np.maximum(np.cumsum(spans)[1:size], 1)
        return bridging

    def returning_share(self, start: int, end: int) -> float:
        """Of the words of units `start` to `end`, those that were said before, though not of late."""
        now = {word for counts in self._counts[start:end] for word in counts}
        back = sum(self._comes_back(word, start) for word in now)
        return back / len(now) if now else 0.0

    def _comes_back(self, word: str, gap: int) -> bool:
        places = self._places[word]
        earlier = bisect_left(places, gap)
        return earlier > 0 and places[earlier - 1] < gap - RECENT

    def _share(self, units: range, judged: Callable[[Sequence[int]], bool]) -> float:
        judged_weight = total = 0.0
        for unit in units:
            for word in self._counts[unit] if 0 <= unit < len(self._counts) else ():
                weight = self._weights[word]
                total += weight
                if judged(self._places[word]):
                    judged_weight += weight
        return judged_weight / total if total else 0.0


def _other_person(texts: Sequence[str]) -> Vector:
    """1 where 他 她 它 are spoken of on both sides of a gap, and none on both."""
    spoken = [frozenset(_PERSONS.findall(text)) for text in texts]
    changes = []
    for gap in range(1, len(texts)):
        before = frozenset().union(*spoken[max(0, gap - RECENT) : gap])
        after = frozenset().union(*spoken[gap : gap + AHEAD])
        changes.append(bool(before) and bool(after) and before.isdisjoint(after))
    return np.array(changes, dtype=np.float64)
