"""Whom a question is about: who speaks is told from who is spoken to and who is only mentioned."""

import json
from dataclasses import dataclass
from functools import lru_cache
from time import perf_counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.minutes.people import Asked, People, Role
from service.minutes.roster import Person, Roster, load_roster
from tests.conftest import REPOSITORY

LEAST_RIGHT = 0.95
SETS = ["people.jsonl", "people_held.jsonl"]
TITLED = ("张总", "沈总", "韩总", "程总", "段总", "罗总", "武汉三楼会议室")


@dataclass(frozen=True)
class Case:
    question: str
    persons: list[str]
    ambiguous: list[str]
    unknown: list[str]
    role: str
    soft: bool


@lru_cache
def cases(file: str) -> tuple[Case, ...]:
    lines = (REPOSITORY / "tests" / "cases" / "minutes" / file).read_text(encoding="utf-8").splitlines()
    return tuple(Case(**json.loads(line)) for line in lines)


@lru_cache
def sample() -> People:
    roster = load_roster(REPOSITORY / "data" / "minutes" / "people.csv")
    return People.of(roster, [*(person.name for person in roster.people), *TITLED])


def case_of(question: str, asked: Asked) -> Case:
    persons, ambiguous, unknown = map(list, (asked.persons, asked.ambiguous, asked.unknown))
    return Case(question, persons, ambiguous, unknown, str(asked.role), asked.soft)


@pytest.mark.parametrize("file", SETS)
def test_persons_of_the_cases_are_read_as_a_reader_would(file: str) -> None:
    read = [(case, case_of(case.question, sample().read(case.question))) for case in cases(file)]
    assert sum(expected == found for expected, found in read) / len(read) >= LEAST_RIGHT


@pytest.mark.parametrize("file", SETS)
def test_nobody_is_taken_for_another(file: str) -> None:
    """A person found for certain is one that the question asks for."""
    strangers = [
        (case.question, person)
        for case in cases(file)
        for person in sample().read(case.question).persons
        if not sample().read(case.question).soft and person not in case.persons
    ]
    assert strangers == []


def test_a_form_of_two_people_names_both_and_asks() -> None:
    asked = sample().read("曹经理对居家办公怎么看")
    assert (asked.persons, asked.ambiguous) == ((), ("曹建业", "曹敏"))


def test_words_that_tell_two_apart_are_among_the_spans() -> None:
    question = "曹经理怎么统计天数？我说的是成都那位"
    asked = sample().read(question)
    assert asked.persons == ("曹敏",)
    assert [question[start:end] for start, end in asked.spans] == ["曹经理", "成都"]


def test_without_a_roster_a_form_may_be_anyone_of_that_surname() -> None:
    people = People.of(Roster(), ["张启明", "张维", "叶知秋"])
    assert people.read("张总怎么看自研").ambiguous == ("张启明", "张维")
    assert people.read("叶经理怎么看自研").persons == ("叶知秋",)
    assert people.read("王总怎么看自研").unknown == ("王总",)


def test_without_a_roster_a_label_means_those_who_speak_under_it() -> None:
    people = People.of(Roster(), ["张启明", "张维", "张总"])
    assert people.read("2024年张总怎么看自研").persons == people.read("张总怎么看自研").persons == ("张总",)


def test_of_two_with_one_name_a_department_tells() -> None:
    departments = ("财务部", "采购部")
    roster = Roster(tuple(Person(f"王伟（{each}）", "王伟", department=each) for each in departments))
    people = People.of(roster, ["王伟（财务部）", "王伟（采购部）"])
    assert people.read("采购部的王伟怎么看").persons == ("王伟（采购部）",)
    assert people.read("王伟怎么看").ambiguous == ("王伟（财务部）", "王伟（采购部）")


def test_a_question_that_names_nobody_is_about_nobody() -> None:
    assert sample().read("班车从哪天起停") == Asked()
    assert People.of(Roster(), []).read("张三怎么看") == Asked()


_PIECES = st.sampled_from(
    [
        "zhang qiming", "张总", "张启明", "張總", "曹经理", "曹敏", "高峰", "白雪", "周宁", "王总",
        "生产的", "成都那位", "，", "、", "和", "跟", "找", "告诉", "请问", "怎么看", "说", "的", "意见",
        "期", "您", "？", "我说的是", "@", "总", "İ", "\ud83d",
    ]
)


@given(st.one_of(st.text(), st.lists(_PIECES).map("".join)))
def test_any_question_is_read_and_its_spans_lie_within_it(question: str) -> None:
    asked = sample().read(question)
    assert all(0 <= start < end <= len(question) for start, end in asked.spans)
    assert list(asked.spans) == sorted(asked.spans)
    assert bool(asked.persons or asked.ambiguous or asked.unknown) == bool(asked.spans)
    assert not (asked.soft and asked.role is Role.ADDRESSED)


def test_the_longest_question_about_one_of_two_is_read_in_time() -> None:
    people = People.of(load_roster(REPOSITORY / "data" / "minutes" / "people.csv"), ["张总", "曹经理"])
    began = perf_counter()
    people.read("曹经理那位" * 800)
    assert perf_counter() - began < 3


def test_those_named_one_after_another_without_a_word_between_are_all_asked_about() -> None:
    roster = load_roster(REPOSITORY / "data" / "minutes" / "people.csv")
    people = People.of(roster, [person.name for person in roster.people])
    assert people.read("张总韩总段总怎么看定价").persons == ("张启明", "韩立新", "段海涛")
