"""Which person of the approval system a principal is: by a list of people, or by the id itself."""

import csv
import io
from collections.abc import Mapping
from pathlib import Path

from service.access import Principal
from service.process.status.errors import StatusMisconfigured
from service.process.status.reading import read_text

ACCOUNT, PERSON, NAME = "账号", "人员编号", "姓名"


class People:
    """`persons` maps Principal.id to the approval system's id; None: they are the same ids.

    With a list, who is not on it is nobody: an id that happens to be equal to another person's opens nothing.
    `names` are shown where the approval system gives only ids.
    """

    def __init__(self, persons: Mapping[str, str] | None, names: Mapping[str, str]) -> None:
        self._persons = persons
        self._names = names

    def person_of(self, principal: Principal) -> str | None:
        """The approval system's id of this principal; None when nobody there is known to be them."""
        if self._persons is None:
            return principal.id or None
        return self._persons.get(principal.id)

    def name_of(self, person_id: str) -> str:
        return self._names.get(person_id, "")


def load_people(path: Path | None) -> People:
    """A CSV with the columns 账号, 人员编号, 姓名. A row without an account only names a person.

    Raises StatusMisconfigured, which names the row.
    """
    if path is None:
        return People(None, {})
    try:
        rows = list(csv.DictReader(io.StringIO(read_text(path)), restkey="…"))
    except (OSError, ValueError, csv.Error) as error:
        raise StatusMisconfigured(f"人员对照表 {path} 读不出来：{error}") from error
    persons: dict[str, str] = {}
    names: dict[str, str] = {}
    for number, row in enumerate(rows, 2):
        account, person, name = (str(row.get(column) or "").strip() for column in (ACCOUNT, PERSON, NAME))
        if not person:
            raise StatusMisconfigured(f"人员对照表 {path} 第 {number} 行没有写{PERSON}")
        if account and persons.setdefault(account, person) != person:
            raise StatusMisconfigured(f"人员对照表 {path} 第 {number} 行：账号 {account} 对着两个{PERSON}")
        if name:
            names[person] = name
    return People(persons, names)
