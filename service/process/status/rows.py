"""Applications in a CSV, one row a step, and in JSON. What is wrong is told with its row or key."""

import csv
import io
import json
from collections.abc import Iterable, Mapping
from datetime import datetime, tzinfo

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from service.process.status.mapping import problems_in
from service.process.status.moments import ISO, read_moment
from service.process.status.records import ApplicationRecord, StepRecord

NEEDED = ("申请编号", "流程", "申请人编号", "环节", "办理人编号", "动作", "时间")
OPTIONAL = ("流程编号", "标题", "申请人", "状态", "办理人", "说明")


class BadRows(ValueError):
    """What is wrong in a file, in words for its keeper."""


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)


class PersonIn(_Strict):
    id: str = Field(min_length=1)
    name: str = ""


class StepIn(_Strict):
    """`outcome` is a word of words.toml, e.g. 同意 or 待办."""

    node: str = ""
    outcome: str
    person: PersonIn | None = None
    at: str = ""
    comment: str = ""


class ApplicationIn(_Strict):
    id: str = Field(min_length=1)
    process_id: str = ""
    process: str
    title: str = ""
    applicant: PersonIn
    status: str = ""
    steps: tuple[StepIn, ...] = Field(min_length=1)


_LIST = TypeAdapter(tuple[ApplicationIn, ...])


def records_of_csv(text: str, zone: tzinfo) -> list[ApplicationRecord]:
    """Raises BadRows."""
    try:
        reader = csv.DictReader(io.StringIO(text), strict=True)
        columns = [name.strip() for name in reader.fieldnames or ()]
        if missing := [name for name in NEEDED if name not in columns]:
            raise BadRows(f"缺少列 {'、'.join(missing)}")
        rows = [_trimmed(row) for row in reader]
    except csv.Error as error:
        raise BadRows(f"不是合格的 CSV：{error}") from error
    groups: dict[str, list[tuple[int, Mapping[str, str]]]] = {}
    for number, row in enumerate(rows, 2):
        if not any(row.values()):
            continue
        if not row["申请编号"]:
            raise BadRows(f"第 {number} 行没有写申请编号")
        groups.setdefault(row["申请编号"], []).append((number, row))
    return [_grouped(rows_of, zone) for rows_of in groups.values()]


def records_of_json(text: str, zone: tzinfo) -> list[ApplicationRecord]:
    """Raises BadRows."""
    try:
        listed = _LIST.validate_python(json.loads(text))
    except ValidationError as error:
        raise BadRows(problems_in(error)) from error
    except (ValueError, RecursionError) as error:
        raise BadRows(f"不是合格的 JSON：{error}") from error
    return [_from_json(place, each, zone) for place, each in enumerate(listed)]


def _trimmed(row: Mapping[str | None, object]) -> dict[str, str]:
    return {name.strip(): str(value or "").strip() for name, value in row.items() if isinstance(name, str)}


def _grouped(rows: list[tuple[int, Mapping[str, str]]], zone: tzinfo) -> ApplicationRecord:
    number, first = rows[0]
    if not first["申请人编号"]:
        raise BadRows(f"第 {number} 行没有写申请人编号")
    for other, row in rows:
        if row["申请人编号"] not in ("", first["申请人编号"]):
            raise BadRows(f"第 {other} 行的申请人编号与第 {number} 行不同，申请编号却相同")
    steps = tuple(
        StepRecord(
            node=row["环节"],
            outcome=row["动作"],
            person_id=row["办理人编号"],
            person_name=row.get("办理人", ""),
            at=_moment(row["时间"], zone, f"第 {line} 行的时间"),
            comment=row.get("说明", ""),
        )
        for line, row in rows
    )
    return ApplicationRecord(
        id=first["申请编号"],
        number="",
        process_id=first.get("流程编号", ""),
        process=first["流程"],
        title=first.get("标题", ""),
        applicant_id=first["申请人编号"],
        applicant_name=first.get("申请人", ""),
        status=_last_said(row.get("状态", "") for _, row in rows),
        submitted_at=steps[0].at,
        steps=steps,
    )


def _from_json(place: int, each: ApplicationIn, zone: tzinfo) -> ApplicationRecord:
    steps = tuple(
        StepRecord(
            node=step.node,
            outcome=step.outcome,
            person_id=step.person.id if step.person else "",
            person_name=step.person.name if step.person else "",
            at=_moment(step.at, zone, f"{place}.steps.{number}.at"),
            comment=step.comment,
        )
        for number, step in enumerate(each.steps)
    )
    return ApplicationRecord(
        id=each.id,
        number="",
        process_id=each.process_id,
        process=each.process,
        title=each.title,
        applicant_id=each.applicant.id,
        applicant_name=each.applicant.name,
        status=each.status,
        submitted_at=steps[0].at,
        steps=steps,
    )


def _moment(text: str, zone: tzinfo, where: str) -> datetime | None:
    try:
        return read_moment(text, ISO, zone)
    except ValueError as error:
        raise BadRows(f"{where}写法不对，应如 2026-11-12 09:30") from error


def _last_said(words: Iterable[str]) -> str:
    return next((word for word in reversed(list(words)) if word), "")
