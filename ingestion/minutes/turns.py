"""Who speaks around a gap, and whether it is the chair 主持人: who takes the floor most often."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise

import numpy as np

from ingestion.minutes.cues import Columns, Vector
from ingestion.minutes.units import Unit

AROUND = 6  # units on each side in which speakers are compared


def turn_columns(units: Sequence[Unit]) -> Columns:
    """All zero where nobody is named. Lengths are in log(1 + characters) / 3, near 0..3."""
    speakers = [unit.speaker for unit in units]
    chair = chair_of(units)
    gaps = range(1, len(units))
    changed = _flags(bool(speakers[i]) and speakers[i] != speakers[i - 1] for i in gaps)
    by_chair = _flags(bool(chair) and speakers[i] == chair for i in gaps)
    return {
        "same_speaker": same_speaker(units),
        "chair": by_chair * changed,
        "chair_goes_on": by_chair * (1 - changed),
        "after_chair": _flags(bool(chair) and speakers[i - 1] == chair for i in gaps) * changed,
        "floor_before_chair": by_chair * changed * _lengths(_since(units, chair)),
        "turn_length": changed * _lengths(_turns(units)),
        "new_speaker": _flags(speakers[i] not in speakers[:i] for i in gaps) * changed,
        "same_people": np.array([_same_people(speakers, i, chair) for i in gaps]),
    }


def same_speaker(units: Sequence[Unit]) -> Vector:
    return _flags(bool(unit.speaker) and unit.speaker == last.speaker for last, unit in pairwise(units))


def chair_of(units: Sequence[Unit]) -> str:
    """Who has most turns, of several the one who says least; empty where nobody is named."""
    turns: Counter[str] = Counter()
    said: Counter[str] = Counter()
    last = ""
    for unit in units:
        if unit.speaker:
            turns[unit.speaker] += unit.speaker != last
            said[unit.speaker] += len(unit.text)
        last = unit.speaker
    return min(turns, key=lambda name: (-turns[name], said[name]), default="")


def _flags(values: Iterable[bool]) -> Vector:
    return np.array(list(values), dtype=np.float64)


def _lengths(characters: Sequence[int]) -> Vector:
    return np.log1p(np.array(characters, dtype=np.float64)) / 3


def _since(units: Sequence[Unit], chair: str) -> list[int]:
    """For each gap, how much was said since the chair last spoke."""
    found, running = [], 0
    for unit in units[:-1]:
        running = 0 if unit.speaker == chair else running + len(unit.text)
        found.append(running)
    return found


def _turns(units: Sequence[Unit]) -> list[int]:
    """For each gap, how long its next unit's speaker goes on."""
    found, running, following = [], 0, None
    for unit in reversed(units[1:]):
        running = running + len(unit.text) if unit.speaker == following else len(unit.text)
        following = unit.speaker
        found.append(running)
    return found[::-1]


def _same_people(speakers: Sequence[str], gap: int, chair: str) -> float:
    """Jaccard similarity of who speaks before and after, the chair aside."""
    before = set(speakers[max(0, gap - AROUND) : gap]) - {chair, ""}
    after = set(speakers[gap : gap + AROUND]) - {chair, ""}
    return len(before & after) / max(1, len(before | after))
