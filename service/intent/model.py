"""A small model that settles what the cue words left unclear: a linear one over the message's vector.

It only chooses between the two that the cues offer, and only when it is sure; what people find unclear stays
unclear. Softmax regression fitted by `service.evaluation.intent_model` to labelled utterances.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, ValidationError

from ingestion.analyzer import simplify
from ingestion.protocols import Embedder, Vectors
from service.errors import Unavailable
from service.intent.cues import Intent
from service.intent.reader import Reading

SURE = 0.9  # from here on, cross-validated, 45 % of the needless choices are settled and 7 % of the real ones

Real = TypeVar("Real", np.float32, np.float64)


class Weights(BaseModel):
    """`weights`: one row a class, as long as the vectors of `embedding`."""

    model_config = ConfigDict(frozen=True)

    embedding: str
    classes: tuple[Intent, ...]
    weights: tuple[tuple[float, ...], ...]
    bias: tuple[float, ...]


@dataclass(frozen=True)
class IntentModel:
    """`name` is the engine that a reading names. Thread-safe as its embedder is."""

    name: str
    classes: tuple[Intent, ...]
    weights: Vectors
    bias: Vectors
    embed: Callable[[str], Vectors]

    def settle(self, reading: Reading, text: str) -> Reading:
        """A clear reading costs nothing."""
        if not reading.either:
            return reading
        chances = softmax(self.weights @ self.embed(text) + self.bias)
        best = int(chances.argmax())
        if chances[best] < SURE or self.classes[best] not in reading.either:
            return reading
        return replace(reading, intent=self.classes[best], either=(), model=self.name)


def softmax(logits: NDArray[Real]) -> NDArray[Real]:
    """The chances of the classes, which lie along the last axis: one utterance, or one a row."""
    powers = np.exp(logits - logits.max(axis=-1, keepdims=True))
    chances: NDArray[Real] = powers / powers.sum(axis=-1, keepdims=True)
    return chances


def load_model(folder: Path, embedder: Embedder) -> IntentModel | None:
    """The model of this embedding; None where none was fitted. Raises Unavailable for a damaged file."""
    path = folder / f"{embedder.name}.json"
    if not path.is_file():
        return None
    try:
        found = Weights.model_validate(json.loads(path.read_text(encoding="utf-8")))
    except (ValueError, ValidationError) as error:
        raise Unavailable(f"意图模型 {path.name} 无法读取：{error}") from error

    def embed(text: str) -> Vectors:
        vector: Vectors = embedder.embed_queries([simplify(text)])[0]
        return vector

    weights = np.array(found.weights, dtype=np.float32)
    return IntentModel(
        f"intent-{embedder.name}", found.classes, weights, np.array(found.bias, dtype=np.float32), embed
    )
