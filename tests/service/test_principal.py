"""Scopes and roles."""

from hypothesis import given
from hypothesis import strategies as st

from service.access import LOCAL, PUBLIC, Principal, Role

names = st.text(st.sampled_from("甲乙ab/: "), max_size=6)


def test_a_department_reads_what_is_meant_for_the_ones_above_it() -> None:
    member = Principal("u1", department="总部/财务部/资金组", groups=("hr",))
    assert member.scopes() == (
        PUBLIC,
        "user:u1",
        "department:总部",
        "department:总部/财务部",
        "department:总部/财务部/资金组",
        "group:hr",
    )
    assert member.may_read(("department:总部",))
    assert not Principal("u2", department="总部").may_read(("department:总部/财务部",))


@given(names, names, st.lists(names, max_size=3))
def test_no_name_makes_a_scope_of_another_kind(user: str, department: str, groups: list[str]) -> None:
    scopes = Principal(user, department=department, groups=tuple(groups)).scopes()
    assert scopes is not None
    assert [scope for scope in scopes if scope == PUBLIC] == [PUBLIC]
    assert all(scope.split(":", 1)[0] in {PUBLIC, "user", "department", "group"} for scope in scopes)
    assert sum(scope.startswith("user:") for scope in scopes) == 1


@given(st.lists(names, max_size=3))
def test_an_administrator_reads_everything_and_a_document_without_labels_is_for_them_alone(
    labels: list[str],
) -> None:
    assert LOCAL.scopes() is None
    assert LOCAL.may_read(tuple(labels))
    assert not Principal("u").may_read(())


def test_roles_include_the_ones_below_them() -> None:
    order = [Role.READER, Role.CONTRIBUTOR, Role.PROCESS_ADMIN, Role.ADMIN]
    for rank, role in enumerate(order):
        assert [Principal("u", role=role).allows(other) for other in order] == [n <= rank for n in range(4)]
