"""`zhixing eval outcomes`: decisions and open items found in minutes, beside a stub that takes any list."""

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain

from pydantic import JsonValue
from rapidfuzz import fuzz

from ingestion.minutes import formats
from ingestion.minutes.agent import RunLog
from ingestion.minutes.outcomes import OutcomeFinder, OutcomeKind
from ingestion.minutes.preprocess import PreprocessAgent
from service.evaluation.rows import Row

SAME = 90  # rapidfuzz ratio, 0..100, from which two normal texts are one item
_DIGITS = 4
_NUMBER = r"(?:[（(]?(?:\d{1,3}|[一二三四五六七八九十]{1,3}|[a-zA-Z])[)）、.．]|[①-⑳])"
_SIGNS = re.compile(r"<br\s*/?>|[\s*_#>`|]+")
_BEGINS = re.compile(rf"^(?:[-+•·])*{_NUMBER}?(?!\d)")
_LISTED = re.compile(rf"\s*(?:[-*+•·]\s|{_NUMBER}(?!\d))\s*(?P<words>\S.*)")


class OpenItemRow(Row):
    text: str


class TopicRow(Row):
    decisions: tuple[str, ...] = ()
    open_items: tuple[OpenItemRow, ...] = ()


class RecordRow(Row):
    """`raw` is the record's Markdown; what was decided and what stayed open is listed topic by topic."""

    meeting_id: str = ""
    raw: str
    topics: tuple[TopicRow, ...]

    @property
    def gold(self) -> "Items":
        return Items(
            tuple(chain.from_iterable(topic.decisions for topic in self.topics)),
            tuple(item.text for topic in self.topics for item in topic.open_items),
        )


@dataclass(frozen=True, slots=True)
class Items:
    """The texts of one record."""

    decisions: tuple[str, ...]
    open_items: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Tally:
    """Items over all records: of `gold` and `found`, the `matched` are one another's."""

    matched: int
    found: int
    gold: int

    def shown(self) -> dict[str, JsonValue]:
        """Precision, recall and F1; without any gold or found item what divides by it is 0."""
        precision = self.matched / self.found if self.found else 0.0
        recall = self.matched / self.gold if self.gold else 0.0
        both = precision + recall
        f1 = 2 * precision * recall / both if both else 0.0
        figures = {"precision": precision, "recall": recall, "f1": f1}
        return {name: round(value, _DIGITS) for name, value in figures.items()}


def evaluate_outcomes(rows: Sequence[RecordRow], finder: OutcomeFinder) -> dict[str, JsonValue]:
    """Over all items of all records together. The stub takes every numbered or bulleted line as a decision,
    and as an open item. Raises ParseFailure for a `raw` that is no text.
    """
    return {
        **_figures(rows, lambda row: _found(row, finder)),
        "stub": _figures(rows, _listed),
        "meetings": len(rows),
    }


def matched(gold: Sequence[str], found: Sequence[str]) -> int:
    """How many items are one of each: equal ones first, then those alike from SAME on."""
    left = [normal(text) for text in found]
    unequal: list[str] = []
    for text in map(normal, gold):
        if text in left:
            left.remove(text)
        else:
            unequal.append(text)
    count = len(gold) - len(unequal)
    for text in unequal:
        ratios = ((fuzz.ratio(text, other), at) for at, other in enumerate(left))
        likeness, place = max(ratios, default=(0.0, 0))
        if likeness >= SAME:
            del left[place]
            count += 1
    return count


def normal(text: str) -> str:
    """NFKC without white space, numbering and the signs of Markdown."""
    return _BEGINS.sub("", _SIGNS.sub("", unicodedata.normalize("NFKC", text)))


def _figures(rows: Sequence[RecordRow], find: Callable[[RecordRow], Items]) -> dict[str, JsonValue]:
    pairs = [(row.gold, find(row)) for row in rows]
    return {
        "decisions": _tally([(gold.decisions, found.decisions) for gold, found in pairs]).shown(),
        "open_items": _tally([(gold.open_items, found.open_items) for gold, found in pairs]).shown(),
    }


def _tally(pairs: Sequence[tuple[tuple[str, ...], tuple[str, ...]]]) -> Tally:
    return Tally(
        sum(matched(gold, found) for gold, found in pairs),
        sum(len(found) for _, found in pairs),
        sum(len(gold) for gold, _ in pairs),
    )


def _found(row: RecordRow, finder: OutcomeFinder) -> Items:
    raw = formats.read(f"{row.meeting_id or '会议'}.md", row.raw.encode())
    outcomes = finder.find(PreprocessAgent(RunLog()).run(raw.text, raw.name, raw.layout))
    return Items(
        tuple(outcome.quote for outcome in outcomes if outcome.kind is OutcomeKind.DECISION),
        tuple(outcome.quote for outcome in outcomes if outcome.kind is OutcomeKind.ACTION),
    )


def _listed(row: RecordRow) -> Items:
    lines = tuple(found["words"] for line in row.raw.splitlines() if (found := _LISTED.match(line)))
    return Items(lines, lines)
