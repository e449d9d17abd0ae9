"""Fits the offline detector: `python -m service.evaluation.segmentation_fit FILE… --out FOLDER`.

Logistic regression over the gaps, for each style of record apart. The words that enter beside the columns are
those that explain most of what the columns leave; the bias is moved to where cuts are best. `--validate` fits
once without each tenth of the records, words and bias chosen anew, and tells what the rest makes of it.
"""

import argparse
import json
import random
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from pydantic import JsonValue
from scipy.optimize import minimize
from scipy.sparse import csr_matrix
from scipy.special import expit

from ingestion.minutes.cues import Vector, read_cues
from ingestion.minutes.cutting import LengthPrior
from ingestion.minutes.detector import CUES, WEIGHTS
from ingestion.minutes.units import Style
from ingestion.minutes.weights import Weights, write_weights
from ingestion.segmenter import Segmenter
from service.evaluation.rows import read_rows
from service.evaluation.segmentation import SegmentationRow, shown
from service.evaluation.segmentation_metrics import Cutting, figures_of
from service.evaluation.segmentation_samples import Sample, samples_of

SHRINK = 150.0  # L2 on standardised features; from 75 to 200 alike within .02 on records not seen
FIRM = 20.0  # how many cases a prior is worth
WORDS = 100  # 300 were no better on records not seen
LEAST_BOUNDARIES = 300  # of a style, for words to be learnt: with the 113 of the meetings they only did harm
SEEN_IN = 0.05  # share of the records a word must stand in, and never fewer than _FEWEST
OFFSETS = np.arange(-1.0, 2.6, 0.25)  # added to the bias; the length prior pulls the other way
PK_WEIGHT = 1.0  # against the F1 when the bias is chosen; 2 leaves short meetings whole
_FEWEST = 5
_FOLDS, _INNER, _SHUFFLES = 10, 5, 3
_ITERATIONS = 300
_NARROWEST = 0.1  # deviation of ln(length), also where all topics are equally long

Matrix = NDArray[np.float64]


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="segmentation_fit", description=__doc__)
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--validate", action="store_true", help="before, fit once without each tenth")
    parser.add_argument("--seed", type=int, default=0, help="of the shuffle into tenths")
    parser.add_argument("--out", type=Path, required=True, help=f"folder with {CUES}; {WEIGHTS} is written")
    options = parser.parse_args(arguments)
    cues, segmenter = read_cues(options.out / CUES), Segmenter()
    samples = [
        sample
        for path in options.files
        for sample in samples_of(
            f"{path.parent.name}/{path.name}", read_rows(path, SegmentationRow), cues, segmenter
        )
    ]
    priors = {cue.name: cue.prior for cue in cues}
    by_style = {style: [each for each in samples if each.style is style] for style in Style}
    if missing := [style for style, some in by_style.items() if not some]:
        parser.error(f"no records of style {', '.join(missing)}")
    if options.validate:
        _tell(validate(by_style, priors, options.seed))
    weights = {style: fit(some, priors) for style, some in by_style.items()}
    write_weights(options.out / WEIGHTS, weights)
    return 0


def validate(
    by_style: Mapping[Style, Sequence[Sample]], priors: Mapping[str, float], seed: int
) -> dict[str, JsonValue]:
    """Figures by file, of cuts by weights that were fitted without the record."""
    found: dict[str, list[Cutting]] = {}
    for samples in by_style.values():
        for kept, held in _folds(samples, _FOLDS, seed):
            weights = fit(kept, priors)
            for sample in held:
                gains = weights.gains(sample.columns, sample.words)
                found.setdefault(sample.source, []).append(sample.cut(gains, weights.length))
    return {source: shown(figures_of(cuttings)) for source, cuttings in sorted(found.items())}


def fit(samples: Sequence[Sample], priors: Mapping[str, float]) -> Weights:
    """`priors`: weights by column that stand where the data say nothing; 0 for those not named."""
    weights = _fit_gaps(samples, priors)
    unseen = [
        (sample, part.gains(sample.columns, sample.words))
        for seed in range(_SHUFFLES)
        for kept, held in _folds(samples, _INNER, seed)
        for part in [_fit_gaps(kept, priors)]
        for sample in held
    ]

    def worth(offset: float) -> float:
        figures = figures_of([sample.cut(gains + offset, weights.length) for sample, gains in unseen])
        return figures.boundary_f1 - PK_WEIGHT * figures.pk

    return replace(weights, bias=weights.bias + max(OFFSETS.tolist(), key=worth))


