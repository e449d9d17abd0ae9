"""Which person a principal is."""

from pathlib import Path

import pytest

from service.access import Principal
from service.process.status.errors import StatusMisconfigured
from service.process.status.people import load_people
from tests.service.process.status.status_parts import written

LISTED = "账号,人员编号,姓名\nkey:1,wenting,温婷\nkey:2,wenting,温婷\n,hewen,贺文\n"


def test_without_a_list_the_ids_are_the_same() -> None:
    people = load_people(None)
    assert people.person_of(Principal("wenting")) == "wenting"
    assert people.person_of(Principal("")) is None


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030"])
def test_list_maps_accounts_and_names_people(encoding: str, tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_bytes(LISTED.encode(encoding))
    people = load_people(path)
    assert people.person_of(Principal("key:1")) == people.person_of(Principal("key:2")) == "wenting"
    assert people.name_of("hewen") == "贺文"
    assert people.name_of("nobody") == ""


def test_with_a_list_an_equal_id_opens_nothing(tmp_path: Path) -> None:
    people = load_people(written(tmp_path, "people.csv", LISTED))
    assert people.person_of(Principal("hewen")) is None
    assert people.person_of(Principal("wenting")) is None


@pytest.mark.parametrize(
    ("row", "said"),
    [("key:3,,某人", "第 5 行没有写人员编号"), ("key:1,hewen,", "账号 key:1 对着两个人员编号")],
)
def test_faulty_row_is_refused_with_its_number(row: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(StatusMisconfigured, match=said):
        load_people(written(tmp_path, "people.csv", LISTED + row + "\n"))


def test_list_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StatusMisconfigured, match="读不出来"):
        load_people(tmp_path / "absent.csv")
