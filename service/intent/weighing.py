"""A small model that weighs what people write: short runs of letters beside the scores of the cue words.

The words of the processes, amounts, numbers and references are masked first, so that what was learnt from the
sample processes holds for others. Softmax regression fitted by `service.evaluation.intent_model` to labelled
utterances; the weights are data.
"""

import csv
import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from service.errors import Unavailable
from service.intent.cues import Intent

NAME = "intent-grams"
INTENTS = tuple(Intent)
BETWEEN = "/"  # of the two intents of a class that is a choice for people
LONGEST = 3  # letters of a run
SCALE = 0.03  # of a cue's weight against that of a run; what was tried stands in docs/performance.md
LEAST, MOST = -4.0, 6.0  # what the cues of one intent count for together
HEAD = ("kind", "feature")  # of the file's columns, then one for each class
BIAS, CUE, RUN = "bias", "cue", "run"

Class = tuple[Intent, ...]  # one intent, or the two to choose from

# What stands for a word of a class. Folding leaves none of these letters, so no message can write one itself.
MASKS: Mapping[str, str] = {"№": "单号", "￥": "金额", "Ⓟ": "流程词", "Ⓞ": "选项", "⓪": "数"}

Weights = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Mask:
    """Puts one letter in the place of every word of a class."""

    patterns: tuple[tuple[str, re.Pattern[str]], ...]

    def __call__(self, normal_text: str) -> str:
        for letter, pattern in self.patterns:
            normal_text = pattern.sub(letter, normal_text)
        return normal_text


def mask_of(classes: Mapping[str, str]) -> Mask:
    """`classes`: patterns by the name of the class, as `cues.classes_of` makes them."""
    return Mask(tuple((letter, re.compile(classes[name])) for letter, name in MASKS.items()))


def runs_of(masked: str) -> Set[str]:
    """Every run of one to LONGEST letters, once."""
    return {
        masked[start : start + length]
        for length in range(1, LONGEST + 1)
        for start in range(len(masked) - length + 1)
    }


def cue_features(scores: Mapping[Intent, float]) -> Weights:
    """Shape (5,): the cues' scores in the order of INTENTS, bounded and scaled."""
    found = np.array([scores.get(intent, 0.0) for intent in INTENTS])
    bounded: Weights = np.clip(found, LEAST, MOST)
    return bounded * SCALE


@dataclass(frozen=True)
class IntentModel:
    """`runs`: the row of each known run in `weights`, shape (runs, classes); `cues`, shape (5, classes), has
    one row for each intent's score.
    """

    classes: tuple[Class, ...]
    runs: Mapping[str, int]
    weights: Weights
    cues: Weights
    bias: Weights

    def best(self, masked: str, scores: Mapping[Intent, float]) -> Class:
        """The likeliest class."""
        known = [self.runs[run] for run in runs_of(masked) if run in self.runs]
        logits = self.bias + cue_features(scores) @ self.cues
        if known:
            logits = logits + self.weights[known].sum(axis=0) / np.sqrt(len(known))
        return self.classes[int(logits.argmax())]


def load_model(path: Path) -> IntentModel:
    """Raises Unavailable for a file that is not there or damaged; the message names the line."""
    try:
        with path.open(encoding="utf-8", newline="") as file:
            return _read(list(csv.reader(file)))
    except (OSError, ValueError) as error:
        raise Unavailable(f"意图模型 {path.name} 无法读取：{error}") from error


def _read(lines: Sequence[Sequence[str]]) -> IntentModel:
    if not lines or tuple(lines[0][:2]) != HEAD:
        raise ValueError(f"第 1 行应以 {','.join(HEAD)} 开头")
    classes = tuple(_class(name) for name in lines[0][2:])
    rows: dict[str, dict[str, list[float]]] = {BIAS: {}, CUE: {}, RUN: {}}
    for number, line in enumerate(lines[1:], 2):
        try:
            kind, feature, *weights = line
            rows[kind][feature] = [float(weight) for weight in weights]
        except (KeyError, ValueError) as error:
            raise ValueError(f"第 {number} 行读不懂：{error}") from error
        if len(weights) != len(classes):
            raise ValueError(f"第 {number} 行应有 {len(lines[0])} 列")
    if not classes or set(rows[CUE]) != set(INTENTS) or len(rows[BIAS]) != 1 or not rows[RUN]:
        raise ValueError("应有一行 bias、五行 cue 和至少一行 run")
    return IntentModel(
        classes,
        {run: place for place, run in enumerate(rows[RUN])},
        np.array(list(rows[RUN].values())),
        np.array([rows[CUE][intent] for intent in INTENTS]),
        np.array(next(iter(rows[BIAS].values()))),
    )


def _class(name: str) -> Class:
    """Raises ValueError."""
    return tuple(Intent(part) for part in name.split(BETWEEN))
