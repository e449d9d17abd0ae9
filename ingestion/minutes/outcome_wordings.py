"""The words outcomes are known by, read from `outcomes.csv`: labels, cues of speech, and what rules out.

A pattern of use `said` may hold {who} (someone of this meeting), {me} (the speaker), {mine} (nothing, but the
speaker's), {you}, {deadline} (by when), {soon} (a day near ahead) and {do} (a verb of the use `do`).
"""

import csv
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from ingestion.minutes.outcome import OutcomeKind
from ingestion.minutes.outcome_marks import DEADLINE, SOON, WHO

HEAD = ("use", "kind", "pattern")
BACKGROUND = "background"  # a label of what led to the outcomes: nothing is looked for below it
OTHER = "other"  # a label that only ends a section
_KINDS: Mapping[str, frozenset[str]] = {
    "label": frozenset({*OutcomeKind, BACKGROUND, OTHER}),
    "column": frozenset({*OutcomeKind, "owner", "due"}),
    "said": frozenset(OutcomeKind),
    **dict.fromkeys(
        ("agenda", "announces", "do", "due_label", "end", "never", "nothing", "owner_label"), frozenset({""})
    ),
}


@dataclass(frozen=True, slots=True)
class Cue:
    """Of speech. `pattern` is for marked text; its group `owner` is who was named, `me` there for 我."""

    kind: OutcomeKind
    pattern: re.Pattern[str]


@dataclass(frozen=True, slots=True, order=True)
class _Row:
    """Of the data file, its placeholders filled; `number` is its line's."""

    use: str
    kind: str
    number: int
    pattern: str


@dataclass(frozen=True, slots=True)
class Wordings:
    """Patterns of one use and kind are one alternation; `labels` and `columns` by their kind.

    `labels` come in the order they are tried: 上次遗留问题 is no 遗留问题.
    """

    labels: Mapping[str, re.Pattern[str]]
    columns: Mapping[str, re.Pattern[str]]
    end: re.Pattern[str]
    announces: re.Pattern[str]
    agenda: re.Pattern[str]
    nothing: re.Pattern[str]
    owner_label: re.Pattern[str]
    due_label: re.Pattern[str]
    never: re.Pattern[str]
    cues: tuple[Cue, ...]


def read_wordings(path: Path) -> Wordings:
    """Raises OSError; ValueError naming the line for what is no wording."""
    with path.open(encoding="utf-8", newline="") as file:
        lines = list(csv.reader(file))
    if not lines or tuple(lines[0]) != HEAD:
        raise ValueError(f"第 1 行应为 {','.join(HEAD)}")
    verbs = "|".join(line[2] for line in lines[1:] if len(line) == len(HEAD) and line[0] == "do")
    rows = sorted(_checked(line, number, verbs) for number, line in enumerate(lines[1:], 2))
    joined = {
        key: re.compile("|".join(f"(?:{row.pattern})" for row in group), re.IGNORECASE)
        for key, group in groupby(rows, key=lambda row: (row.use, row.kind))
        if key[0] != "said"
    }
    wanted = {(use, kind) for use, kinds in _KINDS.items() if use != "said" for kind in kinds}
    if missing := wanted - joined.keys():
        raise ValueError(f"缺少 {'、'.join(sorted(' '.join(key).strip() for key in missing))}")
    return Wordings(
        labels={kind: joined["label", kind] for kind in (OTHER, BACKGROUND, *OutcomeKind)},
        columns={kind: joined["column", kind] for kind in sorted(_KINDS["column"])},
        end=joined["end", ""],
        announces=joined["announces", ""],
        agenda=joined["agenda", ""],
        nothing=joined["nothing", ""],
        owner_label=joined["owner_label", ""],
        due_label=joined["due_label", ""],
        never=joined["never", ""],
        cues=tuple(Cue(OutcomeKind(row.kind), re.compile(row.pattern)) for row in rows if row.use == "said"),
    )


def _checked(line: Sequence[str], number: int, verbs: str) -> _Row:
    try:
        use, kind, written = line
        pattern = _filled(written, verbs) if use == "said" else written
        re.compile(pattern)
    except (ValueError, re.error) as error:
        raise ValueError(f"第 {number} 行读不懂：{error}") from error
    if kind not in _KINDS.get(use, frozenset()) or not pattern:
        raise ValueError(f"第 {number} 行的 use 与 kind 不成一对，或没有 pattern：{use}、{kind}")
    return _Row(use, kind, number, pattern)


def _filled(pattern: str, verbs: str) -> str:
    parts = {
        "{who}": f"(?<![问找跟向])(?P<owner>{WHO}(?:(?:[、和及]|以及){WHO})*)",
        "{me}": "(?P<me>我(?!们))",
        "{mine}": "(?P<me>)",
        "{you}": "(?:[，,]?(?:麻烦|请|辛苦)?你们?(?:两个|几个|几位)?)",
        "{deadline}": DEADLINE,
        "{soon}": SOON,
        "{do}": f"(?:{verbs})(?![了的])",
    }
    for name, words in parts.items():
        pattern = pattern.replace(name, words)
    first = pattern.find("(?P<owner>")  # a second one of a pattern only asks for somebody
    return pattern[: first + 1] + pattern[first + 1 :].replace("(?P<owner>", "(?:") if first >= 0 else pattern
