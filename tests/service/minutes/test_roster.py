"""The list of people is read, and a fault in it is told with its line."""

from pathlib import Path

import pytest

from service.minutes.roster import Person, Roster, RosterError, load_roster
from tests.conftest import REPOSITORY

HEAD = "姓名,称呼,职务,部门\n"


def written(folder: Path, text: str | bytes) -> Path:
    path = folder / "people.csv"
    path.write_bytes(text.encode("utf-8") if isinstance(text, str) else text)
    return path


def test_without_a_list_nobody_is_known() -> None:
    assert load_roster(None) == Roster()


def test_forms_of_address_are_parted_and_each_kept_once(tmp_path: Path) -> None:
    path = written(tmp_path, "\ufeff" + HEAD + "张启明,张总、张董;张总,总经理,公司领导\n")
    assert load_roster(path).people == (Person("张启明", "张启明", ("张总", "张董"), "总经理", "公司领导"),)


def test_two_of_one_name_are_told_apart_by_their_departments(tmp_path: Path) -> None:
    path = written(tmp_path, HEAD + "王伟,,,财务部\n王伟,,,采购部\n")
    assert [person.name for person in load_roster(path).people] == ["王伟（财务部）", "王伟（采购部）"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("姓名,称呼,职务\n张启明,张总,总经理\n", "缺少列：部门"),
        ("", "缺少列"),
        (HEAD + "张启明,张总,总经理,公司领导\n,张工,,\n", "第 3 行没有写姓名"),
        (HEAD + "张启明,张总,总经理\n", "第 2 行的列数"),
        (HEAD + "张启明,张总,总经理,公司领导,多\n", "第 2 行的列数"),
        (HEAD + "张启明,张,总经理,公司领导\n", "第 2 行的称呼"),
        (HEAD + "王伟,,,财务部\n王伟,,,财务部\n", "王伟（财务部）"),
        (HEAD + '张启明,"张总,总经理,公司领导\n', "读不出来"),
        ("姓名".encode("gb18030"), "读不出来"),
    ],
)
def test_a_fault_of_the_list_is_told(tmp_path: Path, text: str | bytes, told: str) -> None:
    with pytest.raises(RosterError, match=told):
        load_roster(written(tmp_path, text))


def test_a_list_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(RosterError, match="读不出来"):
        load_roster(tmp_path / "people.csv")


def test_the_sample_list_holds_just_the_people_of_the_company_page() -> None:
    company = (REPOSITORY / "data" / "company.md").read_text(encoding="utf-8")
    people = load_roster(REPOSITORY / "data" / "minutes" / "people.csv").people
    assert [person.name for person in people if person.name not in company] == []
    assert [person.name for person in people if "曹经理" in person.forms] == ["曹建业", "曹敏"]
    assert len(people) >= 37
