"""Titles that belong together, and the line of revisions: what holds for every set of revisions."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingestion.documents import NEVER_IN_FORCE, Revision, RevisionStatus
from ingestion.versions import (
    START_INFERRED,
    Ending,
    Place,
    Stated,
    line_up,
    overlap,
    same_document,
    title_key,
)

LOADED = datetime(2024, 5, 1, 9, tzinfo=UTC)
A, B, C = (
    Stated("a", LOADED, starts=date(2020, 1, 1)),
    Stated("b", LOADED, starts=date(2021, 1, 1)),
    Stated("c", LOADED, starts=date(2022, 1, 1)),
)

days = st.dates(date(2019, 1, 1), date(2026, 12, 31))
ON_THE_LINE = sorted(set(RevisionStatus) - NEVER_IN_FORCE)


@st.composite
def stated(draw: st.DrawFn, with_ends: bool = True, by_hand: bool = False) -> list[Stated]:
    ids = draw(st.lists(st.sampled_from("abcdef"), unique=True, max_size=6))
    loads = st.datetimes(datetime(2023, 1, 1), datetime(2026, 1, 1), timezones=st.just(UTC))
    return [
        Stated(
            id=key,
            loaded=draw(loads),
            status=draw(st.sampled_from([*RevisionStatus, RevisionStatus.ACTIVE, RevisionStatus.ACTIVE])),
            starts=draw(st.none() | days),
            ends=draw(st.none() | days) if with_ends else None,
            replaces=draw(st.none() | st.sampled_from("abcdef")),
            ends_by_hand=by_hand and draw(st.booleans()),
        )
        for key in ids
    ]


def in_force(places: list[Place], day: date) -> set[str]:
    return {
        place.id
        for place in places
        if Revision(place.id, "d", "0", place.status, place.effective_from, place.effective_to).in_force(day)
    }


@given(stated(by_hand=True), st.lists(days.map(lambda day: Ending(day, "废止")), max_size=2), days)
def test_no_day_has_two_revisions_in_force(revisions: list[Stated], endings: list[Ending], day: date) -> None:
    assert len(in_force(line_up(revisions, endings), day)) <= 1


@given(stated(with_ends=False), days)
def test_from_the_first_start_on_every_day_has_one(revisions: list[Stated], day: date) -> None:
    places = line_up(revisions)
    line = [place for place in places if place.status not in NEVER_IN_FORCE]
    begun = any((place.effective_from or date.min) <= day for place in line)
    assert len(in_force(places, day)) == begun


@given(stated(), st.randoms(use_true_random=False))
def test_the_order_in_which_they_are_given_does_not_matter(revisions: list[Stated], random: object) -> None:
    shuffled = list(revisions)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert sorted(line_up(shuffled), key=lambda p: p.id) == sorted(line_up(revisions), key=lambda p: p.id)


@given(stated(), days)
def test_nothing_is_in_force_outside_of_what_it_states(revisions: list[Stated], day: date) -> None:
    known = {one.id: one for one in revisions}
    for key in in_force(line_up(revisions), day):
        one = known[key]
        assert one.status not in NEVER_IN_FORCE
        assert one.starts is None or one.starts <= day
        assert one.ends is None or day < one.ends


@given(stated())
def test_every_revision_has_one_place_and_only_the_last_of_the_line_stands(revisions: list[Stated]) -> None:
    places = line_up(revisions)
    assert sorted(place.id for place in places) == sorted(one.id for one in revisions)
    line = [place for place in places if place.status not in NEVER_IN_FORCE]
    assert all(place.status is RevisionStatus.SUPERSEDED for place in line[:-1])
    assert [place.supersedes for place in line] == [None, *(place.id for place in line)][: len(line)]


@given(stated(), days, days)
def test_a_repeal_leaves_only_what_begins_on_its_day_or_later(
    revisions: list[Stated], repealed: date, day: date
) -> None:
    places = {place.id: place for place in line_up(revisions, [Ending(repealed, "废止")])}
    for key in in_force(list(places.values()), day):
        start = places[key].effective_from or date.min
        assert day < repealed or start >= repealed


def test_what_a_person_said_of_the_end_is_not_overruled_by_another_document() -> None:
    repealed = [Ending(date(2023, 1, 1), "废止")]
    assert in_force(line_up([replace(C, ends_by_hand=True)], repealed), date(2024, 1, 1)) == {"c"}
    until = replace(C, ends=date(2025, 1, 1), ends_by_hand=True)
    assert [place.effective_to for place in line_up([until], repealed)] == [date(2025, 1, 1)]


def test_dates_decide_and_not_the_order_of_loading() -> None:
    late = replace(A, loaded=LOADED + timedelta(days=300))
    places = line_up([C, late, B])
    assert [place.id for place in places] == ["a", "b", "c"]
    assert [place.effective_to for place in places] == [date(2021, 1, 1), date(2022, 1, 1), None]


def test_of_two_that_begin_on_one_day_the_later_loaded_answers() -> None:
    corrected = Stated("z", LOADED + timedelta(hours=1), starts=A.starts)
    assert in_force(line_up([corrected, A]), date(2020, 1, 1)) == {"z"}
    assert in_force(line_up([corrected, A]), date(2019, 12, 31)) == set()


def test_a_stated_end_before_the_next_start_leaves_the_gap_it_states() -> None:
    places = line_up([replace(A, ends=date(2020, 6, 1)), C])
    assert in_force(places, date(2020, 12, 1)) == set()
    assert in_force(places, date(2020, 5, 31)) == {"a"}


def test_a_stated_end_after_the_next_start_does_not_outlive_it() -> None:
    assert in_force(line_up([replace(A, ends=date(2030, 1, 1)), C]), date(2025, 1, 1)) == {"c"}


def test_an_undated_revision_is_older_than_a_dated_one() -> None:
    undated = Stated("u", LOADED)
    assert in_force(line_up([A, undated]), date(2024, 6, 1)) == {"a"}
    assert in_force(line_up([A, undated]), date(2019, 1, 1)) == {"u"}


def test_of_two_undated_ones_the_second_begins_when_it_was_loaded() -> None:
    first, second = Stated("u", LOADED), Stated("v", LOADED + timedelta(days=10))
    places = line_up([second, first])
    loaded_on = second.loaded.astimezone().date()
    assert in_force(places, loaded_on) == {"v"}
    assert in_force(places, loaded_on - timedelta(days=1)) == {"u"}
    assert [place.evidence for place in places] == [(), (START_INFERRED,)]


def test_two_undated_ones_and_a_dated_one_never_overlap() -> None:
    first, second = Stated("u", LOADED), Stated("v", LOADED + timedelta(days=10))
    assert in_force(line_up([first, second, A]), date(2024, 6, 1)) == {"a"}


def test_a_file_changed_at_its_place_answers_though_it_states_no_date() -> None:
    changed = Stated("u", LOADED, replaces="a")
    loaded_on = LOADED.astimezone().date()
    assert in_force(line_up([A, changed]), loaded_on) == {"u"}
    assert in_force(line_up([A, changed]), loaded_on - timedelta(days=1)) == {"a"}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("差旅费管理办法（2023年修订）", "差旅费管理办法"),
        ("差旅费管理办法-2023修订版", "差旅费管理办法V2.1"),
        ("差旅费管理办法 最终版V12", "差旅费管理办法_v2"),
        ("差旅费管理办法(1)", "差旅费管理办法（试行）"),
        ("差旅费管理暂行办法", "差旅费管理办法【最终版V3】"),
        ("考勤制度2023", "2021年考勤制度"),
        ("第3版员工手册", "员工手册2021年3月版"),
        ("中华人民共和国公司法(2018修正)", "中华人民共和国公司法（2023修订）"),
        ("Ｖ２ 员工手册", "员工手册 - 副本"),
    ],
)
def test_titles_that_differ_by_their_version_agree(one: str, other: str) -> None:
    assert title_key(one) == title_key(other) != ""


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("1905号设备管理规定", "1906号设备管理规定"),  # the number of a thing is no year
        ("2001室钥匙登记", "2002室钥匙登记"),
        ("劳动合同（全日制）", "劳动合同（非全日制）"),
        ("工作总结（财务部）", "工作总结（人事部）"),
        ("信息发布管理办法", "信息管理办法"),
        ("正式员工管理办法", "员工管理办法"),
        ("IPv6管理规范", "IP管理规范"),
        ("2021年度工作总结", "2022年度工作总结"),
        ("关于2021年春节放假的通知", "关于2022年春节放假的通知"),
        ("copyright policy", "right policy"),
    ],
)
def test_titles_of_different_documents_stay_apart(one: str, other: str) -> None:
    assert title_key(one) != title_key(other)


def test_a_title_of_version_marks_only_keeps_its_words() -> None:
    assert title_key("（2023）") == "2023"
    assert title_key("——") == ""


@given(st.text(max_size=80))
def test_a_title_key_is_stable_and_never_fails(title: str) -> None:
    assert title_key(title) == title_key(f" {title} ")


def test_overlap_is_the_share_of_the_shorter_text() -> None:
    text = "出差人员住宿费标准为每人每天三百元，凭票据实报销。"
    assert overlap(text, text + "另有补助。" * 20) == 1.0
    assert overlap(text, "") == overlap("", "") == 0.0
    assert not same_document(text, "员工每年享有五天带薪年休假，工作满十年的为十天。")
