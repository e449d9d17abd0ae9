"""The detector's weights: a readable table, one column for each style of record, fitted elsewhere."""

import csv
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from ingestion.minutes.cues import Columns, Vector
from ingestion.minutes.cutting import LengthPrior
from ingestion.minutes.units import Style

HEAD = ("kind", "feature", *Style)
BIAS, LENGTH, COLUMN, WORD = "bias", "length", "column", "word"
MEAN, DEVIATION = "mean", "deviation"
_DIGITS = 4


@dataclass(frozen=True, slots=True)
class Weights:
    """Log-odds of a boundary: `bias` plus every column by its weight plus the weight of every word there."""

    bias: float
    columns: Mapping[str, float]
    words: Mapping[str, float] = field(default_factory=dict)
    length: LengthPrior = LengthPrior(2.0, 0.6)

    def gains(self, columns: Columns, words: Iterable[Set[str]]) -> Vector:
        """One for each gap. Raises KeyError for a column that is not among `columns`."""
        total = sum((weight * columns[name] for name, weight in self.columns.items()), np.float64(self.bias))
        if not self.words:
            return np.asarray(total, dtype=np.float64)
        known = self.words
        return total + np.array([sum(known[word] for word in near & known.keys()) for near in words])


def read_weights(path: Path) -> dict[Style, Weights]:
    """Raises OSError; ValueError naming the line for what is not of this form."""
    with path.open(encoding="utf-8", newline="") as file:
        lines = list(csv.reader(file))
    if not lines or tuple(lines[0]) != HEAD:
        raise ValueError(f"第 1 行应为 {','.join(HEAD)}")
    return {style: _weights(lines[1:], place) for place, style in enumerate(Style, 2)}


def write_weights(path: Path, weights: Mapping[Style, Weights]) -> None:
    """Words in the order of what they weigh; the file is put in place whole."""
    written = path.with_suffix(".partial")
    with written.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(HEAD)
        writer.writerows(_lines([weights[style] for style in Style]))
    written.replace(path)


def _weights(lines: Sequence[Sequence[str]], place: int) -> Weights:
    found: dict[str, dict[str, float]] = {BIAS: {}, LENGTH: {}, COLUMN: {}, WORD: {}}
    for number, line in enumerate(lines, 2):
        try:
            if line[place]:
                found[line[0]][line[1]] = float(line[place])
        except (KeyError, ValueError, IndexError) as error:
            raise ValueError(f"第 {number} 行读不懂：{error!r}") from error
    if len(found[BIAS]) != 1 or set(found[LENGTH]) != {MEAN, DEVIATION} or found[LENGTH][DEVIATION] <= 0:
        raise ValueError(f"{HEAD[place]} 一列应有一个 bias，和 length 的 {MEAN} 与大于 0 的 {DEVIATION}")
    prior = LengthPrior(found[LENGTH][MEAN], found[LENGTH][DEVIATION])
    return Weights(next(iter(found[BIAS].values())), found[COLUMN], found[WORD], prior)


def _lines(weights: Sequence[Weights]) -> Iterable[Sequence[str]]:
    yield BIAS, "", *(_shown(each.bias) for each in weights)
    yield LENGTH, MEAN, *(_shown(each.length.mean) for each in weights)
    yield LENGTH, DEVIATION, *(_shown(each.length.deviation) for each in weights)
    columns, words = [each.columns for each in weights], [each.words for each in weights]
    for kind, tables in ((COLUMN, columns), (WORD, words)):
        names = dict.fromkeys(name for table in tables for name in table)
        for name in names:
            yield kind, name, *(_shown(table[name]) if name in table else "" for table in tables)


def _shown(weight: float) -> str:
    return str(round(weight, _DIGITS))
