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
from service.knowledge.names import actors, acts, roles
from service.knowledge.polarity import clauses_of, pairs_of

_TOGETHER = re.compile(r"(?:经理|领导|主任|总监|长)(?:审批)?[、和与及]")
_ADDED = re.compile(r"还|另|也|其中|包括|之一")
_MOST_JOINED = 3  # sentences of the source that one sentence of an answer may join
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


def misplaced(answer: str, source: Sequence[str], lines: Sequence[str]) -> str:
    """A number, role or name that the source tells of something else; empty when there is none.

    `lines` has for each sentence of `source` its line up to it: a subject holds until the line ends.
    """
    whole = stretch(answer)
    sentences = [stretch(text) for text in source]
    used = _covering(whole, sentences)
    for clause in _clauses(answer):
        told = Stretch(clause.text, clause.pairs, whole.facts)
        beside = {fact.per for fact in clause.facts}  # compared with the number, and often told in a header
        for fact in clause.facts:
            if fact.value in beside:
                continue
            if not (_rests(whole, clause, sentences, fact) and _rests(told, clause, used, fact)):
                return fact.written
    return _misplaced_actor(whole, sentences, lines)


def shortened(answer: str, source: Sequence[str]) -> str:
    """Who is left out of a list of people that act together: 「部门经理、分管领导」 told as one of them."""
    acting = set(roles(answer))
    if not acting or _ADDED.search(answer):
        return ""
    said = stretch(answer)
    best = max(
        (stretch(text) for text in source),
        key=lambda each: (sum(map(each.holds, said.facts)), len(said.pairs & each.pairs)),
    )
    for clause in clauses_of(best.text):
        together = set(roles(clause)) if _TOGETHER.search(clause) else set()
        if together & acting and together - acting:
            return "、".join(sorted(together - acting))
    return ""


def _covering(said: Stretch, sentences: Sequence[Stretch]) -> list[Stretch]:
    """The few sentences that hold most of what is said: those an answer was made from."""
    left, chosen = said.pairs, []
    for _ in range(_MOST_JOINED):
        best = max(sentences, key=lambda each: len(left & each.pairs))
        if not left & best.pairs:
            break
        chosen.append(best)
        left = left - best.pairs
    return chosen


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
    rivals = [each for each in clauses if _same_measure(each, fact)]
    return not holding or any(
        not any(_beats(said, rival, each, fact) for rival in rivals) for each in holding
    )


def _same_measure(clause: Stretch, fact: Fact) -> bool:
    """Whether a clause tells another number of the same measure, and not this one, whatever its bound."""
    measured = [own for own in clause.facts if not own.forms and own.unit in (fact.unit, "")]
    return bool(measured) and all(own.value != fact.value for own in clause.facts)


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


def _misplaced_actor(said: Stretch, sentences: Sequence[Stretch], lines: Sequence[str]) -> str:
    acting = actors(said.text)
    own = frozenset().union(*map(pairs_of, acting))
    view = Stretch(said.text, said.pairs - own, said.facts)
    for actor in acting:
        named = [acts(actor, line) for line in lines]
        holding = [each for each, holds in zip(sentences, named, strict=True) if holds]
        rivals = [each for each, holds in zip(sentences, named, strict=True) if not holds]
        if holding and all(any(_told_of(view, r, h) for r in rivals) for h in holding):
            return actor
    return ""


def _told_of(said: Stretch, rival: Stretch, source: Stretch) -> bool:
    return _wins(
        said.pairs & (rival.pairs - source.pairs),
        said.pairs & (source.pairs - rival.pairs),
        [own for own in said.facts if rival.holds(own) and not source.holds(own)],
        [own for own in said.facts if source.holds(own) and not rival.holds(own)],
    )


def _clauses(text: str) -> list[Stretch]:
    return [stretch(words) for words in clauses_of(text)]
