"""The cue words 线索词 of `data/terms/intent.csv`: read, checked, filled with the words of the processes."""

import csv
import io
import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from ingestion.analyzer import fold
from ingestion.terms import entries
from service.errors import ZhixingError
from service.intent.wording import OWN_CLASSES, CueSyntaxError, alternatives, translated

COLUMNS = ("intent", "cue", "weight", "note")
HEAVIEST = 20.0  # a weight beyond would let one word decide everything


class Intent(StrEnum):
    """The path a message is for, in the order in which equals stand."""

    KNOWLEDGE = "knowledge"  # what a rule or a document says
    PROCESS = "process"  # something to be done that is approved
    MINUTES = "minutes"  # what was said and decided in meetings
    STATUS = "status"  # where the own application is
    OTHER = "other"  # greetings, thanks, what is out of scope


class Special(StrEnum):
    """Rows that are evidence of no single intent."""

    OPEN = "open"  # counts for PROCESS while a case is open
    COURTESY = "courtesy"  # cut off before the other cues are looked at; its weight counts for OTHER
    WORDS = "words"  # 名=词/词: a class of words for the cues below


_KINDS: dict[str, Intent | Special] = {kind.value: kind for kind in (*Intent, *Special)}


class CueError(ZhixingError):
    """`intent.csv` cannot be used; the message names the row."""

    code = "faulty_cues"


@dataclass(frozen=True, slots=True)
class ProcessWords:
    """The words of a published process: evidence of what a message is about.

    `options`: the options of its choices and their synonyms. `answers`: words that answer its other questions
    (yes and no in its own words, departments), which say little within a sentence. `fields`: names of its
    fields and their aliases.
    """

    name: str
    aliases: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()
    fields: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        return (self.name, *self.aliases)


@dataclass(frozen=True, slots=True)
class Cue:
    """One row. `weight` is in units of the lead that decides; negative: evidence against."""

    kind: Intent | Special
    wording: str
    weight: float
    line: int  # in the file, from 1
    note: str = ""


@dataclass(frozen=True, slots=True)
class CueTable:
    """The rows of one file in their order, `words` by the name of the class."""

    cues: tuple[Cue, ...]
    words: Mapping[str, str]  # class -> its wording, in the order of the file


@dataclass(frozen=True, slots=True)
class ReadyCue:
    cue: Cue
    pattern: re.Pattern[str]


def load_cues(path: Path) -> CueTable:
    """Read the file. Raises CueError naming the first row that cannot be used, or that there is no file."""
    if not path.is_file():
        raise CueError(f"没有线索词文件 {path}")
    try:
        rows = list(_rows(path))
    except UnicodeDecodeError as error:
        raise CueError(f"{path.name} 不是 UTF-8 编码，请另存为 UTF-8 后再试") from error
    loading = _Loading()
    for line, row in rows:
        try:
            loading.add(_cue(line, row))
        except CueSyntaxError as error:
            raise CueError(f"{path.name} 第 {line} 行：{error}") from error
    if not loading.cues:
        raise CueError(f"{path.name} 里没有一条线索词")
    return CueTable(tuple(loading.cues), loading.words)


def ready(table: CueTable, classes: Mapping[str, str]) -> list[ReadyCue]:
    """The cues as patterns, with what `classes_of` made in the places of {流程}, {流程词}, {选项} …"""
    return [ReadyCue(cue, re.compile(translated(cue.wording, classes))) for cue in table.cues]


def classes_of(table: CueTable, processes: Sequence[ProcessWords]) -> dict[str, str]:
    """Every class of words by its name, as a pattern on the normal form."""
    return _classes(table.words, processes)


class _Loading:
    """The rows so far; a cue may use the classes of words above it. Raises CueSyntaxError."""

    def __init__(self) -> None:
        self.cues: list[Cue] = []
        self.words: dict[str, str] = {}
        self._classes = _classes({}, ())
        self._first: dict[tuple[str, str], int] = {}

    def add(self, cue: Cue) -> None:
        if cue.kind is Special.WORDS:
            self._add_words(cue.wording)
            return
        translated(cue.wording, self._classes)
        first = self._first.setdefault((cue.kind, cue.wording), cue.line)
        if first != cue.line:
            raise CueSyntaxError(f"与第 {first} 行重复")
        self.cues.append(cue)

    def _add_words(self, wording: str) -> None:
        name, equals, listed = wording.partition("=")
        if not (equals and name and listed):
            raise CueSyntaxError("词组应写成「名=词/词」")
        if name in self._classes:
            raise CueSyntaxError(f"词组「{name}」已经有了，换一个名字")
        self.words[name] = f"({listed})"
        self._classes[name] = translated(self.words[name], self._classes)


def _rows(path: Path) -> Iterator[tuple[int, list[str]]]:
    for place, (number, line) in enumerate(entries(path)):
        row = [cell.strip() for cell in next(csv.reader(io.StringIO(line)))]
        if place or tuple(row) != COLUMNS:
            yield number, row


def _cue(line: int, row: Sequence[str]) -> Cue:
    if not 3 <= len(row) <= len(COLUMNS):
        raise CueSyntaxError(f"应为「{','.join(COLUMNS)}」四列，读到 {len(row)} 列")
    kind, wording, weight, *note = row
    if not wording:
        raise CueSyntaxError("cue 一列是空的")
    which = _kind(kind)
    return Cue(which, wording, 0.0 if which is Special.WORDS else _weight(weight), line, "".join(note))


def _kind(given: str) -> Intent | Special:
    if given not in _KINDS:
        raise CueSyntaxError(f"intent 一列应为 {'、'.join(_KINDS)}，读到「{given}」")
    return _KINDS[given]


def _weight(given: str) -> float:
    try:
        weight = float(given)
    except ValueError as error:
        raise CueSyntaxError(f"weight 一列应为数字，读到「{given}」") from error
    if not (math.isfinite(weight) and weight and abs(weight) <= HEAVIEST):
        raise CueSyntaxError(f"weight 应在 -{HEAVIEST:g} 到 {HEAVIEST:g} 之间且不为 0，读到「{given}」")
    return weight


def _telling_parts(processes: Sequence[ProcessWords]) -> set[str]:
    """Two letters that several names of one process share and none of another: 报销 of 差旅报销, 出差报销."""
    counted = [Counter(part for name in one.names for part in _pairs(fold(name))) for one in processes]
    everywhere = Counter(part for counts in counted for part in counts)
    return {part for counts in counted for part, count in counts.items() if count > 1 == everywhere[part]}


def _pairs(name: str) -> set[str]:
    return {name[start : start + 2] for start in range(len(name) - 1)}


def _classes(words: Mapping[str, str], processes: Sequence[ProcessWords]) -> dict[str, str]:
    """Every class by its name. One letter tells nothing in a sentence: {选项} and {字段} have longer ones."""
    names = [word for one in processes for word in one.names]
    options = [word for one in processes for word in one.options]
    answers = [word for one in processes for word in one.answers]
    fields = [word for one in processes for word in one.fields]
    classes = {
        **OWN_CLASSES,
        "流程": alternatives(names),
        "流程词": alternatives([*names, *_telling_parts(processes)]),
        "选项": alternatives(word for word in options if len(word) > 1),
        "答": alternatives([*options, *answers]),
        "字段": alternatives(word for word in fields if len(word) > 1),
    }
    for name, wording in words.items():
        classes[name] = translated(wording, classes)
    return classes
