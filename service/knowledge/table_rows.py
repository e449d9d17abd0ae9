"""Rows of a table that were said as sentences (`A为…，B为…`), taken apart into their cells again."""

import re
from dataclasses import dataclass
from functools import lru_cache

from ingestion.analyzer import fold

_SEPARATOR = " | "  # between the headers of a chunk's context
_UNIT = re.compile(r"[(（](?P<unit>[^()（）]{1,6})[)）]$")
_TABLE_UNIT = re.compile(r"单位[:：为]\s*(?P<unit>[^/()（）·\s]{1,4})")
_END = "。；;，, "


@dataclass(frozen=True, slots=True)
class Cell:
    """Folded. `unit` is the one its header or its table states, else empty."""

    header: str
    value: str
    unit: str = ""


def cells(sentence: str, context: str) -> tuple[Cell, ...]:
    """The cells of a folded row; () when the sentence is not a row under one of the headers of `context`."""
    for line in fold(context).split("\n"):
        headers = tuple(part.strip() for part in line.split(_SEPARATOR) if part.strip())
        if len(headers) > 1:
            found = _taken_apart(sentence, headers)
            if len(found) > 1:
                return found
    return ()


def _taken_apart(sentence: str, headers: tuple[str, ...]) -> tuple[Cell, ...]:
    marks = list(_pattern(headers).finditer(sentence))
    if not marks:
        return ()
    ends = [match.start() for match in marks[1:]] + [len(sentence)]
    stated = _TABLE_UNIT.search(sentence[: marks[0].start()])
    table_unit = stated["unit"] if stated else ""
    return tuple(
        Cell(match["header"], sentence[match.end() : end].strip(_END), _unit(match["header"]) or table_unit)
        for match, end in zip(marks, ends, strict=True)
    )


@lru_cache(maxsize=256)
def _pattern(headers: tuple[str, ...]) -> re.Pattern[str]:
    """A header, or what is left of it when its unit was said with the value, at the start of a clause."""
    names = set(headers) | {_UNIT.sub("", header) for header in headers}
    choice = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True) if name)
    return re.compile(rf"(?:^|(?<=[，,:：(（]))(?P<header>{choice})(?:为|(?<=[:：]))")


def _unit(header: str) -> str:
    found = _UNIT.search(header)
    return found["unit"] if found else ""
