"""Confidence means the same everywhere: 0.55 is the boundary, inputs beyond calibration change nothing."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.config import ASSETS
from service.retrieval.calibration import Mode, calibration_file, load_calibration
from service.retrieval.confidence import NAMES, THRESHOLD, Scored, evidence_matrix, to_confidence
from service.retrieval.fusion import Legs
from service.retrieval.probe import Probe
from service.retrieval.signals import Signals

FOLDER = ASSETS / "data" / "retrieval"
BUILTIN = load_calibration(FOLDER, "builtin")
WORDS = dict.fromkeys(("出差", "住宿", "限额", "一线", "城市"), 3.0)
PROBE = Probe(
    text="问", words=WORDS, general=WORDS, pairs={}, bridges=(), exact=frozenset(), literals=frozenset(),
    names=(), quotes=(), rarity=0.5, rarest=0.7, unknown=0.0, procedure=False, fact=True,
)  # fmt: skip
FULL = Signals(
    coverage=1.0, rare=1.0, pairs=1.0, sentence=1.0, neighbours=1.0, title=1.0, missing=0.0, specific=1.0,
    lacking=0.0, length=300,
)  # fmt: skip
EMPTY = Signals(length=300)


def test_the_boundary_is_the_threshold() -> None:
    assert float(to_confidence(np.array([0.0]))[0]) == pytest.approx(THRESHOLD)


@pytest.mark.parametrize("mode", list(Mode))
def test_a_full_match_passes_and_an_empty_one_does_not(mode: Mode) -> None:
    legs = Legs(0.0 if mode is Mode.VECTOR else 0.8, 0.0 if mode is Mode.KEYWORD else 0.8)
    good, bad = Scored(legs, FULL, 0.8), Scored(Legs(0.02, 0.05), EMPTY, 0.03)
    model = BUILTIN.model(mode)
    assert float(model.score(evidence_matrix(PROBE, [good, bad]))[0]) > THRESHOLD
    if mode is not Mode.VECTOR:  # a cosine alone hardly tells a short question's chance neighbours apart
        assert float(model.score(evidence_matrix(PROBE, [bad, bad]))[0]) < THRESHOLD


@given(st.floats(-20, 20), st.floats(-20, 20))
def test_confidence_rises_with_the_evidence_and_parts_at_the_threshold(one: float, other: float) -> None:
    first, second = to_confidence(np.array([one, other]))
    assert (first >= THRESHOLD) == (one >= 0) or abs(one) < 1e-9
    assert first <= second if one <= other else first >= second
    assert abs(one - other) < 1e-6 or first != second


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(-1, 1), st.floats(0, 1)), min_size=1, max_size=12))
def test_every_candidate_has_a_whole_row_and_equal_ones_equal_rows(
    rows: list[tuple[float, float, float]],
) -> None:
    ranked = [Scored(Legs(k, v), Signals(c, c, c, c, c, length=9), k) for k, v, c in rows]
    matrix = evidence_matrix(PROBE, ranked)
    assert matrix.shape == (len(rows), len(NAMES)) and np.isfinite(matrix).all()
    assert matrix[:, NAMES.index("keyword")].tolist() == [k for k, _, _ in rows]
    twins = evidence_matrix(PROBE, [ranked[0]] * 4)
    assert (twins == twins[0]).all()


def test_values_beyond_the_calibrated_range_are_clipped() -> None:
    model = BUILTIN.model(Mode.HYBRID)
    far = model.score(np.full((1, len(NAMES)), 1e6))
    assert far == pytest.approx(model.score(np.full((1, len(NAMES)), 1e9)))


def test_an_unknown_embedding_gets_the_keyword_legs_confidence_and_the_sources_weights() -> None:
    calibration = load_calibration(FOLDER, "openai:some-model")
    assert (calibration.order.keyword, calibration.order.vector) == (0.3, 0.7)
    assert calibration.model(Mode.HYBRID) is calibration.model(Mode.KEYWORD)


def test_a_missing_fallback_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        load_calibration(tmp_path, "builtin")


def test_file_names_are_safe() -> None:
    assert calibration_file(Path(), "sentence-transformers:a/b").name == "sentence-transformers-a-b.json"
