"""Polarity 肯定与否定: whether a clause of an answer permits what its source forbids, or the other way round.

Clauses are compared by their content, negations and modal words taken out; what must agree is whether the
number of negations is even or odd, so that 「未经批准不得」 and 「经批准后方可」 meet.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from service.knowledge.facts import facts

_THAN = "(?:超过|高于|多于|大于|低于|少于|小于)"
_NO_NEGATION = re.compile(
    rf"不(?:得|能|可以?|应|准|许)?{_THAN}|不[满足到同但仅论管断久妨锈]|不动产|不可抗力|未[满来成]|未超过|非常|非因|无论|无线|无偿|无绒"
    r"|差不多|能不能|可不可以|是不是|要不要|会不会|有没有|不得不"
)
_NEGATION = re.compile(
    r"不得|不能|不可以|不可|不予|不必|不用|不需要?|无需|无须|毋须|不准|不许|不会|不应|不再|禁止|严禁|切勿|请勿|谢绝|拒绝"
    rf"|没有|除外|例外|(?:可以|能够?|允许)(?={_THAN})|免(?=[费收交缴押予于填])|[不没未无非勿]"
)
_DENIED = re.compile(rf"(?:{_NEGATION.pattern})\w")
_MODAL = re.compile(
    r"可以|应当|应该|必须|需要|能够|允许|可能|务必|[可应须需要能会得才也都就则均还该被其]|的话?|如果|若|如"
)
_CLAUSE = re.compile(r"(?:[^，,；;：:。！？!?\n]|(?<=\d)[,:](?=\d))+")
_WORD = re.compile(r"\w+")
_RESTRICTION = re.compile(r"才|方可|方能|除非|只有|否则|后再|再")
_ALIGNED = (
    0.33  # share of the shorter clause's character pairs that the other holds: it is about the same thing
)
_AS_GOOD = 0.95  # a clause this near the best one is as likely the source

_NEAR = 0.2  # a sentence of the source this like the answer's is about the same matter


@dataclass(frozen=True, slots=True)
class Clause:
    """`pairs` are the character pairs of its content, `denials` counts its negations."""

    text: str
    pairs: frozenset[str]
    denials: int

    @property
    def negated(self) -> bool:
        return self.denials % 2 == 1

    def joined(self, other: "Clause") -> "Clause":
        both = f"{self.text}，{other.text}"
        return Clause(both, self.pairs | other.pairs, self.denials + other.denials)


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A clause of the source, how alike its sentence is to the answer's (0..1), and that sentence."""

    clause: Clause
    near: float
    sentence: str


def flipped(answer: str, source: Sequence[str]) -> str:
    """The clause of `answer` that says the opposite of the clause it rests on; empty when none does.

    `answer` is one folded sentence, `source` the folded sentences it may rest on.
    """
    ours = _clauses(answer)
    said = _all_pairs(ours)
    theirs = []
    for text in source:
        parts = _parts(text)
        near = _dice(said, _all_pairs(parts))
        theirs += [_Candidate(clause, near, text) for clause in parts]
    opposite = [
        clause.text
        for place, clause in enumerate(ours)
        if _agrees(clause, theirs) is False
        and not _negates_alike(clause, theirs)
        and not _denied_elsewhere(clause, theirs, answer)
        and not any(_agree_together(one, other, theirs) for one, other in _neighbours(ours, place))
    ]
    if not opposite or (len(opposite) % 2 == 0 and _RESTRICTION.search(answer)):
        return ""  # 「未经审批不得用印」 as 「经审批才能用印」: both clauses turned, the rule is the same
    return opposite[0]


def _agrees(clause: Clause, theirs: Sequence[_Candidate]) -> bool | None:
    """None when the source has no clause about the same thing."""
    sources = _sources(clause, theirs)
    return any(other.negated is clause.negated for other in sources) if sources else None


