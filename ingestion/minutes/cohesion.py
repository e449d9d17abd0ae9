"""How alike the words on both sides of a gap are, in narrow and wide windows (after Hearst's TextTiling)."""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ingestion.minutes.cues import Columns, Vector
from ingestion.segmenter import Segmenter

NARROW, WIDE = 2, 6  # units on each side of a gap
_LATIN_RARITY = 0.8  # of a foreign word or product name among Chinese, on the scale of `Segmenter.rarity`
_RUN = re.compile(r"[A-Za-z][A-Za-z0-9_.-]+|[\u4e00-\u9fff]+")

Bag = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Words:
    """The words of each unit with how often they stand there. `weights`: rare in Chinese and in the record
    weighs much.
    """

    counts: Sequence[Mapping[str, int]]
    weights: Mapping[str, float]


def words_of(texts: Sequence[str], segmenter: Segmenter) -> Words:
    """Words of two and more letters."""
    counts = [Counter(_words(text, segmenter)) for text in texts]
    spread = Counter(word for count in counts for word in count)
    weights = {
        word: rarity(word, segmenter) ** 2 * math.log(1 + len(texts) / units)
        for word, units in spread.items()
    }
    return Words(counts, weights)


def cohesion_columns(words: Words) -> Columns:
    """Similarity in both windows, and how deep it lies below its neighbourhood."""
    bags = [
        {word: (1 + math.log(count)) * words.weights[word] for word, count in counts.items()}
        for counts in words.counts
    ]
    single, narrow, wide = (_similarities(bags, width) for width in (1, NARROW, WIDE))
    return {
        "alike_narrow": narrow,
        "alike_wide": wide,
        "depth_single": _depths(single),
        "depth_wide": _depths(wide),
    }


def _words(text: str, segmenter: Segmenter) -> list[str]:
    found: list[str] = []
    for run in _RUN.findall(text):
        if run[0].isascii():
            found.append(run.lower())
        else:
            found += [word for word in segmenter.words(run) if len(word) > 1]
    return found


def rarity(word: str, segmenter: Segmenter) -> float:
    """0..1; what is not Chinese is rare here, whatever it is."""
    return _LATIN_RARITY if word[0].isascii() else segmenter.rarity(word)


def _similarities(bags: Sequence[Bag], width: int) -> Vector:
    return np.array(
        [_cosine(_sum(bags[max(0, i - width) : i]), _sum(bags[i : i + width])) for i in range(1, len(bags))]
    )


def _sum(bags: Sequence[Bag]) -> Bag:
    if len(bags) == 1:
        return bags[0]
    total: dict[str, float] = {}
    for bag in bags:
        for word, weight in bag.items():
            total[word] = total.get(word, 0.0) + weight
    return total


def _cosine(one: Bag, other: Bag) -> float:
    if len(one) > len(other):
        one, other = other, one
    product = sum(weight * other[word] for word, weight in one.items() if word in other)
    return product / (_norm(one) * _norm(other)) if product else 0.0


def _norm(bag: Bag) -> float:
    return math.sqrt(sum(weight * weight for weight in bag.values()))


def _depths(alike: Vector) -> Vector:
    """The climb to the highest point within WIDE gaps on each side, both added."""
    sides = [
        alike[max(0, i - WIDE) : i + 1].max() + alike[i : i + WIDE + 1].max() - 2 * alike[i]
        for i in range(len(alike))
    ]
    return np.array(sides)
