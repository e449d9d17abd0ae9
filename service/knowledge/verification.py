"""Checks one sentence of a model's answer against the passages it cites 核对.

    cited      its citations exist
    named      its names, roles and titles stand in what is cited
    counted    its numbers, dates and codes stand there, with their bounds
    placed     they are told of the same thing there (contrast)
    opposed    no word stands for its counterpart, and no condition is left out (opposites)
    polar      it does not permit what the source forbids, or the other way round (polarity)
    covered    its words are mostly there

What passes is bound to the sentences of the passages that support it. A whole quote passes as it is.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from ingestion.analyzer import fold
from service.knowledge import polarity
from service.knowledge.contrast import Stretch, misplaced, shortened, stretch
from service.knowledge.facts import PART_OF_DAY, Fact, facts
from service.knowledge.marks import numbers_in, without_marks
from service.knowledge.names import doers, names, roles
from service.knowledge.opposites import opposed, unconditioned
from service.retrieval.sentences import Span, sentences

NOT_COVERED = "已知资料中未覆盖该问题"
SUPPORTED = 0.4
"""Share of a sentence's character pairs that its sources must hold; the fair cases have .5 and more."""
_RELATED = 0.15  # a cited passage whose best sentence shares less has nothing to do with the sentence
_MOST_SPANS = 3  # sentences of one passage that one sentence of an answer may join
_LONGEST_LEAD_IN = 40  # characters

_LIST_MARK = re.compile(r"^\s*(?:[-*•]\s|\d{1,2}[.、)）]|#{1,6}\s)\s*")
_HEADING = re.compile(r"^\s*(?:#{1,6}\s[^\n]*|\*\*[^*\n]+\*\*[:：]?)\s*$")
_ONLY_NOT_COVERED = re.compile(rf"(?P<about>[^，,。：:]{{0,30}}[，,：:]?\s*){NOT_COVERED}")
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Passage:
    """What a number stands for: a chunk's text, with its headings as context that is never quoted."""

    text: str
    headings: str = ""


@dataclass(frozen=True, slots=True)
class Support:
    """A span of passage `n` that a sentence rests on."""

    n: int
    span: Span


@dataclass(frozen=True, slots=True)
class Verdict:
    """`problem` is empty when the sentence holds.

    `lead_in`: it says nothing by itself (「步骤如下：」). `not_covered`: it says that there is no answer.
    `unrelated`: numbers it cites that have nothing to do with it, beside others that do.
    """

    problem: str = ""
    supports: tuple[Support, ...] = ()
    lead_in: bool = False
    not_covered: bool = False
    unrelated: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class _Source:
    """A passage made ready: its sentences folded, with their spans in the original, and each one's line up to
    its end."""

    headings: str
    spans: tuple[Span, ...]
    folded: tuple[str, ...]
    lines: tuple[str, ...]

    @property
    def stretches(self) -> tuple[Stretch, ...]:
        return tuple(stretch(text) for text in self.folded)


def verify(sentence: str, passages: Mapping[int, Passage]) -> Verdict:
    """Whether `sentence` may be shown, and what it rests on. `passages` by the numbers that cite them."""
    body = _LIST_MARK.sub("", without_marks(sentence)).replace("*", "").strip()
    numbers = numbers_in(sentence)
    if not _WORD.search(body):
        return Verdict(lead_in=True)
    if NOT_COVERED in body:
        return _uncovered(body)
    if not numbers:
        if _is_lead_in(sentence, body):
            return Verdict(lead_in=True)
        return Verdict(problem=f"「{body}」没有注明依据的资料编号")
    unknown = [number for number in numbers if number not in passages]
    if unknown:
        return Verdict(problem=f"「{body}」引用了不存在的资料 {'、'.join(f'[{n}]' for n in unknown)}")
    cited = {number: _prepared(passages[number]) for number in numbers}
    return _judged(body, cited)


def _uncovered(body: str) -> Verdict:
    """「…未覆盖该问题」 may say about what, and nothing else."""
    found = _ONLY_NOT_COVERED.fullmatch(body.rstrip("。.！!；; "))
    if found is None or facts(fold(body)):
        return Verdict(problem=f"「{body}」在说明未覆盖之外还有没有依据的内容")
    return Verdict(not_covered=True, lead_in=bool(found["about"].strip()))


def _is_lead_in(sentence: str, body: str) -> bool:
    announces = body.endswith(("：", ":")) or _HEADING.match(sentence)
    return bool(announces) and len(body) <= _LONGEST_LEAD_IN and not facts(fold(body))


