"""Fits the small intent model: `python -m service.evaluation.intent_model FILE… --out FOLDER`.

Softmax regression over the vectors of labelled utterances; those labelled unclear are left out of the fit and
only tell how many real choices the model would take away. Prints the figures of a five-fold cross-validation.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ingestion.analyzer import simplify
from ingestion.index.embedding import BuiltinEmbedder
from service.evaluation.intent import IntentRow
from service.evaluation.rows import read_rows
from service.intent.cues import Intent
from service.intent.model import SURE, softmax

Matrix = NDArray[np.float64]

CLASSES = tuple(Intent)
_FOLDS, _STEPS, _RATE, _MOMENTUM, _SHRINK = 5, 600, 3.0, 0.9, 1e-4
_AT_ONCE = 64


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="intent_model", description=__doc__)
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args(arguments)
    rows = [row for path in options.files for row in read_rows(path, IntentRow)]
    clear = [row for row in rows if row.intent in set(Intent)]
    unclear = [row for row in rows if row.intent not in set(Intent)]
    embedder = BuiltinEmbedder()
    features = _vectors(embedder, [row.text for row in clear])
    labels = np.array([CLASSES.index(Intent(row.intent)) for row in clear])
    weights, bias = fit(features, labels)
    report = {"utterances": len(clear), **_validated(features, labels)}
    if unclear:
        sure = _chances(_vectors(embedder, [row.text for row in unclear]), weights, bias).max(axis=1) >= SURE
        report["unclear_taken_as_clear"] = round(float(sure.mean()), 4)
    options.out.mkdir(parents=True, exist_ok=True)
    stored = {
        "embedding": embedder.name,
        "classes": [intent.value for intent in CLASSES],
        "weights": [[round(float(value), 4) for value in row] for row in weights.T],
        "bias": [round(float(value), 4) for value in bias],
    }
    (options.out / f"{embedder.name}.json").write_text(json.dumps(stored) + "\n", encoding="utf-8")
    sys.stdout.write(json.dumps(report, ensure_ascii=False) + "\n")
    return 0


def fit(features: Matrix, labels: NDArray[np.int64]) -> tuple[Matrix, Matrix]:
    """Gradient descent with momentum on the cross-entropy, weights shrunk (L2); equal data, equal fit."""
    wanted = np.eye(len(CLASSES))[labels]
    weights = speed = np.zeros((features.shape[1], len(CLASSES)))
    bias = np.zeros(len(CLASSES))
    for _ in range(_STEPS):
        wrong = _chances(features, weights, bias) - wanted
        speed = _MOMENTUM * speed + features.T @ wrong / len(features) + _SHRINK * weights
        weights = weights - _RATE * speed
        bias = bias - _RATE * wrong.mean(axis=0)
    return weights, bias


def _chances(features: Matrix, weights: Matrix, bias: Matrix) -> Matrix:
    return softmax(features @ weights + bias)


def _validated(features: Matrix, labels: NDArray[np.int64]) -> dict[str, float]:
    """Of each fold by a model that did not see it: how many are right, and how many of the sure ones."""
    order = np.random.default_rng(1).permutation(len(labels))
    right, sure = [], []
    for fold in np.array_split(order, _FOLDS):
        others = np.setdiff1d(order, fold)
        chances = _chances(features[fold], *fit(features[others], labels[others]))
        right.append(chances.argmax(axis=1) == labels[fold])
        sure.append(chances.max(axis=1) >= SURE)
    rights, sures = np.concatenate(right), np.concatenate(sure)
    return {
        "accuracy": round(float(rights.mean()), 4),
        "sure": round(float(sures.mean()), 4),
        "right_when_sure": round(float(rights[sures].mean()), 4) if sures.any() else 0.0,
    }


def _vectors(embedder: BuiltinEmbedder, texts: Sequence[str]) -> Matrix:
    plain = [simplify(text) for text in texts]
    parts = [embedder.embed_queries(plain[i : i + _AT_ONCE]) for i in range(0, len(plain), _AT_ONCE)]
    return np.concatenate(parts).astype(np.float64)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
