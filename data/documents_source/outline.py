"""Reads a source text: front matter, headings, paragraphs and tables.

A small part of Markdown. In a table `^` joins a cell to the one above it and `<` to the one on its left.
`{--old--}{++new++}` in a paragraph is a tracked change (CriticMarkup).
"""

import re
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

MERGE_UP = "^"
MERGE_LEFT = "<"
_HEADING = re.compile(r"(#{1,4})\s+(.+)")
_RULE_ROW = re.compile(r"\|(?:\s*-+\s*\|)+")
_TRACKED = re.compile(r"(\{--.+?--\}|\{\+\+.+?\+\+\})")


class SourceError(ValueError):
    """The source text does not follow the form above; the message names the file and what is wrong."""


@dataclass(frozen=True, slots=True)
class Heading:
    level: int
    text: str


@dataclass(frozen=True, slots=True)
class Paragraph:
    text: str


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of equal length, the header first; cells may hold `MERGE_UP` or `MERGE_LEFT`."""

    rows: tuple[tuple[str, ...], ...]

    def span(self, row: int, column: int) -> tuple[int, int]:
        """How many rows and columns the cell at `row`, `column` covers."""
        width = 1
        while column + width < len(self.rows[row]) and self.rows[row][column + width] == MERGE_LEFT:
            width += 1
        height = 1
        while row + height < len(self.rows) and self.rows[row + height][column] == MERGE_UP:
            height += 1
        return height, width


Piece = Heading | Paragraph | Table


@dataclass(frozen=True, slots=True)
class Source:
    """One sample document. `meta` holds the front matter, `pieces` the body in order."""

    path: Path
    meta: dict[str, str]
    pieces: tuple[Piece, ...]

    @property
    def file_name(self) -> str:
        return self.meta["file"]

    @property
    def title(self) -> str:
        return self.meta["title"]

    @property
    def dated(self) -> datetime:
        """The day of issue at nine o'clock: the only time that is written into the files."""
        return datetime.fromisoformat(self.meta["date"]).replace(hour=9)

    @property
    def imprint(self) -> str:
        """文号 and issuer on one line, as under an official title; empty for informal pages."""
        return "　　".join(part for part in (self.meta.get("number", ""), self.meta["issuer"]) if part)


def read(path: Path) -> Source:
    """The source at `path`. Raises SourceError when the front matter or a table is malformed."""
    _, head, body = path.read_text(encoding="utf-8").split("---\n", 2)
    pairs = (line.partition(":") for line in head.splitlines())
    meta = {key.strip(): value.strip() for key, _, value in pairs}
    missing = {"file", "title", "issuer", "date"} - meta.keys()
    if missing:
        raise SourceError(f"{path.name}: front matter lacks {sorted(missing)}")
    groups = [group for group in re.split(r"\n\s*\n", body.strip()) if group.strip()]
    return Source(path, meta, tuple(piece for group in groups for piece in _pieces(group, path.name)))


def _pieces(group: str, name: str) -> list[Piece]:
    lines = group.strip().splitlines()
    if lines[0].startswith("|"):
        return [_table(lines, name)]
    return [_line(line) for line in lines]


def _line(line: str) -> Piece:
    heading = _HEADING.fullmatch(line)
    return Heading(len(heading[1]), heading[2]) if heading else Paragraph(line)


def _table(lines: list[str], name: str) -> Table:
    if len(lines) < 3 or not _RULE_ROW.fullmatch(lines[1]):
        raise SourceError(f"{name}: a table needs a header, a rule and a row, near {lines[0]}")
    rows = tuple(
        tuple(cell.strip() for cell in line.strip().removeprefix("|").removesuffix("|").split("|"))
        for line in (lines[0], *lines[2:])
    )
    if len({len(row) for row in rows}) != 1:
        raise SourceError(f"{name}: rows of unequal length near {lines[0]}")
    return Table(rows)


def tracked(text: str) -> list[tuple[str, str]]:
    """`text` cut into (kind, piece) with kind `kept`, `deleted` or `inserted`."""
    kinds = {"{--": "deleted", "{++": "inserted"}
    parts = [part for part in _TRACKED.split(text) if part]
    return [
        (kinds[part[:3]], part[3:-3]) if part[:3] in kinds and part.endswith("}") else ("kept", part)
        for part in parts
    ]
