"""Writes `data/retrieval/<embedding>.json`: the order's weights and the confidence models of one embedding.

    python -m service.evaluation.calibrate FOLDER --embedding builtin --out data/retrieval [--cache DIR]

FOLDER holds collections (`corpus*.jsonl`, `queries.jsonl`). The same data and options give the same file.
What it prints, and keeps in the file as `measured`, is cross-validated: each question is judged by a model
fitted without it.
"""

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from ingestion.analyzer import Analyzer
from ingestion.index.embedding import build_embedder
from ingestion.terms import load_terms
from service.config import ASSETS
from service.evaluation.bench import Collection
from service.evaluation.fitting import FitOptions, fit
from service.evaluation.ordering import choose
from service.evaluation.samples import (
    Question,
    all_candidates,
    ask,
    examples,
    load_collection,
    questions,
)
from service.retrieval.calibration import (
    FALLBACK,
    Mode,
    StoredCalibration,
    StoredConfidence,
    StoredOrder,
    calibration_file,
)
from service.retrieval.confidence import (
    KEYWORD_EVIDENCE,
    TEXT_EVIDENCE,
    THRESHOLD,
    VECTOR_EVIDENCE,
    ConfidenceModel,
    Matrix,
)
from service.retrieval.fusion import OrderWeights

# Absent questions need collections in which only the named documents hold the answer. Statutes and web pages
# on one topic answer each other's questions, so stard_lecoqa and dureader_demo only help to choose the order.
ORDER = ("tpe_faq", "stard_lecoqa", "cmrc2018", "dureader_demo", "drcd", "xquad_zh")
CONFIDENCE = {"tpe_faq": 2.0, "cmrc2018": 2.0, "drcd": 0.3, "xquad_zh": 0.3}  # shares
FIRST_LOOK = OrderWeights(1.0, 0.8, adaptive=True)  # which candidates are read, before the order is chosen
FOLDS = 5
EVIDENCE = {
    Mode.HYBRID: KEYWORD_EVIDENCE + VECTOR_EVIDENCE + TEXT_EVIDENCE,
    Mode.KEYWORD: KEYWORD_EVIDENCE + TEXT_EVIDENCE[:-1],
    Mode.VECTOR: VECTOR_EVIDENCE + TEXT_EVIDENCE[:-1],
}
MODE_ORDER = {Mode.KEYWORD: OrderWeights(1.0, 0.0), Mode.VECTOR: OrderWeights(0.0, 1.0)}


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="calibrate", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--embedding", default="builtin")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--cache", type=Path)
    options = parser.parse_args(arguments)
    embedder = build_embedder(options.embedding)
    analyzer = Analyzer(load_terms(ASSETS / "data" / "terms"))
    collections = {
        name: load_collection(options.folder / name, embedder, analyzer, options.cache) for name in ORDER
    }
    weights = _choose_order(collections)
    rng = np.random.default_rng(0)
    asked = {name: ask(collections[name], FIRST_LOOK, rng) for name in CONFIDENCE}
    stored: dict[Mode, StoredConfidence] = {}
    measured: dict[str, dict[str, float]] = {}
    for mode, evidence in EVIDENCE.items():
        order = MODE_ORDER.get(mode, weights)
        rows = {name: questions(members, order) for name, members in asked.items()}
        for name, figures in cross_validated(rows, evidence).items():
            measured[f"{mode}/{name}"] = figures
            _say(f"{mode:8} {name:14}", figures)
        stored[mode] = _stored(_fit(rows, evidence))
    _write(options.out, embedder.name, weights, stored, measured)
    return 0


def _choose_order(collections: Mapping[str, Collection]) -> OrderWeights:
    chosen = choose({name: all_candidates(c, FIRST_LOOK) for name, c in collections.items()})
    for name, figures in chosen.figures.items():
        _say(f"order {name:14}", figures)
    return chosen.weights


