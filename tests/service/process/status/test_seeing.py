"""Who may see an application, and that nobody else can tell it from one that does not exist."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.access import Principal, Role
from service.errors import NotFound
from service.process.status.applications import Outcome
from service.process.status.people import People
from service.process.status.seeing import may_see
from tests.service.process.status.status_parts import SAME_IDS, Held, application, desk, step

SHOWN = application(
    timeline=(
        step(Outcome.SUBMITTED, "assistant"),
        step(Outcome.APPROVED, "qiuyan"),
        step(Outcome.TRANSFERRED, "yezq"),
        step(Outcome.OTHER, "commenter"),
    )
)
INVOLVED = {"wenting", "hewen", "qiuyan", "yezq"}
IDS = sorted(INVOLVED | {"assistant", "commenter", "stranger", "WENTING", "wenting "})


@given(st.sampled_from(IDS), st.sampled_from(Role))
def test_only_the_involved_and_administrators_see_it(id: str, role: Role) -> None:
    principal = Principal(id, role=role)
    assert may_see(principal, SHOWN, SAME_IDS) is (id in INVOLVED or role is Role.ADMIN)


def test_department_name_and_groups_open_nothing() -> None:
    boss = Principal("boss", name="wenting", department="总部", groups=("wenting",), role=Role.PROCESS_ADMIN)
    assert not may_see(boss, SHOWN, SAME_IDS)


def test_application_without_an_id_of_its_applicant_is_nobodys() -> None:
    assert not may_see(Principal("x"), application(applicant=""), People({}, {}))
    assert not may_see(Principal(""), application(applicant=""), SAME_IDS)


@pytest.mark.parametrize("id", ["stranger", "commenter"])
def test_hidden_and_absent_are_answered_alike(id: str) -> None:
    with_it, without = desk(Held(SHOWN)), desk(Held())
    principal = Principal(id)
    for text in ("申请编号 A-1 到哪了", "A-1", "我的申请到哪了"):
        told = [each.answer(principal, text, {}, date(2026, 11, 16)) for each in (with_it, without)]
        assert told[0] == told[1]
    refusals = []
    for each in (with_it, without):
        with pytest.raises(NotFound) as refusal:
            each.one(principal, "A-1")
        refusals.append((refusal.value.code, refusal.value.message, refusal.value.details))
    assert refusals[0] == refusals[1]
