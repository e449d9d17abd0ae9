"""`zhixing eval retrieval`: both legs, alone and together, on questions with relevant documents."""

from collections.abc import Sequence
from datetime import date
from time import perf_counter

import numpy as np
from pydantic import JsonValue

from service.evaluation.metrics import Ranking, ranking_figures
from service.evaluation.rows import QueryRow
from service.evaluation.workbench import Bench
from service.retrieval.calibration import Mode
from service.retrieval.protocols import Question
from service.retrieval.results import Cut, Retrieval

_JUDGED = 10  # mrr@10 and ndcg@10 look this far
_RANKED = frozenset({None, Cut.THRESHOLD, Cut.TOP_K, Cut.OTHER_PROVISION})


def evaluate_retrieval(bench: Bench, queries: Sequence[QueryRow], k: int = 8) -> dict[str, JsonValue]:
    """DESIGN section 8's figures; those about validity when a question names stale documents."""
    report: dict[str, JsonValue] = {}
    milliseconds: list[float] = []
    for mode in Mode:
        rankings = []
        for query in queries:
            started = perf_counter()
            found = _retrieve(bench, query, k, mode)
            if mode is Mode.HYBRID:
                milliseconds.append((perf_counter() - started) * 1000)
            rankings.append(Ranking(ranked_rows(bench, found, query), frozenset(query.relevant)))
        figures = ranking_figures(rankings, k)
        if any(query.stale for query in queries):
            figures |= validity_figures(queries, rankings, k)
        report[mode.value] = {name: round(value, 4) for name, value in figures.items()}
    report["latency_ms"] = _percentiles(milliseconds)
    report["index_seconds"] = round(bench.index_seconds, 2)
    return {"questions": len(queries), "documents": bench.documents, **report}


def _retrieve(bench: Bench, query: QueryRow, k: int, mode: Mode) -> Retrieval:
    return bench.retriever.retrieve(
        Question(query.text),
        None,
        day=query.as_of or date.today(),
        top_k=max(k, _JUDGED),
        threshold=0.0,
        mode=mode,
    )


def ranked_rows(bench: Bench, found: Retrieval, query: QueryRow) -> tuple[str, ...]:
    """Document ids in order, whatever their confidence; a copy that is not shown stands beside its twin.

    A chunk of a file may hold several rows: it takes one rank, under the name of the row that is asked for.
    """
    ranked = [c for c in found.candidates if c.cut in _RANKED]
    copies = [c for c in found.candidates if c.cut is Cut.DUPLICATE]
    ranked = sorted(ranked + copies, key=lambda c: -c.order) if copies else ranked
    names = (_asked_for(bench.rows_of(c.chunk_id), query) or c.chunk_id for c in ranked)
    return tuple(dict.fromkeys(names))


def _asked_for(rows: Sequence[str], query: QueryRow) -> str:
    wanted = [row for row in rows if row in query.relevant] or [row for row in rows if row in query.stale]
    return (wanted or [*rows, ""])[0]


def validity_figures(queries: Sequence[QueryRow], rankings: Sequence[Ranking], k: int) -> dict[str, float]:
    """Of the questions that have a valid and a stale version: which of them comes first.

    `valid_given_found` is `valid@1` among those whose valid version is in the first `k`. `stale@1` is judged
    over every question that names a stale version.
    """
    pairs = [(q, r) for q, r in zip(queries, rankings, strict=True) if q.stale]
    both = [(q, r) for q, r in pairs if q.relevant]
    found = [(q, r) for q, r in both if r.relevant & set(r.ranked[:k])]
    return {
        "stale@1": _share([bool(r.ranked) and r.ranked[0] in q.stale for q, r in pairs]),
        "valid@1": _share([bool(r.ranked) and r.ranked[0] in q.relevant for q, r in both]),
        "valid_given_found": _share([r.ranked[0] in q.relevant for q, r in found]),
        "found": _share([bool(r.relevant & set(r.ranked[:k])) for _, r in both]),
    }


def _share(flags: Sequence[bool]) -> float:
    return sum(flags) / len(flags) if flags else 0.0


def _percentiles(milliseconds: Sequence[float]) -> dict[str, JsonValue]:
    if not milliseconds:
        return {"p50": 0.0, "p95": 0.0}
    low, high = np.percentile(milliseconds, [50, 95])
    return {"p50": round(float(low), 2), "p95": round(float(high), 2)}
