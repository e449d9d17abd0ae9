"""`zhixing eval answers`: the offline engine's answers, their quotes, and what is refused."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from pydantic import JsonValue

from service.citations import Refusal, RefusalReason
from service.evaluation.metrics import char_f1, contains_gold
from service.evaluation.rows import AbsentSplit, QueryRow
from service.evaluation.workbench import Bench
from service.knowledge.offline import answer, day_asked
from service.retrieval.confidence import THRESHOLD
from service.retrieval.protocols import Question
from service.retrieval.results import Retrieval

# What a question about a provision that is gone, or not there yet, must be answered with.
AS_SUCH = {
    "removed_article": frozenset({RefusalReason.ONLY_SUPERSEDED, RefusalReason.REPEALED}),
    "not_yet_in_force": frozenset({RefusalReason.NOT_YET_IN_FORCE}),
}
_MARK = re.compile(r"\[(?P<n>\d+)\](?:\n|$)")
_LEAD = re.compile(r"^另?据《[^\n]*：\n")
_CURVE = [round(0.05 * step, 2) for step in range(1, 20)]
_ALLOWED = 0.08  # false refusals the curve is read at


@dataclass(frozen=True, slots=True)
class Judged:
    """One question's outcome. `confidence` is that of the best passage, 0 when there is none."""

    query: QueryRow
    answerable: bool
    refused: bool
    reason: RefusalReason | None
    confidence: float
    said: tuple[str, ...]  # the sentences of the answer's text
    located: int  # of them, those that stand word for word in the passage they cite
    cited: tuple[str, ...]  # doc_id per quote
    said_as_such: bool


def evaluate_answers(
    bench: Bench,
    queries: Sequence[QueryRow],
    absent: AbsentSplit | None = None,
    threshold: float = THRESHOLD,
) -> dict[str, JsonValue]:
    """DESIGN section 8's figures. Without gold answers only those about refusal and citations are given."""
    split = absent or AbsentSplit()
    judged = [_judge(bench, query, split, threshold) for query in queries]
    report: dict[str, JsonValue] = {}
    if any(query.answer for query in queries):
        report |= _answer_figures(judged)
    report |= _refusal_figures(judged)
    report["curve"] = _curve(judged)
    report["by_type"] = _by_type(judged)
    return report


def is_answerable(query: QueryRow, split: AbsentSplit) -> bool:
    if query.answerable is not None:
        return query.answerable
    return query.query_id not in split.absent_queries and query.type not in AS_SUCH


def _judge(bench: Bench, query: QueryRow, split: AbsentSplit, threshold: float) -> Judged:
    today = date.today()
    day = day_asked(query.text, query.as_of, today) or today
    found = bench.retriever.retrieve(Question(query.text), None, day=day, threshold=threshold)
    told = answer(query.text, found)
    refused = isinstance(told, Refusal)
    text, quotes = ("", ()) if isinstance(told, Refusal) else (told.text, told.quotes)
    chunks = {item.rank: item.chunk for item in found.evidence}
    sentences = said_in(text)
    return Judged(
        query=query,
        answerable=is_answerable(query, split),
        refused=refused,
        reason=told.reason if isinstance(told, Refusal) else None,
        confidence=_confidence(found),
        said=tuple(sentence.text for sentence in sentences),
        located=sum(s.n in chunks and s.text in chunks[s.n].text for s in sentences),
        cited=tuple(_cited(bench.rows_of(chunks[quote.n].id, quote.span.start)) for quote in quotes),
        said_as_such=_said_as_such(query, found),
    )


def _cited(rows: Sequence[str]) -> str:
    """The row a quote stands in; empty where it stands in none (a heading between two)."""
    return rows[0] if rows else ""


@dataclass(frozen=True, slots=True)
class Said:
    text: str
    n: int


