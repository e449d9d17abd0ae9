"""What is looked at in every gap between two units: each feature is a column by its name."""

import re
from collections.abc import Iterator, Sequence, Set
from itertools import pairwise

import numpy as np

from ingestion.minutes.appearance import appearance_columns
from ingestion.minutes.cohesion import cohesion_columns, words_of
from ingestion.minutes.cues import Columns, Cue, Gap, cue_columns
from ingestion.minutes.mentions import mention_columns
from ingestion.minutes.turns import turn_columns
from ingestion.minutes.units import Unit
from ingestion.segmenter import Segmenter

ASKED = "was_asked"  # the cue that the unit before ends with a question
BY_CHAIR = ("moves_on", "hands_over", "asks")  # cues that weigh more from who chairs
_NEAR = 80  # characters on each side of a gap whose words are read
_EDGE = 3  # words at the edge of a unit that are also read as one
_DIGIT = "0"
_PIECE = re.compile(r"[A-Za-z]+|[\u4e00-\u9fff]+|\d+|[，。？！：；、《》,.?!:;*<@#—-]")


def gap_columns(units: Sequence[Unit], cues: Sequence[Cue], segmenter: Segmenter) -> Columns:
    """Every column has len(units) - 1 rows, none for fewer than two units."""
    if len(units) < 2:
        return {}
    texts = [unit.text for unit in units]
    said = cue_columns(gaps_of(units), cues)
    turns = turn_columns(units)
    words = words_of(texts, segmenter)
    asked = said.get(ASKED, np.zeros(len(units) - 1))
    return {
        **said,
        **turns,
        **{f"chair_{name}": said[name] * turns["chair"] for name in BY_CHAIR if name in said},
        **cohesion_columns(words),
        **mention_columns(words, texts, asked, segmenter),
        **appearance_columns(texts),
    }


def gaps_of(units: Sequence[Unit]) -> list[Gap]:
    return [
        Gap(before.text, after.text, bool(after.speaker) and after.speaker == before.speaker)
        for before, after in pairwise(units)
    ]


def gap_words(gaps: Sequence[Gap], segmenter: Segmenter) -> Iterator[Set[str]]:
    """For each gap the words near it, marked with the side they stand on: `after:同意`, `begin:遗留问题`."""
    for gap in gaps:
        before, after = _words(gap.before[-_NEAR:], segmenter), _words(gap.after[:_NEAR], segmenter)
        yield (
            {f"before:{word}" for word in before}
            | {f"after:{word}" for word in after}
            | {f"begin:{''.join(after[:count])}" for count in range(1, _EDGE + 1)}
            | {f"end:{''.join(before[-count:])}" for count in range(1, _EDGE + 1)}
        )


def _words(text: str, segmenter: Segmenter) -> list[str]:
    """Words and signs; any number is 0, so that none is learnt."""
    found: list[str] = []
    for piece in _PIECE.findall(text):
        if piece[0].isdecimal():
            found.append(_DIGIT)
        elif "\u4e00" <= piece[0] <= "\u9fff":
            found += segmenter.words(piece)
        else:
            found.append(piece.lower())
    return found
