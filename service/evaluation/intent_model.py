"""Fits the small intent model: `python -m service.evaluation.intent_model FILE… --tables … --out FILE`.

Softmax regression by L-BFGS over the features of `service.intent.weighing`. What is labelled unclear is a
class of its own for each two intents that often are. With `--validate` it tells for every file how many of
its rows a model gets right that was fitted to the other files: each has an author of its own, as messages do.
"""

import argparse
import csv
import json
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from pydantic import JsonValue
from scipy.optimize import minimize
from scipy.sparse import csr_matrix, hstack
from scipy.special import softmax

from service.assembly import INTENTS as CUES
from service.config import ASSETS
from service.evaluation.intent import IntentRow, evaluate_intent
from service.evaluation.intent_words import SAMPLES, words_of
from service.evaluation.rows import read_rows
from service.intent.cues import CueTable, ProcessWords, classes_of, load_cues
from service.intent.reader import IntentReader
from service.intent.weighing import (
    BETWEEN,
    BIAS,
    CUE,
    HEAD,
    INTENTS,
    RUN,
    Class,
    IntentModel,
    cue_features,
    mask_of,
    runs_of,
)
from service.intent.wording import normal

LEAST_SEEN = 3  # utterances a run stands in: rarer ones tell more of their writer than of people
SHRINK = 1e-6  # L2; from 1e-3 down each step was better on files not seen, and this was the last that was
OFTEN = 8  # utterances unclear between the same two, for these to be a class
ASKING = 1.0  # added to the bias of those: a question back costs people less than the wrong path
_ITERATIONS = 200
_TINY = 1e-12

Matrix = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Utterance:
    row: IntentRow
    runs: frozenset[str]
    cues: Matrix

    @property
    def kind(self) -> Class:
        names = self.row.either or (self.row.intent,)
        return tuple(intent for intent in INTENTS if intent in names)


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="intent_model", description=__doc__)
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--tables", type=Path, nargs="+", default=[SAMPLES])
    parser.add_argument("--validate", action="store_true", help="before, fit once without each file")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args(arguments)
    cues, words = load_cues(ASSETS / "data" / "terms" / CUES), words_of(options.tables)
    read = {path: _read(path, cues, words) for path in options.files}
    for path, utterances in read.items() if options.validate else ():
        others = [one for other, some in read.items() if other != path for one in some]
        reader = IntentReader(cues, words, fit(others))
        _tell(path.name, evaluate_intent([one.row for one in utterances], reader))
    _write(fit([one for some in read.values() for one in some]), options.out)
    return 0


def fit(utterances: Sequence[Utterance]) -> IntentModel:
    """The same utterances give the same model."""
    kinds = Counter(one.kind for one in utterances)
    pairs = sorted(kind for kind, count in kinds.items() if len(kind) > 1 and count >= OFTEN)
    classes: tuple[Class, ...] = (*((intent,) for intent in INTENTS), *pairs)
    known = [one for one in utterances if one.kind in classes]
    seen = Counter(run for one in known for run in one.runs)
    runs = {run: place for place, run in enumerate(sorted(run for run in seen if seen[run] >= LEAST_SEEN))}
    wanted = np.array([[kind == one.kind for kind in classes] for one in known], dtype=np.float64)
    weights = _regress(_features(known, runs), wanted)
    bias = weights[-1] + np.array([ASKING * (len(kind) > 1) for kind in classes])
    return IntentModel(classes, runs, weights[: len(runs)], weights[len(runs) : -1], bias)


def _regress(features: csr_matrix, wanted: Matrix) -> Matrix:
    """Weights, shape (features, classes)."""
    shape = (features.shape[1], wanted.shape[1])

    def loss(flat: Matrix) -> tuple[float, Matrix]:
        weights = flat.reshape(shape)
        chances = softmax(features @ weights, axis=1)
        slope = features.T @ (chances - wanted) / len(wanted) + SHRINK * weights
        value = -(wanted * np.log(chances + _TINY)).sum() / len(wanted) + SHRINK * (weights**2).sum() / 2
        return float(value), slope.ravel()

    start = np.zeros(shape[0] * shape[1])
    options = {"maxiter": _ITERATIONS}
    found: Matrix = minimize(loss, start, jac=True, method="L-BFGS-B", options=options).x.reshape(shape)
    return found


def _features(utterances: Sequence[Utterance], runs: Mapping[str, int]) -> csr_matrix:
    """The known runs, each weighing the same, every utterance of length 1; the cues; a one for the bias."""
    known = [[runs[run] for run in one.runs if run in runs] for one in utterances]
    places = [place for some in known for place in some]
    values = [1 / np.sqrt(len(some)) for some in known for _ in some]
    starts = np.cumsum([0, *map(len, known)])
    bag = csr_matrix((values, places, starts), shape=(len(utterances), len(runs)))
    cues = np.array([one.cues for one in utterances])
    return hstack([bag, cues, np.ones((len(utterances), 1))]).tocsr()


def _read(path: Path, cues: CueTable, words: Sequence[ProcessWords]) -> list[Utterance]:
    mask, reader = mask_of(classes_of(cues, words)), IntentReader(cues, words)
    found = []
    for row in read_rows(path, IntentRow):
        scores = reader.read(row.text, open_case=row.open_case).scores
        found.append(Utterance(row, frozenset(runs_of(mask(normal(row.text)))), cue_features(scores)))
    return found


def _write(model: IntentModel, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([*HEAD, *(BETWEEN.join(kind) for kind in model.classes)])
        writer.writerow([BIAS, "", *_rounded(model.bias)])
        writer.writerows([CUE, intent, *_rounded(model.cues[row])] for row, intent in enumerate(INTENTS))
        writer.writerows([RUN, run, *_rounded(model.weights[place])] for run, place in model.runs.items())


def _rounded(weights: Matrix) -> list[float]:
    return [round(float(weight), 2) for weight in weights]


def _tell(name: str, report: Mapping[str, JsonValue]) -> None:
    told = ("accuracy", "unclear_offered", "clear_offered", "process_as_knowledge", "knowledge_as_process")
    figures = {"file": name, "items": report["items"], **{key: report[key] for key in told}}
    sys.stdout.write(json.dumps(figures, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
