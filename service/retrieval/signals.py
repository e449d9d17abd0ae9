"""What speaks for a passage, read from its text: which of the question's words it holds, and how closely."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ingestion.analyzer import fold
from ingestion.literals import find_literals, opening_ordinals
from service.retrieval.probe import Bridge, Probe, text_pairs
from service.retrieval.sentences import sentences

_LONGEST = 4_000  # characters of a passage that are read; chunks have 500-800
_REFERENCE = 0.3  # an asked article number inside the text, against 1 where the article itself begins


@dataclass(frozen=True, slots=True)
class Passage:
    """A chunk's text, folded once. `headings` from the document's title downwards."""

    headings: tuple[str, ...]
    text: str
    sentences: tuple[str, ...]

    @staticmethod
    def of(headings: Iterable[str], text: str) -> "Passage":
        folded = fold(text[:_LONGEST])
        spans = sentences(folded)
        return Passage(tuple(map(fold, headings)), folded, tuple(folded[s.start : s.end] for s in spans))


@dataclass(frozen=True, slots=True)
class Signals:
    """Shares in 0..1. Words weigh by idf, so that common words count for little.

    `coverage`: the question's words in headings or text; `rare` the same with squared weights; `pairs`:
    character pairs; `sentence`: pairs in the best single sentence with the headings, `neighbours` in the best
    two; `title`: how fully a heading is named in the question; `exact`: asked article numbers, document
    numbers and codes that are there (0 when none is asked); `missing`: weight of the heaviest word that is
    absent; `specific`, `lacking`: as `coverage` and `missing`, with the words' rarity in the language at
    large (squared in `specific`); `quoted`: how much of what the question quotes stands in the text (0 when
    it quotes nothing); `matched`: the words found, for people.
    """

    coverage: float = 0.0
    rare: float = 0.0
    pairs: float = 0.0
    sentence: float = 0.0
    neighbours: float = 0.0
    title: float = 0.0
    exact: float = 0.0
    missing: float = 1.0
    specific: float = 0.0
    lacking: float = 1.0
    quoted: float = 0.0
    length: int = 0
    matched: tuple[str, ...] = ()

    @property
    def named(self) -> bool:
        """The question asks for this very article of this very document: no other text can answer it."""
        return self.exact == 1.0 and self.title == 1.0


def read_signals(probe: Probe, passage: Passage) -> Signals:
    literals = _literals("\n".join((*passage.headings, passage.text))) if probe.literals else frozenset()
    passage = _bridged(probe, passage)
    heading = "\n".join(passage.headings)
    full = f"{heading}\n{passage.text}"
    found = {word for word in probe.words if word in full or word in literals}
    total = probe.total
    if total <= 0:
        return Signals(length=len(passage.text))
    weights = probe.words
    squares = sum(weight * weight for weight in weights.values())
    absent = max((weight for word, weight in weights.items() if word not in found), default=0.0)
    coverage = sum(weights[word] for word in found) / total
    all_pairs = sum(probe.pairs.values())
    held = {pair: weight for pair, weight in probe.pairs.items() if pair in full}
    best = _best_sentences(held, heading, passage.sentences)
    return Signals(
        coverage=coverage,
        rare=sum(weights[word] ** 2 for word in found) / squares,
        pairs=sum(held.values()) / all_pairs if all_pairs else coverage,
        sentence=best[0] / all_pairs if all_pairs else coverage,
        neighbours=best[1] / all_pairs if all_pairs else coverage,
        title=title_named(probe, passage.headings),
        exact=_exact(probe, passage.headings, passage.text, literals),
        missing=absent / max(weights.values()),
        specific=sum(probe.general[word] ** 2 for word in found) / sum(r * r for r in probe.general.values()),
        lacking=max((rarity for word, rarity in probe.general.items() if word not in found), default=0.0),
        quoted=_quoted(probe, passage.sentences),
        length=len(passage.text),
        matched=tuple(word for word in weights if word in found),
    )


def _bridged(probe: Probe, passage: Passage) -> Passage:
    """The passage with the question's lay terms added wherever it has the standard ones."""
    if not probe.bridges:
        return passage
    above = "\n".join(passage.headings)
    general = [b for b in probe.bridges if _says(b, above)]
    rest = [b for b in probe.bridges if b not in general]

    def with_lay(text: str) -> str:
        return "\n".join((text, *(b.lay for b in rest if _says(b, f"{above}\n{text}"))))

    return Passage(
        (*passage.headings, *(b.lay for b in general)),
        with_lay(passage.text),
        tuple(map(with_lay, passage.sentences)),
    )


def _says(bridge: Bridge, text: str) -> bool:
    return all(word in text for word in bridge.standard)


def _exact(probe: Probe, headings: Iterable[str], text: str, literals: frozenset[str]) -> float:
    """An article named in a heading or at the beginning of a line is that article; elsewhere it may be a mere
    reference to it."""
    if not probe.exact:
        return 0.0
    above = _literals("\n".join(headings)) | opening_ordinals(text)
    worth = sum(
        1.0 if name in above or not name.startswith("第") else _REFERENCE for name in probe.exact & literals
    )
    return worth / len(probe.exact)


def _quoted(probe: Probe, texts: Sequence[str]) -> float:
    """Of a quotation, what stands together: a long passage holds many of its pairs here and there."""
    return max((_together(quote, texts) for quote in probe.quotes), default=0.0)


def _together(quote: frozenset[str], texts: Sequence[str]) -> float:
    """The largest share of its pairs in neighbouring sentences that are about as long as it."""
    best = 0.0
    for first in range(len(texts)):
        here: set[str] = set()
        for text in texts[first:]:
            if len(here) > len(quote):
                break
            here |= text_pairs(text)
        best = max(best, len(quote & here) / len(quote))
    return best


def _literals(text: str) -> frozenset[str]:
    return frozenset(token for found in find_literals(text) for token in found.tokens)


def _best_sentences(held: dict[str, float], heading: str, texts: Sequence[str]) -> tuple[float, float]:
    """The highest weight of pairs in one sentence, and in two neighbouring ones; headings count for all."""
    above = {pair for pair in held if pair in heading}
    base = sum(held[pair] for pair in above)
    rest = [(pair, weight) for pair, weight in held.items() if pair not in above]
    one = two = base
    previous: frozenset[str] = frozenset()
    for text in texts:
        here = frozenset(pair for pair, _ in rest if pair in text)
        if here:
            one = max(one, base + sum(held[pair] for pair in here))
            two = max(two, base + sum(held[pair] for pair in here | previous))
        previous = here
    return one, two


_PUNCTUATION = str.maketrans("", "", " 《》()[]〔〕\"'“”·-—_")


def title_named(probe: Probe, headings: Iterable[str]) -> float:
    """How much of a heading the question names; 1 when a name in 《》 or quotes is part of one."""
    best = 0.0
    for heading in headings:
        plain = heading.translate(_PUNCTUATION)
        if not plain:
            continue
        if any(name.translate(_PUNCTUATION) in plain for name in probe.names):
            return 1.0
        shared = longest_common(plain, probe.text)
        if shared >= 2 or shared == len(plain):
            best = max(best, shared / len(plain))
    return best


def longest_common(left: str, right: str) -> int:
    """Length of the longest string both contain."""
    best = start = 0
    while start + best < len(left):
        while start + best < len(left) and left[start : start + best + 1] in right:
            best += 1
        start += 1
    return best
