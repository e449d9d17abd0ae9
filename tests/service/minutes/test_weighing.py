"""Whether the best utterance answers: near labelled questions, and never what stands nowhere."""

import numpy as np
import pytest

from service.minutes.evidence import NAMES
from service.minutes.weighing import load_asking
from service.newsroom import MINUTES_MODEL


@pytest.mark.parametrize(
    ("unknown", "said", "surely_not"),
    [(0.9, 0.3, True), (0.9, 0.6, False), (0.5, 0.3, False), (0.0, 0.0, False)],
)
def test_what_stands_nowhere_in_the_archive_is_no_answer(
    unknown: float, said: float, surely_not: bool
) -> None:
    model = load_asking(MINUTES_MODEL)
    features = {**dict.fromkeys(NAMES, 0.5), "unknown": unknown, "soft_near": said}
    logit = model.answers([features], model.order([features]))
    assert np.isneginf(logit) == surely_not
