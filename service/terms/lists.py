"""The lists an administrator keeps, as rows of words: what a row may hold, how it is read and written.

Reading them for retrieval is `ingestion.terms` and `service.sameness`; a row that passes here is read there
as it was given.
"""

import csv
import io
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from ingestion.analyzer import fold
from ingestion.terms import SYNONYM_COLUMNS, cells, entries

MOST_ROWS = 20_000
MOST_WORDS = 50  # of a group
LONGEST_WORD = 60
LONGEST_QUESTION = 200
HIGHEST_FREQUENCY = 1_000_000  # the dictionary's own most frequent word has 3 million

Row = tuple[str, ...]


class TermList(StrEnum):
    """A list, named as its file is."""

    SYNONYMS = "synonyms"  # what people say, the standard term
    DICTIONARY = "dictionary"  # a word, perhaps its frequency
    STOPWORDS = "stopwords"
    EQUIVALENTS = "equivalents"  # words for one thing, the standard first
    SUGGESTIONS = "suggestions"  # questions on the empty chat page

    @property
    def file_name(self) -> str:
        return f"{self.value}.{'csv' if self in _TABLES else 'txt'}"

    @property
    def cuts(self) -> bool:
        """Whether chunks are cut by it, and not only questions read."""
        return self in (TermList.DICTIONARY, TermList.STOPWORDS)


_TABLES = frozenset({TermList.SYNONYMS, TermList.EQUIVALENTS})


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with the row of this number, counted from 1."""

    line: int
    problem: str


def read_rows(folder: Path, kind: TermList) -> list[Row]:
    """The rows of a list in their order, also those that `faults` would object to."""
    rows = [_row(kind, line) for _number, line in entries(folder / kind.file_name)]
    if kind is TermList.SYNONYMS and rows[:1] == [SYNONYM_COLUMNS]:
        return rows[1:]
    return rows


def written(kind: TermList, rows: Iterable[Row], before: Path) -> bytes:
    """The text of the list's file, below the comment that the file `before` it begins with."""
    text = io.StringIO()
    for line in _opening_comment(before):
        text.write(f"{line}\n")
    if kind in _TABLES:
        if kind is TermList.SYNONYMS:
            rows = [SYNONYM_COLUMNS, *rows]
        csv.writer(text, lineterminator="\n").writerows(rows)
    else:
        text.writelines(f"{' '.join(row)}\n" for row in rows)
    return text.getvalue().encode()


def faults(kind: TermList, rows: Sequence[Row]) -> list[Fault]:
    """Everything that is wrong with a list, by line; an empty list has no fault."""
    if len(rows) > MOST_ROWS:
        return [Fault(MOST_ROWS + 1, f"一张表至多 {MOST_ROWS} 条")]
    found = [
        Fault(line, problem)
        for line, row in enumerate(rows, 1)
        for problem in (_words_problem(kind, row) or _CHECKS[kind](row),)
        if problem
    ]
    return sorted([*found, *_repeated(kind, rows)], key=lambda fault: fault.line)


def _row(kind: TermList, line: str) -> Row:
    if kind in _TABLES:
        return tuple(cells(line))
    return tuple(line.split()) if kind is TermList.DICTIONARY else (line,)


def _opening_comment(path: Path) -> Iterator[str]:
    if path.is_file():
        for line in path.read_text(encoding="utf-8-sig").splitlines():
            if not line.startswith("#"):
                return
            yield line


def _words_problem(kind: TermList, row: Row) -> str:
    """What no word of any list may be: its file could not say it."""
    longest = LONGEST_QUESTION if kind is TermList.SUGGESTIONS else LONGEST_WORD
    for word in row:
        if not word or word != word.strip():
            return "有空的词，或词的前后有空白"
        if not word.isprintable():
            return f"「{_shown(word)}」里有看不见的字符"
        if word.startswith("#"):
            return f"「{_shown(word)}」不能以 # 开头"
        if len(word) > longest:
            return f"「{_shown(word)}」太长，至多 {longest} 字"
    return ""


def _synonym_problem(row: Row) -> str:
    if len(row) != len(SYNONYM_COLUMNS):
        return "应为「俗称」与「标准词」两项"
    return f"俗称与标准词是同一个词「{row[0]}」" if fold(row[0]) == fold(row[1]) else ""


def _dictionary_problem(row: Row) -> str:
    if not 1 <= len(row) <= 2:
        return "应为一个词，后面可以有词频"
    if " " in row[0]:
        return f"词「{row[0]}」中间不能有空格"
    given = row[1] if len(row) == 2 else "1"
    if not (given.isascii() and given.isdecimal() and len(given) <= len(str(HIGHEST_FREQUENCY))):
        return f"词频应为整数，读到「{_shown(given)}」"
    return "" if 1 <= int(given) <= HIGHEST_FREQUENCY else f"词频应在 1 到 {HIGHEST_FREQUENCY} 之间"


def _stopword_problem(row: Row) -> str:
    if len(row) != 1:
        return "应为一个词"
    return f"词「{row[0]}」中间不能有空格" if " " in row[0] else ""


def _equivalents_problem(row: Row) -> str:
    if not 2 <= len(row) <= MOST_WORDS:
        return f"一组应有 2 到 {MOST_WORDS} 个词"
    return ""


def _suggestion_problem(row: Row) -> str:
    return "" if len(row) == 1 else "应为一个问题"


_CHECKS: dict[TermList, Callable[[Row], str]] = {
    TermList.SYNONYMS: _synonym_problem,
    TermList.DICTIONARY: _dictionary_problem,
    TermList.STOPWORDS: _stopword_problem,
    TermList.EQUIVALENTS: _equivalents_problem,
    TermList.SUGGESTIONS: _suggestion_problem,
}


def _repeated(kind: TermList, rows: Sequence[Row]) -> Iterator[Fault]:
    """The same twice; a word in two groups of equivalents would belong to neither."""
    first: dict[Row, int] = {}
    for line, row in enumerate(rows, 1):
        for key, count in Counter(_keys(kind, row)).items():
            if key in first or count > 1:
                other = f"与第 {first[key]} 条重复" if key in first else "在这一组里写了两次"
                yield Fault(line, f"「{_shown('，'.join(key))}」{other}")
            first.setdefault(key, line)


def _keys(kind: TermList, row: Row) -> list[Row]:
    if kind is TermList.EQUIVALENTS:
        return [(fold(word),) for word in row]
    return [row] if kind is TermList.SYNONYMS else [row[:1]]


def _shown(word: str) -> str:
    """A word in a message, also one that a screen could not show."""
    visible = "".join(sign if sign.isprintable() else "\ufffd" for sign in word)
    return visible if len(visible) <= LONGEST_WORD else f"{visible[:LONGEST_WORD]}…"