def _fit(rows: Mapping[str, Sequence[Question]], evidence: Sequence[str]) -> ConfidenceModel:
    parts = {name: examples(members) for name, members in rows.items()}
    return fit(parts, CONFIDENCE, evidence, FitOptions())


def cross_validated(
    rows: Mapping[str, Sequence[Question]], evidence: Sequence[str]
) -> dict[str, dict[str, float]]:
    """Per collection: shares refused at the boundary, and of the absent at exactly 8 % false refusals."""
    rng = np.random.default_rng(1)
    folds = {name: rng.permutation(len(members)) % FOLDS for name, members in rows.items()}
    answerable = {name: np.zeros(len(members)) for name, members in rows.items()}
    absent = {name: np.zeros(len(members)) for name, members in rows.items()}
    for fold in range(FOLDS):
        train = {n: [q for q, f in zip(m, folds[n], strict=True) if f != fold] for n, m in rows.items()}
        model = _fit(train, evidence)
        for name, members in rows.items():
            tested = np.flatnonzero(folds[name] == fold).tolist()
            answerable[name][tested] = _scores(model, [members[i].best for i in tested])
            absent[name][tested] = _scores(model, [members[i].absent for i in tested])
    return {name: refusal_figures(answerable[name], absent[name]) for name in rows}


def _scores(model: ConfidenceModel, best: Sequence[Matrix]) -> list[float]:
    """Of each question's best candidate; 0 when it has none."""
    return [float(model.score(row)[0]) if len(row) else 0.0 for row in best]


def refusal_figures(answerable: Matrix, absent: Matrix, threshold: float = THRESHOLD) -> dict[str, float]:
    strict = float(np.quantile(answerable, 0.08))
    return {
        "refused_answerable": float((answerable < threshold).mean()),
        "refused_unanswerable": float((absent < threshold).mean()),
        "refused_unanswerable_at_8": float((absent < strict).mean()),
    }


def _stored(model: ConfidenceModel) -> StoredConfidence:
    def rounded(values: Matrix) -> tuple[float, ...]:
        return tuple(float(f"{value:.5g}") for value in values)

    return StoredConfidence(
        names=model.names,
        context=model.context,
        low=rounded(model.low),
        high=rounded(model.high),
        centre=rounded(model.centre),
        scale=rounded(model.scale),
        weights=rounded(model.weights),
        bias=float(f"{model.bias:.5g}"),
    )


def _write(
    out: Path,
    embedding: str,
    weights: OrderWeights,
    stored: Mapping[Mode, StoredConfidence],
    measured: Mapping[str, Mapping[str, float]],
) -> None:
    """The embedding's own file, and the fallback: the source's weights with the keyword leg's confidence."""
    out.mkdir(parents=True, exist_ok=True)
    order = StoredOrder(
        keyword=weights.keyword,
        vector=weights.vector,
        text=weights.text,
        title=weights.title,
        exact=weights.exact,
        quoted=weights.quoted,
        adaptive=weights.adaptive,
    )
    figures = {name: {k: round(v, 4) for k, v in row.items()} for name, row in measured.items()}
    own = StoredCalibration(embedding=embedding, order=order, confidence=dict(stored), measured=figures)
    fallback = StoredCalibration(
        embedding=FALLBACK,
        order=StoredOrder(keyword=0.3, vector=0.7),
        confidence={Mode.KEYWORD: stored[Mode.KEYWORD]},
        measured={name: row for name, row in figures.items() if name.startswith(Mode.KEYWORD)},
    )
    for calibration in (own, fallback):
        path = calibration_file(out, calibration.embedding)
        path.write_text(calibration.model_dump_json(indent=1) + "\n", encoding="utf-8")


def _say(label: str, figures: Mapping[str, float]) -> None:
    sys.stdout.write(label + "  " + "  ".join(f"{k} {v:.4f}" for k, v in figures.items()) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
