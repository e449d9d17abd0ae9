"""The vocabulary an administrator keeps in `data/terms/`: stop words, user dictionary, synonyms."""

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

SYNONYM_COLUMNS = ("lay", "standard")  # the first line of `synonyms.csv` may name them


@dataclass(frozen=True, slots=True)
class Synonym:
    """A word people use, and the term the documents use: 领电脑 -> 电子设备申领."""

    lay: str
    standard: str


@dataclass(frozen=True, slots=True)
class Terms:
    """`dictionary` maps a word to its frequency, 0 where the segmenter should work one out."""

    stopwords: frozenset[str] = frozenset()
    dictionary: tuple[tuple[str, int], ...] = ()
    synonyms: tuple[Synonym, ...] = ()


def load_terms(folder: Path) -> Terms:
    """Read `stopwords.txt`, `dictionary.txt` (word, optional frequency) and `synonyms.csv` (lay,standard).

    A missing file is an empty list. Blank lines and lines that start with `#` are comments. Raises
    ValueError with file and line for a row that cannot be read.
    """
    return Terms(
        frozenset(line for _, line in entries(folder / "stopwords.txt")),
        tuple(_dictionary(folder / "dictionary.txt")),
        tuple(_synonyms(folder / "synonyms.csv")),
    )


def entries(path: Path) -> Iterator[tuple[int, str]]:
    """The lines of a file that say something, with their numbers; none when there is no file."""
    if not path.is_file():
        return
    for number, line in enumerate(path.read_text(encoding="utf-8-sig").splitlines(), 1):
        text = line.strip()
        if text and not text.startswith("#"):
            yield number, text


def cells(line: str) -> list[str]:
    """One line of a file of comma-separated values."""
    return [cell.strip() for cell in next(csv.reader([line]))]


def _dictionary(path: Path) -> Iterator[tuple[str, int]]:
    for number, line in entries(path):
        word, *rest = line.split()
        if rest and not rest[0].isdecimal():
            raise ValueError(f"{path.name} 第 {number} 行：词频应为整数，读到「{rest[0]}」")
        yield word, int(rest[0]) if rest else 0


def _synonyms(path: Path) -> Iterator[Synonym]:
    for place, (number, line) in enumerate(entries(path)):
        row = cells(line)
        if place == 0 and row == list(SYNONYM_COLUMNS):
            continue
        if len(row) != 2 or not all(row):
            raise ValueError(f"{path.name} 第 {number} 行：应为「俗称,标准词」两列，读到「{line}」")
        yield Synonym(*row)