def _fit_gaps(samples: Sequence[Sample], priors: Mapping[str, float]) -> Weights:
    names = list(samples[0].columns)
    columns = np.vstack([np.column_stack([sample.columns[name] for name in names]) for sample in samples])
    labels = np.concatenate([sample.labels for sample in samples])
    means = np.array([priors.get(name, 0.0) for name in names])
    bias, weights = _logistic(columns, labels, means)
    words: list[str] = []
    if labels.sum() >= LEAST_BOUNDARIES:
        words, presence = _telling(samples, labels - expit(columns @ weights + bias))
        columns = np.hstack([columns, presence])
        bias, weights = _logistic(columns, labels, np.concatenate([means, np.zeros(len(words))]))
    return Weights(
        bias,
        dict(zip(names, weights[: len(names)].tolist(), strict=True)),
        dict(sorted(zip(words, weights[len(names) :].tolist(), strict=True), key=lambda each: -each[1])),
        _length_prior(samples),
    )


def _telling(samples: Sequence[Sample], left: Vector) -> tuple[list[str], Matrix]:
    """The words whose presence goes most with what is `left` unexplained (score test), and that presence."""
    seen = Counter(word for sample in samples for word in frozenset().union(*sample.words))
    least = max(_FEWEST, SEEN_IN * len(samples))
    names = sorted(word for word, count in seen.items() if count >= least)
    places = {word: at for at, word in enumerate(names)}
    gaps = [near for sample in samples for near in sample.words]
    entries = [(row, places[word]) for row, near in enumerate(gaps) for word in near if word in places]
    rows, cells = np.array(entries, dtype=np.int64).reshape(-1, 2).T
    presence = csr_matrix((np.ones(len(entries)), (rows, cells)), shape=(len(gaps), len(places)))
    spread = np.abs(left) * (1 - np.abs(left))
    score = np.abs(presence.T @ left) / np.sqrt(presence.T @ spread + 1e-9)
    best = np.sort(np.argsort(-score, kind="stable")[:WORDS])
    return [names[at] for at in best], presence[:, best].toarray()


def _logistic(columns: Matrix, labels: Vector, priors: Vector) -> tuple[float, Vector]:
    """Bias and weights of the columns as they are. All are shrunk on the standardised scale, and those with a
    prior also as they are, so that a few cases do not outweigh what is plainly said.
    """
    mean, scale = columns.mean(axis=0), columns.std(axis=0)
    scale = np.where(scale > 0, scale, 1.0)
    table, centre = (columns - mean) / scale, priors * scale
    shrink = SHRINK + FIRM * (priors != 0) / scale**2

    def loss(parameters: Vector) -> tuple[float, Vector]:
        weights, bias = parameters[:-1], parameters[-1]
        logits = table @ weights + bias
        away = weights - centre
        value = np.sum(np.logaddexp(0, logits) - labels * logits) + (shrink * away) @ away / 2
        slope = expit(logits) - labels
        return float(value), np.append(table.T @ slope + shrink * away, slope.sum())

    start = np.append(centre, 0.0)
    found = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": _ITERATIONS}).x
    weights = found[:-1] / scale
    return float(found[-1] - weights @ mean), weights


def _length_prior(samples: Sequence[Sample]) -> LengthPrior:
    lengths = np.log(np.concatenate([sample.topic_lengths for sample in samples]))
    return LengthPrior(float(lengths.mean()), max(float(lengths.std()), _NARROWEST))


def _folds(samples: Sequence[Sample], count: int, seed: int) -> Iterator[tuple[list[Sample], list[Sample]]]:
    """Pairs of what is kept and what is held out; every record is held out once."""
    shuffled = list(samples)
    random.Random(seed).shuffle(shuffled)
    for fold in range(min(count, len(shuffled))):
        kept = [sample for at, sample in enumerate(shuffled) if at % count != fold]
        yield kept, shuffled[fold::count]


def _tell(figures: Mapping[str, JsonValue]) -> None:
    sys.stdout.write(json.dumps(figures, ensure_ascii=False, indent=2) + "\n")


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
