"""The fit finds a boundary that separates, and keeps false refusals near the target everywhere."""

import numpy as np

from service.evaluation.fitting import Examples, FitOptions, fit
from service.evaluation.ordering import choose, grid
from service.retrieval.confidence import NAMES, TEXT_EVIDENCE, Matrix


def rows(rng: np.random.Generator, count: int, level: float) -> Matrix:
    """Evidence around `level` in every column but the context's."""
    values = rng.normal(level, 0.1, (count, len(NAMES)))
    return np.asarray(values.clip(0, 1), dtype=np.float64)


def test_collections_at_different_levels_are_told_apart_with_few_false_refusals() -> None:
    rng = np.random.default_rng(3)
    examples = {}
    for name, low, high in (("easy", 0.2, 0.9), ("hard", 0.3, 0.6)):
        present = rows(rng, 300, high)
        examples[name] = Examples(present, present, rows(rng, 300, low))
    model = fit(examples, {"easy": 1.0, "hard": 1.0}, TEXT_EVIDENCE, FitOptions(steps=300))
    for part in examples.values():
        assert (model.score(part.best) < 0.55).mean() <= 0.12
        assert (model.score(part.absent) < 0.55).mean() >= 0.9


def test_a_collection_without_absent_questions_can_take_part() -> None:
    rng = np.random.default_rng(4)
    present, none = rows(rng, 50, 0.8), np.zeros((0, len(NAMES)))
    examples = {"a": Examples(present, present, rows(rng, 50, 0.2)), "b": Examples(present, present, none)}
    model = fit(examples, {"a": 1.0, "b": 1.0}, TEXT_EVIDENCE, FitOptions(steps=100))
    assert np.isfinite(model.weights).all()


def test_the_grid_holds_distinct_weights_and_an_empty_choice_is_possible() -> None:
    assert len(set(grid())) == len(grid())
    assert choose({"empty": []}).least_lead == 0.0
