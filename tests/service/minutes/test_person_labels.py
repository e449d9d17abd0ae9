"""Labels are joined when they are certain to be one person's; two people are never taken for one."""

from functools import lru_cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingestion.minutes.agent import RunLog
from ingestion.minutes.formats import read
from ingestion.minutes.preprocess import PreprocessAgent
from service.minutes.people import People
from service.minutes.roster import Person, Roster, load_roster
from tests.conftest import REPOSITORY

MINUTES = REPOSITORY / "data" / "minutes"
ROSTER = Roster(
    (
        Person("张启明", "张启明", ("张总",), "总经理", "公司领导"),
        Person("张维", "张维", ("张工",), "组长", "研发中心"),
        Person("曹建业", "曹建业", ("曹经理",), "经理", "生产运营部"),
        Person("曹敏", "曹敏", ("曹经理",), "负责人", "成都分公司"),
    )
)
LABELS = (
    "张启明", "张总", "張總", "张启明(总经理办公室)", "张启明（手机）", "ZhangQiming", "张维", "张工",
    "张维(采购部)", "张建国", "曹经理", "曹建业", "曹敏", "曹敏经理", "曹经理(成都)", "发言人1",
    "发言人2", "一号会议室", "财务部", "欧阳明", "欧阳总", "李总", "李四", "李经理", "Alice",
    "Alice(财务)",
)


@lru_cache
def archive() -> tuple[frozenset[str], ...]:
    """The labels of each sample meeting."""
    found = []
    for path in sorted(MINUTES.glob("20*")):
        raw = read(path.name, path.read_bytes())
        paragraphs = PreprocessAgent(RunLog()).run(raw.text, path.name, raw.layout).paragraphs
        found.append(frozenset(paragraph.speaker for paragraph in paragraphs if paragraph.speaker))
    return tuple(found)


@pytest.mark.parametrize(
    ("label", "person"),
    [
        ("张总", "张启明"),
        ("張總", "张启明"),
        ("张启明", "张启明"),
        ("张启明(总经理办公室)", "张启明"),
        ("张启明（手机）", "张启明"),
        ("Zhang Qiming", "张启明"),
        ("Qiming Zhang", "张启明"),
        ("张工", "张维"),
        ("曹敏经理", "曹敏"),
        ("曹建业曹经理", "曹建业"),
        ("曹经理(成都分公司)", "曹敏"),
        ("曹经理", "曹经理"),
        ("张维(采购部)", "张维(采购部)"),
        ("张经理", "张经理"),
        ("发言人1", "发言人1"),
        ("一号会议室", "一号会议室"),
    ],
)
def test_a_label_is_joined_by_the_roster_only_where_it_names_one(label: str, person: str) -> None:
    assert People.of(ROSTER, [label]).person_of(label) == person


@pytest.mark.parametrize(
    ("labels", "persons"),
    [
        (["张总", "张启明"], ["张启明", "张启明"]),
        (["张总", "张启明", "张维"], ["张总", "张启明", "张维"]),
        (["张总", "张工", "张启明"], ["张总", "张工", "张启明"]),
        (["曹建业经理", "曹敏"], ["曹建业经理", "曹敏"]),
        (["张维(武汉)", "张维"], ["张维", "张维"]),
        (["张维(武汉)", "张维(苏州)"], ["张维(武汉)", "张维(苏州)"]),
        (["Zhang Qiming", "张启明"], ["Zhang Qiming", "张启明"]),
        (["发言人1", "发言人1(武汉)"], ["发言人1", "发言人1(武汉)"]),
    ],
)
def test_without_a_roster_only_the_certain_is_joined(labels: list[str], persons: list[str]) -> None:
    people = People.of(Roster(), labels)
    assert [people.person_of(label) for label in labels] == persons


def test_two_labels_of_one_meeting_are_two_people_whatever_the_roster_says() -> None:
    people = People.of(ROSTER, ["张总", "张启明"], [["张总", "张启明"]])
    assert (people.person_of("张总"), people.person_of("张启明")) == ("张总", "张启明")
    assert people.read("张总怎么看").ambiguous == ("张启明", "张总")


def test_labels_of_a_person_are_all_they_speak_under() -> None:
    people = People.of(ROSTER, ["张总", "张启明", "张维"])
    assert people.labels_of("张启明") == ("张总", "张启明")
    assert people.labels_of("曹敏") == ()


def test_everyone_of_the_sample_archive_is_known_by_the_sample_roster() -> None:
    roster = load_roster(MINUTES / "people.csv")
    labels = sorted(frozenset().union(*archive()))
    people = People.of(roster, labels, archive())
    names = {person.name for person in roster.people}
    assert len(labels) >= 40
    assert [label for label in labels if people.person_of(label) not in names] == ["武汉三楼会议室"]


def test_without_its_roster_the_sample_archive_leaves_the_one_in_doubt_alone() -> None:
    labels = sorted(frozenset().union(*archive()))
    people = People.of(Roster(), labels, archive())
    titled = {label: people.person_of(label) for label in labels if label.endswith("总")}
    full = {"段总": "段海涛", "沈总": "沈静仪", "程总": "程一帆", "罗总": "罗婉", "韩总": "韩立新"}
    assert titled == {"张总": "张总", **full}


_MEETINGS = st.lists(st.sets(st.sampled_from(LABELS), max_size=8), max_size=5)


@given(_MEETINGS, st.sampled_from([ROSTER, Roster()]))
def test_labels_of_one_meeting_always_stay_apart(meetings: list[set[str]], roster: Roster) -> None:
    people = People.of(roster, sorted(set().union(*meetings)), [sorted(meeting) for meeting in meetings])
    for meeting in meetings:
        assert len({people.person_of(label) for label in meeting}) == len(meeting)