def said_in(answer_text: str) -> list[Said]:
    """The sentences of an answer with the number each cites, read back from the text users see.

    What leads to a source (「据《办法》：」) is no sentence; one without a mark cites nothing, number 0.
    """
    sentences = []
    end = 0
    for mark in _MARK.finditer(answer_text):
        sentences.append(Said(_LEAD.sub("", answer_text[end : mark.start()]), int(mark["n"])))
        end = mark.end()
    rest = _LEAD.sub("", answer_text[end:]).strip()
    return [*sentences, Said(rest, 0)] if rest else sentences


def _confidence(found: Retrieval) -> float:
    if found.outdated is not None:
        return 0.0
    best = found.evidence or found.nearest
    return best[0].score if best else 0.0


def _said_as_such(query: QueryRow, found: Retrieval) -> bool:
    """The right reason, with the passage it is about and therefore its dates."""
    return found.reason in AS_SUCH.get(query.type, frozenset()) and found.outdated is not None


def _answer_figures(judged: Sequence[Judged]) -> dict[str, JsonValue]:
    asked = [one for one in judged if one.answerable and one.query.answer]
    said = ["".join(one.said) for one in asked]
    answered = [one for one in asked if not one.refused]
    return {
        "contains": _mean(contains_gold(s, one.query.answer) for s, one in zip(said, asked, strict=True)),
        "char_f1": _mean(char_f1(s, one.query.answer) for s, one in zip(said, asked, strict=True)),
        "quote_holds_gold": _mean(
            any(contains_gold(sentence, one.query.answer) for sentence in one.said) for one in answered
        ),
        "characters": _mean(len("".join(one.said)) for one in answered),
    }


def _refusal_figures(judged: Sequence[Judged]) -> dict[str, JsonValue]:
    quotes = [(one, cited) for one in judged for cited in one.cited]
    count = sum(len(one.said) for one in judged)
    return {
        "citation_precision": _mean(cited in one.query.relevant for one, cited in quotes),
        "quotes_located": round(sum(one.located for one in judged) / count, 4) if count else 1.0,
        "refused_unanswerable": _mean(one.refused for one in judged if not one.answerable),
        "refused_answerable": _mean(one.refused for one in judged if one.answerable),
        "stale_cited": sum(cited in one.query.stale for one, cited in quotes),
    }


def _curve(judged: Sequence[Judged]) -> JsonValue:
    """Refusals at other thresholds, and the most that are refused at 8 % false refusals."""
    right = sorted(one.confidence for one in judged if one.answerable)
    wrong = [one.confidence for one in judged if not one.answerable]
    if not right or not wrong:
        return []
    allowed = right[min(int(len(right) * _ALLOWED), len(right) - 1)]
    points: list[JsonValue] = [
        {
            "threshold": round(threshold, 4),
            "refused_answerable": _mean(score < threshold for score in right),
            "refused_unanswerable": _mean(score < threshold for score in wrong),
        }
        for threshold in sorted({*_CURVE, THRESHOLD, allowed})
    ]
    return points


def _by_type(judged: Sequence[Judged]) -> dict[str, JsonValue]:
    groups: Mapping[str, list[Judged]] = defaultdict(list)
    for one in judged:
        groups[one.query.type or "all"].append(one)
    return {kind: _group(kind, members) for kind, members in sorted(groups.items())}


def _group(kind: str, members: Sequence[Judged]) -> dict[str, JsonValue]:
    figures: dict[str, JsonValue] = {
        "questions": len(members),
        "refused": _mean(one.refused for one in members),
        "stale_cited": sum(cited in one.query.stale for one in members for cited in one.cited),
        "relevant_cited": _mean(any(cited in one.query.relevant for cited in one.cited) for one in members),
    }
    if kind in AS_SUCH:
        figures["answered_as_such"] = _mean(one.said_as_such for one in members)
    return figures


def _mean(values: Iterable[float]) -> float:
    found = list(values)
    return round(sum(found) / len(found), 4) if found else 0.0
