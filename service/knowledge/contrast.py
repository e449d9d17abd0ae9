"""Contrast 对照: a fact that stands in the passage, but in a sentence about something else.

「办公电脑六年」 is not what 「办公电脑四年，服务器六年」 says, though its words and its number stand there.
A source of the fact is beaten by a rival that lacks the fact when the answer shares something with the rival
that the source does not have, and nothing with the source that the rival does not have.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from service.knowledge.facts import Fact, facts
from service.knowledge.names import actors, acts
from service.knowledge.polarity import clauses_of, pairs_of

_WORD = re.compile(r"\w+")
_FUNCTION = frozenset(
    "的由在为和与及以上内下应当可须要经后前将其并等是有到时被把按每得能会也都就则均还了各此该之或"
)


@dataclass(frozen=True, slots=True)
class Stretch:
    """A sentence or clause of folded text: its content as character pairs, facts left out, and its facts."""

    text: str
    pairs: frozenset[str]
    facts: tuple[Fact, ...]

    def holds(self, fact: Fact) -> bool:
        return any(own.says(fact) for own in self.facts)


@lru_cache(maxsize=4096)
def stretch(text: str) -> Stretch:
    found = facts(text)
    rest = text
    for fact in found:
        rest = rest[: fact.start] + "\n" * (fact.end - fact.start) + rest[fact.end :]
    runs = (pairs_of(run) for run in _WORD.findall(rest))
    pairs = frozenset(pair for run in runs for pair in run if not _FUNCTION.intersection(pair))
    return Stretch(text, pairs, found)


def misplaced(answer: str, source: Sequence[str]) -> str:
    """A number, role or name that the source tells of something else; empty when there is none."""
    whole = stretch(answer)
    sentences = [stretch(text) for text in source]
    for clause in _clauses(answer):
        told = Stretch(clause.text, clause.pairs, whole.facts)
        for fact in clause.facts:
            if not (_rests(whole, clause, sentences, fact) and _rests(told, clause, sentences, fact)):
                return fact.written
    return _misplaced_actor(whole, sentences)


def _rests(said: Stretch, clause: Stretch, sentences: Sequence[Stretch], fact: Fact) -> bool:
    """Some sentence holds the fact and is beaten neither by another sentence nor from within.

    A fact that no sentence holds comes from a heading and rests on nothing that could be compared.
    """
    holding = [each for each in sentences if each.holds(fact)]
    rivals = [each for each in sentences if each.facts and not each.holds(fact)]
    return not holding or any(
        not any(_beats(said, rival, each, fact) for rival in rivals) and _rests_within(clause, each, fact)
        for each in holding
    )


def _rests_within(said: Stretch, sentence: Stretch, fact: Fact) -> bool:
    clauses = _clauses(sentence.text)
    holding = [each for each in clauses if each.holds(fact)]
    rivals = [each for each in clauses if _same_measure(each, fact) and not each.holds(fact)]
    return not holding or any(
        not any(_beats(said, rival, each, fact) for rival in rivals) for each in holding
    )


def _same_measure(clause: Stretch, fact: Fact) -> bool:
    return any(not own.forms and (own.unit == fact.unit or not own.unit) for own in clause.facts)


def _beats(said: Stretch, rival: Stretch, source: Stretch, fact: Fact) -> bool:
    others = [own for own in said.facts if own.value != fact.value]
    return _wins(
        said.pairs & (rival.pairs - source.pairs),
        said.pairs & (source.pairs - rival.pairs),
        [own for own in others if rival.holds(own) and not source.holds(own)],
        [own for own in others if source.holds(own) and not rival.holds(own)],
    )


def _wins(
    theirs: Iterable[str], ours: Iterable[str], their_facts: Sequence[Fact], our_facts: Sequence[Fact]
) -> bool:
    return bool(set(theirs) or their_facts) and not set(ours) and not our_facts


def _misplaced_actor(said: Stretch, sentences: Sequence[Stretch]) -> str:
    for actor in actors(said.text):
        holding = [each for each in sentences if acts(actor, each.text)]
        rivals = [each for each in sentences if not acts(actor, each.text)]
        own = pairs_of(actor)
        view = Stretch(said.text, said.pairs - own, said.facts)
        if holding and all(any(_told_of(view, r, h, own) for r in rivals) for h in holding):
            return actor
    return ""


def _told_of(said: Stretch, rival: Stretch, source: Stretch, actor: frozenset[str]) -> bool:
    return _wins(
        said.pairs & (rival.pairs - source.pairs),
        said.pairs & (source.pairs - rival.pairs - actor),
        [own for own in said.facts if rival.holds(own) and not source.holds(own)],
        [own for own in said.facts if source.holds(own) and not rival.holds(own)],
    )


def _clauses(text: str) -> list[Stretch]:
    return [stretch(words) for words in clauses_of(text)]
