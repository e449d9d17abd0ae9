"""`zhixing eval answers`: the offline engine's answers, their quotes, and what is refused."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from pydantic import JsonValue

from service.citations import RefusalReason
from service.evaluation.metrics import char_f1, contains_gold
from service.evaluation.rows import AbsentSplit, QueryRow
from service.evaluation.workbench import Workbench
from service.knowledge.extractive import Extract, compose
from service.retrieval.confidence import THRESHOLD
from service.retrieval.protocols import Question
from service.retrieval.results import Retrieval

# What a question about a provision that is gone, or not there yet, must be answered with.
AS_SUCH = {
    "removed_article": frozenset({RefusalReason.ONLY_SUPERSEDED, RefusalReason.REPEALED}),
    "not_yet_in_force": frozenset({RefusalReason.NOT_YET_IN_FORCE}),
}
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
    quotes: tuple[str, ...]
    located: int
    cited: tuple[str, ...]  # doc_id per quote
    said_as_such: bool


def evaluate_answers(
    bench: Workbench,
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


def _judge(bench: Workbench, query: QueryRow, split: AbsentSplit, threshold: float) -> Judged:
    found = bench.retriever.retrieve(
        Question(query.text), None, day=query.as_of or date.today(), threshold=threshold
    )
    extract = compose(query.text, found.evidence, found.tokens) if found.evidence else Extract("", ())
    by_rank = {item.rank: item for item in found.evidence}
    texts = [by_rank[q.n].chunk.text for q in extract.quotes]
    quotes = tuple(text[q.span.start : q.span.end] for text, q in zip(texts, extract.quotes, strict=True))
    return Judged(
        query=query,
        answerable=is_answerable(query, split),
        refused=not extract.quotes,
        reason=found.reason if found.evidence == () else None,
        confidence=_confidence(found),
        quotes=quotes,
        located=sum(bool(quote) and quote in extract.text for quote in quotes),
        cited=tuple(bench.corpus.row_of[by_rank[q.n].chunk.id] for q in extract.quotes),
        said_as_such=_said_as_such(query, found),
    )


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
    said = ["".join(one.quotes) for one in asked]
    answered = [one for one in asked if not one.refused]
    return {
        "contains": _mean(contains_gold(s, one.query.answer) for s, one in zip(said, asked, strict=True)),
        "char_f1": _mean(char_f1(s, one.query.answer) for s, one in zip(said, asked, strict=True)),
        "quote_holds_gold": _mean(
            any(contains_gold(quote, one.query.answer) for quote in one.quotes) for one in answered
        ),
        "characters": _mean(len("".join(one.quotes)) for one in answered),
    }


def _refusal_figures(judged: Sequence[Judged]) -> dict[str, JsonValue]:
    quotes = [(one, cited) for one in judged for cited in one.cited]
    count = sum(len(one.quotes) for one in judged)
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
