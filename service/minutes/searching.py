"""From a question to the utterances that may answer it: search the common index, then look closely.

The index finds chunks; in them every utterance is held against the topic's words. Two searches where a person
or a time narrows the first down: the second tells whether others, or another time, fit better.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

import numpy as np

from ingestion.analyzer import simplify
from ingestion.documents import Kind
from ingestion.index.keyword import KeywordEncoder, token_id
from ingestion.index.schema import Filter
from ingestion.protocols import Embedder
from service.minutes.evidence import Candidate, Elsewhere, Features, Measure, features_of
from service.minutes.nearwords import NearWords
from service.minutes.people import People
from service.minutes.sought import Sought
from service.minutes.utterances import Heard, readable
from service.retrieval.probe import probe
from service.retrieval.protocols import Corpus, Question
from service.retrieval.results import Evidence
from service.retrieval.retriever import Retriever
from service.store.meetings import StoredMeeting

CHUNKS = 24
ELSEWHERE = 12  # chunks of the second search
EMBEDDED = 40  # utterances whose vectors are made, the best by their words
_MINUTES = (Kind.MINUTES.value,)

_LETTER = re.compile(r"[^\W\d_]")

Meetings = Callable[[Sequence[str]], Mapping[str, Heard]]  # by revision ids


@dataclass(frozen=True, slots=True)
class Found:
    """`features` has one entry for each candidate; `meetings` are those looked at, best first, as their
    documents are described now.
    """

    candidates: tuple[Candidate, ...]
    features: tuple[Features, ...]
    meetings: tuple[tuple[StoredMeeting, float], ...]


class MinutesSearch:
    """Thread-safe; every call embeds and searches: no event loop waits for it."""

    def __init__(
        self,
        retriever: Retriever,
        corpus: Corpus,
        encoder: KeywordEncoder,
        embedder: Embedder,
        meetings: Meetings,
    ) -> None:
        self._retriever = retriever
        self._corpus = corpus
        self._encoder = encoder
        self._embedder = embedder
        self._near_words = NearWords(embedder)
        self._meetings = meetings

    def find(self, sought: Sought, people: People, scopes: tuple[str, ...] | None, today: date) -> Found:
        """Nothing where the topic has no word to look for. Raises IndexUnavailable, EmbeddingError."""
        where = _filter(sought, people)
        measure = self._measure(sought.topic)
        if not any(_LETTER.search(word) for word in measure.probe.words):
            return Found((), (), ())
        evidence = self._retrieve(sought, scopes, today, where, CHUNKS)
        heard = self._meetings([each.revision.id for each in evidence])
        labels = frozenset(where.speakers) if where.speakers is not None else None
        candidates = _candidates(evidence, heard, sought, labels)
        candidates = self._with_likeness(candidates, measure, sought)
        elsewhere = self._elsewhere(sought, scopes, today, measure) if where != _everything() else None
        return Found(
            tuple(candidates),
            tuple(features_of(each, measure, sought, elsewhere, people) for each in candidates),
            _in_order(evidence, heard),
        )

    def _measure(self, topic: str) -> Measure:
        query = self._encoder.readings(topic)[0]
        statistics = self._corpus.statistics([token_id(term.token) for term in query.terms])
        return Measure(probe(query, statistics))

    def _retrieve(
        self, sought: Sought, scopes: tuple[str, ...] | None, today: date, where: Filter, most: int
    ) -> Sequence[Evidence]:
        """Nothing is refused here: whether it answers is weighed utterance by utterance."""
        asked = Question(sought.text, sought.topic)
        found = self._retriever.retrieve(asked, scopes, day=today, top_k=most, threshold=0.0, filters=where)
        return found.evidence

    def _with_likeness(
        self, candidates: Sequence[Candidate], measure: Measure, sought: Sought
    ) -> list[Candidate]:
        """The likeness of those that hold most of the words; the others keep none."""
        words = [sum(map(measure.coverage, _own_and_near(each))) for each in candidates]
        best = sorted(range(len(candidates)), key=lambda place: (-words[place], place))[:EMBEDDED]
        if not best:
            return []
        topic = self._embedder.embed_queries([simplify(sought.topic)])[0]
        texts = [text for place in best for text in _own_and_near(candidates[place])]
        likeness = np.reshape(self._embedder.embed_passages(texts) @ topic, (-1, 2))
        said = [self._encoder.analyzer.tokens(text) for text in texts]
        nearness = self._near_words.nearness(list(measure.probe.words), said)
        found = list(candidates)
        for at, (place, (own, near)) in enumerate(zip(best, likeness, strict=True)):
            found[place] = replace(
                candidates[place],
                own_likeness=float(own),
                near_likeness=float(near),
                own_words=nearness[2 * at],
                near_words=nearness[2 * at + 1],
            )
        return found

    def _elsewhere(
        self, sought: Sought, scopes: tuple[str, ...] | None, today: date, measure: Measure
    ) -> Elsewhere:
        evidence = self._retrieve(sought, scopes, today, _everything(), ELSEWHERE)
        heard = self._meetings([each.revision.id for each in evidence])
        others = _candidates(evidence, heard, replace(sought, period=None), None)
        return max(
            (measure.elsewhere(each.around) for each in others),
            key=lambda each: (each.near, each.own),
            default=Elsewhere(),
        )


def _everything() -> Filter:
    return Filter(kinds=_MINUTES)


def _filter(sought: Sought, people: People) -> Filter:
    """A person without any label in the archive said nothing: an empty choice passes nothing."""
    period = sought.bounds
    labels = tuple(label for person in sought.persons for label in people.labels_of(person))
    return Filter(
        kinds=_MINUTES,
        speakers=labels if sought.persons else None,
        meeting_from=period.first if period else None,
        meeting_to=period.last if period else None,
    )


def _candidates(
    evidence: Sequence[Evidence], heard: Mapping[str, Heard], sought: Sought, labels: frozenset[str] | None
) -> list[Candidate]:
    """Every utterance once, by the best of its chunks; a long one may lie in two."""
    found: dict[tuple[str, int], Candidate] = {}
    for each in evidence:
        meeting = heard.get(each.revision.id)
        if meeting is None or not _in_period(meeting, sought):
            continue
        numbers = [anchor.paragraph for anchor in each.chunk.anchors if anchor.paragraph is not None]
        for utterance in meeting.of_paragraphs(numbers):
            key = (each.revision.id, utterance.place)
            if key in found or (labels is not None and utterance.label not in labels):
                continue
            around = meeting.around(utterance)
            if not sought.silent or any(readable(name) in around.near for name in sought.silent):
                found[key] = Candidate(utterance, around, each)
    return list(found.values())


def _in_period(heard: Heard, sought: Sought) -> bool:
    """The index bounds the days from first to last; of two months compared, those between are out."""
    if sought.bounds is None:
        return True
    day = heard.meeting.record.day
    return day is not None and sought.bounds.holds(day)


def _in_order(
    evidence: Sequence[Evidence], heard: Mapping[str, Heard]
) -> tuple[tuple[StoredMeeting, float], ...]:
    best: dict[str, Evidence] = {}
    for each in evidence:
        best.setdefault(each.revision.id, each)
    return tuple(
        (replace(heard[key].meeting, document=each.document), each.score)
        for key, each in best.items()
        if key in heard
    )


def _own_and_near(candidate: Candidate) -> tuple[str, str]:
    return candidate.around.own, candidate.around.near
