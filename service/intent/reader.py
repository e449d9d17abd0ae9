"""Reads the intent of a message 意图: by cue words where their lead is clear, else a small model weighs it.

A cue word speaks with a weight for one intent, and their sum is a score. Without a model the scores decide
alone.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from service.intent.cues import Cue, CueTable, Intent, ProcessWords, ReadyCue, Special, classes_of, ready
from service.intent.weighing import NAME, IntentModel, mask_of
from service.intent.wording import normal, said, without

LEAD = 1.0  # by how much the best must be ahead without a model; the weights of the file are in this unit
CERTAIN = 8.0  # a lead that no model is asked about: an administrator's word for "always"
SHORTEST = 2  # letters that a model is asked about; one tells it nothing
_ROUNDING = 1e-9  # sums of decimal weights are not exact: a lead of 1 is a lead


@dataclass(frozen=True, slots=True)
class Reading:
    """`intent` is the best. `either` names the two to choose from while it is unclear, else it is empty."""

    intent: Intent
    either: tuple[Intent, ...] = ()
    scores: Mapping[Intent, float] = field(default_factory=dict)
    cues: tuple[str, ...] = ()  # what was seen, as the file words it, the heaviest first: for people
    model: str = ""  # that weighed it, where the cues did not decide alone


class IntentReader:
    """Thread-safe. `names` are the words of the processes in force; build a new reader when those change."""

    def __init__(
        self, cues: CueTable, names: Sequence[ProcessWords] = (), model: IntentModel | None = None
    ) -> None:
        classes = classes_of(cues, names)
        everything = ready(cues, classes)
        self._model = model
        self._mask = mask_of(classes)
        self._courtesies = [one for one in everything if one.cue.kind is Special.COURTESY]
        self._cues = [one for one in everything if one.cue.kind is not Special.COURTESY]

    def read(self, text: str, *, open_case: bool = False) -> Reading:
        """What the message wants; `open_case`: a case is being collected, and short answers belong to it."""
        whole = normal(text)
        rest, polite = self._without_courtesies(whole)
        if not said(rest):
            return Reading(Intent.OTHER, scores={Intent.OTHER: LEAD}, cues=_told(polite))
        seen = [one.cue for one in self._cues if one.pattern.search(rest)]
        counted = [cue for cue in seen if open_case or cue.kind is not Special.OPEN]
        reading = _reading([*polite, *counted])
        if self._model is None or len(said(rest)) < SHORTEST or _decided(reading, counted):
            return reading
        first, *others = best = self._model.best(self._mask(whole), reading.scores)
        return Reading(first, best if others else (), reading.scores, reading.cues, NAME)

    def _without_courtesies(self, whole: str) -> tuple[str, list[Cue]]:
        found: list[ReadyCue] = [one for one in self._courtesies if one.pattern.search(whole)]
        for one in found:
            whole = without(whole, one.pattern)
        return whole, [one.cue for one in found]


def _reading(cues: Sequence[Cue]) -> Reading:
    scores = dict.fromkeys(Intent, 0.0)
    for cue in cues:
        scores[_counts_for(cue)] += cue.weight
    first, second, *_ = sorted(Intent, key=lambda intent: -scores[intent])
    either = (first, second) if _open_between(scores, first, second) else ()
    return Reading(first, either, scores, _told(cues))


def _decided(reading: Reading, counted: Sequence[Cue]) -> bool:
    """Whether the cues are certain, or the open case takes it as a short answer."""
    if _ahead(reading.scores) >= CERTAIN:
        return True
    answered = any(cue.kind is Special.OPEN and cue.weight > 0 for cue in counted)
    return answered and reading.intent is Intent.PROCESS and not reading.either


def _ahead(scores: Mapping[Intent, float]) -> float:
    best, next_best, *_ = sorted(scores.values(), reverse=True)
    return best - next_best


def _open_between(scores: Mapping[Intent, float], first: Intent, second: Intent) -> bool:
    """Whether people should choose. What nothing speaks for is no choice, nor is "something else"."""
    if Intent.OTHER in (first, second) or scores[second] < _ROUNDING:
        return False
    return scores[first] - scores[second] < LEAD - _ROUNDING


def _counts_for(cue: Cue) -> Intent:
    match cue.kind:
        case Special.COURTESY:
            return Intent.OTHER
        case Intent():
            return cue.kind
        case _:
            return Intent.PROCESS


def _told(cues: Sequence[Cue]) -> tuple[str, ...]:
    return tuple(cue.wording for cue in sorted(cues, key=lambda cue: -abs(cue.weight)))