def _judged(body: str, cited: Mapping[int, _Source]) -> Verdict:
    folded = fold(body)
    problem = _problem(body, folded, tuple(cited.values()))
    if problem:
        return Verdict(problem=problem)
    supports = tuple(Support(n, span) for n, each in cited.items() for span in _rests_on(folded, each))
    related = {support.n for support in supports}
    if not related:
        return Verdict(problem=f"「{body}」与所引资料的内容对不上")
    return Verdict(supports=supports, unrelated=tuple(n for n in cited if n not in related))


def _problem(body: str, folded: str, cited: Sequence[_Source]) -> str:
    source = [text for each in cited for text in each.folded]
    headings = "\n".join(each.headings for each in cited)
    if _is_quote(folded, source):
        return ""
    everything = "\n".join((headings, *source))
    missing = [*_missing_names(body, everything), *_missing_facts(folded, source, headings)]
    if missing:
        return f"「{body}」中的 {'、'.join(missing)} 在所引资料里没有"
    if _share(folded, source, headings) < SUPPORTED:
        return f"「{body}」与所引资料的内容对不上"
    if elsewhere := misplaced(folded, source, [line for each in cited for line in each.lines]):
        return f"「{body}」中的 {elsewhere} 在所引资料里说的是别的事"
    if swapped := opposed(folded, source):
        return f"「{body}」中的 {swapped} 与所引资料相反"
    if left_out := shortened(folded, source) or unconditioned(folded, source):
        return f"「{body}」没有写全，所引资料里还有 {left_out}"
    if opposite := polarity.flipped(folded, source):
        return f"「{opposite}」与所引资料的意思相反"
    return ""


def _is_quote(folded: str, source: Sequence[str]) -> bool:
    """Whole clauses of the source in its order, nothing between them left out."""
    wanted = folded.strip(" 。.;；!！,，")
    return any(
        f"\n{wanted}\n" in re.sub(r"[，,；;：:。！？!?\s]+", "\n", f"\n{text}\n") for text in source
    ) or any(wanted == text.strip(" 。.;；!！,，") for text in source)


def _missing_names(body: str, everything: str) -> list[str]:
    mentioned = (*names(body), *roles(fold(body)))
    missing = [name for name in dict.fromkeys(mentioned) if fold(name) not in everything]
    return missing or [doer for doer in doers(fold(body)) if doer not in everything]


def _missing_facts(folded: str, source: Sequence[str], headings: str) -> list[str]:
    known = [fact for text in (*source, *headings.splitlines()) for fact in stretch(text).facts]
    everything = "\n".join((headings, *source))
    return [fact.written for fact in facts(folded) if not _is_known(fact, known, everything)]


def _is_known(fact: Fact, known: Sequence[Fact], everything: str) -> bool:
    """A bare number of a table supports one with a unit when the unit stands in its header or elsewhere."""
    said = [own for own in known if own.says(fact)]
    if any(own.unit == fact.unit or own.forms or fact.unit in ("", PART_OF_DAY) for own in said):
        return True
    if said:
        return fact.unit in everything or fact.unit == "日" and "天" in everything
    if fact.value != "1":
        return False
    # 「一份」 often counts what there is only one of; not where the source has another number of them.
    return not any(own.unit == fact.unit for own in known)


def _share(folded: str, source: Sequence[str], headings: str) -> float:
    """How much of the words stands in the few sentences that hold most of them, or in the headings."""
    wanted = polarity.content_pairs(folded)
    if not wanted:
        return 1.0
    theirs = [polarity.content_pairs(text) for text in source]
    left = wanted - polarity.content_pairs(headings)
    for _ in range(_MOST_SPANS):
        left = left - max(theirs, key=lambda pairs: len(left & pairs))
    return 1 - len(left) / len(wanted)


def _rests_on(folded: str, source: _Source) -> list[Span]:
    """The sentences that hold most words of `folded` and together its facts; none when unrelated."""
    words = polarity.content_pairs(folded)
    shared = [len(words & polarity.content_pairs(text)) for text in source.folded]
    first = max(range(len(shared)), key=lambda i: (shared[i], -i))
    if shared[first] < _RELATED * len(words):
        return []
    chosen, told = {first}, source.stretches
    for fact in stretch(folded).facts:
        holding = [i for i, each in enumerate(told) if each.holds(fact)]
        if holding and not chosen.intersection(holding) and len(chosen) < _MOST_SPANS:
            chosen.add(max(holding, key=lambda i: (shared[i], -i)))
    return [source.spans[i] for i in sorted(chosen)]


@lru_cache(maxsize=256)
def _prepared(passage: Passage) -> _Source:
    spans = tuple(sentences(passage.text)) or (Span(0, len(passage.text)),)
    folded = tuple(fold(passage.text[span.start : span.end]) for span in spans)
    lines = tuple(fold(passage.text[: span.end].rpartition("\n")[2]) for span in spans)
    return _Source(fold(passage.headings), spans, folded, lines)
