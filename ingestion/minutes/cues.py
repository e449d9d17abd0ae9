"""What people say where a topic changes: patterns by the place they are looked for, read from `cues.csv`."""

import csv
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]
Columns = Mapping[str, Vector]

HEAD = ("cue", "place", "prior", "pattern")
_OPENING, _HEAD, _BODY, _TAIL, _LAST = 40, 60, 250, 60, 8  # characters


@dataclass(frozen=True, slots=True)
class Gap:
    """Between two units, without the white space around them."""

    before: str
    after: str
    same_speaker: bool = False


PLACES: Mapping[str, Callable[[Gap], str]] = {
    "opening": lambda gap: gap.after[:_OPENING],
    "turn": lambda gap: "" if gap.same_speaker else gap.after[:_OPENING],  # 第二个 within a speech goes on
    "head": lambda gap: gap.after[:_HEAD],
    "body": lambda gap: f"{gap.after[:_BODY]}\n{gap.after[_BODY:][-_HEAD:]}",
    "after": lambda gap: gap.after,
    "ending": lambda gap: gap.after[-_LAST:],
    "tail": lambda gap: gap.before[-_TAIL:],
    "last": lambda gap: gap.before[-_LAST:],
}


@dataclass(frozen=True, slots=True)
class Cue:
    """`prior`: the weight it has as long as data do not say otherwise."""

    name: str
    place: str
    prior: float
    pattern: re.Pattern[str]

    def stands_in(self, gap: Gap) -> bool:
        return self.pattern.search(PLACES[self.place](gap)) is not None


def cue_columns(gaps: Sequence[Gap], cues: Sequence[Cue]) -> Columns:
    """One column of 0 and 1 for each cue."""
    return {cue.name: np.array([cue.stands_in(gap) for gap in gaps], dtype=np.float64) for cue in cues}


def read_cues(path: Path) -> tuple[Cue, ...]:
    """Raises OSError; ValueError naming the line for what is no cue."""
    with path.open(encoding="utf-8", newline="") as file:
        lines = list(csv.reader(file))
    if not lines or tuple(lines[0]) != HEAD:
        raise ValueError(f"第 1 行应为 {','.join(HEAD)}")
    cues = tuple(_cue(line, number) for number, line in enumerate(lines[1:], 2))
    if len({cue.name for cue in cues}) < len(cues):
        raise ValueError("有两行的 cue 同名")
    return cues


def _cue(line: Sequence[str], number: int) -> Cue:
    try:
        name, place, prior, pattern = line
        cue = Cue(name, place, float(prior), re.compile(pattern))
    except (ValueError, re.error) as error:
        raise ValueError(f"第 {number} 行读不懂：{error}") from error
    if place not in PLACES:
        raise ValueError(f"第 {number} 行的 place 应为 {'、'.join(PLACES)} 之一")
    return cue
