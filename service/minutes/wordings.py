"""The wordings of questions to the archive, and of what is said there, from `asking.toml`."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from service.errors import Unavailable

FOCUS_BEFORE, FOCUS_AFTER = 8, 5  # characters next to what asks
_CLAUSE = re.compile(r"[，,。？?！!；;：:、\s]")
_MEASURES = "个台家天次位人条成分起期项级款档名份套件集万块元年月号日点度层页辆倍"
_UNIT = re.compile(rf"(?:几|多少)[百千万十]?(个人|公斤|公里|百分点|平方|[{_MEASURES}])")


class Shape(StrEnum):
    """What an answer must look like."""

    MONEY = "money"
    DAY = "day"
    NUMBER = "number"
    PERSON = "person"
    NAME = "name"
    REASON = "reason"
    OPINION = "opinion"


@dataclass(frozen=True, slots=True)
class Wordings:
    """Of questions: `scaffold` are words that ask without naming what is asked for, `interrogative` those
    that stand next to it, `decided` ask what was decided, `change` how a position moved. Of what was
    said: `settled` decides, `open` says that nothing is decided, `turned` that it was otherwise before,
    `against` and `supports` take a side.
    """

    scaffold: re.Pattern[str]
    interrogative: re.Pattern[str]
    decided: re.Pattern[str]
    change: re.Pattern[str]
    settled: re.Pattern[str]
    open: re.Pattern[str]
    turned: re.Pattern[str]
    against: re.Pattern[str]
    supports: re.Pattern[str]
    shapes: Mapping[Shape, re.Pattern[str]]

    def focus_of(self, folded: str) -> str:
        """The words next to what asks: 「对方的采购总监怎么回应的」 asks for 采购总监 and 回应."""
        parts = []
        for found in self.interrogative.finditer(folded):
            before = _CLAUSE.split(folded[max(0, found.start() - FOCUS_BEFORE) : found.start()])[-1]
            after = _CLAUSE.split(folded[found.end() : found.end() + FOCUS_AFTER])[0]
            parts.append(f"{before} {after}")
        return " ".join(parts)

    def units_of(self, folded: str) -> tuple[str, ...]:
        """几公斤, 多少台, 百分之几: the unit that an answer's number has."""
        return tuple(dict.fromkeys(match[1] for match in _UNIT.finditer(folded)))

    def side(self, folded: str) -> int:
        """-1 against, 1 for, 0 where a text takes no side or both."""
        against = bool(self.against.search(folded))
        supports = bool(self.supports.search(self.against.sub("", folded)))
        return supports - against

    def shapes_of(self, folded: str) -> frozenset[Shape]:
        return frozenset(shape for shape, pattern in self.shapes.items() if pattern.search(folded))


def load_wordings(path: Path) -> Wordings:
    """Raises Unavailable, which names what is damaged."""
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
        return Wordings(
            scaffold=_either(table["scaffold"]),
            interrogative=_either(table["interrogative"]),
            decided=_either(table["decided"]),
            change=_either(table["change"]),
            settled=_either(table["said"]["settled"]),
            open=_either(table["said"]["open"]),
            turned=_either(table["said"]["turned"]),
            against=_either(table["said"]["against"]),
            supports=_either(table["said"]["supports"]),
            shapes={Shape(name): _either(patterns) for name, patterns in table["shapes"].items()},
        )
    except (OSError, ValueError, KeyError, TypeError, re.error) as error:
        raise Unavailable(f"问会议的说法 {path.name} 无法读取：{error}") from error


def _either(patterns: list[str]) -> re.Pattern[str]:
    """The longest first, so that a whole wording goes before a word in it. Raises ValueError for none or an
    empty one, which would be found everywhere.
    """
    if not isinstance(patterns, list) or not patterns or not all(patterns):
        raise ValueError("没有一条说法，或有一条是空的")
    return re.compile("|".join(sorted(patterns, key=lambda pattern: (-len(pattern), pattern))))
