"""What was calibrated for one embedding, read from `data/retrieval/<embedding>.json`.

Written by `python -m service.evaluation.calibrate`. An embedding without a file gets the source's weights
(.3 keyword, .7 vector) and the confidence of the keyword leg, which holds for any embedding.
"""

import re
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

import numpy as np
from pydantic import BaseModel, ConfigDict

from service.retrieval.confidence import ConfidenceModel
from service.retrieval.fusion import OrderWeights

CACHE_SIMILARITY = 0.95
FALLBACK = "default"


class Mode(StrEnum):
    """Which legs are searched."""

    HYBRID = "hybrid"
    KEYWORD = "keyword"
    VECTOR = "vector"


class _Stored(BaseModel):
    model_config = ConfigDict(extra="forbid")


class StoredOrder(_Stored):
    keyword: float
    vector: float
    text: float = 0.0
    title: float = 0.0
    exact: float = 0.0
    quoted: float = 0.0
    adaptive: bool = False

    def weights(self) -> OrderWeights:
        return OrderWeights(**self.model_dump())


class StoredConfidence(_Stored):
    """Columns of `confidence.NAMES` with the range seen, then the logistic weights over the design."""

    names: tuple[str, ...]
    context: tuple[str, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]
    centre: tuple[float, ...]
    scale: tuple[float, ...]
    weights: tuple[float, ...]
    bias: float

    def model(self) -> ConfidenceModel:
        return ConfidenceModel(
            names=self.names,
            context=self.context,
            low=np.array(self.low),
            high=np.array(self.high),
            centre=np.array(self.centre),
            scale=np.array(self.scale),
            weights=np.array(self.weights),
            bias=self.bias,
        )


class StoredCalibration(_Stored):
    """`measured` keeps the cross-validated figures the file was accepted with.

    `cache_similarity`: the least cosine of two questions of one meaning; the default is the source's figure.
    """

    embedding: str
    cache_similarity: float = CACHE_SIMILARITY
    order: StoredOrder
    confidence: dict[Mode, StoredConfidence]
    measured: dict[str, dict[str, float]] = {}


@dataclass(frozen=True)
class Calibration:
    order: OrderWeights
    confidence: dict[Mode, ConfidenceModel]
    cache_similarity: float = CACHE_SIMILARITY

    def model(self, mode: Mode) -> ConfidenceModel:
        """The model of a mode; the keyword leg's where the mode was not calibrated."""
        return self.confidence.get(mode, self.confidence[Mode.KEYWORD])


def calibration_file(folder: Path, embedding: str) -> Path:
    """`sentence-transformers:bge-small-zh-v1.5` -> `sentence-transformers-bge-small-zh-v1.5.json`."""
    return folder / (re.sub(r"[^\w.]+", "-", embedding) + ".json")


def load_calibration(folder: Path, embedding: str) -> Calibration:
    """Raises FileNotFoundError when the shipped fallback is missing, ValidationError for a damaged file."""
    path = calibration_file(folder, embedding)
    chosen = path if path.is_file() else calibration_file(folder, FALLBACK)
    stored = StoredCalibration.model_validate_json(chosen.read_text(encoding="utf-8"))
    models = {mode: confidence.model() for mode, confidence in stored.confidence.items()}
    return Calibration(stored.order.weights(), models, stored.cache_similarity)
