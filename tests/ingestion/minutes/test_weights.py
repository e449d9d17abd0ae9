"""The table of weights comes back as it was written."""

from pathlib import Path

import numpy as np

from ingestion.minutes.cutting import LengthPrior
from ingestion.minutes.units import Style
from ingestion.minutes.weights import Weights, read_weights, write_weights

WEIGHTS = {
    Style.MEETING: Weights(-2.0, {"chair": 0.5, "new": -1.25}, {}, LengthPrior(2.3, 0.6)),
    Style.TALK: Weights(
        -1.0, {"chair": 0.0, "new": 0.5}, {"after:，": 0.5, "end:吗？": -0.25}, LengthPrior(1.9, 0.5)
    ),
    Style.NOTES: Weights(-0.5, {"chair": 0.0, "new": 0.0}, {"begin:同意": 1.5}, LengthPrior(1.1, 0.7)),
}


def test_weights_come_back_as_written(tmp_path: Path) -> None:
    path = tmp_path / "weights.csv"
    write_weights(path, WEIGHTS)
    assert read_weights(path) == WEIGHTS
    assert [file.name for file in tmp_path.iterdir()] == ["weights.csv"]


def test_a_gain_is_the_bias_with_its_columns_and_words() -> None:
    columns = {"chair": np.array([0.0, 1.0]), "new": np.array([1.0, 0.0])}
    words = [{"after:，", "after:好"}, {"end:吗？"}]
    assert WEIGHTS[Style.TALK].gains(columns, words).tolist() == [0.0, -1.25]
    assert WEIGHTS[Style.MEETING].gains(columns, words).tolist() == [-3.25, -1.5]
