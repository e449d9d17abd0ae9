"""Fits how answers from minutes are weighed: `python -m service.evaluation.minutes_fit FILE… --out FOLDER`.

Two steps, as they are used: utterances that hold a labelled quote against the others of the same question
(softmax regression), then answerable questions against the others by the best utterance of each (kernel
logistic regression, whose bias is moved until `--refuse` of the answerable ones are refused). `--validate`
tells for every file what weights make of it that were fitted to the others: each has a writer of its own.
"""

import argparse
import csv
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from pydantic import JsonValue
from scipy.optimize import minimize
from scipy.special import expit, logsumexp

from service.access import LOCAL
from service.config import ASSETS, Settings
from service.errors import BadRequest
from service.evaluation.minutes_rows import TODAY, MinutesRow, archive_of
from service.evaluation.rows import read_rows
from service.minutes.asking import Minutes
from service.minutes.evidence import Features
from service.minutes.searching import Found
from service.minutes.sought import MinutesQuestion
from service.minutes.weighing import (
    ANSWER_FILE,
    ANSWER_NAMES,
    BIAS,
    MEAN,
    RANK_FILE,
    RANK_NAMES,
    SPREAD,
    AskingModel,
    Linear,
    Nearness,
    Scale,
    Vector,
    answer_row,
    nearness,
    rank_rows,
)

SHRINK_RANK, SHRINK_ANSWER = 0.01, 0.0003  # L2 on standardised features, and on the function
REFUSED = 0.12  # of the answerable questions; of the golden ones, which ask more plainly, it is 4 %
_ITERATIONS, _FOLDS = 500, 5
_CONSTANT = 1e-9  # a spread below which a feature tells nothing apart

Flags = NDArray[np.bool_]
Loss = Callable[[Vector], tuple[float, Vector]]  # its value and its slope


@dataclass(frozen=True, slots=True)
class Example:
    """A question's candidates; `gold` says which hold a labelled quote."""

    row: MinutesRow
    features: tuple[Features, ...]
    gold: tuple[bool, ...]


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="minutes_fit", description=__doc__)
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--archive", type=Path, default=ASSETS / "data" / "minutes")
    parser.add_argument("--validate", action="store_true", help="before, fit once without each file")
    parser.add_argument("--refuse", type=float, default=REFUSED, help="share of answerable questions")
    parser.add_argument("--out", type=Path, required=True, help="folder")
    options = parser.parse_args(arguments)
    with archive_of(options.archive, Settings()) as parts:
        read = {path: _examples(read_rows(path, MinutesRow), parts.minutes) for path in options.files}
    for path in options.files if options.validate else ():
        others = [each for other, some in read.items() if other != path for each in some]
        _tell(path.name, figures_of(read[path], fit(others, options.refuse)))
    write(options.out, fit([each for some in read.values() for each in some], options.refuse))
    return 0


def _examples(rows: Sequence[MinutesRow], minutes: Minutes) -> list[Example]:
    found = []
    for row in rows:
        _, looked = minutes.look(LOCAL, MinutesQuestion(row.question, asked_on=TODAY))
        found.append(Example(row, looked.features, _gold(row, looked)))
    return found


def _gold(row: MinutesRow, found: Found) -> tuple[bool, ...]:
    """A quote may lie across a mark at which an utterance was parted; then each part holds some of it."""
    return tuple(
        each.utterance.meeting.file_name in row.meetings
        and any(quote in each.utterance.text or each.utterance.text in quote for quote in row.quotes)
        for each in found.candidates
    )


def fit(examples: Sequence[Example], refused: float) -> AskingModel:
    """`refused` of the answerable questions for which anything was found are refused, each judged by weights
    that were fitted without it. Raises BadRequest where there is nothing to tell apart.
    """
    _check(examples)
    rank = _fit_rank([each for each in examples if any(each.gold)])
    asked = [each for each in examples if each.features]
    order = [rank.logits(rank_rows(each.features)) for each in asked]
    rows = np.array([answer_row(each.features, logits) for each, logits in zip(asked, order, strict=True)])
    answerable = np.array([each.row.answerable for each in asked])
    answer = _fit_answer(rows, answerable)
    boundary = np.quantile(_logits_of_others(rows, answerable)[answerable], refused)
    return AskingModel(rank, replace(answer, bias=answer.bias - float(boundary)))


def _check(examples: Sequence[Example]) -> None:
    asked = [each.row.answerable for each in examples if each.features]
    if not any(any(each.gold) for each in examples):
        raise BadRequest("没有一个问题的原话在找到的发言里，无从拟合")
    if min(sum(asked), len(asked) - sum(asked)) < _FOLDS:
        raise BadRequest(f"能答的与不能答的问题各要 {_FOLDS} 个以上，才能拟合")


def _logits_of_others(rows: Vector, answerable: Flags) -> Vector:
    """Of every question by a model of the rest: of what it was fitted to, a model is surer than it should."""
    found = np.zeros(len(rows))
    folds = np.random.default_rng(0).permutation(len(rows)) % _FOLDS
    for fold in range(_FOLDS):
        left_out = folds == fold
        found[left_out] = _fit_answer(rows[~left_out], answerable[~left_out]).logits(rows[left_out])
    return found


