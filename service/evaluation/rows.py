"""The JSONL forms of retrieval and answer data: a corpus row is a chunk-sized document."""

import json
from collections.abc import Iterable, Iterator
from datetime import date
from pathlib import Path
from typing import Annotated, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from service.errors import BadRequest


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


AnyRow = TypeVar("AnyRow", bound=Row)


def read_corpus(paths: Iterable[Path]) -> list[CorpusRow]:
    return [row for path in paths for row in _read(path, CorpusRow)]


def read_queries(path: Path) -> list[QueryRow]:
    return list(_read(path, QueryRow))


def read_absent(path: Path) -> AbsentSplit:
    """Raises BadRequest when the file is not of this form."""
    try:
        return AbsentSplit.model_validate_json(path.read_text(encoding="utf-8"))
    except ValidationError as error:
        raise BadRequest(f"{path.name}：{error.errors()[0]['msg']}") from error


def _read(path: Path, form: type[AnyRow]) -> Iterator[AnyRow]:
    with path.open(encoding="utf-8-sig") as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                yield form.model_validate(json.loads(line))
            except ValueError as error:
                reason = error.errors()[0]["msg"] if isinstance(error, ValidationError) else str(error)
                raise BadRequest(f"{path.name} 第 {number} 行：{reason}") from error
