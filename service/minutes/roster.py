"""The list of people of a deployment 人员名单: who is addressed how, and where they work."""

import csv
import io
import re
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path

from service.errors import ZhixingError

NAME, FORMS, POST, DEPARTMENT = COLUMNS = ("姓名", "称呼", "职务", "部门")
_BETWEEN = re.compile(r"[、;；,，/\s]+")


class RosterError(ZhixingError):
    """The list cannot be used; the message names the file, and the row where one is at fault."""

    code = "roster_invalid"


@dataclass(frozen=True, slots=True)
class Person:
    """`name` is unlike every other person's: 王伟（财务部） where there are two 王伟.

    `written` is the bare name, `forms` 称呼 what they are called besides: 张总.
    """

    name: str
    written: str
    forms: tuple[str, ...] = ()
    post: str = ""
    department: str = ""


@dataclass(frozen=True, slots=True)
class Roster:
    people: tuple[Person, ...] = ()


def load_roster(path: Path | None) -> Roster:
    """A CSV in UTF-8 with the columns 姓名, 称呼, 职务, 部门; forms in one cell are parted by 、 or ;.

    An empty roster without a path. Raises RosterError.
    """
    if path is None:
        return Roster()
    try:
        text = path.read_text(encoding="utf-8-sig")
        reader = csv.DictReader(io.StringIO(text), strict=True)
        missing = [column for column in COLUMNS if column not in (reader.fieldnames or ())]
        if missing:
            raise RosterError(f"人员名单 {path} 缺少列：{'、'.join(missing)}")
        people = [_person(row, reader.line_num, path) for row in reader]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise RosterError(f"人员名单 {path} 读不出来：{error}") from error
    return Roster(_told_apart(people, path))


def _person(row: dict[str, str | None], number: int, path: Path) -> Person:
    """`number`: the line of the file, from 1, with the heading."""
    if None in row.values() or None in row:
        raise RosterError(f"人员名单 {path} 第 {number} 行的列数与表头不同")
    name, forms, post, department = ((row[column] or "").strip() for column in COLUMNS)
    if not name:
        raise RosterError(f"人员名单 {path} 第 {number} 行没有写{NAME}")
    called = tuple(dict.fromkeys(form for form in _BETWEEN.split(forms) if form and form != name))
    if any(len(form) < 2 for form in called):
        raise RosterError(f"人员名单 {path} 第 {number} 行的{FORMS}只有一个字")
    return Person(name, name, called, post, department)


def _told_apart(people: list[Person], path: Path) -> tuple[Person, ...]:
    """Persons of the same name are told apart by their department."""
    often = Counter(person.written for person in people)
    named = [
        replace(one, name=f"{one.written}（{one.department}）") if often[one.written] > 1 else one
        for one in people
    ]
    repeated = [name for name, count in Counter(person.name for person in named).items() if count > 1]
    if repeated:
        raise RosterError(f"人员名单 {path} 里有两行都是 {repeated[0]}：同名的人要写不同的{DEPARTMENT}")
    return tuple(named)
