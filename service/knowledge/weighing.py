"""How much of the question a sentence holds: character pairs, heavier the fewer sentences hold them.

What a sentence stands under speaks for it too. The words of a table's headers stand in all of its rows, so
they count as such inherited words.
"""

import math
import re
from collections.abc import Mapping, Sequence

from ingestion.analyzer import content_words, fold
from ingestion.literals import LiteralKind, find_literals
from service.knowledge.cues import without_extent
from service.knowledge.lines import QUOTABLE, Line
from service.retrieval.ranking import title_of
from service.retrieval.results import Evidence

_TITLED = 1.0  # what a title says holds for every sentence below it
_INHERITED = 0.5
_ONLY_TITLED = 0.5  # a sentence that neither holds a word of the question nor stands under one
_ACROSS = 0.5  # a pair across two words of the question
_SHARING = 0.5  # a word of n pairs weighs n ** (1 - _SHARING) pairs
_STANDARD = 0.8  # a standard word the question did not use, against one it did
_LEAST_TRUST, _DECAY = 0.5, 0.85  # of a passage far less sure than the first, and with each rank

_HAN = re.compile(r"[㐀-鿿]{2,}")
_PARTICLE = re.compile(r"[的了吗呢]")
_WORD = re.compile(r"[^\W_㐀-鿿]+")
_AMOUNTS = frozenset({LiteralKind.QUANTITY, LiteralKind.NUMBER})


class Weighing:
    """The question against the sentences of its evidence. Shares are of the weight of all its words that the
    evidence holds, 0..1."""

    def __init__(
        self, asked: str, lines: Sequence[Line], evidence: Sequence[Evidence], searched: Sequence[str] = ()
    ) -> None:
        self._lines = {(line.passage, line.place): line for line in lines}
        self._titles = [fold(title_of(item.chunk, item.document)) for item in evidence]
        self._trust = [_trust(item, evidence[0]) for item in evidence]
        said = [line.text for line in lines if line.role in QUOTABLE]
        everything = "\n".join((*(line.text for line in lines), *self._titles))
        weights = _weights(_subject(asked), searched, said, asked)
        held = {unit: weight for unit, weight in weights.items() if unit in everything}
        total = math.fsum(held.values()) or 1.0
        self._shares = {unit: weight / total for unit, weight in held.items()}

    def held(self, text: str) -> Mapping[str, float]:
        """The pairs of the question in a folded text with their shares."""
        return {unit: share for unit, share in self._shares.items() if unit in text}

    def own(self, line: Line) -> Mapping[str, float]:
        """What a sentence says itself; of a row only its cells."""
        return self.held("\n".join(cell.value for cell in line.cells) if line.cells else line.text)

    def reach(self, line: Line) -> dict[str, float]:
        """What a sentence holds of the question with what stands above it, which counts less."""
        near = self.held("\n".join(self._above(line)))
        found = {unit: _INHERITED * share for unit, share in near.items()}
        found |= {unit: _TITLED * share for unit, share in self.held(self._titles[line.passage]).items()}
        return found | dict(self.own(line))

    def share(self, line: Line) -> float:
        reach = math.fsum(self.reach(line).values())
        return reach if self.own(line) or self.held("\n".join(self._above(line))) else _ONLY_TITLED * reach

    def _above(self, line: Line) -> list[str]:
        """The texts of its heads; a row's own text holds the headers of its table."""
        heads = [self._lines[line.passage, place].text for place in line.heads]
        return [*heads, line.text] if line.cells else heads

    def trust(self, line: Line) -> float:
        """How much a sentence counts by the confidence of its passage, 0..1."""
        return self._trust[line.passage]


def _trust(item: Evidence, first: Evidence) -> float:
    sure = min(item.score / first.score, 1.0) if first.score > 0 else 1.0
    return (_LEAST_TRUST + (1 - _LEAST_TRUST) * sure) * _DECAY ** max(item.rank - first.rank, 0)


def _subject(asked: str) -> str:
    """The question without its question words, amounts and words of extent."""
    text = asked
    for found in reversed(list(find_literals(asked))):
        if found.kind in _AMOUNTS:
            text = f"{text[: found.start]} {text[found.end :]}"
    return without_extent(content_words(text))


def _weights(subject: str, searched: Sequence[str], said: Sequence[str], asked: str) -> dict[str, float]:
    """Pairs within a word share its weight; one across two words only helps where words are cut otherwise."""
    words = [word for word in searched if word in subject]
    whole = [word for word in words if not any(word != other and word in other for other in words)]
    weights = {unit: (_ACROSS if whole else 1.0) * _rarity(unit, said) for unit in _units(subject)}
    for word in whole:
        units = _units(word) & weights.keys()
        for unit in units:
            weights[unit] = _rarity(unit, said) / len(units) ** _SHARING
    standard = {unit for word in searched if word not in asked for unit in _units(word)} - weights.keys()
    return weights | {unit: _STANDARD * _rarity(unit, said) for unit in standard}


def _rarity(unit: str, said: Sequence[str]) -> float:
    holding = sum(unit in text for text in said)
    return math.log(1 + (len(said) + 1) / (holding + 0.5))


def _units(text: str) -> set[str]:
    """Pairs of Chinese characters without particles; words of letters or digits whole."""
    runs = _HAN.findall(_PARTICLE.sub(" ", text))
    pairs = {run[i : i + 2] for run in runs for i in range(len(run) - 1)}
    return pairs | {word for word in _WORD.findall(text) if len(word) > 1}
