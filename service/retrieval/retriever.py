"""One retrieval, from a question to evidence or the reason there is none:

for each wording: analyse -> both legs -> read, fuse, score
merge the wordings -> rerank -> threshold and top_k -> or the reason
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from time import perf_counter

from ingestion.analyzer import Query, simplify
from ingestion.index.keyword import KeywordEncoder, token_id, united
from ingestion.index.schema import Filter, Index
from ingestion.protocols import Embedder
from service.citations import RefusalReason
from service.precedence import Precedence
from service.retrieval.calibration import Calibration, Mode
from service.retrieval.confidence import THRESHOLD
from service.retrieval.explain import read_candidate, removed_by, unread_candidate
from service.retrieval.fusion import OrderWeights
from service.retrieval.probe import Probe, probe
from service.retrieval.protocols import Corpus, Question, Reranker, RerankFailure, Source
from service.retrieval.ranking import Ranked, Ranker, Ranking
from service.retrieval.results import Candidate, Cut, Evidence, Retrieval, Timings
from service.retrieval.search import Found, Searcher, Vectorised, answering_filter, outdated_filter
from service.retrieval.validity import outdated_answer, reason_of

NO_FILTER = Filter()
_RERANKED = 16  # candidates a reranker sees
_NEAREST = 3  # shown, unused, under a refusal


@dataclass(frozen=True, slots=True)
class _Asked:
    """One wording, ready to be searched."""

    query: Query
    probe: Probe
    vectors: Vectorised


@dataclass(frozen=True, slots=True)
class _Scope:
    """Who asks, for which day, under which conditions, over which snapshot."""

    live: Mapping[str, Source]
    labels: tuple[str, ...] | None
    filters: Filter
    day: date
    mode: Mode
    threshold: float


@dataclass(frozen=True, slots=True)
class _Looked:
    """What all wordings found together."""

    in_force: Ranking
    outdated: tuple[Ranked, ...]
    filtered: tuple[Ranked, ...] = ()


class Retriever:
    """Thread-safe. `weights` overrides the calibrated order (an administrator's KEYWORD_WEIGHT)."""

    def __init__(
        self,
        index: Index,
        corpus: Corpus,
        encoder: KeywordEncoder,
        embedder: Embedder,
        calibration: Calibration,
        *,
        weights: OrderWeights | None = None,
        reranker: Reranker | None = None,
        precedence: Precedence | None = None,
    ) -> None:
        self._corpus = corpus
        self._precedence = precedence or Precedence()
        self._encoder = encoder
        self._embedder = embedder
        self._searcher = Searcher(index)
        self._ranker = Ranker(corpus, calibration, weights)
        self._reranker = reranker
        self._outdated: tuple[Mapping[str, Source], date, bool] | None = None

    def retrieve(
        self,
        question: Question,
        scopes: tuple[str, ...] | None,
        *,
        day: date,
        top_k: int = 8,
        threshold: float = THRESHOLD,
        filters: Filter = NO_FILTER,
        mode: Mode = Mode.HYBRID,
        explain: bool = False,
    ) -> Retrieval:
        """`scopes` are the reader's labels, None for all of them; `day` is the day whose rules are asked for.

        With `explain` the candidates include what the metadata conditions removed. Raises IndexUnavailable,
        EmbeddingError.
        """
        with self._precedence.answering():
            started = perf_counter()
            scope = _Scope(self._corpus.live(), scopes, filters, day, mode, threshold)
            return self._retrieve(question, scope, top_k, explain=explain, started=started)

    def _retrieve(
        self, question: Question, scope: _Scope, top_k: int, *, explain: bool, started: float
    ) -> Retrieval:
        asked = [self._ask(wording, scope.mode) for wording in question.wordings]
        embedded = perf_counter()
        found = [(one, *self._search(one, scope)) for one in asked]
        searched = perf_counter()
        looked = _merge([self._look(one, hits, old, scope) for one, hits, old in found])
        if explain:
            looked = replace(looked, filtered=self._filtered(asked, scope))
        ranked = perf_counter()
        order, failed = self._rerank(question, looked.in_force.ranked)
        times = Timings(
            (embedded - started) * 1000,
            (searched - embedded) * 1000,
            (ranked - searched) * 1000,
            (perf_counter() - ranked) * 1000,
        )
        result = _conclude(scope, looked, order, top_k, reranked=self._reranker is not None and not failed)
        tokens = tuple(dict.fromkeys(term.token for one in asked for term in one.query.terms))
        return replace(result, tokens=tokens, rerank_failed=failed, timings=times, day=scope.day)

    def _ask(self, wording: str, mode: Mode) -> _Asked:
        readings = self._encoder.readings(wording)
        terms = [term for query in readings for term in query.terms]
        statistics = self._corpus.statistics([token_id(term.token) for term in terms]).beside(terms)
        query = united(readings, statistics)
        dense = None if mode is Mode.KEYWORD else self._embedder.embed_queries([simplify(wording)])[0]
        keyword = self._encoder.query(query.terms, statistics)
        best = self._encoder.best(query.terms, statistics)
        return _Asked(query, probe(query, statistics), Vectorised(keyword, best, dense))

    def _search(self, asked: _Asked, scope: _Scope) -> tuple[list[Found], list[Found]]:
        """Hits in force, and hits that were or will be."""
        where = answering_filter(scope.filters, scope.labels, scope.day)
        hits = self._searcher.find(asked.vectors, where, scope.live, scope.mode)
        if not self._any_outdated(scope):
            return hits, []
        everything = outdated_filter(scope.filters, scope.labels)
        old = [
            hit
            for hit in self._searcher.find(asked.vectors, everything, scope.live, scope.mode)
            if not scope.live[hit.revision_id].revision.in_force(scope.day)
        ]
        return hits, old

    def _any_outdated(self, scope: _Scope) -> bool:
        """Whether any revision is not in force on the day; remembered while the snapshot stays the same."""
        known = self._outdated
        if known is not None and known[0] is scope.live and known[1] == scope.day:
            return known[2]
        answer = any(not source.revision.in_force(scope.day) for source in scope.live.values())
        self._outdated = (scope.live, scope.day, answer)
        return answer

    def _look(self, asked: _Asked, hits: Sequence[Found], old: Sequence[Found], scope: _Scope) -> _Looked:
        return _Looked(
            self._ranker.rank(asked.probe, hits, scope.live, scope.mode),
            self._ranker.rank(asked.probe, old, scope.live, scope.mode).ranked if old else (),
        )

    def _filtered(self, asked: Sequence[_Asked], scope: _Scope) -> tuple[Ranked, ...]:
        """The best of what the metadata conditions or the day took out, for the explanation only."""
        everything = outdated_filter(Filter(), scope.labels)
        removed: dict[str, Ranked] = {}
        for one in asked:
            hits = [
                hit
                for hit in self._searcher.find(one.vectors, everything, scope.live, scope.mode)
                if scope.filters.speakers is not None
                or removed_by(scope.live[hit.revision_id], scope.filters, scope.day)
            ]
            for candidate in self._ranker.rank(one.probe, hits, scope.live, scope.mode).ranked:
                if _removed_by(candidate, scope):
                    removed.setdefault(candidate.chunk.id, candidate)
        return tuple(removed.values())

    def _rerank(self, question: Question, ranked: tuple[Ranked, ...]) -> tuple[tuple[Ranked, ...], bool]:
        if self._reranker is None or not ranked:
            return ranked, False
        head = ranked[:_RERANKED]
        try:
            scores = self._reranker.score(question.wordings[0], [c.chunk.searched_text for c in head])
        except RerankFailure:
            return ranked, True
        by_score = sorted(zip(scores, head, strict=True), key=lambda pair: -pair[0])
        return (*(candidate for _, candidate in by_score), *ranked[_RERANKED:]), False


def _merge(looks: Sequence[_Looked]) -> _Looked:
    """Each passage once, where it stands best: by confidence under its wording, then by rank there."""
    if len(looks) == 1:
        return looks[0]
    if not looks:
        return _Looked(Ranking(()), ())
    ranked = _best_of([look.in_force.ranked for look in looks])
    known = {c.chunk.id for c in ranked}
    repeated = {c.chunk.id: c for look in looks for c in look.in_force.repeated if c.chunk.id not in known}
    unread = {hit.id: hit for look in looks for hit in look.in_force.unread if hit.id not in known}
    return _Looked(
        Ranking(ranked, tuple(repeated.values()), tuple(unread.values())),
        _best_of([look.outdated for look in looks]),
    )


def _best_of(lists: Sequence[tuple[Ranked, ...]]) -> tuple[Ranked, ...]:
    best: dict[str, tuple[float, int, Ranked]] = {}
    for ranked in lists:
        falling = _falling(c.confidence for c in ranked)
        for rank, (candidate, score) in enumerate(zip(ranked, falling, strict=True)):
            key, place = candidate.chunk.id, (-score, rank, replace(candidate, confidence=score))
            if key not in best or place[:2] < best[key][:2]:
                best[key] = place
    return tuple(candidate for _, _, candidate in sorted(best.values(), key=lambda place: place[:2]))


def _conclude(
    scope: _Scope, looked: _Looked, order: tuple[Ranked, ...], top_k: int, *, reranked: bool
) -> Retrieval:
    scores = [c.confidence for c in order] if reranked else _falling(c.confidence for c in order)
    evidence: list[Evidence] = []
    candidates: list[Candidate] = []
    old = outdated_answer(looked.in_force.ranked, looked.outdated, scope.threshold)
    for candidate, score in zip(order, scores, strict=True):
        cut = _cut(score < scope.threshold, old is not None, len(evidence) >= top_k)
        if cut is None:
            evidence.append(_evidence(candidate, score, len(evidence) + 1))
        candidates.append(replace(read_candidate(candidate, cut), score=score))
    nearest = [_evidence(c, s, n) for n, (c, s) in enumerate(zip(order, scores, strict=True), 1)][:_NEAREST]
    return Retrieval(
        evidence=tuple(evidence),
        candidates=(*candidates, *_removed(scope, looked)),
        reason=_reason(scope, looked, old) if not evidence else None,
        outdated=None if old is None else _evidence(old, old.confidence, 1),
        nearest=() if evidence else tuple(nearest),
    )


def _cut(below: bool, other_provision: bool, full: bool) -> Cut | None:
    if below:
        return Cut.THRESHOLD
    if other_provision:
        return Cut.OTHER_PROVISION
    return Cut.TOP_K if full else None


def _removed(scope: _Scope, looked: _Looked) -> Iterable[Candidate]:
    yield from (read_candidate(c, Cut.DUPLICATE) for c in looked.in_force.repeated)
    yield from (unread_candidate(hit, scope.live) for hit in looked.in_force.unread)
    known = {c.chunk.id for c in looked.filtered}
    yield from (read_candidate(c, Cut.NOT_IN_FORCE) for c in looked.outdated if c.chunk.id not in known)
    for candidate in looked.filtered:
        name = _removed_by(candidate, scope)
        cut = Cut.NOT_IN_FORCE if name == "in_force_on" else Cut.FILTER
        yield read_candidate(candidate, cut, name)


def _removed_by(candidate: Ranked, scope: _Scope) -> str:
    return removed_by(candidate.source, scope.filters, scope.day, candidate.chunk.speakers)


def _falling(scores: Iterable[float]) -> list[float]:
    """A passage is never surer than the one ranked above it."""
    falling: list[float] = []
    for score in scores:
        falling.append(min(score, falling[-1]) if falling else score)
    return falling


def _evidence(candidate: Ranked, score: float, rank: int) -> Evidence:
    return Evidence(
        chunk=candidate.chunk,
        document=candidate.source.document,
        revision=candidate.source.revision,
        score=score,
        keyword_score=candidate.legs.keyword,
        vector_score=candidate.legs.vector,
        rank=rank,
    )


def _reason(scope: _Scope, looked: _Looked, old: Ranked | None) -> RefusalReason:
    if old is not None:
        return reason_of(old.source, scope.live, scope.day)
    return RefusalReason.BELOW_THRESHOLD if looked.in_force.ranked else RefusalReason.NOTHING_FOUND
