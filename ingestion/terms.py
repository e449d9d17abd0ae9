"""The vocabulary an administrator keeps in `data/terms/`: stop words, user dictionary, synonyms."""

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path


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
        frozenset(line for _, line in _lines(folder / "stopwords.txt")),
        tuple(_dictionary(folder / "dictionary.txt")),
        tuple(_synonyms(folder / "synonyms.csv")),
    )


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    if not path.is_file():
        return
    for number, line in enumerate(path.read_text(encoding="utf-8-sig").splitlines(), 1):
        text = line.strip()
        if text and not text.startswith("#"):
            yield number, text


def _dictionary(path: Path) -> Iterator[tuple[str, int]]:
    for number, line in _lines(path):
        word, *rest = line.split()
        if rest and not rest[0].isdigit():
            raise ValueError(f"{path.name} 第 {number} 行：词频应为整数，读到「{rest[0]}」")
        yield word, int(rest[0]) if rest else 0


def _synonyms(path: Path) -> Iterator[Synonym]:
    for number, line in _lines(path):
        row = [cell.strip() for cell in next(csv.reader([line]))]
        if row == ["lay", "standard"]:
            continue
        if len(row) != 2 or not all(row):
            raise ValueError(f"{path.name} 第 {number} 行：应为「俗称,标准词」两列，读到「{line}」")
        yield Synonym(*row)
