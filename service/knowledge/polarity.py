"""Polarity 肯定与否定: whether a clause of an answer permits what its source forbids, or the other way round.

Clauses are compared by their content, negations and modal words taken out; what must agree is whether the
number of negations is even or odd, so that 「未经批准不得」 and 「经批准后方可」 meet.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from service.knowledge.facts import facts

_NO_NEGATION = re.compile(
    r"不[满足到同但仅论管断久妨锈]|不得?[超少低高多大小][于过]?|不动产|不可抗力|未[满来成]|未超过|非常|非因|无论|无线|无偿|无绒"
    r"|差不多|能不能|可不可以|是不是|要不要|会不会|有没有|不得不"
)
_NEGATION = re.compile(
    r"不得|不能|不可以|不可|不予|不必|不用|不需要?|无需|无须|毋须|不准|不许|不会|不应|不再|禁止|严禁|切勿|请勿|谢绝|拒绝"
    r"|没有|除外|例外|免(?=[费收交缴押予于填])|[不没未无非勿]"
)
_MODAL = re.compile(
    r"可以|应当|应该|必须|需要|能够|允许|可能|务必|[可应须需要能会得才也都就则均还]|的话?|如果|若|如"
)
_CLAUSE = re.compile(r"(?:[^，,；;：:。！？!?\n]|(?<=\d)[,:](?=\d))+")
_WORD = re.compile(r"\w+")
_RESTRICTION = re.compile(r"才|方可|方能|除非|只有|否则|后再|再")
_ALIGNED = 0.5  # share of the shorter clause's character pairs that the other holds: the same thing is said
_AS_GOOD = 0.95  # a clause this near the best one is as likely the source


@dataclass(frozen=True, slots=True)
class Clause:
    """`pairs` are the character pairs of its content; `negated`: an odd number of negations."""

    text: str
    pairs: frozenset[str]
    negated: bool

    def joined(self, other: "Clause") -> "Clause":
        both = f"{self.text}，{other.text}"
        return Clause(both, self.pairs | other.pairs, self.negated is not other.negated)


def flipped(answer: str, source: Sequence[str]) -> str:
    """The clause of `answer` that says the opposite of the clause it rests on; empty when none does.

    `answer` is one folded sentence, `source` the folded sentences it may rest on.
    """
    parts = [_parts(text) for text in source]
    theirs = [(clause, number) for number, found in enumerate(parts) for clause in found]
    ours = _clauses(answer)
    said = _all_pairs(ours)
    near = [_dice(said, _all_pairs(found)) for found in parts]
    opposite = [
        clause.text
        for place, clause in enumerate(ours)
        if _agrees(clause, theirs, near) is False
        and not any(_agree_together(one, other, theirs, near) for one, other in _neighbours(ours, place))
    ]
    if not opposite or (len(opposite) % 2 == 0 and _RESTRICTION.search(answer)):
        return ""  # 「未经审批不得用印」 as 「经审批才能用印」: both clauses turned, the rule is the same
    return opposite[0]


def _agrees(clause: Clause, theirs: Sequence[tuple[Clause, int]], near: Sequence[float]) -> bool | None:
    """None when the source has no clause about the same thing."""
    if not theirs:
        return None
    scored = [(_dice(clause.pairs, other.pairs) + near[number], other) for other, number in theirs]
    best = max(score for score, _other in scored)
    likely = [other for score, other in scored if score >= best * _AS_GOOD]
    aligned = [other for other in likely if _overlap(clause.pairs, other.pairs) >= _ALIGNED]
    return any(other.negated is clause.negated for other in aligned) if aligned else None


def _agree_together(
    one: Clause, other: Clause, theirs: Sequence[tuple[Clause, int]], near: Sequence[float]
) -> bool:
    """Whether two clauses read as one agree with something the source says about both."""
    both = [(clause, n) for clause, n in theirs if clause.pairs & one.pairs and clause.pairs & other.pairs]
    return bool(_agrees(one.joined(other), both, near))


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
        negated = len(_NEGATION.findall(counted)) % 2 == 1
        content = "".join(_WORD.findall(_MODAL.sub("", _NEGATION.sub("", _without_facts(words)))))
        if len(content) > 1:
            found.append(Clause(words.strip(), pairs_of(content), negated))
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


def pairs_of(flat: str) -> frozenset[str]:
    return frozenset(flat[i : i + 2] for i in range(len(flat) - 1))


def _dice(one: frozenset[str], other: frozenset[str]) -> float:
    return 2 * len(one & other) / (len(one) + len(other)) if one or other else 0.0


def _overlap(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / min(len(one), len(other)) if one and other else 0.0