def _sources(clause: Clause, theirs: Sequence[_Candidate]) -> list[Clause]:
    """The clauses that say the same thing, as far as they are about as likely as the likeliest one."""
    if not theirs:
        return []
    alike = [_dice(clause.pairs, each.clause.pairs) for each in theirs]
    best = max(range(len(theirs)), key=lambda i: alike[i] + theirs[i].near)
    least = _AS_GOOD * (alike[best] + theirs[best].near)
    likely = [
        each.clause
        for each, own in zip(theirs, alike, strict=True)
        if own + each.near >= least and own >= _AS_GOOD * alike[best]
    ]
    return [other for other in likely if _overlap(clause.pairs, other.pairs) >= _ALIGNED]


def _negates_alike(clause: Clause, theirs: Sequence[_Candidate]) -> bool:
    """Whether what a clause denies beyond its source is denied in the same words in a sentence near it."""
    if any(clause.denials <= other.denials for other in _sources(clause, theirs)):
        return False
    near = {each.sentence for each in theirs if each.near >= _NEAR}
    return all(any(words in text for text in near) for words in _denied(clause))


def _denied_elsewhere(clause: Clause, theirs: Sequence[_Candidate], answer: str) -> bool:
    """Whether what the source denies beyond a clause is denied in another clause of the answer."""
    sources = [other for other in _sources(clause, theirs) if other.denials > clause.denials]
    return any(all(words in answer for words in _denied(other)) for other in sources)


def _denied(clause: Clause) -> list[str]:
    """Each negation with the character it denies: 未还, 不得用."""
    return [found[0] for found in _DENIED.finditer(_NO_NEGATION.sub(" ", clause.text))]


def _agree_together(one: Clause, other: Clause, theirs: Sequence[_Candidate]) -> bool:
    """Whether two clauses read as one agree with something the source says about both."""
    both = [each for each in theirs if each.clause.pairs & one.pairs and each.clause.pairs & other.pairs]
    return bool(_agrees(one.joined(other), both))


def _neighbours(clauses: Sequence[Clause], place: int) -> list[tuple[Clause, Clause]]:
    return [(clauses[i], clauses[i + 1]) for i in (place - 1, place) if 0 <= i < len(clauses) - 1]


def _parts(text: str) -> tuple[Clause, ...]:
    """The clauses of a source sentence, and every two that follow each other as one."""
    single = _clauses(text)
    return (*single, *(one.joined(other) for one, other in zip(single, single[1:], strict=False)))


@lru_cache(maxsize=4096)
def _clauses(text: str) -> tuple[Clause, ...]:
    found = []
    for words in clauses_of(text):
        counted = _NO_NEGATION.sub(" ", words)
        denials = len(_NEGATION.findall(counted))
        content = "".join(_WORD.findall(_MODAL.sub("", _NEGATION.sub("", _without_facts(words)))))
        if len(content) > 1:
            found.append(Clause(words.strip(), pairs_of(content), denials))
    return tuple(found)


def clauses_of(text: str) -> list[str]:
    """The stretches between commas and the like; the marks inside 5,000 and 9:30 part nothing."""
    return _CLAUSE.findall(text)


def _without_facts(words: str) -> str:
    for fact in reversed(facts(words)):
        words = words[: fact.start] + words[fact.end :]
    return words


def _all_pairs(clauses: Sequence[Clause]) -> frozenset[str]:
    return frozenset().union(*(clause.pairs for clause in clauses))


def content_pairs(folded: str) -> frozenset[str]:
    """The character pairs of what a text is about: no facts, no negations, no modal words."""
    return _all_pairs(_clauses(folded))


def pairs_of(flat: str) -> frozenset[str]:
    return frozenset(flat[i : i + 2] for i in range(len(flat) - 1))


def _dice(one: frozenset[str], other: frozenset[str]) -> float:
    return 2 * len(one & other) / (len(one) + len(other)) if one or other else 0.0


def _overlap(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / min(len(one), len(other)) if one and other else 0.0
