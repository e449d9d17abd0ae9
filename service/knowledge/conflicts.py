"""Conflicts 矛盾: two documents in force that state the same rule with different values.

A conflict must show in the words: the two sentences say the same thing up to their value, neither is more
special than the other by more than general words, and neither stands under a scope (a branch, a special case)
that the other lacks. Tiers, ranges, rows of a table and paraphrases that cannot be compared are none: a false
alarm takes an answer away, a miss leaves the answer with its source and date beside it.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import combinations

from ingestion.analyzer import content_words, fold
from service.knowledge.answer_type import AnswerType, Expected
from service.knowledge.facts import Bound, Fact, facts
from service.knowledge.polarity import clauses_of
from service.retrieval.results import Evidence
from service.retrieval.sentences import Span, sentences

_LEAST_SHARED = 2  # words of the question that each sentence itself holds: what it is about
_COMPARED = frozenset(AnswerType) - {AnswerType.CONTACT, AnswerType.OFFICE, AnswerType.NUMBER}
_ITEM = re.compile(
    r"\s*(?:[(]?[一二三四五六七八九十\d]{1,3}[).、]+(?!\d)|第[一二三四五六七八九十百\d]+[条款项步]|[-•·*])\s*"
)
_GENERAL = re.compile(
    r"员工|职工|人员|申请人|本?公司|应当|应该|必须|务必|需要|一律|统一|可以|最高|最低|最多|最长|最少|不得|超过"
    r"|[\W_的之起应须需在自从由可为是都就于等者了将及其得要会能]"
)
_PART = re.compile(
    r"[一-鿿]{2}(?:分公司|子公司|分行|支行|分局|分部|校区|园区|基地|工厂|门店|事业部|项目部|研发中心)"
    r"|[一-鿿]{2}[省市县区州](?![场政域别内外])"
)
_SPECIAL = re.compile(
    r"境外|国外|海外|港澳|台湾|出国|实习|试用|派遣|外聘|兼职|退休|返聘|高管|临时|紧急|特殊|特别|例外|专项|试点"
)


@dataclass(frozen=True, slots=True)
class Side:
    """The sentence of a passage that states the value; `span` lies in the passage's text."""

    evidence: Evidence
    span: Span

    @property
    def quote(self) -> str:
        return self.evidence.chunk.text[self.span.start : self.span.end]


@dataclass(frozen=True, slots=True)
class Conflict:
    """The better ranked side first; which of them holds is not decided here."""

    one: Side
    other: Side


@dataclass(frozen=True, slots=True)
class _Statement:
    """A sentence with one value of the kind asked for. All strings are folded."""

    side: Side
    said: str  # the sentence as far as it states the rule, facts blanked
    above: str  # title and headings
    value: Fact
    conditions: frozenset[tuple[str, str, Bound]]  # the other facts in `said`
    held: frozenset[str]  # the question's words in `said` or above it
    own: frozenset[str]  # those in `said`


def question_words(question: str, tokens: Sequence[str]) -> frozenset[str]:
    """The `tokens` that tell what the question is about: no question words, no single characters."""
    content = content_words(fold(question))
    return frozenset(token for token in tokens if len(token) > 1 and token in content)


def find_conflict(question: str, tokens: Sequence[str], evidence: Sequence[Evidence]) -> Conflict | None:
    """The first two of the best matching statements, from different documents, that cannot both hold.

    `evidence` is in force on the day asked about, best first; `tokens` are the question's.
    """
    asked = fold(question)
    expected = Expected(asked)
    words = question_words(question, tokens)
    if expected.kind not in _COMPARED or len({item.document.id for item in evidence}) < 2:
        return None
    stated = [each for item in evidence for each in _statements(item, expected, words)]
    most = max((len(each.held) for each in stated), default=0)
    best = [each for each in stated if len(each.held) == most]
    for one, other in combinations(best, 2):
        if _contradict(one, other, asked):
            return Conflict(one.side, other.side)
    return None


def _statements(item: Evidence, expected: Expected, words: frozenset[str]) -> Iterator[_Statement]:
    above = fold("\n".join((item.document.title, *item.chunk.heading_path)))
    text = item.chunk.text
    for span in sentences(text):
        sentence = fold(text[span.start : span.end])
        found = facts(sentence)
        values = [fact for fact in found if expected.in_sentence(sentence[fact.start : fact.end])]
        if len(values) != 1:
            continue  # several are tiers, a range or a row of a table
        end = _end_of_rule(sentence, values[0], words)
        led = _led_by(text[: span.start]) if _ITEM.match(sentence) else ""
        said = led + _blanked(sentence, found)[:end]
        own = frozenset(word for word in words if word in said)
        yield _Statement(
            Side(item, span),
            said,
            above,
            values[0],
            frozenset((f.value, f.unit, f.bound) for f in found if f is not values[0] and f.start < end),
            own | {word for word in words if word in above},
            own,
        )


def _end_of_rule(sentence: str, value: Fact, words: frozenset[str]) -> int:
    """The end of the first clause by which the value and all the question's words of the sentence are said.

    What follows adds to the rule and limits nothing before it.
    """
    wanted = [word for word in words if word in sentence]
    position = 0
    for clause in clauses_of(sentence):
        position = sentence.index(clause, position) + len(clause)
        if position >= value.end and all(word in sentence[:position] for word in wanted):
            break
    return max(position, value.end)


def _blanked(sentence: str, found: Sequence[Fact]) -> str:
    item = _ITEM.match(sentence)
    for start, end in [(0, item.end() if item else 0), *((fact.start, fact.end) for fact in found)]:
        sentence = sentence[:start] + " " * (end - start) + sentence[end:]
    return sentence


def _led_by(before: str) -> str:
    """The line a list item belongs to: the first one above that is no item, when it ends with a colon."""
    for line in reversed(fold(before).splitlines()):
        if line.strip() and not _ITEM.match(line):
            return line if line.rstrip().endswith(":") else ""
    return ""


def _contradict(one: _Statement, other: _Statement, asked: str) -> bool:
    return (
        one.side.evidence.document.id != other.side.evidence.document.id
        and one.held == other.held
        and min(len(one.own), len(other.own)) >= _LEAST_SHARED
        and _differ(one.value, other.value)
        and one.conditions == other.conditions
        and not _beyond(one, other, asked)
        and not _beyond(other, one, asked)
        and _scope(one) == _scope(other)
    )


def _differ(one: Fact, other: Fact) -> bool:
    """Values of one measure that exclude each other; at least 3 and at most 14 do not."""
    comparable = one.unit == other.unit and bool(one.forms) == bool(other.forms)
    bounds = {one.bound, other.bound} - {Bound.NONE}
    return comparable and one.value != other.value and len(bounds) < 2


def _beyond(one: _Statement, other: _Statement, asked: str) -> list[str]:
    """What `one` says of its case and `other` does not, nor its headings, nor the question."""
    known = (other.said, other.above, asked)
    matcher = SequenceMatcher(None, one.said, other.said, autojunk=False)
    runs = [one.said[i:j] for tag, i, j, _, _ in matcher.get_opcodes() if tag in ("delete", "replace")]
    left = [part for run in runs for part in _GENERAL.sub(" ", run).split()]
    return [part for part in left if not any(part in text for text in known)]


def _scope(statement: _Statement) -> frozenset[str]:
    """Parts of the organisation, places and special cases that title, issuer or headings limit a rule to."""
    text = f"{statement.above}\n{fold(statement.side.evidence.document.issuer)}"
    return frozenset((*_PART.findall(text), *_SPECIAL.findall(text)))
