"""The JSONL forms of retrieval and answer data: a corpus row is a chunk-sized document."""

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Annotated, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from service.errors import BadRequest
from service.system_errors import told


def _empty_is_none(value: object) -> object:
    return None if value == "" else value


def _as_answers(value: object) -> object:
    """One answer or several; null and NaN, as some tools write a missing value, are none."""
    if isinstance(value, str):
        return (value,)
    return () if value is None or value != value else value


Answers = Annotated[tuple[str, ...], BeforeValidator(_as_answers)]
Day = Annotated[date | None, BeforeValidator(_empty_is_none)]


class Row(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class CorpusRow(Row):
    """`status`: current, future, superseded (or a status of ours); `supersedes` names a document version."""

    doc_id: str
    title: str = ""
    text: str
    law: str = ""
    heading: str = ""
    article: str = ""
    version: str = ""
    effective_date: Day = None
    expires: Day = None
    status: str = ""
    supersedes: str | None = None

    @property
    def heading_path(self) -> tuple[str, ...]:
        return tuple(part for part in (self.title, self.heading, self.article) if part)


class QueryRow(Row):
    query_id: str
    text: str
    relevant: tuple[str, ...] = ()
    stale: tuple[str, ...] = ()
    as_of: Day = None
    answer: Answers = ()
    answerable: bool | None = None
    type: str = ""


class AbsentSplit(Row):
    """Documents to leave out when indexing, and the questions that have no answer then."""

    absent_docs: frozenset[str] = Field(default_factory=frozenset)
    absent_queries: frozenset[str] = Field(default_factory=frozenset)


class PairRow(Row):
    """Two questions; `label` 1: they ask the same, so that one answer serves both."""

    a: str
    b: str
    label: int
    kind: str = ""


AnyRow = TypeVar("AnyRow", bound=Row)


def read_corpus(paths: Iterable[Path]) -> list[CorpusRow]:
    """All rows of the files. Raises BadRequest naming the line, also of the second row with one `doc_id`."""
    return _read(paths, CorpusRow, lambda row: row.doc_id)


def read_queries(path: Path) -> list[QueryRow]:
    """All rows of the file. Raises BadRequest naming the line, also of the second row with one `query_id`."""
    return _read([path], QueryRow, lambda row: row.query_id)


def read_pairs(path: Path) -> list[PairRow]:
    """All rows of the file, repeated ones too. Raises BadRequest naming the line."""
    return read_rows(path, PairRow)


def read_rows(path: Path, form: type[AnyRow]) -> list[AnyRow]:
    """All rows of the file in one form, repeated ones too. Raises BadRequest naming the line."""
    return [_parsed(form, line.text, line.place) for line in _lines(path) if line.text.strip()]


def read_absent(path: Path) -> AbsentSplit:
    """Raises BadRequest when the file is not of this form."""
    text = "".join(line.text for line in _lines(path))
    return _parsed(AbsentSplit, text, path.name)


def _read(paths: Iterable[Path], form: type[AnyRow], name_of: Callable[[AnyRow], str]) -> list[AnyRow]:
    """Names are unique over all files: of two rows with one name the index would keep only the last."""
    rows: dict[str, AnyRow] = {}
    places: dict[str, str] = {}
    for path in paths:
        for line in _lines(path):
            if not line.text.strip():
                continue
            row = _parsed(form, line.text, line.place)
            name = name_of(row)
            if name in rows:
                raise BadRequest(f"{line.place}：编号「{name}」与 {places[name]} 重复")
            rows[name], places[name] = row, line.place
    return list(rows.values())


@dataclass(frozen=True, slots=True)
class _Line:
    place: str  # file and number, for messages
    text: str


def _lines(path: Path) -> Iterator[_Line]:
    """UTF-8 with or without a byte order mark. Raises BadRequest for everything else, at its first line."""
    try:
        with path.open("rb") as file:
            for number, raw in enumerate(file, 1):
                place = f"{path.name} 第 {number} 行"
                try:
                    yield _Line(place, raw.decode("utf-8-sig" if number == 1 else "utf-8"))
                except UnicodeDecodeError as error:
                    raise BadRequest(f"{place}：不是 UTF-8 编码，请另存为 UTF-8 后再试") from error
    except OSError as error:
        raise BadRequest(f"{path.name} 无法读取：{told(error)}") from error


def _parsed(form: type[AnyRow], text: str, place: str) -> AnyRow:
    try:
        return form.model_validate(json.loads(text))
    except ValueError as error:
        reason = error.errors()[0]["msg"] if isinstance(error, ValidationError) else str(error)
        raise BadRequest(f"{place}：{reason}") from error