def figures_of(examples: Sequence[Example], model: AskingModel) -> dict[str, JsonValue]:
    """Of questions that the model was not fitted to."""
    told = [(each, *_answered(each, model)) for each in examples]
    answerable = [(first, logit) for each, logit, first in told if each.row.answerable]
    others = [(each.row.absence, logit) for each, logit, _ in told if not each.row.answerable]
    absences = sorted({absence for absence, _ in others})
    return {
        "questions": len(told),
        "refused_answerable": _share([logit < 0 for _, logit in answerable]),
        "refused_unanswerable": _share([logit < 0 for _, logit in others]),
        "by_absence": {
            name: _share([logit < 0 for absence, logit in others if absence == name]) for name in absences
        },
        "gold_first": _share([first for first, _ in answerable]),
        "told_apart": _told_apart([logit for _, logit in answerable], [logit for _, logit in others]),
    }


def _answered(example: Example, model: AskingModel) -> tuple[float, bool]:
    """The logit, and whether the best utterance holds a labelled quote."""
    if not example.features:
        return -np.inf, False
    order = model.order(example.features)
    return model.answers(example.features, order), example.gold[int(order.argmax())]


def _told_apart(yes: Sequence[float], no: Sequence[float]) -> float:
    """Area under the ROC curve."""
    pairs = [(a > b) + (a == b) / 2 for a in yes for b in no]
    return round(float(np.mean(pairs)), 4) if pairs else 0.0


def _share(flags: Sequence[bool]) -> float | None:
    return round(sum(flags) / len(flags), 4) if flags else None


def _fit_rank(examples: Sequence[Example]) -> Linear:
    rows = [rank_rows(each.features) for each in examples]
    mean, spread = _scale(np.concatenate(rows))
    questions = [
        (Scale(mean, spread)(some), np.array(each.gold)) for some, each in zip(rows, examples, strict=True)
    ]

    def loss(weights: Vector) -> tuple[float, Vector]:
        total, slope = SHRINK_RANK * float(weights @ weights), 2 * SHRINK_RANK * weights
        for some, gold in questions:
            logits = some @ weights
            among, of_gold = logsumexp(logits), logsumexp(logits[gold])
            total += float(among - of_gold) / len(questions)
            wanted = np.where(gold, np.exp(logits - of_gold), 0.0)
            slope = slope + some.T @ (np.exp(logits - among) - wanted) / len(questions)
        return total, slope

    return Linear(Scale(mean, spread), _minimised(loss, len(RANK_NAMES)))


def _fit_answer(rows: Vector, answerable: Flags) -> Nearness:
    """Both classes count alike, however many there are of each."""
    scale = Scale(*_scale(rows))
    examples = scale(rows)
    kernel = nearness(examples, examples)
    share = float(answerable.mean())
    counts = np.where(answerable, 0.5 / share, 0.5 / (1 - share)) / len(rows)

    def loss(weights: Vector) -> tuple[float, Vector]:
        """Kernel logistic regression in the weights of the examples, with the bias behind them."""
        alphas = weights[:-1]
        smooth = kernel @ alphas
        logits = smooth + weights[-1]
        missed = np.logaddexp(0.0, np.where(answerable, -logits, logits))
        slope = counts * (expit(logits) - answerable)
        value = float(counts @ missed + SHRINK_ANSWER * alphas @ smooth)
        return value, np.append(kernel @ slope + 2 * SHRINK_ANSWER * smooth, slope.sum())

    weights = _minimised(loss, len(rows) + 1)
    return Nearness(scale, examples, weights[:-1], float(weights[-1]))


def _minimised(loss: Loss, size: int) -> Vector:
    found = minimize(loss, np.zeros(size), jac=True, method="L-BFGS-B", options={"maxiter": _ITERATIONS})
    weights: Vector = np.asarray(found.x, dtype=np.float64)
    return weights


def _scale(rows: Vector) -> tuple[Vector, Vector]:
    spread = rows.std(axis=0)
    return rows.mean(axis=0), np.where(spread > _CONSTANT, spread, 1.0)


def write(folder: Path, model: AskingModel) -> None:
    """What `load_asking` reads: five digits, and two behind the point in the examples, which are many."""
    rank, answer = model.rank, model.answer
    columns = zip(RANK_NAMES, rank.scale.mean, rank.scale.spread, rank.weights, strict=True)
    ranks = [(name, *_short(row)) for name, *row in columns]
    _write(folder / RANK_FILE, ("feature", MEAN, SPREAD, "weight"), ranks)
    lines: list[tuple[str, ...]] = [
        (MEAN, *_short(answer.scale.mean)),
        (SPREAD, *_short(answer.scale.spread)),
        (BIAS, *_short([answer.bias])),
    ]
    lines += [
        (*_short([weight]), *(f"{value:.2f}" for value in example))
        for weight, example in zip(answer.weights, answer.examples, strict=True)
    ]
    _write(folder / ANSWER_FILE, ("weight", *ANSWER_NAMES), lines)


def _write(path: Path, head: Sequence[str], lines: Sequence[Sequence[str]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([head, *lines])


def _short(numbers: Sequence[float] | Vector) -> list[str]:
    return [f"{number:.5g}" for number in numbers]


def _tell(name: str, figures: Mapping[str, JsonValue]) -> None:
    sys.stdout.write(json.dumps({"file": name, **figures}, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
